//! An agent.json told to a visitor: in the one pass that validates it, or from the views of a parsed one.

use super::{
    ACTIONS, Action, AuthObject, Awp, EntityObject, ErrorObject, INPUTS, Input, ProtocolObject,
    REQUIRED_FOR, StatusObject, Top, capability_of, parameter_of,
};
use crate::format::json_common::{Texts, elements, members, texts};
use crate::manifest::{Part as AnyPart, Visitor};
use crate::syntax::json::view::{Object, Table, index_of};
use crate::syntax::json::{
    Core, Kind, Locate, Met, Record, Step, TokenKind, Unfused, Value, Wants,
};
use crate::syntax::text::Text;

/// A part of a document. What is told is told in the order in which it ends; what a document has once may come before or behind the lists.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Part<'v, 'a> {
    /// The top level, at last.
    Top(&'v Top<'a>),
    /// An entry of `protocols`, and its name.
    Protocol(Text<'a>, &'v ProtocolObject<'a>),
    /// A feature flag, as written.
    Feature(Text<'a>, Value<'a>),
    /// Authentication. The actions it is for have been told.
    Auth(&'v AuthObject<'a>),
    /// A field of the entity that is told next, and its type as written.
    EntityField(Text<'a>, Value<'a>),
    /// An entity, and its name. Its fields have been told.
    Entity(Text<'a>, &'v EntityObject<'a>),
    /// An input of the action that is told next, and its name.
    Input(Text<'a>, &'v Input<'a>),
    /// An output of the action that is told next, and its type as written.
    Output(Text<'a>, Value<'a>),
    /// An action. Its inputs and outputs have been told.
    Action(&'v Action<'a>),
    /// What to do about an error, and its code.
    Error(Text<'a>, &'v ErrorObject<'a>),
    /// An entry of `dependencies`, by its name and as written. What it requires has been told.
    Dependency(Text<'a>, Value<'a>),
    /// A hint, as written.
    Hint(Text<'a>, Value<'a>),
    /// Whether the surface works. The actions that are impaired have been told.
    Status(&'v StatusObject<'a>),
    /// An item of a list of texts; the lists of the views give the same.
    Text(TextOf, Text<'a>),
}

/// Which list a text belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TextOf {
    /// `required_for` of the authentication.
    RequiredFor,
    /// `optional_for` of the authentication.
    OptionalFor,
    /// What the dependency that is told next requires.
    Requires,
    /// `degraded_actions` of the status.
    Degraded,
}

impl<'a> Part<'_, 'a> {
    /// Tells a visitor what it is in the unified model, where that has it in a list.
    #[inline]
    pub(crate) fn unify(self, visitor: &mut impl Visitor<'a>) {
        match self {
            Self::Input(name, input) => visitor.parameter(&parameter_of(name, input)),
            Self::Action(action) => visitor.capability(&capability_of(action)),
            _ => {}
        }
    }
}

const PROTOCOLS: u32 = index_of(Top::FIELDS, b"protocols");
const FEATURES: u32 = index_of(Top::FIELDS, b"capabilities");
const AUTH: u32 = super::AUTH;
const ENTITIES: u32 = index_of(Top::FIELDS, b"entities");
const ERRORS: u32 = index_of(Top::FIELDS, b"errors");
const DEPENDENCIES: u32 = index_of(Top::FIELDS, b"dependencies");
const HINTS: u32 = index_of(Top::FIELDS, b"agent_hints");
const STATUS: u32 = index_of(Top::FIELDS, b"agent_status");
const OUTPUTS: u32 = index_of(Action::FIELDS, b"outputs");
const FIELDS: u32 = index_of(EntityObject::FIELDS, b"fields");
const OPTIONAL_FOR: u32 = index_of(AuthObject::FIELDS, b"optional_for");
const DEGRADED: u32 = index_of(StatusObject::FIELDS, b"degraded_actions");

/// The containers of the top level that are read in the one pass.
pub(crate) const TOP: Wants = Wants {
    objects: 1 << PROTOCOLS
        | 1 << FEATURES
        | 1 << AUTH
        | 1 << ENTITIES
        | 1 << ERRORS
        | 1 << DEPENDENCIES
        | 1 << HINTS
        | 1 << STATUS,
    arrays: 1 << ACTIONS,
    names: true,
};
const ACTION: Wants = Wants {
    objects: 1 << INPUTS | 1 << OUTPUTS,
    arrays: 0,
    names: false,
};
const ENTITY: Wants = Wants {
    objects: 1 << FIELDS,
    arrays: 0,
    names: false,
};
const AUTHENTICATION: Wants = Wants {
    objects: 0,
    arrays: 1 << REQUIRED_FOR | 1 << OPTIONAL_FOR,
    names: false,
};
const SURFACE: Wants = Wants {
    objects: 0,
    arrays: 1 << DEGRADED,
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
    let mut tell = |part: Part<'_, 'a>| visitor.part(AnyPart::Awp(part));
    match field {
        ACTIONS => actions(tokens, visitor),
        ENTITIES => entities(tokens, visitor),
        PROTOCOLS => {
            let mut record = Record::<{ ProtocolObject::FIELDS.len() }>::new();
            tokens.members(|tokens, name, step| {
                tokens.view(&mut record, step, |entry| tell(Part::Protocol(name, entry)))
            })
        }
        ERRORS => {
            let mut record = Record::<{ ErrorObject::FIELDS.len() }>::new();
            tokens.members(|tokens, name, step| {
                tokens.view(&mut record, step, |error| tell(Part::Error(name, error)))
            })
        }
        DEPENDENCIES => tokens.members(|tokens, name, step| {
            let value = if step.kind == TokenKind::ArrayStart {
                tokens.texts(|text| tell(Part::Text(TextOf::Requires, text)))?;
                Value::trusted(bytes.get(step.start..tokens.position()).unwrap_or_default())
            } else {
                let value = tokens.value_from(step)?;
                requires(value, &mut tell);
                value
            };
            if !value.is_null() {
                tell(Part::Dependency(name, value));
            }
            Ok(())
        }),
        HINTS | FEATURES => tokens.values(|name, value| {
            tell(if field == HINTS {
                Part::Hint(name, value)
            } else {
                Part::Feature(name, value)
            })
        }),
        AUTH => {
            let mut record = Record::<{ AuthObject::FIELDS.len() }>::new();
            record.open(step.start);
            while let Met::Container(field, _) =
                record.read(tokens, AuthObject::NAMES, AUTHENTICATION)?
            {
                let of = if field == REQUIRED_FOR {
                    TextOf::RequiredFor
                } else {
                    TextOf::OptionalFor
                };
                tokens.texts(|text| tell(Part::Text(of, text)))?;
            }
            tell(Part::Auth(&AuthObject::of_record(bytes, &record, 0)));
            Ok(())
        }
        _ => {
            let mut record = Record::<{ StatusObject::FIELDS.len() }>::new();
            record.open(step.start);
            while let Met::Container(..) = record.read(tokens, StatusObject::NAMES, SURFACE)? {
                tokens.texts(|text| tell(Part::Text(TextOf::Degraded, text)))?;
            }
            tell(Part::Status(&StatusObject::of_record(bytes, &record, 0)));
            Ok(())
        }
    }
}

fn actions<'a, L: Locate>(
    tokens: &mut Core<'a, L>,
    visitor: &mut impl Visitor<'a>,
) -> Result<(), Unfused> {
    let bytes = tokens.bytes();
    let mut tell = |part: Part<'_, 'a>| visitor.part(AnyPart::Awp(part));
    let mut record = Record::<{ Action::FIELDS.len() }>::new();
    let mut input = Record::<{ Input::FIELDS.len() }>::new();
    tokens.objects(|tokens, step| {
        record.open(step.start);
        while let Met::Container(field, _) = record.read(tokens, Action::NAMES, ACTION)? {
            if field == INPUTS {
                tokens.members(|tokens, name, step| {
                    tokens.view(&mut input, step, |object| tell(Part::Input(name, object)))
                })?;
            } else {
                tokens.values(|name, value| {
                    tell_unless_null(value, |value| tell(Part::Output(name, value)))
                })?;
            }
        }
        tell(Part::Action(&Action::of_record(bytes, &record, 0)));
        Ok(())
    })
}

fn entities<'a, L: Locate>(
    tokens: &mut Core<'a, L>,
    visitor: &mut impl Visitor<'a>,
) -> Result<(), Unfused> {
    let bytes = tokens.bytes();
    let mut tell = |part: Part<'_, 'a>| visitor.part(AnyPart::Awp(part));
    let mut record = Record::<{ EntityObject::FIELDS.len() }>::new();
    tokens.members(|tokens, name, step| {
        if step.kind != TokenKind::ObjectStart {
            let value = tokens.value_from(step)?;
            tell_unless_null(value, |value| {
                tell(Part::Entity(name, &EntityObject::read(value)))
            });
            return Ok(());
        }
        record.open(step.start);
        while let Met::Container(..) = record.read(tokens, EntityObject::NAMES, ENTITY)? {
            tokens.values(|name, value| {
                tell_unless_null(value, |value| tell(Part::EntityField(name, value)))
            })?;
        }
        tell(Part::Entity(
            name,
            &EntityObject::of_record(bytes, &record, 0),
        ));
        Ok(())
    })
}

#[inline]
fn tell_unless_null<'a>(value: Value<'a>, tell: impl FnOnce(Value<'a>)) {
    if !value.is_null() {
        tell(value);
    }
}

/// Tells what a dependency requires. One action alone, without its array, is read as well: more is the narrow reading here.
fn requires<'a>(value: Value<'a>, tell: &mut impl FnMut(Part<'_, 'a>)) {
    if matches!(value.kind(), Kind::Array | Kind::String) {
        Texts::of(value).for_each(|text| tell(Part::Text(TextOf::Requires, text)));
    }
}

/// Tells the top level, when all of it was read.
pub(crate) fn top<'a, const N: usize>(
    bytes: &'a [u8],
    record: &Record<N>,
    visitor: &mut impl Visitor<'a>,
) {
    visitor.part(AnyPart::Awp(Part::Top(&Top::of_record(bytes, record, 0))));
}

impl<'a> Awp<'a> {
    /// Tells a visitor everything, by walking the text again.
    pub(crate) fn tell(&self, visitor: &mut impl Visitor<'a>) {
        let mut tell = |part: Part<'_, 'a>| visitor.part(AnyPart::Awp(part));
        let top = &self.top;
        members(top.protocols)
            .for_each(|(name, value)| tell(Part::Protocol(name, &ProtocolObject::read(value))));
        let all = |object: Option<Object<'a>>| {
            object
                .map_or(Value::NULL, |Object(object)| object)
                .members()
        };
        all(top.capabilities).for_each(|member| tell(Part::Feature(member.name, member.value)));
        if let Some(Object(object)) = top.auth {
            let auth = AuthObject::read(object);
            texts(auth.required_for).for_each(|text| tell(Part::Text(TextOf::RequiredFor, text)));
            texts(auth.optional_for).for_each(|text| tell(Part::Text(TextOf::OptionalFor, text)));
            tell(Part::Auth(&auth));
        }
        for (name, value) in members(top.entities) {
            let entity = EntityObject::read(value);
            members(entity.fields).for_each(|(name, value)| tell(Part::EntityField(name, value)));
            tell(Part::Entity(name, &entity));
        }
        for action in elements(top.actions) {
            let action = Action::read(action);
            members(action.inputs)
                .for_each(|(name, value)| tell(Part::Input(name, &Input::read(value))));
            members(action.outputs).for_each(|(name, value)| tell(Part::Output(name, value)));
            tell(Part::Action(&action));
        }
        members(top.errors)
            .for_each(|(name, value)| tell(Part::Error(name, &ErrorObject::read(value))));
        for (name, value) in members(top.dependencies) {
            requires(value, &mut tell);
            tell(Part::Dependency(name, value));
        }
        all(top.agent_hints).for_each(|member| tell(Part::Hint(member.name, member.value)));
        if let Some(Object(object)) = top.agent_status {
            let status = StatusObject::read(object);
            texts(status.degraded_actions)
                .for_each(|text| tell(Part::Text(TextOf::Degraded, text)));
            tell(Part::Status(&status));
        }
        tell(Part::Top(top));
    }
}
