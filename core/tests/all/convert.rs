//! Conversions: round trips, complete losses, and no document that gains rights.
use crate::common::again::assert_only_stricter;
use crate::common::vectors;

use std::collections::BTreeMap;
use std::fs;

use agentsdisc_core::{
    ConvertError, ConvertOptions, Document, Format, Limits, ParseOptions, Severity,
};
use agentsdisc_generator::{Kind, Layout, Request};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

mod adp;
mod agent_card;
mod cases;
mod decisions;
mod hostile;
mod preferences;
mod restrictions;
mod unruled;

const DRAFT: [Format; 2] = [Format::AgentsTxt, Format::AgentsJson];
const FLAT: [Format; 2] = [Format::AgentsTxt01, Format::AgentsJson01];
/// The targets without access rules.
const UNRULED: [Format; 4] = [Format::Awp, Format::AgentsMd, Format::Adp, Format::LlmsTxt];

/// The output of a conversion, and its losses: reason and severity by path.
#[derive(Debug)]
struct Converted {
    result: Result<Vec<u8>, ConvertError>,
    losses: BTreeMap<String, (&'static str, Severity)>,
}

impl Converted {
    fn text(&self) -> &str {
        std::str::from_utf8(self.result.as_ref().unwrap()).unwrap()
    }

    fn reason(&self, path: &str) -> &'static str {
        self.losses
            .get(path)
            .unwrap_or_else(|| panic!("{path} is not reported: {:?}", self.losses))
            .0
    }
}

fn convert_with(
    document: &Document<'_>,
    target: Format,
    options: &ConvertOptions<'_>,
) -> Converted {
    let (mut bytes, mut losses) = (Vec::new(), BTreeMap::new());
    let mut collect = |loss: agentsdisc_core::write::Loss<'_>| {
        assert!(
            loss.span.start <= loss.span.end && loss.span.end as usize <= document.bytes().len()
        );
        assert!(!loss.to_string().chars().any(char::is_control), "{loss}");
        // One path can have several losses; the most severe counts.
        let kept =
            losses.entry(loss.path.to_string()).or_insert((loss.reason.as_str(), loss.severity));
        if kept.1 < loss.severity {
            *kept = (loss.reason.as_str(), loss.severity);
        }
    };
    let result = document.convert(
        target,
        options,
        &mut |piece: &[u8]| bytes.extend_from_slice(piece),
        &mut collect,
    );
    match result {
        Ok(length) => assert_eq!(length, bytes.len()),
        Err(_) => assert!(bytes.is_empty(), "a refused conversion puts nothing"),
    }
    assert_eq!(
        result == Err(ConvertError::Refused),
        losses.values().any(|(_, severity)| *severity == Severity::Error)
    );
    Converted { result: result.map(|_| bytes), losses }
}

fn convert(document: &Document<'_>, target: Format) -> Converted {
    convert_with(document, target, &ConvertOptions::default())
}

fn parse(bytes: &[u8], format: Format) -> Document<'_> {
    let limits = Limits { document: 1 << 26, ..Limits::DEFAULT };
    let options = ParseOptions { format: Some(format), limits, ..ParseOptions::default() };
    Document::parse_with(bytes, &options)
        .unwrap_or_else(|error| panic!("{error:?}: {}", String::from_utf8_lossy(bytes)))
}

fn model(document: &Document<'_>) -> Value {
    let mut text = vec![0; document.json_len()];
    document.write_json(&mut text).unwrap();
    let mut value: Value = serde_json::from_slice(&text).unwrap();
    value.as_object_mut().unwrap().remove("format");
    value
}

/// Whether a loss names a path or a value that contains it.
fn is_reported(path: &str, losses: &BTreeMap<String, (&'static str, Severity)>) -> bool {
    let covers = |loss: &str| {
        path.strip_prefix(loss).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    // The text as written of an enumeration is lost together with its value, as are seconds with
    // their text.
    let plain = path.strip_suffix("_text").or(path.strip_suffix("_seconds")).unwrap_or(path);
    losses.keys().any(|loss| covers(loss) || loss == plain)
}

/// Returns a model without the reported losses, and without values that are equivalent to absence.
fn pruned(
    value: &Value,
    path: &str,
    losses: &BTreeMap<String, (&'static str, Severity)>,
) -> Option<Value> {
    if !path.is_empty() && is_reported(path, losses) {
        return None;
    }
    match value {
        Value::Object(members) => {
            let below = |name: &str| {
                if path.is_empty() { name.to_owned() } else { format!("{path}.{}", shown(name)) }
            };
            let left: Map<_, _> = members
                .iter()
                .filter_map(|(name, value)| {
                    Some((name.clone(), pruned(value, &below(name), losses)?))
                })
                .collect();
            (!left.is_empty() || members.is_empty()).then_some(Value::Object(left))
        }
        Value::Array(items) => {
            let paths = (0..).map(|i| format!("{path}[{i}]"));
            let kept = items.iter().zip(paths).filter(|(_, path)| !is_reported(path, losses));
            // An item without members still counts.
            let left: Vec<_> = kept
                .map(|(item, path)| pruned(item, &path, losses).unwrap_or_else(|| json!({})))
                .collect();
            (!left.is_empty() || items.is_empty() || path.ends_with(".capabilities"))
                .then_some(Value::Array(left))
        }
        Value::Bool(false) if path.ends_with(".required") => None,
        other => Some(other.clone()),
    }
}

/// Formats a name of the document for a path.
fn shown(name: &str) -> String {
    let mut text = String::new();
    for (count, c) in name.chars().enumerate() {
        if count == 80 {
            text.push('…');
            break;
        }
        if c.is_control() { text += &format!("\\u{{{:x}}}", u32::from(c)) } else { text.push(c) }
    }
    text
}

/// Returns the path of a value that a model lacks compared with another one.
fn missing(expected: &Value, found: &Value, path: &str) -> Option<String> {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            expected.iter().find_map(|(name, value)| {
                missing(value, found.get(name).unwrap_or(&Value::Null), &format!("{path}.{name}"))
            })
        }
        (Value::Array(expected), Value::Array(found)) => {
            if expected.len() > found.len() {
                return Some(format!("{path}: {} of {}", found.len(), expected.len()));
            }
            expected
                .iter()
                .zip(found)
                .enumerate()
                .find_map(|(i, (e, f))| missing(e, f, &format!("{path}[{i}]")))
        }
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => None,
        (expected, found) if expected == found => None,
        (expected, found) => Some(format!("{path}: {expected} became {found}")),
    }
}

/// Access rules; agents with the capabilities they may use (absent: all); capabilities, and whether
/// they need no authentication.
type Rights = (Value, Vec<(Value, Option<Vec<Value>>)>, Vec<(Value, bool)>);

/// Returns the rights in a document, as a careful agent reads them.
fn rights(model: &Value) -> Rights {
    let agents = model["agents"].as_array().into_iter().flatten();
    let agents =
        agents.map(|agent| (agent["name"].clone(), agent["capabilities"].as_array().cloned()));
    let capabilities = model["capabilities"].as_array().into_iter().flatten();
    let open = |one: &Value| {
        one["auth"].is_null() || one["auth"]["type"].as_str().is_none_or(|kind| kind == "none")
    };
    (
        model["access"].clone(),
        agents.collect(),
        capabilities.map(|one| (one["id"].clone(), open(one))).collect(),
    )
}

/// Checks all guarantees for the conversion of one document.
fn holds(document: &Document<'_>, target: Format, about: &str) {
    let converted = convert(document, target);
    let loosened = convert_with(
        document,
        target,
        &ConvertOptions { loosen: true, pretty: false, ..ConvertOptions::default() },
    );
    for converted in [&converted, &loosened] {
        let Ok(bytes) = &converted.result else {
            continue;
        };
        let about = || {
            format!(
                "{about} to {target}:\n{}\nlosses {:#?}",
                String::from_utf8_lossy(bytes),
                converted.losses
            )
        };
        let written = parse(bytes, target);
        let (before, after) = (model(document), model(&written));
        if let Some(left) = pruned(&before, "", &converted.losses)
            && let Some(where_) = missing(&left, &after, "")
        {
            panic!("{where_}\n{}", about());
        }
        let (source_rights, rights) = (rights(&before), rights(&after));
        if DRAFT.contains(&document.format()) && DRAFT.contains(&target) {
            assert_eq!(source_rights.0["allow"], rights.0["allow"], "{}", about());
            assert_eq!(source_rights.0["disallow"], rights.0["disallow"], "{}", about());
            let named = source_rights.1.iter().filter(|(name, _)| !name.is_null());
            assert_eq!(named.count(), rights.1.len(), "{}", about());
            for (agent, granted) in &rights.1 {
                let source =
                    source_rights.1.iter().filter(|(name, _)| name == agent).any(|(_, before)| {
                        match (before, granted) {
                            (None, _) => true,
                            (Some(_), None) => false,
                            (Some(before), Some(granted)) => {
                                granted.iter().all(|id| before.contains(id))
                            }
                        }
                    });
                assert!(source, "{agent}: {}", about());
            }
            for ((id, open_before), (_, open)) in source_rights.2.iter().zip(&rights.2) {
                assert!(!open || *open_before, "{id}: {}", about());
            }
        }
    }
    // The error for a too small buffer states the required size.
    if let Ok(bytes) = &converted.result {
        for size in [0, bytes.len() / 2, bytes.len().saturating_sub(1)] {
            if size < bytes.len() {
                let short = document.write_converted(
                    target,
                    &ConvertOptions::default(),
                    &mut vec![0; size],
                    |_| {},
                );
                assert_eq!(short, Err(ConvertError::BufferTooSmall { needed: bytes.len() }));
            }
        }
        let mut whole = vec![0; bytes.len()];
        assert_eq!(
            document.write_converted(target, &ConvertOptions::default(), &mut whole, |_| {}),
            Ok(bytes.len())
        );
        assert_eq!(&whole, bytes);
        // A second conversion has the same bytes, and no further losses.
        let written = parse(bytes, target);
        let again = convert(&written, target);
        // In JSON, two lines of one unknown name can become a restriction that is stated twice, and two
        // blocks for one agent two policies that contradict each other.
        let mut unread = ["access", "agents"].into_iter().filter_map(|name| again.losses.get(name));
        if unread.any(|loss| loss.0 == "unreadable") {
            assert_eq!(again.result, Err(ConvertError::Refused));
            return;
        }
        // A member of JSON without a meaning can become a line that seems to state the authentication
        // of all capabilities: they need some, unknown which.
        let stricter: &[&str] =
            if target == Format::AgentsTxt { &["\n  Auth: unknown"] } else { &[] };
        let second = again.result.as_ref().unwrap();
        assert_only_stricter(bytes, second, stricter, &format!("{about} to {target} and again"));
        assert!(again.losses.is_empty(), "{about} to {target} and again: {:?}", again.losses);
    }
}

#[test]
fn every_loss_of_a_converted_vector_is_reported() {
    let paths = vectors::inputs();
    let mut done = 0;
    for path in paths {
        let input = fs::read(&path).unwrap();
        let Ok(document) = vectors::parse(&input, &vectors::expected(&path)) else {
            continue;
        };
        for target in DRAFT.into_iter().chain(FLAT).chain(UNRULED) {
            if target.is_made_of(document.format()) {
                holds(&document, target, &path.display().to_string());
                done += 1;
            } else {
                assert_eq!(convert(&document, target).result, Err(ConvertError::Unsupported));
            }
        }
    }
    assert!(done > 1000, "{done}");
}

#[test]
fn generated_documents_convert() {
    for kind in Kind::ALL {
        for seed in 0..20 {
            let bytes = agentsdisc_generator::document(&Request {
                kind,
                size: 3000,
                layout: Layout::Pretty,
                seed,
            });
            let document = Document::parse(&bytes).unwrap();
            for target in DRAFT
                .into_iter()
                .chain(FLAT)
                .chain(UNRULED)
                .filter(|target| target.is_made_of(document.format()))
            {
                holds(&document, target, &format!("{kind:?} {seed}"));
            }
        }
    }
}

#[test]
fn a_generated_agents_txt_survives_a_round_trip_through_json() {
    for seed in 0..50 {
        let bytes = agentsdisc_generator::document(&Request {
            kind: Kind::AgentsTxt,
            size: 5000,
            layout: Layout::Pretty,
            seed,
        });
        let document = Document::parse(&bytes).unwrap();
        let json = convert(&document, Format::AgentsJson);
        assert!(json.losses.is_empty(), "{:?}", json.losses);
        let json = json.result.unwrap();
        let text = convert(&Document::parse(&json).unwrap(), Format::AgentsTxt);
        assert!(text.losses.is_empty(), "{:?}", text.losses);
        let text = text.result.unwrap();
        assert_eq!(model(&document), model(&Document::parse(&text).unwrap()));
    }
}

/// Texts with a meaning for lines, JSON or agents.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z][a-z-]{0,6}",
        1 => prop::sample::select(vec![
            "", " ", "none", " none", "none ", "a, b", "a,b", "(x)", "a\nAuth: none", "\r\nDisallow:", "#", "# x", "a # b", "\0", "\u{85}", "\u{2028}",
            ":", "a: b", "unknown", "REST", "Rest", "oauth2", "api_key", "bearer", "*", "/", "/admin/*", "/*$", "-", "- x", "—", "\u{feff}", "\u{1b}[2J",
            "GET", "60/minute", "name", "Auth", "auth", "Description", "User-agent", "Site", "Capability", "https://x.example/a", "é", "\u{a0}x", "\t",
        ]).prop_map(str::to_owned),
    ]
}

fn optional<T: std::fmt::Debug + 'static>(
    value: impl Strategy<Value = T> + 'static,
) -> impl Strategy<Value = Option<T>> {
    prop::option::weighted(0.6, value)
}

/// Any JSON value, usually a text.
fn value() -> BoxedStrategy<Value> {
    prop_oneof![
        8 => words().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<u32>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => prop::collection::vec(words(), 0..3).prop_map(Value::from),
        1 => prop::collection::btree_map(words(), words(), 0..3).prop_map(|map| json!(map)),
    ]
    .boxed()
}

fn object(names: &'static [&'static str]) -> BoxedStrategy<Value> {
    let known = prop::collection::vec((prop::sample::select(names), value()), 0..names.len());
    let unknown = prop::collection::vec((words(), value()), 0..2);
    (known, unknown)
        .prop_map(|(known, unknown)| {
            Value::Object(
                known
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value))
                    .chain(unknown)
                    .collect(),
            )
        })
        .boxed()
}

fn list(item: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    prop_oneof![9 => prop::collection::vec(item, 0..4).prop_map(Value::from), 1 => value()].boxed()
}

fn rate() -> BoxedStrategy<Value> {
    prop_oneof![
        3 => (any::<u32>(), prop::sample::select(vec!["second", "minute", "Hour", "day", " day", "week"]))
            .prop_map(|(requests, window)| json!({"requests": requests, "window": window})),
        1 => (any::<u16>(), prop::sample::select(vec!["second", "MINUTE"])).prop_map(|(n, window)| json!(format!("{n}/{window}"))),
        1 => value(),
    ]
    .boxed()
}

/// Adds the present members to an object.
fn with<const N: usize>(object: Value, members: [(&'static str, Option<Value>); N]) -> Value {
    let mut object = object.as_object().cloned().unwrap_or_default();
    object.extend(members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    Value::Object(object)
}

/// An agents.json that is mostly readable.
fn agents_json() -> impl Strategy<Value = Value> {
    let auth = prop_oneof![5 => object(&["type", "tokenEndpoint", "docsUrl", "scopes", "endpoint"]), 1 => value()];
    let parameter = object(&[
        "name",
        "in",
        "type",
        "required",
        "default",
        "description",
        "min",
        "max",
        "location",
    ]);
    let capability = (
        object(&[
            "id",
            "description",
            "endpoint",
            "method",
            "protocol",
            "openapi",
            "scopes",
            "authEndpoint",
        ]),
        optional(auth),
        optional(rate()),
        optional(list(parameter)),
    )
        .prop_map(|(one, auth, rate, parameters)| {
            with(one, [("auth", auth), ("rateLimit", rate), ("parameters", parameters)])
        })
        .boxed();
    let policy = (
        object(&["name", "agentDeclaration"]),
        optional(list(words().prop_map(Value::from).boxed())),
        optional(rate()),
    )
        .prop_map(|(one, ids, rate)| with(one, [("capabilities", ids), ("rateLimit", rate)]))
        .boxed();
    let named = prop::collection::vec((words(), policy.clone()), 0..3)
        .prop_map(|all| Value::Object(all.into_iter().collect()));
    let agents = prop_oneof![3 => named, 1 => list(policy)].boxed();
    let patterns = || list(words().prop_map(Value::from).boxed());
    let access = (object(&["x", "allow"]), optional(patterns()), optional(patterns())).prop_map(
        |(access, allow, disallow)| with(access, [("allow", allow), ("disallow", disallow)]),
    );
    (
        object(&["specVersion", "generatedAt", "declarationType", "agentsJson", "operatesOn"]),
        optional(object(&["name", "url", "description", "contact", "privacyPolicy"])),
        optional(list(capability)),
        optional(access),
        optional(agents),
        optional(object(&["access", "X-Note"])),
    )
        .prop_map(|(top, site, capabilities, access, agents, metadata)| {
            with(
                top,
                [
                    ("site", site),
                    ("capabilities", capabilities),
                    ("access", access),
                    ("agents", agents),
                    ("metadata", metadata),
                ],
            )
        })
}

/// An agents.txt of random lines.
fn agents_txt() -> impl Strategy<Value = String> {
    let keys = [
        "Spec-Version",
        "Generated-At",
        "Declaration-Type",
        "Agents-JSON",
        "Site-Name",
        "Site-URL",
        "Site-Contact",
        "Operates-On",
        "Allow",
        "Disallow",
        "Capability",
        "Capability",
        "Agent",
        "Endpoint",
        "Protocol",
        "Method",
        "Auth",
        "Auth-Endpoint",
        "Auth-Docs",
        "Scopes",
        "Rate-Limit",
        "Description",
        "OpenAPI",
        "Param",
        "Capabilities",
        "Agent-Declaration",
        "Contact",
        "X-Note",
        "name",
        "auth",
        "URL",
        "User-agent",
    ];
    let value = prop_oneof![
        4 => words(),
        1 => (words(), words(), words(), words()).prop_map(|(a, b, c, d)| format!("{a} ({b}, {c}, required) - {d}")),
        1 => (any::<u32>(), words()).prop_map(|(n, window)| format!("{n}/{window}")),
        1 => prop::collection::vec(words(), 0..4).prop_map(|items| items.join(",")),
    ];
    let line = (
        prop::sample::select(vec!["", "", " ", "  ", "\t"]),
        prop::sample::select(keys.to_vec()),
        value,
    )
        .prop_map(|(indent, key, value)| format!("{indent}{key}: {value}\n"));
    prop::collection::vec(line, 0..24).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(crate::common::cases(1500))]

    #[test]
    fn any_agents_json_converts(value in agents_json()) {
        let bytes = value.to_string().into_bytes();
        let document = parse(&bytes, Format::AgentsJson);
        for target in DRAFT.into_iter().chain([Format::Adp]) {
            holds(&document, target, &value.to_string());
        }
    }

    #[test]
    fn any_agents_txt_converts(text in agents_txt()) {
        let document = parse(text.as_bytes(), Format::AgentsTxt);
        for target in DRAFT {
            holds(&document, target, &text);
        }
    }
}
