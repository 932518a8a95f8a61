//! Ranges in parallel give what one thread gives, and never a forged record.

use std::io::Write;

use agentsdisc_crawl::{Batch, Options, Reader, Source};

use crate::made::*;

fn batches(data: &[u8], options: Options) -> Vec<Batch> {
    let mut reader = Reader::new(Source::bytes(data), options);
    std::iter::from_fn(|| reader.next_batch()).collect()
}

/// An archive with records of many sizes, damaged here and there.
fn mixed(how: &str, damage: bool, seed: u64) -> Vec<u8> {
    let random = noise(4096, seed);
    let mut data = Vec::new();
    for number in 0..300 {
        let sizes = [10, 200, 3000, 40_000];
        let size = sizes[usize::from(random[number]) % 4];
        let body = [GOOD.as_bytes(), &noise(size, number as u64)].concat();
        let mut one = record(&url(number), &body);
        if random[number + 1000] < 8 {
            one = lengthened(&one, "77");
        }
        if random[number + 2000] < 8 {
            one = [one, record(&url(number + 1000), GOOD.as_bytes())].concat();
        }
        if number % 5 == 0 {
            one = String::from_utf8_lossy(&one)
                .replace("Type: response", "Type: request")
                .into_bytes();
        }
        let mut frame = pack(&[one], how);
        if damage && random[number + 3000] < 8 {
            let at = frame.len() / 2;
            frame[at] ^= 0xff;
        }
        data.extend(frame);
    }
    data
}

fn same(left: &[Batch], right: &[Batch], what: &str) {
    assert_eq!(left.len(), right.len(), "{what}");
    for (left, right) in left.iter().zip(right) {
        assert_eq!(left.items.len(), right.items.len(), "{what}");
        for (left, right) in left.items.iter().zip(&right.items) {
            assert_eq!(left, right, "{what}");
        }
        assert_eq!(left.passed, right.passed, "{what}");
        assert_eq!(left.consumed, right.consumed, "{what}");
    }
}

#[test]
fn one_thread_equals_many_and_a_stream() {
    for how in ["gz", "zst", "lz4"] {
        for damage in [false, true] {
            let data = mixed(how, damage, 7);
            let of =
                |threads, range| Options { threads, range, batch_items: 50, ..options(name(how)) };
            let one = batches(&data, of(1, 1 << 30));
            assert!(one.iter().map(|batch| batch.items.len()).sum::<usize>() > 200);
            for (threads, range) in [(1, 20_000), (2, 20_000), (5, 20_000), (3, 1000), (4, 333_333)]
            {
                let many = batches(&data, of(threads, range));
                same(&one, &many, &format!("{how} {damage} {threads} {range}"));
            }
            let stream =
                Reader::new(Source::stream(std::io::Cursor::new(data)), options(name(how)));
            let items: Vec<_> = one.into_iter().flat_map(|batch| batch.items).collect();
            let streamed: Vec<_> = stream.collect();
            assert_eq!(items.len(), streamed.len());
            for (left, right) in items.iter().zip(&streamed) {
                assert_eq!(left, right);
            }
        }
    }
}

/// A stored block holds whole members with valid checksums, where ranges begin.
#[test]
fn a_forged_member_in_a_stored_block_is_never_a_row() {
    let forged = gzip(&record("https://victim.example/agents.txt", GOOD.as_bytes()), 6);
    for size in [20_000, 100_000, 9 << 20] {
        let body = forged.repeat(size / forged.len());
        let mut records = few(40);
        records[10] = record(&url(10), &body);
        records[25] = record(&url(25), &body);
        let data: Vec<u8> =
            records.iter().flat_map(|one| gzip(one, u32::from(one.len() < 10_000))).collect();
        for range in [700, 5000, 50_000] {
            for threads in [1, 2, 4] {
                let of = Options { threads, range, limit: 16 << 20, ..options("in.warc.gz") };
                let found = read_with(&data, of);
                assert_eq!(urls(&found), (0..40).map(url).collect::<Vec<_>>());
                assert_eq!(kinds(&found), ["ok"; 40]);
                assert!(!found.iter().any(|item| item.is_recovered));
                assert_eq!(found[10].body, body);
            }
            if size > 1 << 20 && range < 50_000 {
                break;
            }
        }
    }
}

#[test]
fn a_file_may_shrink_while_it_is_read() {
    let path =
        std::env::temp_dir().join(format!("agentsdisc-crawl-{}.warc.gz", std::process::id()));
    let records: Vec<Vec<u8>> =
        (0..6000).map(|number| record(&url(number), &noise(500, number as u64))).collect();
    let data = pack(&records, "gz");
    let boundary = pack(&records[..3000], "gz").len();
    for keep in [0, boundary, data.len() / 2, data.len() - 1] {
        std::fs::File::create(&path).unwrap().write_all(&data).unwrap();
        let of = Options { threads: 2, range: 50_000, batch_items: 50, ..Options::default() };
        let mut reader = Reader::open(&path, of).unwrap();
        let first = reader.next().unwrap();
        assert_eq!(first.url, Some(url(0)));
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_len(keep as u64).unwrap();
        let mut rest: Vec<_> = reader.collect();
        // Neither the reader nor the system holds the whole file.
        let lost = rest.pop().unwrap();
        assert!(lost.is_lost, "{keep}");
        for (number, item) in rest.iter().enumerate() {
            assert_eq!(item.problem, None);
            assert_eq!(item.url, Some(url(number + 1)));
            assert_eq!(item.body, noise(500, number as u64 + 1));
        }
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_section_of_a_file_is_an_archive() {
    let path = std::env::temp_dir().join(format!("agentsdisc-section-{}", std::process::id()));
    let data = mixed("gz", true, 5);
    let around = [&pack(&few(1), "gz")[..], &data, &pack(&few(2), "gz")].concat();
    std::fs::write(&path, around).unwrap();
    let start = pack(&few(1), "gz").len() as u64;
    for range in [5000, 1 << 20] {
        let file = std::fs::File::open(&path).unwrap();
        let of = || Options { range, threads: 3, ..options("in.warc.gz") };
        let source = Source::section(file, start, data.len() as u64);
        let found: Vec<_> = Reader::new(source, of()).collect();
        assert_eq!(found, read_with(&data, of()));
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_reader_may_be_dropped_at_any_time() {
    let data = mixed("gz", true, 9);
    for count in [0, 1, 100] {
        let of = Options { threads: 4, range: 5000, ..options("in.warc.gz") };
        let mut reader = Reader::new(Source::bytes(&data[..]), of);
        assert_eq!(reader.by_ref().take(count).count(), count);
        drop(reader);
    }
}
