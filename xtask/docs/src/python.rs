//! The classes of the model in the Python stub.

use crate::table::{Kind, Member, Object};

/// The methods of all classes.
const METHODS: &str = "
    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...
";

/// The properties of a document. Its capabilities have a class of their own.
pub(crate) fn properties(members: &[Member]) -> String {
    let mut text = String::new();
    for member in members {
        let annotation = match member.name {
            "capabilities" => "Capabilities".to_owned(),
            _ => annotation(member),
        };
        put(&mut text, member, &annotation);
    }
    text + "\n"
}

pub(crate) fn classes(objects: &[Object]) -> String {
    objects.iter().map(class).collect::<Vec<_>>().join("\n") + "\n"
}

fn class(object: &Object) -> String {
    let mut text = format!("@final\nclass {}:\n    \"\"\"{}\"\"\"\n", object.name, object.about);
    for member in &object.members {
        put(&mut text, member, &annotation(member));
    }
    text + METHODS
}

fn put(text: &mut String, member: &Member, annotation: &str) {
    *text += &property(member.name, annotation, &member.doc);
    if let Some(name) = member.text {
        let doc = "The text as written, if it differs from the canonical name.";
        *text += &property(name, "str | None", doc);
    }
}

fn property(name: &str, annotation: &str, doc: &str) -> String {
    format!("\n    @property\n    def {name}(self) -> {annotation}:\n        \"\"\"{doc}\"\"\"\n")
}

fn annotation(member: &Member) -> String {
    let annotation = match member.kind {
        Kind::Text | Kind::Choice(_) => "str".to_owned(),
        Kind::Texts => "tuple[str, ...]".to_owned(),
        Kind::Bool => "bool".to_owned(),
        Kind::Number => "int".to_owned(),
        Kind::Raw | Kind::Value => return "Any".to_owned(),
        Kind::Raws => "tuple[Any, ...]".to_owned(),
        Kind::Metadata => "dict[str, Any]".to_owned(),
        Kind::Object(name) => name.to_owned(),
        Kind::Objects(name) => format!("tuple[{name}, ...]"),
    };
    if member.optional { annotation + " | None" } else { annotation }
}
