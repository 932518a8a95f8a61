#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agentsdisc_fuzz::signature::run(bytes));
