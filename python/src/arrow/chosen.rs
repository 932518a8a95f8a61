//! Which columns somebody wants, down to single members: `service`, or `capabilities.auth.type`.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_schema::{DataType, FieldRef, Fields};

/// The name of the element of every list.
pub(super) const ITEM: &str = "item";

/// What is wanted of a column.
#[derive(Clone, Debug)]
pub(crate) enum Chosen {
    Nothing,
    All,
    /// These members of it.
    Parts(BTreeMap<String, Chosen>),
}

impl Chosen {
    /// What the paths name, members divided by dots.
    pub(super) fn from_paths<'p>(paths: impl IntoIterator<Item = &'p str>) -> Self {
        let mut top = Self::Nothing;
        for path in paths {
            top.add(path);
        }
        top
    }

    fn add(&mut self, path: &str) {
        let (name, rest) = path
            .split_once('.')
            .map_or((path, None), |(name, rest)| (name, Some(rest)));
        if let Self::Nothing = self {
            *self = Self::Parts(BTreeMap::new());
        }
        let Self::Parts(parts) = self else { return };
        let part = parts.entry(name.to_owned()).or_insert(Self::Nothing);
        match rest {
            Some(rest) => part.add(rest),
            None => *part = Self::All,
        }
    }

    /// What is wanted of the member `name`.
    pub(super) fn part(&self, name: &str) -> &Self {
        match self {
            Self::Nothing => &Self::Nothing,
            Self::All => &Self::All,
            Self::Parts(parts) => parts.get(name).unwrap_or(&Self::Nothing),
        }
    }

    /// The same for the elements of a list, which stand under a name that nobody writes.
    pub(super) fn of_items(&self) -> Self {
        match self {
            Self::Parts(_) => Self::Parts(BTreeMap::from([(ITEM.to_owned(), self.clone())])),
            whole => whole.clone(),
        }
    }

    pub(super) const fn is_anything(&self) -> bool {
        !matches!(self, Self::Nothing)
    }
}

/// Whether a path leads to a column; otherwise the names that are there instead.
pub(super) fn known(fields: &Fields, path: &str) -> Result<(), Vec<String>> {
    let (name, rest) = path
        .split_once('.')
        .map_or((path, None), |(name, rest)| (name, Some(rest)));
    let Some(field) = fields.iter().find(|field| field.name() == name) else {
        return Err(fields.iter().map(|field| field.name().clone()).collect());
    };
    match rest {
        None => Ok(()),
        Some(rest) => known(members(field.data_type()), rest),
    }
}

/// The fields that are chosen of these, with what is chosen of their members.
pub(super) fn fields(of: &Fields, chosen: &Chosen) -> Fields {
    of.iter()
        .filter_map(|field| of_field(field, chosen.part(field.name())))
        .collect()
}

fn of_field(field: &FieldRef, chosen: &Chosen) -> Option<FieldRef> {
    let some = match chosen {
        Chosen::Nothing => return None,
        Chosen::All => return Some(field.clone()),
        some @ Chosen::Parts(_) => some,
    };
    let kind = match field.data_type() {
        DataType::Struct(members) => DataType::Struct(fields(members, some)),
        DataType::List(item) => DataType::List(of_field(item, some)?),
        single => single.clone(),
    };
    Some(Arc::new(field.as_ref().clone().with_data_type(kind)))
}

/// The members of a struct, or of the structs in a list.
fn members(kind: &DataType) -> &Fields {
    static NONE: std::sync::LazyLock<Fields> = std::sync::LazyLock::new(Fields::empty);
    match kind {
        DataType::Struct(fields) => fields,
        DataType::List(item) => match item.data_type() {
            DataType::Struct(fields) => fields,
            _ => &NONE,
        },
        _ => &NONE,
    }
}
