//! The formats of the Internet-Draft.

use std::fmt::Write;

use super::{AGENTS, Kind, Making, literal, some};
use crate::json::{Json, Layout, Object};
use crate::site::{Operation, Site};

pub(super) fn agents_json(making: &mut Making<'_>) -> Json {
    let mut site = making.site(true);
    let strict = making.is_strict;
    let capability = |site: &Site, o: &Operation| -> Json {
        let mut auth = Object::new().with("type", o.auth);
        if matches!(o.auth, "bearer-token" | "oauth2") {
            auth = auth.with("tokenEndpoint", site.url("/oauth/token"));
            if !site.lean {
                auth = auth.with("docsUrl", site.url("/docs/auth"));
            }
        }
        if !o.scopes.is_empty() {
            auth = auth.with("scopes", o.scopes.clone());
        }
        let parameters: Vec<_> = o
            .parameters
            .iter()
            .map(|p| {
                let is_other = strict && matches!(p.kind, "array" | "object");
                let kind = if is_other { "string" } else { p.kind };
                let mut parameter = Object::new()
                    .with("name", p.name.as_str())
                    .with("in", p.location)
                    .with("type", kind);
                if p.required {
                    parameter = parameter.with("required", true);
                }
                parameter = parameter.with("description", p.description.as_str());
                parameter = parameter.maybe("default", p.default.map(literal));
                if p.name == "limit" {
                    parameter.with("min", 1).with("max", 100)
                } else {
                    parameter
                }
            })
            .collect();
        let mut object = Object::new()
            .with("id", o.name("-"))
            .with("description", o.description.as_str())
            .with("endpoint", site.url(&o.path))
            .with("method", o.method)
            .with("protocol", "REST")
            .with("auth", auth);
        if let Some((requests, window)) = o.rate {
            object = object
                .with("rateLimit", Object::new().with("requests", requests).with("window", window));
        }
        if !parameters.is_empty() {
            object = object.with("parameters", parameters);
        }
        object.into()
    };
    let mut about = Object::new().with("name", site.name.as_str()).with("url", site.url(""));
    if !site.lean {
        about = about
            .with("description", site.description.as_str())
            .with("contact", format!("agents@{}", site.host))
            .with("privacyPolicy", site.url("/privacy"));
    }
    let head = Object::new().with("specVersion", "1.0");
    let head = if site.lean {
        head
    } else {
        head.with("generatedAt", "2026-05-04T08:30:00Z")
            .with("declarationType", "platform")
            .with("agentsJson", site.url(Kind::AgentsJson.path()))
    };
    let head = head.with("site", about);
    let access = Object::new()
        .with("allow", vec!["/v1/*"])
        .with("disallow", vec!["/admin/*", "/internal/*"]);
    // The parts around the capabilities: the header, and policies of agents that grow with the
    // document.
    let policies = if site.lean { 0 } else { (making.size / 4000).clamp(2, AGENTS.len()) };
    let lean = site.lean;
    let ruled = |document: Object| {
        if lean { document } else { document.with("access", access.clone()) }
    };
    let around = Json::from(ruled(head.clone())).write(making.layout).len()
        + 20
        + policies * if making.layout == Layout::Pretty { 260 } else { 150 };
    let layout = making.layout;
    let probe = site.clone();
    let operations =
        making.operations(&mut site, around, |o| capability(&probe, o).length(layout, 2));
    let names: Vec<_> = operations.iter().map(|o| o.name("-")).collect();
    let capabilities: Vec<_> = operations.iter().map(|o| capability(&site, o)).collect();
    let mut document = ruled(head.with("capabilities", capabilities));
    if policies > 0 {
        let mut agents = Object::new().with(
            "*",
            Object::new()
                .with("rateLimit", Object::new().with("requests", 60).with("window", "minute"))
                .with("capabilities", some(making.rng, &names, 6)),
        );
        for name in AGENTS.iter().take(policies - 1) {
            let policy = Object::new()
                .with(
                    "rateLimit",
                    Object::new()
                        .with("requests", making.rng.between(1, 20) * 60)
                        .with("window", "minute"),
                )
                .with("capabilities", some(making.rng, &names, 8));
            agents = agents.with(*name, policy);
        }
        document = document.with("agents", agents);
    }
    document.into()
}

pub(super) fn agents_txt(making: &mut Making<'_>) -> String {
    let mut site = making.site(true);
    let block = |site: &Site, o: &Operation| -> String {
        let mut text = format!("Capability: {}\n  Endpoint: {}\n", o.name("-"), site.url(&o.path));
        let mut field = |name: &str, value: &str| {
            let _ = writeln!(text, "  {name}: {value}");
        };
        field("Method", o.method);
        field("Protocol", "REST");
        field("Auth", o.auth);
        if matches!(o.auth, "bearer-token" | "oauth2") {
            field("Auth-Endpoint", &site.url("/oauth/token"));
        }
        if !o.scopes.is_empty() {
            field("Scopes", &o.scopes.join(", "));
        }
        if let Some((requests, window)) = o.rate {
            field("Rate-Limit", &format!("{requests}/{window}"));
        }
        field("Description", &o.description);
        for p in &o.parameters {
            let required = if p.required { ", required" } else { "" };
            let kind = if matches!(p.kind, "array" | "object") { "string" } else { p.kind };
            field(
                "Param",
                &format!("{} ({}, {kind}{required}) - {}", p.name, p.location, p.description),
            );
        }
        text.push('\n');
        text
    };
    let mut text = format!("# What agents may do at {}\nSpec-Version: 1.0\n", site.name);
    if !site.lean {
        let _ = writeln!(
            text,
            "Generated-At: 2026-05-04T08:30:00Z\nDeclaration-Type: platform\nAgents-JSON: {}\n",
            site.url(Kind::AgentsJson.path())
        );
    }
    let _ = writeln!(text, "Site-Name: {}\nSite-URL: {}", site.name, site.url(""));
    if !site.lean {
        let _ = writeln!(
            text,
            "Site-Description: {}\nSite-Contact: agents@{}\nSite-Privacy-Policy: {}",
            site.description,
            site.host,
            site.url("/privacy")
        );
    }
    text.push('\n');
    let policies = if site.lean { 0 } else { (making.size / 4000).clamp(2, AGENTS.len()) };
    let probe = site.clone();
    let operations =
        making.operations(&mut site, text.len() + 60 + policies * 90, |o| block(&probe, o).len());
    let names: Vec<_> = operations.iter().map(|o| o.name("-")).collect();
    for (number, o) in operations.iter().enumerate() {
        if number % 8 == 7 {
            let _ = writeln!(text, "# --- {} ---\n", o.group.join(" "));
        }
        text.push_str(&block(&site, o));
    }
    text.push_str("Allow: /v1/*\nDisallow: /admin/*\nDisallow: /internal/*\n");
    for number in 0..policies {
        let name = if number == 0 { "*" } else { AGENTS.get(number).unwrap_or(&"heron") };
        let _ = writeln!(
            text,
            "\nAgent: {name}\n  Rate-Limit: {}/minute\n  Capabilities: {}",
            making.rng.between(1, 20) * 60,
            some(making.rng, &names, 6).join(", ")
        );
    }
    text
}
