//! Compiles the examples with every installed compiler, without warnings, and runs them. The steps
//! `c-…` of `cargo xtask test` run the test programs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod compile;

/// A document with every part that the examples print, and with control characters: escape, and its
/// counterpart above U+0080.
const DOCUMENT: &str = r#"{"specVersion": "1.0", "site": {"name": "Müg\u001b \"Shop\"\u009b", "url": "https://mugs.example"},
    "capabilities": [{"id": "search", "endpoint": "https:\/\/mugs.example/s", "protocol": "REST", "auth": {"type": "api_key"},
        "parameters": [{"name": "q", "in": "query", "type": "string", "required": true}, {"name": "page", "in": "query", "type": "integer"}],
        "rateLimit": {"requests": 60, "window": "minute"}}]}"#;

#[test]
fn examples_print_the_capabilities_of_a_document() {
    let file = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mugs.json");
    std::fs::write(&file, DOCUMENT).unwrap();
    let common = "Müg? \"Shop\"?\n- search\n    at https://mugs.example/s\n";
    let c = format!(
        "{common}    authentication: api-key\n    needs q\n    takes page\n    at most 60 requests a minute\n"
    );
    let cpp = format!("{common}    needs q\n    takes page\n");
    for (name, expected) in [("capabilities.c", c), ("capabilities.cpp", cpp)] {
        let source = compile::package().join("examples").join(name);
        for compiler in compile::compilers(&source) {
            let output = compile::run(&compile::compile(compiler, &source), &[&file]);
            assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{name}");
        }
    }
}

#[test]
fn the_folder_example_reads_every_vector() {
    let source = compile::package().join("examples/folder.c");
    for compiler in compile::compilers(&source) {
        let program = compile::compile(compiler, &source);
        let walked = |folder: &std::path::Path| {
            String::from_utf8_lossy(&compile::run(&program, &[folder]).stdout).into_owned()
        };
        let output = walked(&compile::vectors());
        assert!(
            output.lines().filter(|line| line.contains(".in: agents-json, ")).count() > 100,
            "{output}"
        );
        assert!(output.lines().any(|line| line.contains("JSON")), "{output}");
        // The folder .well-known is not skipped as hidden.
        let output = walked(&compile::package().join("../samples"));
        assert!(
            output.contains("/shop.example/.well-known/agents.json: agents-json, 0 errors"),
            "{output}"
        );
    }
}

#[test]
fn the_robots_example_prints_the_reason() {
    let file = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("example.robots");
    std::fs::write(&file, "User-agent: *\nCrawl-delay: 2.5\nDisallow: /private\n").unwrap();
    let source = compile::package().join("examples/robots.c");
    for compiler in compile::compilers(&source) {
        let program = compile::compile(compiler, &source);
        let ask = |file: &std::path::Path, url: &str| {
            let output = std::process::Command::new(&program)
                .arg(file)
                .args(["Bot/1.0", url])
                .output()
                .unwrap();
            (output.status.code(), String::from_utf8(output.stdout).unwrap())
        };
        let delay = "at most one request in 2.500 seconds\n";
        assert_eq!(
            ask(&file, "https://example.com/private/x"),
            (Some(1), format!("disallowed: rule, line 3: /private\n{delay}"))
        );
        assert_eq!(ask(&file, "/"), (Some(0), format!("allowed: no-rule\n{delay}")));
        assert_eq!(
            ask(&file.with_extension("none"), "/"),
            (Some(1), "disallowed: rule, line 2: /\n".into())
        );
    }
}

/// The server of the Python tests; it stops at the end of its input.
struct Server {
    process: std::process::Child,
    url: String,
}

impl Server {
    /// Starts the server; `None` if Python is not installed.
    fn start() -> Option<Self> {
        use std::io::{BufRead, BufReader};
        use std::process::{Command, Stdio};
        let script = compile::package().join("../python/tests/server.py");
        let mut process = Command::new("python3")
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let mut url = String::new();
        BufReader::new(process.stdout.take()?).read_line(&mut url).ok()?;
        if url.is_empty() { None } else { Some(Self { process, url: url.trim().to_owned() }) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        drop(self.process.wait());
    }
}

/// Whether a library is installed for development.
fn has(library: &str) -> bool {
    let output = std::process::Command::new("pkg-config").args(["--exists", library]).status();
    output.is_ok_and(|status| status.success())
}

#[test]
fn the_identity_example_verifies_the_published_requests() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    if !has("libcrypto >= 1.1.1") {
        assert!(std::env::var_os("CI").is_none(), "OpenSSL is not installed for development");
        return;
    }
    let vectors = std::fs::read(compile::vectors().join("identity/examples.json")).unwrap();
    let file: serde_json::Value = serde_json::from_slice(&vectors).unwrap();
    let keys = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("keys.json");
    std::fs::write(&keys, file["keys"].to_string()).unwrap();
    let source = compile::package().join("examples/identity.c");
    for compiler in compile::compilers(&source) {
        let program = compile::compile_with(compiler, &source, &["-lcrypto"]);
        let ask = |case: &serde_json::Value, url: &str, now: u64| {
            let mut process = Command::new(&program)
                .arg(&keys)
                .args([case["method"].as_str().unwrap(), url])
                .env("NOW", now.to_string())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut fields = process.stdin.take().unwrap();
            for (name, value) in case["headers"].as_object().unwrap() {
                writeln!(fields, "{name}: {}", value.as_str().unwrap()).unwrap();
            }
            drop(fields);
            let output = process.wait_with_output().unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            let reason = said.split(':').next().unwrap_or_default().to_owned();
            (output.status.code(), reason)
        };
        let cases = file["vectors"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|case| case.get("now").is_some() && case["algorithm"] == "ed25519");
        let mut count = 0;
        for case in cases {
            let (url, now) = (case["url"].as_str().unwrap(), case["now"].as_u64().unwrap());
            assert_eq!(ask(case, url, now), (Some(0), "valid".into()), "{}", case["name"]);
            let other = url.replace("example", "sample");
            assert_eq!(ask(case, &other, now), (Some(1), "wrong-signature".into()));
            assert_eq!(ask(case, url, 9_999_999_999), (Some(1), "expired".into()));
            count += 1;
        }
        assert_eq!(count, 2);
    }
}

#[test]
fn the_agent_example_discovers_a_site() {
    let server = if has("libcurl >= 7.68") { Server::start() } else { None };
    let Some(server) = server else {
        assert!(std::env::var_os("CI").is_none(), "libcurl or Python is not installed");
        return;
    };
    let source = compile::package().join("examples/agent.c");
    for compiler in compile::compilers(&source) {
        let program = compile::compile_with(compiler, &source, &["-lcurl"]);
        let ask = |arguments: &[&str]| {
            let output = std::process::Command::new(&program).args(arguments).output().unwrap();
            (output.status.code(), String::from_utf8(output.stdout).unwrap())
        };
        let url = &server.url;
        let (code, output) = ask(&["--allow-private", url, "Bot/1.0", "/x"]);
        let expected = format!(
            "{url}/.well-known/agents.json: agents-json\n  - search at https://a.example/s\n\
             {url}/moved.txt: agents-txt\n\
             {url}/.well-known/agents.txt: not-found\n\
             {url}/.well-known/agents.md: off-site\n\
             {url}/agent.json: too-large\n\
             {url}/.well-known/agent: redirect-loop\n\
             {url}/.well-known/agent-card.json: not-found\n\
             {url}/.well-known/ard.json: not-found\n\
             {url}/llms.txt: not-found\n\
             {url}/: not-found\n\
             {url}/.well-known/agent.json: not-found\n\
             {url}/.well-known/ai-catalog.json: not-found\n\
             not allowed: /x: robots-disallowed (line 2 of robots.txt)\n"
        );
        assert_eq!((code, output.as_str()), (Some(1), expected.as_str()));
        // A site with documents allows only what they name; its endpoint on another domain needs --approve.
        for (arguments, code, last) in [
            (&[url, "Bot/1.0", "/y"][..], 1, "not allowed: /y: no-access-rules"),
            (&[url, "Bot/1.0", "no-such"], 1, "not allowed: no-such: unknown-capability"),
            (
                &[url, "Bot/1.0", "search"],
                1,
                "not allowed: search: cross-origin-endpoint (line 1 of a document)",
            ),
            (
                &["--approve", "https://a.example/s", url, "Bot/1.0", "search"],
                0,
                "allowed: search: approved-endpoint (line 1 of a document)",
            ),
        ] {
            let (found, output) = ask(&[&["--allow-private"], arguments].concat());
            assert_eq!((found, output.lines().last()), (Some(code), Some(last)), "{output}");
        }
        calls_and_polls(&url.replace("127.0.0.1", "localhost"), &ask);
        // The local machine needs --allow-private, and an unreachable robots.txt disallows everything.
        let (code, output) = ask(&[url, "Bot/1.0", "/y"]);
        assert_eq!((code, output.matches(": address-refused\n").count()), (Some(1), 6), "{output}");
    }
}

/// The agent sends the planned request, and polls until the result is there.
fn calls_and_polls(site: &str, ask: &impl Fn(&[&str]) -> (Option<i32>, String)) {
    let call = |arguments, capability| {
        let (code, output) =
            ask(&["--allow-private", "--call", arguments, site, "Bot/1.0", capability]);
        let end = output.split_once("allowed: ").map(|(_, end)| end.into());
        (code, end.unwrap_or(output))
    };
    let sent = format!(
        "draw: capability-declared (line 1 of a document)\nPOST {site}/draw\nGET {site}/jobs/7\ndone\n  width: 80\n"
    );
    assert_eq!(call(r#"{"what": "a mug"}"#, "draw"), (Some(0), sent));
    let refused =
        "draw: capability-declared (line 1 of a document)\nrefused: missing-argument what\n".into();
    assert_eq!(call("{}", "draw"), (Some(1), refused));
    let denied = "no-such: unknown-capability\n".into();
    assert_eq!(call("{}", "no-such"), (Some(1), denied));
}

/// Returns the code blocks of a language in a Markdown file.
fn blocks(file: &str, language: &str) -> Vec<String> {
    let text = std::fs::read_to_string(compile::package().join("..").join(file)).unwrap();
    let opening = format!("```{language}\n");
    text.split(opening.as_str())
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .map(String::from)
        .collect()
}

#[test]
fn the_programs_in_the_guides_compile() {
    // Fragments are wrapped in a function.
    let head = "#include <agentsdisc.h>\n#include <stdio.h>\nstatic int part(const char *data, size_t length) {\n";
    let tail = "return 0;\n}\nint main(void) { return part(\"Spec-Version: 1.0\\nSite-Name: x\\nSite-URL: https://x.example\\n\", 63) > 1; }\n";
    let parts =
        ["docs/c.md", "README.md"].into_iter().flat_map(|file| blocks(file, "c")).map(|part| {
            let is_program = part.contains("int main(void)");
            let program = if is_program { part } else { format!("{head}{part}{tail}") };
            (program, "c")
        });
    let programs: Vec<_> = parts
        .chain(blocks("docs/c.md", "cpp").into_iter().map(|program| (program, "cpp")))
        .collect();
    assert!(programs.len() > 5, "only {} programs", programs.len());
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("guide");
    std::fs::create_dir_all(&folder).unwrap();
    for (number, (program, extension)) in programs.iter().enumerate() {
        let source = folder.join(format!("{number}.{extension}"));
        std::fs::write(&source, program).unwrap();
        for compiler in compile::compilers(&source).into_iter().take(1) {
            compile::run(&compile::compile(compiler, &source), &[]);
        }
    }
}
