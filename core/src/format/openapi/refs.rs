//! References inside a description.

use crate::span::Span;
use crate::syntax::json::{Kind, Member, Value, comma_end, next_element, next_member, next_name};
use crate::syntax::text::Text;

/// How many references may lead to each other. Circles end there, too.
const HOPS: usize = 16;
/// The longest reference that is followed, in bytes.
const LONGEST: usize = 512;

/// The bytes that may be searched for the references in an object of this length: enough for all
/// references of an operation in descriptions of several megabytes, and linear in the description
/// for all operations together.
pub(crate) const fn budget_for(length: usize) -> u32 {
    let budget = (length as u32).saturating_mul(256).saturating_add(16 << 10);
    if budget < MOST { budget } else { MOST }
}
/// The largest budget.
pub(crate) const MOST: u32 = (1 << 28) - 1;

/// Why a reference leads to nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lost {
    /// It leads to another document, which is not fetched.
    Elsewhere,
    /// It names an anchor in a schema, which is not searched for.
    Anchor,
    /// The description has nothing there.
    Missing,
    /// It leads to itself, or more than 16 references lead to each other.
    Circle,
    /// The search for it would take too long.
    TooFar,
}

/// What follows the references of a description. It counts the bytes that it searches.
#[derive(Clone, Copy)]
pub(crate) struct Refs<'a> {
    /// The whole description.
    pub(crate) bytes: &'a [u8],
    /// The offset of `components`, or 0.
    pub(crate) components: u32,
    /// The start and the end of `schemas`, usually the largest part of a description, which the search
    /// for other components skips.
    pub(crate) schemas: (u32, u32),
    /// The number of bytes that may still be searched.
    pub(crate) budget: u32,
}

/// Returns the reference in an object.
pub(crate) fn reference(value: Value<'_>) -> Option<Value<'_>> {
    (value.kind() == Kind::Object).then(|| value.get("$ref"))?
}

impl<'a> Refs<'a> {
    pub(crate) fn new(bytes: &'a [u8], components: Option<Value<'a>>, budget: u32) -> Self {
        let schemas = components.and_then(|parts| parts.get("schemas"));
        let schemas = schemas.map_or(Span::default(), |group| Span::of(group.raw(), bytes));
        let components = components.map_or(0, |parts| Span::of(parts.raw(), bytes).start);
        Self { bytes, components, schemas: (schemas.start, schemas.end), budget }
    }

    /// Returns a group of components.
    pub(crate) fn component(&mut self, name: &str) -> Option<Value<'a>> {
        if self.components == 0 {
            return None;
        }
        self.group(name.as_bytes()).ok()
    }

    /// Searches the groups of components.
    fn group(&mut self, name: &[u8]) -> Result<Value<'a>, Lost> {
        let mut position = self.components.saturating_add(1);
        let mut spent = 0_u32;
        while let Some(own) = next_name(self.bytes, &mut position) {
            let (start, is_it) = (position, own.raw() == name);
            if start == self.schemas.0 {
                position = comma_end(self.bytes, self.schemas.1 as usize) as u32;
                if is_it {
                    let group = self.bytes.get(start as usize..self.schemas.1 as usize);
                    return Ok(Value::trusted(group.unwrap_or_default()));
                }
                continue;
            }
            let value = next_element(self.bytes, &mut position).ok_or(Lost::Missing)?;
            if is_it {
                return Ok(value);
            }
            spent = spent.saturating_add(position.saturating_sub(start));
            if spent > self.budget {
                return Err(self.too_far());
            }
        }
        self.spend(spent as usize)?;
        Err(Lost::Missing)
    }

    /// Counts bytes that are searched.
    pub(crate) fn spend(&mut self, bytes: usize) -> Result<(), Lost> {
        match self.budget.checked_sub(bytes as u32) {
            Some(budget) => self.budget = budget,
            None => return Err(self.too_far()),
        }
        Ok(())
    }

    /// Ends all searches: others would read as much again, and find nothing.
    const fn too_far(&mut self) -> Lost {
        self.budget = 0;
        Lost::TooFar
    }

    /// Returns the value, or what its reference leads to.
    pub(crate) fn follow(&mut self, mut value: Value<'a>) -> Result<Value<'a>, Lost> {
        for _ in 0..HOPS {
            let Some(reference) = reference(value) else {
                return Ok(value);
            };
            value = self.target(reference.as_text().ok_or(Lost::Missing)?)?;
            // What is found is read again wherever something refers to it, so it counts more.
            self.spend(value.raw().len().saturating_mul(8))?;
        }
        Err(Lost::Circle)
    }

    /// Looks up a reference.
    pub(crate) fn lookup(&mut self, reference: Text<'_>) -> Result<(), Lost> {
        let target = self.target(reference)?;
        // A schema can contain itself, but a reference that is nothing else leads nowhere.
        match self.follow(target) {
            Err(Lost::Circle) => Err(Lost::Circle),
            Err(Lost::TooFar) => Err(Lost::TooFar),
            _ => Ok(()),
        }
    }

    /// Returns the target of a reference: a JSON Pointer (RFC 6901) in a fragment.
    fn target(&mut self, reference: Text<'_>) -> Result<Value<'a>, Lost> {
        let mut buffer = [0; LONGEST];
        let written = reference.decode(&mut buffer).map_err(|_| Lost::TooFar)?;
        let pointer = written.strip_prefix('#').ok_or(Lost::Elsewhere)?;
        let mut value = Value::trusted(self.bytes);
        // An anchor of JSON Schema has no slash.
        let mut rest = match pointer.as_bytes() {
            [] => return Ok(value),
            [b'/', rest @ ..] => rest,
            _ => return Err(Lost::Anchor),
        };
        if let Some(behind) = rest.strip_prefix(b"components/").filter(|_| self.components > 0) {
            let (name, behind) = parted(behind);
            value = self.group(name)?;
            match behind {
                Some(behind) => rest = behind,
                None => return Ok(value),
            }
        }
        loop {
            let (part, behind) = parted(rest);
            value = self.step(value, part)?;
            match behind {
                Some(behind) => rest = behind,
                None => return Ok(value),
            }
        }
    }

    /// Returns the member or the element that a part of a pointer names. Of several members with one
    /// name, the first one counts, so that the search can end there.
    fn step(&mut self, value: Value<'a>, part: &[u8]) -> Result<Value<'a>, Lost> {
        let mut name = [0; LONGEST];
        let name = unescaped(part, &mut name).ok_or(Lost::Missing)?;
        let (whole, mut position) = (value.inside(b'{'), 0);
        // A member that does not end there is too far.
        let inside = whole.get(..self.budget as usize).unwrap_or(whole);
        while let Some(Member { name: own, value }) = next_member(inside, &mut position) {
            if own == *name {
                // What is cut off ends at or behind the end.
                if inside.len() < whole.len() && position as usize >= inside.len() {
                    return Err(self.too_far());
                }
                self.spend(position as usize)?;
                return Ok(value);
            }
        }
        if inside.len() < whole.len() {
            return Err(self.too_far());
        }
        self.spend(inside.len())?;
        let index = name.parse().ok().filter(|_| value.kind() == Kind::Array);
        self.spend(value.inside(b'[').len())?;
        value.elements().nth(index.ok_or(Lost::Missing)?).ok_or(Lost::Missing)
    }
}

/// Returns the first part of a pointer, and the rest behind a slash.
fn parted(pointer: &[u8]) -> (&[u8], Option<&[u8]>) {
    let length = pointer.iter().position(|octet| *octet == b'/').unwrap_or(pointer.len());
    let (part, behind) = pointer.split_at_checked(length).unwrap_or_default();
    (part, behind.split_first().map(|(_, behind)| behind))
}

/// Decodes a part of a pointer in a fragment: percent-encoding, then `~1` and `~0`.
fn unescaped<'b>(part: &[u8], buffer: &'b mut [u8]) -> Option<&'b str> {
    let (mut rest, mut length) = (part, 0_usize);
    while let [first, tail @ ..] = rest {
        let (mut octet, mut behind) = (*first, tail);
        if octet == b'%'
            && let Some(code) = crate::syntax::text::hex(tail, 2)
        {
            (octet, behind) = (code as u8, tail.get(2..).unwrap_or_default());
        }
        *buffer.get_mut(length)? = octet;
        length = length.saturating_add(1);
        rest = behind;
    }
    let (mut read, mut write) = (0_usize, 0_usize);
    while read < length {
        let octet = *buffer.get(read)?;
        let next = buffer.get(read.saturating_add(1)).filter(|_| read.saturating_add(1) < length);
        let decoded = match (octet, next) {
            (b'~', Some(b'1')) => Some(b'/'),
            (b'~', Some(b'0')) => Some(b'~'),
            _ => None,
        };
        read = read.saturating_add(1 + usize::from(decoded.is_some()));
        *buffer.get_mut(write)? = decoded.unwrap_or(octet);
        write = write.saturating_add(1);
    }
    crate::scan::text(buffer.get(..write)?)
}
