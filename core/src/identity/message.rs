//! The message that is signed, and its fields.

use super::reason::Reason;
pub use crate::syntax::header::Header;
use crate::syntax::line::trim;
use crate::syntax::structured_field::{Member, dictionary};

/// How many bytes the lines of a field of the signature may have together.
const FIELD: usize = 16 << 10;
/// How many fields a message may have.
const FIELDS: usize = 256;

/// A request, or the answer to one.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The method of the request.
    pub method: &'a [u8],
    /// The whole URL of the request, with the authority that the client asked for.
    pub url: &'a [u8],
    /// The fields of the request.
    pub headers: &'a [Header<'a>],
    /// The fields of the answer, if the answer is signed. `;req` then refers to the request.
    pub answer: Option<&'a [Header<'a>]>,
}

impl<'a> Message<'a> {
    /// Creates a request.
    pub const fn new(method: &'a [u8], url: &'a [u8], headers: &'a [Header<'a>]) -> Self {
        Self { method, url, headers, answer: None }
    }

    /// The fields of the message that has the signature.
    const fn signed(&self) -> &'a [Header<'a>] {
        match self.answer {
            Some(answer) => answer,
            None => self.headers,
        }
    }

    /// The lines of a field of the signature.
    pub(super) fn lines(&self, name: &'static str) -> Result<Lines<'a>, Reason> {
        let lines = Lines { headers: self.signed(), name: name.as_bytes() };
        let length = lines.values().fold(0_usize, |sum, line| sum.saturating_add(line.len()));
        let is_large =
            length > FIELD || self.headers.len() > FIELDS || lines.headers.len() > FIELDS;
        if is_large { Err(Reason::TooLarge) } else { Ok(lines) }
    }

    /// The lines of a covered field.
    pub(super) const fn field(&self, name: &'a [u8], of_request: bool) -> Lines<'a> {
        Lines { headers: if of_request { self.headers } else { self.signed() }, name }
    }
}

/// The lines of one field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a> {
    headers: &'a [Header<'a>],
    name: &'a [u8],
}

impl<'a> Lines<'a> {
    /// The values, without the blanks around them.
    pub(super) fn values(&self) -> impl Iterator<Item = &'a [u8]> {
        let Self { headers, name } = *self;
        let own = headers.iter().filter(move |header| header.name.eq_ignore_ascii_case(name));
        own.map(|header| trim(header.value))
    }

    pub(super) fn is_absent(&self) -> bool {
        self.values().next().is_none()
    }

    /// Passes each member of the field, which is a dictionary. Returns false if the field is not a
    /// dictionary; then discard what was passed.
    pub(super) fn members(&self, mut each: impl FnMut(Member<'a>)) -> bool {
        self.values().all(|line| is_plain(line) && dictionary(line, &mut each))
    }

    /// The member of a key.
    pub(super) fn member(
        &self,
        key: &[u8],
        malformed: Reason,
    ) -> Result<Option<Member<'a>>, Reason> {
        let (mut found, mut is_repeated) = (None, false);
        let is_dictionary = self.members(|member| {
            if member.key == key {
                is_repeated |= found.replace(member).is_some();
            }
        });
        match (is_dictionary, is_repeated) {
            (false, _) => Err(malformed),
            (_, true) => Err(Reason::RepeatedLabel),
            _ => Ok(found),
        }
    }
}

/// Whether a value has only printable ASCII, blanks and tabs: a line break would add a line to the
/// signature base (RFC 9421 section 2.5).
pub(super) fn is_plain(value: &[u8]) -> bool {
    value.iter().all(|octet| matches!(octet, b'\t' | b' '..=b'~'))
}
