//! The tables of objects in docs/model.md.

use std::fmt::Write as _;

use crate::cell;
use crate::table::{Kind, Member, Object};

/// The table of the members of a whole document.
pub(crate) fn document(members: &[Member]) -> String {
    let mut text = "
| member | type | meaning |
| --- | --- | --- |
| `format` | text | The format id: `agents-txt`, `agents-json`, … |
"
    .to_owned();
    rows(&mut text, "document", members);
    text + "\n"
}

pub(crate) fn objects(objects: &[Object]) -> String {
    let mut text = String::new();
    for object in objects {
        let _ = write!(
            text,
            "\n### {}\n\n{}\n\n| member | type | meaning |\n| --- | --- | --- |\n",
            object.name,
            cell(&object.about)
        );
        rows(&mut text, &object.name.to_lowercase(), &object.members);
    }
    text
}

fn rows(text: &mut String, object: &str, members: &[Member]) {
    for member in members {
        let _ = writeln!(
            text,
            "| <a id=\"{object}.{0}\"></a>`{0}` | {1} | {2} |",
            member.name,
            kind(member),
            cell(&member.doc)
        );
    }
}

fn kind(member: &Member) -> String {
    match member.kind {
        Kind::Text => "text".to_owned(),
        Kind::Texts => "texts".to_owned(),
        Kind::Bool => "truth value".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::Value => "number as written".to_owned(),
        Kind::Raw => "value as written".to_owned(),
        Kind::Raws => "values as written".to_owned(),
        Kind::Metadata => "values by name".to_owned(),
        Kind::Choice(_) => "enumeration".to_owned(),
        Kind::Object(name) => link(name),
        Kind::Objects(name) => format!("list of {}", link(name)),
    }
}

fn link(object: &str) -> String {
    format!("[{object}](#{})", object.to_lowercase())
}
