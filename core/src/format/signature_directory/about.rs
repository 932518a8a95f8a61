//! What other modules ask about this format.

use super::{SignatureDirectory, Top, check, signs};
use crate::diagnostic::{Severity, Spec};
use crate::format::about::{About, Authenticates, Points, Says};
use crate::format::facts::{Published, Serving};
use crate::rules::signs::KEYS;
use crate::syntax::json::lookup::Lookup;

impl SignatureDirectory<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        check: |bytes, outline, _, scratch, report| {
            check::check(&SignatureDirectory::attach(bytes, outline), bytes, scratch, report);
        },
        // It is about the agent of its site, and says nothing about visits of others.
        says: Says::Nothing,
        is_of_site: false,
        states_site: false,
        authenticates: Authenticates::Capabilities,
        locations: &["/.well-known/http-message-signatures-directory"],
        accept: "application/http-message-signatures-directory+json, application/json;q=0.9, */*;q=0.1",
        is_asked_for: false,
        media_types: &["application/http-message-signatures-directory+json"],
        endings: &["/.well-known/http-message-signatures-directory"],
        points: Points::Nowhere,
        signs: signs::SIGNS,
        marks: signs::MARKS,
        counted: KEYS,
        rules: signs::RULES,
        placed: signs::PLACED,
        is_possible: |_| true,
        published: Published {
            document: "directory of signature keys",
            specification: "draft-meunier-webbotauth-httpsig-protocol, RFC 7517",
            spec: Spec::WebBotAuth,
            serving: Some(Serving {
                types: &["application/http-message-signatures-directory+json"],
                is_type_required: true,
                cache: Some(Severity::Info),
                cors: Some(Severity::Info),
                sections: ["Directory Format", "Directory Format", "Cache Behaviour", ""],
                ..Serving::JSON
            }),
            ..Published::NOTHING
        },
        ..About::NOTHING
    };
}
