//! How callers authenticate. The objects are those that agent cards have taken over from OpenAPI.

use super::OpenApi;
use super::operations::OperationObject;
use super::refs::{Refs, budget_for};
use crate::format::a2a::security::{Need, Needs, Scheme, requirements_in, scheme_of};
use crate::model::{CapabilityAuth, List, SecurityScheme, ServiceAuth};
use crate::rules::json::reading::{entries, has_unread_auth};
use crate::syntax::json::Value;
use crate::syntax::json::view::{Array, Object};
use crate::syntax::text::Text;

/// Reads a list of requirements. Unlike in an agent card, an empty list means that none is needed.
fn needs<'a>(list: Option<Array<'a>>, is_ill_typed: bool) -> Needs<'a> {
    match list {
        Some(Array(list)) if list.elements().next().is_none() => Needs::NONE,
        list => Needs::of(list, is_ill_typed),
    }
}

/// Returns the scheme that requirements need, if the description declares it.
fn scheme<'a>(needs: &Needs<'a>, refs: &mut Refs<'a>) -> Option<Scheme<'a>> {
    let name = needs.name()?;
    let schemes = refs.component("securitySchemes")?;
    let declared = schemes.members().filter(|member| member.name == name).last()?;
    Some(Scheme::read(refs.follow(declared.value).ok()?))
}

impl<'a> OpenApi<'a> {
    /// What the description requires for every operation that states nothing itself. Nothing is known
    /// of a version that is not read.
    pub(crate) fn needs(&self) -> Needs<'a> {
        let top = &self.top;
        if !self.is_read() {
            return Needs::UNREADABLE;
        }
        needs(top.security, top.seen.is_ill_typed(super::Top::security))
            .or_unread(|| has_unread_auth::<super::Top<'_>>(&top.object, &top.seen))
    }

    /// Whether the description declares ways to authenticate.
    pub(crate) fn has_schemes(&self) -> bool {
        let schemes = self.components().security_schemes;
        schemes.is_some_and(|Object(schemes)| schemes.members().next().is_some())
    }

    /// Returns the header that carries the credential of an operation with requirements of its own,
    /// and the text before the credential.
    pub(crate) fn header_and_prefix(
        &self,
        operation: &'a [u8],
    ) -> (Option<Text<'a>>, Option<Text<'a>>) {
        let operation = OperationObject::read(Value::trusted(operation));
        let mut refs = self.refs(budget_for(operation.object.raw().len()));
        let scheme = scheme(&needs(operation.security, false), &mut refs);
        scheme.as_ref().map_or((None, None), Scheme::header_and_prefix)
    }
}

/// Returns the authentication of operations that state none themselves.
pub(super) fn service_auth<'a>(description: &OpenApi<'a>) -> Option<ServiceAuth<'a>> {
    let needs = description.needs();
    if needs.need == Need::NotStated {
        return None;
    }
    let top = &description.top;
    let mut refs = description.refs(budget_for(top.object.raw().len()));
    let scheme = scheme(&needs, &mut refs);
    Some(needs.service_auth(&scheme, List::empty(), requirements_in(top.object.inside(b'{'))))
}

/// Returns the authentication that an operation states, and whether it is optional.
pub(super) fn of_operation<'a>(
    operation: &OperationObject<'a>,
    refs: &mut Refs<'a>,
) -> (Option<CapabilityAuth<'a>>, bool) {
    let is_ill_typed = operation.seen.is_ill_typed(OperationObject::security);
    let needs = needs(operation.security, is_ill_typed)
        .or_unread(|| has_unread_auth::<OperationObject<'_>>(&operation.object, &operation.seen));
    if needs.need == Need::NotStated {
        return (None, false);
    }
    let scheme = scheme(&needs, refs);
    let auth = CapabilityAuth {
        kind: needs.kind(&scheme),
        token_url: scheme.as_ref().and_then(|scheme| scheme.flow.token_url),
        docs_url: None,
        scopes: needs.scopes,
        metadata: requirements_in(operation.object.inside(b'{')),
        source: operation.object.raw(),
    };
    (Some(auth), needs.need == Need::Optional)
}

/// Returns the declared schemes.
pub(super) fn schemes<'a>(description: &OpenApi<'a>) -> List<'a, SecurityScheme<'a>> {
    // References among schemes are rare, and are not followed here.
    entries(description.components().security_schemes, |cursor| cursor.next_entry().map(scheme_of))
}
