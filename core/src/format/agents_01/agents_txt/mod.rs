//! agents.txt 0.1.0: a flat list of fields.
//!
//! Indentation has no meaning. The last value of a repeated field counts, except for the lists
//! `Allow` and `Flow`. A field's own name counts, wherever an older one stands. Older forms are read
//! as well, and the check reports them: `Name` for `Site`, `Capabilities: a, b` for `Allow`,
//! `Capabilities-URL` for `Agents-JSON`, a `Rate-Limit` or `Session-TTL` that is only a number, `->`
//! for the arrow of a flow.

mod about;
pub(crate) mod check;

use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::format::Format;
use crate::format::agents_txt::next_field;
use crate::format::agents_txt::reading::{NoVisitor, within_limit};
use crate::limits::Limits;
use crate::model::list::{Cursor, State, states};
use crate::model::{
    Audit, Capability, CapabilityAuth, Choice, Flow, Head, List, Member, Metadata, RateLimit, Raw,
    Reading, Service, Session, Visitor, Window,
};
use crate::rules::near::is_about_auth;
use crate::rules::values::{is_first, next_item, only_item, rate_limit_of};
use crate::scan;
use crate::span::Span;
use crate::syntax::grammar::{Items, number};
use crate::syntax::line::{Content, Letters, Lines, Names, Sweep, Whole, trim};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;
use crate::syntax::url::Url;

/// The fields, in the order of the [`Outline`]. Fields with one value come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Field {
    Site,
    Url,
    Description,
    Contact,
    AgentsJson,
    RateLimit,
    SessionTtl,
    Audit,
    AuditEndpoint,
    /// The fields from here on are lists. Reading a list reads its lines again.
    Allow,
    Capabilities,
    Flow,
    FlowDescription,
}

/// The name of each key, its field, and true if the name is an older one.
const KEYS: [(&str, (Field, bool)); 15] = [
    ("Site", (Field::Site, false)),
    ("Name", (Field::Site, true)),
    ("URL", (Field::Url, false)),
    ("Description", (Field::Description, false)),
    ("Contact", (Field::Contact, false)),
    ("Agents-JSON", (Field::AgentsJson, false)),
    ("Capabilities-URL", (Field::AgentsJson, true)),
    ("Rate-Limit", (Field::RateLimit, false)),
    ("Session-TTL", (Field::SessionTtl, false)),
    ("Audit", (Field::Audit, false)),
    ("Audit-Endpoint", (Field::AuditEndpoint, false)),
    ("Allow", (Field::Allow, false)),
    ("Capabilities", (Field::Capabilities, true)),
    ("Flow", (Field::Flow, false)),
    ("Flow-Description", (Field::FlowDescription, false)),
];

static NAMES: Names<(Field, bool), { KEYS.len() }, 64> = Names::of(&KEYS);

impl Field {
    /// Returns the field of a key, and true if the key is an older name.
    #[inline]
    pub(crate) fn of(key: &[u8]) -> Option<(Self, bool)> {
        NAMES.find(key).copied()
    }

    /// Returns the number and the field of a key with these letters.
    #[inline]
    pub(crate) fn of_packed(letters: Letters) -> Option<(usize, Self)> {
        let number = NAMES.number_packed(letters)?;
        NAMES.meaning(number).map(|(field, _)| (number, *field))
    }

    /// True if the field has one value. If it is repeated, the last value counts.
    pub(crate) const fn is_scalar(self) -> bool {
        (self as u8) < Self::Allow as u8
    }
}

/// Flags of the outline: which kinds of lines are kept as metadata. The lines of a field with one
/// value are kept only if its last value is invalid.
mod kept {
    pub(super) const UNKNOWN: u32 = 1;
    pub(super) const RATE_LIMIT: u32 = 1 << 1;
    pub(super) const SESSION_TTL: u32 = 1 << 2;
    pub(super) const AUDIT: u32 = 1 << 3;
    /// Lines with an older name of a field that also occurs under its own name.
    pub(super) const OLDER_SITE: u32 = 1 << 4;
    pub(super) const OLDER_COMPANION: u32 = 1 << 5;
    /// A line seems to state an authentication.
    pub(super) const AUTH: u32 = 1 << 6;
    /// Such a line follows a capability.
    pub(super) const AUTH_FOLLOWS: u32 = 1 << 7;
    /// A flow precedes this line, so a description belongs to it. In the outline: a flow precedes
    /// the first line that may be kept.
    pub(super) const FLOW: u32 = 1 << 8;
}

// Indexes of the outline after those of the fields with one value: ranges from the first line of a
// kind to the last.
/// Lines with names of capabilities.
const NAMED: usize = Field::Allow as usize;
/// Flows and their descriptions.
const FLOWS: usize = Field::Flow as usize;
/// Lines that may be kept as metadata.
const KEPT: usize = 13;

/// Checks the lines, and records the offsets of the scalar fields and of the lists.
///
/// # Errors
/// [`ErrorKind::LineTooLong`]. The caller has checked that the bytes are UTF-8 and within
/// [`Limits::document`].
pub(crate) fn parse(bytes: &[u8], body: Span, limits: &Limits) -> Result<Outline, Error> {
    pass(bytes, body, limits, None::<&mut NoVisitor>)
}

/// The same as [`parse`]; `visitor` receives every capability. `None` if one was reported before the
/// authentication that it needs; the visitor must then discard all items.
///
/// # Errors
/// The same as for [`parse`]. The visitor may have received items before the error.
pub(crate) fn read<'a>(
    bytes: &'a [u8],
    body: Span,
    limits: &Limits,
    visitor: &mut impl Visitor<'a>,
) -> Result<Option<Outline>, Error> {
    let outline = pass(bytes, body, limits, Some(visitor))?;
    Ok((outline.flags & kept::AUTH_FOLLOWS == 0).then_some(outline))
}

fn pass<'a>(
    bytes: &'a [u8],
    body: Span,
    limits: &Limits,
    mut visitor: Option<&mut impl Visitor<'a>>,
) -> Result<Outline, Error> {
    let text = bytes.get(..body.end as usize).unwrap_or_default();
    let mut outline = Outline::new(Format::AgentsTxt01, body);
    let (mut flags, mut open) = (0, 0);
    // The fields that occur under an older name, and under their own.
    let (mut older, mut own) = (0, 0);
    let lines = Sweep::<Whole>::starting_at(text, body.start as usize);
    // Capabilities differ only in their names, so one capability is reused for all.
    let mut item = Capability::default();
    for line in lines {
        within_limit(line.start, line.end, limits)?;
        let Some((field, is_older, key, value)) = entry(line.content) else {
            continue;
        };
        if field.is_none() && states_auth(line.content, key, value) {
            let follows = outline.fields.get(NAMED).is_some_and(|named| named.end != 0);
            flags |= if follows { kept::AUTH | kept::AUTH_FOLLOWS } else { kept::AUTH };
        }
        match field {
            Some(field @ (Field::Allow | Field::Capabilities)) => {
                outline.extend(NAMED, line.start, line.end);
                if let Some(visitor) = &mut visitor {
                    let mut report = |name| {
                        name_capability(&mut item, name, flags & kept::AUTH != 0);
                        visitor.capability(&item);
                    };
                    match (field, value) {
                        (_, value) if Text::plain(value).is_blank() => {}
                        (Field::Allow, name) => report(name),
                        (_, names) => Items::new(names)
                            .filter(|name| !Text::plain(name).is_blank())
                            .for_each(report),
                    }
                }
                continue;
            }
            Some(Field::Flow | Field::FlowDescription) => {
                outline.extend(FLOWS, line.start, line.end);
            }
            Some(field) => {
                let bit = older_bit(field);
                if !is_older || own & bit == 0 {
                    outline.set(field as usize, Span::of(value, bytes));
                }
                let names = if is_older { &mut older } else { &mut own };
                *names |= bit;
            }
            None => {}
        }
        let before = flags & kept::FLOW;
        let (bit, stays) = stays(field, value, &mut flags);
        if stays || is_older {
            if outline.extend(KEPT, line.start, line.end) {
                open = before;
            }
            flags |= if stays { bit } else { 0 };
        } else {
            flags &= !bit;
        }
    }
    outline.flags = flags & !kept::FLOW | own & older;
    if outline.flags != 0 {
        outline.flags |= open;
    }
    Ok(outline)
}

/// Returns the flag for lines with an older name of a field; 0 if it has none.
const fn older_bit(field: Field) -> u32 {
    match field {
        Field::Site => kept::OLDER_SITE,
        Field::AgentsJson => kept::OLDER_COMPANION,
        _ => 0,
    }
}

/// Returns the field of a line, whether its name is an older one, its key and its value. A malformed
/// line is an unknown key without a value.
#[allow(clippy::type_complexity)] // Four parts, each with an obvious type.
fn entry(content: Content<'_>) -> Option<(Option<Field>, bool, &[u8], &[u8])> {
    match content {
        Content::Field { key, value } => {
            let (field, is_older) = Field::of(key).unzip();
            Some((field, is_older.unwrap_or(false), key, value))
        }
        Content::Malformed(line) => Some((None, false, line, b"")),
        Content::Blank | Content::Comment(_) => None,
    }
}

/// Returns the flag of the kind of a line, and true if the line is kept as metadata, because its
/// key is unknown or its value invalid.
pub(crate) fn stays(field: Option<Field>, value: &[u8], flags: &mut u32) -> (u32, bool) {
    match field {
        None => (kept::UNKNOWN, true),
        Some(Field::RateLimit) => (kept::RATE_LIMIT, read_rate(value).is_none()),
        Some(Field::SessionTtl) => (kept::SESSION_TTL, read_ttl(value).is_none()),
        Some(Field::Audit) => (kept::AUDIT, read_truth(value).is_none()),
        Some(Field::Flow) => {
            *flags |= kept::FLOW;
            (0, false)
        }
        // A description without a flow before it has no meaning.
        Some(Field::FlowDescription) if *flags & kept::FLOW == 0 => (kept::UNKNOWN, true),
        Some(_) => (0, false),
    }
}

/// Reads `N/minute`, a limit with another window, or the older form: only a number, which counts
/// per minute.
pub(crate) fn read_rate(value: &[u8]) -> Option<RateLimit<'_>> {
    rate_limit_of(value).or_else(|| {
        let requests = number(value)?;
        Some(RateLimit {
            requests,
            window: Choice::implied(Window::Minute),
            metadata: List::empty(),
        })
    })
}

/// Reads `Ns`, or the older form: only a number. Returns seconds.
pub(crate) fn read_ttl(value: &[u8]) -> Option<u32> {
    number(trim(value.strip_suffix(b"s").unwrap_or(value)))
}

/// Reads `true` or `false`, ignoring letter case.
pub(crate) fn read_truth(value: &[u8]) -> Option<bool> {
    match value {
        _ if value.eq_ignore_ascii_case(b"true") => Some(true),
        _ if value.eq_ignore_ascii_case(b"false") => Some(false),
        _ => None,
    }
}

/// Whether the specification says that a capability with this name needs a session.
pub(crate) fn needs_session(name: Text<'_>) -> bool {
    const NAMES: [&str; 4] = ["cart.add", "cart.view", "cart.update", "cart.remove"];
    is_handed_off(name) || NAMES.iter().any(|known| name == **known)
}

/// Whether a person completes the capability with this name: the checkout.
pub(crate) fn is_handed_off(name: Text<'_>) -> bool {
    name == "checkout"
}

/// Whether a line seems to state an authentication. The specification has no field for it, so the
/// line is for all capabilities.
fn states_auth(content: Content<'_>, key: &[u8], value: &[u8]) -> bool {
    let is_field = matches!(content, Content::Field { .. });
    is_about_auth(key, is_field.then_some(value))
}

/// Sets the name of a capability, the fields that follow from the name, and whether it needs some
/// authentication.
#[inline(always)] // So the capability is built in the caller's memory, without a copy.
fn name_capability<'a>(capability: &mut Capability<'a>, name: &'a [u8], has_auth: bool) {
    capability.auth = has_auth.then_some(CapabilityAuth::unreadable());
    let id = Text::plain(name);
    capability.id = Some(id);
    capability.requires_session = needs_session(id).then_some(true);
    capability.human_handoff = is_handed_off(id).then_some(true);
    capability.source = name;
}

/// Returns the name and the steps of a flow, and true if the arrow is `->`. Without an arrow, the
/// whole value is the name.
pub(crate) fn split_flow(value: &[u8]) -> (&[u8], &[u8], bool) {
    let arrow = scan::find(value, "→".as_bytes()).map(|at| (at, "→".len(), false));
    let found = arrow.or_else(|| scan::find(value, b"->").map(|at| (at, 2, true)));
    match found
        .and_then(|(at, length, plain)| Some((value.get(..at)?, value.get(at + length..)?, plain)))
    {
        Some((name, steps, plain)) => (trim(name), trim(steps), plain),
        None => (value, b"", false),
    }
}

/// The default lifetime of a session, in seconds.
const SESSION_SECONDS: u32 = 1800;

/// The path of the companion below the URL of the site, if the document does not name the
/// companion.
pub(crate) const COMPANION_PATH: &str = "/.well-known/agents.json";

/// A parsed agents.txt 0.1.0.
#[derive(Clone, Copy, Debug)]
pub struct AgentsTxt01<'a> {
    bytes: &'a [u8],
    outline: Outline,
}

impl<'a> AgentsTxt01<'a> {
    #[inline(always)] // Otherwise the outline, which is large, would be copied.
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { bytes, outline: *outline }
    }

    fn value(&self, field: Field) -> Option<&'a [u8]> {
        self.outline.field(self.bytes, field as usize)
    }

    /// Whether a line with an older name of a field has no effect.
    pub(crate) fn is_replaced(outline: &Outline, field: Field, is_older: bool) -> bool {
        is_older && outline.flags & older_bit(field) != 0
    }

    fn text(&self, field: Field) -> Option<Text<'a>> {
        self.value(field).map(Text::plain)
    }

    /// Returns the list that `step` reads from the range of lines with this index in the outline.
    fn list<T>(
        &self,
        place: usize,
        state: impl State,
        step: fn(&mut Cursor<'a>) -> Option<T>,
    ) -> List<'a, T> {
        self.outline
            .field(self.bytes, place)
            .map_or_else(List::empty, |lines| List::new(lines, state, step))
    }

    /// `Site`: the name of the site.
    pub fn site(&self) -> Option<Text<'a>> {
        self.text(Field::Site)
    }

    /// `URL`: the canonical URL.
    pub fn url(&self) -> Option<Text<'a>> {
        self.text(Field::Url)
    }

    /// `Allow`: the names of capabilities, including those of an older `Capabilities` line.
    pub fn allow(&self) -> List<'a, Text<'a>> {
        self.list(NAMED, 0, |cursor| next_name(cursor).map(Text::plain))
    }

    /// `Session-TTL` in seconds (default: 1800).
    pub fn session_ttl_or_default(&self) -> u32 {
        self.value(Field::SessionTtl).and_then(read_ttl).unwrap_or(SESSION_SECONDS)
    }

    /// The values of `Session-TTL` and `Audit`, as written.
    pub(crate) fn session_and_audit(&self) -> [Option<&'a [u8]>; 2] {
        [Field::SessionTtl, Field::Audit].map(|field| self.value(field))
    }

    /// `Audit` (default: false). `None` if the value is unreadable.
    pub fn audit_or_default(&self) -> Option<bool> {
        self.value(Field::Audit).map_or(Some(false), read_truth)
    }

    /// `URL` without query, fragment and trailing slashes. [`COMPANION_PATH`] is appended to it.
    /// `None` if it is not a valid http(s) URL without user information.
    pub(crate) fn companion_base(&self) -> Option<Text<'a>> {
        let url = Url::parse(self.value(Field::Url)?)
            .filter(|url| url.is_http() && !url.has_userinfo())?;
        let whole = url.as_str().as_bytes();
        let end = whole.iter().position(|byte| matches!(byte, b'?' | b'#'));
        let mut base = whole.get(..end.unwrap_or(whole.len()))?;
        while let [before @ .., b'/'] = base {
            base = before;
        }
        Some(Text::plain(base))
    }

    /// Whether the site must serve an agents.json 0.1: it has sessions, or `Audit: true`.
    pub fn needs_companion(&self) -> bool {
        self.audit_or_default() == Some(true) || self.allow().any(needs_session)
    }
}

/// Takes the next field that `wanted` accepts.
#[inline]
fn next_wanted<'a, T>(
    cursor: &mut Cursor<'a>,
    mut wanted: impl FnMut(&'a [u8], &'a [u8]) -> Option<T>,
) -> Option<T> {
    while let Some((_, key, value)) = next_field(cursor) {
        if let Some(found) = wanted(key, value) {
            return Some(found);
        }
    }
    None
}

fn is(key: &[u8], field: Field) -> bool {
    matches!(Field::of(key), Some((found, _)) if found == field)
}

states! {
    /// The state of the list of capabilities.
    struct Named {
        /// The length of the rest of a `Capabilities` list, whose next item is at the position, so
        /// the line is not read again for each item; 0 outside of such a list.
        left: u32[31],
        /// Whether a line of the document seems to state an authentication.
        has_auth: bool,
    }
}

/// Returns the name of the next capability: the value of an `Allow`, or the next item of a
/// `Capabilities` list.
fn next_name<'a>(cursor: &mut Cursor<'a>) -> Option<&'a [u8]> {
    loop {
        let start = cursor.position as usize;
        let Named { left: length, has_auth } = cursor.state();
        if length == 0 {
            let (field, value) = next_wanted(cursor, |key, value| match Field::of(key) {
                Some((field @ (Field::Allow | Field::Capabilities), _)) => Some((field, value)),
                _ => None,
            })?;
            if Text::plain(value).is_blank() {
                continue;
            }
            if field == Field::Allow {
                return Some(value);
            }
            cursor.position = Span::of(value, cursor.bytes).start;
            cursor.set(Named { left: value.len() as u32, has_auth });
            continue;
        }
        let end = start.saturating_add(length as usize);
        let rest = cursor.bytes.get(start..end).unwrap_or_default();
        let mut items = Items::new(rest);
        let item = items.next().unwrap_or_default();
        let left = items.rest().map_or(0, <[u8]>::len);
        // After the last item, the position is at the end of the value; the rest of the line has no
        // key.
        cursor.position = end.saturating_sub(left) as u32;
        cursor.set(Named { left: left as u32, has_auth });
        if !Text::plain(item).is_blank() {
            return Some(item);
        }
    }
}

impl<'a> Reading<'a> for AgentsTxt01<'a> {
    fn head(&self) -> Head<'a> {
        Head { companion: self.text(Field::AgentsJson), ..Head::default() }
    }

    fn service(&self) -> Option<Service<'a>> {
        let (name, url, description) =
            (self.text(Field::Site), self.text(Field::Url), self.text(Field::Description));
        let contact = self.value(Field::Contact);
        if name.is_none() && url.is_none() && description.is_none() && contact.is_none() {
            return None;
        }
        let contact = contact.map_or_else(List::empty, |value| List::new(value, 0, only_item));
        Some(Service { name, url, description, contact, ..Service::default() })
    }

    fn capabilities(&self) -> List<'a, Capability<'a>> {
        let has_auth = self.outline.flags & kept::AUTH != 0;
        self.list(NAMED, Named { left: 0, has_auth }, |cursor| {
            let mut capability = Capability::default();
            let name = next_name(cursor)?;
            name_capability(&mut capability, name, cursor.state::<Named>().has_auth);
            Some(capability)
        })
    }

    fn flows(&self) -> List<'a, Flow<'a>> {
        self.list(FLOWS, 0, |cursor| {
            let value = next_wanted(cursor, |key, value| is(key, Field::Flow).then_some(value))?;
            let (name, steps, _) = split_flow(value);
            // The last description before the next flow belongs to this flow. The next step reads
            // the lines behind this description again.
            let (mut behind, mut description) = (*cursor, None);
            while let Some(found) = next_wanted(&mut behind, |key, value| match Field::of(key) {
                Some((Field::Flow, _)) => Some(None),
                Some((Field::FlowDescription, _)) => Some(Some(Text::plain(value))),
                _ => None,
            }) {
                if found.is_none() {
                    break;
                }
                (description, *cursor) = (found, behind);
            }
            Some(Flow {
                name: Some(Text::plain(name)),
                description,
                steps: List::new(steps, 0, next_item),
                metadata: List::empty(),
            })
        })
    }

    fn usual_session(&self) -> Option<u32> {
        Some(SESSION_SECONDS)
    }

    fn session(&self) -> Option<Session<'a>> {
        let ttl_seconds = self.value(Field::SessionTtl).and_then(read_ttl)?;
        Some(Session { ttl_seconds: Some(ttl_seconds), ..Session::default() })
    }

    fn audit(&self) -> Option<Audit<'a>> {
        let (enabled, endpoint) =
            (self.value(Field::Audit).and_then(read_truth), self.text(Field::AuditEndpoint));
        if enabled.is_none() && endpoint.is_none() {
            None
        } else {
            Some(Audit { enabled, endpoint, metadata: List::empty() })
        }
    }

    fn rate_limits(&self) -> List<'a, RateLimit<'a>> {
        let Some(value) = self.value(Field::RateLimit) else {
            return List::empty();
        };
        List::new(value, 0, |cursor| if is_first(cursor) { read_rate(cursor.bytes) } else { None })
    }

    fn metadata(&self) -> Metadata<'a> {
        let Some(lines) = self.outline.field(self.bytes, KEPT).filter(|_| self.outline.flags != 0)
        else {
            return List::empty();
        };
        List::new(lines, self.outline.flags, next_metadata)
    }
}

/// Returns the next metadata member. The state has the flags of the outline.
fn next_metadata<'a>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    let mut flags: u32 = cursor.state();
    let mut lines = Lines::starting_at(cursor.bytes, cursor.position as usize);
    while let Some(line) = lines.next() {
        let Some((field, is_older, key, value)) = entry(line.content) else {
            continue;
        };
        let (bit, stays) = match field {
            Some(field) if is_older => (older_bit(field), true),
            _ => stays(field, value, &mut flags),
        };
        cursor.set(flags);
        if stays && flags & bit != 0 {
            cursor.position = lines.position() as u32;
            return Some(Member { name: Text::plain(key), value: Raw::Text(Text::plain(value)) });
        }
    }
    cursor.position = u32::MAX;
    None
}
