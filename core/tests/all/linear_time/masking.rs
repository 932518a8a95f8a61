//! Masking secrets, and finding the words of private keys, in texts in which keys begin in the text
//! after other keys.

use std::time::Duration;

use agentsdisc_core::format::credentials::{key_words, mask};

use super::{FACTOR, LARGE, SMALL, repeated, seconds};

const BODY: &str = "q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oA";

/// Prefixes of keys of every alphabet, and other marks that begin a search.
const PREFIXES: &[&str] = &[
    "AKIA",
    "AIza",
    "ya29.",
    "AccountKey=",
    "aws_secret_access_key=",
    "github_pat_",
    "ghp_",
    "sk_live_",
    "shpat_",
    "sk-ant-",
    "sk-",
    "xoxe.xox",
    "hooks.slack.com/services/T",
    "discord.com/api/webhooks/",
    "SK",
    "SG.",
    "npm_",
    "pypi-",
    "dapi",
    "ATATT3",
    "eyJ",
    "eyJaaaaaaaaaaaa",
    "Bearer ",
    "Basic ",
    "secret_access_key=",
    "12345678:AA",
    "https://u:",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nexample",
    "-----BEGIN ",
    "-----END ",
    "\\_",
    "\\",
];

/// Texts after a prefix: a key, and what is none.
const BODIES: &[&str] = &["", "a", "aaaaaaaaaaaa", BODY, "your", "example-aaaaaaaaaaaaaaaaaaaa"];

/// What is between two keys.
const JOINS: &[&str] = &["", ".", "-", "_", "/", "=", "+", "~", ":", "@", " ", "\n", "\\", "a"];

fn masked(text: &str) -> u64 {
    let mut length = 0;
    mask(text, |piece| length += piece.len() as u64);
    key_words(text.as_bytes(), |word| length += word.len() as u64);
    length
}

/// Checks that a text which repeats `item` is masked in linear time.
fn linear(item: &str, sizes: (usize, usize)) {
    let make = |size| String::from_utf8(repeated("", |_| item.to_owned(), "")(size)).unwrap();
    let (small, large) = (make(sizes.0), make(sizes.1));
    let times = large.len() / small.len();
    let (mut few, mut many) = (f64::MAX, f64::MAX);
    for _ in 0..7 {
        few = few.min(seconds(times, || masked(&small)));
        many = many.min(seconds(1, || masked(&large)));
        // One success is enough, because a measured time can only be too long.
        if many < few * FACTOR {
            return;
        }
    }
    panic!("{item:?} repeated: {few:.4} s in parts, {many:.4} s at once");
}

#[test]
fn masking_takes_linear_time() {
    for prefix in PREFIXES {
        for body in BODIES {
            for join in JOINS {
                linear(&format!("{prefix}{body}{join}"), (1 << 10, 1 << 14));
            }
        }
    }
}

#[test]
fn masking_keys_within_keys_takes_linear_time() {
    for outer in PREFIXES {
        for inner in PREFIXES {
            for join in [".", "-", "="] {
                linear(&format!("x{outer}{join}x{inner}{join}"), (1 << 9, 1 << 13));
                linear(&format!("x{outer}{join}{inner}{BODY}{join}"), (1 << 9, 1 << 13));
            }
        }
    }
}

#[test]
fn masking_a_large_text_is_fast() {
    let items = ["eyJaaaaaaaaaaaa.", &format!("npm_{BODY}."), &format!("sk-ant-{BODY}.")];
    // Ordinary text: no key, but marks that begin a search.
    for item in [
        "see https://mugs.example/a/b?c=d#e, ",
        "a-",
        "a_",
        "aB3-",
        "-",
        "a_b:",
        "user@mugs.example ",
    ] {
        linear(item, (SMALL, LARGE));
    }
    for item in items {
        linear(item, (SMALL, LARGE));
        if !cfg!(debug_assertions) {
            let text = item.repeat((16 << 20) / item.len());
            let took = (0..5).map(|_| seconds(1, || masked(&text))).fold(f64::MAX, f64::min);
            println!("16 MiB of {item:?}: {took:.3} s");
            assert!(
                Duration::from_secs_f64(took) < Duration::from_millis(200),
                "{item:?}: {took:.3} s"
            );
        }
    }
}
