//! The pages that are lists of the core: diagnostics by group, checks of a site, reasons, limits.

use std::fmt::Write as _;

use agentsdisc_core::discovery::{self, Rejection};
use agentsdisc_core::{
    CheckOptions, Code, Document, Example, Format, Group, Limits, ParseOptions, call, identity,
    policy, readiness, write,
};

use crate::{cell, prose};

/// The groups of diagnostics, in the order of the index, and their titles.
const GROUPS: [(Group, &str); 7] = [
    (Group::Text, "Bytes and lines"),
    (Group::Fields, "Fields"),
    (Group::Values, "Values"),
    (Group::Urls, "URLs and origins"),
    (Group::Rules, "Rules, capabilities and authentication"),
    (Group::Sections, "Sections and links of Markdown"),
    (Group::Checking, "The check itself"),
];

/// The index of all codes.
pub(crate) fn diagnostics() -> String {
    let mut text = "\
<!-- Written by `cargo xtask docs` from core/src/diagnostic/codes.rs; change it there. -->

# Diagnostics

What `check` (and `agentsdisc lint`) can report about a document. Each code has a page that says why it matters, with a wrong and a right document;
`agentsdisc explain CODE` prints the same. What `agentsdisc lint URL` reports about a server is on [a page of its own](diagnostics/serving.md).

A code means one thing in every format and never changes its meaning. The severity is the usual one; a rule may deviate where its meaning says so.

- **error**: breaks a MUST, or a required field is missing.
- **warning**: breaks a SHOULD, or is very likely a mistake.
- **info**: worth knowing.
"
    .to_owned();
    for (group, title) in GROUPS {
        let _ =
            write!(text, "\n## {title}\n\n| code | severity | meaning |\n| --- | --- | --- |\n");
        for code in Code::ALL.iter().filter(|code| code.group() == group) {
            let _ = writeln!(
                text,
                "| <a id=\"{0}\"></a>[`{0}`](diagnostics/{0}.md) | {1} | {2} |",
                code.as_str(),
                code.severity(),
                cell(code.about())
            );
        }
    }
    text
}

/// The names of all codes, one in a line.
pub(crate) fn codes() -> String {
    Code::ALL.iter().map(|code| format!("{}\n", code.as_str())).collect()
}

/// The page of a code.
pub(crate) fn code(name: &str) -> String {
    let Some(code) = Code::ALL.iter().find(|code| code.as_str() == name) else {
        return String::new();
    };
    let title =
        GROUPS.iter().find(|(group, _)| *group == code.group()).map_or("", |(_, title)| title);
    let mut text = format!(
        "\
<!-- Written by `cargo xtask docs` from core/src/diagnostic/codes.rs; change it there. -->

# {name}

{} `check` and `agentsdisc lint` report it at {}: usual severity **{}**, group [{title}](../diagnostics.md#{}).
",
        prose(code.about()),
        code.points_at(),
        code.severity(),
        title.to_lowercase().replace(',', "").replace(' ', "-")
    );
    let _ = write!(text, "\n## Why it matters\n\n{}\n", prose(code.why()));
    let found = code.example().and_then(|example| Some((example, finding(*code, &example)?)));
    if let Some((Example { format, wrong, right }, said)) = found {
        let shown = |text: &str| text.trim_end().escape_hidden();
        let _ = write!(
            text,
            "
## Wrong

In a document of the format `{format}`:

```text
{}
```

{}

## Right

```text
{}
```
",
            shown(wrong),
            prose(&said),
            shown(right)
        );
    }
    text
}

/// Returns the finding in the wrong example of a code, with the section that it cites.
fn finding(code: Code, example: &Example) -> Option<String> {
    let options =
        ParseOptions { format: Format::from_id(example.format), ..ParseOptions::default() };
    // A test of the core reads every example.
    let document = Document::parse_with(example.wrong.as_bytes(), &options).ok()?;
    let options = CheckOptions { origin: Some("https://mugs.example"), ..CheckOptions::default() };
    let mut first = None;
    document.check(&options, |found| {
        if found.code == code && first.is_none() {
            let section = match found.section {
                "" => String::new(),
                section => format!(", section {section}"),
            };
            first = Some(format!("> {found} ({}{section})", found.spec.as_str()));
        }
    });
    first
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

/// What `lint URL` reports about a server.
pub(crate) fn serving() -> String {
    let mut text = "\
<!-- Written by `cargo xtask docs` from core/src/readiness/served.rs; change it there. -->

# How documents are served

What `agentsdisc lint URL` reports about the server, besides the [diagnostics](../diagnostics.md) of each document.
[For site owners](../site-owners.md) shows how to mend it.

| code | severity | meaning |
| --- | --- | --- |
"
    .to_owned();
    for code in readiness::served::ServingCode::ALL {
        let _ = writeln!(
            text,
            "| <a id=\"{0}\"></a>`{0}` | {1} | {2} |",
            code.as_str(),
            code.severity(),
            cell(code.about())
        );
    }
    text
}

/// What `agentsdisc check` looks at.
pub(crate) fn checks() -> String {
    let mut text = "\
<!-- Written by `cargo xtask docs` from core/src/readiness/checks.rs; change it there. -->

# Checks of a site

What `agentsdisc check` looks at. A failed check prevents its level and those above it. The weight is its part of the score: 3 for what a
specification requires, 2 for what it recommends, 1 for common practice. Checks of a topic other than `site` count only for sites that have
the topic, or are expected to have it (`--expect`). [For site owners](site-owners.md) shows how to run and repair them.
"
    .to_owned();
    for (level, name) in readiness::LEVELS.iter().enumerate().skip(1) {
        let _ = write!(
            text,
            "\n## Level {level}: {name}\n\n| check | topic | weight | what it looks at |\n| --- | --- | ---: | --- |\n"
        );
        let here = |check: &&readiness::Check| usize::from(check.level()) == level;
        for check in readiness::Check::ALL.iter().filter(here) {
            let _ = writeln!(
                text,
                "| <a id=\"{0}\"></a>`{0}` | {1} | {2} | {3} |",
                check.id(),
                check.topic().as_str(),
                check.weight(),
                cell(check.about())
            );
        }
    }
    text
}

/// Why something is allowed, refused, not found or lost.
pub(crate) fn reasons() -> String {
    let mut text = "\
<!-- Written by `cargo xtask docs` from the core's lists of reasons; change them there. -->

# Reasons

The names with which the library says why. Programs compare them: a later version may add to a list, but changes no meaning. [Decisions](policy.md)
explains how a decision is made, [calls](calls.md) what a call needs, [signed requests](identity.md) what a signature covers.

## Decisions that allow

`decision.reason` of an allowed request. A section names a specification, or a page of this documentation for cases that the specifications leave open.
"
    .to_owned();
    let decisions = |text: &mut String, allowed: bool| {
        *text += "\n| reason | section | meaning |\n| --- | --- | --- |\n";
        for reason in policy::Reason::ALL.iter().filter(|reason| reason.is_allowed() == allowed) {
            let _ = writeln!(
                text,
                "| <a id=\"{reason}\"></a>`{reason}` | {} | {} |",
                reason.section(),
                cell(reason.message())
            );
        }
    };
    decisions(&mut text, true);
    text += "\n## Decisions that refuse\n";
    decisions(&mut text, false);
    list(
        &mut text,
        "attempt",
        "Attempts that found no document",
        "`attempt.rejection` of a discovery: why a location has no document.",
        Rejection::ALL.iter().map(|each| (each.as_str(), sentence(each.message()))),
    );
    list(
        &mut text,
        "call",
        "Calls that are not planned",
        "`error.problem` of a refused call. Nothing was sent.",
        call::Problem::NAMES.iter().map(|(name, message)| (*name, sentence(message))),
    );
    list(
        &mut text,
        "loss",
        "Losses of a conversion",
        "`loss.reason` of `convert`: why the new format cannot hold a member.",
        write::Reason::ALL.iter().map(|each| (each.as_str(), each.about().to_owned())),
    );
    list(
        &mut text,
        "signature",
        "Signatures of requests",
        "`reason` of a verified request ([Web Bot Auth](identity.md)).",
        identity::Reason::ALL.iter().map(|each| (each.as_str(), each.message().to_owned())),
    );
    text
}

/// Writes a list of reasons. A name may be in several lists, so its anchor begins with that of the list.
fn list<'a>(
    text: &mut String,
    anchor: &str,
    title: &str,
    about: &str,
    rows: impl Iterator<Item = (&'a str, String)>,
) {
    let _ = write!(text, "\n## {title}\n\n{about}\n\n| reason | meaning |\n| --- | --- |\n");
    for (name, meaning) in rows {
        let _ = writeln!(text, "| <a id=\"{anchor}-{name}\"></a>`{name}` | {} |", cell(&meaning));
    }
}

/// Makes a sentence of a message without a capital and a full stop.
fn sentence(message: &str) -> String {
    let mut rest = message.chars();
    let first = rest.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(rest).chain(['.']).collect()
}

/// The limits of reading and of discovery.
pub(crate) fn limits() -> String {
    let Limits { document, depth, line, robots } = Limits::DEFAULT;
    format!(
        "\
<!-- Written by `cargo xtask docs` from core/src/limits.rs and core/src/discovery; change it there. -->

# Limits

A document that exceeds a limit is an error that names the limit; nothing is cut silently. The exception is robots.txt, which RFC 9309 section 2.5
tells readers to cut.

## Of a document

You can change them: `Limits` in Rust, Python and JavaScript, `max_document` and its neighbours in `agd_options` of C, `--max-bytes` on the command line.

| limit | default | largest value | counts |
| --- | ---: | ---: | --- |
| `document` | {document} | {} | bytes of a document |
| `depth` | {depth} | {} | levels of nesting in JSON, YAML and Markdown |
| `line` | {line} | | bytes of a line in text formats, without its line end |
| `robots` | {robots} | | bytes of a robots.txt that are read; what follows has no effect |

## Of a discovery

They are fixed. They bound what a site can make an agent request.

| limit | value | counts |
| --- | ---: | --- |
| redirects | {} | redirects of one request, in a row |
| links | {} | documents that are fetched only because another document links to them |
| depth of links | {} | links in a row from a document at a well-known location |
| own requests | {} | documents that you ask for by URL, in one discovery |
| length of a URL | {} | bytes |
",
        u32::MAX,
        Limits::MAX_DEPTH,
        discovery::MAX_REDIRECTS,
        discovery::MAX_LINKED,
        discovery::MAX_DEPTH,
        discovery::MAX_ASKED,
        discovery::URL_CAPACITY,
    )
}
