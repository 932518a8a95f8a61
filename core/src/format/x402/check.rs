//! The check of payment terms: what the rules in the tables of the format refer to.

use super::{Top, X402};
use crate::diagnostic::Spec;
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::report::Report;
use crate::syntax::json::{Number, Value};
use crate::syntax::text::Text;

says! {
    NO_VERSION: UnsupportedVersion, "{} is not a known version of x402; write 2";
    NO_WAYS: EmptyValue Error, "the list of ways to pay is empty; list at least one";
    NO_TERMS: MissingRecommendedField, "the resource has no {}, so nobody knows what it costs; add the ways to pay";
    NO_CHAIN: InvalidValue Warning, "{} is not a chain of CAIP-2; write one such as eip155:8453";
    NO_AMOUNT: InvalidValue, "{} is not an amount, so nobody can pay it; write the number of the smallest units of the asset, in digits";
    NO_SECONDS: InvalidValue, "{} is not a number of seconds; write one such as 60";
}

/// The maximum number of digits of an amount: those of 2^256.
const DIGITS: usize = 78;

/// Checks a document.
pub(crate) fn check<'a>(
    document: &X402<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let mut check = Check::new(bytes, Spec::X402, report).with(scratch);
    let version = document.top.version.and_then(Number::as_u64);
    if version == Some(1) || document.top.items.is_some() {
        check.profile = Old;
    }
    check.document(document.top.object, Top::RULES);
}

pub(super) fn version<'a>(value: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if value.as_number().is_some_and(|number| !matches!(number.as_u64(), Some(1 | 2))) {
        check.say_value(NO_VERSION, value, row.section);
    }
}

pub(super) fn seconds<'a>(value: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if value.as_number().is_some_and(|number| number.as_u64().is_none_or(|seconds| seconds == 0)) {
        check.say_value(NO_SECONDS, value, row.section);
    }
}

/// Whether a document is an answer, and not a list of resources.
pub(super) fn is_answer(row: &Row<'_, '_>) -> bool {
    row.view::<Top<'_>>().items.is_none()
}

/// Whether a document is an answer of version 2.
pub(super) fn is_answer_2(row: &Row<'_, '_>) -> bool {
    let version = row.view::<Top<'_>>().version.and_then(Number::as_u64);
    is_answer(row) && version == Some(2)
}

/// Whether a text has the form of CAIP-2: a namespace and a reference.
pub(super) fn is_chain(text: Text<'_>) -> bool {
    let (mut colons, mut sizes) = (0_usize, [0_usize; 2]);
    for c in text.chars() {
        match (c, sizes.get_mut(colons)) {
            (':', _) => colons = colons.saturating_add(1),
            ('a'..='z' | '0'..='9' | '-', Some(size)) => *size = size.saturating_add(1),
            ('A'..='Z' | '_', Some(size)) if colons == 1 => *size = size.saturating_add(1),
            _ => return false,
        }
    }
    let [namespace, reference] = sizes;
    colons == 1 && (3..=8).contains(&namespace) && (1..=32).contains(&reference)
}

pub(super) fn is_amount(text: Text<'_>) -> bool {
    text.chars().all(|c| c.is_ascii_digit()) && (1..=DIGITS).contains(&text.chars().count())
}
