extern crate std;
use std::format;
use std::string::String;

use super::*;
use crate::syntax::text::Escape;

const BODY: &str = "q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oA";

const HEX: &str = "0123456789abcdef0123456789abcdef";

fn finds(text: &str) -> bool {
    holds_credential(Text::plain(text.as_bytes()))
}

fn masked(text: &str) -> String {
    let mut masked = String::new();
    mask(text, |piece| masked.push_str(piece));
    masked
}

/// One key of each kind.
fn keys() -> [String; 51] {
    let key = |prefix: &str| format!("{prefix}{BODY}");
    [
        key("sk-"),
        key("sk-ant-api03-"),
        key("sk-proj-"),
        key("sk_live_"),
        key("rk_live_"),
        key("ghp_"),
        key("gho_"),
        key("ghu_"),
        key("ghs_"),
        key("ghr_"),
        key("github_pat_11ABCDEFG0_"),
        key("glpat-"),
        key("AIza"),
        key("xoxb-1234567890-"),
        key("xoxp-"),
        key("npm_"),
        key("hf_"),
        "AKIAQ7ZT4WXN2LPD5RKC".into(),
        "ASIAQ7ZT4WXN2LPD5RKC".into(),
        key("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0ZXN0In0."),
        key("xapp-1-A0123-"),
        format!("SG.{}.{BODY}", &BODY[..22]),
        key("dckr_pat_"),
        key("dckr_oat_"),
        format!("shpat_{HEX}"),
        format!("shpss_{HEX}"),
        format!("dop_v1_{HEX}{HEX}"),
        key("whsec_"),
        format!("pypi-AgEIcHlwaS5vcmc{BODY}{BODY}"),
        format!("SK{HEX}"),
        key("sq0atp-"),
        key("GOCSPX-"),
        format!("gsk_{BODY}{BODY}"),
        key("hvs."),
        key("lin_api_"),
        key("PMAK-"),
        key("glcbt-64_"),
        key("ya29."),
        format!("aws_secret_access_key={BODY}/+b1"),
        format!("AWS_SECRET_ACCESS_KEY={BODY}/+b1"),
        format!("AccountKey={BODY}{BODY}/+abcdeQ1234A=="),
        format!("SharedAccessKey={BODY}abcdefg="),
        format!("hooks.slack.com/services/T0123ABCD/B0123ABCDEF/{}", &BODY[..24]),
        format!("discord.com/api/webhooks/123456789012345678/{BODY}{BODY}"),
        format!("discordapp.com/api/webhooks/123456789012345678/{BODY}{BODY}"),
        format!("dapi{HEX}"),
        key("r8_"),
        format!("xai-{BODY}{BODY}"),
        format!("ATATT3xFfGF0{BODY}"),
        format!("sbp_{HEX}01234567"),
        key("figd_"),
    ]
}

#[test]
fn escapes_of_markdown_hide_nothing() {
    for key in keys().into_iter().filter(|key| key.contains(['_', '-', '.'])) {
        let escaped: String = key
            .chars()
            .flat_map(|c| {
                let escape = c.is_ascii_punctuation().then_some('\\');
                escape.into_iter().chain([c])
            })
            .collect();
        for text in [
            escaped.clone(),
            format!("a\\_b {escaped}, c"),
            format!("**{escaped}**"),
            format!("{}\\_ {escaped}", "x".repeat(600)),
        ] {
            assert!(finds(&text), "{text}");
            assert!(!masked(&text).contains(&BODY[4..]), "{text}");
        }
    }
    for text in ["C:\\dir\\a_b", "a\\_b\\", "sk\\_live\\_YOUR\\_KEY\\_GOES\\_HERE", "\\"] {
        assert!(!finds(text), "{text}");
        assert_eq!(masked(text), text);
    }
}

#[test]
fn every_shape_is_found_and_masked() {
    for key in keys() {
        let start = &key[..4];
        for (before, after) in [
            ("", ""),
            ("Use ", " here"),
            ("?token=", "&x=y"),
            ("(", ")"),
            ("my-", "."),
            ("\"", "\""),
            ("https://e.test/", "/x"),
        ] {
            // Keys in base64 and webhooks can continue after a slash.
            if after == "/x" && key.contains(['/', '=']) {
                continue;
            }
            let text = format!("{before}{key}{after}");
            assert!(finds(&text), "{text}");
            assert_eq!(masked(&text), format!("{before}{start}…{after}"));
        }
    }
    for prefix in ["Bearer ", "bearer \t"] {
        assert!(finds(&format!("{prefix}{BODY}")));
        assert!(finds(&format!("{prefix}ab+/12{BODY}==")));
        assert_eq!(masked(&format!("{prefix}{BODY}!")), format!("{prefix}…!"));
    }
}

#[test]
fn keys_glued_to_a_word_are_found() {
    let is_short = |key: &String| {
        ["SG.", "SK0", "hf_", "sk-q", "r8_"].iter().any(|start| key.starts_with(start))
    };
    for key in keys().iter().filter(|key| !is_short(key)) {
        let text = format!("Foo{key} b");
        assert_eq!(masked(&text), format!("Foo{}… b", &key[..4]));
    }
    for text in ["shipsk-", "wolf_hf_", "a-tasSK", "foosk_test_"] {
        assert!(!finds(&format!("{text}abcdefghijklmnop")), "{text}");
    }
}

#[test]
fn tokens_of_bots_are_found_and_masked() {
    let secret = format!("AA{}", &BODY[..33]);
    for (before, after) in [
        ("123456789:", ""),
        ("https://api.telegram.org/bot1234567890:", "/getMe"),
        ("\"12345678:", "\""),
    ] {
        let text = format!("{before}{secret}{after}");
        assert_eq!(masked(&text), format!("{before}…{after}"));
    }
    for text in [
        format!("12345:{secret}"),
        format!("123456789:{secret}x"),
        format!("port 123456789:{}", &BODY[..35]),
    ] {
        assert!(!finds(&text), "{text}");
    }
}

#[test]
fn secrets_that_only_a_word_before_them_shows() {
    let aws = format!("{BODY}/+b1");
    for (before, secret, after) in [
        ("Authorization: Basic ", "c2hvcDpxN1p0NFd4TjJMcEQ1", ""),
        ("basic \n> ", "c2hvcDpxN1p0NFd4TjJMcEQ1", ", please"),
        ("aws_secret_access_key = ", aws.as_str(), ""),
        ("\"SecretAccessKey\": \"", &aws, "\""),
        ("secret_access_key: '", &aws, "'"),
    ] {
        let text = format!("{before}{secret}{after}");
        assert!(finds(&text), "{text}");
        assert_eq!(masked(&text), format!("{before}…{after}"));
    }
    for text in [
        "Basic dXNlcm5hbWU6cGFzc3dvcmQ= or Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
        "Basic Authentication1Authentication1",
        "Basic authenticationForAllOfTheAgents2",
        "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "aws_secret_access_key = YOUR_SECRET",
        "AccountKey=<key>;EndpointSuffix=core.windows.net",
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "https://discord.com/api/webhooks/{webhook.id}/{webhook.token}",
        "dapi-0123456789abcdef and cache-key-0123456789abcdef0123456789abcdef",
        "xai-grok-4-is-a-model, figd_ and sbp_ are prefixes",
    ] {
        assert!(!finds(text), "{text}");
    }
}

fn key_words_of(document: &str) -> String {
    let mut words = String::new();
    key_words(document.as_bytes(), |range| {
        words.push_str(&document[range]);
        words.push(' ');
    });
    words
}

#[test]
fn the_words_of_a_private_key_are_found_in_every_format() {
    let lines = [
        "-----BEGIN RSA PRIVATE KEY-----",
        "MIIEpAIBAAKCAQEAq7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oAq7Zt4WxN2LpD",
        "5rKc8VbM1sHg+3uJ/eTfQ9oAq7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oAq7Zt",
        "abcd",
        "-----END RSA PRIVATE KEY-----",
    ];
    let expected = format!("{} {} abcd ", lines[1], lines[2]);
    let join = |before: &str, after: &str| {
        let lines = lines.map(|line| format!("{before}{line}{after}\n"));
        format!("{before}a{after}\n{}{before}Other words 2026 in ALL{after}\n", lines.concat())
    };
    for (before, after) in [
        ("", ""),
        ("  ", "\r"),
        ("# ", ""),
        ("- ", ""),
        ("Disallow: ", ""),
        ("  X-Key: ", ""),
        ("    \"", "\","),
        ("\"", "\\n\","),
        ("\"", "\": true,"),
    ] {
        assert_eq!(key_words_of(&join(before, after)), expected, "{before}");
    }
    let text = join("\"", "\",").replace('\n', "");
    assert_eq!(key_words_of(&text), expected);
    let text = join("\"", "\",").replace('/', "\\/");
    assert_eq!(key_words_of(&text), expected.replace('/', "\\/"));
    // In a key without an end, only words that look like a key, and the line after them.
    let text = join("", "").replace("-----END", "").replace("abcd", "Qw8=");
    assert_eq!(key_words_of(&text), expected.replace("abcd", "Qw8="));
    for text in [
        "",
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
        "-----BEGIN PRIVATE KEY-----\nOther words, /paths and 2026\n",
        "-----BEGIN PRIVATE KEY-----...",
    ] {
        assert_eq!(key_words_of(text), "", "{text}");
    }
}

#[test]
fn private_keys_and_passwords_are_found_and_masked() {
    for (text, expected) in [
        ("a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b", "a ----… b"),
        ("-----BEGIN PRIVATE KEY-----\nMIIE\n", "----…"),
        ("-----BEGIN PGP PRIVATE KEY BLOCK-----\nx", "----…"),
        ("https://a:w8t3r@e.test/ x", "https://a:…@e.test/ x"),
        ("//a:w8t3r@e.test: x", "//a:…@e.test: x"),
        (r"https:\/\/a:w8t3r@e.test", r"https:\/\/a:…@e.test"),
        ("postgres://:w8t3r@e.test:5432/db", "postgres://:…@e.test:5432/db"),
    ] {
        assert!(finds(text), "{text}");
        assert_eq!(masked(text), expected);
    }
    let keys = keys().join(" and https://a:w8t3r@e.test ");
    assert_eq!(masked(&keys).matches('…').count(), 101);
}

#[test]
fn words_and_placeholders_are_not_found() {
    for text in [
        "a task-force for sk-learn, risk-free, the bearer of news",
        "sk-learn-tutorial-about-forests-part-2",
        "Bearer YOUR_ACCESS_TOKEN_1234567890",
        "Bearer <token> or Bearer {access_token_1234567890abcdef}",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx1",
        "sk-1234567890abcdefghij...",
        "ghp_q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTf***",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "ghp_000000000000000000000000000000000000",
        "sk_test_q7Zt4WxN2LpD5rKc8VbM1sHg",
        "sk_live_YOUR_API_KEY_YOUR_API_KEY",
        "sk-ant-api03-your-key-goes-here-and-stays-here",
        "the bearer: q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTf",
        "AKIAQ7ZT4WXN2LPD5RKCX",
        "AKIAIOSFODNN7EXAMPLE",
        "ASIAIOSFODNN7EXAMPLE",
        "https://example.com/a/very/long/path/2024/without/secrets",
        "example.com.more.names.of.hosts.eyJ.eyJ",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "-----BEGIN PRIVATE KEY-----...",
        "https://user:password@e.test/",
        "https://user:<password>@e.test/ https://user:{password}@e.test/",
        "https://user:$PASSWORD@e.test/ https://user:YOUR_PASSWORD@e.test/",
        "https://user:xxxx@e.test/ https://user:****@e.test/ https://user@e.test/",
        "mail me: a@e.test, https://e.test:8080/a@b",
    ] {
        assert!(!finds(text), "{text}");
        assert_eq!(masked(text), text);
    }
}

#[test]
fn escapes_hide_nothing() {
    for raw in [
        "sk\\u002dq7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oA",
        "\\u0067hp_q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oA",
        "\\nghp_q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oA",
        "https:\\/\\/a:w8t3\\u0072@e.test",
        "-----BEGIN PRIVATE KEY-----\\nMIIE",
    ] {
        assert!(holds_credential(Text::json(raw.as_bytes())), "{raw}");
        assert!(Suspects::of(raw.as_bytes()).has(Text::json(raw.as_bytes())), "{raw}");
    }
}

proptest::proptest! {
    /// A key is found even where two parts of a decoded text meet.
    #[test]
    fn a_key_is_found_anywhere_in_a_long_text(before in 1_usize..4096, after in 0_usize..4096, kind in 0_usize..20) {
        let text = format!("\\n{}{}{}", "a ".repeat(before), keys()[kind], " b".repeat(after));
        proptest::prop_assert!(holds_credential(Text::escaped(text.as_bytes(), Escape::Json)));
        proptest::prop_assert!(finds(&text));
    }

    /// Masking does not change a text without a credential, and a masked text contains no
    /// credential.
    #[test]
    fn a_masked_text_holds_no_credential(text in "(sk-|ghp_|AKIA|xoxb-|eyJ|://|@|:|-----BEGIN PRIVATE KEY-----|Bearer|[a-zA-Z0-9]{1,12}|[.+/=~ >\t\n_-]|é){1,24}") {
        let masked = masked(&text);
        proptest::prop_assert!(!finds(&masked), "{}", masked);
        proptest::prop_assert_eq!(finds(&text), masked != text);
    }
}

#[test]
fn a_private_key_that_begins_at_the_end_of_a_key_is_masked() {
    let text =
        format!("sk-ant-{BODY}-----BEGIN PRIVATE KEY-----\nMIIE{BODY}\n-----END PRIVATE KEY-----!");
    assert_eq!(masked(&text), "sk-a…!");
}

#[test]
fn a_key_after_a_placeholder_is_masked() {
    for prefix in ["xSG.", "task-ant-", "xAccountKey="] {
        let text = format!("{prefix}your-name-ghp_{BODY}");
        assert!(!masked(&text).contains(BODY), "{text}");
    }
}
