//! Documents about what a site sells.

use super::Making;
use crate::json::{Json, Object};
use crate::site::{Operation, Site};

const VERSION: &str = "2026-04-08";

pub(super) fn ucp_profile(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let spec = |name: &str| format!("https://ucp.dev/{VERSION}/{name}");
    let binding = Object::new()
        .with("version", VERSION)
        .with("spec", spec("specification/overview/"))
        .with("transport", "rest")
        .with("schema", spec("services/shopping/rest.openapi.json"))
        .with("endpoint", site.url("/ucp/v1"));
    let services = Object::new().with("dev.ucp.shopping", vec![Json::from(binding)]);
    let handler = Object::new().with("id", "cards").with("version", VERSION);
    let handlers = Object::new().with("dev.ucp.cards", vec![Json::from(handler)]);
    let capability = |name: &str| -> Json {
        let version = Object::new()
            .with("version", VERSION)
            .with("spec", spec(&format!("specification/{name}/")))
            .with("schema", spec(&format!("schemas/shopping/{name}.json")));
        vec![Json::from(version)].into()
    };
    let layout = making.layout;
    let operations =
        making.operations(&mut site, 500, |o| capability(&o.name("_")).length(layout, 3) + 30);
    let capabilities = operations.iter().fold(Object::new(), |capabilities, o| {
        let name = o.name("_");
        capabilities.with(format!("dev.ucp.shopping.{name}"), capability(&name))
    });
    let ucp = Object::new()
        .with("version", VERSION)
        .with("services", services)
        .with("capabilities", capabilities)
        .with("payment_handlers", handlers);
    Object::new().with("ucp", ucp).into()
}

pub(super) fn acp(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let extension = |site: &Site, o: &Operation| -> Json {
        let name = o.name("_");
        Object::new()
            .with("name", name.as_str())
            .with("spec", site.url(&format!("/acp/{name}")))
            .with("schema", site.url(&format!("/acp/{name}.json")))
            .into()
    };
    let (layout, probe) = (making.layout, site.clone());
    let operations = making.operations(&mut site, 400, |o| extension(&probe, o).length(layout, 3));
    let extensions: Vec<_> = operations.iter().map(|o| extension(&site, o)).collect();
    let version = "2026-01-30";
    let protocol = Object::new()
        .with("name", "acp")
        .with("version", version)
        .with("supported_versions", vec![Json::from(version)]);
    let capabilities = Object::new()
        .with("services", vec![Json::from("checkout"), Json::from("orders")])
        .with("extensions", extensions);
    Object::new()
        .with("protocol", protocol)
        .with("api_base_url", site.url("/acp"))
        .with("transports", vec![Json::from("rest")])
        .with("capabilities", capabilities)
        .into()
}

pub(super) fn x402(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let item = |site: &Site, o: &Operation| -> Json {
        let way = Object::new()
            .with("scheme", "exact")
            .with("network", "eip155:8453")
            .with("amount", "10000")
            .with("asset", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913")
            .with("payTo", "0x52908400098527886E0F7030069857D2E4169EE7")
            .with("maxTimeoutSeconds", 60_usize);
        Object::new()
            .with("resource", site.url(&format!("/{}", o.name("-"))))
            .with("description", o.description.as_str())
            .with("accepts", vec![Json::from(way)])
            .into()
    };
    let (layout, probe) = (making.layout, site.clone());
    let operations = making.operations(&mut site, 60, |o| item(&probe, o).length(layout, 2));
    let items: Vec<_> = operations.iter().map(|o| item(&site, o)).collect();
    Object::new().with("x402Version", 2_usize).with("items", items).into()
}
