//! The columns of the model in docs/arrow.md.

use crate::c::find;
use crate::table::{Kind, Object};

/// The columns whose members the table of the model has, and those between them.
const COLUMNS: [(&str, Kind); 22] = [
    ("provenance", Kind::Object("Provenance")),
    ("service", Kind::Object("Service")),
    ("auth", Kind::Object("ServiceAuth")),
    ("endpoints", Kind::Objects("Endpoint")),
    ("capabilities", Kind::Objects("Capability")),
    ("access", Kind::Object("Access")),
    ("agents", Kind::Objects("AgentPolicy")),
    ("permissions", Kind::Object("Permissions")),
    ("flows", Kind::Objects("Flow")),
    ("dependencies", Kind::Objects("Dependency")),
    ("entities", Kind::Objects("Entity")),
    ("recoveries", Kind::Objects("Recovery")),
    ("hints", Kind::Objects("Hint")),
    ("service_status", Kind::Object("Status")),
    ("features", Kind::Metadata),
    ("pricing", Kind::Object("Pricing")),
    ("session", Kind::Object("Session")),
    ("audit", Kind::Object("Audit")),
    ("rate_limits", Kind::Objects("RateLimit")),
    ("cache_seconds", Kind::Number),
    ("robots", Kind::Object("Robots")),
    ("search", Kind::Object("Search")),
];

pub(crate) fn columns(objects: &[Object]) -> String {
    let mut text = String::new();
    for (name, kind) in COLUMNS {
        column(&mut text, "", name, kind, objects);
    }
    text
}

fn column(text: &mut String, indent: &str, name: &str, kind: Kind, objects: &[Object]) {
    let (shown, object) = match kind {
        Kind::Text | Kind::Choice(_) => ("string", None),
        Kind::Texts => ("list of string", None),
        Kind::Bool => ("bool", None),
        Kind::Number => ("int64", None),
        Kind::Value => ("double", None),
        Kind::Raw | Kind::Metadata => ("string (JSON)", None),
        Kind::Raws => ("list of string (JSON)", None),
        Kind::Object(object) => ("struct", Some(object)),
        Kind::Objects(object) => ("list of struct", Some(object)),
    };
    *text += &format!("{indent}{name}: {shown}\n");
    let members = object.map_or(&[][..], |object| &find(objects, object).members);
    for member in members {
        let indent = format!("{indent}  ");
        column(text, &indent, member.name, member.kind, objects);
        if let Some(name) = member.text {
            column(text, &indent, name, Kind::Text, objects);
        }
    }
}
