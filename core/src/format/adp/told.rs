//! A manifest told to a visitor: in the one pass that validates it, or from the views of a parsed one.

use super::{Adp, AuthObject, CAPABILITIES, Entry, PlanObject, PricingObject, Top, capability_of};
use crate::format::json_common::{elements, texts};
use crate::manifest::{Part as AnyPart, Visitor};
use crate::syntax::json::view::{Object, Table, index_of};
use crate::syntax::json::{Core, Locate, Met, Record, Step, Unfused, Wants};
use crate::syntax::text::Text;

/// A part of a manifest. What is told is told in the order in which it ends; what a manifest has once may come before or behind the lists.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Part<'v, 'a> {
    /// The top level, at last.
    Top(&'v Top<'a>),
    /// Authentication. Its scopes have been told.
    Auth(&'v AuthObject<'a>),
    /// A scope of the authentication; the list of the view gives the same.
    Scope(Text<'a>),
    /// A plan of the pricing.
    Plan(&'v PlanObject<'a>),
    /// The pricing. Its plans have been told.
    Pricing(&'v PricingObject<'a>),
    /// An entry of `capabilities`.
    Entry(&'v Entry<'a>),
}

impl<'a> Part<'_, 'a> {
    /// Tells a visitor what it is in the unified model, where that has it in a list.
    #[inline]
    pub(crate) fn unify(self, visitor: &mut impl Visitor<'a>) {
        if let Self::Entry(entry) = self {
            visitor.capability(&capability_of(entry));
        }
    }
}

const AUTH: u32 = super::AUTH;
const PRICING: u32 = index_of(Top::FIELDS, b"pricing");
const SCOPES: u32 = index_of(AuthObject::FIELDS, b"scopes");
const PLANS: u32 = index_of(PricingObject::FIELDS, b"plans");

/// The containers of the top level that are read in the one pass.
pub(crate) const TOP: Wants = Wants {
    objects: 1 << AUTH | 1 << PRICING,
    arrays: 1 << CAPABILITIES,
    names: true,
};
const AUTHENTICATION: Wants = Wants {
    objects: 0,
    arrays: 1 << SCOPES,
    names: false,
};
const PRICES: Wants = Wants {
    objects: 0,
    arrays: 1 << PLANS,
    names: false,
};

/// Tells what the containers of the top level hold, while they are validated.
pub(crate) fn container<'a, L: Locate>(
    field: u32,
    tokens: &mut Core<'a, L>,
    step: Step,
    visitor: &mut impl Visitor<'a>,
) -> Result<(), Unfused> {
    let bytes = tokens.bytes();
    let mut tell = |part: Part<'_, 'a>| visitor.part(AnyPart::Adp(part));
    match field {
        CAPABILITIES => {
            let mut record = Record::<{ Entry::FIELDS.len() }>::new();
            return tokens.objects(|tokens, step| {
                tokens.view(&mut record, step, |entry| tell(Part::Entry(entry)))
            });
        }
        AUTH => {
            let mut record = Record::<{ AuthObject::FIELDS.len() }>::new();
            record.open(step.start);
            while let Met::Container(..) = record.read(tokens, AuthObject::NAMES, AUTHENTICATION)? {
                tokens.texts(|text| tell(Part::Scope(text)))?;
            }
            tell(Part::Auth(&AuthObject::of_record(bytes, &record, 0)));
        }
        _ => {
            let mut record = Record::<{ PricingObject::FIELDS.len() }>::new();
            let mut plan = Record::<{ PlanObject::FIELDS.len() }>::new();
            record.open(step.start);
            while let Met::Container(..) = record.read(tokens, PricingObject::NAMES, PRICES)? {
                tokens.objects(|tokens, step| {
                    tokens.view(&mut plan, step, |plan| tell(Part::Plan(plan)))
                })?;
            }
            tell(Part::Pricing(&PricingObject::of_record(bytes, &record, 0)));
        }
    }
    Ok(())
}

/// Tells the top level, when all of it was read.
pub(crate) fn top<'a, const N: usize>(
    bytes: &'a [u8],
    record: &Record<N>,
    visitor: &mut impl Visitor<'a>,
) {
    visitor.part(AnyPart::Adp(Part::Top(&Top::of_record(bytes, record, 0))));
}

impl<'a> Adp<'a> {
    /// Tells a visitor everything, by walking the text again.
    pub(crate) fn tell(&self, visitor: &mut impl Visitor<'a>) {
        let mut tell = |part: Part<'_, 'a>| visitor.part(AnyPart::Adp(part));
        if let Some(auth) = self.auth_object() {
            texts(auth.scopes).for_each(|text| tell(Part::Scope(text)));
            tell(Part::Auth(&auth));
        }
        if let Some(Object(object)) = self.top.pricing {
            let pricing = PricingObject::read(object);
            elements(pricing.plans).for_each(|plan| tell(Part::Plan(&PlanObject::read(plan))));
            tell(Part::Pricing(&pricing));
        }
        elements(self.top.capabilities).for_each(|entry| tell(Part::Entry(&Entry::read(entry))));
        tell(Part::Top(&self.top));
    }
}
