//! Rebuilds the examples of published details. If the detail determines the request of its example,
//! the library builds exactly this request from the arguments in the example. The other examples
//! are classified and counted.
//!
//! Reads the folder that the environment variable `AGENTSDISC_ADP_EXAMPLES` or `AGENTSDISC_CORPUS`
//! names: every folder in it that has a `manifest.json` and `capabilities/*.json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::adp::{detail, manifest, parse};
use agentsdisc_core::Format;
use agentsdisc_core::call::{Call, Options, Step};
use agentsdisc_core::format::adp;
use agentsdisc_core::format::adp::{Argument, ArgumentValue, RequestError, RequestOptions};
use agentsdisc_core::policy::{Approved, Confirmation, Request, Robots, decide};
use agentsdisc_core::syntax::json::Value;
use serde_json::Value as Json;

/// Folders with a manifest and details.
fn services(folder: &Path, found: &mut Vec<PathBuf>) {
    if folder.join("manifest.json").is_file() && folder.join("capabilities").is_dir() {
        found.push(folder.to_path_buf());
    }
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            services(&path, found);
        }
    }
}

fn decoded(text: &str, is_form: bool) -> String {
    let (bytes, mut out, mut at) = (text.as_bytes(), Vec::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        let hex = text.get(at + 1..at + 3).map(|hex| u8::from_str_radix(hex, 16));
        match (byte, hex) {
            (b'%', Some(Ok(byte))) => {
                out.push(byte);
                at += 2;
            }
            (b'+', _) if is_form => out.push(b' '),
            _ => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The pairs of a query or form.
fn pairs(query: &str, is_form: bool) -> Vec<(String, String)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (decoded(name, is_form), decoded(value, is_form)))
        .collect()
}

/// Whether a template with names in braces can become a text; adds the required values to `found`.
fn matched(template: &str, text: &str, found: &mut Vec<(String, String)>) -> bool {
    let Some((before, rest)) = template.split_once('{') else {
        return template == text;
    };
    let Some((name, after)) = rest.split_once('}') else {
        return template == text;
    };
    let Some(text) = text.strip_prefix(before) else {
        return false;
    };
    let literal = after.split(['{', '/', '?']).next().unwrap_or_default();
    let end = match literal {
        "" => text.find(['/', '?', '#']).unwrap_or(text.len()),
        literal => match text.get(1..).and_then(|tail| tail.find(literal)) {
            Some(end) => end + 1,
            None => return false,
        },
    };
    let (value, rest) = text.split_at(end);
    found.push((name.to_string(), decoded(value, false)));
    !value.is_empty() && matched(after, rest, found)
}

/// A detail, its example, and the arguments that the example shows.
struct Example<'e> {
    manifest: &'e Json,
    detail: &'e Json,
    example: &'e Json,
    arguments: Vec<(String, Json)>,
}

impl Example<'_> {
    fn is_parameter(&self, name: &str) -> bool {
        let parameters = self.detail["parameters"].as_array();
        parameters.is_some_and(|all| all.iter().any(|own| own["name"] == name))
    }

    /// The URL of the endpoint as a template. `is_appended` states whether the endpoint is appended
    /// to the path of the base URL, or replaces it.
    fn template(&self, is_appended: bool) -> String {
        let base = self.manifest["base_url"].as_str().unwrap().trim_end_matches('/');
        let endpoint = self.detail["endpoint"].as_str().unwrap_or_default();
        let path = base.splitn(4, '/').nth(3).map(|path| format!("/{path}"));
        let repeats = |path: &str| {
            let rest = endpoint.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
        };
        match path {
            _ if endpoint.contains("://") => endpoint.to_string(),
            Some(path) if !is_appended || repeats(&path) => {
                format!("{}{endpoint}", base.strip_suffix(&path).unwrap())
            }
            _ => format!("{base}{endpoint}"),
        }
    }

    /// Whether the path of the example is that of the endpoint.
    fn is_at(&self, template: &str, found: &mut Vec<(String, String)>) -> bool {
        let url = self.example["url"].as_str().unwrap_or_default();
        let path = |url: &str| url.split(['?', '#']).next().unwrap().to_string();
        matched(&path(template), &path(url), found)
    }

    fn header(&self, name: &str) -> Option<&str> {
        let headers = self.example["headers"].as_object()?;
        let found = headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name))?;
        found.1.as_str()
    }

    /// Collects the arguments. If the example does not determine them, returns the class of the
    /// example.
    fn collect(&mut self) -> Option<&'static str> {
        let mut found = Vec::new();
        if !self.is_at(&self.template(true), &mut found) {
            return Some("the URL is not that of the endpoint");
        }
        if found.iter().any(|(_, value)| value.contains('{')) {
            return Some("the URL has placeholders instead of values");
        }
        let method = self.example["method"].as_str();
        let own = self.detail["method"].as_str().unwrap_or_default();
        if method.is_some_and(|method| !method.eq_ignore_ascii_case(own)) {
            return Some("the method is not that of the detail");
        }
        let template = self.template(true);
        let fixed = template.split_once('?').map(|(_, query)| pairs(query, false));
        let url = self.example["url"].as_str().unwrap();
        let query = url.split_once('?').map_or("", |(_, query)| query);
        let mut values: Vec<(String, Json)> =
            found.into_iter().map(|(name, value)| (name, Json::String(value))).collect();
        for pair in pairs(query, false) {
            if fixed.as_ref().is_some_and(|fixed| fixed.contains(&pair)) {
                continue;
            }
            if !self.is_parameter(&pair.0) || values.iter().any(|(name, _)| *name == pair.0) {
                return Some("the query has names that are not parameters");
            }
            values.push((pair.0, Json::String(pair.1)));
        }
        match &self.example["body"] {
            Json::Null => {}
            Json::Object(members) => {
                for (name, value) in members {
                    let is_value =
                        self.is_parameter(name) && !values.iter().any(|(own, _)| own == name);
                    if !is_value {
                        return Some("the body has names that are not parameters");
                    }
                    values.push((name.clone(), value.clone()));
                }
            }
            _ => return Some("the body is a description, or no object"),
        }
        let carrier = self.manifest["auth"]["header"].as_str().unwrap_or("Authorization");
        for (name, value) in self.example["headers"].as_object().into_iter().flatten() {
            let is_own = |one: &str| name.eq_ignore_ascii_case(one);
            if is_own(carrier) || is_own("Authorization") || is_own("Content-Type") {
                continue;
            }
            if let (true, Some(value)) = (self.is_parameter(name), value.as_str()) {
                values.push((name.clone(), Json::String(value.to_string())));
            }
        }
        self.arguments = values;
        None
    }

    /// Whether the example shows every parameter where the library sends it.
    fn is_placed(&self) -> bool {
        let method = self.detail["method"].as_str().unwrap_or_default().to_uppercase();
        let usual = match method.as_str() {
            "GET" | "HEAD" | "DELETE" => "query",
            _ => "body",
        };
        let template = self.template(true);
        let is_in =
            |name: &str, list: &Json| list.as_object().is_some_and(|list| list.contains_key(name));
        let url = self.example["url"].as_str().unwrap();
        let query = url.split_once('?').map_or(Vec::new(), |(_, query)| pairs(query, false));
        self.arguments.iter().all(|(name, _)| {
            let parameters = self.detail["parameters"].as_array().unwrap();
            let parameter = parameters.iter().rev().find(|own| own["name"] == *name);
            let place = parameter.and_then(|own| own["in"].as_str().or(own["location"].as_str()));
            if template.contains(&format!("{{{name}}}")) {
                return true;
            }
            match place.unwrap_or(usual) {
                "query" => query.iter().any(|(own, _)| own == name),
                "body" => is_in(name, &self.example["body"]),
                "header" => self.header(name).is_some(),
                _ => false,
            }
        })
    }
}

/// Builds the request, and returns what differs from the example.
fn difference(example: &Example<'_>, texts: (&str, &str)) -> Option<String> {
    let (service, capability) = (manifest(texts.0), detail(texts.1));
    let values: Vec<_> = example
        .arguments
        .iter()
        .map(|(name, value)| (name, serde_json::to_string(value).unwrap()))
        .collect();
    let arguments: Vec<_> = values
        .iter()
        .map(|(name, value)| Argument {
            name,
            value: ArgumentValue::Json(Value::parse(value.as_bytes()).unwrap()),
        })
        .collect();
    let mut options = RequestOptions::default();
    options.constant_headers = true;
    let mut buffer = vec![0; 1 << 16];
    let request = match service.request(&capability, &arguments, &options, &mut buffer) {
        Ok(request) => request,
        Err(RequestError::MissingArgument(_)) => {
            return Some("a required parameter is not in the example".to_string());
        }
        Err(error) => return Some(format!("OTHER: {error}")),
    };
    if let Some(problem) = planned(&request, texts, &values, example) {
        return Some(problem);
    }
    let url = example.example["url"].as_str().unwrap();
    if decoded(url, false) != decoded(request.url, false) {
        return Some(format!("OTHER: {url} {}", request.url));
    }
    let is_form = request.headers.clone().any(|header| {
        header.name == "Content-Type" && header.value.starts_with("application/x-www-form")
    });
    let is_same = match (&example.example["body"], request.body) {
        (Json::Null, None) => true,
        (Json::Object(members), None) => members.is_empty(),
        (Json::Object(members), Some(body)) if is_form => {
            let text = |value: &Json| value.as_str().map_or(value.to_string(), str::to_string);
            let expected = members.iter().map(|(name, value)| (name.clone(), text(value)));
            pairs(body, true).into_iter().eq(expected)
        }
        (Json::Object(members), Some(body)) => match serde_json::from_str::<Json>(body) {
            Ok(body) => Json::Object(members.clone()) == body,
            // A multipart body; its values are in the parts.
            Err(_) => members.values().all(|value| {
                body.contains(&value.as_str().map_or(value.to_string(), str::to_string))
            }),
        },
        _ => false,
    };
    if !is_same {
        return Some(format!("OTHER: the body {:?}", request.body));
    }
    let carrier = example.manifest["auth"]["header"].as_str().unwrap_or("Authorization");
    for (name, value) in example.example["headers"].as_object().into_iter().flatten() {
        let (is_own, value) = (|one: &str| name.eq_ignore_ascii_case(one), value.as_str());
        let sent = request.headers.clone().find(|header| is_own(header.name));
        // Without a body there is no type, and the boundary is ours.
        let is_type = is_own("Content-Type")
            && (request.body.is_none() || value == Some("multipart/form-data"));
        if !(is_own(carrier) || is_own("Authorization") || is_type)
            && sent.map(|header| header.value) != value
        {
            return Some("a header is a credential or names the caller".to_string());
        }
    }
    None
}

/// Plans the call, and returns how the plan differs from the request.
fn planned(
    request: &adp::Request<'_>,
    (manifest, detail): (&str, &str),
    values: &[(&String, String)],
    example: &Example<'_>,
) -> Option<String> {
    let documents = [parse(manifest, Format::Adp), parse(detail, Format::AdpCapability)];
    let name = example.detail["name"].as_str().unwrap_or_default();
    // The user approves the endpoint: without that, no argument chooses the host that gets the key.
    let (template, host) = (example.template(true), request.url.split('/').nth(2));
    let path = template.splitn(4, '/').nth(3).unwrap_or_default();
    let endpoint = format!("https://{}/{path}", host.unwrap_or_default());
    let approved = [endpoint.as_str()];
    let mut asked = Request::capability("Bot", name);
    asked.approved = Approved::List(&approved);
    let decision = decide(&documents, Robots::NotAsked, &asked);
    let members: Vec<_> = values
        .iter()
        .map(|(name, value)| format!("{}:{value}", Json::from(name.as_str())))
        .collect();
    let arguments = format!("{{{}}}", members.join(","));
    let mut options = Options::default();
    (options.has_credential, options.constant_headers) = (true, true);
    options.confirmed = Confirmation::Must;
    let mut buffer = vec![0; 1 << 16];
    match Call::new().plan(&decision, arguments.as_bytes(), &options, &mut buffer) {
        Ok(plan) => match plan.step {
            Step::Http(own) => (format!("{own:?}") != format!("{request:?}"))
                .then(|| format!("OTHER: the plan is {own:?}, not {request:?}")),
            other => Some(format!("OTHER: the plan is {other:?}")),
        },
        Err(refusal) => Some(format!("OTHER: {refusal} {:?}", refusal.problem)),
    }
}

#[test]
fn examples_are_rebuilt_exactly() {
    let folder =
        ["AGENTSDISC_ADP_EXAMPLES", "AGENTSDISC_CORPUS"].into_iter().find_map(std::env::var_os);
    let Some(folder) = folder else {
        eprintln!(
            "skipped: neither AGENTSDISC_ADP_EXAMPLES nor AGENTSDISC_CORPUS names a folder of real documents"
        );
        return;
    };
    let mut folders = Vec::new();
    services(Path::new(&folder), &mut folders);
    let (mut classes, mut urls) = (BTreeMap::<String, usize>::new(), [0; 3]);
    for folder in folders {
        let manifest_text = fs::read_to_string(folder.join("manifest.json")).unwrap();
        let manifest: Json = serde_json::from_str(&manifest_text).unwrap();
        for entry in fs::read_dir(folder.join("capabilities")).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let detail: Json = serde_json::from_str(&text).unwrap();
            let mut example = Example {
                manifest: &manifest,
                detail: &detail,
                example: &detail["request_example"],
                arguments: Vec::new(),
            };
            let class = if !example.example.is_object() {
                Some("no example".to_string())
            } else if !example.example["url"].is_string() {
                Some("the example has no URL".to_string())
            } else {
                urls[0] += 1;
                urls[1] += usize::from(example.is_at(&example.template(true), &mut Vec::new()));
                urls[2] += usize::from(example.is_at(&example.template(false), &mut Vec::new()));
                let class = example.collect().map(str::to_string);
                class
                    .or_else(|| {
                        (!example.is_placed())
                            .then(|| "an argument is elsewhere than its parameter says".to_string())
                    })
                    .or_else(|| difference(&example, (&manifest_text, &text)))
            };
            if let Some(other) = class.as_ref().filter(|class| class.starts_with("OTHER")) {
                println!("{}: {other}", path.display());
            }
            let class = class.unwrap_or_else(|| "rebuilt exactly".to_string());
            let class = class.split(": ").next().unwrap().to_string();
            *classes.entry(class).or_default() += 1;
        }
    }
    println!("{} URLs; {} match the endpoint, {} by RFC 3986 alone", urls[0], urls[1], urls[2]);
    for (class, count) in &classes {
        println!("{count:6} {class}");
    }
    assert_eq!(classes.get("OTHER"), None, "the detail determines these examples");
    assert!(classes.get("rebuilt exactly").is_some_and(|count| *count > 0));
}
