//! Prints the text that the argument names, which is generated from the core's tables: of codes,
//! reasons, limits and checks, of the model, of the formats. The name of a code is that of its page.

mod accessors;
mod arrow;
mod c;
mod formats;
mod lists;
mod names;
mod page;
mod python;
mod table;
mod typescript;
mod walker;

fn main() {
    let (document, objects) = (table::document(), table::objects());
    match std::env::args().nth(1).as_deref() {
        Some("c-structs") => print!("{}", c::structs(&objects)),
        Some("c-formats") => print!("{}", names::formats()),
        Some("c-resources") => print!("{}", names::resources()),
        Some("c-accessors") => print!("{}", accessors::functions(&document, &objects)),
        Some("cpp-methods") => print!("{}", accessors::methods(&document, &objects)),
        Some("c-walker") => print!("{}", walker::functions(&document, &objects)),
        Some("python-stubs") => print!("{}", python::classes(&objects)),
        Some("python-document") => print!("{}", python::properties(&document)),
        Some("typescript") => print!("{}", typescript::file(&document, &objects)),
        Some("arrow-columns") => print!("{}", arrow::columns(&document, &objects)),
        Some("model-document") => print!("{}", page::document(&document)),
        Some("model-page") => print!("{}", page::objects(&objects)),
        Some("formats") => print!("{}", formats::specifications()),
        Some("features") => print!("{}", formats::features("")),
        Some("features-of-the-core") => print!("{}", formats::features("//! ")),
        Some("locations") => print!("{}", formats::locations()),
        Some("diagnostics") => print!("{}", lists::diagnostics()),
        Some("codes") => print!("{}", lists::codes()),
        Some("serving") => print!("{}", lists::serving()),
        Some("checks") => print!("{}", lists::checks()),
        Some("reasons") => print!("{}", lists::reasons()),
        Some("limits") => print!("{}", lists::limits()),
        other => print!("{}", lists::code(other.unwrap_or_default())),
    }
}

/// Escapes text for a paragraph of Markdown.
fn prose(text: &str) -> String {
    text.replace('<', "&lt;")
}

/// Escapes text for a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}
