//! One pass over a JSON document: validation, detection, the outline, and a visitor told on the way.
//!
//! The format must be known before the first object is read, so it is guessed from the first members' names and compared with what
//! detection says at the end. A wrong guess, or something that one pass cannot read, costs the plain way besides; never a wrong answer.

use super::detect::{self, Evidence};
use super::{Outline, ParseOptions, json_fields};
use crate::error::{Error, ErrorKind};
use crate::format::{Format, adp, agents_json, agents_json_01, awp};
use crate::manifest::Visitor;
use crate::scan;
use crate::span::Span;
use crate::syntax::json::view::find;
use crate::syntax::json::{Core, Locate, Masks, Step, Taken, TokenKind, Tokenizer, Unfused, Words};

/// Reads a JSON document whose body is UTF-8; `None` where the plain way must be taken.
pub(super) fn read<'a>(
    bytes: &'a [u8],
    body: Span,
    options: &ParseOptions<'_>,
    visitor: &mut impl Visitor<'a>,
) -> Result<Option<Outline>, Error> {
    let format = options.format.or_else(|| guess(bytes, body));
    let Some(format @ (Format::AgentsJson | Format::AgentsJson01 | Format::Awp | Format::Adp)) = format else { return Ok(None) };
    let (start, depth) = (body.start as usize, options.limits.depth_limit());
    if !format.is_built_in() {
        return Ok(None);
    }
    let mut outline = Outline::new(format, body);
    let mut evidence = Evidence::default();
    let result = match scan::backend() {
        scan::Backend::Scalar => document(Core::<Words>::at(bytes, start, depth), &mut outline, &mut evidence, visitor),
        _ => document(Core::<Masks>::at(bytes, start, depth), &mut outline, &mut evidence, visitor),
    };
    match result {
        Ok(()) if options.format.is_some() || detect::json_format(evidence, &options.hints).format == format => Ok(Some(outline)),
        Ok(()) | Err(Unfused::Irregular) => Ok(None),
        Err(Unfused::Invalid(error)) => Err(error),
    }
}

/// The format that the first members' names speak for. Looks at no more than four, and into no container.
fn guess(bytes: &[u8], body: Span) -> Option<Format> {
    let mut tokens = Tokenizer::at(bytes, body.start as usize, 1);
    let mut names = 0;
    while let Ok(Some(token)) = tokens.next_token() {
        let (TokenKind::Name, Some(name)) = (token.kind, token.text()) else { continue };
        match name.raw() {
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

fn document<'a, L: Locate>(
    mut tokens: Core<'a, L>,
    outline: &mut Outline,
    evidence: &mut Evidence,
    visitor: &mut impl Visitor<'a>,
) -> Result<(), Unfused> {
    let format = outline.format;
    let fields = json_fields(format).ok_or(Unfused::Irregular)?;
    match tokens.step()? {
        Some(Step { kind: TokenKind::ObjectStart, .. }) => {}
        _ => return Err(Unfused::Irregular),
    }
    let mut child = |field: u32, tokens: &mut Core<'a, L>, step: Step| -> Taken {
        match format {
            Format::AgentsJson => agents_json::fused(field, tokens, step, visitor),
            Format::AgentsJson01 => agents_json_01::fused(field, tokens, step, visitor),
            Format::Awp => awp::fused(field, tokens, step, visitor),
            _ => adp::fused(field, tokens, step, visitor),
        }
    };
    while let Some(name) = tokens.name_of_member()? {
        let place = find(fields, name).map(|(index, _)| index);
        let again = place.and_then(|index| outline.fields.get(index)).is_some_and(|span| span.end != 0);
        let value = tokens.value_of_member(place.map_or(u32::MAX, |index| index as u32), &mut child, again)?;
        detect::note_text(evidence, name, value);
        match place {
            Some(index) => outline.set_member(index, Span::of(value.raw(), tokens.bytes()), value.is_plain_string()),
            None => outline.flags |= Outline::UNKNOWN_MEMBERS,
        }
    }
    match tokens.step()? {
        None => Ok(()),
        Some(_) => Err(Unfused::Invalid(Error::new(ErrorKind::InvalidJson(crate::error::JsonError::TrailingText), tokens.position()))),
    }
}
