//! Archives made for tests, and their reading.

use std::io::Write;

use agentsdisc_crawl::{Item, Options, Reader, Source};
use flate2::Compression;
use flate2::write::GzEncoder;

pub(crate) const GOOD: &str = "Spec-Version: 1.0\nSite-Name: a\nSite-URL: https://a.example\nCapability: checkout\n  Protocol: REST\n  Auth: oauth2\n";

/// The ways to pack records.
pub(crate) const WAYS: [&str; 6] = ["plain", "gz", "zst", "lz4", "one", "two"];

/// The URL of a site.
pub(crate) fn url(number: usize) -> String {
    format!("https://s{number}.example/agents.txt")
}

/// A WARC record of a response.
pub(crate) fn record(url: &str, body: &[u8]) -> Vec<u8> {
    with_head(url, &format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len()), body)
}

/// A WARC record of a response with this head.
pub(crate) fn with_head(url: &str, head: &str, body: &[u8]) -> Vec<u8> {
    let length = head.len() + body.len();
    let warc = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: {length}\r\n\r\n"
    );
    [warc.as_bytes(), head.as_bytes(), body, b"\r\n\r\n"].concat()
}

/// Records of so many sites.
pub(crate) fn few(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|number| record(&url(number), GOOD.as_bytes())).collect()
}

pub(crate) fn gzip(data: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(data: &[u8]) -> Vec<u8> {
    let mut context = zstd_safe::CCtx::create();
    context.set_parameter(zstd_safe::CParameter::ChecksumFlag(true)).unwrap();
    let mut out = Vec::with_capacity(zstd_safe::compress_bound(data.len()));
    context.compress2(&mut out, data).unwrap();
    out
}

/// An LZ4 frame of uncompressed blocks.
pub(crate) fn lz4(data: &[u8]) -> Vec<u8> {
    let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// A frame of one stored block, and of an empty one at its end. The block says that it has `more` bytes than it has.
pub(crate) fn stored(data: &[u8], how: &str, more: usize) -> Vec<u8> {
    let size = u32::try_from(data.len() + more).unwrap();
    if how == "zst" {
        // A window of 128 KiB. The last bit of the head of a block says that it is the last.
        let head = (size << 3).to_le_bytes();
        return [b"\x28\xb5\x2f\xfd\x00\x38", &head[..3], data, &[1, 0, 0]].concat();
    }
    let frame = lz4(b"");
    [&frame[..7], &(size | 1 << 31).to_le_bytes(), data, &[0; 4]].concat()
}

pub(crate) fn pack(records: &[Vec<u8>], how: &str) -> Vec<u8> {
    match how {
        "plain" => records.concat(),
        "one" => gzip(&records.concat(), 6),
        "two" => records.chunks(2).flat_map(|pair| gzip(&pair.concat(), 6)).collect(),
        "gz" => records.iter().flat_map(|one| gzip(one, 6)).collect(),
        "zst" => records.iter().flat_map(|one| zstd(one)).collect(),
        _ => records.iter().flat_map(|one| lz4(one)).collect(),
    }
}

pub(crate) fn name(how: &str) -> &'static str {
    match how {
        "plain" => "in.warc",
        "zst" => "in.warc.zst",
        "lz4" => "in.warc.lz4",
        _ => "in.warc.gz",
    }
}

pub(crate) fn options(name: &str) -> Options {
    Options { name: name.to_owned(), limit: 1 << 20, ..Options::default() }
}

pub(crate) fn read(data: &[u8], name: &str) -> Vec<Item> {
    read_with(data, Options { threads: 2, ..options(name) })
}

pub(crate) fn read_with(data: &[u8], options: Options) -> Vec<Item> {
    Reader::new(Source::bytes(data), options).collect()
}

pub(crate) fn streamed(data: &[u8], name: &str) -> Vec<Item> {
    let data = std::io::Cursor::new(data.to_vec());
    Reader::new(Source::stream(data), options(name)).collect()
}

/// A record with another Content-Length.
pub(crate) fn lengthened(record: &[u8], length: &str) -> Vec<u8> {
    let start = find(record, b"Content-Length: ");
    let end = start + find(&record[start..], b"\r\n");
    [&record[..start], format!("Content-Length: {length}").as_bytes(), &record[end..]].concat()
}

pub(crate) fn find(data: &[u8], wanted: &[u8]) -> usize {
    data.windows(wanted.len()).position(|here| here == wanted).unwrap()
}

/// Bytes that no compression shortens.
pub(crate) fn noise(count: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..count).map(next).map(|byte| if byte == 0x1f { b'-' } else { byte }).collect()
}

pub(crate) fn kinds(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.problem.as_ref().map_or("ok", |problem| problem.kind)).collect()
}

pub(crate) fn urls(items: &[Item]) -> Vec<String> {
    items.iter().map(|item| item.url.clone().unwrap_or_default()).collect()
}

/// Reads an archive as a file and as a stream, which must give the same.
pub(crate) fn read_twice(data: &[u8], name: &str) -> Vec<Item> {
    let found = read(data, name);
    assert_eq!(found, streamed(data, name));
    found
}

/// Packs records of which one is damaged: in the length that it states, or in its own frame.
pub(crate) fn pack_damaged(
    mut records: Vec<Vec<u8>>,
    bad: usize,
    how: &str,
    lengthened: fn(&[u8], &str) -> Vec<u8>,
) -> Vec<u8> {
    if matches!(how, "plain" | "one") {
        records[bad] = lengthened(&records[bad], "100000");
        return pack(&records, how);
    }
    let frames = records.iter().map(|one| pack(std::slice::from_ref(one), how));
    let mut frames: Vec<Vec<u8>> = frames.collect();
    frames[bad][20..29].fill(0);
    frames.concat()
}

/// Fails if a record of the site `victim`, which is inside of another, is certain, or is there although
/// the outer one is whole. Returns the URLs of the documents.
pub(crate) fn assert_uncertain(found: Vec<Item>, is_outer_damaged: bool) -> Vec<String> {
    for item in &found {
        let is_victim = item.url.as_deref().is_some_and(|url| url.contains("victim"));
        assert!(!is_victim || item.is_recovered || item.problem.is_some());
        assert!(!is_victim || is_outer_damaged);
    }
    let good: Vec<Item> = found.into_iter().filter(|item| item.problem.is_none()).collect();
    urls(&good)
}
