//! Prints text that is generated from the core's tables: `docs/diagnostics.md` from its list of
//! codes, or the part that the argument names from its table of the model or from what it says of
//! the formats.

mod accessors;
mod arrow;
mod c;
mod formats;
mod names;
mod page;
mod python;
mod table;
mod typescript;
mod walker;

use agentsdisc_core::Code;

const HEAD: &str = "\
<!-- Written by `cargo xtask docs` from core/src/diagnostic.rs; change it there. -->

# Diagnostics

What `check` (and `agentsdisc lint`) can report. A code means one thing in every format and never changes its meaning.
The severity is the usual one; a rule may deviate where its meaning says so.

- **error**: breaks a MUST, or a required field is missing.
- **warning**: breaks a SHOULD, or is very likely a mistake.
- **info**: worth knowing.

| code | severity | points at | meaning |
| --- | --- | --- | --- |
";

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
        _ => diagnostics(),
    }
}

fn diagnostics() {
    print!("{HEAD}");
    for code in Code::ALL {
        println!(
            "| `{}` | {} | {} | {} |",
            code.as_str(),
            code.severity(),
            cell(code.points_at()),
            cell(code.about())
        );
    }
}

/// Escapes text for a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}
