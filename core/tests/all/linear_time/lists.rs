//! Every list of every format, in every operation: ten times the size takes at most fifteen times
//! as long, or twenty if the document is larger than the caches of a processor.
//!
//! A list that is read again for each of its items takes a hundred times as long. One that is read
//! once takes ten, or up to 17 if its table no longer fits into the caches.
//!
//! If the environment variable `AGENTSDISC_LISTS` names a folder, documents of 1 KB to 1 MB are
//! measured, and written to that folder for `python/hostile.py`.

use std::path::PathBuf;
use std::time::Duration;

use agentsdisc_core::document::Slot;
use agentsdisc_core::policy::{Request, Robots, decide};
use agentsdisc_core::{CheckOptions, ConvertOptions, Document, Format, Limits, ParseOptions};

use serde_json::Value;

use super::Count;
use crate::common::vectors::root;
use crate::common::{time, walk};

/// A document that consists of a head, many items of one list, and a tail:
/// `conformance/FORMAT/lists.json`.
struct List {
    format: Format,
    row: Value,
}

/// Returns the lists of every format that is read.
fn lists() -> Vec<List> {
    let formats = Format::ALL.iter().copied().filter(|format| format.is_read());
    let of = |format: Format| {
        let path = root().join(format.id()).join("lists.json");
        let text = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let rows: Vec<Value> = serde_json::from_slice(&text).unwrap();
        assert!(!rows.is_empty(), "{format}");
        rows.into_iter().map(move |row| List { format, row })
    };
    formats.flat_map(of).collect()
}

impl List {
    /// Returns a document of at least `size` bytes; `backwards` reverses the order of the items.
    fn document(&self, size: usize, backwards: bool) -> Vec<u8> {
        let (mut items, mut length) = (Vec::new(), 0);
        while length < size {
            // `#` is replaced by the number of the item.
            let item = self.part("item").replace('#', &items.len().to_string());
            length += item.len() + self.part("separator").len();
            items.push(item);
        }
        if backwards {
            items.reverse();
        }
        let items = items.join(self.part("separator"));
        [self.part("head"), &items, self.part("tail")].concat().into_bytes()
    }

    /// A member of its row: its name, or a part of the document.
    fn part(&self, name: &str) -> &str {
        self.row[name]
            .as_str()
            .unwrap_or_else(|| panic!("{}: no `{name}` in {}", self.format, self.row))
    }

    fn parse<'a>(&self, bytes: &'a [u8]) -> Document<'a> {
        let limits = Limits {
            document: usize::MAX,
            line: usize::MAX,
            robots: usize::MAX,
            ..Limits::DEFAULT
        };
        let options = ParseOptions { format: Some(self.format), limits, ..ParseOptions::default() };
        Document::parse_with(bytes, &options)
            .unwrap_or_else(|error| panic!("{:?}, {}: {error}", self.format, self.part("name")))
    }
}

/// An operation on a list, and on the same list in another order.
type Operation = fn(&List, &[u8], &[u8], &mut Memory) -> u64;

/// The memory of callers. It is made before anything is measured: new pages would be most of the time.
struct Memory {
    slots: Vec<Slot>,
    numbers: Vec<u32>,
}

impl Memory {
    /// The memory for documents of at most this size.
    fn of(size: usize) -> Self {
        Self { slots: vec![Slot::default(); slots(size)], numbers: vec![0; size * 2] }
    }
}

/// The number of slots for a document of this size.
fn slots(size: usize) -> usize {
    256.max(size / 4)
}

const OPERATIONS: &[(&str, Operation)] = &[
    ("parse", |list, bytes, _, _| list.parse(bytes).bytes().len() as u64),
    ("model", |list, bytes, _, _| {
        let mut count = Count::default();
        walk::manifest(&list.parse(bytes).manifest(), &mut count);
        count.0
    }),
    ("JSON", |list, bytes, _, _| list.parse(bytes).json_len() as u64),
    ("check", |list, bytes, _, _| {
        let mut found = 0;
        list.parse(bytes).check(&CheckOptions::default(), |_| found += 1);
        found
    }),
    ("decide", |list, bytes, _, memory| {
        let documents = [list.parse(bytes)];
        let requests = [
            Request::url("bot", "https://e.test/x?a=b"),
            Request::url("bot", "https://e.test/y").with_method("POST"),
            Request::capability("bot", "c"),
            Request::capability("bot", "nothing"),
        ];
        requests
            .iter()
            .map(|request| {
                let request = request.with_origin("https://e.test");
                let decision = decide(&documents, Robots::NotAsked, &request);
                let size = if list.format == Format::Awp { bytes.len() * 2 } else { 0 };
                let first = decision
                    .prerequisites(&mut memory.numbers[..size])
                    .map_or(0, |found| found.map_or(1, |actions| actions.count() as u64));
                first + u64::from(decision.allowed) + decision.rate_limits().count() as u64
            })
            .sum()
    }),
    ("convert to agents.txt", |list, bytes, _, _| list.convert(bytes, Format::AgentsTxt)),
    ("convert to agents.json", |list, bytes, _, _| list.convert(bytes, Format::AgentsJson)),
    ("convert to agents.txt 0.1", |list, bytes, _, _| list.convert(bytes, Format::AgentsTxt01)),
    ("convert to agents.json 0.1", |list, bytes, _, _| list.convert(bytes, Format::AgentsJson01)),
    ("convert to a manifest", |list, bytes, _, _| list.convert(bytes, Format::Adp)),
    ("convert to a detail", |list, bytes, _, _| list.convert(bytes, Format::AdpCapability)),
    ("fix", |list, bytes, _, _| {
        let mut length = 0;
        let _ = list.parse(bytes).fix(&mut |piece: &[u8]| length += piece.len() as u64, |_| {});
        length
    }),
    ("differences", |list, bytes, _, _| {
        let document = list.parse(bytes);
        let mut found = 0;
        let _ = document.differences(&document, |_| found += 1);
        found
    }),
    ("differences with memory", |list, bytes, other, memory| {
        let slots = &mut memory.slots[..slots(bytes.len())];
        let mut found = 0;
        let _ = list.parse(bytes).differences_with(&list.parse(other), slots, |_| found += 1);
        found
    }),
    ("differences in another order", |list, bytes, other, _| {
        let mut found = 0;
        let _ = list.parse(bytes).differences(&list.parse(other), |_| found += 1);
        found
    }),
];

impl List {
    fn convert(&self, bytes: &[u8], target: Format) -> u64 {
        let mut length = 0;
        let _ = self.parse(bytes).convert(
            target,
            &ConvertOptions::default(),
            &mut |piece: &[u8]| length += piece.len() as u64,
            |_| {},
        );
        length
    }
}

/// Returns how many times as long a document of this size may take as a tenth of it.
fn most(size: usize) -> f64 {
    if size < 1 << 19 { 15.0 } else { 20.0 }
}

/// Shorter times are not compared.
const SHORT: Duration = Duration::from_millis(1);

/// Returns the shortest time of several runs.
fn shortest(runs: usize, mut work: impl FnMut() -> u64) -> Duration {
    let run = |_| {
        let start = time::processor_time();
        std::hint::black_box(work());
        time::processor_time() - start
    };
    (0..runs).map(run).min().unwrap()
}

#[test]
fn every_list_in_every_operation_is_linear() {
    let only = std::env::var("LIST").unwrap_or_default();
    let folder = std::env::var_os("AGENTSDISC_LISTS").map(PathBuf::from);
    let kilobytes: &[usize] = match folder {
        Some(_) => &[1, 10, 100, 1000],
        None => &[10, 100],
    };
    let mut failures = Vec::new();
    for list in &lists() {
        let documents: Vec<[Vec<u8>; 2]> = kilobytes
            .iter()
            .map(|size| [false, true].map(|backwards| list.document(size << 10, backwards)))
            .collect();
        if let Some(folder) = &folder {
            let folder = folder.join(list.format.id()).join(list.part("name"));
            std::fs::create_dir_all(&folder).unwrap();
            for (size, [document, _]) in kilobytes.iter().zip(&documents) {
                std::fs::write(folder.join(size.to_string()), document).unwrap();
            }
        }
        let largest = documents.iter().flatten().map(Vec::len).max();
        let mut memory = Memory::of(largest.unwrap_or_default());
        for (operation, work) in OPERATIONS {
            let name = format!("{}, {}: {operation}", list.format.id(), list.part("name"));
            if !name.contains(&only) {
                continue;
            }
            for pair in documents.windows(2) {
                let found = times(pair, |[bytes, other]| work(list, bytes, other, &mut memory));
                let [few, many] = found;
                if !only.is_empty() {
                    println!("{name}: {few:?}, then {many:?}");
                }
                if is_too_long(found, most(pair[1][0].len())) {
                    failures.push(format!("{name}: {few:?}, then {many:?}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "ten times the size takes too long:\n{}", failures.join("\n"));
}

/// Returns the times of two documents, the second ten times as large as the first.
fn times(pair: &[[Vec<u8>; 2]], mut work: impl FnMut(&[Vec<u8>; 2]) -> u64) -> [Duration; 2] {
    let [small, large] = pair else { panic!("two sizes") };
    let most = most(large[0].len());
    let mut best = [Duration::ZERO; 2];
    // Other load can only make a run longer, so a failed measurement is repeated, later and later.
    // Only times of one turn are compared: the speed of the processor changes in between.
    for turn in 0..12 {
        let few = shortest(3, || work(small));
        let many = shortest(if turn < 4 { 1 } else { 3 }, || work(large));
        if turn == 0 || growth([few, many]) < growth(best) {
            best = [few, many];
        }
        let is_clear = turn > 0 && growth(best) > 3.0 * most;
        if is_clear || !is_too_long(best, most) {
            break;
        }
        std::thread::sleep(Duration::from_millis(50) * turn);
    }
    best
}

fn is_too_long([few, many]: [Duration; 2], most: f64) -> bool {
    many >= SHORT && growth([few, many]) >= most
}

fn growth([few, many]: [Duration; 2]) -> f64 {
    many.as_secs_f64() / few.as_secs_f64()
}
