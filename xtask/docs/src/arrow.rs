//! The columns of the model in docs/arrow.md.

use crate::c::find;
use crate::table::{Kind, Member, Object};

/// The columns of the members of a document.
pub(crate) fn columns(document: &[Member], objects: &[Object]) -> String {
    let mut text = String::new();
    for member in document {
        // Columns about the reading of a document already have these names.
        let name = match member.name {
            "errors" => "recoveries",
            "status" => "service_status",
            other => other,
        };
        column(&mut text, "", name, member.kind, objects);
        if let Some(name) = member.text {
            column(&mut text, "", name, Kind::Text, objects);
        }
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
