//! Descriptions of APIs, and documents about how to get access to them.

use super::Making;
use crate::json::{Json, Object};
use crate::rng::Rng;
use crate::site::{Operation, Parameter, Site};

fn texts(list: &[&str]) -> Vec<Json> {
    list.iter().copied().map(Json::from).collect()
}

pub(super) fn openapi(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let typed = |o: &Parameter| Object::new().with("type", o.kind);
    let item = |o: &Operation| -> Json {
        let (body, others): (Vec<_>, Vec<_>) =
            o.parameters.iter().partition(|one| one.location == "body");
        let parameter = |one: &&Parameter| -> Json {
            Object::new()
                .with("name", one.name.as_str())
                .with("in", one.location)
                .with("description", one.description.as_str())
                .with("required", one.required)
                .with("schema", typed(one))
                .into()
        };
        let mut operation = Object::new()
            .with("operationId", o.name("_"))
            .with("summary", o.description.as_str())
            .with("parameters", others.iter().map(parameter).collect::<Vec<Json>>());
        if !body.is_empty() && o.method != "GET" {
            let members = body.iter().fold(Object::new(), |members, one| {
                let described = typed(one).with("description", one.description.as_str());
                members.with(one.name.as_str(), described)
            });
            let schema = Object::new().with("type", "object").with("properties", members);
            let json = Object::new().with("application/json", Object::new().with("schema", schema));
            operation = operation.with("requestBody", Object::new().with("content", json));
        }
        let answer = Object::new().with("description", "The answer.");
        let operation = operation.with("responses", Object::new().with("200", answer));
        Object::new().with(o.method.to_lowercase(), operation).into()
    };
    let path = |o: &Operation| format!("{}/{}", o.path, o.name("-"));
    let info = Object::new()
        .with("title", site.name.as_str())
        .with("description", site.description.as_str())
        .with("version", "1.4.0");
    let server = Object::new().with("url", site.url("/api"));
    let scheme = Object::new().with("type", "http").with("scheme", "bearer");
    let schemes = Object::new().with("token", scheme);
    let need = Object::new().with("token", Vec::<Json>::new());
    let head = Object::new()
        .with("openapi", "3.1.0")
        .with("info", info)
        .with("servers", vec![Json::from(server)])
        .with("security", vec![Json::from(need)])
        .with("components", Object::new().with("securitySchemes", schemes));
    let (layout, base) = (making.layout, Json::from(head.clone()).write(making.layout).len() + 20);
    let length = |o: &Operation| item(o).length(layout, 2) + path(o).len() + 6;
    let operations = making.operations(&mut site, base, length);
    let paths = operations.iter().fold(Object::new(), |paths, o| paths.with(path(o), item(o)));
    head.with("paths", paths).into()
}

/// Returns the scopes of some operations, as many as fit.
fn scopes(making: &mut Making<'_>, site: &mut Site, head: &Object) -> Vec<Json> {
    let (layout, base) = (making.layout, Json::from(head.clone()).write(making.layout).len() + 30);
    let scope = |o: &Operation| Json::from(o.name("."));
    let operations = making.operations(site, base, |o| scope(o).length(layout, 2));
    operations.iter().map(scope).collect()
}

pub(super) fn oauth_protected_resource(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let head = Object::new()
        .with("resource", site.url("/api"))
        .with("resource_name", site.name.as_str())
        .with("authorization_servers", vec![Json::from(format!("https://login.{}", site.host))])
        .with("bearer_methods_supported", texts(&["header"]))
        .with("resource_documentation", site.url("/docs"));
    let scopes = scopes(making, &mut site, &head);
    head.with("scopes_supported", scopes).into()
}

pub(super) fn oauth_authorization_server(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let at = |end: &str| format!("https://login.{}{end}", site.host);
    let head = Object::new()
        .with("issuer", at(""))
        .with("authorization_endpoint", at("/authorize"))
        .with("token_endpoint", at("/token"))
        .with("registration_endpoint", at("/register"))
        .with("response_types_supported", texts(&["code"]))
        .with("grant_types_supported", texts(&["authorization_code", "refresh_token"]))
        .with("token_endpoint_auth_methods_supported", texts(&["none", "private_key_jwt"]))
        .with("code_challenge_methods_supported", texts(&["S256"]));
    let scopes = scopes(making, &mut site, &head);
    head.with("scopes_supported", scopes).into()
}

pub(super) fn signature_directory(making: &mut Making<'_>) -> Json {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let key = |rng: &mut Rng| -> Json {
        // 32 bytes: the last digit has two unused bits, which are zero.
        let places = (0..43).map(|place| rng.below(64) & if place == 42 { 0b11_1100 } else { 63 });
        let digits = places.filter_map(|at| DIGITS.get(at).copied().map(char::from));
        Object::new()
            .with("kty", "OKP")
            .with("crv", "Ed25519")
            .with("x", digits.collect::<String>())
            .with("use", "sig")
            .with("nbf", Json::Number((1_750_000_000 + rng.below(1 << 24)).to_string()))
            .with("exp", Json::Number((1_790_000_000 + rng.below(1 << 24)).to_string()))
            .into()
    };
    let layout = making.layout;
    let keys = making.fill(20, key, |key| key.length(layout, 2));
    Object::new().with("keys", keys).into()
}

/// Returns a text about registration, with the metadata as a block of code.
pub(super) fn auth_md(making: &mut Making<'_>) -> String {
    let mut site = making.site(false);
    let auth = Object::new()
        .with("register_uri", site.url("/agent/auth"))
        .with("claim_uri", site.url("/agent/claim"))
        .with("identity_types_supported", texts(&["anonymous"]))
        .with("anonymous", Object::new().with("credential_types_supported", texts(&["api_key"])));
    let code = Json::from(Object::new().with("agent_auth", auth)).write(crate::Layout::Pretty);
    let text = format!("# auth.md\n\nHow agents register with {}.\n\n", site.name);
    let code = format!("## Metadata\n\n```json\n{}\n```\n\n## Pages\n\n", code.trim_end());
    let line = |site: &Site, o: &Operation| {
        let url = site.url(&format!("/docs/{}.md", o.name("-")));
        format!("- [{}]({url}): {}\n", o.name(" "), o.description)
    };
    let (probe, base) = (site.clone(), text.len() + code.len());
    let operations = making.operations(&mut site, base, |o| line(&probe, o).len());
    text + &code + &operations.iter().map(|o| line(&site, o)).collect::<String>()
}
