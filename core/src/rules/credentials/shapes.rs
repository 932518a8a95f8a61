//! The shapes of well-known keys.

use super::is_word_byte;

/// The characters that may follow the prefix of a key.
#[derive(Clone, Copy)]
#[repr(usize)]
pub(super) enum Alphabet {
    /// ASCII letters and digits.
    Alphanumeric,
    /// Upper-case letters and digits; other characters end the key.
    Capital,
    /// Letters, digits, `-` and `_`.
    UrlSafe,
    /// Letters, digits, `-`, `_` and `.`.
    Dotted,
    /// Digits and the letters `a` to `f` in lower case.
    Hexadecimal,
    /// Letters, digits, `+`, `/` and `=`.
    Base64,
    /// Letters, digits, `-`, `_` and `/`.
    Path,
}

impl Alphabet {
    /// The number of alphabets.
    pub(super) const COUNT: usize = Self::Path as usize + 1;

    pub(super) const fn has(self, byte: u8) -> bool {
        match self {
            Self::Alphanumeric => byte.is_ascii_alphanumeric(),
            Self::Capital => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::UrlSafe => is_word_byte(byte),
            Self::Dotted => is_word_byte(byte) || byte == b'.',
            Self::Hexadecimal => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
            Self::Path => is_word_byte(byte) || byte == b'/',
        }
    }
}

/// One kind of key: its prefix, the characters that follow the prefix, and their minimum number.
pub(super) struct Shape {
    pub(super) prefix: &'static [u8],
    /// The number of letters and digits at the start of the prefix.
    pub(super) stem: usize,
    pub(super) alphabet: Alphabet,
    pub(super) least: usize,
    /// Whether `least` is also the maximum.
    pub(super) exact: bool,
    /// Whether at least one character must be a digit: for prefixes of ordinary words.
    pub(super) digit: bool,
}

const fn shape(prefix: &'static str, alphabet: Alphabet, least: usize) -> Shape {
    let prefix = prefix.as_bytes();
    let mut stem = 0;
    while let Some((_, rest)) = prefix.split_at_checked(stem)
        && let [byte, ..] = rest
        && byte.is_ascii_alphanumeric()
    {
        stem += 1;
    }
    Shape { prefix, stem, alphabet, least, exact: false, digit: false }
}

/// All shapes. If one prefix begins with another, the longer prefix comes first.
pub(super) static SHAPES: &[Shape] = &[
    // Amazon Web Services: access keys, permanent and temporary.
    Shape { exact: true, ..shape("AKIA", Alphabet::Capital, 16) },
    Shape { exact: true, ..shape("ASIA", Alphabet::Capital, 16) },
    shape("aws_secret_access_key=", Alphabet::Base64, 40),
    shape("AWS_SECRET_ACCESS_KEY=", Alphabet::Base64, 40),
    // Google: API keys, and access tokens of OAuth.
    shape("AIza", Alphabet::UrlSafe, 30),
    shape("ya29.", Alphabet::UrlSafe, 30),
    // Azure: storage accounts, and message buses.
    shape("AccountKey=", Alphabet::Base64, 80),
    shape("SharedAccessKey=", Alphabet::Base64, 40),
    // GitHub.
    shape("github_pat_", Alphabet::UrlSafe, 30),
    shape("ghp_", Alphabet::Alphanumeric, 30),
    shape("gho_", Alphabet::Alphanumeric, 30),
    shape("ghu_", Alphabet::Alphanumeric, 30),
    shape("ghs_", Alphabet::Alphanumeric, 30),
    shape("ghr_", Alphabet::Alphanumeric, 30),
    // GitLab.
    shape("glpat-", Alphabet::UrlSafe, 20),
    shape("gldt-", Alphabet::UrlSafe, 20),
    shape("glptt-", Alphabet::UrlSafe, 20),
    shape("glrt-", Alphabet::UrlSafe, 20),
    shape("glcbt-", Alphabet::UrlSafe, 20),
    // Stripe, secret and restricted; `sk_test_` is for tests.
    shape("sk_live_", Alphabet::Alphanumeric, 16),
    shape("rk_live_", Alphabet::Alphanumeric, 16),
    shape("whsec_", Alphabet::Alphanumeric, 24),
    // Square.
    shape("sq0atp-", Alphabet::UrlSafe, 20),
    shape("sq0csp-", Alphabet::UrlSafe, 20),
    // Shopify: apps, custom apps, private apps, and their shared secrets.
    shape("shpat_", Alphabet::Hexadecimal, 32),
    shape("shpca_", Alphabet::Hexadecimal, 32),
    shape("shppa_", Alphabet::Hexadecimal, 32),
    shape("shpss_", Alphabet::Hexadecimal, 32),
    // Anthropic, OpenAI, and vendors with similar keys.
    shape("sk-ant-", Alphabet::UrlSafe, 20),
    shape("sk-proj-", Alphabet::UrlSafe, 20),
    shape("sk-svcacct-", Alphabet::UrlSafe, 20),
    shape("sk-admin-", Alphabet::UrlSafe, 20),
    shape("sk-or-v1-", Alphabet::Alphanumeric, 20),
    Shape { digit: true, ..shape("sk-", Alphabet::Alphanumeric, 20) },
    // Slack.
    shape("xoxa-", Alphabet::UrlSafe, 20),
    shape("xoxb-", Alphabet::UrlSafe, 20),
    shape("xoxp-", Alphabet::UrlSafe, 20),
    shape("xoxr-", Alphabet::UrlSafe, 20),
    shape("xoxs-", Alphabet::UrlSafe, 20),
    shape("xoxe.xox", Alphabet::UrlSafe, 20),
    shape("xapp-", Alphabet::UrlSafe, 20),
    // Webhooks, whose URL is the secret: Slack and Discord.
    Shape { digit: true, ..shape("hooks.slack.com/services/T", Alphabet::Path, 40) },
    Shape { digit: true, ..shape("discord.com/api/webhooks/", Alphabet::Path, 60) },
    Shape { digit: true, ..shape("discordapp.com/api/webhooks/", Alphabet::Path, 60) },
    // Twilio and SendGrid.
    Shape { exact: true, digit: true, ..shape("SK", Alphabet::Hexadecimal, 32) },
    Shape { digit: true, ..shape("SG.", Alphabet::Dotted, 40) },
    // Docker and DigitalOcean.
    shape("dckr_oat_", Alphabet::UrlSafe, 20),
    shape("dckr_pat_", Alphabet::UrlSafe, 20),
    shape("doo_v1_", Alphabet::Hexadecimal, 40),
    shape("dop_v1_", Alphabet::Hexadecimal, 40),
    shape("dor_v1_", Alphabet::Hexadecimal, 40),
    // Registries of packages and models.
    shape("npm_", Alphabet::Alphanumeric, 30),
    shape("hf_", Alphabet::Alphanumeric, 30),
    Shape { digit: true, ..shape("pypi-", Alphabet::UrlSafe, 50) },
    // Google OAuth, Groq, Vault, Linear, Postman.
    shape("GOCSPX-", Alphabet::UrlSafe, 20),
    shape("gsk_", Alphabet::Alphanumeric, 40),
    shape("hvs.", Alphabet::UrlSafe, 24),
    shape("lin_api_", Alphabet::Alphanumeric, 30),
    shape("PMAK-", Alphabet::UrlSafe, 30),
    // Databricks, Replicate, xAI, Atlassian, Supabase, Figma.
    shape("dapi", Alphabet::Hexadecimal, 32),
    shape("r8_", Alphabet::Alphanumeric, 30),
    shape("xai-", Alphabet::Alphanumeric, 60),
    shape("ATATT3", Alphabet::UrlSafe, 40),
    shape("sbp_", Alphabet::Hexadecimal, 40),
    shape("figd_", Alphabet::UrlSafe, 30),
];

/// The shapes whose prefix has a byte at one place, by that byte, in the order of [`SHAPES`].
struct ByByte {
    first: [u8; 256],
    next: [u8; SHAPES.len()],
}

/// Not the index of a shape.
const NONE: u8 = u8::MAX;

impl ByByte {
    #[allow(clippy::indexing_slicing)] // Runs only at compile time.
    const fn of(at_stem: bool) -> Self {
        assert!(SHAPES.len() < NONE as usize);
        let mut found = Self { first: [NONE; 256], next: [NONE; SHAPES.len()] };
        let mut index = SHAPES.len();
        while index > 0 {
            index -= 1;
            let shape = &SHAPES[index];
            let place = if at_stem { shape.stem - 1 } else { 0 };
            let byte = shape.prefix[place] as usize;
            found.next[index] = found.first[byte];
            found.first[byte] = index as u8;
        }
        found
    }

    fn get(&'static self, byte: u8) -> impl Iterator<Item = &'static Shape> {
        let mut index = self.first.get(usize::from(byte)).copied();
        core::iter::from_fn(move || {
            let place = usize::from(index?);
            index = self.next.get(place).copied();
            SHAPES.get(place)
        })
    }
}

/// Returns the shapes whose prefix begins with a byte.
pub(super) fn beginning_with(byte: u8) -> impl Iterator<Item = &'static Shape> {
    static FIRST: ByByte = ByByte::of(false);
    FIRST.get(byte)
}

/// Returns the shapes in whose prefix the letters and digits at the start end with a byte.
pub(super) fn with_stem_to(byte: u8) -> impl Iterator<Item = &'static Shape> {
    static LAST: ByByte = ByByte::of(true);
    LAST.get(byte)
}
