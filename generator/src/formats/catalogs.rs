//! Catalogs of documents, skills and APIs.

use super::Making;
use crate::json::{Json, Object};
use crate::site::{Operation, Site};

pub(super) fn ai_catalog(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let entry = |site: &Site, o: &Operation| -> Json {
        let name = o.name("-");
        Object::new()
            .with("identifier", format!("urn:air:{}:server:{name}", site.host))
            .with("displayName", o.name(" "))
            .with("type", "application/mcp-server-card+json")
            .with("url", site.url(&format!("/mcp/{name}.json")))
            .with("description", o.description.as_str())
            .with("tags", o.group.clone())
            .with("updatedAt", "2026-05-04T08:30:00Z")
            .into()
    };
    let host = Object::new()
        .with("displayName", site.name.as_str())
        .with("identifier", format!("did:web:{}", site.host));
    let head = Object::new().with("specVersion", "1.0").with("host", host);
    let (layout, base) = (making.layout, Json::from(head.clone()).write(making.layout).len() + 20);
    let probe = site.clone();
    let operations = making.operations(&mut site, base, |o| entry(&probe, o).length(layout, 2));
    let entries: Vec<_> = operations.iter().map(|o| entry(&site, o)).collect();
    head.with("entries", entries).into()
}

pub(super) fn agent_skills(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let skill = |o: &Operation| -> Json {
        let name = o.name("-");
        // The digits are arbitrary, because the artifacts do not exist.
        let digest = name.bytes().cycle().map(|byte| format!("{byte:02x}"));
        Object::new()
            .with("name", name.as_str())
            .with("type", "skill-md")
            .with("description", o.description.as_str())
            .with("url", format!("/.well-known/agent-skills/{name}/SKILL.md"))
            .with("digest", format!("sha256:{}", digest.take(32).collect::<String>()))
            .into()
    };
    let schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
    let head = Object::new().with("$schema", schema);
    let (layout, base) = (making.layout, Json::from(head.clone()).write(making.layout).len() + 20);
    let operations = making.operations(&mut site, base, |o| skill(o).length(layout, 2));
    let skills: Vec<_> = operations.iter().map(skill).collect();
    head.with("skills", skills).into()
}

pub(super) fn api_catalog(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let context = |site: &Site, o: &Operation| -> Json {
        let anchor = site.url(&format!("/apis/{}", o.name("-")));
        let target = |end: &str, kind: &str| -> Vec<Json> {
            let target = Object::new()
                .with("href", format!("{anchor}/{end}"))
                .with("type", kind)
                .with("title", o.description.as_str());
            vec![target.into()]
        };
        Object::new()
            .with("anchor", anchor.as_str())
            .with("service-desc", target("openapi", "application/json"))
            .with("service-doc", target("docs", "text/html"))
            .with("status", target("status", "application/json"))
            .into()
    };
    let (layout, probe) = (making.layout, site.clone());
    let operations = making.operations(&mut site, 20, |o| context(&probe, o).length(layout, 2));
    let contexts: Vec<_> = operations.iter().map(|o| context(&site, o)).collect();
    Object::new().with("linkset", contexts).into()
}
