//! The examples of the specification, with their layout.

use agentsdisc_core::format::agents_md::{
    ContactKind, FrontMatter, McpAuth, McpSource, McpTransport, SectionKind,
};

use super::{findings, items, parse};

const FORMAT_A: &str = "\
# Example Site

A bookstore since 2010.

## Can
- Search catalog
- Read book details
- Check availability

## Cannot
- Place orders without human
- Access user accounts

## Contact
agents@example.com
";

pub(super) const FORMAT_B: &str = "\
---
version: \"1.0\"
mcp:
  endpoint: https://example.com/.well-known/mcp
  transport: streamable-http
  auth: none
---
# Example Bookstore

Online bookstore with 50,000 titles.

## Can
- Search and browse catalog
- Read reviews and descriptions
- Check prices and stock
- Place orders (authenticated)

## Cannot
- Modify user accounts
- Access admin functions

## Behavior
- Respect 1 request/second
- Cache product data 1 hour
- Identify in User-Agent header

## Contact
agents@example.com
";

pub(super) const MINIMAL: &str = "\
# My Tech Blog

Articles about software development.

## Can
- Read all public articles
- Search by topic
- Access RSS feed at /feed.xml

## Cannot
- Post comments (requires human)
- Access draft posts

## Contact
hello@myblog.example
";

const WITH_MCP: &str = "\
---
version: \"1.0\"
mcp:
  endpoint: https://weather.example/.well-known/mcp
  transport: streamable-http
  auth: none
---
# Weather API

Free weather data for AI agents.

## Can
- Get current conditions
- Get forecasts (up to 7 days)
- Get weather alerts

## Behavior
- 60 requests/minute
- Cache forecasts 30 minutes

## Contact
api@weather.example
";

const E_COMMERCE: &str = "\
---
version: \"1.0\"
mcp:
  endpoint: https://techmart.example/.well-known/mcp
  transport: streamable-http
  auth: oauth2
---
# TechMart

Electronics retailer.

## Can
- Search products
- Compare specifications
- Check prices and stock
- Add to cart (authenticated)
- Checkout (authenticated)

## Cannot
- Access order history without user consent
- Modify account settings

## Behavior
- 1 request/second for browsing
- Identify as AI agent in requests

## Contact
partners@techmart.example
";

pub(super) const EXAMPLES: [&str; 5] = [FORMAT_A, FORMAT_B, MINIMAL, WITH_MCP, E_COMMERCE];

#[test]
fn the_simple_example_is_read() {
    let site = parse(FORMAT_A);
    assert_eq!(site.front_matter(), FrontMatter::Absent);
    assert_eq!(site.title().unwrap(), "Example Site");
    assert_eq!(site.description().unwrap(), "A bookstore since 2010.");
    assert_eq!(
        items(site, SectionKind::Can),
        ["Search catalog", "Read book details", "Check availability"]
    );
    assert_eq!(
        items(site, SectionKind::Cannot),
        ["Place orders without human", "Access user accounts"]
    );
    let contacts: Vec<_> = site.contacts().collect();
    assert_eq!(contacts.len(), 1);
    assert_eq!(
        (contacts[0].text, contacts[0].kind),
        (site.contacts().next().unwrap().text, ContactKind::Email)
    );
    assert_eq!(contacts[0].text, "agents@example.com");
    assert_eq!(site.mcp(), None);
    assert_eq!(site.version(), None);
    assert_eq!(findings(FORMAT_A, Some("https://example.com")), []);
}

#[test]
fn the_structured_example_is_read() {
    let site = parse(FORMAT_B);
    assert_eq!(site.front_matter(), FrontMatter::Closed);
    assert_eq!(site.version().unwrap(), "1.0");
    let mcp = site.mcp().unwrap();
    assert_eq!(mcp.source, McpSource::FrontMatter);
    assert_eq!(mcp.endpoint.unwrap(), "https://example.com/.well-known/mcp");
    assert_eq!((mcp.transport, mcp.auth), (McpTransport::StreamableHttp, McpAuth::None));
    assert_eq!(site.title().unwrap(), "Example Bookstore");
    assert_eq!(site.description().unwrap(), "Online bookstore with 50,000 titles.");
    assert_eq!(items(site, SectionKind::Can).len(), 4);
    assert_eq!(items(site, SectionKind::Behavior).len(), 3);
    assert!(site.rates().map(|rate| (rate.requests, rate.window.as_str())).eq([(1, "second")]));
    assert_eq!(site.cache_seconds(), Some(3_600));
    assert!(
        site.sections()
            .map(|section| section.name.to_string())
            .eq(["Can", "Cannot", "Behavior", "Contact"])
    );
    assert_eq!(findings(FORMAT_B, Some("https://example.com")), []);
    assert_eq!(findings(FORMAT_B, None), []);
}

#[test]
fn the_minimal_example_is_read() {
    let site = parse(MINIMAL);
    assert_eq!(site.title().unwrap(), "My Tech Blog");
    assert_eq!(site.description().unwrap(), "Articles about software development.");
    assert_eq!(
        items(site, SectionKind::Can),
        ["Read all public articles", "Search by topic", "Access RSS feed at /feed.xml"]
    );
    assert_eq!(
        items(site, SectionKind::Cannot),
        ["Post comments (requires human)", "Access draft posts"]
    );
    assert_eq!(site.contacts().next().unwrap().text, "hello@myblog.example");
    assert_eq!(findings(MINIMAL, Some("https://myblog.example")), []);
}

#[test]
fn the_gateway_example_is_read() {
    let site = parse(WITH_MCP);
    assert_eq!(site.mcp().unwrap().endpoint.unwrap(), "https://weather.example/.well-known/mcp");
    assert!(site.rates().map(|rate| (rate.requests, rate.window.as_str())).eq([(60, "minute")]));
    assert_eq!(site.cache_seconds(), Some(1_800));
    assert_eq!(items(site, SectionKind::Cannot).len(), 0);
    assert_eq!(findings(WITH_MCP, Some("https://weather.example")), []);
}

#[test]
fn the_oauth_example_is_read() {
    let site = parse(E_COMMERCE);
    assert_eq!(site.mcp().unwrap().auth, McpAuth::OAuth2);
    assert!(site.rates().map(|rate| (rate.requests, rate.window.as_str())).eq([(1, "second")]));
    assert_eq!(site.cache_seconds(), None);
    assert_eq!(items(site, SectionKind::Can).len(), 5);
    assert_eq!(findings(E_COMMERCE, Some("https://techmart.example")), []);
}
