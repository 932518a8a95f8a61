//! agents.txt of the Internet-Draft: from bytes to all values; and only lines of `key: value`.

use agentsdisc_core::syntax::line::{Content, Lines};
use agentsdisc_core::{Document, Format, ParseOptions};
use robotstxt::RobotsParseHandler;

use crate::{Task, Toucher, read_unified, touch, walk};

/// This library and its peers. No other library reads agents.txt: the peers read lines without
/// their meaning.
pub fn tasks() -> Vec<Task> {
    let mut tasks = vec![
        // Detection, UTF-8, limits, while a visitor receives the blocks in one pass; then all
        // accessors of the unified model for the rest. No heap.
        Task::new("agentsdisc read, unified", read_unified),
        // Parses first, then calls all accessors of the unified model: blocks, parameters, rates,
        // lists.
        Task::new("agentsdisc model", |bytes| model(bytes, None)),
        // The same with a given format.
        Task::new("agentsdisc model, format forced", |bytes| model(bytes, Some(Format::AgentsTxt))),
        // Only the work before any value can be read.
        Task::new("agentsdisc parse only", |bytes| {
            Document::parse(bytes).ok().map(|document| u64::from(document.outline().format() as u8))
        }),
    ];
    tasks.extend(line_tasks());
    tasks
}

/// Readers of lines.
pub fn line_tasks() -> Vec<Task> {
    vec![
        // Lines with their kind, indentation, key and value, from bytes.
        Task::new("agentsdisc lines", |bytes| {
            Some(
                Lines::new(bytes)
                    .map(|line| match line.content {
                        Content::Field { key, value } => touch(key) + touch(value),
                        Content::Comment(text) | Content::Malformed(text) => touch(text),
                        Content::Blank => 0,
                    })
                    .sum(),
            )
        }),
        // A simple implementation: validated UTF-8, lines, first colon, trimmed key and value. A
        // lone CR does not end a line.
        Task::new("std lines", |bytes| {
            let text = std::str::from_utf8(bytes).ok()?;
            Some(
                text.lines()
                    .map(|line| match line.split_once(':') {
                        _ if line.trim_start().starts_with('#') => touch(line.as_bytes()),
                        Some((key, value)) => {
                            touch(key.trim().as_bytes()) + touch(value.trim().as_bytes())
                        }
                        None => touch(line.as_bytes()),
                    })
                    .sum(),
            )
        }),
        // Reads robots.txt: recognizes keys, unescapes values on the heap, and passes unknown keys
        // on. Receives validated UTF-8.
        Task::new("robotstxt", |bytes| {
            let text = std::str::from_utf8(bytes).ok()?;
            let mut counter = Counter(0);
            robotstxt::parse_robotstxt(text, &mut counter);
            Some(counter.0)
        }),
        // Reads robots.txt into the rules for one agent, and prepares them for matching.
        Task::new("texting_robots", |bytes| {
            texting_robots::Robot::new("heron", bytes).ok().map(|robot| robot.sitemaps.len() as u64)
        }),
    ]
}

fn model(bytes: &[u8], format: Option<Format>) -> Option<u64> {
    let document =
        Document::parse_with(bytes, &ParseOptions { format, ..ParseOptions::default() }).ok()?;
    let mut toucher = Toucher::default();
    walk::manifest(&document.manifest(), &mut toucher);
    Some(toucher.0)
}

struct Counter(u64);

impl RobotsParseHandler for Counter {
    fn handle_robots_start(&mut self) {}
    fn handle_robots_end(&mut self) {}
    fn handle_user_agent(&mut self, _: u32, value: &str) {
        self.0 += touch(value.as_bytes());
    }
    fn handle_allow(&mut self, _: u32, value: &str) {
        self.0 += touch(value.as_bytes());
    }
    fn handle_disallow(&mut self, _: u32, value: &str) {
        self.0 += touch(value.as_bytes());
    }
    fn handle_sitemap(&mut self, _: u32, value: &str) {
        self.0 += touch(value.as_bytes());
    }
    fn handle_unknown_action(&mut self, _: u32, key: &str, value: &str) {
        self.0 += touch(key.as_bytes()) + touch(value.as_bytes());
    }
}
