//! Where the keys are once the URL of an agent was fetched: cards, and for how long an answer is kept.

use super::agent::Agent;
use super::reason::Reason;
use crate::syntax::cache_control::CacheControl;
use crate::syntax::json::{Kind, Value};

/// For how many seconds keys are kept: at least, without a lifetime, and at most.
const LEAST: u32 = 60;
const USUAL: u32 = 3600;
const MOST: u32 = 86_400;

/// Where a card has the keys of an agent.
#[derive(Clone, Copy, Debug)]
pub enum CardKeys<'a> {
    /// In the card: a JSON object, which is a set of keys.
    Here(&'a [u8]),
    /// At a URL of their own. Fetch it by the rules for the card.
    At(Agent<'a>),
}

/// Finds the keys in a card: a Client ID Metadata Document, which was fetched from `url`
/// ([`Agent::put_url`]). An escaped URL is decoded into `buffer`; a reason is the result if it does not
/// fit.
///
/// A card counts only for the URL that it names as its `client_id`. Members that occur twice are
/// refused.
pub fn card_keys<'a>(
    card: &'a [u8],
    url: &[u8],
    buffer: &'a mut [u8],
) -> Result<CardKeys<'a>, Reason> {
    let card = Value::parse(card).ok().filter(|card| card.kind() == Kind::Object);
    let card = card.ok_or(Reason::DirectoryInvalid)?;
    let client_id = only(card, "client_id")?.ok_or(Reason::DirectoryInvalid)?;
    let (keys, place) = (only(card, "jwks")?, only(card, "jwks_uri")?);
    let own = url_in(client_id, buffer)?;
    let (mut rest, mut is_same) = (url, true);
    own.put_url(&mut |part: &[u8]| match rest.strip_prefix(part) {
        Some(others) => rest = others,
        None => is_same = false,
    });
    if !is_same || !rest.is_empty() {
        return Err(Reason::DirectoryInvalid);
    }
    match (place, keys) {
        (Some(place), _) => url_in(place, buffer).map(CardKeys::At),
        (None, Some(keys)) if keys.kind() == Kind::Object => Ok(CardKeys::Here(keys.raw())),
        _ => Err(Reason::DirectoryInvalid),
    }
}

/// The member of an object that may have it once.
fn only<'a>(object: Value<'a>, name: &str) -> Result<Option<Value<'a>>, Reason> {
    let mut found = object.members().filter(|member| member.name == *name);
    let member = found.next().map(|member| member.value).filter(|value| !value.is_null());
    if found.next().is_some() { Err(Reason::DirectoryInvalid) } else { Ok(member) }
}

/// A URL for which the rules are those for the URLs of keys.
fn url_in<'b>(value: Value<'b>, buffer: &'b mut [u8]) -> Result<Agent<'b>, Reason> {
    let text = value.as_text().and_then(|text| {
        if text.is_escaped() {
            text.decode(buffer).ok().map(str::as_bytes)
        } else {
            Some(text.raw())
        }
    });
    text.and_then(|text| Agent::of_keys(text).ok()).ok_or(Reason::DirectoryInvalid)
}

/// For how many seconds keys may be kept, by the lines of the field Cache-Control: from a minute to a
/// day, an hour if they state no lifetime.
pub fn lifetime<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> u32 {
    let mut control = CacheControl::default();
    lines.into_iter().for_each(|line| control.add(line));
    if control.no_store || control.no_cache {
        return LEAST;
    }
    control.max_age.map_or(USUAL, |seconds| seconds.clamp(LEAST, MOST))
}
