//! Prerequisites, cycles and type expressions of the Agent Web Protocol, in sizes and shapes that
//! vectors cannot express.

use crate::common::time;

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use agentsdisc_core::format::awp::{Awp, PrerequisiteError};
use agentsdisc_core::{CheckOptions, Code, Document, ErrorKind, Format, Limits, ParseOptions};
use proptest::prelude::*;

/// Asserts that eight times the input takes far less than the 64 times as long of a quadratic
/// algorithm.
fn assert_not_quadratic(name: &str, size: usize, mut run: impl FnMut(usize)) {
    // The minimum of several runs, because other load can only make them longer.
    let mut measure = |size| {
        let mut once = |_| {
            let start = time::processor_time();
            run(size);
            time::processor_time() - start
        };
        (0..3).map(&mut once).min().unwrap()
    };
    let (small, large) = (measure(size), measure(8 * size));
    assert!(
        large < 30 * small + std::time::Duration::from_millis(20),
        "{name}: {small:?} then {large:?}"
    );
}

fn document(text: &str) -> Document<'_> {
    let limits = Limits { document: 1 << 26, ..Limits::DEFAULT };
    Document::parse_with(
        text.as_bytes(),
        &ParseOptions { format: Some(Format::Awp), limits, ..ParseOptions::default() },
    )
    .unwrap()
}

fn awp(text: &str) -> Awp<'_> {
    document(text).awp().unwrap()
}

fn order(dependencies: &str, action: &str) -> Result<Vec<String>, Vec<String>> {
    let text = format!("{{\"dependencies\": {dependencies}}}");
    let mut scratch = vec![7; text.len()];
    let result = awp(&text).prerequisites(action, &mut scratch);
    match result {
        Ok(actions) => Ok(actions.map(|action| action.to_string()).collect()),
        Err(PrerequisiteError::Cycle(actions)) => {
            Err(actions.map(|action| action.to_string()).collect())
        }
        Err(error) => panic!("{error}"),
    }
}

fn list(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

#[test]
fn prerequisites_come_once_and_in_declared_order() {
    let diamond = r#"{"d": ["c", "b"], "b": ["a"], "c": ["a", "z"], "e": []}"#;
    assert_eq!(order(diamond, "d"), Ok(list(&["a", "z", "c", "b"])));
    assert_eq!(order(diamond, "b"), Ok(list(&["a"])));
    for nothing in ["a", "e", "unknown", ""] {
        assert_eq!(order(diamond, nothing), Ok(vec![]), "{nothing}");
    }
    assert_eq!(order("{}", "a"), Ok(vec![]));
    assert!(awp("{}").prerequisites("a", &mut []).unwrap().next().is_none());
}

#[test]
fn unusual_shapes_are_read_like_in_the_model() {
    assert_eq!(
        order(r#"{"a": "b", "b" : "c","c":"d", "x": "y"}"#, "a"),
        Ok(list(&["d", "c", "b"]))
    );
    assert_eq!(order(r#"{"a": ["b", "e" , "b"]}"#, "a"), Ok(list(&["b", "e"])));
    assert_eq!(order(r#"{"a": null, "c": ["a", "b"]}"#, "c"), Ok(list(&["a", "b"])));
    assert_eq!(
        order(r#"{"a": ["x"], "b": ["a"], "a": ["y"]}"#, "b"),
        Ok(list(&["y", "x", "a"])),
        "the requirements of all keys count"
    );
    for (dependencies, required) in [
        (r#"{"a": ["b"], "a": []}"#, &["b"][..]),
        (r#"{"a": [], "a": ["b"]}"#, &["b"]),
        (r#"{"a": ["b"], "a": null}"#, &["b"]),
        (r#"{"a": "b", "a": ["c", "b"], "\u0061": "d", "a": []}"#, &["d", "c", "b"]),
        (r#"{"z": "a", "a": null, "b": ["x"], "a": ["b"], "b": [], "a": null}"#, &["x", "b"]),
    ] {
        assert_eq!(order(dependencies, "a"), Ok(list(required)), "{dependencies}");
    }
    assert_eq!(order(r#"{"a": ["b"], "b": ["a"], "b": []}"#, "a"), Err(list(&["a", "b"])));
    assert_eq!(
        order(r#"{"\u0061": ["\u0062"], "b": ["é", "\u00e9"]}"#, "a"),
        Ok(list(&["é", "b"]))
    );
}

#[test]
fn a_cycle_is_listed_from_dependent_to_required() {
    assert_eq!(order(r#"{"a": ["a"]}"#, "a"), Err(list(&["a"])));
    assert_eq!(
        order(r#"{"a": ["x", "b"], "b": ["c"], "c": ["y", "b"]}"#, "a"),
        Err(list(&["b", "c"]))
    );
    assert_eq!(order(r#"{"a": ["b"], "b": ["c"], "c": ["a"]}"#, "b"), Err(list(&["b", "c", "a"])));
    // Actions outside the cycle are not affected.
    assert_eq!(order(r#"{"a": ["b"], "b": ["a"], "x": ["y"]}"#, "x"), Ok(list(&["y"])));
}

#[test]
fn unreadable_dependencies_are_an_error_with_what_can_be_read() {
    for (dependencies, action, readable) in [
        (r#""b""#, "a", &[][..]),
        ("5", "a", &[]),
        (r#"[["a", "b"]]"#, "a", &[]),
        ("true", "a", &[]),
        (r#"{"a": 3}"#, "a", &[]),
        (r#"{"a": {"b": true}}"#, "a", &[]),
        (r#"{"a": ["b"], "b": false}"#, "a", &["b"]),
        (r#"{"a": ["b", 7, {"c": 1}, ["d"], "e"]}"#, "a", &["b", "e"]),
        (r#"{"a": ["b"], "x": 1}"#, "c", &[]),
        (r#"{"a": ["b", ""]}"#, "a", &["b"]),
        (r#"{"a": [null, "b"]}"#, "a", &["b"]),
        (r#"{"a": "", "c": ["a"]}"#, "c", &["a"]),
    ] {
        let text = format!("{{\"dependencies\": {dependencies}}}");
        let mut scratch = [0; 64];
        let result = awp(&text).prerequisites(action, &mut scratch);
        let Err(PrerequisiteError::Unreadable(actions)) = result else {
            panic!("{dependencies}: {result:?}")
        };
        assert!(actions.eq(readable.iter().copied()), "{dependencies}");
    }
}

#[test]
fn a_too_small_buffer_reports_the_required_size() {
    let text = r#"{"dependencies": {"a": ["b", "c"], "b": ["c"]}}"#;
    let mut scratch = [0; 20];
    let Err(error) = awp(text).prerequisites("a", &mut scratch[..19]) else {
        panic!("19 numbers are not enough")
    };
    assert!(matches!(error, PrerequisiteError::CapacityExceeded { needed: 20 }));
    assert!(matches!(error.as_error().unwrap().kind, ErrorKind::CapacityExceeded(_)));
    assert!(awp(text).prerequisites("a", &mut scratch).unwrap().eq(["c", "b"]));
}

/// An agent.json whose actions require each other in a ring or a line.
fn chain(count: usize, ring: bool) -> String {
    let mut actions = String::new();
    let mut dependencies = String::new();
    for n in 0..count {
        let comma = if n == 0 { "" } else { "," };
        write!(actions, r#"{comma}{{"id":"a{n}"}}"#).unwrap();
        if ring || n + 1 < count {
            write!(dependencies, r#"{comma}"a{n}":["a{}"]"#, (n + 1) % count).unwrap();
        }
    }
    format!(
        r#"{{"awp_version":"0.2","domain":"example.com","intent":"x","actions":[{actions}],"dependencies":{{{dependencies}}}}}"#
    )
}

fn codes(text: &str, scratch: &mut [u32]) -> HashMap<Code, Vec<usize>> {
    let mut found = HashMap::<Code, Vec<usize>>::new();
    let options = CheckOptions { max: usize::MAX, ..CheckOptions::default() };
    document(text).check_with(&options, scratch, |diagnostic| {
        found.entry(diagnostic.code).or_default().push(diagnostic.span.start as usize)
    });
    found
}

/// The messages of the diagnostics with a code.
fn messages(text: &str, code: Code) -> Vec<String> {
    let mut found = Vec::new();
    document(text).check_with(&CheckOptions::default(), &mut vec![0; text.len()], |diagnostic| {
        if diagnostic.code == code {
            found.push(diagnostic.to_string());
        }
    });
    found
}

#[test]
fn every_cycle_is_named() {
    let text = r#"{"dependencies": {"a": ["b", "c"], "b": ["a"], "c": ["\u0061"], "d": ["d"], "x": ["y"], "y": ["z"], "z": ["x"]}}"#;
    let names = [
        "`a` requires itself (a → b → a)",
        "`a` requires itself (a → c → a)",
        "`d` requires itself (d → d)",
        "`x` requires itself (x → y → z → x)",
    ];
    let found = messages(text, Code::DependencyCycle);
    assert_eq!(found.len(), names.len(), "{found:?}");
    for (message, name) in found.iter().zip(names) {
        assert!(message.starts_with(name), "{message}");
    }
    let found = messages(&chain(100, true), Code::DependencyCycle);
    assert!(
        found[0].starts_with("`a0` requires itself (… → a94 → a95 → a96 → a97 → a98 → a99 → a0)"),
        "{found:?}"
    );
}

#[test]
fn many_cycles_do_not_take_quadratic_time() {
    // Each action requires the first one and the next one.
    assert_not_quadratic("cycles", 1250, |size| {
        let dependencies: Vec<_> =
            (0..size).map(|n| format!(r#""a{n}":["a0","a{}"]"#, n + 1)).collect();
        let text = format!(r#"{{"dependencies":{{{}}}}}"#, dependencies.join(","));
        let found = codes(&text, &mut vec![0; text.len()]);
        assert_eq!(found[&Code::DependencyCycle].len(), size);
    });
}

#[test]
fn what_is_not_a_type_is_reported_with_the_type_that_is_meant() {
    for (written, meant) in [
        ("bool", "`boolean`"),
        ("INT", "`integer`"),
        ("number", "`float`"),
        ("date", "`ISO8601`"),
        ("list", "`array`"),
        ("dict", "`object`"),
        ("array[bool]", "`boolean`"),
        ("string[]", "`array[string]`"),
        ("int[]", "`array[integer]`"),
        ("flight[]", "`array[flight]`"),
        ("array<string>", "`array[string]`"),
        ("Array<flight>", "`array[flight]`"),
        ("list[ url ]", "`array[url]`"),
        ("list of strings", "`array[string]`"),
        ("string[][]", "`array[type]`"),
        ("map[string]", "`object`"),
        ("map<string, int>", "`object`"),
        ("object<flight>", "`object[flight]`"),
        ("string|null", "`string`"),
        ("null|int", "`integer`"),
        ("array[string]|null", "`array[string]`"),
        ("flight[] | null", "`array[flight]`"),
        ("array[flight]?", "`array[flight]`"),
        ("airport_code|undefined", "`airport_code`"),
        ("enum[a, b]|null", "`enum[a, b]`"),
        ("null|undefined", "the type of the values"),
        ("string | integer", "one of them"),
        ("array[string]|array[url]", "one of them"),
        ("array<string|null>", "`array[type]`"),
        ("array[]", "`array[type]`"),
        ("Array[String]", "`array[string]`"),
        ("ARRAY[int]", "`integer`"),
        ("Array[array[string]]", "`array[type]`"),
        ("Enum[a, b]", "`enum`"),
        ("economy | first", "`enum[a, b]`"),
        ("enum(a, b)", "`enum[a, b]`"),
        ("float?", "`float`"),
        ("optional[bool]", "`boolean`"),
        ("string(10)", "`string`"),
        ("a b", "a name"),
    ] {
        let text = format!(
            r#"{{"awp_version":"0.2","domain":"a.example","intent":"x","actions":[{{"id":"a","inputs":{{"q":{{"type":"{written}"}}}}}}]}}"#
        );
        let found = messages(&text, Code::InvalidValue);
        assert_eq!(found.len(), 1, "{written}: {found:?}");
        assert!(found[0].contains(&format!("write {meant}")), "{written}: {found:?}");
    }
}

#[test]
fn a_large_cycle_is_found_or_reported_as_not_checked() {
    let text = chain(10_000, true);
    let mut scratch = vec![0; text.len()];
    let found = codes(&text, &mut scratch);
    assert_eq!(found[&Code::DependencyCycle], [text.find("\"a0\":").unwrap()]);
    assert!(!found.contains_key(&Code::NotChecked) && !found.contains_key(&Code::UnknownReference));
    let result = awp(&text).prerequisites("a5", &mut scratch);
    let Err(PrerequisiteError::Cycle(actions)) = result else { panic!("a ring") };
    assert_eq!(actions.count(), 10_000);
    let mut few = 0;
    document(&text).check(
        &CheckOptions { max: usize::MAX, ..CheckOptions::default() },
        |diagnostic| {
            assert_ne!(diagnostic.code, Code::DependencyCycle);
            few += usize::from(diagnostic.code == Code::NotChecked);
        },
    );
    assert_eq!(few, 1);
}

#[test]
fn repeated_keys_do_not_take_quadratic_time() {
    assert_not_quadratic("repeated", 1250, |size| {
        let keys: Vec<_> = (0..size).map(|n| format!(r#""a":["b{n}"]"#)).collect();
        let text = format!(r#"{{"dependencies":{{{}}}}}"#, keys.join(","));
        let mut scratch = vec![0; text.len()];
        assert_eq!(awp(&text).prerequisites("a", &mut scratch).unwrap().count(), size);
    });
}

#[test]
fn long_chains_do_not_take_quadratic_time() {
    for ring in [false, true] {
        assert_not_quadratic("chain", 1250, |size| {
            let text = chain(size, ring);
            let mut scratch = vec![0; text.len()];
            assert_eq!(codes(&text, &mut scratch).contains_key(&Code::DependencyCycle), ring);
            if let Ok(actions) = awp(&text).prerequisites("a0", &mut scratch) {
                assert!(
                    actions
                        .map(|action| action.to_string())
                        .eq((1..size).rev().map(|n| format!("a{n}")))
                );
            }
        });
    }
}

#[test]
fn dense_dependencies_are_ordered() {
    assert_not_quadratic("dense", 1000, |size| {
        // A square number of requirements, and one action with the same number.
        let side = size.isqrt();
        let all = (0..side).map(|n| format!("\"a{n}\"")).collect::<Vec<_>>().join(",");
        let dense = (0..side).map(|n| format!("\"a{n}\":[{all}]")).collect::<Vec<_>>().join(",");
        let wide = (0..size).map(|n| format!("\"b{}\"", n % 100)).collect::<Vec<_>>().join(",");
        let text = format!(r#"{{"actions":[],"dependencies":{{{dense},"z":[{wide}]}}}}"#);
        let mut scratch = vec![0; text.len()];
        assert!(codes(&text, &mut scratch).contains_key(&Code::DependencyCycle));
        assert_eq!(awp(&text).prerequisites("z", &mut scratch).unwrap().count(), 100);
    });
}

#[test]
fn hostile_types_do_not_take_quadratic_time() {
    assert_not_quadratic("types", 2000, |size| {
        let deep = format!("{}x{}", "array[".repeat(size), "]".repeat(size));
        let wide = format!("enum[{}]", "a,".repeat(size));
        let within =
            format!("{}enum[{}]{}", "array[".repeat(30), "a,".repeat(size), "]".repeat(30));
        let many = (0..size)
            .map(|n| format!("\"t{n}\":\"array[e{}]\"", n % 9))
            .collect::<Vec<_>>()
            .join(",");
        let text = format!(
            r#"{{"entities":{{"e1":{{"fields":{{}}}}}},"actions":[{{"id":"a","inputs":{{"i":{{"type":"{deep}"}}}},"outputs":{{"w":"{wide}","x":"{within}",{many}}}}}]}}"#
        );
        let found = codes(&text, &mut vec![0; text.len()]);
        assert_eq!(found[&Code::UnknownReference].len(), (0..size).filter(|n| n % 9 != 1).count());
        assert!(found[&Code::InvalidValue].contains(&text.find("\"array[").unwrap()));
    });
}

proptest! {
    /// Compares with a slow and simple implementation with recursion and sets.
    #[test]
    fn prerequisites_equal_a_recursive_walk(edges in proptest::collection::vec((0_u8..9, proptest::collection::vec(0_u8..9, 0..4)), 0..9)) {
        let mut graph = HashMap::new();
        let mut members = Vec::new();
        for (key, values) in &edges {
            // Those of the last of several keys come first.
            let earlier = graph.remove(key).unwrap_or_default();
            graph.insert(*key, [values.clone(), earlier].concat());
            let values = values.iter().map(|value| format!("\"n{value}\"")).collect::<Vec<_>>().join(", ");
            members.push(format!("\"n{key}\" : [ {values} ]"));
        }
        fn walk(node: u8, graph: &HashMap<u8, Vec<u8>>, path: &mut Vec<u8>, done: &mut HashSet<u8>, order: &mut Vec<String>) -> bool {
            if path.contains(&node) { return false }
            if done.contains(&node) { return true }
            path.push(node);
            let whole = graph.get(&node).is_none_or(|next| next.iter().all(|next| walk(*next, graph, path, done, order)));
            path.pop();
            done.insert(node);
            order.push(format!("n{node}"));
            whole
        }
        for root in 0..9 {
            let (mut path, mut done, mut expected) = (Vec::new(), HashSet::new(), Vec::new());
            let whole = walk(root, &graph, &mut path, &mut done, &mut expected);
            let actual = order(&format!("{{{}}}", members.join(",")), &format!("n{root}"));
            if whole {
                expected.pop();
                prop_assert_eq!(actual, Ok(expected));
            } else {
                let cycle = actual.unwrap_err();
                let number = |name: &str| name[1..].parse::<u8>().unwrap();
                for (at, name) in cycle.iter().enumerate() {
                    let next = number(&cycle[(at + 1) % cycle.len()]);
                    prop_assert!(graph[&number(name)].contains(&next), "{:?}", cycle);
                }
            }
        }
    }
}
