//! The formats in Markdown, and robots.txt.

use super::{AGENTS, Making};
use crate::site::{Operation, Site};

pub(super) fn agents_md(making: &mut Making<'_>) -> String {
    let mut site = making.site(false);
    let mut text = format!(
        "---\nversion: 1.0\nmcp:\n  endpoint: {}\n  transport: streamable-http\n  auth: none\n---\n\n# {}\n\n{}\n\n",
        site.url("/.well-known/mcp"),
        site.name,
        site.description
    );
    let end = format!(
        "\n## Behavior\n\n- Respect 1 request/second\n- Cache answers for 30 minutes\n- Say who you are in the User-Agent header\n\n## Contact\n\n- agents@{}\n- {}\n",
        site.host,
        site.url("/docs")
    );
    let line = |o: &Operation| {
        format!("- {} (`{} {}`)\n", o.description.trim_end_matches('.'), o.method, o.path)
    };
    let operations = making.operations(&mut site, text.len() + end.len() + 30, |o| line(o).len());
    let cannot = operations.len() / 4;
    let strict = making.is_strict;
    let (forbidden, allowed) = operations.split_at(cannot);
    for (heading, part) in [("## Can\n\n", allowed), ("\n## Cannot\n\n", forbidden)] {
        if strict && part.is_empty() {
            continue;
        }
        text.push_str(heading);
        for o in part {
            text.push_str(&line(o));
        }
    }
    text + &end
}

/// Returns sections of up to eight links with notes.
pub(super) fn llms_txt(making: &mut Making<'_>) -> String {
    let mut site = making.site(false);
    let mut text = format!("# {}\n\n> {}\n", site.name, site.description);
    let line = |site: &Site, o: &Operation| {
        let url = site.url(&format!("/docs/{}.md", o.name("-")));
        format!("- [{}]({url}): {}\n", o.name(" "), o.description)
    };
    let probe = site.clone();
    let operations = making.operations(&mut site, text.len() + 20, |o| line(&probe, o).len() + 2);
    for (number, o) in operations.iter().enumerate() {
        if number % 8 == 0 {
            text += &format!("\n## {}\n\n", o.group.join(" "));
        }
        text += &line(&site, o);
    }
    text
}

/// Returns lines as in published robots.txt files: nearly all `Disallow`, with a median of 24 (15,
/// 60) bytes.
pub(super) fn robots_txt(making: &mut Making<'_>) -> String {
    const PLACES: &[&str] = &[
        "admin",
        "cart",
        "search",
        "tmp",
        "login",
        "private",
        "cgi-bin",
        "feed",
        "print",
        "wp-includes",
        "checkout",
        "node",
    ];
    let site = making.site(false);
    let mut text = String::from("# robots.txt\nUser-agent: *\n");
    let end = format!("\nSitemap: {}\n", site.url("/sitemap.xml"));
    let strict = making.is_strict;
    let lines = making.fill(
        text.len() + end.len(),
        |rng| {
            let place = *rng.pick(PLACES);
            let other = *rng.pick(PLACES);
            match rng.weighted(&[(70, 0), (8, 1), (8, 2), (6, 3), (4, 4), (6, 5), (2, 6)]) {
                0 => format!("Disallow: /{place}/{other}/\n"),
                1 => format!("Allow: /{place}/{other}.html$\n"),
                2 if strict => {
                    format!("\nUser-agent: {}\nDisallow: /{place}/\n", rng.pick(AGENTS))
                }
                2 => format!("\nUser-agent: {}\n", rng.pick(AGENTS)),
                3 => format!("# {place} and {other}\n"),
                4 => format!("Disallow: /*?{other}=*&{place}=\n"),
                5 => format!(
                    "Disallow: /{place}/{:x}/index.php?page={other}&id={}\n",
                    rng.below(1 << 24),
                    rng.below(10_000)
                ),
                _ => format!("Crawl-delay: {}\n", rng.between(1, 30)),
            }
        },
        String::len,
    );
    text.extend(lines);
    text + &end
}
