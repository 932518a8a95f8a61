//! robots.txt (RFC 9309): which agent may fetch which URL, and why.

use core::ffi::c_char;
use core::mem::{MaybeUninit, align_of, size_of};

use agentsdisc_core::format::robots_txt::{
    Binding, Compiled, CompiledRule, CrawlDelay, Preferred, Reason, RobotsTxt, Verdict,
};
use agentsdisc_core::span::PositionCursor;

use crate::boundary::{
    bytes, c_text, checked, clear, cleared, ended, give, growing, held, hold, options, write_out,
};
use crate::document::{
    DEFAULTS, agd_document, agd_options, document_of, write_position, write_span,
};
use crate::enumerations::{AGD_FALSE, AGD_TRUE, AGD_UNSAID, Numbered};
use crate::format::{AGD_FORMAT_ROBOTS_TXT, AGD_FORMAT_UNKNOWN};
use crate::list::Items;
use crate::robots::{agd_robots_groups, agd_robots_preferences};
use crate::status::{
    AGD_ERROR_ARGUMENT, AGD_ERROR_BUFFER_TOO_SMALL, AGD_ERROR_NULL, AGD_NONE, AGD_OK, AGD_SOME,
    agd_status,
};
use crate::text::{agd_text, agd_texts};

/// A reason that is newer than this list.
pub const AGD_ROBOTS_REASON_UNKNOWN: i32 = 0;
/// A rule decides.
pub const AGD_ROBOTS_REASON_RULE: i32 = 1;
/// Allowed: no rule of the agent's groups matches.
pub const AGD_ROBOTS_REASON_NO_RULE: i32 = 2;
/// Allowed: no group applies to the agent or to `*`.
pub const AGD_ROBOTS_REASON_NO_GROUP: i32 = 3;
/// Allowed: the URL is the robots.txt itself.
pub const AGD_ROBOTS_REASON_ROBOTS_FILE: i32 = 4;
/// Denied: the agent is neither a name nor a User-Agent.
pub const AGD_ROBOTS_REASON_INVALID_AGENT: i32 = 5;
/// Denied: the URL has dot segments and is longer than 2,048 bytes.
pub const AGD_ROBOTS_REASON_INVALID_URL: i32 = 6;

/// No group applies to the agent.
pub const AGD_ROBOTS_BINDING_NONE: i32 = 0;
/// The groups for `*` apply to the agent.
pub const AGD_ROBOTS_BINDING_ANY: i32 = 1;
/// Groups that name the agent apply.
pub const AGD_ROBOTS_BINDING_NAMED: i32 = 2;

/// Size of agd_robots in 64-bit words.
pub const AGD_ROBOTS_WORDS: usize = 12;

/// A robots.txt. You allocate it (AGD_ROBOTS_INIT), on the stack or anywhere; there is nothing to
/// free, and it can be copied and moved as plain memory. It borrows the bytes it was made from.
///
/// Several threads may use it at the same time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_ROBOTS_WORDS],
}

/// Size of agd_robots_compiled in 64-bit words.
pub const AGD_ROBOTS_COMPILED_WORDS: usize = 12;

/// The rules of a robots.txt for one agent, for many decisions (agd_robots_compile). You allocate
/// it, on the stack or anywhere; there is nothing to free, and it can be copied and moved as plain
/// memory. It borrows the bytes of the robots.txt, and the buffer of rules.
///
/// Several threads may use it at the same time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_compiled {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_ROBOTS_COMPILED_WORDS],
}

/// Memory for one rule of an agd_robots_compiled: an element of the buffer, which need not be
/// initialised.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_compiled_rule {
    /// Internal state.
    pub state: [u64; 3],
}

const _: () = assert!(size_of::<agd_robots_compiled_rule>() == size_of::<CompiledRule>());
const _: () = assert!(align_of::<agd_robots_compiled_rule>() == align_of::<CompiledRule>());

/// Whether an agent may fetch a URL, and why. It borrows the bytes of the robots.txt.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_decision {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Whether the agent may fetch the URL: AGD_TRUE or AGD_FALSE.
    pub allowed: i32,
    /// The reason: AGD_ROBOTS_REASON_*.
    pub reason: i32,
    /// Which groups apply to the agent: AGD_ROBOTS_BINDING_*; AGD_ROBOTS_BINDING_NONE for the
    /// robots.txt itself.
    pub binding: i32,
    /// Whether the deciding rule is an `Allow`: AGD_TRUE or AGD_FALSE; AGD_UNSAID if no rule
    /// decides.
    pub rule_allow: i32,
    /// The pattern of the deciding rule as written; absent if no rule decides.
    pub rule_pattern: agd_text,
    /// Byte offset of that pattern, from 0; 0 if no rule decides.
    pub rule_start: usize,
    /// Byte offset after that pattern; 0 if no rule decides.
    pub rule_end: usize,
    /// Line of the deciding rule, from 1; 0 if no rule decides.
    pub rule_line: u32,
    /// Line of the first `User-agent` of the deciding rule's group, from 1; 0 if no rule decides.
    pub group_line: u32,
    /// Milliseconds between two requests of the agent, as in agd_robots_delay; AGD_UNSAID also if
    /// no `Crawl-delay` applies.
    pub crawl_delay_ms: i64,
}

/// The `Crawl-delay` for an agent: the time between two requests. It borrows the bytes of the
/// robots.txt.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_delay {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Milliseconds; AGD_UNSAID if the value is not a number, or at least 2^64 milliseconds.
    /// Decimals after the third are dropped; other values above INT64_MAX become INT64_MAX.
    pub milliseconds: i64,
    /// Seconds, as written.
    pub text: agd_text,
    /// Byte offset of the text, from 0.
    pub start: usize,
    /// Byte offset after the text.
    pub end: usize,
    /// Its line, from 1.
    pub line: u32,
    /// Reserved; zero.
    pub reserved: u32,
}

/// Whether the content at a URL may be used for a purpose. It borrows the bytes of the robots.txt.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_stance {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Whether the use is allowed: AGD_STANCE_*.
    pub preference: i32,
    /// Whether the agent may fetch the URL: AGD_TRUE or AGD_FALSE. If not, nothing is stated.
    pub crawlable: i32,
    /// The statement that decides, as written; absent if none does.
    pub text: agd_text,
    /// The pattern of paths of its line; absent for all paths.
    pub path: agd_text,
    /// Its field: AGD_VOCABULARY_*; AGD_UNSAID if no statement decides.
    pub source: i32,
    /// Its line, from 1; 0 if no statement decides.
    pub line: u32,
    /// Byte offset of the statement, from 0; 0 if none decides.
    pub start: usize,
    /// Byte offset after the statement.
    pub end: usize,
}

growing! { agd_robots_decision, agd_robots_delay, agd_robots_stance, }

impl agd_robots {
    /// A robots.txt that was not parsed.
    const UNINITIALISED: Self = Self { state: [MaybeUninit::new(0); AGD_ROBOTS_WORDS] };
}

impl agd_robots_compiled {
    /// Rules that were not compiled.
    const UNINITIALISED: Self = Self { state: [MaybeUninit::new(0); AGD_ROBOTS_COMPILED_WORDS] };
}

impl From<RobotsTxt<'static>> for agd_robots {
    fn from(robots: RobotsTxt<'static>) -> Self {
        hold(Self::UNINITIALISED, robots)
    }
}

impl From<CrawlDelay<'static>> for agd_robots_delay {
    fn from(delay: CrawlDelay<'static>) -> Self {
        Self {
            size: size_of::<Self>(),
            milliseconds: milliseconds(Some(delay)),
            text: delay.text.into(),
            start: delay.span.start as usize,
            end: delay.span.end as usize,
            line: delay.line,
            reserved: 0,
        }
    }
}

fn milliseconds(delay: Option<CrawlDelay<'_>>) -> i64 {
    delay
        .and_then(|delay| delay.milliseconds())
        .map_or(i64::from(AGD_UNSAID), |ms| i64::try_from(ms).unwrap_or(i64::MAX))
}

/// Reads a robots.txt. No content makes this function fail, because lines that are not rules are
/// skipped. If there is no robots.txt, use agd_robots_allow_all or agd_robots_disallow_all.
///
/// `data` may be NULL if `length` is 0. The bytes are not copied: they must stay unchanged and in
/// place while the robots.txt, or anything read from it, is used. `options` may be NULL for the
/// defaults; only `max_robots` and `max_line` are used, and `format` must be AGD_FORMAT_UNKNOWN or
/// AGD_FORMAT_ROBOTS_TXT. `robots` must not be NULL.
///
/// Returns AGD_OK, or a negative status for misuse, which leaves `robots` uninitialised.
/// Thread-safe; constant time: rules are read on demand.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_parse(
    data: *const c_char,
    length: usize,
    options: *const agd_options,
    robots: *mut agd_robots,
) -> agd_status {
    // SAFETY: the caller promises readable bytes that stay, readable options, and a writable
    // output.
    ended(unsafe {
        checked(robots).and_then(|_| {
            let parsed = parse(data, length, options);
            robots.write(parsed.map_or(agd_robots::UNINITIALISED, agd_robots::from));
            parsed.map(|_| AGD_OK)
        })
    })
}

/// # Safety
/// That of `agd_robots_parse`.
unsafe fn parse(
    data: *const c_char,
    length: usize,
    given: *const agd_options,
) -> Result<RobotsTxt<'static>, agd_status> {
    // SAFETY: the contract is the same.
    let (bytes, given, options) = unsafe {
        let given = options(given, DEFAULTS)?;
        (bytes(data.cast(), length)?, given, given.read()?)
    };
    if given.format != AGD_FORMAT_UNKNOWN && given.format != AGD_FORMAT_ROBOTS_TXT {
        return Err(AGD_ERROR_ARGUMENT);
    }
    Ok(RobotsTxt::parse_with(bytes, &options.limits))
}

/// Returns a parsed document as a robots.txt.
///
/// Neither pointer may be NULL. `robots` borrows the document's bytes, not the document. Returns
/// AGD_SOME; AGD_NONE if the document is not a robots.txt: `robots` is then uninitialised; or a
/// negative status for misuse. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_robots(
    document: *const agd_document,
    robots: *mut agd_robots,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe {
        checked(robots).and_then(|_| {
            let found = document_of(document).map(|document| document.robots_txt());
            robots.write(found.ok().flatten().map_or(agd_robots::UNINITIALISED, agd_robots::from));
            found.map(|found| if found.is_some() { AGD_SOME } else { AGD_NONE })
        })
    })
}

/// Returns the rules for an absent robots.txt, such as after a 4xx status (RFC 9309 section
/// 2.3.1.3): every agent may fetch everything.
///
/// It borrows nothing. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_robots_allow_all() -> agd_robots {
    RobotsTxt::ALLOW_ALL.into()
}

/// Returns the rules for an unreachable robots.txt, such as after a 5xx status (RFC 9309 section
/// 2.3.1.4): no agent may fetch anything but the robots.txt.
///
/// It borrows nothing. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_robots_disallow_all() -> agd_robots {
    RobotsTxt::DISALLOW_ALL.into()
}

/// The bytes of an argument: plain text, which need not be UTF-8.
///
/// # Safety
/// `len` bytes are readable at `ptr`, or it is NULL.
unsafe fn plain(text: agd_text) -> Result<&'static [u8], agd_status> {
    // SAFETY: the contract is the same.
    let text = unsafe { text.get()? }.ok_or(AGD_ERROR_NULL)?;
    if text.is_escaped() { Err(AGD_ERROR_ARGUMENT) } else { Ok(text.raw()) }
}

/// Whether `agent` may fetch `url`; agd_robots_decide also returns why.
///
/// False also for misuse, such as NULL, so that nothing is fetched by mistake; agd_robots_decide
/// distinguishes the two. Thread-safe; linear in the robots.txt, in one pass.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_allowed(
    robots: *const agd_robots,
    agent: agd_text,
    url: agd_text,
) -> bool {
    // SAFETY: the caller promises a readable robots.txt and readable texts.
    match unsafe { (held(robots), plain(agent), plain(url)) } {
        (Ok(robots), Ok(agent), Ok(url)) => robots.allowed(agent, url),
        _ => false,
    }
}

/// Whether `agent` may fetch `url`, and why (RFC 9309 sections 2.2.1 to 2.2.3).
///
/// `agent` is a name or a User-Agent, also one in the style of a browser; letter case is ignored. An
/// invalid one may fetch nothing. All groups that name the agent apply; the groups for `*` apply
/// only if no group names it; a denial for any other name in the User-Agent counts, too. The longest
/// matching pattern decides, and `Allow` wins a tie. Only path and query of `url` are matched,
/// without dot segments; make sure that its origin is the origin of the robots.txt.
///
/// `robots` and `decision` must not be NULL; `decision` must be initialised (AGD_INIT) and borrows
/// the bytes of the robots.txt. Neither text may be absent or escaped: decode a text from a
/// document with agd_text_decode first. Both are borrowed during the call.
///
/// Returns AGD_SOME, or a negative status for misuse; AGD_ERROR_ARGUMENT for an escaped text.
/// Thread-safe; linear in the robots.txt, in two passes. Each rule of the agent may also take time
/// linear in the URL, so limit the length of untrusted URLs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_decide(
    robots: *const agd_robots,
    agent: agd_text,
    url: agd_text,
    decision: *mut agd_robots_decision,
) -> agd_status {
    // SAFETY: the caller promises a readable robots.txt and texts, and a writable output.
    ended(unsafe {
        held(robots).and_then(|robots| {
            let (agent, url) = (plain(agent)?, plain(url)?);
            give(decision, Some(decided(robots.decide(agent, url), robots.crawl_delay(agent))))
        })
    })
}

fn decided(verdict: Verdict<'static>, delay: Option<CrawlDelay<'static>>) -> agd_robots_decision {
    let rule = verdict.rule;
    agd_robots_decision {
        size: size_of::<agd_robots_decision>(),
        allowed: if verdict.allowed { AGD_TRUE } else { AGD_FALSE },
        reason: match verdict.reason {
            Reason::Rule => AGD_ROBOTS_REASON_RULE,
            Reason::NoRule => AGD_ROBOTS_REASON_NO_RULE,
            Reason::NoGroup => AGD_ROBOTS_REASON_NO_GROUP,
            Reason::RobotsFile => AGD_ROBOTS_REASON_ROBOTS_FILE,
            Reason::InvalidAgent => AGD_ROBOTS_REASON_INVALID_AGENT,
            Reason::InvalidUrl => AGD_ROBOTS_REASON_INVALID_URL,
            _ => AGD_ROBOTS_REASON_UNKNOWN,
        },
        binding: match verdict.binding {
            Binding::None => AGD_ROBOTS_BINDING_NONE,
            Binding::Any => AGD_ROBOTS_BINDING_ANY,
            Binding::Named => AGD_ROBOTS_BINDING_NAMED,
        },
        rule_allow: rule.map_or(AGD_UNSAID, |rule| i32::from(rule.allow)),
        rule_pattern: rule.map(|rule| rule.pattern).into(),
        rule_start: rule.map_or(0, |rule| rule.span.start as usize),
        rule_end: rule.map_or(0, |rule| rule.span.end as usize),
        rule_line: rule.map_or(0, |rule| rule.line),
        group_line: rule.map_or(0, |rule| rule.group.line()),
        crawl_delay_ms: milliseconds(delay),
    }
}

/// Reads the rules for one agent into a buffer, for many decisions about it: a decision then takes a
/// fraction of the time.
///
/// `robots` and `compiled` must not be NULL. `agent` as in agd_robots_decide; it is borrowed during
/// the call. `buffer` is memory of yours for `capacity` rules, which `compiled` borrows: it must stay
/// unchanged while `compiled` is used. It may be NULL if `capacity` is 0. `needed`, if not NULL,
/// receives the number of elements that are needed, 24 bytes each: one for each rule of the agent,
/// two for one that allows an index page, one for each of its groups, and one for each of its names.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; or another negative status for misuse. After an
/// error, `compiled` is uninitialised and allows nothing. Thread-safe; it takes the time of two to
/// three decisions for each name of the agent, and that of sorting: linear in the robots.txt, O(n log n) in
/// the number of rules.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_compile(
    robots: *const agd_robots,
    agent: agd_text,
    buffer: *mut agd_robots_compiled_rule,
    capacity: usize,
    compiled: *mut agd_robots_compiled,
    needed: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable robots.txt and text, a buffer in sole use, and writable
    // outputs; the assertions above compare the elements of the buffer.
    ended(unsafe {
        clear(compiled).and_then(|()| {
            let (robots, agent) = (held(robots)?, plain(agent)?);
            let buffer = cleared::<CompiledRule>(buffer.cast(), capacity)?;
            match robots.compile(agent, buffer) {
                Ok(rules) => {
                    write_out(needed, rules.rules().len())?;
                    compiled.write(hold(agd_robots_compiled::UNINITIALISED, rules));
                    Ok(AGD_OK)
                }
                Err(more) => {
                    write_out(needed, more.get())?;
                    Err(AGD_ERROR_BUFFER_TOO_SMALL)
                }
            }
        })
    })
}

/// Whether the agent of compiled rules may fetch `url`, as agd_robots_allowed.
///
/// False also for misuse, such as NULL, so that nothing is fetched by mistake. Thread-safe; linear in
/// the rules of the agent and, for each that begins like the URL, in the URL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_compiled_allowed(
    compiled: *const agd_robots_compiled,
    url: agd_text,
) -> bool {
    // SAFETY: the caller promises readable compiled rules and a readable text.
    match unsafe { (held(compiled), plain(url)) } {
        (Ok(compiled), Ok(url)) => compiled.allowed(url),
        _ => false,
    }
}

/// Whether the agent of compiled rules may fetch `url`, and why, as agd_robots_decide.
///
/// `compiled` and `decision` must not be NULL; `decision` must be initialised (AGD_INIT) and borrows
/// the bytes of the robots.txt. `url` as in agd_robots_decide. Returns AGD_SOME, or a negative status
/// for misuse. Thread-safe; linear in the rules of the agent and, for each that begins like the URL, in the
/// URL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_compiled_decide(
    compiled: *const agd_robots_compiled,
    url: agd_text,
    decision: *mut agd_robots_decision,
) -> agd_status {
    // SAFETY: the caller promises readable compiled rules and a readable text, and a writable output.
    ended(unsafe {
        held(compiled).and_then(|compiled: &Compiled<'static, 'static>| {
            give(decision, Some(decided(compiled.decide(plain(url)?), compiled.crawl_delay())))
        })
    })
}

/// Returns the `Crawl-delay` for an agent: the first one in the groups that name it, or in the
/// groups for `*` if none names it. RFC 9309 does not define this extension.
///
/// `robots` and `delay` must not be NULL; `delay` must be initialised (AGD_INIT) and borrows the
/// bytes of the robots.txt; `agent` as in agd_robots_decide. Returns AGD_SOME; AGD_NONE if there is
/// none; or a negative status for misuse. Thread-safe; linear in the robots.txt.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_crawl_delay(
    robots: *const agd_robots,
    agent: agd_text,
    delay: *mut agd_robots_delay,
) -> agd_status {
    // SAFETY: the caller promises a readable robots.txt and text, and a writable output.
    ended(unsafe {
        held(robots).and_then(|robots| {
            give(delay, robots.crawl_delay(plain(agent)?).map(agd_robots_delay::from))
        })
    })
}

/// Returns whether the content at a URL may be used for a purpose (AI preferences), by the
/// `Content-Usage` and `Content-Signal` lines for `agent`.
///
/// `purpose` is the name of a purpose, such as `train-ai` or `search`, in either vocabulary, or
/// another label as written. `robots`, `agent` and `url` as in agd_robots_decide. `stance` must be
/// initialised (AGD_INIT). Returns AGD_SOME, or a negative status for misuse. Thread-safe; linear in
/// the robots.txt and, for each line of the agent, in the URL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_prefers(
    robots: *const agd_robots,
    agent: agd_text,
    url: agd_text,
    purpose: agd_text,
    stance: *mut agd_robots_stance,
) -> agd_status {
    // SAFETY: the caller promises a readable robots.txt and texts, and a writable output.
    ended(unsafe {
        held(robots).and_then(|robots| {
            let preferred = robots.preference(plain(agent)?, plain(url)?, plain(purpose)?);
            give(stance, Some(agd_robots_stance::from(preferred)))
        })
    })
}

impl From<Preferred<'static>> for agd_robots_stance {
    fn from(preferred: Preferred<'static>) -> Self {
        let statement = preferred.statement;
        Self {
            size: size_of::<Self>(),
            preference: preferred.stance.number(),
            crawlable: i32::from(preferred.crawlable),
            text: statement.map(|it| it.text).into(),
            path: statement.map(|it| it.path).filter(|path| !path.is_empty()).into(),
            source: statement.map_or(AGD_UNSAID, |it| it.source.number()),
            line: statement.map_or(0, |it| it.line),
            start: statement.map_or(0, |it| it.span.start as usize),
            end: statement.map_or(0, |it| it.span.end as usize),
        }
    }
}

/// Returns the AI preferences of a robots.txt in order, one for each purpose of a line.
///
/// Never fails: if `robots` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the bytes of the robots.txt. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_preference_list(
    robots: *const agd_robots,
) -> agd_robots_preferences {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(robots) }
        .map_or(agd_robots_preferences::UNINITIALISED, |robots| robots.preference_list().into())
}

/// Returns the groups of a robots.txt in order. Groups of one agent are not merged.
///
/// Never fails: if `robots` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the bytes of the robots.txt. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_group_list(robots: *const agd_robots) -> agd_robots_groups {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(robots) }
        .map_or(agd_robots_groups::UNINITIALISED, |robots| robots.group_list().into())
}

/// Returns the `Sitemap` lines of a robots.txt, as written; they belong to no group.
///
/// Never fails: if `robots` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the bytes of the robots.txt. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_sitemaps(robots: *const agd_robots) -> agd_texts {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(robots) }.map_or(agd_texts::UNINITIALISED, |robots| robots.sitemap_list().into())
}

/// Whether the robots.txt is longer than the part that is read (`max_robots` of the options):
/// AGD_TRUE or AGD_FALSE; AGD_UNSAID if `robots` is NULL or was not parsed.
///
/// Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_is_cut(robots: *const agd_robots) -> i32 {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(robots) }.map_or(AGD_UNSAID, |robots| i32::from(robots.is_cut()))
}

/// Returns where a text is in its robots.txt: the byte offsets of its start and after its end, from
/// 0.
///
/// `robots` must not be NULL; `start` and `end` may be. Returns AGD_OK, or AGD_ERROR_ARGUMENT if
/// the text is not part of the robots.txt. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_span(
    robots: *const agd_robots,
    part: agd_text,
    start: *mut usize,
    end: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable robots.txt and text, and outputs that are NULL or
    // writable.
    ended(unsafe { held(robots).and_then(|robots| write_span(robots.bytes(), part, start, end)) })
}

/// Returns line and column of a byte offset in a robots.txt, like agd_document_position for a
/// document.
///
/// `robots` must not be NULL; `line` and `column` may be. Returns AGD_OK, or a negative status for
/// misuse. Thread-safe; linear in the offset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_position(
    robots: *const agd_robots,
    offset: usize,
    line: *mut u32,
    column: *mut u32,
) -> agd_status {
    // SAFETY: the caller promises a readable robots.txt, and outputs that are NULL or writable.
    ended(unsafe {
        held(robots).and_then(|robots| {
            write_position(PositionCursor::new(robots.bytes()).at(offset), line, column)
        })
    })
}

/// Returns the name of a reason (AGD_ROBOTS_REASON_*), NUL-terminated: `rule`, `no-rule`,
/// `no-group`, `robots-file`; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_robots_reason_name(reason: i32) -> *const c_char {
    match reason {
        AGD_ROBOTS_REASON_RULE => c_text!(Reason::Rule.as_str()),
        AGD_ROBOTS_REASON_NO_RULE => c_text!(Reason::NoRule.as_str()),
        AGD_ROBOTS_REASON_NO_GROUP => c_text!(Reason::NoGroup.as_str()),
        AGD_ROBOTS_REASON_ROBOTS_FILE => c_text!(Reason::RobotsFile.as_str()),
        AGD_ROBOTS_REASON_INVALID_AGENT => c_text!(Reason::InvalidAgent.as_str()),
        AGD_ROBOTS_REASON_INVALID_URL => c_text!(Reason::InvalidUrl.as_str()),
        _ => c"unknown".as_ptr(),
    }
}
