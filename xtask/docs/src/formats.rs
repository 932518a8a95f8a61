//! The tables of formats: in the README, of the Cargo features, and of the well-known locations.

use std::fmt::Write as _;

use agentsdisc_core::Format;
use agentsdisc_core::discovery::{Resource, Resources};

use crate::cell;

/// The formats that are read.
fn read() -> impl Iterator<Item = Format> {
    Format::ALL.iter().copied().filter(|format| format.is_read())
}

/// Groups formats by a text, in the order of the first of each group.
fn groups<'t>(text: impl Fn(Format) -> &'t str) -> Vec<(&'t str, Vec<Format>)> {
    let mut groups: Vec<(&str, Vec<Format>)> = Vec::new();
    for format in read() {
        let own = text(format);
        match groups.iter_mut().find(|(known, _)| *known == own) {
            Some((_, formats)) => formats.push(format),
            None => groups.push((own, vec![format])),
        }
    }
    groups
}

fn joined<T: AsRef<str>>(items: impl Iterator<Item = T>, separator: &str) -> String {
    items.map(|item| item.as_ref().to_owned()).collect::<Vec<_>>().join(separator)
}

fn ids<'f>(formats: impl Iterator<Item = &'f Format>) -> String {
    joined(formats.map(|format| format!("`{format}`")), ", ")
}

/// A row for each specification.
pub(crate) fn specifications() -> String {
    let mut text = "\n| document | specification | formats |\n| --- | --- | --- |\n".to_owned();
    for (specification, formats) in groups(|format| format.facts().published.specification) {
        let documents = formats.iter().map(|format| format.facts().published.document);
        let documents = joined(documents, ", ");
        let _ = writeln!(text, "| {documents} | {specification} | {} |", ids(formats.iter()));
    }
    text + "\n"
}

/// A row for each Cargo feature of formats. Each line begins with `start`.
pub(crate) fn features(start: &str) -> String {
    let mut text = String::new();
    for (feature, formats) in groups(|format| format.feature().unwrap_or_default()) {
        let titles = joined(formats.iter().map(|format| format.facts().title), "; ");
        let _ = write!(text, "{start}| `{feature}` | {}", cell(&titles));
        let mut own: Vec<&str> = formats.iter().filter_map(|f| f.facts().feature).collect();
        own.dedup();
        if own != [feature] {
            let own = joined(own.iter().map(|own| format!("`{own}`")), ", ");
            let _ = write!(text, "; {own} for one of them");
        }
        text += " |\n";
    }
    text
}

/// A row for each kind of document that discovery requests.
pub(crate) fn locations() -> String {
    let mut text = "
| kind | formats | locations, in order | fresh for, if no header states otherwise | by default |
| --- | --- | --- | --- | --- |
"
    .to_owned();
    for resource in Resource::ALL.iter().filter(|resource| Resources::ALL.contains(**resource)) {
        let formats = ids(Format::ALL.iter().filter(|format| resource.accepts(**format)));
        let formats = if formats.is_empty() { "for its links" } else { &formats };
        let locations = joined(resource.locations().iter().map(|path| format!("`{path}`")), ", ");
        let locations = if locations.is_empty() { "named by a document" } else { &locations };
        let keeping = resource.keeping();
        let mut fresh = duration(keeping.default);
        if keeping.minimum > 0 {
            let _ = write!(fresh, ", never under {}", duration(keeping.minimum));
        }
        let is_default = if Resources::DEFAULT.contains(*resource) { "yes" } else { "no" };
        let _ = writeln!(
            text,
            "| `{}` | {formats} | {locations} | {fresh} | {is_default} |",
            resource.as_str()
        );
    }
    text + "\n"
}

fn duration(seconds: u32) -> String {
    match seconds {
        _ if seconds.is_multiple_of(3600) => format!("{} h", seconds / 3600),
        _ => format!("{seconds} s"),
    }
}
