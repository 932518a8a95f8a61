//! simdjson (C++) as a peer, through `cpp/simdjson.cpp`; only where it is installed.

use std::ffi::{CStr, c_char};

use crate::Task;

// SAFETY: the functions are those of `cpp/simdjson.cpp`, with these types. They read `length` bytes at `text`, and what simdjson reads behind
// them is never in another page.
unsafe extern "C" {
    fn agentsdisc_simdjson_version() -> *const c_char;
    fn agentsdisc_simdjson_walk(text: *const u8, length: usize) -> u64;
    fn agentsdisc_simdjson_walk_converted(text: *const u8, length: usize) -> u64;
    fn agentsdisc_simdjson_dom(text: *const u8, length: usize) -> u64;
    fn agentsdisc_simdjson_dom_fallback(text: *const u8, length: usize) -> u64;
    fn agentsdisc_simdjson_agents_json(text: *const u8, length: usize) -> u64;
}

/// Its version, and for which instructions it was built.
pub fn version() -> String {
    // SAFETY: the function returns a text that ends in a NUL and lives as long as the program.
    unsafe { CStr::from_ptr(agentsdisc_simdjson_version()) }
        .to_string_lossy()
        .into_owned()
}

fn task(name: &'static str, function: unsafe extern "C" fn(*const u8, usize) -> u64) -> Task {
    Task::new(name, move |bytes| {
        // SAFETY: pointer and length are those of a slice; the programs that measure have one thread, so that the parser is used by one call.
        let sum = unsafe { function(bytes.as_ptr(), bytes.len()) };
        (sum != u64::MAX).then_some(sum)
    })
}

/// Reading any JSON from one end to the other.
pub fn json_tasks() -> Vec<Task> {
    vec![
        // An index first (UTF-8, strings); then every name, string and number is looked at, as it was written. Escapes and numbers that nobody
        // converts are not checked.
        task("simdjson On-Demand walk, raw", agentsdisc_simdjson_walk),
        // The same; names and strings are unescaped into its buffer, numbers converted: only so all of the grammar is checked.
        task(
            "simdjson On-Demand walk, converted",
            agentsdisc_simdjson_walk_converted,
        ),
        // Checks everything; a tape with strings unescaped and numbers converted. No value is looked at. The parser is used again.
        task("simdjson DOM", agentsdisc_simdjson_dom),
        // The same by its implementation for any CPU.
        task("simdjson DOM, fallback", agentsdisc_simdjson_dom_fallback),
    ]
}

/// agents.json of the Internet-Draft: from bytes to every typed value.
pub fn agents_json_task() -> Task {
    // An index first; then member by member in the order of the text, strings unescaped into its buffer, numbers converted. Unknown members are
    // skipped without being checked. No structs, no lists.
    task(
        "simdjson On-Demand by hand",
        agentsdisc_simdjson_agents_json,
    )
}
