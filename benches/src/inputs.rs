//! The inputs: generated documents, and real ones from the folder in `AGENTSDISC_CORPUS`.

use std::path::{Path, PathBuf};

use agentsdisc_core::{Document, Format, Hints, detect};
use agentsdisc_generator::{Kind, Layout, Request, document};

/// Documents that are read one after the other.
#[derive(Clone)]
pub struct Input {
    /// The name, such as `5 KB pretty`.
    pub name: String,
    /// The bytes of the documents.
    pub documents: Vec<Vec<u8>>,
}

impl Input {
    /// The total number of bytes.
    pub fn bytes(&self) -> usize {
        self.documents.iter().map(Vec::len).sum()
    }
}

/// The smallest documents of a kind. Cards and catalogs have several required members besides their
/// first item.
const fn smallest(kind: Kind) -> (usize, &'static str) {
    match kind {
        Kind::A2aAgentCard
        | Kind::McpServerCard
        | Kind::AiCatalog
        | Kind::AgentSkills
        | Kind::ApiCatalog
        | Kind::OpenApi
        | Kind::OauthAuthorizationServer
        | Kind::LlmsTxt => (1_000, "1 KB"),
        _ => (500, "0.5 KB"),
    }
}

/// Returns documents of one kind with 0.5 or 1, 5, 20 and 100 KB. JSON is pretty and minified.
/// There are several small documents of each size, so that a branch predictor cannot learn a single
/// one.
pub fn generated(kind: Kind) -> Vec<Input> {
    let layouts: &[_] = if kind.is_json() {
        &[(Layout::Pretty, " pretty"), (Layout::Minified, " minified")]
    } else {
        &[(Layout::Pretty, "")]
    };
    let mut inputs = Vec::new();
    for &(layout, word) in layouts {
        for (size, name) in
            [smallest(kind), (5_000, "5 KB"), (20_000, "20 KB"), (100_000, "100 KB")]
        {
            let count = (100_000 / size).clamp(1, 24) as u64;
            let documents =
                (1..=count).map(|seed| document(&Request { kind, size, layout, seed })).collect();
            inputs.push(Input { name: format!("{}, {name}{word}", kind.id()), documents });
        }
    }
    inputs
}

/// Returns documents of one kind in which no text is a URL.
pub fn without_urls(kind: Kind) -> Vec<Input> {
    let mut inputs = generated(kind);
    for input in &mut inputs {
        input.name.push_str(" without URLs");
        for document in &mut input.documents {
            *document = String::from_utf8_lossy(document).replace("https://", "").into_bytes();
        }
    }
    inputs
}

/// Real documents. Lists are empty if none are found.
pub struct Corpus {
    /// JSON of any format.
    pub json: Vec<Input>,
    /// agents.json of the Internet-Draft.
    pub agents_json: Vec<Input>,
    /// agents.txt of the Internet-Draft.
    pub agents_txt: Vec<Input>,
    /// robots.txt, for readers of lines.
    pub robots: Vec<Input>,
    /// ADP manifests.
    pub adp: Vec<Input>,
}

/// Reads the folder in `AGENTSDISC_CORPUS` and its subfolders.
pub fn corpus() -> Corpus {
    let mut paths = Vec::new();
    if let Some(folder) = std::env::var_os("AGENTSDISC_CORPUS") {
        collect(Path::new(&folder), &mut paths);
    }
    paths.sort();
    let mut found = [const { Vec::new() }; 6];
    let [manifests, details, agents_json, agents_txt, robots, small] = &mut found;
    for path in paths {
        let name = path.to_string_lossy().into_owned();
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        if name.contains("robots") {
            // Readers of lines are not compared on files beyond the limit of RFC 9309, on files
            // that are not text, and on HTML pages.
            let page = detect(&bytes, Hints::default()).format == Format::Html;
            if bytes.len() <= 500 << 10 && std::str::from_utf8(&bytes).is_ok() && !page {
                if bytes.len() < 1000 {
                    small.push(bytes.clone());
                }
                robots.push(bytes);
            }
        } else if name.ends_with("manifest.json") {
            manifests.push(bytes);
        } else if name.contains("capabilities") && name.ends_with(".json") {
            details.push(bytes);
        } else {
            match Document::parse(&bytes).map(|document| document.format()) {
                Ok(Format::AgentsJson) => agents_json.push(bytes),
                Ok(Format::AgentsTxt) => agents_txt.push(bytes),
                _ => {}
            }
        }
    }
    let [manifests, details, agents_json, agents_txt, robots, small] = found;
    let set = |name: &str, documents: &Vec<Vec<u8>>| {
        let name = format!("real {name}, {} files", documents.len());
        // About 1 MB of each collection, evenly sampled: more would measure the memory.
        let bytes: usize = documents.iter().map(Vec::len).sum();
        let some = documents.iter().step_by(bytes.div_ceil(1_000_000).max(1)).cloned().collect();
        if documents.is_empty() { Vec::new() } else { vec![Input { name, documents: some }] }
    };
    Corpus {
        json: [set("ADP manifests", &manifests), set("ADP capability details", &details)]
            .into_iter()
            .flatten()
            .collect(),
        agents_json: set("agents.json", &agents_json),
        agents_txt: set("agents.txt", &agents_txt),
        robots: [set("robots.txt", &robots), set("robots.txt below 1 KB", &small)]
            .into_iter()
            .flatten()
            .collect(),
        adp: set("ADP manifests", &manifests),
    }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() { collect(&path, paths) } else { paths.push(path) }
    }
}
