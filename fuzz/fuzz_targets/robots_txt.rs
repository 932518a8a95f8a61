#![no_main] libfuzzer_sys::fuzz_target!(|_b: &[u8]| {});
