//! Documents that sites publish, in the folder that the environment variable `AGENTSDISC_WILD`
//! names, if it is set. Its `index.tsv` has a line for each document: the kind, the file, the
//! repository and the path in the repository. No document is read as a format that it does not
//! have.
use std::fs;
use std::path::Path;

use agentsdisc_core::{Format, Hints, detect};

/// The formats that documents of a kind may have. Some follow no format.
fn expected(kind: &str) -> &'static [Format] {
    use Format::*;
    match kind {
        "agents-json" => &[AiPlugin, WildcardAgentsJson, AgentsTxtCom, W2a],
        "agents-txt" => &[RobotsTxt, AgentsTxtCom, LlmsTxt],
        // A title is enough at the place of agents.md.
        "agents-md" => &[AgentsMd, LlmsTxt],
        "AGENTS-md" => &[LlmsTxt],
        "agent-json" => &[A2aAgentCard, Awp],
        "agent-card" => &[A2aAgentCard],
        "mcp-json" | "mcp-server-card" | "server-json" => &[McpServerCard],
        "adp" => &[A2aAgentCard, Aid],
        "ai-catalog" => &[AiCatalog],
        "agent-skills" => &[AgentSkills],
        "api-catalog" => &[ApiCatalog],
        "ai-plugin" => &[AiPlugin],
        "ai-txt" => &[RobotsTxt],
        "llms-txt" | "llms-full" => &[LlmsTxt],
        "robots-txt" => &[RobotsTxt],
        "security-txt" => &[SecurityTxt],
        "oauth-pr" => &[OauthProtectedResource],
        "ucp" => &[UcpProfile],
        "webmcp" => &[WebMcp],
        "rsl" => &[Rsl],
        "http-msg-sig-dir" => &[SignatureDirectory],
        _ => &[],
    }
}

/// The kinds whose documents all follow their format.
const WHOLE: [&str; 12] = [
    "mcp-server-card",
    "server-json",
    "ai-catalog",
    "agent-skills",
    "api-catalog",
    "ai-plugin",
    "security-txt",
    "oauth-pr",
    "webmcp",
    "rsl",
    "http-msg-sig-dir",
    "adp",
];

/// True if a text has a heading and a link, which is enough at the place of an llms.txt.
fn has_links(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.lines().any(|line| line.starts_with("# ")) && (text.contains("://") || text.contains("]("))
}

#[test]
fn no_document_is_read_as_what_it_is_not() {
    let Some(folder) = std::env::var_os("AGENTSDISC_WILD") else {
        eprintln!("skipped: AGENTSDISC_WILD names no folder of documents that sites publish");
        return;
    };
    let folder = Path::new(&folder);
    let index = fs::read_to_string(folder.join("index.tsv")).unwrap();
    let mut wrong = Vec::new();
    for line in index.lines().skip(1) {
        let columns: Vec<_> = line.split('\t').collect();
        let (kind, file, path) = (columns[0], columns[1], columns[3]);
        let bytes = fs::read(folder.join(file)).unwrap();
        let place = match path.find(".well-known/") {
            Some(at) => format!("/{}", &path[at..]),
            None => format!("/{}", path.rsplit('/').next().unwrap()),
        };
        for url in [None, Some(place.as_str())] {
            let hints = Hints { url, ..Hints::default() };
            let format = detect(&bytes, hints).format;
            let is_wrong = if format == Format::Unknown {
                url.is_some()
                    && (WHOLE.contains(&kind) || kind.starts_with("llms") && has_links(&bytes))
            } else {
                !expected(kind).contains(&format)
            };
            if is_wrong {
                wrong.push(format!("{file} at {url:?}: {format}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
