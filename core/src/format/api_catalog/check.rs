//! The check of an API catalog: what the rules in the tables of the format refer to, and the checks
//! of contexts. The members of a context are its relations, so no table can name them.

use super::{ApiCatalog, Context, LONGEST, Linkset, Target, Top, is_anchor};
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::json::{decoded, quoted, span_of};
use crate::rules::media::is_media_type;
use crate::rules::report::Report;
use crate::rules::urls::has_scheme;
use crate::syntax::json::view::Table;
use crate::syntax::json::{Kind, Member, Value};
use crate::syntax::pieces::Pieces;
use crate::syntax::text::Text;

says! {
    NOT_ALONE: UnexpectedField Error "4.2.1", "{} is not allowed, because `linkset` is the only member of a link set; remove it";
    NO_ANCHOR: MissingRecommendedField Info "4", "the context has no {}, so it depends on where the catalog is read; add the URL of the API or of the catalog";
    EMPTY_ANCHOR: EmptyValue Warning, "{} is empty; write the URL of the API or of the catalog";
    SINGLE: NonstandardShape, "the link to {} is read, but a context has no `href`; write the relation as the name of a member, with a list of objects with `href`";
    NO_MEDIA_TYPE: InvalidValue "4.2.4.1", "{} is not a media type; write one such as application/json";
}

/// A URL that a public document may refer to.
pub(super) const PUBLIC: Rule = At("4", &PublicUrl(Secure::NotAsked, Others::Uris));
pub(super) const MEDIA_TYPE: Rule = Fits(is_media_type, NO_MEDIA_TYPE);

/// Checks a document. `scratch` needs two numbers for each member of the context with the most
/// members.
pub(crate) fn check<'a>(
    document: &ApiCatalog<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let mut check = Check::new(bytes, Spec::Rfc9264, report).with(scratch);
    let check = &mut check;
    check.document(document.top.object, Top::RULES);
    let Some(Linkset(contexts)) = document.top.linkset else {
        return;
    };
    let mut has_api = false;
    check.objects(contexts, "4.2.1", |object, check| has_api |= context(object, check));
    check.spec = Spec::Rfc9727;
    let message = "the catalog is empty; list at least one API";
    check.some(contexts, Severity::Error, "4", message);
    if !has_api && contexts.elements().next().is_some() {
        let code = Code::MissingRecommendedField;
        let message = "the catalog names no API; add links with the relation {} to the APIs, or contexts with their URLs as anchor";
        check.lacks(code, Severity::Warning, "item", contexts, "4", message);
    }
}

pub(super) fn catalog<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    for member in row.object.members().filter(|member| member.name != *"linkset") {
        check.say(NOT_ALONE, member.name, row);
    }
}

/// Checks a context. Returns whether it names an API, by its anchor or by a link with the relation
/// `item`.
fn context<'a>(object: Value<'a>, check: &mut Check<'_, '_, 'a>) -> bool {
    const SECTION: &str = "4.2.2";
    check.inside(object, From::Field(Top::linkset), Context::RULES);
    let context = Context::read(object);
    short(context.anchor, check);
    if context.href.is_some() {
        if let Some(name) = context.rel {
            relation(name, check);
        }
        return true;
    }
    // The check of the table reports the others.
    let relations = object.members().map(|member| member.name);
    let relations = relations.filter(|name| Context::NAMES.find(*name).is_none());
    check.with_scratch(|check, scratch| {
        let Some(names) = check.sorted(relations, scratch) else { return };
        for name in names.repeated() {
            let message =
                "{} is repeated, and many readers keep only one of the lists; merge them into one";
            check.about(Code::DuplicateField, name, SECTION, message);
        }
    });
    let (mut has_links, mut is_api) = (false, context.seen.has(Context::anchor));
    for member in object.members().filter(|member| !member.value.is_null()) {
        if check.report.is_full() {
            break;
        }
        if is_anchor(member.name) {
            if member.value.kind() != Kind::String {
                misshapen(&member, wrong_type(Shape::Text), check, SECTION);
            }
            continue;
        }
        has_links = true;
        is_api |= member.name == *"item";
        relation(member.name, check);
        short(Some(member.name), check);
        targets(&member, context.anchor, check);
    }
    if !has_links {
        let message = "the context has no links; add one, or remove the context";
        check.add(Code::EmptyValue, span_of(object, check.bytes), SECTION, message);
    }
    is_api
}

/// Whether a context is a single link, whose relation and target are members of the context.
pub(super) fn is_single(row: &Row<'_, '_>) -> bool {
    row.view::<Context<'_>>().href.is_some()
}

/// Checks the anchor, and reports a single link, even with an empty text.
pub(super) fn own_members<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let context: Context<'a> = row.view();
    if context.anchor.is_some_and(Text::is_blank) {
        check.without(EMPTY_ANCHOR, row.name_of(Context::anchor), row);
    }
    if let Some(href) = context.href {
        check.say(SINGLE, href, row);
    }
}

/// Reports a member of the wrong type.
fn misshapen<'a>(
    member: &Member<'a>,
    message: &'static str,
    check: &mut Check<'_, '_, 'a>,
    section: &'static str,
) {
    let span = span_of(member.value, check.bytes);
    let wrong = Diagnostic::new(Code::WrongType, span, check.spec, section, message);
    check.report.add(wrong.about(member.name));
}

/// Reports an anchor or relation that is too long. (It would be repeated for each link.)
fn short<'a>(text: Option<Text<'a>>, check: &mut Check<'_, '_, 'a>) {
    if let Some(text) = text.filter(|text| text.raw().len() > LONGEST) {
        let message = "{} is longer than 256 bytes and is not read; shorten it";
        let span = quoted(text, check.bytes);
        let long = Diagnostic::new(Code::InvalidLength, span, Spec::Ruling, "", message);
        check.report.add(long.with_severity(Severity::Warning).about(text));
    }
}

/// Checks the name of a relation, which must be registered or a URI.
fn relation<'a>(name: Text<'a>, check: &mut Check<'_, '_, 'a>) {
    let mut buffer = [0; 64];
    let plain = decoded(name, &mut buffer).unwrap_or_default().as_bytes();
    let is_registered = |ignore_case: bool| {
        let mut known = Pieces::of(REGISTERED, b' ');
        known.any(|known| known == plain || (ignore_case && known.eq_ignore_ascii_case(plain)))
    };
    if has_scheme(name) || is_registered(false) {
        return;
    }
    let (severity, message) = if is_registered(true) {
        (Severity::Error, "{} is not a valid relation; write it in lower case")
    } else {
        (
            Severity::Warning,
            "{} is not a registered relation; write one such as item, service-desc or service-doc, or a URI",
        )
    };
    check.graded(Code::InvalidValue, severity, name, "4.2.2", message);
}

fn targets<'a>(member: &Member<'a>, anchor: Option<Text<'a>>, check: &mut Check<'_, '_, 'a>) {
    const SECTION: &str = "4.2.3";
    let value = member.value;
    match value.kind() {
        Kind::Array => {
            let message = "the relation has no targets; add one, or remove the member";
            check.some(value, Severity::Warning, SECTION, message);
            check.objects(value, SECTION, |object, check| {
                target(object, member.name, anchor, check);
            });
        }
        Kind::Object => {
            let span = span_of(value, check.bytes);
            let message =
                "{} is an object, which is read; the specification defines an array; write one";
            let shape = Diagnostic::new(Code::NonstandardShape, span, check.spec, SECTION, message);
            check.report.add(shape.about(member.name));
            target(value, member.name, anchor, check);
        }
        _ => misshapen(
            member,
            "{} must be an array of link targets; its value is ignored",
            check,
            SECTION,
        ),
    }
}

fn target<'a>(
    object: Value<'a>,
    relation: Text<'a>,
    anchor: Option<Text<'a>>,
    check: &mut Check<'_, '_, 'a>,
) {
    check.inside(object, From::Name(relation), Target::RULES);
    if let Some(href) = Target::read(object).href
        && anchor.is_some_and(|anchor| anchor == href)
        && (relation == *"item" || relation == *"api-catalog")
    {
        let message = "the context {} lists itself; remove the link";
        let span = quoted(href, check.bytes);
        let itself = Diagnostic::new(Code::SelfReference, span, Spec::Ruling, "", message);
        check.report.add(itself.about(href));
    }
}

/// Checks the attributes of a target that are not in the table.
pub(super) fn attributes<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let members = row.object.members().filter(|member| !member.value.is_null());
    for member in members.filter(|member| Target::NAMES.find(member.name).is_none()) {
        attribute(&member, check);
    }
}

/// Checks a target attribute. `media`, `title` and `type` are strings. All others are lists: of
/// objects with `value` if the name ends with an asterisk, otherwise of strings.
fn attribute<'a>(member: &Member<'a>, check: &mut Check<'_, '_, 'a>) {
    let is_starred = member.name.raw().last() == Some(&b'*');
    let kind = member.value.kind();
    if member.name == *"media" {
        if kind != Kind::String {
            misshapen(member, wrong_type(Shape::Text), check, "4.2.4.1");
        }
    } else if kind != Kind::Array {
        let message = "{} must be an array: a link set writes every target attribute but media, title and type as one; it is kept as metadata";
        misshapen(member, message, check, "4.2.4");
    } else if is_starred {
        for value in member.value.elements() {
            if value.get("value").and_then(Value::as_text).is_none() {
                let message =
                    "this item must be an object with the text as `value`, and its `language`";
                check.add(Code::WrongType, span_of(value, check.bytes), "4.2.4.2", message);
            }
        }
    } else {
        check.texts(member.value, "4.2.4");
    }
}

/// The relations in the IANA registry (RFC 8288 section 2.1.1), as of November 2026.
const REGISTERED: &[u8] = b"about acl alternate amphtml api-catalog appendix apple-touch-icon \
    apple-touch-startup-image archives author blocked-by bookmark c2pa-manifest canonical chapter cite-as \
    collection compression-dictionary contents convertedfrom copyright create-form current deprecation \
    describedby describes disclosure dns-prefetch duplicate edit edit-form edit-media enclosure external \
    first geofeed glossary help hosts hub ice-server icon index intervalafter intervalbefore intervalcontains \
    intervaldisjoint intervalduring intervalequals intervalfinishedby intervalfinishes intervalin intervalmeets \
    intervalmetby intervaloverlappedby intervaloverlaps intervalstartedby intervalstarts item last \
    latest-version license linkset lrdd manifest mask-icon me media-feed memento micropub modulepreload monitor \
    monitor-group next next-archive nofollow noopener noreferrer opener openid2.local_id openid2.provider \
    original p3pv1 payment pingback preconnect predecessor-version prefetch preload prerender prev prev-archive \
    preview previous privacy-policy profile publication rdap-active rdap-bottom rdap-down rdap-top rdap-up \
    related replies restconf ruleinput search section self service service-desc service-doc service-meta \
    sip-trunking-capability sponsored start status stylesheet subsection successor-version sunset tag \
    terms-of-service timegate timemap type ugc up version-history via webmention working-copy working-copy-of";
