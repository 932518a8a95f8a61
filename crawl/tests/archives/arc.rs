//! Archives of the format ARC, of version 1 and 2.

use agentsdisc_crawl::{Item, Options, Reader, Source};

use crate::made::*;

/// What follows the address in a line, up to the length, in each version.
const FIELDS: [&str; 2] =
    ["20261101000203 text/plain", "20261101000203 text/plain 200 fac0691506 - 209 a.arc"];
const LENGTHS: [&str; 9] = [
    "1000000000000000000",
    "10000000000000000000000000000000000000000",
    "100000",
    "0",
    "12",
    "-5",
    "",
    "garbage",
    "0x40",
];

/// A record of a response.
fn arc(url: &str, body: &[u8], version: usize) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
    with_line(url, FIELDS[version - 1], &[head.as_bytes(), body].concat())
}

fn with_line(url: &str, fields: &str, content: &[u8]) -> Vec<u8> {
    let line = format!("{url} 192.0.2.1 {fields} {}\n", content.len());
    [line.as_bytes(), content, b"\n"].concat()
}

/// The record that describes the file.
fn description(version: usize) -> Vec<u8> {
    let others = ["", " Result-code Checksum Location Offset Filename"][version - 1];
    let content = format!(
        "{version} 0 Example\nURL IP-address Archive-date Content-type{others} Archive-length\n"
    );
    with_line("filedesc://a.arc", FIELDS[version - 1], content.as_bytes())
}

/// The description and so many sites.
fn some(count: usize, version: usize) -> Vec<Vec<u8>> {
    let sites = (0..count).map(|number| arc(&url(number), GOOD.as_bytes(), version));
    std::iter::once(description(version)).chain(sites).collect()
}

fn arc_name(how: &str) -> String {
    name(how).replace("warc", "arc")
}

/// Reads the archive as a file and as a stream, which must give the same.
fn both(data: &[u8], how: &str) -> Vec<Item> {
    read_twice(data, &arc_name(how))
}

fn with_length(record: &[u8], length: &str) -> Vec<u8> {
    let end = find(record, b"\n");
    let begin = record[..end].iter().rposition(|byte| *byte == b' ').unwrap() + 1;
    [&record[..begin], length.as_bytes(), &record[end..]].concat()
}

#[test]
fn an_item_holds_what_the_line_states() {
    for version in [1, 2] {
        let data = some(1, version).concat();
        let found = both(&data, "plain");
        assert_eq!(found.len(), 1);
        let item = &found[0];
        assert_eq!(item.url.as_deref(), Some("https://s0.example/agents.txt"));
        assert_eq!(item.fetched.as_deref(), Some("2026-11-01T00:02:03Z"));
        assert_eq!(item.http_status, Some(200));
        assert_eq!(item.digest, None);
        assert_eq!(item.record_type.as_deref(), Some("response"));
        assert_eq!(item.body, GOOD.as_bytes());
        assert_eq!(item.place.to_string(), format!("@{}", description(version).len()));
    }
}

#[test]
fn both_versions_are_read_however_they_are_packed() {
    for version in [1, 2] {
        for how in WAYS {
            let data = pack(&some(39, version), how);
            let found = both(&data, how);
            assert_eq!(urls(&found), (0..39).map(url).collect::<Vec<_>>(), "{how}");
            assert_eq!(kinds(&found), ["ok"; 39], "{how}");
            assert!(!found.iter().any(|item| item.is_recovered));
            let mut reader = Reader::new(Source::bytes(data), options(&arc_name(how)));
            assert_eq!(reader.by_ref().count(), 39);
            assert_eq!(reader.passed(), [("warcinfo", 1)], "{how}");
        }
    }
}

/// The length of the description may include the line end behind it, and a line end may precede a record.
#[test]
fn line_ends_may_be_where_writers_put_them() {
    let lines = "1 0 Example\nURL IP-address Archive-date Content-type Archive-length\n";
    let line = |length| {
        format!("filedesc://a.arc 0.0.0.0 20261101000203 text/plain {length}\n{lines}").into_bytes()
    };
    let records = some(3, 1)[1..].concat();
    for start in [
        [&line(lines.len())[..], &records].concat(),
        [&line(lines.len() + 1), &b"\n"[..], &records].concat(),
        [&line(lines.len()), &b"\n\n"[..], &records].concat(),
        [&b"\n"[..], &line(lines.len()), &records].concat(),
        records.clone(),
    ] {
        for end in [&start[..], &start[..start.len() - 1]] {
            assert_eq!(kinds(&both(end, "plain")), ["ok"; 3]);
            assert_eq!(kinds(&both(&gzip(end, 6), "gz")), ["ok"; 3]);
        }
    }
    let members: Vec<u8> = some(3, 1)
        .iter()
        .flat_map(|one| gzip(&[b"\n", &one[..one.len() - 1]].concat(), 6))
        .collect();
    assert_eq!(kinds(&both(&members, "gz")), ["ok"; 3]);
}

/// A file is what its first record is.
#[test]
fn the_content_decides_and_not_the_name() {
    for how in ["plain", "gz", "zst", "lz4", "one"] {
        let archives = [pack(&some(5, 1), how), pack(&few(5), how)];
        for data in archives {
            for name in [name(how), &arc_name(how), "<stdin>", "a.txt"] {
                let found = read(&data, name);
                assert_eq!(kinds(&found), ["ok"; 5], "{how} {name}");
                assert_eq!(found, streamed(&data, name));
            }
        }
    }
    // A name that promises compression, and a first member that is damaged.
    assert_eq!(kinds(&read(&some(5, 1).concat(), "a.arc.gz")), ["ok"; 5]);
    let mut members: Vec<Vec<u8>> = some(5, 2).iter().map(|one| gzip(one, 6)).collect();
    members[0][20..29].fill(0);
    let found = read(&members.concat(), "a.warc.gz");
    assert_eq!(urls(&found)[1..], (0..5).map(url).collect::<Vec<_>>());
    assert_eq!((found[0].is_lost, found.len()), (true, 6));
}

#[test]
fn blanks_in_urls_and_types_are_read() {
    let content = format!("HTTP/1.1 200 OK\r\n\r\n{GOOD}").into_bytes();
    let of = |first: &str, fields: &str| {
        let data = [with_line(first, fields, &content), arc(&url(8), b"x", 1)].concat();
        let found = both(&data, "plain");
        assert_eq!(kinds(&found), ["ok"; 2], "{first} {fields}");
        (found[0].url.clone().unwrap(), found[0].fetched.clone().unwrap())
    };
    let date = "2026-11-01T00:02:03Z".to_owned();
    for fields in [
        "20261101000203 text/html; charset=utf-8",
        "20261101000203 ",
        "20261101000203 a 192.0.2.1 20200101000000 text/plain",
    ] {
        assert_eq!(of(&url(7), fields), (url(7), date.clone()));
    }
    let long = "https://a.example/a b c/agents.txt?/llms.txt".to_owned();
    let data = with_line(&long, FIELDS[0], &content);
    let all = Options { all_records: true, ..options("a.arc") };
    assert_eq!(urls(&read_with(&data, all)), [long]);
    for address in ["2001:db8::1", "0", "-", "127.0.0.1"] {
        let text = String::from_utf8(arc(&url(1), b"x", 1)).unwrap();
        let data = text.replace("192.0.2.1", address).into_bytes();
        assert_eq!(kinds(&both(&data, "plain")), ["ok"], "{address}");
    }
}

#[test]
fn lines_that_are_none_are_said() {
    let good = arc(&url(1), b"x", 1);
    let text = String::from_utf8(good.clone()).unwrap();
    for (old, new) in [
        ("20261101000203", "2026110100020"),
        ("20261101000203", "202611010002033"),
        ("192.0.2.1", "host.example"),
        ("192.0.2.1 ", ""),
        (" text/plain ", " "),
        ("https://", "//"),
    ] {
        let bad = text.replace(old, new).into_bytes();
        assert_ne!(bad, good, "{old}");
        let data = [&good[..], &bad, &arc(&url(2), b"x", 1)].concat();
        let found = both(&data, "plain");
        assert_eq!(kinds(&found), ["ok", "corrupt-record", "ok"], "{new}");
        let why = &found[1].problem.as_ref().unwrap().why;
        assert!(why.starts_with("this is not an ARC record; reading goes on at @"), "{why}");
        assert!(found[2].is_recovered);
    }
    let control = text.replace("s1.example/", "s1.example/\u{1}").into_bytes();
    let found = both(&[&control[..], &arc(&url(2), b"x", 1)].concat(), "plain");
    assert_eq!(kinds(&found), ["corrupt-record", "ok"]);
    assert_eq!(found[0].problem.as_ref().unwrap().why, "the URL contains control characters");
}

#[test]
fn a_wrong_length_costs_one_record() {
    for how in WAYS {
        for length in LENGTHS {
            let mut records = some(19, 1);
            records[4] = with_length(&records[4], length);
            let found = both(&pack(&records, how), how);
            assert_eq!(urls(&found), (0..19).map(url).collect::<Vec<_>>(), "{how} {length}");
            let lost: Vec<usize> = (0..19).filter(|at| found[*at].is_lost).collect();
            assert_eq!(lost, [3], "{how} {length}");
            let why = &found[3].problem.as_ref().unwrap().why;
            assert!(why.starts_with("archive-length is "), "{why}");
            let recovered = found.iter().filter(|item| item.is_recovered).count();
            let expected = match how {
                "plain" | "one" => 15,
                // The other record of the member.
                "two" => 1,
                _ => 0,
            };
            assert_eq!(recovered, expected, "{how} {length}");
        }
    }
}

/// Whether the input can seek, and so knows its size, changes nothing.
#[test]
fn a_description_that_claims_the_whole_archive_is_one_error() {
    for how in ["plain", "one"] {
        for length in ["100000", "1000000000000000000"] {
            let mut records = some(9, 1);
            records[0] = with_length(&records[0], length);
            let found = both(&pack(&records, how), how);
            assert_eq!(urls(&found)[..2], ["filedesc://a.arc".to_owned(), url(0)], "{how}");
            let why = &found[0].problem.as_ref().unwrap().why;
            let expected = format!("archive-length is {length}, but a record begins after ");
            assert!(why.starts_with(&expected), "{why}");
            assert!(found[1..].iter().all(|item| item.problem.is_none()), "{how}");
        }
    }
}

/// A length that claims further records, of a response that does not state its own.
#[test]
fn a_record_that_claims_others_is_one_error() {
    for how in ["plain", "one"] {
        let mut records = some(9, 2);
        let content = format!("HTTP/1.1 200 OK\r\n\r\n{GOOD}");
        records[3] = with_line(&url(2), FIELDS[1], content.as_bytes());
        let claimed = content.len() + 1 + records[4].len() + records[5].len();
        for more in [claimed - 1, claimed, content.len() + 9] {
            records[3] = with_length(&records[3], &more.to_string());
            let found = both(&pack(&records, how), how);
            assert_eq!(urls(&found), (0..9).map(url).collect::<Vec<_>>(), "{how} {more}");
            let lost = found.iter().position(|item| item.is_lost);
            assert_eq!(lost, Some(2), "{how} {more}");
            assert_eq!(found.iter().filter(|item| item.problem.is_some()).count(), 1);
        }
    }
}

#[test]
fn garbage_between_records_costs_no_record() {
    for how in ["plain", "gz", "zst", "lz4"] {
        for garbage in [&b"garbagegarbagegarbage"[..], b"a b\n1 2\n", &noise(300, 3)] {
            let records = some(9, 1);
            let data = [&pack(&records[..5], how), garbage, &pack(&records[5..], how)].concat();
            let found = both(&data, how);
            let mut expected = vec!["ok"; 10];
            expected[4] = "corrupt-record";
            assert_eq!(kinds(&found), expected, "{how}");
            let good: Vec<Item> = found.into_iter().filter(|item| !item.is_lost).collect();
            assert_eq!(urls(&good), (0..9).map(url).collect::<Vec<_>>(), "{how}");
        }
    }
}

/// Every cut of an archive at every byte loses nothing that is whole, and says what it lost.
#[test]
fn an_archive_may_end_anywhere() {
    for how in ["plain", "gz", "zst", "lz4"] {
        let versions: &[usize] = if how == "plain" { &[1, 2] } else { &[1] };
        for version in versions {
            let records = some(3, *version);
            let data = pack(&records, how);
            let ends: Vec<usize> =
                (0..=4).map(|count| pack(&records[..count], how).len()).collect();
            for size in 0..data.len() {
                let found = both(&data[..size], how);
                let whole = ends.iter().filter(|end| **end <= size).count() - 1;
                // The line end after the last record of a plain archive may be missing.
                let is_whole = how == "plain" && ends.contains(&(size + 1));
                let documents = (whole + usize::from(is_whole)).saturating_sub(1);
                let good = found.iter().filter(|item| item.problem.is_none()).count();
                // A record is whole although the checksum of its frame is cut.
                assert!(
                    good == documents || (how != "plain" && whole > 0 && good == whole),
                    "{how} {size}"
                );
                let items = found.iter().filter(|item| item.problem.is_none());
                for (number, item) in items.enumerate() {
                    assert_eq!(item.url, Some(url(number)));
                    assert_eq!(item.body, GOOD.as_bytes());
                    assert!(!item.is_recovered);
                }
                let is_cut = !is_whole && !ends.contains(&size);
                assert_eq!(found.len(), good + usize::from(is_cut), "{how} {size}");
                if is_cut {
                    let last = found.last().unwrap();
                    let kind = last.problem.as_ref().unwrap().kind;
                    assert!(how != "plain" || kind == "truncated-record", "{size} {kind}");
                    assert!(last.is_lost, "{how} {size}");
                    let offset = last.place.frame.unwrap_or(last.place.offset);
                    assert_eq!(offset, ends[whole] as u64, "{how} {size}");
                }
            }
        }
    }
}

/// A record inside a body never counts as intact.
#[test]
fn a_record_in_the_body_of_another_is_never_certain() {
    let forged = arc("https://victim.example/agents.txt", GOOD.as_bytes(), 1);
    let inside = [b"x\n", &forged[..], &forged].concat();
    for how in ["plain", "gz", "zst", "one"] {
        for bad in [4, 5] {
            let mut records = some(9, 1);
            records[4] = arc(&url(3), &inside, 1);
            let data = pack_damaged(records, bad, how, with_length);
            let good = assert_uncertain(both(&data, how), bad == 4);
            for number in (0..9).filter(|number| *number + 1 != bad) {
                assert!(good.contains(&url(number)), "{how} {bad} {number}");
            }
        }
    }
}

#[test]
fn one_thread_equals_many() {
    let records: Vec<Vec<u8>> = std::iter::once(description(1))
        .chain((0..500).map(|number| arc(&url(number), &noise(number * 7, number as u64), 1)))
        .collect();
    let mut data = pack(&records, "gz");
    let middle = data.len() / 2;
    data[middle..middle + 9].fill(0);
    let of = |threads, range| Options { threads, range, ..options("a.arc.gz") };
    let one = read_with(&data, of(1, 1 << 30));
    assert!(one.len() >= 500);
    for (threads, range) in [(2, 5000), (4, 20_000), (3, 333_333)] {
        assert_eq!(one, read_with(&data, of(threads, range)));
    }
}

#[test]
fn hostile_lines_are_read_in_linear_time() {
    for unit in [
        "http://a 1 20200101000000 a 1 ",
        "http://a 1 20200101000000 1\n",
        "http://a 1 20200101000000 a 1\n",
        "http://a 1 20200101000000 a 15\nHTTP/1.1 200 A\n\n",
        " 1 1 1 1",
        "1\n",
        "a:",
    ] {
        let time = |size: usize| {
            let data = [&description(1)[..], unit.repeat(size / unit.len()).as_bytes()].concat();
            let start = std::time::Instant::now();
            read(&data, "a.arc");
            start.elapsed().as_secs_f64()
        };
        let small = time(20_000).min(time(20_000));
        let large = time(200_000);
        assert!(large < 25.0 * small + 1.0, "{unit} {small} {large}");
    }
}
