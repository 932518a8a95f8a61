//! The URLs of documents for agents: the tables of the core (docs/formats.md, "Locations and caching").

use std::sync::LazyLock;

use agentsdisc_core::Format;
use agentsdisc_core::discovery::Resource;

/// Paths of a site, and names of files in any folder.
struct Paths {
    whole: Vec<&'static str>,
    names: Vec<&'static str>,
}

static PATHS: LazyLock<Paths> = LazyLock::new(|| {
    let known = Resource::ALL.iter().flat_map(|resource| resource.locations());
    let also = Format::ALL.iter().flat_map(|format| format.facts().published.also_at);
    let all: Vec<&'static str> = known.chain(also).copied().filter(|path| *path != "/").collect();
    let (whole, names) = all.into_iter().partition(|path| path.starts_with('/'));
    Paths { whole, names }
});

/// Whether sites have documents for agents at this URL, in any case of letters and with any query.
pub fn is_location(url: &str) -> bool {
    let Some((scheme, behind)) = url.split_once("://") else { return false };
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return false;
    }
    let Some(at) = behind.find(['/', '?', '#']) else { return false };
    let path = behind.get(at..).unwrap_or_default();
    if !path.starts_with('/') {
        return false;
    }
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let is_name = |name: &&str| {
        let begin = path.len().checked_sub(name.len());
        begin.and_then(|begin| path.get(begin..)).is_some_and(|end| end.eq_ignore_ascii_case(name))
            && begin.and_then(|begin| begin.checked_sub(1)).and_then(|at| path.as_bytes().get(at))
                == Some(&b'/')
    };
    PATHS.whole.iter().any(|whole| whole.eq_ignore_ascii_case(path))
        || PATHS.names.iter().any(is_name)
}
