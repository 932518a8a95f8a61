//! One pass over a JSON document: validation, detection, the outline, and a visitor told on the way.
//!
//! The format must be known before the first object is read, so it is guessed from the first members' names and compared with what
//! detection says at the end. A wrong guess, or something that one pass cannot read, costs the plain way besides; never a wrong answer.

use super::detect::{self, Evidence};
use super::{Outline, ParseOptions, json_fields};
use crate::error::{Error, ErrorKind};
use crate::format::{Format, adp, agents_json, agents_json_01, awp, built_in};
use crate::manifest::Visitor;
use crate::scan;
use crate::span::Span;
use crate::syntax::json::names::Names;
use crate::syntax::json::view::Table;
use crate::syntax::json::{
    Core, Locate, Masks, Met, Record, Step, TokenKind, Unfused, Value, Wants, Words,
};
use crate::syntax::text::{Text, validate_utf8};

/// Reads a JSON document; `None` where the plain way must be taken.
pub(super) fn read<'a>(
    bytes: &'a [u8],
    body: Span,
    options: &ParseOptions<'_>,
    visitor: &mut impl Visitor<'a>,
) -> Result<Option<Outline>, Error> {
    let format = options.format.or_else(|| guess(bytes, body));
    let Some(format) = format.filter(|format| top(*format).is_some()) else {
        return Ok(None);
    };
    validate_utf8(bytes)?;
    let (start, depth) = (body.start as usize, options.limits.depth_limit());
    let mut outline = Outline::new(format, body);
    let mut evidence = Evidence::default();
    let result = match scan::backend() {
        scan::Backend::Scalar => document(
            &mut Core::<Words>::at(bytes, start, depth),
            &mut outline,
            &mut evidence,
            visitor,
        ),
        _ => document(
            &mut Core::<Masks>::at(bytes, start, depth),
            &mut outline,
            &mut evidence,
            visitor,
        ),
    };
    match result {
        Ok(())
            if options.format.is_some()
                || evidence.agrees(format, &options.hints, capabilities(bytes, &outline)) =>
        {
            Ok(Some(outline))
        }
        Ok(()) | Err(Unfused::Irregular) => Ok(None),
        Err(Unfused::Invalid(error)) => Err(error),
    }
}

/// The value of `capabilities` at the top level.
fn capabilities<'a>(bytes: &'a [u8], outline: &Outline) -> Option<Value<'a>> {
    let number = json_fields(outline.format)?.number(Text::plain(b"capabilities"))?;
    outline.member(bytes, number as usize)
}

/// The format that the first members' names speak for. Looks at no more than four, and into no container.
fn guess(bytes: &[u8], body: Span) -> Option<Format> {
    // A few tokens are found without masks.
    let mut tokens = Core::<Words>::at(bytes, body.start as usize, 1);
    let mut names = 0;
    while let Ok(Some(step)) = tokens.step() {
        if step.kind != TokenKind::Name {
            continue;
        }
        match tokens.text(step).raw() {
            b"specVersion" => return Some(Format::AgentsJson),
            b"awp_version" => return Some(Format::Awp),
            b"spec_version" => return Some(Format::Adp),
            b"schema_version" | b"protocol_version" => return Some(Format::AgentsJson01),
            _ => names += 1,
        }
        if names == 4 {
            break;
        }
    }
    None
}

/// How the top level of a format is read: its names, and the containers that are told while they are validated.
fn top(format: Format) -> Option<(&'static Names, Wants)> {
    built_in!(match format => {
        AgentsJson => Some((agents_json::Top::NAMES, agents_json::told::TOP)),
        AgentsJson01 => Some((agents_json_01::Top::NAMES, agents_json_01::told::TOP)),
        Awp => Some((awp::Top::NAMES, awp::told::TOP)),
        Adp => Some((adp::Top::NAMES, adp::told::TOP)),
        _ => None,
    })
}

fn document<'a, L: Locate>(
    tokens: &mut Core<'a, L>,
    outline: &mut Outline,
    evidence: &mut Evidence,
    visitor: &mut impl Visitor<'a>,
) -> Result<(), Unfused> {
    let (names, wants) = top(outline.format).ok_or(Unfused::Irregular)?;
    let mut record = Record::<{ Outline::FIELDS }>::new();
    match tokens.step()? {
        Some(Step {
            kind: TokenKind::ObjectStart,
            start,
            ..
        }) => record.open(start),
        _ => return Err(Unfused::Irregular),
    };
    loop {
        match record.read(tokens, names, wants)? {
            Met::End => break,
            Met::Unknown(name) => {
                let step = tokens.step_to_value()?;
                detect::note_text(evidence, name, tokens.value_from(step)?);
                outline.flags |= Outline::UNKNOWN_MEMBERS;
            }
            Met::Container(field, step) => built_in!(match outline.format => {
                AgentsJson => agents_json::told::container(field, tokens, step, visitor)?,
                AgentsJson01 => agents_json_01::told::container(tokens, visitor)?,
                Awp => awp::told::container(field, tokens, step, visitor)?,
                Adp => adp::told::container(field, tokens, step, visitor)?,
                _ => return Err(Unfused::Irregular),
            }),
        }
    }
    if tokens.step()?.is_some() {
        return Err(Unfused::Invalid(Error::new(
            ErrorKind::InvalidJson(crate::error::JsonError::TrailingText),
            tokens.position(),
        )));
    }
    let mut rest = record.marks.named;
    while rest != 0 {
        let number = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        if let Some(slot) = record.slots.get(number) {
            outline.set_member(
                number,
                Span::new(slot.start, slot.end),
                slot.kind == TokenKind::String && !slot.escaped,
            );
        }
    }
    evidence.note_fields(json_fields(outline.format), record.marks.named);
    built_in!(match outline.format => {
        AgentsJson => agents_json::told::top(tokens.bytes(), &record, visitor),
        AgentsJson01 => agents_json_01::told::top(tokens.bytes(), &record, visitor),
        Awp => awp::told::top(tokens.bytes(), &record, visitor),
        Adp => adp::told::top(tokens.bytes(), &record, visitor),
        _ => {}
    });
    Ok(())
}
