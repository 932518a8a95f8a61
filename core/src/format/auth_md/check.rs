//! The check of an auth.md: the rules for the object `agent_auth`, and what the specification says
//! about the text.

use super::AuthMd;
use crate::diagnostic::Spec;
use crate::format::oauth::AgentAuth;
use crate::rules::json::schema::rules::*;
use crate::rules::lines::prose;
use crate::rules::report::Report;
use crate::scan;
use crate::syntax::json::view::Object;

says! {
    NO_RESOURCE: MissingRecommendedField Info "Step 1", "the text does not say where {} is, by which agents find the authorization server; add its URL";
}

/// Checks a document. `scratch` needs two numbers for each member of `agent_auth`.
pub(crate) fn check<'a>(
    document: &AuthMd<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    prose(bytes, report);
    let mut check = Check::new(bytes, Spec::AuthMd, report).with(scratch);
    let Some(Object(object)) = document.agent_auth else { return };
    check.inside(object, From::Field(0), AgentAuth::RULES);
    let resource = "oauth-protected-resource";
    if scan::find(bytes, resource.as_bytes()).is_none() {
        check.without_in(NO_RESOURCE, resource, object, "Step 1");
    }
}
