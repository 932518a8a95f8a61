//! An agents.json told to a visitor: in the one pass that validates it, or from the views of a parsed one.

use super::{
    ACCESS, AGENTS, ALLOW, AUTH, AccessObject, AgentObject, AgentsJson, AgentsValue, AuthObject,
    AuthValue, CAPABILITIES, CapabilityObject, DISALLOW, ParameterObject, RateLimitObject,
    RateValue, Site, TOP_ALLOW, TOP_DISALLOW, Top, agent_of, capability_of, parameter_of,
};
use crate::format::json_common::{Texts, elements, members, texts};
use crate::manifest::{List, Part as AnyPart, Visitor};
use crate::syntax::json::view::{Array, Object, Table, index_of, put};
use crate::syntax::json::{Core, Locate, Met, Record, Step, TokenKind, Unfused, Wants};
use crate::syntax::text::Text;

/// A part of a document. What is told is told in the order in which it ends; what a document has once may come before or behind the lists.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Part<'v, 'a> {
    /// The top level, at last.
    Top(&'v Top<'a>),
    /// The site.
    Site(&'v Site<'a>),
    /// A parameter of the capability that is told next.
    Parameter(&'v ParameterObject<'a>),
    /// A capability. Its parameters and scopes have been told.
    Capability(&'v CapabilityObject<'a>),
    /// The access rules. Their patterns have been told.
    Access(&'v AccessObject<'a>),
    /// A policy for an agent, and its name where that stands before it. Its capabilities have been told.
    Agent(Option<Text<'a>>, &'v AgentObject<'a>),
    /// An item of a list of texts; the lists of the views give the same.
    Text(TextOf, Text<'a>),
}

/// Which list a text belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TextOf {
    /// `operatesOn`.
    OperatesOn,
    /// `scopes` of the authentication of the capability that is told next, or of itself.
    Scopes,
    /// `allow`, in `access` or at the top level.
    Allow,
    /// `disallow`, in `access` or at the top level.
    Disallow,
    /// `capabilities` of the agent that is told next.
    AgentCapabilities,
}

impl<'a> Part<'_, 'a> {
    /// Tells a visitor what it is in the unified model, where that has it in a list.
    #[inline]
    pub(crate) fn unify(self, visitor: &mut impl Visitor<'a>) {
        match self {
            Self::Parameter(object) => visitor.parameter(&parameter_of(object)),
            Self::Capability(object) => visitor.capability(&capability_of(object)),
            Self::Agent(key, object) => visitor.agent(&agent_of(key, object)),
            Self::Top(_) | Self::Site(_) | Self::Access(_) | Self::Text(..) => {}
        }
    }
}

const OPERATES_ON: u32 = index_of(Top::FIELDS, b"operatesOn");
const SITE: u32 = index_of(Top::FIELDS, b"site");
const PARAMETERS: u32 = index_of(CapabilityObject::FIELDS, b"parameters");
const RATE_LIMIT: u32 = index_of(CapabilityObject::FIELDS, b"rateLimit");
const SCOPES: u32 = index_of(CapabilityObject::FIELDS, b"scopes");
const AUTH_SCOPES: u32 = index_of(AuthObject::FIELDS, b"scopes");
const AGENT_RATE_LIMIT: u32 = index_of(AgentObject::FIELDS, b"rateLimit");
const AGENT_CAPABILITIES: u32 = index_of(AgentObject::FIELDS, b"capabilities");

/// The containers of the top level that are read in the one pass.
pub(crate) const TOP: Wants = Wants {
    objects: 1 << SITE | 1 << ACCESS | 1 << AGENTS,
    arrays: 1 << OPERATES_ON | 1 << CAPABILITIES | 1 << AGENTS | 1 << TOP_ALLOW | 1 << TOP_DISALLOW,
    names: true,
};
const CAPABILITY: Wants = Wants {
    objects: 1 << AUTH | 1 << RATE_LIMIT,
    arrays: 1 << PARAMETERS | 1 << SCOPES,
    names: false,
};
const AUTHENTICATION: Wants = Wants {
    objects: 0,
    arrays: 1 << AUTH_SCOPES,
    names: false,
};
const AGENT: Wants = Wants {
    objects: 1 << AGENT_RATE_LIMIT,
    arrays: 1 << AGENT_CAPABILITIES,
    names: false,
};
const PATTERNS: Wants = Wants {
    objects: 0,
    arrays: 1 << ALLOW | 1 << DISALLOW,
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
    let mut tell = |part: Part<'_, 'a>| visitor.part(AnyPart::AgentsJson(part));
    match field {
        CAPABILITIES => return capabilities(tokens, visitor),
        AGENTS => return agents(tokens, step.kind, visitor),
        OPERATES_ON => return tokens.texts(|text| tell(Part::Text(TextOf::OperatesOn, text))),
        TOP_ALLOW => return tokens.texts(|text| tell(Part::Text(TextOf::Allow, text))),
        TOP_DISALLOW => return tokens.texts(|text| tell(Part::Text(TextOf::Disallow, text))),
        SITE => {
            let mut record = Record::<{ Site::FIELDS.len() }>::new();
            tokens.view(&mut record, step, |site| tell(Part::Site(site)))?;
        }
        _ => {
            let mut record = Record::<{ AccessObject::FIELDS.len() }>::new();
            record.open(step.start);
            while let Met::Container(field, _) =
                record.read(tokens, AccessObject::NAMES, PATTERNS)?
            {
                let of = if field == ALLOW {
                    TextOf::Allow
                } else {
                    TextOf::Disallow
                };
                tokens.texts(|text| tell(Part::Text(of, text)))?;
            }
            let access = AccessObject::of_record(bytes, &record, 0);
            // One pattern alone.
            if let Some(text) = record.slot(DISALLOW).and_then(|slot| slot.text(bytes)) {
                tell(Part::Text(TextOf::Disallow, text));
            }
            tell(Part::Access(&access));
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
    if let Some(text) = record.slot(TOP_DISALLOW).and_then(|slot| slot.text(bytes)) {
        visitor.part(AnyPart::AgentsJson(Part::Text(TextOf::Disallow, text)));
    }
    visitor.part(AnyPart::AgentsJson(Part::Top(&Top::of_record(
        bytes, record, 0,
    ))));
}

fn capabilities<'a, L: Locate>(
    tokens: &mut Core<'a, L>,
    visitor: &mut impl Visitor<'a>,
) -> Result<(), Unfused> {
    let bytes = tokens.bytes();
    let mut record = Record::<{ CapabilityObject::FIELDS.len() }>::new();
    let mut auth = Record::<{ AuthObject::FIELDS.len() }>::new();
    let mut rate = Record::<{ RateLimitObject::FIELDS.len() }>::new();
    let mut parameter = Record::<{ ParameterObject::FIELDS.len() }>::new();
    tokens.objects(|tokens, step| {
        record.open(step.start);
        let (mut has_auth, mut has_rate) = (false, false);
        while let Met::Container(field, step) =
            record.read(tokens, CapabilityObject::NAMES, CAPABILITY)?
        {
            match field {
                PARAMETERS => {
                    let mut tell = |object: &ParameterObject<'a>| {
                        visitor.part(AnyPart::AgentsJson(Part::Parameter(object)))
                    };
                    tokens.objects(|tokens, step| tokens.view(&mut parameter, step, &mut tell))?;
                }
                AUTH => {
                    has_auth = true;
                    auth.open(step.start);
                    while let Met::Container(..) =
                        auth.read(tokens, AuthObject::NAMES, AUTHENTICATION)?
                    {
                        tokens.texts(|text| {
                            visitor.part(AnyPart::AgentsJson(Part::Text(TextOf::Scopes, text)))
                        })?;
                    }
                }
                RATE_LIMIT => {
                    has_rate = true;
                    rate.open(step.start)
                        .read_all(tokens, RateLimitObject::NAMES)?;
                }
                _ => tokens.texts(|text| {
                    visitor.part(AnyPart::AgentsJson(Part::Text(TextOf::Scopes, text)))
                })?,
            }
        }
        let skipped = u32::from(has_auth) << AUTH | u32::from(has_rate) << RATE_LIMIT;
        let mut view = CapabilityObject::of_record(bytes, &record, skipped);
        if has_auth {
            let read = AuthObject::of_record(bytes, &auth, 0);
            put(
                &mut view.auth,
                read.object,
                Some(AuthValue::Object(read)),
                &mut view.seen,
                AUTH,
            );
        }
        if has_rate {
            let read = RateLimitObject::of_record(bytes, &rate, 0);
            put(
                &mut view.rate_limit,
                read.object,
                RateValue::of(&read),
                &mut view.seen,
                RATE_LIMIT,
            );
        }
        visitor.part(AnyPart::AgentsJson(Part::Capability(&view)));
        Ok(())
    })
}

fn agents<'a, L: Locate>(
    tokens: &mut Core<'a, L>,
    kind: TokenKind,
    visitor: &mut impl Visitor<'a>,
) -> Result<(), Unfused> {
    let bytes = tokens.bytes();
    let mut record = Record::<{ AgentObject::FIELDS.len() }>::new();
    let mut rate = Record::<{ RateLimitObject::FIELDS.len() }>::new();
    let mut agent = |tokens: &mut Core<'a, L>, name: Option<Text<'a>>, step: Step| {
        if step.kind != TokenKind::ObjectStart {
            let value = tokens.value_from(step)?;
            if !value.is_null() {
                visitor.part(AnyPart::AgentsJson(Part::Agent(
                    name,
                    &AgentObject::read(value),
                )));
            }
            return Ok(());
        }
        record.open(step.start);
        let mut has_rate = false;
        while let Met::Container(field, step) = record.read(tokens, AgentObject::NAMES, AGENT)? {
            if field == AGENT_RATE_LIMIT {
                has_rate = true;
                rate.open(step.start)
                    .read_all(tokens, RateLimitObject::NAMES)?;
            } else {
                tokens.texts(|text| {
                    visitor.part(AnyPart::AgentsJson(Part::Text(
                        TextOf::AgentCapabilities,
                        text,
                    )))
                })?;
            }
        }
        let mut view =
            AgentObject::of_record(bytes, &record, u32::from(has_rate) << AGENT_RATE_LIMIT);
        if has_rate {
            let read = RateLimitObject::of_record(bytes, &rate, 0);
            put(
                &mut view.rate_limit,
                read.object,
                RateValue::of(&read),
                &mut view.seen,
                AGENT_RATE_LIMIT,
            );
        }
        visitor.part(AnyPart::AgentsJson(Part::Agent(name, &view)));
        Ok(())
    };
    if kind == TokenKind::ArrayStart {
        return tokens.objects(|tokens, step| agent(tokens, None, step));
    }
    tokens.members(|tokens, name, step| agent(tokens, Some(name), step))
}

impl<'a> AgentsJson<'a> {
    /// Tells a visitor everything, by walking the text again.
    pub(crate) fn tell(&self, visitor: &mut impl Visitor<'a>) {
        let mut tell = |part: Part<'_, 'a>| visitor.part(AnyPart::AgentsJson(part));
        let top = &self.top;
        texts(top.operates_on).for_each(|text| tell(Part::Text(TextOf::OperatesOn, text)));
        if let Some(site) = self.site() {
            tell(Part::Site(&site));
        }
        for object in elements(top.capabilities) {
            let object = CapabilityObject::read(object);
            elements(object.parameters)
                .for_each(|parameter| tell(Part::Parameter(&ParameterObject::read(parameter))));
            if let Some(AuthValue::Object(auth)) = object.auth {
                texts(auth.scopes).for_each(|text| tell(Part::Text(TextOf::Scopes, text)));
            }
            texts(object.scopes).for_each(|text| tell(Part::Text(TextOf::Scopes, text)));
            tell(Part::Capability(&object));
        }
        texts(top.allow).for_each(|text| tell(Part::Text(TextOf::Allow, text)));
        top.disallow
            .into_iter()
            .flat_map(|texts| texts.0)
            .for_each(|text| tell(Part::Text(TextOf::Disallow, text)));
        if let Some(Object(object)) = top.access {
            let access = AccessObject::read(object);
            texts(access.allow).for_each(|text| tell(Part::Text(TextOf::Allow, text)));
            access
                .disallow
                .into_iter()
                .flat_map(|texts| texts.0)
                .for_each(|text| tell(Part::Text(TextOf::Disallow, text)));
            tell(Part::Access(&access));
        }
        let mut agent = |key, value| {
            let object = AgentObject::read(value);
            let capabilities = object
                .capabilities
                .map_or_else(List::empty, |Array(array)| Texts::of(array));
            capabilities.for_each(|text| tell(Part::Text(TextOf::AgentCapabilities, text)));
            tell(Part::Agent(key, &object));
        };
        if let Some(AgentsValue(value)) = top.agents {
            elements(Some(Array(value))).for_each(|value| agent(None, value));
            members(Some(Object(value))).for_each(|(name, value)| agent(Some(name), value));
        }
        tell(Part::Top(top));
    }
}
