//! The C structs of the model, as a module of the C crate. cbindgen reads plain source, not macros.
//!
//! C has no objects in objects that may be absent, so the members of an object stand in the struct that contains it, behind
//! a prefix: `auth_token_url`.

use std::fmt::Write as _;

use crate::table::{Kind, Member, Object};

const HEAD: &str = "\
//! The structs of the unified model. Written by `cargo xtask model` from core/src/manifest/table.rs; change it there.

use agentsdisc_core::manifest as model;
use agentsdisc_core::syntax::text::Text;

use crate::agents::{AGD_CAPABILITIES_ALL, AGD_CAPABILITIES_LISTED};
use crate::boundary::{filled, growing};
use crate::capability::{agd_capabilities, agd_outputs, agd_rate_limits};
use crate::enumerations::{agd_choice, number, truth};
use crate::manifest::agd_plans;
use crate::parameter::agd_parameters;
use crate::robots::agd_robots_rules;
use crate::text::{agd_text, agd_texts};
use crate::value::{agd_members, agd_value, agd_values};
";

/// Objects that have no struct: their members stand in other structs, or are read by functions.
const WITHOUT_STRUCT: [&str; 5] = ["CapabilityAuth", "Hint", "Idempotency", "Robots", "Search"];

/// Names that are not those of the table.
const STRUCTS: [(&str, &str); 2] = [
    ("AgentPolicy", "agd_agent"),
    ("Status", "agd_service_status"),
];
const MEMBERS: [(&str, &str, &str); 3] = [
    ("Parameter", "default", "default_value"),
    ("Dependency", "requires", "required"),
    ("Session", "delete", "close"),
];

/// Members that only C has: the object, the member behind them, the declaration, and the value.
const EXTRA: [(&str, &str, &str, &str); 2] = [
    (
        "RateLimit",
        "window",
        "    /// Length of the time window in seconds; 0 if it is unknown.\n    pub window_seconds: u32,\n",
        "        window_seconds: it.window.value.seconds().unwrap_or(0),\n",
    ),
    (
        "AgentPolicy",
        "capabilities",
        "    /// AGD_CAPABILITIES_ALL or AGD_CAPABILITIES_LISTED: whether an empty list of capabilities means all or none.\n    pub grant: i32,\n",
        "        grant: if it.capabilities.is_some() { AGD_CAPABILITIES_LISTED } else { AGD_CAPABILITIES_ALL },\n",
    ),
];

/// The objects that have a struct.
pub(crate) fn with_struct(objects: &[Object]) -> impl Iterator<Item = &Object> {
    objects
        .iter()
        .filter(|object| !WITHOUT_STRUCT.contains(&object.name))
}

/// The name of the struct of an object.
pub(crate) fn struct_name(object: &str) -> String {
    let given = STRUCTS.iter().find(|(name, _)| *name == object);
    given.map_or_else(
        || {
            let mut name = "agd".to_owned();
            for c in object.chars() {
                if c.is_ascii_uppercase() {
                    name.push('_');
                }
                name.push(c.to_ascii_lowercase());
            }
            name
        },
        |(_, name)| (*name).to_owned(),
    )
}

/// The name of the list of an object.
pub(crate) fn list_name(object: &str) -> String {
    let name = struct_name(object);
    match name.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => name + "s",
    }
}

/// The name of a member.
pub(crate) fn member_name<'m>(object: &str, member: &'m Member) -> &'m str {
    let given = MEMBERS
        .iter()
        .find(|(owner, name, _)| *owner == object && *name == member.name);
    given.map_or(member.name, |(_, _, name)| name)
}

/// The beginning of the constants of an enumeration.
pub(crate) fn constants(enumeration: &str) -> String {
    let short = enumeration.strip_suffix("Type").unwrap_or(enumeration);
    format!("AGD_{}", short.to_ascii_uppercase())
}

/// The member by which an object shows that it is there; absent where a member `has_…` says so.
pub(crate) fn witness(object: &Object) -> Option<&Member> {
    object
        .members
        .iter()
        .find(|member| !member.optional && matches!(member.kind, Kind::Choice(_)))
}

pub(crate) fn find<'o>(objects: &'o [Object], name: &str) -> &'o Object {
    objects
        .iter()
        .find(|object| object.name == name)
        .unwrap_or_else(|| unreachable!("the table names {name}, which it does not have"))
}

pub(crate) fn structs(objects: &[Object]) -> String {
    let names: Vec<String> = with_struct(objects)
        .map(|object| format!("    {},\n", struct_name(object.name)))
        .collect();
    let mut text = format!("{HEAD}\ngrowing! {{\n{}}}\n", names.concat());
    for object in with_struct(objects) {
        text += &declared(object, objects);
    }
    text
}

/// The parts of a struct that is being made.
#[derive(Default)]
struct Parts {
    fields: String,
    /// The values of members that are there together.
    groups: String,
    values: String,
}

fn declared(object: &Object, objects: &[Object]) -> String {
    let name = struct_name(object.name);
    let mut parts = Parts::default();
    for member in &object.members {
        if let Some((.., field, value)) = EXTRA
            .iter()
            .find(|(owner, behind, ..)| *owner == object.name && *behind == member.name)
        {
            parts.fields += field;
            parts.values += value;
        }
        match member.kind {
            Kind::Object(inner) => flattened(&mut parts, member, find(objects, inner)),
            _ => {
                let name = member_name(object.name, member);
                field(&mut parts.fields, name, member, "");
                let _ = writeln!(
                    parts.values,
                    "        {}: {},",
                    raw_name(name),
                    value("it", member)
                );
            }
        }
    }
    if let Some(origin) = object.origin {
        let _ = write!(
            parts.fields,
            "    /// The bytes it is read from: {origin}.\n    pub source: agd_text,\n"
        );
        parts.values += "        source: it.source,\n";
    }
    format!(
        "
/// {} It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct {name} {{
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
{}}}

filled! {{
    {name} from it: model::{}<'static> {{
{}{}    }}
}}
",
        object.about, parts.fields, object.name, parts.groups, parts.values
    )
}

/// Puts the members of an object into the struct of the one that contains it.
fn flattened(parts: &mut Parts, member: &Member, inner: &Object) {
    let prefix = member.name;
    if member.optional && witness(inner).is_none() {
        let _ = write!(
            parts.fields,
            "    /// Whether there is {}: AGD_TRUE or AGD_FALSE.\n    pub has_{prefix}: i32,\n",
            prefix.replace('_', " ")
        );
        let _ = writeln!(
            parts.values,
            "        has_{prefix}: i32::from(it.{}.is_some()),",
            member.field
        );
    }
    let mut values = String::new();
    let indent = if member.optional {
        "            "
    } else {
        "        "
    };
    for (index, part) in inner.members.iter().enumerate() {
        let name = format!("{prefix}_{}", part.name);
        let context = if index == 0 && member.optional {
            &member.doc
        } else {
            ""
        };
        field(&mut parts.fields, &name, part, context);
        let value = match (member.optional, part.kind, part.optional) {
            (false, ..) => value(&format!("it.{}", member.field), part),
            (true, Kind::Choice(_), false) => format!("Some(part.{})", part.field),
            (true, ..) => format!("part.{}", part.field),
        };
        let _ = writeln!(values, "{indent}{name}: {value},");
    }
    if let Some(origin) = inner.origin {
        let _ = write!(
            parts.fields,
            "    /// The bytes that the {prefix} is read from: {origin}.\n    pub {prefix}_source: agd_text,\n"
        );
        let value = if member.optional {
            "Some(Text::plain(part.source))".to_owned()
        } else {
            format!("it.{}.source", member.field)
        };
        let _ = writeln!(values, "{indent}{prefix}_source: {value},");
    }
    if member.optional {
        let _ = write!(
            parts.groups,
            "        (part in it.{}) {{\n{values}        }}\n",
            member.field
        );
    } else {
        parts.values += &values;
    }
}

/// A name that may be a keyword of Rust.
fn raw_name(name: &str) -> String {
    if name == "type" {
        "r#type".to_owned()
    } else {
        name.to_owned()
    }
}

fn field(fields: &mut String, name: &str, member: &Member, context: &str) {
    let note = match (member.kind, member.optional) {
        (Kind::Choice(enumeration), false) => format!(" ({}_*)", constants(enumeration)),
        (Kind::Choice(enumeration), true) => {
            format!(" ({}_*, or AGD_UNSAID)", constants(enumeration))
        }
        (Kind::Bool, true) => " (AGD_TRUE, AGD_FALSE or AGD_UNSAID)".to_owned(),
        (Kind::Bool, false) => " (AGD_TRUE or AGD_FALSE)".to_owned(),
        (Kind::Number, true) => " (AGD_UNSAID if absent)".to_owned(),
        _ => String::new(),
    };
    let doc = format!("{context} {}", member.doc);
    let doc = doc.trim().trim_end_matches('.');
    let kind = match (member.kind, member.optional) {
        (Kind::Text, _) => "agd_text".to_owned(),
        (Kind::Texts, _) => "agd_texts".to_owned(),
        (Kind::Bool, _) => "i32".to_owned(),
        (Kind::Number, false) => "u32".to_owned(),
        (Kind::Number, true) => "i64".to_owned(),
        (Kind::Raw | Kind::Value, _) => "agd_value".to_owned(),
        (Kind::Raws, _) => "agd_values".to_owned(),
        (Kind::Metadata, _) => "agd_members".to_owned(),
        (Kind::Choice(_), _) => "agd_choice".to_owned(),
        (Kind::Object(object) | Kind::Objects(object), _) => list_name(object),
    };
    let _ = write!(
        fields,
        "    /// {doc}{note}.\n    pub {}: {kind},\n",
        raw_name(name)
    );
}

/// The value of a member, as an expression.
fn value(owner: &str, member: &Member) -> String {
    let value = format!("{owner}.{}", member.field);
    match (member.kind, member.optional) {
        (Kind::Bool, true) => format!("truth({value})"),
        (Kind::Bool, false) => format!("i32::from({value})"),
        (Kind::Number, true) => format!("number({value})"),
        (Kind::Texts, true) => format!("{value}.unwrap_or_default()"),
        _ => value,
    }
}
