//! Documents as a crawler finds them: most are valid, some have defects.

use crate::formats::{Kind, Making};
use crate::json::{Json, Layout};
use crate::rng::Rng;
use crate::{Request, document};

/// A defect of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Defect {
    /// Truncated in the middle, as after a broken connection.
    Truncated,
    /// A few bytes that are not UTF-8.
    InvalidUtf8,
    /// An error page instead of the document.
    HtmlPage,
    /// Members of the wrong type (in text formats: invalid values).
    WrongTypes,
    /// An empty document.
    Empty,
    /// Binary noise, such as compressed data.
    Binary,
    /// Far too deeply nested.
    DeepNesting,
}

impl Defect {
    /// All defects.
    pub const ALL: [Self; 7] = [
        Self::Truncated,
        Self::InvalidUtf8,
        Self::HtmlPage,
        Self::WrongTypes,
        Self::Empty,
        Self::Binary,
        Self::DeepNesting,
    ];

    /// Returns a name for reports.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::InvalidUtf8 => "invalid-utf8",
            Self::HtmlPage => "html-page",
            Self::WrongTypes => "wrong-types",
            Self::Empty => "empty",
            Self::Binary => "binary",
            Self::DeepNesting => "deep-nesting",
        }
    }
}

/// Returns a document with a defect.
pub fn broken(request: &Request, defect: Defect) -> Vec<u8> {
    let mut rng = Rng::new(request.seed ^ 0xBAD);
    let mut whole = document(request);
    match defect {
        Defect::Truncated => {
            let end = rng.between(1, whole.len().saturating_sub(2).max(1));
            whole.truncate(end);
            whole
        }
        Defect::InvalidUtf8 => {
            for bad in [&b"\xff"[..], b"\xc3\x28", b"\xed\xa0\x80"] {
                let at = rng.below(whole.len());
                whole.splice(at..at, bad.iter().copied());
            }
            whole
        }
        Defect::HtmlPage => {
            let filler = "<p>The page that you asked for has moved or never was. Try the search, or go back to the start.</p>\n";
            let body = filler.repeat((request.size / filler.len()).max(1));
            format!("<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>Not found</title></head>\n<body>\n{body}</body>\n</html>\n")
                .into_bytes()
        }
        Defect::WrongTypes if request.kind.is_json() => {
            let mut rng_document = Rng::new(request.seed);
            let mut making = Making {
                rng: &mut rng_document,
                size: request.size,
                layout: request.layout,
                is_strict: false,
            };
            let Some(mut tree) = request.kind.json(&mut making) else {
                return whole;
            };
            for _ in 0..(tree.count() / 20).max(3) {
                let other = match rng.below(6) {
                    0 => Json::Null,
                    1 => Json::Bool(true),
                    2 => Json::Number("-1.5e3".to_owned()),
                    3 => Json::String("a string in the wrong place".to_owned()),
                    4 => Json::Array(vec![Json::Null, Json::Array(Vec::new())]),
                    _ => Json::Object(vec![("unexpected".to_owned(), Json::Bool(false))]),
                };
                // The top level remains an object.
                let count = tree.count();
                if let Some(value) = tree.nth_mut(rng.between(1, count.saturating_sub(1).max(1))) {
                    *value = other;
                }
            }
            tree.write(request.layout).into_bytes()
        }
        Defect::WrongTypes => {
            let text = String::from_utf8_lossy(&whole).into_owned();
            let mut bent = String::new();
            for line in text.lines() {
                match line.split_once(':') {
                    Some((key, _)) if rng.chance(15) => bent.push_str(&format!("{key}: ???")),
                    Some(_) if rng.chance(3) => bent.push_str("a line without a colon"),
                    _ => bent.push_str(line),
                }
                bent.push('\n');
            }
            bent.into_bytes()
        }
        Defect::Empty => Vec::new(),
        Defect::Binary => (0..request.size.max(64)).map(|_| rng.bits() as u8).collect(),
        Defect::DeepNesting => {
            let depth = (request.size / 2).max(1000);
            format!(
                "{{\"specVersion\":\"1.0\",\"site\":{}{}}}",
                "[".repeat(depth),
                "]".repeat(depth)
            )
            .into_bytes()
        }
    }
}

/// A document in a crawl.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The URL.
    pub url: String,
    /// The format that was requested.
    pub kind: Kind,
    /// The defect, if any.
    pub defect: Option<Defect>,
    /// The bytes.
    pub body: Vec<u8>,
}

/// How many of a hundred thousand documents have each defect: 8 % in total.
const SHARES: [(usize, Option<Defect>); 8] = [
    (92_000, None),
    (1_500, Some(Defect::Truncated)),
    (800, Some(Defect::InvalidUtf8)),
    (3_000, Some(Defect::HtmlPage)),
    (1_500, Some(Defect::WrongTypes)),
    (800, Some(Defect::Empty)),
    (300, Some(Defect::Binary)),
    (100, Some(Defect::DeepNesting)),
];

/// Returns an endless crawl: documents of some kinds with sizes from 0.3 to 40 KB (half of them
/// below 2 KB), and the defects of `SHARES`: 92 % valid, 3 % HTML pages, 1.5 % truncated, 1.5 %
/// with wrong types, 0.8 % not UTF-8, 0.8 % empty, 0.3 % binary, 0.1 % nested too deeply.
pub fn crawl(kinds: &[Kind], seed: u64) -> impl Iterator<Item = Fetched> {
    let mut rng = Rng::new(seed);
    (0_u64..).map(move |number| {
        let kind = *rng.pick(kinds);
        let size = rng.weighted(&[
            (3, 400),
            (4, 1000),
            (3, 1800),
            (4, 4000),
            (3, 9000),
            (2, 18_000),
            (1, 36_000),
        ]);
        let size = size * rng.between(75, 130) / 100;
        let layout = if rng.chance(80) { Layout::Pretty } else { Layout::Minified };
        let request = Request { kind, size, layout, seed: seed ^ number.wrapping_mul(0x9E37_79B9) };
        let defect = rng.weighted(&SHARES);
        let body = defect.map_or_else(|| document(&request), |defect| broken(&request, defect));
        Fetched { url: format!("https://site{number}.example{}", kind.path()), kind, defect, body }
    })
}
