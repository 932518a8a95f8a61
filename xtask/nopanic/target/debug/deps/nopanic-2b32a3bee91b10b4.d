/work/main/xtask/nopanic/target/debug/deps/nopanic-2b32a3bee91b10b4.d: src/lib.rs src/./agents_md.rs src/./basics.rs src/./call.rs src/./discovery.rs src/./documents.rs src/./formats.rs src/./json.rs src/./lines.rs src/./manifest.rs src/./markdown.rs src/./policy.rs src/./requests.rs src/./robots.rs src/./scan.rs src/./url.rs src/./write.rs src/./yaml.rs

/work/main/xtask/nopanic/target/debug/deps/libnopanic-2b32a3bee91b10b4.rmeta: src/lib.rs src/./agents_md.rs src/./basics.rs src/./call.rs src/./discovery.rs src/./documents.rs src/./formats.rs src/./json.rs src/./lines.rs src/./manifest.rs src/./markdown.rs src/./policy.rs src/./requests.rs src/./robots.rs src/./scan.rs src/./url.rs src/./write.rs src/./yaml.rs

src/lib.rs:
src/./agents_md.rs:
src/./basics.rs:
src/./call.rs:
src/./discovery.rs:
src/./documents.rs:
src/./formats.rs:
src/./json.rs:
src/./lines.rs:
src/./manifest.rs:
src/./markdown.rs:
src/./policy.rs:
src/./requests.rs:
src/./robots.rs:
src/./scan.rs:
src/./url.rs:
src/./write.rs:
src/./yaml.rs:
