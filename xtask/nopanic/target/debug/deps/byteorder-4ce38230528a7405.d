/work/main/xtask/nopanic/target/debug/deps/byteorder-4ce38230528a7405.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/byteorder-1.5.0/src/lib.rs

/work/main/xtask/nopanic/target/debug/deps/libbyteorder-4ce38230528a7405.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/byteorder-1.5.0/src/lib.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/byteorder-1.5.0/src/lib.rs:
