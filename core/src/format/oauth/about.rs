//! What other modules ask about these formats.

use super::{OauthAuthorizationServer, OauthProtectedResource, Resource, Server, check, signs};
use crate::diagnostic::Spec;
use crate::format::about::{About, Points, Says};
use crate::format::facts::{Published, Serving};
use crate::syntax::json::lookup::Lookup;

/// What both formats have in common: they say how to authenticate, and nothing that permits or
/// denies.
const METADATA: About = About {
    says: Says::Nothing,
    is_of_site: false,
    states_site: false,
    is_asked_for: false,
    points: Points::Nowhere,
    is_possible: |_| true,
    ..About::NOTHING
};

const SERVING: Serving = Serving { is_type_required: true, ..Serving::JSON };

impl OauthProtectedResource<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Resource<'_>>()),
        check: |bytes, outline, origin, scratch, report| {
            let document = OauthProtectedResource::attach(bytes, outline);
            let (object, spec) = (document.top.object, Spec::Rfc9728);
            check::check(object, Resource::RULES, spec, bytes, origin, scratch, report);
        },
        locations: &["/.well-known/oauth-protected-resource"],
        relations: &["oauth-protected-resource"],
        endings: &["/.well-known/oauth-protected-resource"],
        signs: signs::SIGNS,
        marks: signs::RESOURCE_MARKS,
        counted: signs::OAUTH,
        rules: signs::RESOURCE_RULES,
        placed: signs::RESOURCE_PLACED,
        published: Published {
            document: "metadata of an OAuth protected resource",
            specification: "RFC 9728",
            spec: Spec::Rfc9728,
            serving: Some(Serving { sections: ["3", "3.2", "", ""], ..SERVING }),
            ..Published::NOTHING
        },
        ..METADATA
    };
}

impl OauthAuthorizationServer<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Server<'_>>()),
        check: |bytes, outline, origin, scratch, report| {
            let document = OauthAuthorizationServer::attach(bytes, outline);
            let (object, spec) = (document.top.object, Spec::Rfc8414);
            check::check(object, Server::RULES, spec, bytes, origin, scratch, report);
        },
        locations: &[
            "/.well-known/oauth-authorization-server",
            "/.well-known/openid-configuration",
        ],
        relations: &["oauth-authorization-server"],
        endings: &["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"],
        marks: signs::SERVER_MARKS,
        counted: signs::ISSUER | signs::SERVER,
        rules: signs::SERVER_RULES,
        published: Published {
            document: "metadata of an OAuth authorization server, OpenID configuration",
            specification: "RFC 8414, OpenID Connect Discovery 1.0",
            spec: Spec::Rfc8414,
            has_rival_locations: true,
            serving: Some(Serving { sections: ["3", "3.2", "", ""], ..SERVING }),
            ..Published::NOTHING
        },
        ..METADATA
    };
}
