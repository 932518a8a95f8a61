#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agentsdisc_fuzz::agents_json::run(bytes));
