//! simdjson (C++) as a peer, with `cpp/simdjson.cpp`, if it is installed.

use std::ffi::{CStr, c_char};

use crate::Task;

// SAFETY: the functions are those of `cpp/simdjson.cpp`, with these types. They read `length` bytes
// at `text`. simdjson may read bytes after them, but never in another memory page.
unsafe extern "C" {
    fn agentsdisc_simdjson_version() -> *const c_char;
    fn agentsdisc_simdjson_walk(text: *const u8, length: usize) -> u64;
    fn agentsdisc_simdjson_walk_converted(text: *const u8, length: usize) -> u64;
    fn agentsdisc_simdjson_dom(text: *const u8, length: usize) -> u64;
    fn agentsdisc_simdjson_dom_fallback(text: *const u8, length: usize) -> u64;
    fn agentsdisc_simdjson_agents_json(text: *const u8, length: usize) -> u64;
}

/// Returns the version, and the instruction sets that it was built for.
pub fn version() -> String {
    // SAFETY: the function returns a NUL-terminated text that lives as long as the program.
    unsafe { CStr::from_ptr(agentsdisc_simdjson_version()) }.to_string_lossy().into_owned()
}

fn task(name: &'static str, function: unsafe extern "C" fn(*const u8, usize) -> u64) -> Task {
    Task::new(name, move |bytes| {
        // SAFETY: pointer and length are those of a slice. The measuring programs have one thread,
        // so only one call uses the parser.
        let sum = unsafe { function(bytes.as_ptr(), bytes.len()) };
        (sum != u64::MAX).then_some(sum)
    })
}

/// Reading any JSON from beginning to end.
pub fn json_tasks() -> Vec<Task> {
    vec![
        // Builds an index first (UTF-8, strings); then reads all names, strings and numbers as
        // written. Does not validate escapes and numbers that are not converted.
        task("simdjson On-Demand walk, raw", agentsdisc_simdjson_walk),
        // Like the first task, but unescapes names and strings into a buffer of simdjson, and
        // converts numbers. Only this validates the whole grammar.
        task("simdjson On-Demand walk, converted", agentsdisc_simdjson_walk_converted),
        // Validates everything; writes a tape with unescaped strings and converted numbers. Reads
        // no values. The parser is reused.
        task("simdjson DOM", agentsdisc_simdjson_dom),
        // The same with its portable implementation.
        task("simdjson DOM, fallback", agentsdisc_simdjson_dom_fallback),
    ]
}

/// agents.json of the Internet-Draft: from bytes to all typed values.
pub fn agents_json_task() -> Task {
    // Builds an index first; then reads member by member in the order of the text, unescapes
    // strings into a buffer of simdjson, and converts numbers. Skips unknown members without
    // validation. No structs, no lists.
    task("simdjson On-Demand by hand", agentsdisc_simdjson_agents_json)
}
