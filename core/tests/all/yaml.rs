//! The YAML subset: what it reads, what it rejects, and that both agree with a YAML 1.2 library.

// Clippy allows indexing in tests, but not in their helpers.
use crate::common::time;
use crate::common::yaml_oracle as oracle;

use agentsdisc_core::syntax::yaml::{Event, Events, Reason, Resolved, Value, entries};
use oracle::{PARTS, compare, is_read, normal, oracle, ours};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Tree {
    Scalar(Scalar),
    Sequence(Vec<Tree>),
    Mapping(Vec<(Scalar, Tree)>),
    Flow(Flow),
}

#[derive(Clone, Debug)]
enum Flow {
    Scalar(Scalar),
    Sequence(Vec<Flow>),
    Mapping(Vec<(Scalar, Flow)>),
}

#[derive(Clone, Debug)]
enum Scalar {
    Empty,
    Plain(String),
    Quoted(String),
    PlainLines(Vec<String>),
    DoubleLines(Vec<String>),
    SingleLines(Vec<String>),
    Block { header: String, lines: Vec<(usize, String)> },
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,6}",
        "[a-z0-9./:@+-]{0,4}[a-z0-9]",
        Just("é #x".replace(' ', "")),
        Just("no".into()),
        Just("1.0".into()),
        Just("https://example.com/mcp?a=b#c".into()),
        Just("it's".into()),
        Just("a - b".into()),
        Just("x, [y]".into()),
    ]
    .prop_filter("no indicator first", |word| !word.starts_with(['-', '.', ':', '@']))
}

fn quoted() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ a-z:#,&*!]{0,8}".prop_map(|inside| format!("'{inside}'")),
        "[ a-z:#,&*!]{0,8}".prop_map(|inside| format!("\"{inside}\"")),
        Just("'it''s'".into()),
        Just(
            "\"tab\\t nl\\n \\x41\\u00e9\\U0001F600 \\\"q\\\" \\\\ \\/ \\e\\0\\N\\_\\L\\P\"".into()
        ),
    ]
}

fn flow_scalar() -> impl Strategy<Value = Scalar> {
    prop_oneof![
        word().prop_filter("none of the flow's", |w| !w.contains(',')).prop_map(Scalar::Plain),
        quoted().prop_map(Scalar::Quoted)
    ]
}

fn flow() -> impl Strategy<Value = Flow> {
    flow_scalar().prop_map(Flow::Scalar).prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Flow::Sequence),
            prop::collection::vec((flow_scalar(), inner), 0..4).prop_map(Flow::Mapping),
        ]
    })
}

fn scalar() -> impl Strategy<Value = Scalar> {
    let lines = || prop::collection::vec(prop_oneof![4 => word(), 1 => Just(String::new())], 1..5);
    let header = "[|>]([1-4]?[+-]?|[+-][1-4]?)( # note)?";
    prop_oneof![
        1 => Just(Scalar::Empty),
        4 => word().prop_map(Scalar::Plain),
        2 => quoted().prop_map(Scalar::Quoted),
        1 => (word(), lines()).prop_map(|(first, mut rest)| { rest.insert(0, first); Scalar::PlainLines(rest) }),
        1 => lines().prop_map(Scalar::DoubleLines),
        1 => lines().prop_map(Scalar::SingleLines),
        2 => (header, prop::collection::vec((0..4usize, prop_oneof![3 => word(), 1 => Just(String::new())]), 0..6))
            .prop_map(|(header, lines)| Scalar::Block { header, lines }),
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![4 => scalar().prop_map(Tree::Scalar), 1 => flow().prop_map(Tree::Flow)];
    leaf.prop_recursive(4, 24, 5, |inner| {
        let key = prop_oneof![4 => word().prop_map(Scalar::Plain), 1 => quoted().prop_map(Scalar::Quoted)];
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..5).prop_map(Tree::Sequence),
            prop::collection::vec((key, inner), 1..5).prop_map(Tree::Mapping),
        ]
    })
}

/// Writes trees; a few bits select the layout.
struct Writer {
    out: String,
    choices: u64,
    line_break: &'static str,
}

impl Writer {
    fn choose(&mut self, of: u64) -> u64 {
        self.choices = self
            .choices
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.choices >> 33) % of
    }

    fn put(&mut self, choices: &[&str]) {
        let choice = self.choose(choices.len() as u64) as usize;
        self.out += choices[choice];
    }

    fn end_line(&mut self) {
        if self.choose(6) == 0 {
            self.put(&[" # note", "  ", "\t# note"]);
        }
        self.out += self.line_break;
        if self.choose(8) == 0 {
            self.put(&["", "  # note", "   "]);
            self.out += self.line_break;
        }
    }

    fn indent(&mut self, columns: usize) {
        self.out += &" ".repeat(columns);
    }

    fn lines(&mut self, lines: &[String], columns: usize) {
        for (i, line) in lines.iter().enumerate() {
            if i > 0 {
                self.put(&["", " "]);
                self.out += self.line_break;
                let more = columns + self.choose(3) as usize;
                self.indent(more);
            }
            self.out += line;
        }
    }

    /// Writes a scalar after a key or dash; its own lines are indented by `columns`.
    fn scalar(&mut self, scalar: &Scalar, columns: usize) {
        match scalar {
            Scalar::Empty => {}
            Scalar::Plain(text) | Scalar::Quoted(text) => self.out += text,
            Scalar::PlainLines(lines) => self.lines(lines, columns),
            Scalar::DoubleLines(lines) => {
                self.out.push('"');
                self.lines(lines, columns);
                self.out.push('"');
            }
            Scalar::SingleLines(lines) => {
                self.out.push('\'');
                self.lines(
                    &lines.iter().map(|line| line.replace('\'', "''")).collect::<Vec<_>>(),
                    columns,
                );
                self.out.push('\'');
            }
            Scalar::Block { header, lines } => {
                self.out += header;
                self.out += self.line_break;
                for (more, line) in lines {
                    if !line.is_empty() {
                        self.indent(columns + more);
                    } else if *more > 2 {
                        self.indent(columns);
                    }
                    self.out += line;
                    self.out += self.line_break;
                }
                return;
            }
        }
        self.end_line();
    }

    fn flow(&mut self, flow: &Flow) {
        match flow {
            Flow::Scalar(scalar) => self.flow_scalar(scalar),
            Flow::Sequence(items) => {
                self.out += "[";
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        self.put(&[",", ", ", " , "]);
                    }
                    // A pair without braces.
                    if let (Flow::Scalar(key), 0) = (item, self.choose(4)) {
                        self.put(&["", "? "]);
                        self.flow_scalar(key);
                        self.out += ": ";
                    }
                    self.flow(item);
                }
                self.put(if items.is_empty() { &["]"] } else { &["]", " ]", ", ]"] });
            }
            Flow::Mapping(items) => {
                self.out += "{";
                for (i, (key, item)) in items.iter().enumerate() {
                    self.out += if i > 0 { ", " } else { "" };
                    self.put(&["", "", "? "]);
                    self.flow_scalar(key);
                    if self.choose(5) > 0 {
                        self.out += ": ";
                        self.flow(item);
                    }
                }
                self.out += "}";
            }
        }
    }

    fn flow_scalar(&mut self, scalar: &Scalar) {
        if let Scalar::Plain(text) | Scalar::Quoted(text) = scalar {
            self.out += &text.replace(['[', ']', ','], "");
        }
    }

    /// Writes a value after a key, after a dash or at the top level. `parent` is the column of its
    /// parent; -1 at the top level.
    fn value(&mut self, tree: &Tree, parent: isize, dash: bool) {
        let column = (parent + 1 + self.choose(3) as isize) as usize;
        match tree {
            Tree::Scalar(scalar) => {
                self.put(&[" ", "  "]);
                self.scalar(scalar, (parent + 1) as usize);
            }
            Tree::Flow(flow) => {
                self.out += " ";
                self.flow(flow);
                self.end_line();
            }
            Tree::Sequence(items) => {
                // In a mapping, a sequence may begin in the column of the keys.
                let column = if parent >= 0 && !dash && self.choose(2) == 0 {
                    parent as usize
                } else {
                    column
                };
                let first = self.open(dash, column);
                for (i, item) in items.iter().enumerate() {
                    let column = first.unwrap_or(column);
                    if i > 0 || first.is_none() {
                        self.indent(column);
                    }
                    self.out += "-";
                    self.value(item, column as isize, true);
                }
            }
            Tree::Mapping(items) => {
                let first = self.open(dash, column);
                for (i, (key, item)) in items.iter().enumerate() {
                    let column = first.unwrap_or(column);
                    if i > 0 || first.is_none() {
                        self.indent(column);
                    }
                    self.scalar_key(key);
                    self.put(&[":", ":", ":", " :"]);
                    self.value(item, column as isize, false);
                }
            }
        }
    }

    fn scalar_key(&mut self, key: &Scalar) {
        if let Scalar::Plain(text) | Scalar::Quoted(text) = key {
            self.out += text;
        }
    }

    /// Starts a collection on the line of its dash and returns its column, or on the next line.
    fn open(&mut self, dash: bool, column: usize) -> Option<usize> {
        let _ = column;
        if dash && self.choose(2) == 0 {
            self.put(&[" ", "  "]);
            let line = self.out.rfind(['\n', '\r']).map_or(0, |at| at + 1);
            return Some(self.out[line..].chars().count());
        }
        if !self.out.is_empty() {
            self.end_line();
        }
        None
    }
}

fn write(tree: &Tree, choices: u64) -> String {
    let mut writer = Writer { out: String::new(), choices, line_break: "\n" };
    writer.line_break = ["\n", "\n", "\r\n"][writer.choose(3) as usize];
    match writer.choose(4) {
        0 => writer.out += "---",
        _ if matches!(tree, Tree::Scalar(_) | Tree::Flow(_)) => writer.out += "---",
        _ => {}
    }
    writer.value(tree, -1, false);
    if writer.choose(4) == 0 {
        let line_break = writer.line_break;
        writer.out += "...";
        writer.out += line_break;
    }
    writer.out
}

proptest! {
    #![proptest_config(crate::common::cases(2000))]

    /// Generated documents are read like the library reads them. Few are rejected: block scalars
    /// whose indentation digit the decoder cannot determine, or whose lines are indented too
    /// little.
    #[test]
    fn generated_documents_are_read_like_by_a_yaml_library(tree in tree(), choices: u64) {
        let text = write(&tree, choices);
        let steps = ours(&text);
        if is_read(&steps) {
            prop_assert_eq!(Some(normal(steps)), oracle(&text).map(normal), "{}", text);
        } else if let Some(expected) = oracle(&text) {
            // Only constructs that the formats do not need may be rejected.
            let digits = text.lines().any(|line| line.contains(['|', '>']) && line.contains(['1', '2', '3', '4']));
            prop_assert!(digits, "refused: {:?}\n{}\n{:?}", steps, text, expected);
        }
    }

    /// Any text that is accepted without a diagnostic is read like the library reads it.
    #[test]
    fn accepted_text_has_the_meaning_of_yaml(parts in prop::collection::vec(prop::sample::select(PARTS), 0..14)) {
        compare(&parts.concat());
    }
}

#[test]
fn the_core_schema_is_followed() {
    let of = |text: &'static str| match Events::new(text.as_bytes(), 4).next() {
        Some(Event::Scalar(scalar)) => scalar.resolve(),
        other => panic!("{text}: {other:?}"),
    };
    for text in ["~", "null", "Null", "NULL", "--- "] {
        assert_eq!(of(text), Resolved::Null, "{text}");
    }
    for text in ["true", "True", "TRUE"] {
        assert_eq!(of(text), Resolved::Bool(true));
    }
    assert_eq!(of("false"), Resolved::Bool(false));
    for text in ["0", "-17", "+3", "007", "0o17", "0xfF"] {
        assert_eq!(of(text), Resolved::Int, "{text}");
    }
    for text in ["1.0", ".5", "-1.", "1e3", "+1.5E-3", ".inf", "-.INF", ".nan"] {
        assert_eq!(of(text), Resolved::Float, "{text}");
    }
    for text in [
        "no", "yes", "on", "nULL", "1_000", "0o8", "0x", ".", "1e", "+", "1.0.0", "'1'",
        "\"true\"", "|\n 1", "a\n b",
    ] {
        assert_eq!(of(text), Resolved::Str, "{text}");
    }
}

#[test]
fn unsupported_parts_are_absent_and_the_rest_is_read() {
    let text = "base: &anchor\n  x: 1\nalias: *anchor\n<<: *anchor\ntag: !!str 1\nlist:\n- a\n- &b c\n- d\nflow: [a,\n  b]\n? complex\n: value\n\
                kept: yes\n\ttab: 1\nmore: 2\nmcp: &m\n- 1\n- 2\nquote: \"never\n  closed\nlast: 1\n--- \nsecond: document\n";
    let mut reasons = Vec::new();
    let mut scalars = Vec::new();
    for event in Events::new(text.as_bytes(), 8) {
        match event {
            Event::Unsupported(unsupported) => {
                reasons.push((unsupported.reason, std::str::from_utf8(unsupported.raw).unwrap()))
            }
            Event::Key(scalar) | Event::Scalar(scalar) => scalars.push(scalar.text.to_string()),
            _ => {}
        }
    }
    assert_eq!(
        reasons,
        [
            (Reason::Anchor, "&anchor"),
            (Reason::Alias, "*anchor"),
            (Reason::Alias, "*anchor"),
            (Reason::Tag, "!!str 1"),
            (Reason::Anchor, "&b c"),
            (Reason::Flow, "[a,"),
            (Reason::Key, "? complex"),
            (Reason::Key, ": value"),
            (Reason::Tab, "tab: 1"),
            (Reason::Anchor, "&m"),
            (Reason::Malformed, "\"never"),
            (Reason::Documents, "---"),
        ]
    );
    assert_eq!(
        scalars,
        [
            "base", "alias", "<<", "tag", "list", "a", "d", "flow", "kept", "yes", "more", "2",
            "mcp", "quote", "last", "1"
        ]
        .map(String::from)
    );
}

#[test]
fn nested_mappings_are_read() {
    let text = b"a: 1\nb:\n    c: [x, {y: z}]\n    d:\n    - e: f\n      g: h\nb2: {i: j}\n";
    let top: Vec<_> = entries(text, 8).collect();
    assert_eq!(top.len(), 3);
    let Value::Mapping(b) = top[1].1 else { panic!() };
    let inner: Vec<_> = entries(b, 8).collect();
    assert_eq!(inner.len(), 2);
    let Value::Sequence(c) = inner[0].1 else { panic!() };
    assert_eq!(ours(std::str::from_utf8(c).unwrap()).len(), 7);
    let Value::Sequence(d) = inner[1].1 else { panic!() };
    assert_eq!(ours(std::str::from_utf8(d).unwrap()).len(), 8);
    let Value::Mapping(flow) = top[2].1 else { panic!() };
    assert_eq!(entries(flow, 8).next().unwrap().0.text, "i");
    assert_eq!(entries(b"- a: b", 8).root(), Some(Event::Sequence));
    assert_eq!(entries(b"- a: b", 8).count(), 0);
    assert_eq!(entries(b"# nothing\n", 8).root(), None);
}

#[test]
fn depth_is_limited() {
    for text in ["a:\n a:\n  a:\n   a: 1\n", "- - - - 1\n", "[[[[1]]]]\n", "a: [{b: []}]\n"] {
        let read = |depth| {
            Events::new(text.as_bytes(), depth)
                .filter(|e| matches!(e, Event::Unsupported(u) if u.reason == Reason::Depth))
                .count()
        };
        assert_eq!(read(3), 1, "{text}");
        assert_eq!(read(4) + read(5), 0, "{text}");
    }
}

/// The time of each of these is linear: 16 times the text takes less than 64 times as long.
#[test]
fn hostile_text_takes_linear_time() {
    let samples: [fn(usize) -> String; 12] = [
        |n| "a: \"x\n".repeat(n),
        |n| "a: \"\n x\n".repeat(n),
        |n| "a\n".repeat(n) + "b: c\n",
        |n| "- ".repeat(n),
        |n| "[".repeat(n),
        |n| "[a,".repeat(n),
        |n| format!("[{}]", "a,".repeat(n)),
        |n| "\"".to_string() + &" ".repeat(n) + "x\"",
        |n| format!("|\n{}", "\n".repeat(n)),
        |n| "? a\n".repeat(n),
        |n| "  a: &x\n b: *x\n\tc\n".repeat(n),
        |n| "a:\n\n\n- |\n\n".repeat(n),
    ];
    let measure = |text: &str| {
        (0..3)
            .map(|_| {
                let start = time::processor_time();
                std::hint::black_box(ours(text));
                time::processor_time() - start
            })
            .min()
            .unwrap()
    };
    for (i, sample) in samples.iter().enumerate() {
        let (small, large) = (measure(&sample(4_000)), measure(&sample(64_000)));
        assert!(
            large < small * 64 + std::time::Duration::from_millis(20),
            "sample {i}: {small:?} then {large:?}"
        );
    }
}

#[test]
fn a_flow_mapping_has_its_own_text() {
    let entry = |text: &'static str| {
        entries(text.as_bytes(), 8)
            .map(|(key, value)| (key.text.to_string(), value))
            .collect::<Vec<_>>()
    };
    for (_, value) in entry("{a: {b: c, d: {e: f}}}") {
        assert_eq!(value, Value::Mapping(b"{b: c, d: {e: f}}"));
    }
    assert!(
        entry("{a: [b, [c]], d: e}")
            .iter()
            .any(|(_, value)| *value == Value::Sequence(b"[b, [c]]"))
    );
}
