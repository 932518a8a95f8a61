//! Detects the format of a JSON object from its top-level members.
//!
//! A member, or the shape of its value, is a sign. Each format says in its constant `FORMAT` which
//! members are signs (`marks`) and which signs it needs (`rules`); of the formats that have the
//! signs they need, the one with the most signs wins. After a tie, the format is unknown. The JSON
//! formats of agents.txt have names that everybody uses (`capabilities`, `site`), so they are also
//! weighed against the members that they do not define ([`Members::is_mostly`]), and a member that
//! only another vocabulary has rules them out ([`FOREIGN`](crate::rules::signs::FOREIGN)).
//!
//! This file has the members that several formats have, and the signs of formats that are only
//! recognized.

use super::{Detection, Evidence, Hints, ends_with, is_foreign, note_text};
use crate::format::{Format, adp, fact, rows};
use crate::rules::signs::*;
use crate::scan;
use crate::syntax::json::Value;

signs! {
    RECOGNIZED:
    PERMISSIONS = 50 "member resource_rules or action_guidelines",
}

/// The rules of the formats that are only recognized.
const RECOGNIZED_RULES: [(Format, Rule); 7] = [
    (Format::AiPlugin, Rule::new(NAME_FOR_MODEL | SCHEMA_VERSION, 0, (0, 0))),
    (Format::Aid, Rule::new(AID, 0, (0, 0))),
    (Format::WildcardAgentsJson, Rule::new(AGENTS_JSON, 0, (0, 0))),
    (Format::AgentPermissions, Rule::new(PERMISSIONS, 0, (0, 0))),
    (Format::WebMcp, Rule::new(WEBMCP, 0, (0, TOOLS | TOOL_SCHEMAS | NAME))),
    (Format::AgentsTxtCom, Rule::new(AGENTS_TXT_COM, 0, (0, SITE | VERSION))),
    (Format::W2a, Rule::new(W2A, 0, (0, SITE | SKILLS))),
];

/// The members of the formats that are only recognized, of several formats, and of none.
const OTHERS: &[Mark] = &[
    Mark::sign(b"name_for_model", NAME_FOR_MODEL),
    Mark::sign(b"agentsJson", AGENTS_JSON),
    Mark::shape(b"v", |value| {
        sign_if(has_text(value, |text| text == "aid1" || text == "aid2"), AID)
    }),
    Mark::sign(b"resource_rules", PERMISSIONS),
    Mark::sign(b"action_guidelines", PERMISSIONS),
    Mark::sign(b"resource", RESOURCE),
    Mark::sign(b"resources", RESOURCE),
    Mark::shape(b"x402", |value| is_object(value).then_some(OTHER_VOCABULARY)),
    Mark::sign(b"webmcp_version", WEBMCP),
    Mark::sign(b"webmcpVersion", WEBMCP),
    Mark::sign(b"w2a", W2A),
    Mark::sign(b"@context", LINKED_DATA),
    Mark::sign(b"@type", LINKED_DATA),
    Mark::sign(b"protocolType", LINKED_DATA),
    Mark::shape(b"type", |value| {
        has_text(value, |kind| kind.starts_with("https://")).then_some(LINKED_DATA)
    }),
    Mark::sign(b"agents_json", OTHER_VOCABULARY),
    Mark::shape(b"$schema", schema_signs),
    Mark::shape(b"standard", schema_signs),
    Mark::shape(b"Standard", schema_signs),
    Mark::shape(b"schema", |value| named_schema(value).or(Some(0))),
    Mark::shape(b"spec", |value| {
        if has_text(value, |text| text.starts_with("webmcp")) {
            return Some(WEBMCP);
        }
        named_schema(value).or(Some(0))
    }),
    Mark::shape(b"@schema", named_schema),
    Mark::shape(b"_schema", named_schema),
    Mark::shape(b"schemaUrl", named_schema),
    Mark::shape(b"schema_url", named_schema),
    Mark::shape(b"specification", named_schema),
    Mark::sign(b"name", NAME),
    Mark::sign(b"description", DESCRIPTION),
    Mark::sign(b"version", VERSION),
    Mark::sign(b"url", URL),
    Mark::sign(b"endpoint", ENDPOINT),
    Mark::sign(b"specVersion", SPEC_VERSION),
    Mark::sign(b"protocolVersion", PROTOCOL_VERSION),
    Mark::sign(b"schema_version", SCHEMA_VERSION),
    Mark::sign(b"protocol_version", SCHEMA_VERSION),
    Mark::shape(b"site", |value| sign_if(has_any(value, &["name", "url"]), SITE)),
    Mark::shape(b"capabilities", |value| Some(CAPABILITIES | capability_signs(value))),
    Mark::shape(b"skills", |value| Some(skill_signs(value))),
    Mark::nothing(b"generatedAt"),
    Mark::nothing(b"declarationType"),
    Mark::nothing(b"operatesOn"),
    Mark::nothing(b"agents"),
    Mark::nothing(b"metadata"),
    Mark::nothing(b"allow"),
    Mark::nothing(b"disallow"),
    Mark::nothing(b"flows"),
    Mark::nothing(b"rate_limit"),
    Mark::nothing(b"protocols"),
    Mark::nothing(b"entities"),
    Mark::nothing(b"errors"),
    Mark::nothing(b"dependencies"),
    Mark::nothing(b"agent_hints"),
    Mark::nothing(b"agent_status"),
    Mark::nothing(b"source"),
    Mark::nothing(b"generated_by"),
    Mark::nothing(b"confidence"),
    Mark::nothing(b"last_verified"),
    Mark::nothing(b"auth_scopes"),
    Mark::nothing(b"rate_limits"),
];

/// The members of the formats that are read.
const OWN: &[(Format, Mark)] = rows!(marks: Mark);

/// All members, by their [`bucket`]: those of a bucket begin at its number in the second list.
static MARKS: ([Mark; OWN.len() + OTHERS.len()], [u8; BUCKETS + 1]) = sorted();

const BUCKETS: usize = 128;

/// Where the marks of a name are.
const fn bucket(name: &[u8]) -> usize {
    match name {
        [first, .., last] => {
            let ends =
                (*first as usize).wrapping_mul(7).wrapping_add((*last as usize).wrapping_mul(3));
            ends.wrapping_add(name.len().wrapping_mul(13)) % BUCKETS
        }
        _ => 0,
    }
}

#[allow(clippy::indexing_slicing)] // Only when the program is compiled.
const fn sorted() -> ([Mark; OWN.len() + OTHERS.len()], [u8; BUCKETS + 1]) {
    let mut marks = [OTHERS[0]; OWN.len() + OTHERS.len()];
    let mut starts = [0; BUCKETS + 1];
    let (mut number, mut place) = (0, 0);
    while place < BUCKETS {
        let mut at = 0;
        while at < marks.len() {
            let mark = if at < OWN.len() { OWN[at].1 } else { OTHERS[at - OWN.len()] };
            if bucket(mark.name) == place {
                marks[number] = mark;
                number += 1;
            }
            at += 1;
        }
        place += 1;
        starts[place] = number as u8;
    }
    assert!(number <= u8::MAX as usize);
    (marks, starts)
}

/// The signs of a top-level member. `None` for a member that no format defines; 0 for a member that
/// identifies no format, such as `metadata`.
fn sign_of(name: &[u8], value: Value<'_>) -> Option<Signs> {
    let (marks, starts) = &MARKS;
    let place = bucket(name);
    let start = |place: usize| starts.get(place).copied().map_or(0, usize::from);
    let marks = marks.get(start(place)..start(place.wrapping_add(1))).unwrap_or_default();
    let mut found = None;
    // Several formats can read different signs in a member.
    for mark in marks.iter().filter(|mark| mark.is_called(name)) {
        found = mark.of(value).map(|signs| found.unwrap_or(0) | signs).or(found);
    }
    found.or_else(|| is_foreign(name).then_some(OTHER_VOCABULARY))
}

/// The descriptions of the signs, by their bits.
pub(super) static DESCRIPTIONS: [&str; 128] = {
    let mut texts = [""; 128];
    let mut own = rows!(signs: Sign);
    while let [(_, sign), rest @ ..] = own {
        describe(&mut texts, &[*sign]);
        own = rest;
    }
    describe(&mut texts, SHARED);
    describe(&mut texts, RECOGNIZED);
    texts
};

#[allow(clippy::indexing_slicing)] // Only when the program is compiled.
const fn describe(texts: &mut [&str; 128], mut signs: &[Sign]) {
    while let [(sign, text), rest @ ..] = signs {
        let bit = sign.trailing_zeros() as usize;
        assert!(texts[bit].is_empty(), "two signs have the same bit");
        texts[bit] = text;
        signs = rest;
    }
}

/// Whether a document that has the signs for a rule can be of the format of the rule.
fn is_possible(format: Format, members: &Members) -> bool {
    match format {
        // Beside members of the draft, `agentsJson` is the URL of the companion.
        Format::WildcardAgentsJson => {
            let draft = fact!(Format::AgentsJson => counted) & !CAPABILITIES;
            !members.any(draft | CAPABILITY_LIST)
        }
        format => !format.is_read() || (fact!(format => is_possible))(members),
    }
}

impl Evidence {
    /// Records a top-level member of a JSON object.
    pub(crate) fn note_member(&mut self, name: &[u8], value: Value<'_>) {
        self.members.note(sign_of(name, value));
    }
}

/// The format that has the most signs of those whose rules are met; `None` if no rule is met.
#[inline]
fn best<'r>(rules: impl Iterator<Item = (Format, &'r Rule)>, members: &Members) -> Option<Format> {
    let (mut found, mut most) = (None, 0);
    for (format, rule) in rules.filter(|(_, rule)| rule.has_needed(members)) {
        let count = rule.count(members).filter(|_| is_possible(format, members));
        let Some(count) = count else { continue };
        if found.is_none() || count > most {
            (found, most) = (Some(format), count);
        } else if count == most && found != Some(format) {
            found = Some(Format::Unknown);
        }
    }
    found
}

/// The format of a JSON object, from its top-level members.
pub(crate) fn json_format(evidence: Evidence, hints: &Hints<'_>) -> Detection {
    let members = &evidence.members;
    let everywhere = rows!(rules: Rule).iter().chain(&RECOGNIZED_RULES);
    let (format, by_hint) = match best(everywhere.map(|(format, rule)| (*format, rule)), members) {
        Some(format) => (format, false),
        None if hints.url.is_none() => (Format::Unknown, false),
        None => {
            let path = hints.path();
            let placed = rows!(placed: (&str, Rule)).iter();
            let there = placed.filter(|(_, (place, _))| ends_with(path, place));
            let there = there.map(|(format, (_, rule))| (*format, rule));
            let format = best(there, members).unwrap_or_default();
            (format, format != Format::Unknown)
        }
    };
    Detection { format, evidence, by_hint }
}

/// Returns the manifest of the Agent Discovery Protocol in the response of a registry
/// (`data.manifest`), and its detection, if the object itself has no known format.
pub(crate) fn manifest_in_envelope<'a>(
    object: Value<'a>,
    found: Detection,
    forced: Option<Format>,
    hints: &Hints<'_>,
) -> Option<(Value<'a>, Detection)> {
    let format = forced.unwrap_or(found.format);
    let is_open = matches!((forced, format), (None, Format::Unknown) | (Some(_), Format::Adp));
    if !is_open || !adp::signs::may_hold_manifest(&found.evidence.members) {
        return None;
    }
    let manifest = object.get("data")?.get("manifest")?;
    let mut evidence = Evidence::default();
    for member in manifest.members() {
        note_text(&mut evidence, member.name, member.value);
    }
    let inner = json_format(evidence, hints);
    (inner.format == Format::Adp).then_some((manifest, inner))
}

/// The shape of `capabilities`: objects in a list, or flags in an object.
fn capability_signs(value: Value<'_>) -> Signs {
    match value.raw().first() {
        Some(b'{') => CAPABILITY_FLAGS,
        Some(b'[') => match trim_start(value.inside(b'[')).first() {
            None => CAPABILITY_LIST,
            Some(b'{') => CAPABILITY_LIST | capability_shape(value),
            Some(_) => 0,
        },
        _ => 0,
    }
}

/// The shape of a list of capabilities. An id or a name alone identifies no vocabulary.
fn capability_shape(value: Value<'_>) -> Signs {
    const CALLED: Signs = 1;
    let found = first_signs(
        value,
        &[
            ("detail_url", DETAIL_URLS),
            ("id", DRAFT_SHAPE),
            ("name", LEGACY_SHAPE),
            ("endpoint", CALLED),
            ("method", CALLED),
        ],
    );
    let is_called = found & CALLED != 0;
    found & if is_called { !CALLED } else { DETAIL_URLS }
}

/// The shape of `skills`: those of an agent card have ids, those of an index have files.
fn skill_signs(value: Value<'_>) -> Signs {
    if is_empty_list(value) {
        return SKILLS;
    }
    // The members of a skill in an index, without the digest, which is often missing.
    const INDEXED: Signs = 1 | 2 | 4 | 8;
    let signs = first_signs(
        value,
        &[
            ("name", 1),
            ("type", 2),
            ("description", 4),
            ("url", 8),
            ("id", SKILLS),
            ("files", SKILL_FILES),
            ("digest", SKILL_FILES),
            ("sha256", SKILL_FILES),
        ],
    );
    let is_indexed = signs & SKILL_FILES != 0 || signs & INDEXED == INDEXED;
    if is_indexed { SKILL_FILES } else { signs & SKILLS }
}

/// The signs of a member that names a schema or a standard: a text, or the texts in a list or an
/// object. 0 if it contains no text.
fn schema_signs(value: Value<'_>) -> Option<Signs> {
    let has_text = value.raw().contains(&b'"') && value.raw() != br#""""#;
    Some(if has_text { vocabulary_signs(value.raw()) } else { 0 })
}

/// The signs of a member that can be a schema: `None` if it contains no URL.
fn named_schema(value: Value<'_>) -> Option<Signs> {
    scan::find(value.raw(), b"://").and_then(|_| schema_signs(value))
}

/// The signs of the name or the URL of a schema or a standard: those of its vocabulary, or
/// [`OTHER_VOCABULARY`] if it is unknown.
pub(super) fn vocabulary_signs(url: &[u8]) -> Signs {
    let has = |part: &[u8]| scan::find(url, part).is_some();
    if has(b"agents-txt.com") {
        return AGENTS_TXT_COM;
    }
    let (mut known, mut rest) = (None, url);
    while let [first, after @ ..] = rest {
        if INITIALS >> (first & 31) & 1 == 1 {
            // The longest one, because the name of a vocabulary can be a part of another.
            let here = SCHEMAS.iter().filter(|(_, (part, _))| rest.starts_with(part));
            known = here.chain(known).max_by_key(|(_, (part, _))| part.len());
        }
        rest = after;
    }
    known.map_or(OTHER_VOCABULARY, |(_, (_, signs))| *signs)
}

/// Parts of the names and URLs of schemas.
const SCHEMAS: &[(Format, (&[u8], Signs))] = rows!(schemas: (&[u8], Signs));

/// The letters with which they begin, each as the bit `letter & 31`.
const INITIALS: u32 = {
    let (mut initials, mut schemas) = (0, SCHEMAS);
    while let [(_, (part, _)), rest @ ..] = schemas {
        if let [first, ..] = part {
            initials |= 1 << (*first & 31);
        }
        schemas = rest;
    }
    initials
};
