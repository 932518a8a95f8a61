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

use agentsdisc_core::{CheckOptions, Code, Document, Example, Format, ParseOptions};

const HEAD: &str = "\
<!-- Written by `cargo xtask docs` from core/src/diagnostic/codes.rs; change it there. -->

# Diagnostics

What `check` (and `agentsdisc lint`) can report. A code means one thing in every format and never changes its meaning.
The severity is the usual one; a rule may deviate where its meaning says so. `agentsdisc explain CODE` prints the text about one code.

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
            "| [`{0}`](#{0}) | {1} | {2} | {3} |",
            code.as_str(),
            code.severity(),
            cell(code.points_at()),
            cell(code.about())
        );
    }
    for code in Code::ALL {
        print!("\n## {}\n\n{} {}\n", code.as_str(), prose(code.about()), prose(code.why()));
        if let Some(example) = code.example() {
            explained(*code, &example);
        }
    }
}

/// Prints the examples of a code, with the finding in the wrong one.
fn explained(code: Code, example: &Example) {
    let options =
        ParseOptions { format: Format::from_id(example.format), ..ParseOptions::default() };
    // A test of the core reads every example.
    let Ok(document) = Document::parse_with(example.wrong.as_bytes(), &options) else { return };
    let options = CheckOptions { origin: Some("https://mugs.example"), ..CheckOptions::default() };
    let mut said = String::new();
    document.check(&options, |found| {
        if found.code == code && said.is_empty() {
            let section = match found.section {
                "" => String::new(),
                section => format!(", section {section}"),
            };
            said = format!("*{found}* ({}{section})", found.spec.as_str());
        }
    });
    let shown = |text: &str| text.trim_end().escape_hidden();
    print!("\nWrong, in a document of the format {}: {}\n", example.format, prose(&said));
    print!("\n```text\n{}\n```\n", shown(example.wrong));
    print!("\nRight:\n\n```text\n{}\n```\n", shown(example.right));
}

/// Writes characters that nobody can see as escapes.
trait EscapeHidden {
    fn escape_hidden(&self) -> String;
}

impl EscapeHidden for str {
    fn escape_hidden(&self) -> String {
        let hidden =
            |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{200b}' | '\u{feff}'));
        let shown = |c: char| match hidden(c) {
            true => c.escape_unicode().to_string(),
            false => c.to_string(),
        };
        self.chars().map(shown).collect()
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
