/work/main/xtask/nopanic/target/debug/deps/hash32-a26ccf314ac1c413.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hash32-0.3.1/src/lib.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hash32-0.3.1/src/fnv.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hash32-0.3.1/src/murmur3.rs

/work/main/xtask/nopanic/target/debug/deps/libhash32-a26ccf314ac1c413.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hash32-0.3.1/src/lib.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hash32-0.3.1/src/fnv.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hash32-0.3.1/src/murmur3.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hash32-0.3.1/src/lib.rs:
/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hash32-0.3.1/src/fnv.rs:
/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hash32-0.3.1/src/murmur3.rs:
