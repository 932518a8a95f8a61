//! The adapters of this project's Rust crate and of crates that are dependencies of its tests.
//!
//!     cargo run --example conformance-adapter --features identity [robotstxt | texting_robots]

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod agentsdisc;
mod peers;
mod questions;

use std::io::{BufRead, Write};

use serde_json::{Value, json};

/// What an adapter claims, and how it answers.
struct Adapter {
    name: &'static str,
    /// The version; the root of the lock file has it for dependencies.
    version: String,
    tasks: &'static [&'static str],
    /// The formats; empty for all of them.
    formats: &'static [&'static str],
    /// Returns the result of a task; `None` leaves the case out.
    answer: fn(&Value) -> Option<Value>,
}

fn main() {
    let name = std::env::args().nth(1);
    let adapter = match name.as_deref() {
        None => agentsdisc::adapter(),
        Some("robotstxt") => peers::robotstxt(),
        Some("texting_robots") => peers::texting_robots(),
        Some(other) => panic!("there is no adapter {other}"),
    };
    let (input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    for line in input.lines() {
        let request: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let mut said = if request["task"] == "hello" {
            json!({ "result": adapter.claims() })
        } else if let Some(result) = (adapter.answer)(&request) {
            json!({ "result": result })
        } else {
            json!({ "skip": "not offered" })
        };
        said["id"] = request["id"].clone();
        writeln!(output, "{said}").unwrap();
    }
}

impl Adapter {
    fn claims(&self) -> Value {
        let mut claims = json!({ "name": self.name, "version": self.version, "tasks": self.tasks });
        if self.formats.is_empty() {
            claims["model"] = "whole".into();
        } else {
            claims["formats"] = self.formats.into();
        }
        claims
    }
}

/// The bytes of the document of a request, or of one of its documents.
fn document_of(request: &Value) -> Vec<u8> {
    match request["path"].as_str() {
        Some(path) => std::fs::read(path).unwrap(),
        None => from_base64(request["document"].as_str().unwrap()),
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for digit in text.trim_end_matches('=').bytes() {
        let value = DIGITS.iter().position(|&known| known == digit).unwrap();
        bits = bits << 6 | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// The URL of a question about a robots.txt with its origin, which other crates need.
fn absolute(url: &str) -> String {
    if url.starts_with('/') { format!("https://example.com{url}") } else { url.into() }
}
