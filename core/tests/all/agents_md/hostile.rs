//! Limits, truncated documents, and documents made to be slow.

use agentsdisc_core::format::agents_md::{AgentsMd, AgentsMdOutline};
use agentsdisc_core::{ErrorKind, Limits};

use super::examples::{EXAMPLES, FORMAT_B, MINIMAL};
use crate::common::time;

/// Calls all accessors of a document.
fn read_all(site: AgentsMd<'_>) -> usize {
    let mut count = site.walk().count()
        + site.sections().map(|section| section.entries().count()).sum::<usize>();
    count += site.metadata().count()
        + site.mcp_metadata().count()
        + site.contacts().count()
        + site.rates().count();
    count += site.cache_seconds().unwrap_or(0) as usize + usize::from(site.mcp().is_some());
    for text in [site.title(), site.description(), site.version()].into_iter().flatten() {
        count += text.decoded_len();
    }
    site.findings(Some("https://example.com"), |diagnostic| count += diagnostic.to_string().len());
    count
}

#[test]
fn limits_are_errors() {
    let limits = |change: fn(&mut Limits)| {
        let mut limits = Limits::DEFAULT;
        change(&mut limits);
        limits
    };
    let kind = |text: &str, limits: &Limits| {
        AgentsMd::parse(text.as_bytes(), limits)
            .map(|_| ())
            .map_err(|error| (error.kind, error.offset))
    };
    assert_eq!(kind("# Name", &limits(|l| l.document = 5)), Err((ErrorKind::TooLarge, 5)));
    assert_eq!(kind("# A\nlong line\n", &limits(|l| l.line = 8)), Err((ErrorKind::LineTooLong, 4)));
    assert_eq!(kind("# A\nlong line\n", &limits(|l| l.line = 9)), Ok(()));
    assert_eq!(kind("# A\n> > a", &limits(|l| l.depth = 1)), Err((ErrorKind::TooDeep, 6)));
    assert_eq!(
        kind("---\na:\n  b:\n    c: 1\n---\n", &limits(|l| l.depth = 2)),
        Err((ErrorKind::TooDeep, 16))
    );
    assert!(
        matches!(AgentsMd::parse(b"# \xff", &Limits::DEFAULT), Err(error) if error.kind == ErrorKind::InvalidUtf8 && error.offset == 2)
    );
}

#[test]
fn an_outline_does_not_borrow_the_document() {
    let outline: AgentsMdOutline = {
        let bytes = FORMAT_B.as_bytes().to_vec();
        AgentsMdOutline::read(&bytes, &Limits::DEFAULT).unwrap()
    };
    assert_eq!(outline.attach(FORMAT_B.as_bytes()).title().unwrap(), "Example Bookstore");
    // With other bytes the results are wrong, but nothing panics.
    read_all(outline.attach(b"short"));
    read_all(outline.attach(MINIMAL.as_bytes()));
}

#[test]
fn every_truncation_of_every_example_is_read() {
    let more = "\u{feff}---\na: \"x\\u00e9\n  y\"\nb: |2-\n   c\nd: [e, {f: 'g'}]\n...\nT\n=\n> q\n> - 1) x\n>\n>   y\n\n~~~\n## Can\n~~~\n\
                <pre>\n</pre>\n## MCP\nendpoint: https://a.test\n## Contact\n- <a@b>\n";
    for text in EXAMPLES.into_iter().chain([more]) {
        for end in 0..=text.len() {
            match AgentsMd::parse(&text.as_bytes()[..end], &Limits::DEFAULT) {
                Ok(site) => {
                    read_all(site);
                }
                Err(error) => assert_eq!(error.kind, ErrorKind::InvalidUtf8),
            }
        }
    }
}

/// The time of each of these is linear: 16 times the text takes less than 64 times as long.
#[test]
fn hostile_documents_take_linear_time() {
    let samples: [fn(usize) -> String; 16] = [
        |n| "---\n".to_string() + &"a: b\n".repeat(n),
        |n| "---\n".to_string() + &"a: \"b\n".repeat(n) + "---\n",
        |n| "---\n".to_string() + &"a: &a [*a, *a]\n".repeat(n) + "---\n",
        |n| "---\n".to_string() + &"mcp:\n  auth: x\n".repeat(n) + "---\n",
        |n| "---\n".to_string() + &"\ta\n".repeat(n) + "---\n",
        |n| format!("---\na: {}\n---\n", "[".repeat(n)),
        |n| "# a\n".repeat(n),
        |n| "## Can\n".repeat(n),
        |n| "## MCP\nendpoint: x\n".repeat(n),
        |n| "## Contact\n".to_string() + &"> a\n".repeat(n),
        |n| "## Can\n".to_string() + &"+ ".repeat(60) + "a\n" + &"\n".repeat(n),
        |n| "## Behavior\n- ".to_string() + &"1 request/second ".repeat(n),
        |n| "## Behavior\n".to_string() + &"- Cache 1 hour\n".repeat(n),
        |n| "## Can\n- a\n".to_string() + &"\n  b\n".repeat(n),
        |n| "\0".repeat(n),
        |n| "# ".to_string() + &"a\n".repeat(n) + &"- \n".repeat(n),
    ];
    let limits = Limits { document: 1 << 24, line: 1 << 24, ..Limits::DEFAULT };
    let measure = |text: &str| {
        (0..3)
            .map(|_| {
                let start = time::processor_time();
                std::hint::black_box(
                    AgentsMd::parse(text.as_bytes(), &limits).map(read_all).unwrap_or(0),
                );
                time::processor_time() - start
            })
            .min()
            .unwrap()
    };
    for (i, sample) in samples.iter().enumerate() {
        let (small, large) = (measure(&sample(500)), measure(&sample(8_000)));
        assert!(
            large < small * 64 + std::time::Duration::from_millis(20),
            "sample {i}: {small:?} then {large:?}"
        );
    }
}

#[test]
fn a_hundred_thousand_headings_are_read() {
    let text = "## Can\n- a\n".repeat(100_000);
    let limits = Limits { document: 1 << 24, ..Limits::DEFAULT };
    let site = AgentsMd::parse(text.as_bytes(), &limits).unwrap();
    assert_eq!(site.sections().count(), 100_000);
    assert_eq!(site.can().count(), 100_000);
}
