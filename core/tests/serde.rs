//! The feature `serde`: serializes the unified model with any serializer, and deserializes values
//! of documents.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may panic.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use agentsdisc_core::manifest::{
    AuthType, Enumeration, Execution, Kind, Location, PricingType, Protocol, Purpose, Raw,
    Sensitivity, Source, Stance, Transport, Vocabulary, Window,
};
use agentsdisc_core::serde_support::DeserializeError;
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::syntax::text::{Escape, Text};
use agentsdisc_core::{Document, Format, Hints, Limits, ParseOptions};
use proptest::prelude::*;
use serde::Deserialize;
use serde::de::IgnoredAny;

fn inputs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            inputs(&path, found);
        } else if !path.to_string_lossy().ends_with(".json")
            || path.starts_with(root().join("samples"))
        {
            found.push(path);
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().into()
}

/// Parses a document with the options of its vector.
fn parse(path: &Path, bytes: &'static [u8]) -> Option<Document<'static>> {
    let case = fs::read(path.with_extension("json")).unwrap_or_default();
    let case: serde_json::Value = serde_json::from_slice(&case).unwrap_or_default();
    let options = &case["options"];
    let limit = |name: &str, default: usize| {
        options["limits"][name].as_u64().map_or(default, |n| n as usize)
    };
    let options = ParseOptions {
        format: options["format"].as_str().and_then(Format::from_id),
        hints: Hints {
            url: options["url"].as_str().or(path.to_str()),
            content_type: options["content_type"].as_str(),
        },
        limits: Limits {
            document: limit("document", Limits::DEFAULT.document),
            depth: limit("depth", Limits::DEFAULT.depth),
            line: limit("line", Limits::DEFAULT.line),
            ..Limits::DEFAULT
        },
    };
    Document::parse_with(bytes, &options).ok()
}

/// Returns the output of the library's own writer.
fn ours(document: &Document<'_>) -> serde_json::Value {
    let mut text = Vec::new();
    document.put_json(&mut |piece: &[u8]| text.extend_from_slice(piece));
    serde_json::from_slice(&text)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&text)))
}

/// Converts all numbers to doubles: serde-json-core writes `1e2` as `100.0`.
fn normalised(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Number(number) => {
            number.as_f64().map_or_else(|| value.clone(), Into::into)
        }
        serde_json::Value::Array(items) => items.iter().map(normalised).collect(),
        serde_json::Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), normalised(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

/// Collects the paths of all members, except those in metadata and raw values.
fn members(value: &serde_json::Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Array(items) => items.iter().for_each(|item| members(item, path, found)),
        serde_json::Value::Object(object) => {
            for (name, value) in object {
                let path = format!("{path}.{name}");
                if !matches!(
                    name.as_str(),
                    "metadata" | "extra" | "features" | "default" | "example" | "items" | "options"
                ) {
                    members(value, &path, found);
                }
                found.insert(path);
            }
        }
        _ => {}
    }
}

/// Cases without a vector: a robots.txt and an agents.md with everything.
const ROBOTS: &[u8] = b"User-agent: a\nUser-agent: b\xff\nAllow: /x\nDisallow: /\nCrawl-delay: 1.5\nSitemap: https://a.example/s.xml\n";

const AGENTS_MD: &str = "---\nname: 'it''s'\nmcp:\n  endpoint: \"https:\\/\\/a.example/mcp\"\n  auth: none\nmore: >\n  folded\n  text\n---\n# Books\n\n\
## Can\n- Search\n  the catalog\n> - Quoted\n>   item\n\n## Cannot\n- Buy \"all\"\n\n## Behavior\n- Cache prices 30 minutes\n- At most 60 requests per minute\n";

const AWP: &str = r#"{"awp_version":"0.2","domain":"a.example","intent":"sell","actions":[],
    "protocols":{"x402":{"version":"1","network":"base","asset":"US\u0044C","accepts":["exact"],"since":2025,"note":"\ud83d\ude00"}},
    "agent_hints":{"pacing":{"per_minute":30,"burst":null,"window":"1m"},"language":"caf\u00e9","weights":[1,2.5,-3]},
    "errors":{"E":{"recovery":"wait","x":1}}}"#;

/// Documents with values that are difficult for serializers.
const AWKWARD: &[&str] = &[
    r#"{"specVersion":"1.0","site":{"name":"\ud83d\ude00 \ud800 \"q\" \\ \n\u0001","url":"https:\/\/a.example"},"capabilities":[],
        "metadata":{"a":1,"a":2,"\u0061":{"\n":[[],{},null,true,-0,-1,0.1,1E2,9223372036854775808,-9223372036854775808,1e-7,5e-324]}}}"#,
    r#"{"specVersion":"1.0","site":{"name":"A","url":"https://a.example"},"agents":{"none":{"capabilities":[]},"all":{},"odd":{"capabilities":7}},
        "capabilities":[{"id":"x","endpoint":"/x","protocol":"Gopher","auth":"odd","rateLimit":"often","parameters":[{"name":"p","options":[1,"a"]}, 5]}]}"#,
    AWP,
];

/// The oracle for the library's own writer. serde-json-core can write each of these documents into
/// a large enough buffer, but it cannot state the required size, recurses into nested values, and
/// writes numbers anew: the nearest `f64`, or their text beyond that.
#[test]
fn every_serializer_writes_the_model() {
    let mut paths = Vec::new();
    inputs(&root().join("conformance"), &mut paths);
    inputs(&root().join("samples"), &mut paths);
    let texts = paths
        .iter()
        .map(|path| (path.display().to_string(), parse(path, fs::read(path).unwrap().leak())));
    let forced = |bytes, format| {
        Document::parse_with(
            bytes,
            &ParseOptions { format: Some(format), ..ParseOptions::default() },
        )
        .ok()
    };
    let forced = [
        ("robots.txt".into(), forced(ROBOTS, Format::RobotsTxt)),
        ("agents.md".into(), forced(AGENTS_MD.as_bytes(), Format::AgentsMd)),
    ];
    let awkward = AWKWARD
        .iter()
        .map(|text| (text.to_string(), Some(Document::parse(text.as_bytes()).unwrap())));
    let (mut documents, mut found) = (0, BTreeSet::new());
    let mut buffer = vec![0; 8 << 20];
    for (name, document) in texts.chain(awkward).chain(forced) {
        let Some(document) = document else { continue };
        documents += 1;
        let ours = ours(&document);
        // Also as text, which shows the order of members.
        let theirs = serde_json::to_value(document).unwrap();
        assert_eq!(theirs.to_string(), ours.to_string(), "{name}");
        assert_eq!(serde_json::to_value(document.manifest()).unwrap(), theirs, "{name}");
        let length = serde_json_core::to_slice(&document, &mut buffer).unwrap();
        let theirs: serde_json::Value = serde_json::from_slice(&buffer[..length]).unwrap();
        assert_eq!(normalised(&theirs), normalised(&ours), "{name}");
        assert!(serde_json_core::to_slice(&document, &mut buffer[..length - 1]).is_err(), "{name}");
        members(&ours, "", &mut found);
    }
    assert!(documents > 500, "only {documents} documents");
    let model = fs::read_to_string(root().join("docs/model.md")).unwrap();
    let rows = model
        .lines()
        .skip_while(|line| *line != "## Members")
        .take_while(|line| *line != "## Objects");
    let names = rows
        .filter_map(|row| row.strip_prefix("| <a ")?.split(" | ").next())
        .flat_map(|names| names.split('`').skip(1).step_by(2));
    let names: Vec<_> = names.collect();
    assert!(names.len() > 30, "only {names:?}");
    let absent: Vec<_> = names.iter().filter(|name| !found.contains(&format!(".{name}"))).collect();
    assert!(absent.is_empty(), "no document shows {absent:?}");
}

/// The row of an enumeration in the guide.
fn row<E: Enumeration>(member: &str) -> String {
    let (first, others): (Vec<_>, Vec<_>) =
        E::NAMES.iter().partition(|(name, value)| value.as_str() == *name);
    let list = |names: Vec<&(&str, E)>| {
        let names: Vec<_> = names.iter().map(|(name, _)| format!("`{name}`")).collect();
        names.join(", ")
    };
    let others = list(others);
    let blank = if others.is_empty() { "" } else { " " };
    format!("| `{member}` | {} |{blank}{others} |", list(first))
}

#[test]
fn the_guide_to_the_model_lists_every_enumeration() {
    let model = fs::read_to_string(root().join("docs/model.md")).unwrap();
    let rows: Vec<_> = model
        .lines()
        .skip_while(|line| *line != "## Enumerations")
        .skip_while(|line| !line.starts_with("| `"))
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert_eq!(
        rows,
        [
            row::<Kind>("kind"),
            row::<Protocol>("protocol"),
            row::<AuthType>("auth.type"),
            row::<Location>("location"),
            row::<Window>("window"),
            row::<Transport>("transport"),
            row::<Sensitivity>("sensitivity"),
            row::<Execution>("execution"),
            row::<PricingType>("pricing.type"),
            row::<Source>("provenance.source"),
            row::<Purpose>("purpose"),
            row::<Stance>("preference"),
            row::<Vocabulary>("preferences[].source"),
        ]
    );
}

fn value(text: &str) -> Value<'_> {
    Value::parse(text.as_bytes()).unwrap()
}

#[test]
fn numbers_stay_what_they_are() {
    for text in [
        "0",
        "-1",
        "-0",
        "7",
        "1.0",
        "1e3",
        "-2.5E-3",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "0.1",
    ] {
        let theirs: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_value(value(text)).unwrap(), theirs, "{text}");
    }
    // Beyond floating point, the digits are kept.
    assert_eq!(serde_json::to_value(value("-1e999")).unwrap(), "-1e999");
}

#[test]
fn texts_are_decoded() {
    let written = |text: Text<'_>| serde_json::to_value(text).unwrap();
    assert_eq!(written(Text::plain(b"a\xffb")), "a\u{fffd}b");
    assert_eq!(written(Text::json(br"\u0041\ud800")), "A\u{fffd}");
    assert_eq!(written(Text::escaped(b"it''s", Escape::YamlSingle)), "it's");
    // Also as keys of a map.
    let map: BTreeMap<_, _> =
        serde_json::from_value(serde_json::to_value(value(r#"{"\u0041\n":1}"#)).unwrap()).unwrap();
    assert_eq!(map, BTreeMap::from([("A\n".to_owned(), 1)]));
}

#[test]
fn nesting_is_limited() {
    // The maximum depth of a document, and bytes that were never parsed.
    let deep = format!(r#"{{"specVersion":"1.0","x":{}{}}}"#, "[".repeat(255), "]".repeat(255));
    let limits = Limits { depth: 256, ..Limits::DEFAULT };
    let options =
        ParseOptions { format: Some(Format::AgentsJson), limits, ..ParseOptions::default() };
    let document = Document::parse_with(deep.as_bytes(), &options).unwrap();
    assert!(serde_json::to_string(&document).unwrap().contains(&"[".repeat(255)));
    let nonsense = vec![b'['; 1 << 16];
    assert!(serde_json::to_string(&Document::attach(&nonsense, *document.outline())).is_ok());
    let long = format!(r#"{{"specVersion":"1.0","a":1,"capabilities":[{}]}}"#, " ".repeat(50_000));
    let outline = *Document::parse_with(long.as_bytes(), &options).unwrap().outline();
    let mut too_deep = false;
    for byte in [b'[', b'{', b'"', b'\\', b'7', b' ', 0xFF] {
        let mut nonsense = long.clone().into_bytes();
        nonsense[25..50_000].fill(byte);
        let document = Document::attach(&nonsense, outline);
        assert!(serde_json::to_string(&document).is_ok());
        let manifest = document.manifest();
        for member in manifest
            .metadata()
            .chain(manifest.capabilities().flat_map(|capability| capability.metadata))
        {
            let read = member.value.deserialize_with::<Recursive>(&mut [0; 64]);
            too_deep |= matches!(read, Err(DeserializeError::TooDeep));
        }
    }
    assert!(too_deep);
    let nested = format!("{}{}", "[".repeat(64), "]".repeat(64));
    assert_eq!(value(&nested).deserialize::<serde_json::Value>().unwrap().to_string(), nested);
}

#[derive(Deserialize)]
struct Recursive(#[allow(dead_code)] Vec<Recursive>);

#[derive(Deserialize, Debug, PartialEq)]
struct Pacing<'a> {
    per_minute: u32,
    burst: Option<u32>,
    #[serde(default)]
    jitter: bool,
    window: &'a str,
}

#[derive(Deserialize, Debug, PartialEq)]
struct X402<'a> {
    network: Network,
    asset: &'a str,
    accepts: Vec<&'a str>,
    note: Option<&'a str>,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Network {
    Base,
    Solana,
}

#[derive(Deserialize, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Newtype<T>(T);

#[test]
fn hints_extras_and_examples_are_read() {
    let document = Document::parse(AWP.as_bytes()).unwrap();
    let mut scratch = [0; 256];
    let hints: Vec<_> = document.manifest().hints().collect();
    assert_eq!(
        hints[0].value.deserialize(),
        Ok(Pacing { per_minute: 30, burst: None, jitter: false, window: "1m" })
    );
    assert_eq!(hints[1].value.deserialize_with(&mut scratch), Ok("café"));
    assert_eq!(hints[2].value.deserialize(), Ok([1.0, 2.5, -3.0]));
    let extra = document.manifest().endpoints().next().unwrap().extra;
    let expected =
        X402 { network: Network::Base, asset: "USDC", accepts: vec!["exact"], note: Some("😀") };
    let Err(DeserializeError::ScratchTooSmall { needed }) = extra.deserialize::<X402<'_>>() else {
        panic!()
    };
    assert_eq!(extra.deserialize_with(&mut vec![0; needed]), Ok(expected));
    assert_eq!(
        extra.deserialize_with::<X402<'_>>(&mut vec![0; needed - 1]),
        Err(DeserializeError::ScratchTooSmall { needed })
    );
    let keys: BTreeMap<Newtype<String>, IgnoredAny> = extra.deserialize_with(&mut scratch).unwrap();
    assert_eq!(
        keys.into_keys().map(|key| key.0).collect::<Vec<_>>(),
        ["accepts", "asset", "network", "note", "since"]
    );

    let text = br#"{"id":"x","request_example":{"q":"mug","limit":2}}"#;
    let options = ParseOptions { format: Some(Format::AdpCapability), ..ParseOptions::default() };
    let document = Document::parse_with(text, &options).unwrap();
    #[derive(Deserialize)]
    struct Request<'a> {
        q: &'a str,
        limit: u8,
    }
    let request: Request<'_> =
        document.manifest().request_example().unwrap().deserialize().unwrap();
    assert_eq!((request.q, request.limit), ("mug", 2));
}

#[test]
fn texts_are_read_as_the_requested_type() {
    let raw = |text: &'static str| Raw::Text(Text::plain(text.as_bytes()));
    assert_eq!(raw("7").deserialize(), Ok("7"));
    assert_eq!(raw("7").deserialize(), Ok(7u8));
    assert_eq!(raw("7").deserialize(), Ok('7'));
    assert_eq!(raw("-7").deserialize(), Ok(Some(-7i64)));
    assert_eq!(raw("7.5e1").deserialize(), Ok(Newtype(75.0)));
    assert_eq!(raw("true").deserialize(), Ok(true));
    assert_eq!(raw("solana").deserialize(), Ok(Network::Solana));
    assert_eq!(raw("a").deserialize(), Ok(Newtype("a")));
    assert_eq!(raw("mars").deserialize::<Network>(), Err(DeserializeError::Refused));
    assert_eq!(raw("yes").deserialize::<bool>(), Err(DeserializeError::Type));
    assert_eq!(raw("").deserialize::<u8>(), Err(DeserializeError::Type));
    assert_eq!(raw("300").deserialize::<u8>(), Err(DeserializeError::Number));
    assert_eq!(raw("-1").deserialize::<u8>(), Err(DeserializeError::Number));
    assert_eq!(raw("1.5").deserialize::<u8>(), Err(DeserializeError::Number));
    assert_eq!(raw("7 of 9").deserialize::<u8>(), Err(DeserializeError::Number));
    assert_eq!(raw("{}").deserialize::<Pacing<'_>>(), Err(DeserializeError::Type));
    let folded = Raw::Text(Text::escaped(b"it''s", Escape::YamlSingle));
    assert_eq!(folded.deserialize::<&str>(), Err(DeserializeError::ScratchTooSmall { needed: 4 }));
    assert_eq!(folded.deserialize_with(&mut [0; 4]), Ok("it's"));
}

#[test]
fn errors_name_the_problem() {
    use DeserializeError::*;
    assert_eq!(value("[1]").deserialize::<Pacing<'_>>(), Err(Type));
    assert_eq!(value("{}").deserialize::<Pacing<'_>>(), Err(Refused));
    assert_eq!(value(r#""7""#).deserialize::<u8>(), Err(Type));
    for number in ["-1", "256", "1.5", "1e2"] {
        assert_eq!(value(number).deserialize::<u8>(), Err(Number), "{number}");
        let text = format!(r#"{{"per_minute":{number}}}"#);
        assert_eq!(
            value(&text).deserialize::<Newtype<BTreeMap<String, Newtype<u8>>>>(),
            Err(Number),
            "{number}"
        );
    }
    assert_eq!(value("[1,2,3]").deserialize::<(u8, u8)>(), Err(TooLong));
    assert_eq!(value("[1]").deserialize::<(u8, u8)>(), Err(Refused));
    assert_eq!(value(r#""mars""#).deserialize::<Network>(), Err(Refused));
    assert_eq!(value(r#"{"Base":null,"Solana":null}"#).deserialize::<Network>(), Err(Refused));
    let quoted = value(r#""\"a\"""#);
    assert_eq!(quoted.deserialize::<String>(), Err(ScratchTooSmall { needed: 3 }));
    assert_eq!(quoted.deserialize_with(&mut [0; 3]), Ok("\"a\""));
    // Skipped members need no scratch.
    for text in ["7", "null", r#""\n""#, r#"{"\n":[]}"#] {
        assert!(value(text).deserialize::<IgnoredAny>().is_ok(), "{text}");
    }
    assert_eq!(value("null").deserialize(), Ok(()));
    assert_eq!(value("true").deserialize(), Ok(Some(true)));
    for error in [ScratchTooSmall { needed: 7 }, Type, Number, TooLong, Refused, TooDeep] {
        let (copy, text) = (error, error.to_string());
        assert!(
            copy == error
                && !text.ends_with('.')
                && text.contains("7 bytes") == matches!(error, ScratchTooSmall { .. }),
            "{text}"
        );
    }
    assert!(size_of::<DeserializeError>() <= 16);
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(untagged)]
enum Untagged {
    Small(u8),
    Text(String),
    Shape(Shape),
}

#[derive(Deserialize, Debug, PartialEq)]
enum Shape {
    Point,
    Circle(f32),
    Line(i8, i8),
    Box { width: u16 },
}

#[test]
fn every_type_is_supported() {
    // Maps by the possible types of their keys, with escaped keys.
    let map = value(r#"{"7":[],"\u0038":[1]}"#);
    let mut scratch = [0; 16];
    assert_eq!(
        map.deserialize_with(&mut scratch),
        Ok(BTreeMap::from([("7".to_owned(), vec![]), ("8".to_owned(), vec![1])]))
    );
    assert_eq!(
        map.deserialize_with(&mut scratch),
        Ok(BTreeMap::from([(7u32, vec![]), (8, vec![1])]))
    );
    assert_eq!(
        map.deserialize_with(&mut scratch),
        Ok(BTreeMap::from([(Newtype("7"), vec![]), (Newtype("8"), vec![1])]))
    );
    let shapes = value(
        r#"["Point", {"Circle": 0.5}, {"Line": [1, -1]}, {"Box": {"width": 9, "unit": "\n"}}]"#,
    );
    let expected =
        vec![Shape::Point, Shape::Circle(0.5), Shape::Line(1, -1), Shape::Box { width: 9 }];
    assert_eq!(shapes.deserialize(), Ok(expected));
    assert_eq!(value(r#"{"Point": null}"#).deserialize(), Ok(Shape::Point));
    let untagged =
        vec![Untagged::Small(7), Untagged::Text("a".into()), Untagged::Shape(Shape::Circle(1.0))];
    assert_eq!(value(r#"[7, "a", {"Circle": 1}]"#).deserialize(), Ok(untagged));
    // And the value that serde_json reads from the same text.
    let text = r#"{"a":[null,true,-1,18446744073709551615,1.5,-0,{"b":"c"}],"d":{}}"#;
    assert_eq!(
        value(text).deserialize::<serde_json::Value>(),
        Ok(serde_json::from_str(text).unwrap())
    );
    assert_eq!(value("12").deserialize::<u128>(), Ok(12));
    assert_eq!(value(r#""ab""#).deserialize::<&[u8]>(), Ok(&b"ab"[..]));
}

/// A character of a JSON string in any notation.
fn character() -> impl Strategy<Value = String> {
    let escapes =
        prop::sample::select(vec![r#"\""#, r"\\", r"\/", r"\b", r"\f", r"\n", r"\r", r"\t"]);
    let unit = |c: char| {
        c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>()
    };
    prop_oneof![escapes.prop_map(str::to_owned), any::<char>().prop_map(unit), "[ a-zé😀]"]
}

proptest! {
    #[test]
    fn strings_are_read_as_serde_json_reads_them(strings in prop::collection::vec(prop::collection::vec(character(), 0..6), 0..5)) {
        let text = strings.iter().map(|characters| format!("\"{}\"", characters.concat())).collect::<Vec<_>>().join(" , ");
        let text = format!("[{text}]");
        let expected: Vec<String> = serde_json::from_str(&text).unwrap();
        let (mut scratch, value) = (vec![0; text.len()], value(&text));
        prop_assert_eq!(value.deserialize_with(&mut scratch), Ok(expected.clone()));
        match value.deserialize() {
            Err(DeserializeError::ScratchTooSmall { needed }) => {
                prop_assert!(text.contains('\\') && needed <= scratch.len());
                prop_assert_eq!(value.deserialize_with(&mut vec![0; needed]), Ok(expected));
                prop_assert!(value.deserialize_with::<Vec<String>>(&mut vec![0; needed - 1]).is_err());
            }
            read => prop_assert_eq!(read, Ok(expected)),
        }
    }
}
