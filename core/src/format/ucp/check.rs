//! The check of a profile: what the rules in the tables of the format refer to.

use super::{Binding, Feature, Handler, Key, Parents, Registry, Ucp, UcpProfile};
use crate::diagnostic::{Severity, Spec};
use crate::rules::json::decoded;
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::report::Report;
pub(super) use crate::rules::timestamp::is_date;
use crate::syntax::json::view::{Also, Object};
use crate::syntax::json::{Kind, Value};
use crate::syntax::pieces::Pieces;
use crate::syntax::text::Text;
use crate::syntax::url::{HostKind, Url};

says! {
    OLD: DeprecatedField Warning, "{} is of version 2026-01-11; write {}";
    NO_DATE: InvalidValue, "{} is not a version; write a date such as 2026-04-08";
    NESTED: UnexpectedField, "{} must not be a member of itself, and readers ignore it; remove it";
    NO_TRANSPORT: InvalidValue, "{} is not a transport; write rest, mcp, a2a or embedded";
    NO_ENDPOINT: MissingRecommendedField, "the binding has no {}, so platforms cannot call it; add the URL";
    SLASH: InvalidValue Warning, "{} ends with a slash, to which paths with another one are appended; remove it";
    NO_CONFIG: WrongType, wrong_type(Shape::Object);
    NO_NAME: InvalidValue "Naming Convention", "{} is not a valid name; write a reverse domain, a service and a capability, such as dev.ucp.shopping.checkout";
    NO_LIST: NonstandardShape, "{} is read as a list of one entry; write a list";
    NO_ENTRIES: WrongType, wrong_type(Shape::Array);
    UNBOUND: InvalidValue Warning "Derivation algorithm", "{} is not on the domain that the name belongs to, so platforms ignore the entry; publish the schema on that domain";
    ORPHAN: UnknownReference "Intersection Algorithm", "{} is not among the capabilities, so platforms drop the extension; add it";
    NO_TARGET: UnknownReference "`map_order`", "{} is no registry of this profile; remove it";
    NO_ENTRY: UnknownReference "`map_order`", "{} is not in that registry; remove it";
    NO_VERSION: InvalidValue "Protocol Version", "{} is not a version; write a date such as 2026-01-23";
    NO_PROFILE: WrongType "Protocol Version", wrong_type(Shape::Text);
    KEY_TWICE: DuplicateId Warning, "an earlier key already has the id {}, by which verifiers select it; give each key a unique id";
    PRIVATE: CredentialInDocument, "the key has the private member {}; replace the key, and publish the public part only";
    ALGORITHM: Contradiction Error, "{} is not the algorithm of that curve; write ES256 for P-256, ES384 for P-384, EdDSA for Ed25519";
}

pub(super) const SPEC: Rule = At("Authority Binding", &PublicUrl(Secure::Http, Others::No));
pub(super) const SCHEMA: Rule = At("Derivation algorithm", &Then(bound));

/// The length of a name or URL that is compared, in bytes after decoding escapes.
const LONGEST: usize = 512;
/// The members of private keys.
const PRIVATES: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/// Checks a document. `scratch` needs two numbers for each name.
pub(crate) fn check<'a>(
    document: &UcpProfile<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let mut check = Check::new(bytes, Spec::Ucp, report).with(scratch);
    check.document(document.top.object, super::Top::RULES);
    let ucp = document.ucp;
    for (registry, schema) in [
        (ucp.services, Binding::RULES),
        (ucp.capabilities, Feature::RULES),
        (document.handlers(), Handler::RULES),
    ] {
        for (name, entry) in Registry::entries(registry) {
            let from = name.map_or(From::Field(0), From::Name);
            check.inside(entry, from, schema);
        }
    }
}

/// Checks the names and the shapes of the registries, and what refers to them.
pub(super) fn registries<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let ucp: Ucp<'a> = row.view();
    // The names of payment handlers have no form.
    for (registry, section, is_named) in [
        (ucp.services, "Services", true),
        (ucp.capabilities, "Capabilities", true),
        (ucp.payment_handlers, "Payment Handlers", false),
    ] {
        let Some(Registry(registry)) = registry else { continue };
        for member in registry.members() {
            if is_named && !is_name(member.name) {
                check.say_in(NO_NAME, member.name, section);
            }
            match member.value.kind() {
                Kind::Array => check.objects(member.value, section, |_, _| {}),
                Kind::Object => check.say_member(NO_LIST, member, section),
                Kind::Null => {}
                _ => check.say_member(NO_ENTRIES, member, section),
            }
        }
    }
    let names = |registry: Option<Registry<'a>>| {
        let entries = Registry::entries(registry);
        entries.filter_map(|(name, entry)| name.or_else(|| Feature::read(entry).name))
    };
    check.with_names(names(ucp.capabilities), |known, check| {
        for (_, entry) in Registry::entries(ucp.capabilities) {
            let parents = Feature::read(entry).extends.map(|Parents(parents)| parents);
            let Some(first) = parents.and_then(|mut parents| parents.next()) else { continue };
            if parents.is_some_and(|mut parents| !parents.any(|parent| known.contains(parent))) {
                check.say(ORPHAN, first, row);
            }
        }
    });
    if let Some(Also(Object(versions))) = ucp.supported_versions {
        for member in versions.members() {
            if !is_date(member.name) {
                check.say(NO_VERSION, member.name, row);
            }
            match member.value.as_text() {
                Some(url) => {
                    check.public_url(Some(url), Secure::Http, Others::No, "Protocol Version");
                }
                None => check.say_member(NO_PROFILE, member, row.section),
            }
        }
    }
    let Some(Also(Object(orders))) = ucp.map_order else { return };
    for order in orders.members() {
        let target = match order.name {
            name if name == *"services" => ucp.services,
            name if name == *"capabilities" => ucp.capabilities,
            name if name == *"payment_handlers" => ucp.payment_handlers,
            _ => None,
        };
        if target.is_none() {
            check.say(NO_TARGET, order.name, row);
            continue;
        }
        let listed = || order.value.elements().filter_map(Value::as_text);
        check.with_names(names(target), |known, check| {
            listed().filter(|name| !known.contains(*name)).for_each(|name| {
                check.say(NO_ENTRY, name, row);
            });
        });
        check.with_scratch(|check, scratch| {
            let message = "{} is listed earlier, which counts; remove it here";
            check.unique(listed(), Severity::Warning, "`map_order`", message, scratch);
        });
    }
}

/// Checks that a key is public, and that its algorithm fits its curve.
pub(super) fn key<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    for member in row.object.members() {
        if PRIVATES.iter().any(|name| member.name == **name) {
            check.say(PRIVATE, member.name, row);
        }
    }
    let key: Key<'a> = row.view();
    let known = [("P-256", "ES256"), ("P-384", "ES384"), ("Ed25519", "EdDSA")];
    let own = known.iter().find(|(curve, _)| key.curve.is_some_and(|text| text == **curve));
    if let Some((algorithm, (_, fit))) = key.algorithm.zip(own)
        && algorithm != **fit
    {
        check.say(ALGORITHM, algorithm, row);
    }
}

/// Checks that the host of a schema has the authority over the name of its entry: its labels, from
/// the last to the first, are the name or begin it.
fn bound<'a>(schema: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let name = match row.from {
        From::Name(name) => Some(name),
        _ => row.object.get("name").and_then(Value::as_text),
    };
    let (mut buffer, mut name_buffer) = (None, [0; LONGEST]);
    let Some(url) = Url::lazily(schema, &mut buffer).filter(Url::is_secure) else {
        return check.public_url(Some(schema), Secure::Http, Others::No, row.section);
    };
    let Some(name) = name.and_then(|name| decoded(name, &mut name_buffer)) else { return };
    let host = url.host().trim_end_matches('.').as_bytes();
    let mut labels = Pieces::of(name.as_bytes(), b'.');
    let is_bound = host
        .rsplit(|octet| *octet == b'.')
        .all(|label| labels.next().is_some_and(|own| own.eq_ignore_ascii_case(label)));
    let is_domain = url.host_kind() == HostKind::Domain && host.contains(&b'.');
    if !is_bound || !is_domain || url.userinfo().is_some() {
        check.say(UNBOUND, schema, row);
    }
}

/// Whether an entry is one binding, and not a service of 2026-01-11 with its transports.
pub(super) fn is_one_binding(row: &Row<'_, '_>) -> bool {
    let binding: Binding<'_> = row.view();
    [binding.rest, binding.mcp, binding.a2a, binding.embedded].iter().all(Option::is_none)
}

/// Whether a binding needs a URL.
pub(super) fn is_called(row: &Row<'_, '_>) -> bool {
    let transport = row.view::<Binding<'_>>().transport;
    transport.is_some_and(|transport| ["rest", "mcp", "a2a"].iter().any(|name| transport == **name))
}

/// Whether an entry stands in a list, without a name before it.
pub(super) fn is_listed(row: &Row<'_, '_>) -> bool {
    matches!(row.from, From::Field(_))
}

pub(super) fn is_elliptic(row: &Row<'_, '_>) -> bool {
    let kind = row.view::<Key<'_>>().kind;
    kind.is_some_and(|kind| kind == *"EC" || kind == *"OKP")
}

pub(super) fn is_ec(row: &Row<'_, '_>) -> bool {
    row.view::<Key<'_>>().kind.is_some_and(|kind| kind == *"EC")
}

pub(super) fn ends_without_slash(url: Text<'_>) -> bool {
    !url.raw().ends_with(b"/")
}

/// Whether a name has three labels or more, each of letters, digits, `_` and `-`.
pub(super) fn is_name(name: Text<'_>) -> bool {
    let mut buffer = [0; LONGEST];
    let Some(name) = decoded(name, &mut buffer) else { return false };
    let is_fit = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'-');
    let is_label = |label: &[u8]| !label.is_empty() && label.iter().all(is_fit);
    Pieces::of(name.as_bytes(), b'.').all(is_label) && Pieces::of(name.as_bytes(), b'.').count() > 2
}
