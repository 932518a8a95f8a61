//! The walker of the C programs: one function for each struct, which passes the struct's members to
//! functions for single values.

use std::fmt::Write as _;

use crate::accessors::{flat_name, without_struct};
use crate::c::{constants, find, list_name, member_name, struct_name, with_struct, witness};
use crate::table::{Kind, Member, Object};

const HEAD: &str = "\
/*
 * The members of a document and of the structs of the unified model. Written by `cargo xtask model` from core/src/model/table.rs; change it there.
 *
 * The file that includes this one defines a type `output`, a function for each type of value (`text`, `choice`, …), which receives the name and
 * the value of a member, `source`, which receives the bytes of an object, `begin_object`, `end_object` and `end_unless_empty`, and the macro
 * OBJECTS, which defines the function for a list of structs. model.h is an example. C++ also defines DOCUMENT_TYPE, HEAD_OF, LIST_OF and OBJECT_OF.
 */
";

/// How a document is read in C.
const READING: &str = "
#ifndef DOCUMENT_TYPE
#define DOCUMENT_TYPE const agd_document *
#define HEAD_OF(document, head) (void)(agd_document_head(document, &head) == AGD_SOME)
#define LIST_OF(document, name) agd_document_##name(document)
/* Reads an object of a document, if there is one, and passes its members on. `end` is `end_object` or `end_unless_empty`. */
#define OBJECT_OF(out, document, type, name, members_of, end)                                                                                \\
    do {                                                                                                                                     \\
        type item = AGD_INIT(type);                                                                                                          \\
        if (agd_document_##name(document, &item) == AGD_SOME) {                                                                              \\
            output before = begin_object(out, #name);                                                                                        \\
            members_of(out, &item);                                                                                                          \\
            end(out, #name, before);                                                                                                         \\
        }                                                                                                                                    \\
    } while (0)
#endif
";

pub(crate) fn functions(document: &[Member], objects: &[Object]) -> String {
    let mut text = HEAD.to_owned();
    for object in with_struct(objects) {
        let name = struct_name(object.name);
        let mut body = String::new();
        for member in &object.members {
            member_of(&mut body, object, member, objects);
        }
        if object.origin.is_some() {
            body.push_str("    source(out, item->source);\n");
        }
        let short = name.trim_start_matches("agd_");
        let _ = write!(
            text,
            "\nstatic inline void {short}_members(output *out, const {name} *item) {{\n{body}}}\n"
        );
        let is_listed = objects
            .iter()
            .flat_map(|owner| &owner.members)
            .chain(document)
            .any(|member| member.kind == Kind::Objects(object.name));
        let list = list_name(object.name);
        if is_listed {
            let _ = write!(
                text,
                "\nOBJECTS({}, {list}, {name}, {short}_members)\n",
                list.trim_start_matches("agd_")
            );
        }
    }
    text + &whole(document, objects)
}

/// The function for a whole document.
fn whole(document: &[Member], objects: &[Object]) -> String {
    let mut body = String::new();
    for member in document {
        if let Some(object) = without_struct(member, objects) {
            let name = member.name;
            let _ = writeln!(body, "    output {name} = begin_object(out, \"{name}\");");
            for part in &object.members {
                single(&mut body, &flat_name(member, part), part);
            }
            let _ = writeln!(body, "    end_unless_empty(out, \"{name}\", {name});");
        } else if let Kind::Object(object) = member.kind {
            let (name, object) = (member.name, struct_name(object));
            let members = object.trim_start_matches("agd_");
            let end = if member.optional && !member.unless_empty {
                "end_object"
            } else {
                "end_unless_empty"
            };
            let _ = writeln!(
                body,
                "    OBJECT_OF(out, document, {object}, {name}, {members}_members, {end});"
            );
        } else {
            single(&mut body, member.name, member);
        }
    }
    format!(
        "{READING}
/* The members of a document, in the order of the model's JSON form, but for the format. */
static inline void document_members(output *out, DOCUMENT_TYPE document) {{
    agd_head head = AGD_INIT(agd_head);
    HEAD_OF(document, head);
{body}}}
"
    )
}

/// Writes the call that passes on a list or a single value of a document; `name` is its name in C.
fn single(body: &mut String, name: &str, member: &Member) {
    let value = match member.kind {
        Kind::Texts | Kind::Metadata | Kind::Objects(_) => format!("LIST_OF(document, {name})"),
        _ => format!("head.{name}"),
    };
    if member.kind == Kind::Objects("Hint") {
        let _ = writeln!(body, "    hints(out, \"{}\", {value});", member.name);
    } else {
        put(body, "    ", member.name, &value, member);
    }
}

fn member_of(body: &mut String, object: &Object, member: &Member, objects: &[Object]) {
    let Kind::Object(inner) = member.kind else {
        return put(
            body,
            "    ",
            member.name,
            &format!("item->{}", member_name(object.name, member)),
            member,
        );
    };
    let (inner, prefix) = (find(objects, inner), member.name);
    let mut indent = "    ";
    if member.optional {
        let is_there = witness(inner).map_or_else(
            || format!("item->has_{prefix} == AGD_TRUE"),
            |member| format!("item->{prefix}_{}.value != AGD_UNSAID", member.name),
        );
        let _ = writeln!(body, "    if ({is_there}) {{");
        indent = "        ";
    }
    let _ = writeln!(body, "{indent}output {prefix} = begin_object(out, \"{prefix}\");");
    for part in &inner.members {
        put(body, indent, part.name, &format!("item->{prefix}_{}", part.name), part);
    }
    if inner.origin.is_some() {
        let _ = writeln!(body, "{indent}source(out, item->{prefix}_source);");
    }
    let end = if member.optional { "end_object" } else { "end_unless_empty" };
    let _ = writeln!(body, "{indent}{end}(out, \"{prefix}\", {prefix});");
    if member.optional {
        body.push_str("    }\n");
    }
}

fn put(body: &mut String, indent: &str, name: &str, value: &str, member: &Member) {
    let call = match member.kind {
        Kind::Text => format!("text(out, \"{name}\", {value})"),
        Kind::Texts if member.optional => format!("granted(out, \"{name}\", item->grant, {value})"),
        Kind::Texts => format!("texts(out, \"{name}\", {value})"),
        Kind::Bool => format!("truth(out, \"{name}\", {value})"),
        Kind::Number => format!("integer(out, \"{name}\", {value})"),
        Kind::Raw | Kind::Value => format!("value(out, \"{name}\", {value})"),
        Kind::Raws => format!("values(out, \"{name}\", {value})"),
        Kind::Metadata => format!("members(out, \"{name}\", {value})"),
        Kind::Choice(enumeration) => format!(
            "choice(out, \"{name}\", {value}, {}_name)",
            constants(enumeration).to_ascii_lowercase()
        ),
        Kind::Object(object) | Kind::Objects(object) => {
            let list = list_name(object);
            format!("{}(out, \"{name}\", {value})", list.trim_start_matches("agd_"))
        }
    };
    // JSON omits `Choice::implied(AuthType::None)`.
    if let (Kind::Choice(enumeration), Some(implied)) = (member.kind, member.implied) {
        let constant = implied.rsplit("::").next().unwrap_or_default().trim_end_matches(')').trim();
        let constant = format!("{}_{}", constants(enumeration), constant.to_ascii_uppercase());
        let _ =
            writeln!(body, "{indent}if ({value}.value != {constant} || {value}.text.ptr != NULL)");
        let _ = writeln!(body, "{indent}    {call};");
    } else {
        let _ = writeln!(body, "{indent}{call};");
    }
}
