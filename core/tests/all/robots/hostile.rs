//! Truncated, real and hostile documents.
use crate::common::robots_oracle::walk;
use crate::common::time;

use agentsdisc_core::format::robots_txt::RobotsTxt;

const SAMPLES: [&[u8]; 4] = [
    b"\xEF\xBB\xBFUser-Agent: *\r\nDisallow: *.gif$\r\nAllow: /index.html#c\r\n\r\nUser-agent foo\rCrawl-delay: 1.5\rSitemap: https://a.test/s",
    b"User-agent: a\n\nuser agent: b/2\nDissallow: /%E3%83%84*%2a$\nAllow: /\xe3\x83\x84\nHost: x\n\n# end\n",
    b"Disallow: /\n\nUser-agent: *\nDisallow:\nDisallow / x\n::\n\0\nAllow:/a*b*c*$\n",
    b"<!DOCTYPE html>\n<html><head><title>Not found: 404</title></head>\n",
];

#[test]
fn every_truncation_is_read() {
    for sample in SAMPLES {
        for end in 0..=sample.len() {
            walk(&sample[..end]);
            walk(&sample[end..]);
        }
    }
}

/// Real files, if the environment names a folder with them.
#[test]
fn real_files_are_read() {
    let Some(folder) = std::env::var_os("AGENTSDISC_CORPUS") else {
        return;
    };
    let entries = std::fs::read_dir(std::path::Path::new(&folder).join("robots"))
        .expect("a folder named robots");
    let mut files = 0;
    for entry in entries {
        let text = std::fs::read(entry.expect("an entry").path()).expect("a file");
        // Each query walks over the whole document.
        walk(&text[..text.len().min(20_000)]);
        files += 1;
    }
    assert!(files > 0);
}

#[test]
fn hostile_documents_take_linear_time() {
    let measure = |robots: &str, url: &str| {
        let start = time::processor_time();
        std::hint::black_box(RobotsTxt::parse(robots.as_bytes()).decide("foo", url));
        RobotsTxt::parse(robots.as_bytes()).findings(|_| {});
        std::hint::black_box(RobotsTxt::parse(robots.as_bytes()).preference("foo", url, "search"));
        RobotsTxt::parse(robots.as_bytes()).preference_list().count();
        time::processor_time() - start
    };
    let stars = "*".repeat(10_000);
    // Far above linear time on a busy machine, far below quadratic time.
    let limit = std::time::Duration::from_secs(10);
    let long_url = format!("/{}", "a".repeat(50_000));
    for robots in [
        format!("User-agent: *\nDisallow: /{stars}x\n"),
        format!("User-agent: *\nDisallow: /{}x\n", "*a".repeat(10_000)),
        format!("User-agent: *\nDisallow: /{}x\n", "*%61".repeat(10_000)),
        format!("User-agent: *\nDisallow: /*{}b$\n", "a".repeat(30_000)),
        "\n".repeat(100_000),
        "\r".repeat(100_000),
        "#".repeat(100_000),
        ":\n".repeat(50_000),
        "a b\n".repeat(25_000),
        "User-agent: foo\n".repeat(6000),
        "User-agent: *\nDisallow: /b\n".repeat(4000),
        format!("User-agent: *\nContent-Usage: {}a=n\n", "search=y,".repeat(7000)),
        format!(
            "User-agent: *\nContent-Signal: {}\n",
            (0..9000).map(|n| format!("{n}=y,")).collect::<String>()
        ),
        "User-agent: *\nContent-Usage: /b search=y, train-ai=n\n".repeat(4000),
    ] {
        let taken = measure(&robots, &long_url);
        assert!(taken < limit, "{} {taken:?}", &robots[..30]);
    }
}
