//! The check of a discovery document: what the rules in the tables of the format refer to.

use super::{About, Acp, Top};
use crate::diagnostic::Spec;
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::report::Report;
pub(super) use crate::rules::timestamp::is_date;
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;

says! {
    NO_TRANSPORT: InvalidValue Warning, "{} is not a known transport; write rest or mcp";
    NO_REST: MissingRequiredField "10", "{} is not among the transports; add it";
    NO_ACP: InvalidValue, "{} is not the name of the protocol; write acp";
    NO_DATE: InvalidValue, "{} is not a version; write a date such as 2026-01-30";
    NO_VERSIONS: EmptyValue Error, "the list of versions is empty; list at least the latest one";
    NO_ORDER: InvalidValue "10", "{} is not later than the version before it; list the oldest first";
    NOT_LAST: Contradiction Error, "{} is not the last of the supported versions, which is the latest one; make them agree";
    NO_SERVICE: InvalidValue Warning, "{} is not a known service; write checkout, orders, delegate_payment or carts";
    NO_INTERVENTION: InvalidValue Warning, "{} is not a known type of intervention; write 3ds, biometric or address_verification";
    NO_CURRENCY: InvalidValue, "{} is not a currency of ISO 4217; write one such as usd";
    NO_LOCALE: InvalidValue, "{} is not a locale of BCP 47; write one such as en-US";
    NAME_TWICE: DuplicateId, "an earlier extension already has the name {}; give each extension a unique name";
    MERCHANT: UnexpectedField Error "7.1", "{} must not be in this document, which anybody can read; remove it";
}

/// What must not be published, section 7.1.
const SECRETS: [&str; 6] =
    ["merchant_id", "merchant_ids", "merchants", "payment_handlers", "payment_methods", "psp"];

/// Checks a document. `scratch` needs two numbers for each extension.
pub(crate) fn check<'a>(
    document: &Acp<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let mut check = Check::new(bytes, Spec::Acp, report).with(scratch);
    check.document(document.top.object, Top::RULES);
}

pub(super) fn no_merchants<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    for member in row.object.members() {
        if SECRETS.iter().any(|name| member.name == **name) {
            check.say(MERCHANT, member.name, row);
        }
    }
}

pub(super) fn has_rest<'a>(value: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let is_list = value.kind() == Kind::Array;
    if is_list && !value.elements().filter_map(Value::as_text).any(|transport| transport == *"rest")
    {
        check.without(NO_REST, "rest", row);
    }
}

/// Checks that the versions ascend to the latest one.
pub(super) fn order<'a>(value: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let mut last: Option<Text<'a>> = None;
    for version in value.elements().filter_map(Value::as_text).filter(|text| is_date(*text)) {
        if last.is_some_and(|last| !last.chars().lt(version.chars())) {
            check.say(NO_ORDER, version, row);
        }
        last = Some(version);
    }
    let latest = row.view::<About<'_>>().version;
    if let Some((latest, last)) = latest.filter(|text| is_date(*text)).zip(last)
        && !latest.chars().eq(last.chars())
    {
        check.say(NOT_LAST, latest, row);
    }
}

pub(super) fn is_currency(text: Text<'_>) -> bool {
    text.chars().count() == 3 && text.chars().all(|c| c.is_ascii_alphabetic())
}

/// Whether a text has the form of a language tag: parts of 1 to 8 letters and digits, the first of
/// letters.
pub(super) fn is_locale(text: Text<'_>) -> bool {
    let (mut length, mut is_first) = (0_u32, true);
    text.chars().chain(core::iter::once('-')).all(|c| {
        let is_fit = if c == '-' {
            length > 0
        } else {
            c.is_ascii_alphabetic() || !is_first && c.is_ascii_digit()
        };
        length = if c == '-' { 0 } else { length.saturating_add(1) };
        is_first &= c != '-';
        is_fit && length <= 8
    })
}
