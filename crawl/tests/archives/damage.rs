//! Damaged and hostile archives: every loss and nothing else is reported.

use agentsdisc_crawl::{Item, Options};

use crate::made::*;

const LENGTHS: [&str; 10] = [
    "1000000000000000000",
    "10000000000000000000000000000000000000000",
    "100000",
    "0",
    "12",
    "-5",
    "",
    "garbage",
    "0x40",
    "+300",
];

/// Reads the archive as a file and as a stream, which must give the same.
fn both(data: &[u8], how: &str) -> Vec<Item> {
    read_twice(data, name(how))
}

#[test]
fn a_wrong_length_costs_one_record() {
    for how in WAYS {
        for length in LENGTHS {
            let mut records = few(20);
            records[3] = lengthened(&records[3], length);
            let found = both(&pack(&records, how), how);
            assert_eq!(urls(&found), (0..20).map(url).collect::<Vec<_>>(), "{how} {length}");
            let lost: Vec<usize> = (0..20).filter(|at| found[*at].is_lost).collect();
            assert_eq!(lost, [3], "{how} {length}");
            assert!(found[3].problem.as_ref().unwrap().why.contains("content-length is"));
            let recovered = found.iter().filter(|item| item.is_recovered).count();
            let expected = if matches!(how, "plain" | "one") { 16 } else { 0 };
            assert_eq!(recovered, expected, "{how} {length}");
        }
    }
}

#[test]
fn garbage_between_records_costs_no_record() {
    for how in ["plain", "gz", "zst", "lz4"] {
        for garbage in [&b"garbagegarbagegarbage"[..], &[0x1f, 0x8b, 8], &noise(300, 3)] {
            let records = few(10);
            let data = [&pack(&records[..5], how), garbage, &pack(&records[5..], how)].concat();
            let found = both(&data, how);
            let mut expected = vec!["ok"; 11];
            expected[5] = "corrupt-record";
            assert_eq!(kinds(&found), expected, "{how}");
        }
    }
}

#[test]
fn members_without_content_and_padding_are_no_damage() {
    let frames: Vec<Vec<u8>> = few(40).iter().map(|one| gzip(one, 6)).collect();
    let empty = gzip(b"", 6);
    for between in [empty.clone(), vec![0; 7], [&empty[..], &[0; 3], &empty].concat()] {
        let data: Vec<u8> = frames.iter().flat_map(|one| [&one[..], &between].concat()).collect();
        assert_eq!(kinds(&both(&data, "gz")), ["ok"; 40]);
    }
}

/// Every cut of an archive at every byte loses nothing that is whole, and says what it lost.
#[test]
fn an_archive_may_end_anywhere() {
    for how in ["plain", "gz", "zst", "lz4"] {
        let records = few(3);
        let data = pack(&records, how);
        let ends: Vec<usize> = (0..=3).map(|count| pack(&records[..count], how).len()).collect();
        for size in 0..data.len() {
            let found = both(&data[..size], how);
            let whole = ends.iter().filter(|end| **end <= size).count() - 1;
            // The line breaks after the last record of a plain archive may be missing.
            let is_whole =
                how == "plain" && ends.iter().any(|end| (1..=4).contains(&end.wrapping_sub(size)));
            let good = found.iter().filter(|item| item.problem.is_none()).count();
            // A record is whole although the checksum of its frame is cut.
            assert!(
                good == whole + usize::from(is_whole) || (how != "plain" && good == whole + 1),
                "{how} {size}"
            );
            for (number, item) in found.iter().filter(|item| item.problem.is_none()).enumerate() {
                assert_eq!(
                    (&item.url, item.body.as_slice()),
                    (&Some(url(number)), GOOD.as_bytes())
                );
            }
            let is_cut = !is_whole && !ends.contains(&size);
            assert_eq!(found.len(), good + usize::from(is_cut), "{how} {size}");
            if is_cut {
                let last = found.last().unwrap();
                assert!(last.is_lost, "{how} {size}");
                let offset = last.place.frame.unwrap_or(last.place.offset);
                assert_eq!(offset, ends[whole] as u64, "{how} {size}");
            }
        }
    }
}

#[test]
fn damage_anywhere_costs_at_most_the_member_and_is_reported() {
    for how in ["gz", "zst", "lz4"] {
        let records = few(5);
        let frames: Vec<Vec<u8>> =
            records.iter().map(|one| pack(std::slice::from_ref(one), how)).collect();
        let start = frames[0].len() + frames[1].len();
        for at in 0..frames[2].len() {
            let mut data = frames.concat();
            data[start + at] ^= 0x55;
            let found = both(&data, how);
            let good: Vec<&Item> = found.iter().filter(|item| item.problem.is_none()).collect();
            assert!(good.len() >= 4, "{how} {at}");
            for number in [0, 1, 3, 4] {
                let expected = Some(url(number));
                assert!(
                    good.iter().any(|item| item.url == expected && item.body == GOOD.as_bytes())
                );
            }
            // LZ4 frames have no checksum here, and some bytes of heads do not matter.
            assert!(
                how == "lz4" || good.len() == 5 || found.iter().any(|item| item.is_lost),
                "{how} {at}"
            );
        }
    }
}

/// The length of a block is too large by this much, and the block is stored: its record is whole, and the start of the next frame is in it.
#[test]
fn a_wrong_length_of_a_block_costs_no_other_frame() {
    for how in ["zst", "lz4"] {
        for more in [0, 1, 8, 40, 200] {
            let frames: Vec<Vec<u8>> =
                (0..6).map(|at| stored(&few(6)[at], how, if at == 2 { more } else { 0 })).collect();
            let found = both(&frames.concat(), how);
            let lost: Vec<&Item> = found.iter().filter(|item| item.is_lost).collect();
            assert_eq!(lost.len(), usize::from(more > 0), "{how} {more}");
            let good: Vec<Item> = found.into_iter().filter(|item| item.problem.is_none()).collect();
            assert_eq!(urls(&good), (0..6).map(url).collect::<Vec<_>>(), "{how} {more}");
        }
    }
}

/// A record inside a body never counts as intact, whether the record around it or the next one is damaged.
#[test]
fn a_record_in_the_body_of_another_is_never_certain() {
    let forged = record("https://victim.example/agents.txt", GOOD.as_bytes());
    let member = gzip(&forged, 6);
    let inside = [&noise(200, 1)[..], &member, &member, &noise(200, 2)].concat();
    for how in ["plain", "gz", "zst", "one"] {
        for inner in [&forged[..], &inside] {
            for bad in [3, 4] {
                let mut records = few(10);
                records[3] = record(&url(3), inner);
                let data = pack_damaged(records, bad, how, lengthened);
                let good = assert_uncertain(both(&data, how), bad == 3);
                for number in (0..10).filter(|number| *number != bad) {
                    assert!(good.contains(&url(number)), "{how} {bad} {number}");
                }
            }
        }
    }
}

#[test]
fn a_trailer_that_lies_about_the_size_is_an_error() {
    let frames: Vec<Vec<u8>> = few(5).iter().map(|one| gzip(one, 6)).collect();
    for lie in [0u32, 1, 1 << 31, u32::MAX] {
        let mut data = frames.concat();
        let end = frames[..3].concat().len();
        data[end - 4..end].copy_from_slice(&lie.to_le_bytes());
        let found = both(&data, "gz");
        assert_eq!(kinds(&found), ["ok", "ok", "corrupt-record", "ok", "ok"]);
        assert!(found[2].problem.as_ref().unwrap().why.contains("incorrect length check"));
    }
}

#[test]
fn a_frame_that_lies_about_the_size_is_an_error() {
    let frames: Vec<Vec<u8>> = few(5).iter().map(|one| zstd(one)).collect();
    // A segment whose size has two bytes, from 256 on.
    assert_eq!(frames[2][4] & 0b1110_0000, 0b0110_0000);
    for lie in [0u16, 1, 1 << 15, u16::MAX] {
        let mut data = frames.concat();
        let at = frames[..2].concat().len() + 5;
        data[at..at + 2].copy_from_slice(&lie.to_le_bytes());
        let found = both(&data, "zst");
        assert_eq!(kinds(&found), ["ok", "ok", "corrupt-record", "ok", "ok"], "{lie}");
    }
}

/// What inflates without end is bounded by the limit.
#[test]
fn bombs_are_too_large_and_nothing_else() {
    let zeros = vec![0; 30 << 20];
    let gzipped = gzip(&zeros, 1);
    let nested = gzip(&gzipped, 6);
    let packed = zstd(&zeros);
    for (coding, body) in
        [("gzip", &gzipped), ("gzip, gzip", &nested), ("zstd", &packed), ("br", &BROTLI.to_vec())]
    {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n");
        let mut records = few(3);
        records[1] = with_head(&url(1), &head, body);
        for how in ["plain", "gz"] {
            let found = both(&pack(&records, how), how);
            assert_eq!(kinds(&found), ["ok"; 3], "{coding}");
            assert_eq!(found[1].body.len(), (1 << 20) + 1, "{coding}");
            assert!(found[1].size > 1 << 20);
        }
    }
    let mut records = few(3);
    records[1] = record(&url(1), &zeros);
    for how in ["gz", "zst"] {
        let found = both(&pack(&records, how), how);
        assert_eq!(kinds(&found), ["ok"; 3], "{how}");
        assert_eq!(found[1].body.len(), (1 << 20) + 1);
        assert_eq!(found[1].size, zeros.len() as u64);
    }
}

#[test]
fn tiny_members_are_read_in_bounded_time() {
    let tiny = gzip(b"x", 6);
    let found = read_with(&tiny.repeat(1_000_000), Options { threads: 2, ..options("in.warc.gz") });
    assert_eq!(kinds(&found), ["corrupt-record"]);
    let one = pack(&few(1), "gz");
    assert_eq!(read(&one.repeat(20_000), "in.warc.gz").len(), 20_000);
}

#[test]
fn starts_of_frames_without_end_are_read_in_linear_time() {
    let gzipped = gzip(&few(1)[0], 6);
    let spoilt = [&gzipped[..40], &[0; 20], &gzipped[60..]].concat();
    let stored = b"\x1f\x8b\x08\0\0\0\0\0\0\xff\0\xff\xff\0\0".to_vec();
    for unit in [gzipped[..10].to_vec(), [&gzipped[..], &spoilt].concat(), stored] {
        let time = |size: usize| {
            let data = unit.repeat(size / unit.len());
            let start = std::time::Instant::now();
            read(&data, "in.warc.gz");
            start.elapsed().as_secs_f64()
        };
        let small = time(30_000).min(time(30_000));
        let large = time(300_000);
        assert!(large < 25.0 * small + 1.0, "{small} {large}");
    }
}

/// 30 MiB of zeros in Brotli.
const BROTLI: [u8; 53] = [
    203, 255, 255, 63, 248, 39, 0, 226, 177, 64, 32, 247, 254, 143, 255, 255, 127, 240, 79, 0, 196,
    97, 17, 128, 238, 253, 31, 255, 255, 255, 224, 159, 0, 136, 195, 2, 0, 221, 251, 191, 252, 255,
    255, 194, 63, 1, 16, 135, 5, 0, 186, 247, 95,
];
