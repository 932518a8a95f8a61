//! Documents: reading with a visitor, and writing into a buffer.

use agentsdisc_core::document::{Document, Outline, ParseOptions};
use agentsdisc_core::format::agents_txt::AgentsTxt;
use agentsdisc_core::manifest::{AgentPolicy, Capability, Parameter, Visitor};
use agentsdisc_core::write::{Change, Loss};
use agentsdisc_core::{ConvertOptions, Format};

use crate::syntax::walk;
use crate::{buffer, bytes, keep};

/// # Safety
/// `data` must point to the given number of bytes, `options` to options.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_parse(
    data: *const u8,
    length: usize,
    options: *const ParseOptions<'static>,
) {
    // SAFETY: guaranteed by the caller.
    let (bytes, options) = unsafe { (bytes(data, length), *options) };
    keep(Document::parse(bytes));
    keep(AgentsTxt::parse(bytes, &options.limits));
    keep(Document::read(bytes, &options, &mut Received));
}

struct Received;

impl<'a> Visitor<'a> for Received {
    fn restart(&mut self) {
        keep(());
    }

    fn parameter(&mut self, parameter: &Parameter<'a>) {
        keep(*parameter);
    }

    fn capability(&mut self, capability: &Capability<'a>) {
        keep(*capability);
    }

    fn agent(&mut self, policy: &AgentPolicy<'a>) {
        keep(*policy);
    }
}

/// In this and the following entry points, a document is any outline with any bytes; they need not
/// match.
///
/// # Safety
/// `data` must point to the given number of bytes, `outline` to an outline.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_document(data: *const u8, length: usize, outline: *const Outline) {
    // SAFETY: guaranteed by the caller.
    let document = Document::attach(unsafe { bytes(data, length) }, unsafe { *outline });
    document.links().for_each(keep);
    keep(document.llms_txt());
    keep(document.ai_catalog());
    keep(document.agent_skills());
    keep(document.api_catalog());
    keep(document.openapi());
    keep(document.signature_directory());
    keep(document.oauth_protected_resource());
    keep(document.oauth_authorization_server());
    keep(document.auth_md().and_then(|document| document.title()));
    keep(document.ucp_profile());
    keep(document.acp());
    keep(document.x402());
    let manifest = document.manifest();
    manifest.visit(&mut Received);
    walk(manifest.robots(), keep);
    walk(manifest.sitemaps(), keep);
    walk(manifest.licenses(), keep);
    walk(manifest.preferences(), keep);
    walk(manifest.robots_fields(), keep);
    walk(manifest.search_results(), keep);
    keep(manifest.search_query());
}

/// # Safety
/// `document` must point to a document, `options` to options, `out` to the given number of writable
/// bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_write(
    document: *const Document<'static>,
    format: usize,
    options: *const ConvertOptions<'static>,
    out: *mut u8,
    size: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (document, options, out) = unsafe { (*document, *options, buffer(out, size)) };
    keep((document.write_json(out), document.json_len()));
    keep(document.write_fixed(out, |change: Change| keep(change)));
    if let Some(&target) = Format::ALL.get(format) {
        keep(document.write_converted(target, &options, out, |loss: Loss<'_>| keep(loss)));
    }
}
