//! Web archives: any bytes are read to their end, and the items depend neither on the number of threads nor on the size of their ranges.
//!
//! The first byte selects the name and the size of the ranges; the others are the archive.

use agentsdisc_crawl::{Item, Options, Reader, Source};

const NAMES: [&str; 8] = [
    "a.warc",
    "a.warc.gz",
    "a.warc.zst",
    "a.warc.lz4",
    "a.arc",
    "a.arc.gz",
    "a.arc.zst",
    "a.arc.lz4",
];
const LIMIT: usize = 4096;

fn items(source: Source, name: &str, threads: usize, range: u64) -> Vec<Item> {
    let name = name.to_owned();
    let options =
        Options { name, limit: LIMIT, all_records: true, threads, range, ..Options::default() };
    Reader::new(source, options).collect()
}

/// Reads one input.
pub fn run(bytes: &[u8]) {
    let Some((first, archive)) = bytes.split_first() else { return };
    let name = NAMES[usize::from(*first) % NAMES.len()];
    let whole = items(Source::bytes(archive), name, 1, 1 << 20);
    for item in &whole {
        assert!(item.body.len() <= LIMIT + 1);
        assert!(item.problem.is_none() || item.body.is_empty());
        assert!(!item.is_lost || item.problem.is_some());
    }
    let range = 1 + u64::from(*first) * 8;
    assert_eq!(whole, items(Source::bytes(archive), name, 2, range));
    let stream = std::io::Cursor::new(archive.to_vec());
    assert_eq!(whole, items(Source::stream(stream), name, 1, 1 << 20));
}
