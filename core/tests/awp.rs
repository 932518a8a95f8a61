//! Prerequisites, cycles and type expressions of the Agent Web Protocol at sizes and in shapes that vectors cannot show.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A test may panic.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::time::{Duration, Instant};

use agentsdisc_core::format::awp::{Awp, PrerequisiteError};
use agentsdisc_core::{CheckOptions, Code, Document, ErrorKind, Format, Limits, ParseOptions};
use proptest::prelude::*;

const AMPLE: Duration = Duration::from_secs(20);

fn document(text: &str) -> Document<'_> {
    let limits = Limits { document: 1 << 26, ..Limits::DEFAULT };
    Document::parse_with(text.as_bytes(), &ParseOptions { format: Some(Format::Awp), limits, ..ParseOptions::default() }).unwrap()
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
        Err(PrerequisiteError::Cycle(actions)) => Err(actions.map(|action| action.to_string()).collect()),
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
fn odd_shapes_are_read_as_the_model_reads_them() {
    assert_eq!(order(r#"{"a": "b", "b" : "c","c":"d", "x": "y"}"#, "a"), Ok(list(&["d", "c", "b"])));
    assert_eq!(order(r#"{"a": ["b", 7, {"c": 1}, ["d"], "", null, "e" , "b"]}"#, "a"), Ok(list(&["b", "e"])));
    assert_eq!(order(r#"{"a": null, "b": 3, "c": ["a", "b"]}"#, "c"), Ok(list(&["a", "b"])));
    assert_eq!(order(r#"{"a": ["x"], "b": ["a"], "a": ["y"]}"#, "b"), Ok(list(&["y", "a"])), "the last of two keys counts");
    assert_eq!(order(r#"{"\u0061": ["\u0062"], "b": ["é", "\u00e9"]}"#, "a"), Ok(list(&["é", "b"])));
}

#[test]
fn a_cycle_is_told_from_what_requires_to_what_is_required() {
    assert_eq!(order(r#"{"a": ["a"]}"#, "a"), Err(list(&["a"])));
    assert_eq!(order(r#"{"a": ["x", "b"], "b": ["c"], "c": ["y", "b"]}"#, "a"), Err(list(&["b", "c"])));
    assert_eq!(order(r#"{"a": ["b"], "b": ["c"], "c": ["a"]}"#, "b"), Err(list(&["b", "c", "a"])));
    // What does not lead into the cycle is not touched by it.
    assert_eq!(order(r#"{"a": ["b"], "b": ["a"], "x": ["y"]}"#, "x"), Ok(list(&["y"])));
}

#[test]
fn too_little_space_says_how_much_is_enough() {
    let text = r#"{"dependencies": {"a": ["b", "c"], "b": ["c"]}}"#;
    let mut scratch = [0; 20];
    let Err(error) = awp(text).prerequisites("a", &mut scratch[..19]) else { panic!("19 numbers are not enough") };
    assert!(matches!(error, PrerequisiteError::CapacityExceeded { needed: 20 }));
    assert!(matches!(error.as_error().unwrap().kind, ErrorKind::CapacityExceeded(_)));
    assert!(awp(text).prerequisites("a", &mut scratch).unwrap().eq(["c", "b"]));
}

/// An agent.json whose actions require one another in a ring, or in a line.
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
    format!(r#"{{"awp_version":"0.2","domain":"example.com","intent":"x","actions":[{actions}],"dependencies":{{{dependencies}}}}}"#)
}

fn codes(text: &str, scratch: &mut [u32]) -> HashMap<Code, Vec<usize>> {
    let mut found = HashMap::<Code, Vec<usize>>::new();
    let options = CheckOptions { max: usize::MAX, ..CheckOptions::default() };
    document(text)
        .check_with(&options, scratch, |diagnostic| found.entry(diagnostic.code).or_default().push(diagnostic.span.start as usize));
    found
}

#[test]
fn a_ring_of_many_actions_is_found_or_said_not_to_be_looked_for() {
    let text = chain(10_000, true);
    let start = Instant::now();
    let found = codes(&text, &mut vec![0; text.len()]);
    assert_eq!(found[&Code::DependencyCycle], [text.find("\"a0\":").unwrap()]);
    assert!(!found.contains_key(&Code::NotChecked) && !found.contains_key(&Code::UnknownReference));
    let mut scratch = vec![0; text.len()];
    let result = awp(&text).prerequisites("a5", &mut scratch);
    let Err(PrerequisiteError::Cycle(actions)) = result else { panic!("a ring") };
    assert_eq!(actions.count(), 10_000);
    let mut few = 0;
    document(&text).check(&CheckOptions { max: usize::MAX, ..CheckOptions::default() }, |diagnostic| {
        assert_ne!(diagnostic.code, Code::DependencyCycle);
        few += usize::from(diagnostic.code == Code::NotChecked);
    });
    assert_eq!(few, 1);
    assert!(start.elapsed() < AMPLE);
}

#[test]
fn a_long_line_of_actions_is_put_in_order() {
    let text = chain(30_000, false);
    let start = Instant::now();
    let mut scratch = vec![0; text.len()];
    let actions = awp(&text).prerequisites("a0", &mut scratch).unwrap();
    assert!(actions.map(|action| action.to_string()).eq((1..30_000).rev().map(|n| format!("a{n}"))));
    assert!(!codes(&text, &mut scratch).contains_key(&Code::DependencyCycle));
    assert!(start.elapsed() < AMPLE);
}

#[test]
fn everything_requires_everything() {
    // 300 actions with 300 requirements each, and one action with a hundred thousand.
    let all = (0..300).map(|n| format!("\"a{n}\"")).collect::<Vec<_>>().join(",");
    let dense = (0..300).map(|n| format!("\"a{n}\":[{all}]")).collect::<Vec<_>>().join(",");
    let wide = (0..100_000).map(|n| format!("\"b{}\"", n % 1000)).collect::<Vec<_>>().join(",");
    let text = format!(r#"{{"actions":[],"dependencies":{{{dense},"z":[{wide}]}}}}"#);
    let start = Instant::now();
    let mut scratch = vec![0; text.len()];
    assert!(codes(&text, &mut scratch).contains_key(&Code::DependencyCycle));
    assert_eq!(awp(&text).prerequisites("z", &mut scratch).unwrap().count(), 1000);
    assert!(start.elapsed() < AMPLE);
}

#[test]
fn hostile_types_take_little_time() {
    let deep = format!("{}x{}", "array[".repeat(200_000), "]".repeat(200_000));
    let wide = format!("enum[{}]", "a,".repeat(500_000));
    let within = format!("{}enum[{}]{}", "array[".repeat(30), "a,".repeat(300_000), "]".repeat(30));
    let many = (0..50_000).map(|n| format!("\"t{n}\":\"array[e{}]\"", n % 9)).collect::<Vec<_>>().join(",");
    let text = format!(
        r#"{{"entities":{{"e1":{{"fields":{{}}}}}},"actions":[{{"id":"a","inputs":{{"i":{{"type":"{deep}"}}}},"outputs":{{"w":"{wide}","x":"{within}",{many}}}}}]}}"#
    );
    let start = Instant::now();
    let found = codes(&text, &mut vec![0; text.len()]);
    assert_eq!(found[&Code::UnknownReference].len(), 50_000 - 50_000_usize.div_ceil(9));
    assert!(found[&Code::InvalidValue].contains(&text.find("\"array[").unwrap()));
    assert!(start.elapsed() < AMPLE, "{:?}", start.elapsed());
}

proptest! {
    /// Against a slow and obvious reading with recursion and sets.
    #[test]
    fn prerequisites_are_those_of_a_recursive_walk(edges in proptest::collection::vec((0_u8..9, proptest::collection::vec(0_u8..9, 0..4)), 0..9)) {
        let mut graph = HashMap::new();
        let mut members = Vec::new();
        for (key, values) in &edges {
            graph.insert(*key, values.clone());
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
