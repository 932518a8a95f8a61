//! The manifest and the details of the Agent Discovery Protocol.

use agentsdisc_core::format::adp::{Argument, ArgumentValue, RequestOptions};
use agentsdisc_core::{CheckOptions, ConvertError, ConvertOptions, Document, Format, Severity};
use serde_json::{Value, json};

use super::*;

/// A description that states all that both documents need.
const SHOP: &str = r#"{
    "openapi": "3.1.0",
    "info": {"title": "Mug Shop", "version": "1", "description": "Mugs of clay, made to order."},
    "servers": [{"url": "https://api.mugs.example/v1"}],
    "security": [{"key": []}],
    "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}},
    "paths": {
        "/mugs/{id}": {"get": {
            "operationId": "getMug",
            "description": "Returns a mug.",
            "parameters": [
                {"name": "id", "in": "path", "required": true, "description": "Its number", "example": "m 1", "schema": {"type": "string"}},
                {"name": "lang", "in": "query", "description": "Language", "example": "de", "schema": {"type": "string", "enum": ["de", "en"]}}
            ],
            "responses": {"200": {"description": "A mug", "content": {"application/json": {"example": {"id": "m 1"}}}}}
        }},
        "/orders": {"post": {
            "operationId": "create_order",
            "description": "Orders mugs.",
            "requestBody": {"required": true, "content": {"application/json": {"schema": {
                "type": "object", "required": ["mugs"],
                "properties": {"mugs": {"type": "array", "items": {"type": "string"}, "description": "Their numbers", "example": ["m1"]}}
            }}}},
            "responses": {"204": {"description": "Ordered"}}
        }}
    }
}"#;

fn detail_with(document: &Document<'_>, name: &str, options: &ConvertOptions<'_>) -> Converted {
    let options = ConvertOptions { capability: Some(name), ..*options };
    convert_with(document, Format::AdpCapability, &options)
}

fn detail(document: &Document<'_>, name: &str) -> Converted {
    detail_with(document, name, &ConvertOptions::default())
}

fn value(converted: &Converted) -> Value {
    serde_json::from_str(converted.text()).unwrap()
}

/// The errors of the check.
fn errors(bytes: &[u8], format: Format) -> Vec<String> {
    let (document, mut errors) = (parse(bytes, format), Vec::new());
    document.check(&CheckOptions::default(), |found| {
        if found.severity == Severity::Error {
            errors.push(format!("{}: {found}", found.code));
        }
    });
    errors
}

#[test]
fn a_description_becomes_a_manifest_and_details() {
    let document = parse(SHOP.as_bytes(), Format::OpenApi);
    let options =
        ConvertOptions { origin: Some("https://mugs.example"), ..ConvertOptions::default() };
    let manifest = convert_with(&document, Format::Adp, &options);
    assert_eq!(
        value(&manifest),
        json!({
            "spec_version": "1.0",
            "name": "Mug Shop",
            "description": "Mugs of clay, made to order.",
            "base_url": "https://mugs.example",
            "auth": {"type": "api_key", "header": "X-Key", "prefix": ""},
            "capabilities": [
                {"name": "get_mug", "description": "Returns a mug.", "detail_url": "/capabilities/get_mug.json"},
                {"name": "create_order", "description": "Orders mugs.", "detail_url": "/capabilities/create_order.json"},
            ],
        })
    );
    for (path, loss) in [
        ("service.url", ("changed", Severity::Info)),
        ("security_schemes[0]", ("changed", Severity::Info)),
        ("capabilities[0].id", ("changed", Severity::Info)),
        ("capabilities[0].endpoint", ("elsewhere", Severity::Info)),
        ("capabilities[0].parameters[0]", ("elsewhere", Severity::Info)),
    ] {
        assert_eq!(manifest.losses.get(path), Some(&loss), "{path}");
    }
    let get = detail_with(&document, "get_mug", &options);
    assert_eq!(get.text(), detail_with(&document, "getMug", &options).text());
    assert_eq!(
        value(&get),
        json!({
            "name": "get_mug",
            "description": "Returns a mug.",
            "endpoint": "https://api.mugs.example/v1/mugs/{id}",
            "method": "GET",
            "parameters": [
                {"name": "id", "in": "path", "type": "string", "required": true, "description": "Its number", "example": "m 1"},
                {"name": "lang", "in": "query", "type": "string", "description": "Language", "example": "de"},
            ],
            "request_example": {"method": "GET", "url": "https://api.mugs.example/v1/mugs/m%201?lang=de"},
            "response_example": {"status": 200, "body": {"id": "m 1"}},
        })
    );
    // Only what concerns the capability is reported.
    assert!(get.losses.keys().all(|path| path.starts_with("capabilities[0]")), "{:?}", get.losses);
    assert_eq!(get.reason("capabilities[0].parameters[1].options"), "no-place");
    let create = detail_with(&document, "create_order", &options);
    assert_eq!(
        value(&create)["request_example"],
        json!({"method": "POST", "url": "https://api.mugs.example/v1/orders", "body": {"mugs": ["m1"]}})
    );
    assert_eq!(value(&create)["response_example"], json!({"status": 204}));
    // Both documents are valid, and make the request that the description means.
    let texts = [&manifest, &get, &create].map(Converted::text);
    let formats = [Format::Adp, Format::AdpCapability, Format::AdpCapability];
    for (text, format) in texts.into_iter().zip(formats) {
        assert_eq!(errors(text.as_bytes(), format), Vec::<String>::new(), "{text}");
    }
    let [manifest, get, _] = texts;
    let (manifest, get) =
        (parse(manifest.as_bytes(), Format::Adp), parse(get.as_bytes(), Format::AdpCapability));
    let arguments = [Argument { name: "id", value: ArgumentValue::Text("m 1") }];
    let (mut options, mut buffer) = (RequestOptions::with_token("secret"), [0; 512]);
    options.origin = Some("https://mugs.example");
    options.trust_endpoint = true;
    let request = { manifest.adp().unwrap() }
        .request(&get.adp_capability().unwrap(), &arguments, &options, &mut buffer)
        .unwrap();
    let headers: Vec<_> =
        request.headers.map(|one| format!("{}: {}", one.name, one.value)).collect();
    assert_eq!(
        (request.method, request.url, headers),
        ("GET", "https://api.mugs.example/v1/mugs/m%201", vec!["X-Key: secret".to_owned()])
    );
}

#[test]
fn an_agents_txt_becomes_a_manifest() {
    let source = "Spec-Version: 1.0\nSite-Name: Mug Shop\nSite-URL: https://mugs.example/shop\nSite-Description: Sells mugs.\n\n\
        Capability: find-mugs\n  Description: Search\n  Endpoint: https://mugs.example/api/search\n  Rate-Limit: 60/minute\n  Param: q (query, string, required) - Words\n\n\
        Capability: order\n  Endpoint: https://mugs.example/api/order\n  Method: POST\n  Auth: oauth2\n  Auth-Endpoint: https://mugs.example/token\n  Scopes: a, b\n\n\
        Capability: chat\n  Endpoint: https://mugs.example/mcp\n  Protocol: MCP\n\n\
        Capability: slow\n  Endpoint: https://mugs.example/slow\n  Rate-Limit: 5/hour\n";
    let document = parse(source.as_bytes(), Format::AgentsTxt);
    let manifest = convert(&document, Format::Adp);
    assert_eq!(
        value(&manifest),
        json!({
            "spec_version": "1.0", "name": "Mug Shop", "description": "Sells mugs.", "base_url": "https://mugs.example",
            // One of the capabilities needs it.
            "auth": {"type": "oauth2", "token_url": "https://mugs.example/token"},
            "capabilities": [
                {"name": "find_mugs", "description": "Search", "detail_url": "/capabilities/find_mugs.json"},
                {"name": "order", "detail_url": "/capabilities/order.json"},
            ],
        })
    );
    for (path, reason) in [
        ("capabilities[0].rate_limits[0]", "elsewhere"),
        ("capabilities[1].auth.type", "changed"),
        ("capabilities[1].auth.scopes", "elsewhere"),
        ("capabilities[2]", "no-place"),
        ("capabilities[3]", "guarded"),
    ] {
        assert_eq!(manifest.reason(path), reason, "{path}");
    }
    // Without a method, the draft means GET.
    assert_eq!(
        value(&detail(&document, "find-mugs")),
        json!({
            "name": "find_mugs", "description": "Search", "endpoint": "https://mugs.example/api/search", "method": "GET",
            "parameters": [{"name": "q", "in": "query", "type": "string", "required": true, "description": "Words"}],
            "rate_limits": {"requests_per_minute": 60},
        })
    );
    assert_eq!(value(&detail(&document, "order"))["auth_scopes"], json!(["a", "b"]));
    for guarded in ["chat", "slow"] {
        assert_eq!(detail(&document, guarded).result, Err(ConvertError::Refused), "{guarded}");
    }
    let options = ConvertOptions { loosen: true, ..ConvertOptions::default() };
    let slow = detail_with(&document, "slow", &options);
    assert_eq!(slow.reason("capabilities[3].rate_limits[0]"), "no-place");
}

#[test]
fn a_detail_is_of_one_capability() {
    let document = parse(SHOP.as_bytes(), Format::OpenApi);
    for name in ["", "get-mug", "GETMUG", "nothing"] {
        assert_eq!(detail(&document, name).result, Err(ConvertError::NoCapability), "{name}");
    }
    let none = |source: &str, format| {
        convert(&parse(source.as_bytes(), format), Format::AdpCapability).result.map(drop)
    };
    assert_eq!(none(SHOP, Format::OpenApi), Err(ConvertError::NoCapability));
    assert_eq!(none("Spec-Version: 1.0\n", Format::AgentsTxt), Err(ConvertError::NoCapability));
    assert_eq!(none("Capability: a\n", Format::AgentsTxt), Ok(()));
    // What refuses the manifest refuses its details.
    let source = "Capability: a\n\nDisallow: /x\n";
    assert_eq!(none(source, Format::AgentsTxt), Err(ConvertError::Refused));
    // A detail is copied.
    let source = r#"{ "name": "a", "endpoint": "/a", "method": "GET", "parameters": [], "x": 1 }"#;
    let document = parse(source.as_bytes(), Format::AdpCapability);
    assert_eq!(detail(&document, "a").text(), source);
    assert_eq!(detail(&document, "b").result, Err(ConvertError::NoCapability));
}

/// An endpoint that is invalid elsewhere does not become valid, because ADP appends any path.
#[test]
fn endpoints_that_only_adp_resolves_are_left_out() {
    for (endpoint, is_kept) in [
        ("/x", true),
        ("https://mugs.example/x/{id}", true),
        ("x", false),
        ("?x", false),
        ("", false),
        ("//evil.test/x", false),
    ] {
        let source =
            json!({"specVersion": "1.0", "capabilities": [{"id": "a", "endpoint": endpoint}]});
        let source = source.to_string();
        let manifest = convert(&parse(source.as_bytes(), Format::AgentsJson), Format::Adp);
        assert_eq!(!manifest.losses.contains_key("capabilities[0]"), is_kept, "{endpoint}");
    }
}

#[test]
fn a_manifest_stays_as_it_is() {
    let source = r#"{ "spec_version": "1.0", "name": "Mugs", "base_url": "https://mugs.example", "pricing": {"type": "free", "plans": [{"name": "Free", "price": "$0", "limits": "all"}]},
        "capabilities": [{"name": "a", "description": "b", "detail_url": "/details/a", "endpoint": "/a", "method": "POST"}], "x": 1 }"#;
    let document = parse(source.as_bytes(), Format::Adp);
    let manifest = convert(&document, Format::Adp);
    assert_eq!(manifest.text(), source);
    assert!(manifest.losses.is_empty());
    // What the manifest says of its capability is a beginning of the detail.
    assert_eq!(
        value(&detail(&document, "a")),
        json!({"name": "a", "description": "b", "endpoint": "https://mugs.example/a", "method": "POST"})
    );
}

/// A description with these members instead of those of the shop.
fn shop(members: &[(&str, Value)]) -> String {
    let mut shop: Value = serde_json::from_str(SHOP).unwrap();
    for (name, value) in members {
        shop[*name] = value.clone();
    }
    shop.to_string()
}

#[test]
fn keys_are_sent_where_the_source_says() {
    let scheme = |scheme: Value| json!({"securitySchemes": {"key": scheme}});
    let bearer = scheme(json!({"type": "http", "scheme": "bearer"}));
    let flows = json!({"authorizationCode": {
        "authorizationUrl": "https://mugs.example/authorize", "tokenUrl": "https://mugs.example/token", "scopes": {"a": "A"}
    }});
    let oauth2 = scheme(json!({"type": "oauth2", "flows": flows}));
    let two = json!({"securitySchemes": {
        "key": {"type": "apiKey", "in": "header", "name": "X-Key"}, "other": {"type": "apiKey", "in": "header", "name": "X-Other"}
    }});
    let needs = |scopes: Value| json!([{"key": scopes}]);
    let own = |name: &str| json!({"/a": {"get": {"operationId": "a", "security": [{name: []}]}}, "/b": {"get": {"operationId": "b"}}});
    for (members, auth) in [
        (
            vec![("components", bearer)],
            json!({"type": "api_key", "header": "Authorization", "prefix": "Bearer"}),
        ),
        (
            vec![("components", oauth2), ("security", needs(json!(["a"])))],
            json!({
                "type": "oauth2", "authorization_url": "https://mugs.example/authorize",
                "token_url": "https://mugs.example/token", "scopes": ["a"]
            }),
        ),
        // A key in the query, several schemes together, and different keys have no place.
        (
            vec![("components", scheme(json!({"type": "apiKey", "in": "query", "name": "key"})))],
            json!({"type": "unknown"}),
        ),
        (vec![("security", json!([{"key": [], "other": []}]))], json!({"type": "unknown"})),
        (vec![("components", two.clone()), ("paths", own("other"))], json!({"type": "unknown"})),
        // An operation states the only key itself.
        (
            vec![("security", json!([])), ("paths", own("key"))],
            json!({"type": "api_key", "header": "X-Key", "prefix": ""}),
        ),
        (vec![("security", json!([]))], json!({"type": "none"})),
        (vec![("security", Value::Null), ("components", Value::Null)], json!({"type": "none"})),
        // Schemes that are not required may be needed somewhere: nothing is stated.
        (vec![("security", Value::Null)], Value::Null),
    ] {
        let source = shop(&members);
        let manifest = convert(&parse(source.as_bytes(), Format::OpenApi), Format::Adp);
        assert_eq!(value(&manifest)["auth"], auth, "{source}");
    }
}

#[test]
fn what_the_source_lacks_is_not_invented() {
    let convert_shop = |members: &[(&str, Value)], origin| {
        let source = shop(members);
        let options = ConvertOptions { origin, ..ConvertOptions::default() };
        value(&convert_with(&parse(source.as_bytes(), Format::OpenApi), Format::Adp, &options))
    };
    let faults = |manifest: &Value| errors(manifest.to_string().as_bytes(), Format::Adp);
    // Descriptions that are absent, too short and too long are as the source has them.
    for (description, said) in
        [(None, "missing"), (Some("Mugs"), "10 to 200"), (Some(&*"x".repeat(201)), "10 to 200")]
    {
        let info = json!({"title": "Mugs", "version": "1", "description": description});
        let manifest = convert_shop(&[("info", info)], None);
        assert_eq!(manifest.get("description").and_then(Value::as_str), description);
        let faults = faults(&manifest);
        assert!(faults.len() == 1 && faults[0].contains(said), "{faults:?}");
    }
    // The base is where the source is. Without a server, no operation can be called.
    let server = |url: &str| json!([{"url": url}]);
    let site = Some("https://mugs.example/x");
    for (servers, origin, base, count) in [
        (server("https://api.mugs.example/v1"), None, json!("https://api.mugs.example"), 2),
        (server("https://api.mugs.example/v1"), site, json!("https://mugs.example"), 2),
        (server("http://api.mugs.example"), None, json!("http://api.mugs.example"), 2),
        (server("https://a:b@api.mugs.example"), None, Value::Null, 2),
        (server("/v1"), site, json!("https://mugs.example"), 2),
        (server("/v1"), None, Value::Null, 0),
    ] {
        let manifest = convert_shop(&[("servers", servers)], origin);
        assert_eq!(manifest["base_url"], base);
        assert_eq!(manifest["capabilities"].as_array().unwrap().len(), count);
        let is_right = base.as_str().is_some_and(|base| base.starts_with("https:"));
        assert_eq!(faults(&manifest).is_empty(), is_right, "{manifest}");
    }
}

#[test]
fn names_are_in_snake_case() {
    let named = |id: &str| {
        let source = shop(&[("paths", json!({"/a": {"get": {"operationId": id}}}))]);
        let document = parse(source.as_bytes(), Format::OpenApi);
        let manifest = value(&convert(&document, Format::Adp));
        let detail = value(&convert(&document, Format::AdpCapability));
        let entry = &manifest["capabilities"][0];
        assert_eq!(entry["name"], detail["name"]);
        (
            entry["name"].as_str().unwrap().to_owned(),
            entry["detail_url"].as_str().map(str::to_owned),
        )
    };
    let long = "x".repeat(600);
    for (id, name, file) in [
        ("send_email", "send_email", Some("send_email")),
        ("Send e-mail!", "send_e_mail", Some("send_e_mail")),
        ("listV2Mugs", "list_v2_mugs", Some("list_v2_mugs")),
        (" ", "get_a", Some("get_a")),
        ("3d", "3d", Some("3d")),
        ("größe", "gr_e", Some("gr_e")),
        // Without letters of ASCII, and if it is too long, a name stays as it is.
        ("../..", "../..", Some("..%2F..")),
        ("\u{e9}/\n", "\u{e9}/\n", Some("%C3%A9%2F%0A")),
        (&long, &long, None),
    ] {
        let url = file.map(|file| format!("/capabilities/{file}.json"));
        assert_eq!(named(id), (name.to_owned(), url), "{id}");
    }
    // Names that become equal are kept, and the check names them.
    let source =
        "Site-Name: M\nSite-URL: https://mugs.example\n\nCapability: a-b\n\nCapability: a_b\n";
    let manifest = convert(&parse(source.as_bytes(), Format::AgentsTxt), Format::Adp);
    assert_eq!(value(&manifest)["capabilities"].as_array().unwrap().len(), 2);
    let said = errors(manifest.text().as_bytes(), Format::Adp);
    assert!(said.iter().any(|said| said.starts_with("duplicate-id")), "{said:?}");
}

#[test]
fn an_example_is_complete_or_absent() {
    let operation = |parameters: Value, body: Value| {
        let get = json!({"operationId": "a", "parameters": parameters, "requestBody": body});
        let source = shop(&[("paths", json!({"/a/{x}": {"post": get}}))]);
        let document = parse(source.as_bytes(), Format::OpenApi);
        value(&convert(&document, Format::AdpCapability))["request_example"].clone()
    };
    let x = |example: Value| json!({"name": "x", "in": "path", "required": true, "schema": {"type": "string", "example": example}});
    let header = |required: bool| json!({"name": "X-Y", "in": "header", "required": required, "schema": {"type": "integer"}});
    let body = |media: Value| json!({"required": true, "content": {"application/json": media}});
    let schema =
        json!({"type": "object", "required": ["z"], "properties": {"z": {"type": "object"}}});
    for parameters in [
        json!([]),
        json!([x(Value::Null)]),
        json!([x(json!(".."))]),
        json!([x(json!("1")), header(true)]),
    ] {
        assert_eq!(operation(parameters.clone(), Value::Null), Value::Null, "{parameters}");
    }
    let url = "https://api.mugs.example/v1/a/1";
    assert_eq!(
        operation(json!([x(json!(1)), header(false)]), Value::Null),
        json!({"method": "POST", "url": url})
    );
    assert_eq!(operation(json!([x(json!("1"))]), body(json!({"schema": schema}))), Value::Null);
    for media in [
        json!({"schema": schema, "example": {"z": {}}}),
        json!({"schema": schema, "examples": {"one": {"value": {"z": {}}}}}),
    ] {
        let example = operation(json!([x(json!("1"))]), body(media));
        assert_eq!(example, json!({"method": "POST", "url": url, "body": {"z": {}}}));
    }
}

/// Checks all guarantees for the details of one document: what they say, and that they have all
/// that the manifest leaves to them.
fn details_hold(document: &Document<'_>, about: &str) {
    let manifest = convert(document, Format::Adp);
    let Ok(bytes) = &manifest.result else { return };
    let (before, mut names) = (model(document), Vec::new());
    for one in parse(bytes, Format::Adp).manifest().capabilities().take(20) {
        let name = one.id.map(|id| id.to_string()).unwrap_or_default();
        if names.contains(&name) {
            continue;
        }
        let converted = detail(document, &name);
        if document.format() == Format::Adp && converted.result.is_err() {
            continue;
        }
        let text =
            converted.result.as_ref().unwrap_or_else(|error| panic!("{error}: {about} {name}"));
        // Its name may differ from its id; then a loss says which one it is.
        let index = { document.manifest().capabilities() }
            .position(|own| own.id.is_some_and(|id| id == *name.as_str()))
            .or_else(|| {
                let (_, rest) = converted.losses.keys().next()?.split_once('[')?;
                rest.split_once(']')?.0.parse().ok()
            });
        names.push(name);
        let index = index.unwrap_or_else(|| panic!("{about}: {:?}", converted.losses));
        let path = format!("capabilities[{index}]");
        let written = model(&parse(text, Format::AdpCapability));
        if let Some(left) = pruned(&before["capabilities"][index], &path, &converted.losses)
            && let Some(where_) = missing(&left, &written["capabilities"][0], "")
        {
            panic!("{where_}\n{about}\n{}\n{:#?}", String::from_utf8_lossy(text), converted.losses);
        }
        // What the manifest leaves to the detail is there, or reported there.
        for (place, (reason, _)) in &manifest.losses {
            let is_own = place.starts_with(&format!("{path}."));
            if is_own && *reason == "elsewhere" {
                let is_back = converted.losses.get(place).is_some_and(|loss| loss.0 == "elsewhere");
                assert!(!is_back, "{place} is nowhere: {about}");
            }
        }
        let again = convert(&parse(text, Format::AdpCapability), Format::AdpCapability);
        assert_eq!(again.result.as_ref(), Ok(text));
    }
}

#[test]
fn every_loss_of_a_detail_is_reported() {
    let mut done = 0;
    for path in vectors::inputs() {
        let input = fs::read(&path).unwrap();
        let Ok(document) = vectors::parse(&input, &vectors::expected(&path)) else {
            continue;
        };
        // A detail is copied.
        let is_detail = document.format() == Format::AdpCapability;
        if Format::AdpCapability.is_made_of(document.format()) && !is_detail {
            details_hold(&document, &path.display().to_string());
            done += 1;
        }
    }
    assert!(done > 500, "{done}");
    for kind in Kind::ALL {
        let request = Request { kind, size: 3000, layout: Layout::Pretty, seed: 1 };
        let bytes = agentsdisc_generator::document(&request);
        let document = Document::parse(&bytes).unwrap();
        let is_detail = document.format() == Format::AdpCapability;
        if Format::AdpCapability.is_made_of(document.format()) && !is_detail {
            details_hold(&document, &format!("{kind:?}"));
        }
    }
}

/// The places of all values inside a value, as JSON Pointers.
fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    let members = value.as_object().into_iter().flatten();
    let members = members.map(|(name, value)| (name.replace('~', "~0").replace('/', "~1"), value));
    let elements = value.as_array().into_iter().flatten().enumerate();
    let elements = elements.map(|(index, value)| (index.to_string(), value));
    for (name, value) in members.chain(elements) {
        let place = format!("{at}/{name}");
        places(value, &place, all);
        all.push(place);
    }
}

#[test]
fn a_damaged_description_makes_no_wrong_documents() {
    let (shop, mut all) = (serde_json::from_str(SHOP).unwrap(), Vec::new());
    places(&shop, "", &mut all);
    let mut done = 0;
    for place in all {
        for odd in [
            json!(null),
            json!(true),
            json!(""),
            json!("/{a}?\u{7f}"),
            json!([{}]),
            json!({"a": ["x"]}),
        ] {
            let mut damaged = shop.clone();
            *damaged.pointer_mut(&place).unwrap() = odd;
            let text = damaged.to_string();
            let options = ParseOptions { format: Some(Format::OpenApi), ..ParseOptions::default() };
            if let Ok(document) = Document::parse_with(text.as_bytes(), &options) {
                holds(&document, Format::Adp, &text);
                details_hold(&document, &text);
                done += 1;
            }
        }
    }
    assert!(done > 300, "{done}");
}
