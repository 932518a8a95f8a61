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
fn digests_without_an_algorithm_and_long_ones_are_none() {
    for (stated, digest) in [
        ("sha1:AB+/=_-9", Some("sha1:AB+/=_-9")),
        ("AB", None),
        (":AB", None),
        ("sha1:", None),
        ("sha1:a b", None),
        ("sha1:\u{e9}", None),
    ] {
        let one = with_fields("response", &format!("WARC-Payload-Digest: {stated}\r\n"));
        assert_eq!(read(&one, "in.warc")[0].digest.as_deref(), digest, "{stated}");
    }
    let long = format!("WARC-Payload-Digest: sha1:{}\r\n", "a".repeat(129));
    assert_eq!(read(&with_fields("response", &long), "in.warc")[0].digest, None);
}

#[test]
fn the_status_stands_beside_a_head_that_is_too_long() {
    let head = format!("HTTP/1.1 203 A\r\nX: {}\r\n\r\n", "a".repeat(1 << 20));
    let found = read(&with_head(&url(1), &head, b"a"), "in.warc");
    assert_eq!((kinds(&found), found[0].http_status), (vec!["corrupt-record"], Some(203)));
}

/// A record of this type with these fields.
fn with_fields(kind: &str, fields: &str) -> Vec<u8> {
    let text = String::from_utf8(few(1).concat()).unwrap();
    text.replace("Type: response\r\n", &format!("Type: {kind}\r\n{fields}")).into_bytes()
}

#[test]
fn revisits_of_documents_are_returned_if_they_are_asked_for() {
    let records = [
        few(1).concat(),
        with_fields("revisit", "WARC-Payload-Digest: sha1:A\r\nWARC-Refers-To-Date: 2020\r\n"),
        with_fields("revisit", "WARC-Refers-To-Date: 2020\r\nwarc-refers-to-target-uri: <x:y>\r\n"),
        with_fields("revisit", ""),
        with_fields("revisit", &format!("WARC-Refers-To-Date: 1\r\nX: {}\r\n", "a".repeat(9000))),
        with_fields(
            "revisit",
            &format!(
                "WARC-Refers-To-Date: 1\r\nWARC-Refers-To-Target-URI: {}\r\n",
                "a".repeat(2049)
            ),
        ),
    ];
    for how in WAYS {
        let of = |revisits| Options { revisits, ..options(name(how)) };
        let source = || Source::bytes(pack(&records, how));
        let batch = Reader::new(source(), of(true)).next_batch().unwrap();
        let found: Vec<_> = batch.revisits.iter().map(|one| (&*one.of_url, &one.digest)).collect();
        let digest = Some("sha1:A".to_owned());
        assert_eq!(found, [(&*url(0), &digest), ("x:y", &None), (&*url(0), &None)], "{how}");
        assert_eq!(batch.revisits[0].of_date.as_deref(), Some("2020"));
        assert_eq!(batch.revisits[0].fetched.as_deref(), Some("2026-11-01T00:00:00Z"));
        assert_eq!(batch.passed, [("revisit", 2)], "{how}");
        let batch = Reader::new(source(), of(false)).next_batch().unwrap();
        assert_eq!((batch.revisits.len(), batch.passed), (0, vec![("revisit", 5)]), "{how}");
    }
}

#[test]
fn revisits_beyond_the_limit_are_counted() {
    let filler =
        format!("WARC-Refers-To-Date: 1\r\nWARC-Refers-To-Target-URI: {}\r\n", "a".repeat(2000));
    let one = pack(&[with_fields("revisit", &filler)], "gz");
    let of = Options { revisits: true, ..options("in.warc.gz") };
    let mut reader = Reader::new(Source::bytes(one.repeat(20_000)), of);
    let batch = reader.next_batch().unwrap();
    assert!((5_000..8_000).contains(&batch.revisits.len()), "{}", batch.revisits.len());
    let rest = 20_000 - batch.revisits.len() as u64;
    assert_eq!(batch.passed, [("revisit beyond the limit", rest)]);
    assert!(reader.next_batch().is_none());
}

#[test]
fn only_the_wanted_urls_are_read() {
    let page = record("https://a.example/page", b"x");
    let records = [few(2).concat(), page];
    let only = ["https://a.example/page".to_owned(), url(1)].into();
    let of = Options { only: Some(std::sync::Arc::new(only)), ..options("in.warc.gz") };
    let mut reader = Reader::new(Source::bytes(pack(&records, "gz")), of);
    let found: Vec<_> = reader.by_ref().filter_map(|item| item.url).collect();
    assert_eq!(found, [url(1), "https://a.example/page".to_owned()]);
    assert_eq!(reader.passed(), [("response from another URL", 1)]);
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
