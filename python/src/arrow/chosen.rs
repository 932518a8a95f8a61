//! The selection of columns and their members: `service`, or `capabilities.auth.type`.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_schema::{DataType, FieldRef, Fields};

/// The name of the element of every list.
pub(super) const ITEM: &str = "item";

/// The selection within a column.
#[derive(Clone, Debug)]
pub(crate) enum Chosen {
    Nothing,
    All,
    /// Only these members.
    Parts(BTreeMap<String, Chosen>),
}

impl Chosen {
    /// Creates the selection from paths, whose members are separated by dots.
    pub(super) fn from_paths<'p>(paths: impl IntoIterator<Item = &'p str>) -> Self {
        let mut top = Self::Nothing;
        for path in paths {
            top.add(path);
        }
        top
    }

    fn add(&mut self, path: &str) {
        let (name, rest) =
            path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
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

    /// Returns the selection within the member `name`.
    pub(super) fn part(&self, name: &str) -> &Self {
        match self {
            Self::Nothing => &Self::Nothing,
            Self::All => &Self::All,
            Self::Parts(parts) => parts.get(name).unwrap_or(&Self::Nothing),
        }
    }

    /// Returns the selection within the elements of a list, whose name is not part of paths.
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

/// Checks that a path leads to a column; returns the available names otherwise.
pub(super) fn known(fields: &Fields, path: &str) -> Result<(), Vec<String>> {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let Some(field) = fields.iter().find(|field| field.name() == name) else {
        return Err(fields.iter().map(|field| field.name().clone()).collect());
    };
    match rest {
        None => Ok(()),
        Some(rest) => known(members(field.data_type()), rest),
    }
}

/// Returns the selected fields, with only the selected members.
pub(super) fn fields(of: &Fields, chosen: &Chosen) -> Fields {
    of.iter().filter_map(|field| of_field(field, chosen.part(field.name()))).collect()
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

/// Returns the members of a struct, or of the structs in a list.
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
