//! auth.md: how an agent registers and authenticates, as Markdown for agents.
//!
//! The text is free. What programs read in it:
//! - The title is the first H1. It names the document, so it is not the name of the service.
//! - The references are the links in lists, read as in an llms.txt.
//! - The registration is the object `agent_auth` in the first block of code that is JSON and has
//!   one, such as the metadata of the authorization server. A line of HTTP before the JSON is
//!   skipped. The metadata that the server itself publishes counts more.

mod about;
pub(crate) mod check;

use crate::error::Error;
use crate::format::Format;
use crate::format::llms_txt::{self, LlmsTxt};
use crate::format::oauth::registration;
use crate::limits::Limits;
use crate::model::{List, Reading, Reference, Registration};
use crate::scan;
use crate::span::Span;
use crate::syntax::json::view::Object;
use crate::syntax::json::{self, Kind, Value};
use crate::syntax::markdown::{self, Blocks};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

/// The field of the outline behind those of an llms.txt: the object `agent_auth`.
const AGENT_AUTH: usize = llms_txt::FIELDS;

/// A parsed auth.md.
#[derive(Clone, Copy, Debug)]
pub struct AuthMd<'a> {
    text: LlmsTxt<'a>,
    agent_auth: Option<Object<'a>>,
}

impl<'a> AuthMd<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        let agent_auth = outline.field(bytes, AGENT_AUTH);
        Self {
            text: LlmsTxt::attach(bytes, outline),
            agent_auth: agent_auth.map(|object| Object(Value::trusted(object))),
        }
    }

    /// The title of the document, such as `auth.md`. Absent if there is no H1, or if it is empty.
    pub fn title(&self) -> Option<Text<'a>> {
        self.text.title()
    }
}

/// Reads the title and finds the object `agent_auth`. The lists are read on request.
pub(crate) fn parse(bytes: &[u8], body: Span, limits: &Limits) -> Result<Outline, Error> {
    let mut outline = llms_txt::parse_as(Format::AuthMd, bytes, body, limits)?;
    let depth = limits.depth_limit();
    // Few documents have it, and the blocks are walked for it alone.
    if scan::find(body.slice(bytes), NAME).is_none() {
        return Ok(outline);
    }
    let mut code = Blocks::new(body.slice(bytes), depth)
        .filter(|block| block.kind == markdown::Kind::Code)
        .map(|block| block.text.raw());
    if let Some(object) = code.find_map(|code| agent_auth(code, depth)) {
        outline.set(AGENT_AUTH, Span::of(object.raw(), bytes));
    }
    Ok(outline)
}

/// The name of the object, as it stands in JSON.
const NAME: &[u8] = b"\"agent_auth\"";

/// Returns the object `agent_auth` in code that is JSON.
fn agent_auth(code: &[u8], depth: usize) -> Option<Value<'_>> {
    scan::find(code, NAME)?;
    let code = code.get(scan::memchr(b'{', code)?..)?;
    json::validate(code, 0, depth, |_, _| {}).ok()?;
    let object = Value::trusted(code.trim_ascii()).get("agent_auth")?;
    (object.kind() == Kind::Object).then_some(object)
}

impl<'a> Reading<'a> for AuthMd<'a> {
    fn registration(&self) -> Option<Registration<'a>> {
        self.agent_auth.map(registration)
    }

    fn references(&self) -> List<'a, Reference<'a>> {
        self.text.references()
    }
}
