//! The check of a description: what the rules in the tables of the format refer to, and the rules for
//! what references and operations need from each other. The section numbers are those of 3.1.
//!
//! A description is wrong only if no reading makes it right. Where something cannot be looked up, for
//! example in another document, nothing that depends on it is reported.

use super::operations::{OperationObject, PathItemObject, is_additional, method_of};
use super::parameters::ParameterObject;
use super::refs::{Lost, Refs, budget_for, reference};
use super::{LicenseObject, OpenApi, ServerObject, Top, VariableObject};
use crate::diagnostic::{Severity, Spec};
use crate::format::a2a::security::{SchemeKind, SchemeObject, kind_of};
use crate::limits::Limits;
use crate::rules::email;
use crate::rules::json::reading::{or_absent, texts};
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::names::Names;
use crate::rules::report::Report;
use crate::scan;
use crate::syntax::json::view::{Array, Object};
use crate::syntax::json::{Core, Kind, Member, TokenKind, Value, Words};
use crate::syntax::template::placeholders;
use crate::syntax::text::Text;

says! {
    OTHER_VERSION: UnsupportedVersion "4.8.1", "operations of version {} are not read; write a description of OpenAPI 3.0, 3.1 or 3.2";
    NO_EMAIL: InvalidValue, "{} is not an email address";
    NO_URL: InvalidUrl, "{} is not a URL: it contains blanks or control characters";
    TWO_LICENSES: InvalidValue, "a licence has an `identifier` or a URL, not both; remove {}";
    TAG_TWICE: DuplicateId Error, "an earlier tag already has the name {}; remove one";
    NO_VALUES: EmptyValue Error, "a variable needs at least one value; add one, or remove the list";
    NO_VARIABLE: UnknownReference Error "4.8.5", "the URL of the server has the variable {}, which `variables` does not define; define it with a default";
    NO_DEFAULT: InvalidValue "4.8.6", "the default {} is none of the values in `enum`; add it there";
    NO_COMPONENT: InvalidValue, "the name {} of a component has other characters than letters, digits, `.`, `-` and `_`; rename it";
    NO_METHOD: InvalidValue, "{} is no additional method, so it is not read; write the method of the request, and one of the fixed methods as a member of the path";
    NO_LOCATION: InvalidValue, "{} is no place of a parameter; write `path`, `query`, `header` or `cookie`";
    NOT_REQUIRED: InvalidValue, "the parameter {} is in the path, so it must have `\"required\": true`; add it";
    NO_SCHEMA: MissingRequiredField, "the parameter has neither {} nor `content`; add one of them";
    NO_SLASH: InvalidValue "4.8.8", "the path {} does not begin with a slash, so it is not read; add one";
    NOTHING: MissingRequiredField "4.8.1", "the description has neither {}, nor `components` or `webhooks`; add one of them";
    ID_TWICE: DuplicateId Error "4.8.10", "an earlier operation already has the `operationId` {}; give each operation a unique one";
    UNDECLARED: MissingRequiredField "4.8.9", "no parameter in the path declares {}; add one with that name, and `\"in\": \"path\"`";
    NOT_IN_PATH: UnknownReference Error "4.8.12", "the path has no {} in braces for this parameter; add it, or remove the parameter";
    PARAMETER_TWICE: DuplicateId Error "4.8.10", "an earlier parameter already has the name {} and the same place; remove one";
    NO_SCHEME: UnknownReference Error "4.8.30", "{} is not a declared security scheme, so callers cannot authenticate; declare it, or correct the name";
    NO_TARGET: UnknownReference Error "4.8.23", "the description has nothing at {}; correct the reference";
    CIRCLE: UnknownReference Error "4.8.23", "the reference {} leads to itself, or through more than 16 others; write what it stands for";
    ELSEWHERE: UnknownReference Info "4.8.23", "{} is in another document, which is not read; include what operations need";
    NEEDED: MissingRequiredField, "the required member {} is missing; add it";
    NO_KIND: InvalidValue, "{} is not a kind of security scheme; write `apiKey`, `http`, `oauth2`, `openIdConnect` or `mutualTLS`";
    NO_KEY_PLACE: InvalidValue, "{} is not where a key is sent; write `query`, `header` or `cookie`";
    NO_OBJECT: WrongType, wrong_type(Shape::Object);
}

/// A URL, which may be relative.
pub(super) const URL: Rule = Fits(is_reference, NO_URL);
pub(super) const LOCATIONS: &[&str] = &["path", "query", "header", "cookie", "querystring"];

pub(super) fn is_email(text: Text<'_>) -> bool {
    email::is_email(text.chars())
}

fn is_reference(text: Text<'_>) -> bool {
    !text.chars().any(|c| c.is_whitespace() || c.is_control())
}

pub(super) fn has_identifier(row: &Row<'_, '_>) -> bool {
    row.value_of(LicenseObject::identifier).is_some()
}

/// How many parameters and placeholders are compared with each other.
const COMPARED: usize = 64;

/// Checks a document. `scratch` needs two numbers for each operation, and for each schema.
pub(crate) fn check<'a>(
    document: &OpenApi<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let top = document.top;
    let mut check = Check::new(bytes, Spec::OpenApi, report).with(scratch);
    if let Some(version) = top.openapi.or(top.swagger).filter(|_| !document.is_read()) {
        return check.say_in(OTHER_VERSION, version, "4.8.1");
    }
    if top.openapi.is_some_and(|version| version.starts_with_ignore_case("3.0")) {
        check.profile = Old;
    }
    check.document(top.object, Top::RULES);
    let parts = 1 << Top::paths | 1 << Top::components | 1 << Top::webhooks;
    if top.seen.present & parts == 0 && check.profile == New {
        check.without_in(NOTHING, "paths", top.object, "4.8.1");
    }
    let mut refs = document.refs(budget_for(top.object.raw().len()));
    paths(document, refs, &mut check);
    let ids = operations(document, refs).filter_map(|(.., value)| OperationObject::read(value).id);
    check.with_scratch(|check, scratch| {
        let ids = ids.filter(|id| !id.is_blank());
        check.unique(ids, Severity::Error, "4.8.10", ID_TWICE.message(), scratch);
    });
    let components = document.components();
    let names = |group: Option<Object<'a>>| or_absent(&group).members().map(|member| member.name);
    for scheme in or_absent(&components.security_schemes).members() {
        if reference(scheme.value).is_none() {
            self::scheme(scheme, &mut check);
        }
    }
    check.with_names(names(components.security_schemes), |names, check| {
        requirements(top.security, names, check);
        for (.., value) in operations(document, refs) {
            requirements(OperationObject::read(value).security, names, check);
        }
    });
    // `$id` changes what references in a schema mean.
    if scan::find(bytes, b"\"$id\"").is_none() {
        check.with_names(names(components.schemas), |names, check| {
            references(top.object.raw(), names, &mut refs, check);
        });
    }
}

/// Returns the operations of a description: the path, the path item, and the operation.
fn operations<'a>(
    document: &OpenApi<'a>,
    refs: Refs<'a>,
) -> impl Iterator<Item = (Text<'a>, Value<'a>, Value<'a>)> {
    or_absent(&document.top.paths).members().flat_map(move |path| {
        let budget = budget_for(path.value.raw().len());
        let item = Refs { budget, ..refs }.follow(path.value).unwrap_or(Value::ABSENT);
        let item = if is_extension(path.name) { Value::ABSENT } else { item };
        operations_of(item).map(move |member| (path.name, item, member.value))
    })
}

/// Returns the members of a path item that are operations, and the additional operations.
fn operations_of<'a>(item: Value<'a>) -> impl Iterator<Item = Member<'a>> {
    let own = item.members().filter(|member| method_of(member.name).is_some());
    let additional = or_absent(&PathItemObject::read(item).additional);
    own.chain(additional.members().filter(|member| is_additional(member.name)))
}

/// Checks the methods of additional operations.
pub(super) fn additional_methods<'a>(
    value: Value<'a>,
    _: &Row<'_, 'a>,
    check: &mut Check<'_, '_, 'a>,
) {
    for member in value.members().filter(|member| !is_additional(member.name)) {
        check.say_in(NO_METHOD, member.name, "4.8.9");
    }
}

fn is_extension(name: Text<'_>) -> bool {
    name.starts_with_ignore_case("x-")
}

fn paths<'a>(document: &OpenApi<'a>, refs: Refs<'a>, check: &mut Check<'_, '_, 'a>) {
    let paths = or_absent(&document.top.paths).members();
    for path in paths.filter(|path| !is_extension(path.name)) {
        if check.report.is_full() {
            return;
        }
        if path.name.chars().next() != Some('/') {
            check.say_in(NO_SLASH, path.name, "4.8.8");
        }
        if path.value.kind() == Kind::Object {
            check.inside(path.value, From::Name(path.name), PathItemObject::RULES);
        } else {
            check.say_member(NO_OBJECT, path, "4.8.8");
        }
        for member in operations_of(path.value) {
            if member.value.kind() == Kind::Object {
                check.inside(member.value, From::Name(path.name), OperationObject::RULES);
            } else {
                check.say_member(NO_OBJECT, member, "4.8.9");
            }
        }
        let item = PathItemObject::read(path.value);
        list(item.parameters, check);
    }
    for (path, item, value) in operations(document, refs) {
        let operation = OperationObject::read(value);
        list(operation.parameters, check);
        let budget = budget_for(value.raw().len());
        let lists = [PathItemObject::read(item).parameters, operation.parameters];
        placed(path, value, lists, &mut Refs { budget, ..refs }, check);
    }
}

/// Checks the parameters of an operation or a path item.
fn list<'a>(list: Option<Array<'a>>, check: &mut Check<'_, '_, 'a>) {
    let Some(Array(list)) = list else { return };
    let own = |value: &Value<'a>| reference(*value).is_none();
    check.objects(list, "4.8.10", |value, check| {
        if own(&value) {
            check.inside(value, From::Field(0), ParameterObject::RULES);
        }
    });
    let mut earlier = heapless::Vec::<_, COMPARED>::new();
    for value in list.elements().filter(own).take(COMPARED) {
        let ParameterObject { name, location, .. } = ParameterObject::read(value);
        let Some(name) = name else { continue };
        if earlier.contains(&(name, location)) {
            check.say_in(PARAMETER_TWICE, name, "4.8.10");
        }
        let _ = earlier.push((name, location));
    }
}

pub(super) fn parameter<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let parameter: ParameterObject<'a> = row.view();
    if let Some(name) = parameter.name
        && parameter.location.is_some_and(|location| location == "path")
        && parameter.required != Some(true)
    {
        check.say(NOT_REQUIRED, name, row);
    }
    if parameter.schema.is_none() && parameter.content.is_none() {
        check.without(NO_SCHEMA, "schema", row);
    }
}

/// Checks that the placeholders of a path and the parameters in it are the same.
fn placed<'a>(
    path: Text<'a>,
    operation: Value<'a>,
    lists: [Option<Array<'a>>; 2],
    refs: &mut Refs<'a>,
    check: &mut Check<'_, '_, 'a>,
) {
    let elements = || lists.into_iter().flatten().flat_map(|Array(list)| list.elements());
    if elements().count() > COMPARED || placeholders(path).nth(COMPARED).is_some() {
        return;
    }
    let mut declared = heapless::Vec::<Text<'a>, COMPARED>::new();
    for value in elements() {
        let Ok(found) = refs.follow(value) else { return };
        let found = ParameterObject::read(found);
        if let Some(name) = found.name.filter(|_| found.location.is_some_and(|at| at == "path")) {
            let _ = declared.push(name);
            if reference(value).is_none() && !placeholders(path).any(|own| own == name) {
                check.say_in(NOT_IN_PATH, name, "4.8.12");
            }
        }
    }
    for name in placeholders(path).filter(|name| !declared.contains(name)) {
        let span = crate::rules::json::span_of(operation, check.bytes);
        let start = crate::span::Span::new(span.start, span.start.saturating_add(1));
        check.say_about(UNDECLARED, start, name, "4.8.9");
    }
}

pub(super) fn server<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let server: ServerObject<'a> = row.view();
    let Some(url) = server.url else { return };
    let variables = or_absent(&server.variables);
    for name in placeholders(url).take(COMPARED) {
        if !variables.members().take(COMPARED).any(|variable| variable.name == name) {
            check.say_part(NO_VARIABLE, name, url, row);
        }
    }
}

/// Checks that the default of a variable is one of its values, which 3.0 only recommends.
pub(super) fn variable<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let variable: VariableObject<'a> = row.view();
    let mut options = texts(variable.options);
    if let Some(default) = variable.default.and_then(Value::as_text)
        && check.profile == New
        && !options.is_empty()
        && !options.any(|option| option == default)
    {
        check.say(NO_DEFAULT, default, row);
    }
}

/// Checks the names of a group of components.
pub(super) fn component_names<'a>(
    value: Value<'a>,
    row: &Row<'_, 'a>,
    check: &mut Check<'_, '_, 'a>,
) {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    for member in value.members().filter(|member| !member.name.chars().all(is_plain)) {
        if check.report.is_full() {
            return;
        }
        check.say(NO_COMPONENT, member.name, row);
    }
}

/// Checks the names in a list of requirements. In 3.2, a name can be a URL.
fn requirements<'a>(list: Option<Array<'a>>, names: &Names<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let Some(Array(list)) = list else { return };
    check.objects(list, "4.8.30", |alternative, check| {
        for scheme in alternative.members() {
            let is_url = scheme.name.chars().any(|c| matches!(c, '/' | '#' | ':'));
            if !is_url && !names.contains(scheme.name) {
                check.say_in(NO_SCHEME, scheme.name, "4.8.30");
            }
        }
    });
}

/// Checks a security scheme, of which each kind needs other members.
fn scheme<'a>(scheme: Member<'a>, check: &mut Check<'_, '_, 'a>) {
    let SchemeObject { kind, location, .. } = SchemeObject::read(scheme.value);
    let kind = kind.map(|kind| (kind, kind_of(kind)));
    let lacks = |name: &&str| scheme.value.get(name).is_none_or(Value::is_null);
    let needed: &[&'static str] = match kind {
        _ if scheme.value.kind() != Kind::Object => {
            return check.say_member(NO_OBJECT, scheme, "4.8.27");
        }
        Some((_, Some(SchemeKind::ApiKey))) => &["name", "in"],
        Some((_, Some(SchemeKind::Http))) => &["scheme"],
        Some((_, Some(SchemeKind::OAuth2))) => &["flows"],
        Some((_, Some(SchemeKind::OpenIdConnect))) => &["openIdConnectUrl"],
        Some((_, Some(SchemeKind::MutualTls))) => &[],
        Some((kind, None)) => return check.say_in(NO_KIND, kind, "4.8.27"),
        None => &["type"],
    };
    for name in needed.iter().filter(|name| lacks(name)) {
        check.without_in(NEEDED, name, scheme.value, "4.8.27");
    }
    let places = ["query", "header", "cookie"];
    if let (Some((_, Some(SchemeKind::ApiKey))), Some(place)) = (kind, location)
        && !places.iter().any(|own| place == **own)
    {
        check.say_in(NO_KEY_PLACE, place, "4.8.27");
    }
}

/// Members whose content is data, in which `$ref` has no meaning.
const DATA: [&str; 7] = ["example", "examples", "default", "enum", "const", "value", "dataValue"];

/// Checks that references inside the description lead to something. `names` are those of the schemas.
fn references<'a>(
    text: &'a [u8],
    names: &Names<'_, 'a>,
    refs: &mut Refs<'a>,
    check: &mut Check<'_, '_, 'a>,
) {
    let mut tokens = Core::<Words>::at(text, 0, Limits::MAX_DEPTH);
    let (mut is_reference, mut is_data) = (false, false);
    while let Ok(Some(step)) = tokens.step() {
        if step.kind == TokenKind::Name {
            let name = tokens.text(step);
            is_reference = name == *"$ref";
            is_data = is_extension(name) || DATA.iter().any(|own| name == **own);
        } else if step.opens() {
            if core::mem::take(&mut is_data) && tokens.finish().is_err() {
                return;
            }
            is_reference = false;
        } else if core::mem::take(&mut is_reference) && step.kind == TokenKind::String {
            let written = tokens.text(step);
            let found = match schema_name(written) {
                Some(name) if names.contains(name) => Ok(()),
                Some(_) => Err(Lost::Missing),
                None => refs.lookup(written),
            };
            match found {
                Ok(()) | Err(Lost::Anchor) => {}
                Err(Lost::Missing) => check.say_in(NO_TARGET, written, "4.8.23"),
                Err(Lost::Circle) => check.say_in(CIRCLE, written, "4.8.23"),
                Err(Lost::Elsewhere) => check.say_in(ELSEWHERE, written, "4.8.23"),
                Err(Lost::TooFar) => return check.not_checked(),
            }
            if check.report.is_full() {
                return;
            }
        }
    }
}

/// Returns the name of the schema to which a reference leads, if it is written without escapes.
fn schema_name(reference: Text<'_>) -> Option<Text<'_>> {
    let name = reference.raw().strip_prefix(b"#/components/schemas/")?;
    let is_plain = !name.iter().any(|octet| matches!(octet, b'/' | b'%' | b'~' | b'\\'));
    is_plain.then(|| Text::plain(name))
}
