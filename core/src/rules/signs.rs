//! The signs by which JSON formats are told apart, and the rules that say which ones a format needs.
//!
//! A sign is a top-level member, or the shape of its value. The signs of one format stand in its
//! folder; here are those that several formats have. Every sign is one bit of [`Signs`].

use crate::syntax::json::{Member, Value, next_member};

/// A set of signs, one bit each.
pub(crate) type Signs = u128;

/// A sign with its description.
pub(crate) type Sign = (Signs, &'static str);

/// Defines signs: a constant with one bit and a text for each, and the table of both. They are
/// [`Signs`] unless a type of their own is named. The bits of all tables of [`Signs`] must differ; the
/// compiler reports a bit that is taken.
macro_rules! signs {
    ($table:ident: $($sign:tt)*) => {
        $crate::rules::signs::signs! { $table of $crate::rules::signs::Signs: $($sign)* }
    };
    ($table:ident of $type:ty: $($name:ident = $bit:literal $text:literal,)*) => {
        $(pub(crate) const $name: $type = 1 << $bit;)*
        /// The signs with their descriptions.
        pub(crate) const $table: &[($type, &str)] = &[$(($name, $text),)*];
    };
}
pub(crate) use signs;

signs! {
    SHARED:
    DETAIL_URLS = 6 "capabilities with detail_url",
    ENDPOINT = 9 "member endpoint",
    MATCHING = 15 "results with matching_capabilities",
    EMPTY_DATA = 16 "an empty list of results",
    SPEC_VERSION = 19 "member specVersion",
    SITE = 20 "member site with a name or a url",
    CAPABILITIES = 21 "member capabilities",
    CAPABILITY_LIST = 22 "a list of capability objects",
    CAPABILITY_FLAGS = 23 "an object of capability flags",
    DRAFT_SHAPE = 24 "capabilities with id and endpoint",
    LEGACY_SHAPE = 25 "capabilities with name and endpoint",
    SCHEMA_VERSION = 27 "member schema_version or protocol_version",
    NAME_FOR_MODEL = 29 "member name_for_model",
    AGENTS_JSON = 30 "member agentsJson",
    OPENAPI = 31 "member openapi or swagger with a version",
    AID = 32 "member v with an AID version",
    NAME = 33 "member name",
    DESCRIPTION = 34 "member description",
    VERSION = 35 "member version",
    URL = 36 "member url",
    SKILLS = 37 "a list of skills with id",
    SKILL_FILES = 38 "a list of skills with files or digests",
    PROTOCOL_VERSION = 39 "member protocolVersion",
    TOOLS = 48 "a list of tools",
    TOOL_SCHEMAS = 49 "tools with inputSchema",
    UCP = 51 "member ucp",
    KEYS = 52 "keys with kty",
    RESOURCE = 53 "member resource or resources",
    X402 = 55 "member x402Version",
    WEBMCP = 56 "a version of WebMCP",
    AGENTS_TXT_COM = 57 "the standard agents-txt.com",
    W2A = 58 "member w2a",
    LINKSET = 60 "member linkset",
    LINKED_DATA = 61 "member @context, @type or protocolType",
    OTHER_VOCABULARY = 62 "a mark of another vocabulary",
}

/// The signs that documents of most formats that are read do not have.
pub(crate) const FOREIGN: Signs = OTHER_VOCABULARY
    | LINKED_DATA
    | NAME_FOR_MODEL
    | OPENAPI
    | AID
    | UCP
    | X402
    | WEBMCP
    | AGENTS_TXT_COM
    | W2A
    | LINKSET;

/// The signs that are not members of their own, but the shape of another member's value: these,
/// and all from bit 96 on.
const SHAPES: Signs = DETAIL_URLS
    | MATCHING
    | EMPTY_DATA
    | CAPABILITY_LIST
    | CAPABILITY_FLAGS
    | DRAFT_SHAPE
    | LEGACY_SHAPE
    | TOOL_SCHEMAS
    | u128::MAX << 96;

/// A top-level member, and the signs that it is.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) name: &'static [u8],
    is: Is,
}

/// Which signs a member is.
#[derive(Clone, Copy)]
enum Is {
    /// None: formats define it, but it identifies none.
    Nothing,
    /// The one with this bit.
    Sign(u8),
    /// It depends on the value. `None` if no format defines a member with such a value.
    Shape(fn(Value<'_>) -> Option<Signs>),
}

impl Mark {
    /// Whether the member has this name. Two words at most decide it for nearly all names, without
    /// the call of a function.
    #[inline(always)]
    pub(crate) fn is_called(&self, name: &[u8]) -> bool {
        self.name.len() == name.len()
            && match (ends::<8>(self.name), ends::<8>(name)) {
                (Some(own), Some(ends)) => own == ends && (name.len() <= 16 || self.name == name),
                _ => match (ends::<4>(self.name), ends::<4>(name)) {
                    (Some(own), Some(ends)) => own == ends,
                    _ => self.name == name,
                },
            }
    }

    /// A member that is a sign.
    pub(crate) const fn sign(name: &'static [u8], sign: Signs) -> Self {
        assert!(sign.is_power_of_two());
        Self { name, is: Is::Sign(sign.trailing_zeros() as u8) }
    }

    /// A member whose value decides. `None` if no format defines a member with such a value.
    pub(crate) const fn shape(name: &'static [u8], signs: fn(Value<'_>) -> Option<Signs>) -> Self {
        Self { name, is: Is::Shape(signs) }
    }

    /// A member that formats define, but that identifies none.
    pub(crate) const fn nothing(name: &'static [u8]) -> Self {
        Self { name, is: Is::Nothing }
    }

    /// The signs of a member with this name and a value.
    #[inline]
    pub(crate) fn of(&self, value: Value<'_>) -> Option<Signs> {
        match self.is {
            Is::Nothing => Some(0),
            Is::Sign(bit) => Some(1_u128.wrapping_shl(u32::from(bit))),
            Is::Shape(signs) => signs(value),
        }
    }
}

/// The first and the last bytes of a name; `None` for a shorter name.
#[inline(always)]
fn ends<const N: usize>(name: &[u8]) -> Option<([u8; N], [u8; N])> {
    Some((*name.first_chunk()?, *name.last_chunk()?))
}

/// The signs that a document needs for a format.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    /// The document needs all of these signs.
    all: Signs,
    /// It needs at least one of these signs, unless this is 0.
    one: Signs,
    /// It needs at least this many of the signs in `of`.
    least: u32,
    of: Signs,
}

impl Rule {
    pub(crate) const fn new(all: Signs, one: Signs, (least, of): (u32, Signs)) -> Self {
        Self { all, one, least, of }
    }

    /// True if all signs are there that the rule needs, whatever their number. Tested first, because
    /// few rules pass.
    #[inline(always)]
    pub(crate) fn has_needed(&self, members: &Members) -> bool {
        members.has(self.all) && (self.one == 0 || members.any(self.one))
    }

    /// The number of members that count for the format; `None` if there are too few signs.
    #[inline(never)]
    pub(crate) fn count(&self, members: &Members) -> Option<u32> {
        let is_met = self.least == 0 || members.count(self.of) >= self.least;
        is_met.then(|| members.count((self.all | self.one | self.of) & !SHAPES))
    }
}

/// What the top-level members of a JSON object show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Members {
    /// The signs that were found: the lower half and the upper one, so that it is aligned like a
    /// word, as the C library needs it.
    found: [u64; 2],
    /// The number of members that no format defines.
    unknown: u32,
}

impl Members {
    pub(crate) const NOTHING: Self = Self { found: [0; 2], unknown: 0 };

    /// Records a member: its signs, or that no format defines it.
    pub(crate) const fn note(&mut self, signs: Option<Signs>) {
        match signs {
            Some(signs) => {
                let [lower, upper] = self.found;
                self.found = [lower | signs as u64, upper | (signs >> 64) as u64];
            }
            None => self.unknown = self.unknown.saturating_add(1),
        }
    }

    /// The signs that were found, of those in `signs`.
    #[inline(always)]
    pub(crate) const fn of(&self, signs: Signs) -> Signs {
        let [lower, upper] = self.found;
        ((upper as Signs) << 64 | lower as Signs) & signs
    }

    /// Whether all of these signs were found. The lower half decides most rules.
    #[inline(always)]
    pub(crate) const fn has(&self, signs: Signs) -> bool {
        let [lower, upper] = self.found;
        signs as u64 & !lower == 0 && (signs >> 64) as u64 & !upper == 0
    }

    #[inline(always)]
    pub(crate) const fn any(&self, signs: Signs) -> bool {
        let [lower, upper] = self.found;
        signs as u64 & lower != 0 || (signs >> 64) as u64 & upper != 0
    }

    pub(crate) const fn count(&self, signs: Signs) -> u32 {
        self.of(signs).count_ones()
    }

    /// True if more members belong to the format (`own`) than to others. The signs in `nobody` do
    /// not count at all.
    pub(crate) const fn is_mostly(&self, own: Signs, nobody: Signs) -> bool {
        let others = self.count(!(own | nobody | SHAPES)).saturating_add(self.unknown);
        self.count(own) > others
    }
}

/// The sign if a condition holds. Otherwise the member identifies no format.
pub(crate) const fn sign_if(is_so: bool, sign: Signs) -> Option<Signs> {
    Some(if is_so { sign } else { 0 })
}

/// True if a value is an object.
pub(crate) fn is_object(value: Value<'_>) -> bool {
    value.raw().first() == Some(&b'{')
}

/// True if a value is a list.
pub(crate) fn is_list(value: Value<'_>) -> bool {
    value.raw().first() == Some(&b'[')
}

/// True if a value is a list without elements.
pub(crate) fn is_empty_list(value: Value<'_>) -> bool {
    is_list(value) && trim_start(value.inside(b'[')).is_empty()
}

/// True if a value is a string without escapes that meets a condition.
pub(crate) fn has_text(value: Value<'_>, meets: impl Fn(&str) -> bool) -> bool {
    let text = value.as_text().filter(|text| !text.is_escaped());
    text.and_then(|text| text.as_str()).is_some_and(meets)
}

/// True if a value is an object with one of these members.
pub(crate) fn has_any(value: Value<'_>, names: &[&str]) -> bool {
    let mut members = value.members();
    members.any(|member| names.iter().any(|name| member.name == **name))
}

/// The signs of the members of the first element of an array, if it is an object.
pub(crate) fn first_signs(value: Value<'_>, names: &[(&str, Signs)]) -> Signs {
    first_members(value).fold(0, |found, member| {
        let sign = names.iter().find(|(name, _)| member.name == **name);
        found | sign.map_or(0, |(_, sign)| *sign)
    })
}

/// The members of the first element of an array, if it is an object. Reads only this element, and
/// only once.
pub(crate) fn first_members(value: Value<'_>) -> impl Iterator<Item = Member<'_>> {
    let inside = match trim_start(value.inside(b'[')).split_first() {
        Some((b'{', inside)) => inside,
        _ => b"",
    };
    let mut position = 0;
    // No other member follows the last one, because the next element does not begin with a quote.
    core::iter::from_fn(move || next_member(inside, &mut position))
}

/// A text without blanks and line ends at its start.
pub(crate) fn trim_start(mut bytes: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\r' | b'\n', rest @ ..] = bytes {
        bytes = rest;
    }
    bytes
}
