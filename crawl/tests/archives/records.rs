//! What an item holds, and what is passed over.

use agentsdisc_crawl::{Options, Reader, Source, is_location};

use crate::made::*;

#[test]
fn an_item_holds_what_the_record_states() {
    let head = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n";
    let mut one = with_head(&url(1), head, b"a");
    let at = find(&one, b"WARC-Date");
    one.splice(at..at, b"warc-payload-digest: sha1:AB\r\n".iter().copied());
    let found = read(&one, "in.warc");
    assert_eq!(found.len(), 1);
    let item = &found[0];
    assert_eq!(item.fetched.as_deref(), Some("2026-11-01T00:00:00Z"));
    assert_eq!(item.http_status, Some(200));
    assert_eq!(item.digest.as_deref(), Some("sha1:AB"));
    assert_eq!(item.record_type.as_deref(), Some("response"));
    assert_eq!(item.content_type.as_deref(), Some("text/plain; charset=utf-8"));
    assert_eq!((item.body.as_slice(), item.size), (&b"a"[..], 1));
    assert_eq!(item.place.to_string(), "@0");
}

#[test]
fn versions_names_and_folds_of_heads_are_read() {
    let one = &few(1)[0];
    let text = String::from_utf8(one.clone()).unwrap();
    for (old, new) in [
        ("WARC/1.1", "WARC/0.17"),
        ("WARC/1.1", "WARC/0.18"),
        ("WARC/1.1", "WARC/1.0"),
        ("WARC-Type", "warc-type"),
        ("WARC-Target-URI: ", "warc-target-uri:\r\n "),
        ("https://s0.example/agents.txt", "<https://s0.example/agents.txt>"),
    ] {
        let changed = text.replace(old, new);
        let found = read(changed.as_bytes(), "in.warc");
        assert_eq!(urls(&found), [url(0)], "{new}");
        assert_eq!(kinds(&found), ["ok"], "{new}");
    }
}

#[test]
fn records_that_are_passed_over_are_counted_by_reason() {
    let page = record("https://a.example/index.html", b"x");
    let text = String::from_utf8(page.clone()).unwrap();
    let typed = |kind: &str| text.replace("Type: response", &format!("Type: {kind}")).into_bytes();
    let records = [
        few(1).concat(),
        page,
        typed("request"),
        typed("revisit"),
        typed("strange"),
        typed("revisit"),
    ];
    for how in WAYS {
        let mut reader = Reader::new(Source::bytes(pack(&records, how)), options(name(how)));
        assert_eq!(reader.by_ref().count(), 1);
        let expected = [
            ("response from another URL", 1),
            ("request", 1),
            ("revisit", 2),
            ("record of another type", 1),
        ];
        assert_eq!(reader.passed(), expected, "{how}");
    }
    let all = Options { all_records: true, ..options("in.warc") };
    assert_eq!(read_with(&records.concat(), all).len(), 2);
}

#[test]
fn codings_are_undone() {
    let body = GOOD.as_bytes();
    let chunks =
        [format!("{:x};a=b\r\n", body.len()).as_bytes(), body, b"\r\n0\r\nX: y\r\n\r\n"].concat();
    for (fields, coded) in [
        ("Transfer-Encoding: chunked", chunks.clone()),
        ("Content-Encoding: gzip", gzip(body, 6)),
        ("Content-Encoding: x-gzip, identity", gzip(body, 6)),
        ("Content-Encoding: zstd", zstd(body)),
        ("Content-Encoding: gzip", body.to_vec()),
        ("Content-Encoding: br", body.to_vec()),
        ("content-encoding : deflate", body.to_vec()),
    ] {
        let head = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
        let found = read(&with_head(&url(1), &head, &coded), "in.warc");
        assert_eq!(kinds(&found), ["ok"], "{fields}");
        assert_eq!(found[0].body, body, "{fields}");
    }
    for (fields, coded, why) in [
        (
            "Content-Encoding: gzip",
            gzip(body, 6)[..40].to_vec(),
            "in the middle of its gzip coding",
        ),
        ("Content-Encoding: br", vec![0xff; 9], "br: invalid data"),
        ("Content-Encoding: zstd", zstd(body)[..40].to_vec(), "zstd: incomplete frame"),
        ("Transfer-Encoding: chunked", chunks[..40].to_vec(), "in the middle of its chunks"),
    ] {
        let head = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
        let found = read(&with_head(&url(1), &head, &coded), "in.warc");
        let problem = found[0].problem.as_ref().unwrap();
        assert!(problem.why.contains(why), "{fields}: {}", problem.why);
    }
}

#[test]
fn a_dictionary_of_zstandard_is_used() {
    let words = few(1).concat();
    let mut data = [&b"\x5d\x2a\x4d\x18"[..], &(words.len() as u32).to_le_bytes(), &words].concat();
    for one in few(50) {
        let mut context = zstd_safe::CCtx::create();
        context.load_dictionary(&words).unwrap();
        let mut out = Vec::with_capacity(10_000);
        context.compress2(&mut out, &one).unwrap();
        assert!(out.len() < 100);
        data.extend(out);
    }
    assert_eq!(kinds(&read(&data, "in.warc.zst")), ["ok"; 50]);
}

#[test]
fn locations_of_documents_are_known() {
    for url in [
        "https://a.example/agents.txt",
        "HTTP://a.example:80/AGENTS.txt?x#y",
        "https://a.example/.well-known/agent.json",
        "https://a.example/docs/llms.txt",
        "https://a.example/llms.txt#x",
    ] {
        assert!(is_location(url), "{url}");
    }
    for url in [
        "https://a.example/",
        "https://a.example/x/agents.txt",
        "ftp://a.example/agents.txt",
        "https://a.example?/agents.txt",
        "https://a.example/allms.txt",
    ] {
        assert!(!is_location(url), "{url}");
    }
}
