//! Reads a JSON document in one pass: validation, detection, the outline, and a visitor that
//! receives the items of the unified model.
//!
//! The format must be known before the first object is read, so it is guessed from the names of the
//! first members and compared with the result of detection at the end. After a wrong guess or a
//! repeated list the document is read again ([`Manifest::visit`]); the result is always correct.
//!
//! [`Manifest::visit`]: crate::manifest::Manifest::visit

use super::detect::{self, Evidence};
use super::{Outline, ParseOptions, json_fields};
use crate::error::{Error, ErrorKind, JsonError};
use crate::format::about::Opening;
use crate::format::{
    Format, adp, agent_skills, agents_json, agents_json_01, awp, built_in, fact, rows,
};
use crate::model::{Capability, Parameter, Visitor};
use crate::scan;
use crate::span::Span;
use crate::syntax::json::names::Names;
use crate::syntax::json::view::View;
use crate::syntax::json::{Core, Holds, Locate, Masks, Met, Record, Step, TokenKind, Wants, Words};
use crate::syntax::text::{Text, validate_utf8};

/// Reads a JSON document. `None` if it must be parsed and visited instead; the visitor must then
/// discard the received items.
pub(super) fn read<'a>(
    bytes: &'a [u8],
    body: Span,
    options: &ParseOptions<'_>,
    visitor: &mut impl Visitor<'a>,
) -> Result<Option<Outline>, Error> {
    let guessed = guess(bytes, body);
    // A manifest may be in the response of a registry.
    let format = match options.format {
        Some(Format::Adp) if guessed != options.format => None,
        Some(format) => Some(format),
        None => guessed,
    };
    let Some((format, top)) = format.and_then(|format| Some((format, top(format)?))) else {
        return Ok(None);
    };
    validate_utf8(bytes)?;
    let (start, depth) = (body.start as usize, options.limits.depth_limit());
    let mut outline = Outline::new(format, body);
    let mut evidence = Evidence::default();
    let is_read = match scan::backend() {
        scan::Backend::Scalar => document(
            &mut Core::<Words>::at(bytes, start, depth),
            top,
            &mut outline,
            &mut evidence,
            visitor,
        ),
        _ => document(
            &mut Core::<Masks>::at(bytes, start, depth),
            top,
            &mut outline,
            &mut evidence,
            visitor,
        ),
    }?;
    let is_format = || {
        options.format.is_some() || detect::json_format(evidence, &options.hints).format == format
    };
    Ok((is_read && is_format()).then_some(outline))
}

/// Guesses the format from the names of the first members. Reads at most four names, and does not
/// enter containers.
fn guess(bytes: &[u8], body: Span) -> Option<Format> {
    // For a few tokens, masks are not worthwhile.
    let mut tokens = Core::<Words>::at(bytes, body.start as usize, 1);
    let (mut names, mut guessed) = (0, None);
    while let Ok(Some(step)) = tokens.step() {
        if step.kind != TokenKind::Name {
            continue;
        }
        let name = tokens.text(step).raw();
        let mut openings = rows!(openings: Opening).iter();
        match openings.find(|(_, opening)| opening.name == name) {
            Some((format, opening)) if opening.is_sure => return Some(*format),
            Some((format, _)) => guessed = Some(*format),
            None => {}
        }
        names += 1;
        if names == 4 {
            break;
        }
    }
    guessed
}

/// Whether documents of this format can be read in one pass.
pub(super) fn reads(format: Format) -> bool {
    top(format).is_some()
}

/// The top-level names of a format, and its lists that are reported during validation.
type Top = (&'static Names, Wants);

fn top(format: Format) -> Option<Top> {
    let lists = fact!(format => lists)?;
    Some((json_fields(format)?.names, lists))
}

/// Reads the document. Returns false if it is not an object, or contains a list twice.
fn document<'a, L: Locate>(
    tokens: &mut Core<'a, L>,
    (names, lists): Top,
    outline: &mut Outline,
    evidence: &mut Evidence,
    visitor: &mut impl Visitor<'a>,
) -> Result<bool, Error> {
    let mut record = Record::new();
    match tokens.step()? {
        Some(step) if step.kind == TokenKind::ObjectStart => record.open(step.start),
        _ => return Ok(false),
    };
    loop {
        match record.read(tokens, names, lists)? {
            Met::End => break,
            Met::Unknown(name) => {
                let step = tokens.step_to_value()?;
                detect::note_text(evidence, name, tokens.value_from(step)?);
                outline.flags |= Outline::UNKNOWN_MEMBERS;
            }
            Met::Container(field, step) => {
                let holds = list(outline.format, field, tokens, step, visitor)?;
                record.close(tokens.position(), holds);
            }
        }
    }
    if tokens.step()?.is_some() {
        return Err(Error::new(ErrorKind::InvalidJson(JsonError::TrailingText), tokens.position()));
    }
    outline.note(&record);
    evidence.note_fields(json_fields(outline.format), record.named(), |number| {
        outline.member(tokens.bytes(), number as usize)
    });
    Ok(!tokens.repeats)
}

/// Reports the items of a top-level list during validation. Returns what the list holds.
fn list<'a, L: Locate>(
    format: Format,
    field: u32,
    tokens: &mut Core<'a, L>,
    opened: Step,
    visitor: &mut impl Visitor<'a>,
) -> Result<Holds, Error> {
    built_in!(match format => {
        AgentsJson => {
            if field == agents_json::AGENTS {
                let mut record = Record::new();
                tokens.views(opened, &mut record, |name, agent| {
                    visitor.agent(&agents_json::agent_of(name, agent));
                })
            } else {
                capabilities(
                    tokens,
                    visitor,
                    agents_json::PARAMETERS,
                    agents_json::capability_of,
                    |_, parameter| agents_json::parameter_of(parameter),
                )
            }
        },
        AgentsJson01 => capabilities(
            tokens,
            visitor,
            agents_json_01::PARAMETERS,
            agents_json_01::capability_of,
            agents_json_01::parameter_of,
        ),
        Awp => capabilities(tokens, visitor, awp::PARAMETERS, awp::capability_of, awp::parameter_of),
        Adp => capabilities(
            tokens,
            visitor,
            Wants::NOTHING,
            adp::capability_of,
            |_, parameter| adp::parameter_of(parameter),
        ),
        AgentSkills => capabilities(
            tokens,
            visitor,
            Wants::NOTHING,
            agent_skills::capability_of,
            |_, _: &agent_skills::SkillObject<'_>| Parameter::default(),
        ),
        _ => tokens.finish(),
    })
}

/// Reports the capabilities in the array that was just opened, each after its parameters. Returns
/// what the array holds.
#[inline]
fn capabilities<'a, C: View<'a>, P: View<'a>, L: Locate>(
    tokens: &mut Core<'a, L>,
    visitor: &mut impl Visitor<'a>,
    parameters: Wants,
    capability_of: impl Fn(&C) -> Capability<'a>,
    parameter_of: impl Fn(Option<Text<'a>>, &P) -> Parameter<'a>,
) -> Result<Holds, Error> {
    let (mut record, mut parameter) = (Record::new(), Record::new());
    tokens.objects(|tokens, step| {
        record.open(step.start);
        while let Met::Container(_, opened) = record.read(tokens, C::NAMES, parameters)? {
            let holds = tokens.views(opened, &mut parameter, |name, view| {
                visitor.parameter(&parameter_of(name, view));
            })?;
            record.close(tokens.position(), holds);
        }
        visitor.capability(&capability_of(&C::of_fields(tokens.bytes(), record.fields())));
        Ok(())
    })
}
