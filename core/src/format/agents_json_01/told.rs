//! An agents.json 0.1 told to a visitor: in the one pass that validates it, or from the views of a parsed one.

use super::{
    AgentsJson01, CAPABILITIES, CapabilityObject, PARAMS, ParamObject, Top, capability_of,
    parameter_of,
};
use crate::format::json_common::{elements, members};
use crate::manifest::{Part as AnyPart, Visitor};
use crate::syntax::json::view::Table;
use crate::syntax::json::{Core, Locate, Met, Record, Unfused, Wants};
use crate::syntax::text::Text;

/// A part of a document, told in the order in which it ends.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Part<'v, 'a> {
    /// The top level, at last.
    Top(&'v Top<'a>),
    /// A parameter of the capability that is told next, and its name.
    Param(Text<'a>, &'v ParamObject<'a>),
    /// A capability. Its parameters have been told.
    Capability(&'v CapabilityObject<'a>),
}

impl<'a> Part<'_, 'a> {
    /// Tells a visitor what it is in the unified model, where that has it in a list.
    #[inline]
    pub(crate) fn unify(self, visitor: &mut impl Visitor<'a>) {
        match self {
            Self::Param(name, object) => visitor.parameter(&parameter_of(name, object)),
            Self::Capability(object) => visitor.capability(&capability_of(object)),
            Self::Top(_) => {}
        }
    }
}

/// The containers of the top level that are read in the one pass.
pub(crate) const TOP: Wants = Wants {
    objects: 0,
    arrays: 1 << CAPABILITIES,
    names: true,
};
const CAPABILITY: Wants = Wants {
    objects: 1 << PARAMS,
    arrays: 0,
    names: false,
};

/// Tells the capabilities, while they are validated.
pub(crate) fn container<'a, L: Locate>(
    tokens: &mut Core<'a, L>,
    visitor: &mut impl Visitor<'a>,
) -> Result<(), Unfused> {
    let bytes = tokens.bytes();
    let mut tell = |part: Part<'_, 'a>| visitor.part(AnyPart::AgentsJson01(part));
    let mut record = Record::<{ CapabilityObject::FIELDS.len() }>::new();
    let mut param = Record::<{ ParamObject::FIELDS.len() }>::new();
    tokens.objects(|tokens, step| {
        record.open(step.start);
        while let Met::Container(..) = record.read(tokens, CapabilityObject::NAMES, CAPABILITY)? {
            tokens.members(|tokens, name, step| {
                tokens.view(&mut param, step, |object| tell(Part::Param(name, object)))
            })?;
        }
        tell(Part::Capability(&CapabilityObject::of_record(
            bytes, &record, 0,
        )));
        Ok(())
    })
}

/// Tells the top level, when all of it was read.
pub(crate) fn top<'a, const N: usize>(
    bytes: &'a [u8],
    record: &Record<N>,
    visitor: &mut impl Visitor<'a>,
) {
    visitor.part(AnyPart::AgentsJson01(Part::Top(&Top::of_record(
        bytes, record, 0,
    ))));
}

impl<'a> AgentsJson01<'a> {
    /// Tells a visitor everything, by walking the text again.
    pub(crate) fn tell(&self, visitor: &mut impl Visitor<'a>) {
        let mut tell = |part: Part<'_, 'a>| visitor.part(AnyPart::AgentsJson01(part));
        for object in elements(self.top.capabilities) {
            let object = CapabilityObject::read(object);
            members(object.params)
                .for_each(|(name, value)| tell(Part::Param(name, &ParamObject::read(value))));
            tell(Part::Capability(&object));
        }
        tell(Part::Top(&self.top));
    }
}
