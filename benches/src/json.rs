//! Reading any JSON from beginning to end.

use agentsdisc_core::scan::{Backend, backend, force};
use agentsdisc_core::syntax::json::{Token, TokenKind, Tokenizer};
use serde::de::IgnoredAny;

use crate::{Task, touch};

/// This library and its peers.
pub fn tasks() -> Vec<Task> {
    #[allow(unused_mut)]
    let mut tasks = vec![
        // Validates UTF-8 of the whole text first, then all of RFC 8259 and a nesting limit; reads
        // all names, strings and numbers. No heap.
        Task::new("agentsdisc walk", ours),
        // The same, with tokens requested one by one.
        Task::new("agentsdisc next_token", pull),
        // The first task in 64-bit words, as on CPUs without a SIMD back end.
        Task::new("agentsdisc walk, scalar", |bytes| {
            let best = backend();
            force(Some(Backend::Scalar));
            let sum = ours(bytes);
            force(Some(best));
            sum
        }),
        // The first task without UTF-8 validation, which is not part of the tokenizer.
        Task::new("agentsdisc walk, UTF-8 unchecked", walk),
        // Validates grammar and escapes; UTF-8 only of kept strings, not of skipped ones. Reads no
        // values.
        Task::new("serde_json skip", |bytes| {
            serde_json::from_slice::<IgnoredAny>(bytes).ok().map(|_| 1)
        }),
        // Validates everything; builds a tree on the heap and converts numbers.
        Task::new("serde_json Value", |bytes| {
            serde_json::from_slice::<serde_json::Value>(bytes).ok().map(|_| 1)
        }),
        // Skips with serde: validates the grammar of skipped values, and UTF-8 of the whole text.
        // Reads no values.
        Task::new("sonic-rs skip", |bytes| {
            sonic_rs::from_slice::<IgnoredAny>(bytes).ok().map(|_| 1)
        }),
        // Validates everything; builds a tree in an arena and converts numbers.
        Task::new("sonic-rs Value", |bytes| {
            sonic_rs::from_slice::<sonic_rs::Value>(bytes).ok().map(|_| 1)
        }),
        // Validates everything; writes a tape on the heap (buffers reused) and converts numbers. It
        // unescapes in place, so the text is copied first.
        simd_json_tape(),
        // Validates grammar and escapes of skipped values, not UTF-8. Reads no values.
        Task::new("jiter skip", |bytes| {
            let mut jiter = jiter::Jiter::new(bytes);
            jiter.next_skip().ok()?;
            jiter.finish().ok()?;
            Some(1)
        }),
        // Skips with serde: does not validate escapes and UTF-8 of strings. No heap.
        Task::new("serde-json-core skip", |bytes| {
            serde_json_core::from_slice::<IgnoredAny>(bytes).ok().map(|_| 1)
        }),
        // A pull parser like this one, without a heap: validates grammar and UTF-8 of strings,
        // unescapes them, converts numbers; 32 levels.
        Task::new("picojson walk", picojson),
        // Validates grammar, strings and numbers while skipping; not UTF-8 of strings. No heap.
        Task::new("hifijson skip", |bytes| {
            use hifijson::token::Lex;
            let mut lexer = hifijson::SliceLexer::new(bytes);
            lexer.exactly_one(Lex::ws_peek, hifijson::ignore::parse).ok()?;
            Some(1)
        }),
    ];
    #[cfg(simdjson)]
    tasks.extend(crate::simdjson::json_tasks());
    tasks
}

/// Only this library.
pub fn ours_task() -> Task {
    Task::new("agentsdisc walk", ours)
}

fn ours(bytes: &[u8]) -> Option<u64> {
    simdutf8::basic::from_utf8(bytes).ok()?;
    walk(bytes)
}

fn walk(bytes: &[u8]) -> Option<u64> {
    let mut sum = 0_u64;
    Tokenizer::with_depth(bytes, 256).for_each(|token| sum = sum.wrapping_add(look(token))).ok()?;
    Some(sum)
}

fn pull(bytes: &[u8]) -> Option<u64> {
    simdutf8::basic::from_utf8(bytes).ok()?;
    let mut tokens = Tokenizer::with_depth(bytes, 256);
    let mut sum = 0_u64;
    while let Some(token) = tokens.next_token().ok()? {
        sum = sum.wrapping_add(look(token));
    }
    Some(sum)
}

#[inline(always)]
fn look(token: Token<'_>) -> u64 {
    match token.kind {
        TokenKind::Name | TokenKind::String => token.text().map_or(0, |text| touch(text.raw())),
        TokenKind::Number => touch(token.raw()),
        _ => 1,
    }
}

fn simd_json_tape() -> Task {
    let mut copy = Vec::new();
    let mut buffers = simd_json::Buffers::default();
    Task::new("simd-json tape", move |bytes| {
        copy.clear();
        copy.extend_from_slice(bytes);
        simd_json::to_tape_with_buffers(&mut copy, &mut buffers)
            .ok()
            .map(|tape| tape.0.len() as u64)
    })
}

fn picojson(bytes: &[u8]) -> Option<u64> {
    use picojson::{Event, PullParser, SliceParser};
    let mut scratch = [0; 4096];
    let mut parser = SliceParser::with_buffer_from_slice(bytes, &mut scratch);
    let mut sum = 0_u64;
    loop {
        match parser.next_event().ok()? {
            Event::EndDocument => return Some(sum),
            Event::Key(text) | Event::String(text) => {
                sum = sum.wrapping_add(touch(text.as_bytes()))
            }
            _ => sum += 1,
        }
    }
}
