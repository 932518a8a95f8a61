//! The boundary between this program and the library: every call goes through a function here that is
//! not inlined and does nothing else.
//!
//! So each symbol of the firmware belongs either to the program or to the library, and the stack
//! use of a call can be measured separately from its caller.

use agentsdisc_core::manifest as model;
use agentsdisc_core::manifest::{Choice, Enumeration, Head, Hints, List, Manifest, Metadata, Raw};
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::syntax::text::{Chars, Text};
use agentsdisc_core::{Document, Error, ParseOptions};

#[inline(never)]
pub(crate) fn parse<'a>(
    bytes: &'a [u8],
    options: &ParseOptions<'_>,
) -> Result<Document<'a>, Error> {
    #[cfg(feature = "known-format")]
    return Document::parse_as(bytes, agentsdisc_core::Format::AgentsTxt, &options.limits);
    #[cfg(not(feature = "known-format"))]
    Document::parse_with(bytes, options)
}

#[inline(never)]
pub(crate) fn next<T>(list: &mut impl Iterator<Item = T>) -> Option<T> {
    list.next()
}

#[inline(never)]
pub(crate) fn next_char(chars: &mut Chars<'_>) -> Option<char> {
    chars.next()
}

#[cfg(feature = "policy")]
#[inline(never)]
pub(crate) fn decode<'b>(
    text: Text<'_>,
    buffer: &'b mut [u8],
) -> Result<&'b str, agentsdisc_core::syntax::text::BufferTooSmall> {
    text.decode(buffer)
}

#[inline(never)]
pub(crate) fn value_text(value: Value<'_>) -> Option<Text<'_>> {
    value.as_text()
}

#[inline(never)]
pub(crate) fn name_of<E: Enumeration>(choice: &Choice<'_, E>) -> &'static str {
    choice.as_str()
}

#[cfg(feature = "ids")]
#[inline(never)]
pub(crate) fn format_id(document: &Document<'_>) -> &'static str {
    document.format().id()
}

macro_rules! accessors {
    ($(
        #[doc = $doc:literal]
        $field:ident $(as $name:literal)? $(or $text:ident)? $(unless $empty:ident)?
        $(in $head:ident: $part:ty)? $(: $type:ty)?,
    )*) => {
        $($(
            #[doc = $doc]
            #[inline(never)]
            pub(crate) fn $field<'a>(manifest: &Manifest<'a>) -> $type {
                manifest.$field()
            }
        )?)*
    };
}

agentsdisc_core::document! { accessors 'a }

#[inline(never)]
pub(crate) fn head<'a>(manifest: &Manifest<'a>) -> Head<'a> {
    manifest.head()
}

#[cfg(feature = "check")]
#[inline(never)]
pub(crate) fn check(document: &Document<'_>) -> u32 {
    let mut found = 0;
    document.check(&agentsdisc_core::CheckOptions::default(), |_| found += 1);
    found
}

#[cfg(feature = "write")]
#[inline(never)]
pub(crate) fn convert(document: &Document<'_>, buffer: &mut [u8]) -> (Option<usize>, u32) {
    let mut losses = 0;
    let options = agentsdisc_core::ConvertOptions::default();
    let length =
        document.write_converted(agentsdisc_core::Format::AgentsJson, &options, buffer, |_| {
            losses += 1
        });
    (length.ok(), losses)
}

#[cfg(feature = "json")]
#[inline(never)]
pub(crate) fn write_json(document: &Document<'_>, buffer: &mut [u8]) -> Option<usize> {
    document.write_json(buffer).ok()
}

#[cfg(feature = "policy")]
pub(crate) mod policy {
    use agentsdisc_core::Document;
    use agentsdisc_core::policy::{AppliedLimit, Decision, RateLimits, Request, Robots, Workspace};

    #[inline(never)]
    pub(crate) fn decide<'a>(
        decision: &mut Decision<'a>,
        documents: &'a [Document<'a>],
        request: &Request<'a>,
        workspace: &mut Workspace,
    ) {
        decision.settle(documents, Robots::NotAsked, request, workspace);
    }

    #[cfg(feature = "ids")]
    #[inline(never)]
    pub(crate) fn reason_id(decision: &Decision<'_>) -> &'static str {
        decision.reason.as_str()
    }

    #[inline(never)]
    pub(crate) fn rate_limits<'a>(decision: &Decision<'a>) -> RateLimits<'a> {
        decision.rate_limits()
    }

    #[inline(never)]
    pub(crate) fn next_limit<'a>(
        limits: &mut RateLimits<'a>,
        workspace: &mut Workspace,
    ) -> Option<AppliedLimit<'a>> {
        limits.next_with(workspace)
    }
}

#[cfg(feature = "call")]
pub(crate) mod call {
    use agentsdisc_core::call::{Answer, Call, Next, Options, Plan, Refusal};
    use agentsdisc_core::policy::{Decision, Workspace};

    #[inline(never)]
    pub(crate) fn plan<'v, 'a: 'v, 'b>(
        call: &mut Call,
        decision: &Decision<'a>,
        arguments: &'v [u8],
        options: &Options<'v>,
        workspace: &mut Workspace,
        buffer: &'b mut [u8],
    ) -> Result<Plan<'a, 'b>, Refusal<'v>> {
        call.plan_with(decision, arguments, options, workspace, buffer)
    }

    #[inline(never)]
    pub(crate) fn next<'a, 'r, 'b>(
        call: &mut Call,
        decision: &Decision<'a>,
        answer: &Answer<'_, 'r>,
        workspace: &mut Workspace,
        buffer: &'b mut [u8],
    ) -> Result<Next<'a, 'r, 'b>, Refusal<'a>> {
        call.next_with(decision, answer, workspace, buffer)
    }
}

#[cfg(feature = "discovery")]
pub(crate) mod discovery {
    use agentsdisc_core::discovery::{
        Answer, Attempt, Discovery, NotOpen, Options, OriginError, Request, RequestId, Resource,
        Resources, Response,
    };

    #[inline(never)]
    pub(crate) fn begin(discovery: &mut Discovery, site: &str) -> Result<(), OriginError> {
        // Only the formats of this firmware. The library on the host has more formats, and would
        // send other requests.
        let resources = Resources::DEFAULT
            .without(Resource::AgentCard)
            .without(Resource::AiCatalog)
            .without(Resource::LlmsTxt)
            .without(Resource::Home);
        let mut options = Options::default();
        options.resources = resources;
        discovery.begin(site, &options)
    }

    #[inline(never)]
    pub(crate) fn next(discovery: &mut Discovery) -> Option<RequestId> {
        discovery.next_request()
    }

    #[inline(never)]
    pub(crate) fn request(discovery: &Discovery, id: RequestId) -> Option<Request<'_>> {
        discovery.request(id)
    }

    #[inline(never)]
    pub(crate) fn respond<'r>(
        discovery: &mut Discovery,
        id: RequestId,
        response: &Response<'_, 'r>,
    ) -> Result<Answer<'r>, NotOpen> {
        discovery.respond(id, response)
    }

    #[cfg(feature = "ids")]
    #[inline(never)]
    pub(crate) fn resource_id(answer: &Answer<'_>) -> &'static str {
        answer.resource.as_str()
    }

    #[inline(never)]
    pub(crate) fn document(discovery: &Discovery, rank: usize) -> Option<&Attempt> {
        discovery.documents().nth(rank)
    }
}

/// Verifies a signed request.
#[cfg(feature = "identity")]
#[inline(never)]
pub(crate) fn verify<'a>(
    message: &agentsdisc_core::identity::Message<'a>,
    options: &agentsdisc_core::identity::Options,
    memory: &mut [u8],
    site: &mut impl agentsdisc_core::identity::Site<'static>,
) -> Result<agentsdisc_core::identity::Verdict<'a>, usize> {
    agentsdisc_core::identity::verify(message, options, memory, site)
}
