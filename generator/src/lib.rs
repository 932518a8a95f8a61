//! Generates documents like those that sites publish for agents.
//!
//! The same [`Request`] gives the same bytes on every machine. Proportions are those of published
//! documents (see the module `site`); all texts are invented. [`crawl`] returns the documents of a
//! crawl, including broken ones; [`corpus`] returns HTTP responses of many sites, and
//! [`write_warc`] writes them into a WARC file.
//!
//! ```
//! use agentsdisc_generator::{Kind, Layout, Request, document};
//! let bytes = document(&Request { kind: Kind::AgentsJson, size: 5000, layout: Layout::Pretty, seed: 1 });
//! assert!(bytes.len().abs_diff(5000) < 500);
//! ```

mod broken;
mod corpus;
mod formats;
mod json;
mod rng;
mod site;

pub use broken::{Defect, Fetched, broken, crawl};
pub use corpus::{Answer, Mix, corpus, write_warc};
pub use formats::Kind;
pub use json::{Json, Layout, Object};
pub use rng::Rng;

/// Which document to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// The format.
    pub kind: Kind,
    /// The approximate size in bytes. The smallest documents have about three hundred.
    pub size: usize,
    /// The layout of JSON; ignored for text.
    pub layout: Layout,
    /// The seed, which distinguishes documents of the same kind.
    pub seed: u64,
}

/// Generates a document like those that sites publish. It can be read without loss, but as published
/// documents, it may have small mistakes that a check reports.
pub fn document(request: &Request) -> Vec<u8> {
    make(request, false)
}

/// Generates a document without any mistake.
pub fn valid(request: &Request) -> Vec<u8> {
    make(request, true)
}

fn make(request: &Request, is_strict: bool) -> Vec<u8> {
    let Request { kind, size, layout, seed } = *request;
    let mut rng = Rng::new(seed);
    kind.text(&mut formats::Making { rng: &mut rng, size, layout, is_strict }).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn median(mut numbers: Vec<usize>) -> usize {
        numbers.sort_unstable();
        numbers[numbers.len() / 2]
    }

    #[test]
    fn the_same_request_gives_the_same_bytes() {
        for kind in Kind::ALL {
            let request = Request { kind, size: 3000, layout: Layout::Pretty, seed: 7 };
            assert_eq!(document(&request), document(&request));
            assert_ne!(document(&request), document(&Request { seed: 8, ..request }));
        }
    }

    #[test]
    fn sizes_are_close_to_what_is_asked_for() {
        for kind in Kind::ALL {
            for layout in [Layout::Pretty, Layout::Minified] {
                for size in [500, 5000, 20_000, 100_000] {
                    let sizes = (0..15)
                        .map(|seed| document(&Request { kind, size, layout, seed }).len())
                        .collect();
                    let found = median(sizes);
                    // One capability is nearly all of a document of 500 bytes, and a card has
                    // several required members besides.
                    let slack = match (size, kind) {
                        (
                            500,
                            Kind::A2aAgentCard
                            | Kind::McpServerCard
                            | Kind::UcpProfile
                            | Kind::OpenApi,
                        ) => 600,
                        (500, _) => 300,
                        _ => size / 7,
                    };
                    assert!(
                        found.abs_diff(size) <= slack,
                        "{kind:?} {layout:?}: {found} for {size}"
                    );
                }
            }
        }
    }

    #[test]
    fn proportions_are_those_of_published_documents() {
        let (mut descriptions, mut parameters, mut about) = (Vec::new(), Vec::new(), Vec::new());
        for seed in 0..30 {
            let mut rng = Rng::new(seed);
            let mut site = site::Site::new(&mut rng, false, false);
            about.push(site.description.chars().count());
            for _ in 0..26 {
                let operation = site.operation(&mut rng);
                descriptions.push(operation.description.len());
                parameters.push(operation.parameters.len());
            }
        }
        assert!(
            (150..280).contains(&median(about.clone())),
            "site descriptions: {}",
            median(about)
        );
        assert!(
            (36..50).contains(&median(descriptions.clone())),
            "descriptions: {}",
            median(descriptions)
        );
        assert_eq!(median(parameters), 2);
    }

    #[test]
    fn a_crawl_has_defects_in_their_proportions() {
        let fetched: Vec<_> = crawl(&[Kind::AgentsTxt, Kind::AgentsJson], 3).take(3000).collect();
        let whole = fetched.iter().filter(|one| one.defect.is_none()).count();
        assert!((2700..2820).contains(&whole), "{whole}");
        for defect in Defect::ALL {
            let bytes = broken(
                &Request { kind: Kind::AgentsJson, size: 2000, layout: Layout::Pretty, seed: 1 },
                defect,
            );
            assert_eq!(bytes.is_empty(), defect == Defect::Empty);
            assert_eq!(
                std::str::from_utf8(&bytes).is_err(),
                matches!(defect, Defect::InvalidUtf8 | Defect::Binary)
            );
        }
    }
}
