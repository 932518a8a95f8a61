//! The stack of the interpreter: the containers whose objects are still to be checked.

use super::{From, Say, Schema};
use crate::syntax::json::{Value, next_element, next_member};

/// A container whose objects are still to be checked.
#[derive(Clone, Copy)]
pub(super) struct Container<'a> {
    pub(super) schema: &'static Schema,
    pub(super) nest: Nest,
    /// The object, or the content of the array or the map.
    bytes: &'a [u8],
    position: u32,
    field: u32,
    /// Whether other values may stand beside the objects, and members have any names and types.
    pub(super) is_free: bool,
    /// Whether [`Rule::Again`] leads to the container.
    pub(super) is_again: bool,
}

/// How a container holds objects.
#[derive(Clone, Copy)]
pub(crate) enum Nest {
    One,
    List,
    /// From name to object, or to a string, about which this is reported.
    Map(Option<&'static Say>),
}

impl<'a> Container<'a> {
    pub(super) fn new(schema: &'static Schema, nest: Nest, value: Value<'a>, field: u32) -> Self {
        let bytes = match nest {
            Nest::One => value.raw(),
            Nest::List => value.inside(b'['),
            Nest::Map(_) => value.inside(b'{'),
        };
        Self { schema, nest, bytes, position: 0, field, is_free: false, is_again: false }
    }

    /// Lets other values stand beside the objects, and members have any names and types.
    pub(super) const fn free(self) -> Self {
        Self { is_free: true, ..self }
    }

    /// Says that [`Rule::Again`](super::Rule::Again) leads to the container.
    pub(super) const fn again(self) -> Self {
        Self { is_again: true, ..self }
    }

    fn next(&mut self) -> Option<(From<'a>, Value<'a>)> {
        let from = From::Field(self.field);
        match self.nest {
            Nest::One if self.position == 0 => {
                self.position = 1;
                Some((from, Value::trusted(self.bytes)))
            }
            Nest::One => None,
            Nest::List => Some((from, next_element(self.bytes, &mut self.position)?)),
            Nest::Map(_) => {
                let member = next_member(self.bytes, &mut self.position)?;
                Some((From::Name(member.name), member.value))
            }
        }
    }
}

/// The maximum number of containers on the stack. [`Schema::fits`] proves for each schema that no
/// document needs more.
pub(super) const MOST: usize = 20;

/// The containers that are still to be checked, the innermost last.
pub(super) struct Pending<'a> {
    containers: [Option<Container<'a>>; MOST],
    count: usize,
}

impl<'a> Pending<'a> {
    pub(super) const fn new() -> Self {
        Self { containers: [None; MOST], count: 0 }
    }

    pub(super) fn push(&mut self, container: Container<'a>) {
        if let Some(place) = self.containers.get_mut(self.count) {
            *place = Some(container);
            self.count = self.count.saturating_add(1);
        }
    }

    /// Returns the next object or other value, and removes containers that have no more.
    pub(super) fn next(&mut self) -> Option<(Container<'a>, From<'a>, Value<'a>)> {
        loop {
            let last = self.count.checked_sub(1)?;
            let container = self.containers.get_mut(last)?.as_mut()?;
            if let Some((from, value)) = container.next() {
                return Some((*container, from, value));
            }
            self.count = last;
        }
    }
}
