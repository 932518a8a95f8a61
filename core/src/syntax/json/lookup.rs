//! What a view's table says of a name: which field it belongs to, and whether a value stays as metadata.
//!
//! On a host, a name is found at once ([`Names`]). On firmware, where that would take more room than all names together, the table is in as few bytes as it
//! goes ([`Compact`]), and one name after the other is compared.

use super::names::Names;
use super::value::Value;
use super::view::{Field, NAME, Shape, Table, plain_name};
use crate::format::{Format, adp, agents_json, agents_json_01, awp};
use crate::syntax::catalog::Catalog;
use crate::syntax::text::Text;

/// A view's table, for whoever asks it about names.
#[derive(Clone, Copy)]
pub(crate) struct Lookup {
    #[cfg(not(target_os = "none"))]
    fields: &'static [Field],
    #[cfg(not(target_os = "none"))]
    names: &'static Names,
    #[cfg(target_os = "none")]
    table: &'static Compact,
}

impl Lookup {
    /// That of a view.
    pub(crate) const fn of<V: Table>() -> Self {
        Self {
            #[cfg(not(target_os = "none"))]
            fields: V::FIELDS,
            #[cfg(not(target_os = "none"))]
            names: V::NAMES,
            #[cfg(target_os = "none")]
            table: V::COMPACT_TABLE,
        }
    }

    /// That with a number.
    #[cfg(target_os = "none")]
    pub(crate) fn numbered(number: u32) -> Option<Self> {
        Compact::numbered(number).map(|table| Self { table })
    }

    /// The number of the field that a name belongs to.
    pub(crate) fn number(&self, name: Text<'_>) -> Option<u32> {
        #[cfg(not(target_os = "none"))]
        return self.names.find(name);
        #[cfg(target_os = "none")]
        return self.table.number(name);
    }

    /// The same for a name that stands in `bytes`.
    pub(crate) fn number_in(&self, bytes: &[u8], name: Text<'_>) -> Option<u32> {
        #[cfg(not(target_os = "none"))]
        return self.names.find_in(bytes, name);
        #[cfg(target_os = "none")]
        return {
            let _ = bytes; // Only words that are loaded at once need what stands around a name.
            self.number(name)
        };
    }

    /// The name that the specification gives to a field; empty where there is no such field.
    pub(crate) fn name(&self, number: u32) -> &'static [u8] {
        #[cfg(not(target_os = "none"))]
        return self.fields.get(number as usize).map_or(b"", Field::name);
        #[cfg(target_os = "none")]
        return self.table.names.name(number as usize).as_bytes();
    }

    /// Whether a value of a field stays as metadata: it cannot be read, or the unified model has no place for it. A `null` is absent.
    #[inline]
    pub(crate) fn stays(&self, number: u32, value: Value<'_>) -> bool {
        if value.is_null() {
            return false;
        }
        #[cfg(not(target_os = "none"))]
        return self
            .fields
            .get(number as usize)
            .is_none_or(|field| field.kept || !(field.reads)(value));
        #[cfg(target_os = "none")]
        return self.table.stays(number, value);
    }
}

/// When a value of a field stays as metadata.
#[cfg_attr(not(any(target_os = "none", test)), allow(dead_code))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stays {
    /// Always: the unified model has no place for it.
    Always,
    /// Where it is of another type.
    Unless(Shape),
    /// Where the field's type cannot read it.
    Unread,
}

/// How many tables a format may have: so far apart are the numbers of the first ones.
pub(crate) const TABLES_OF_FORMAT: u32 = 16;

/// A view's table as firmware has it.
#[cfg_attr(not(any(target_os = "none", test)), allow(dead_code))]
pub(crate) struct Compact {
    /// The names of all fields.
    pub(crate) names: Catalog,
    /// Of each field when its values stay.
    pub(crate) stays: &'static [Stays],
    /// Whether a field can read a value; asked only about fields that say [`Stays::Unread`].
    pub(crate) reads: fn(u32, Value<'_>) -> bool,
}

#[cfg_attr(not(any(target_os = "none", test)), allow(dead_code))]
impl Compact {
    /// The table with a number, which a list can keep where it has no room for a table.
    pub(crate) fn numbered(number: u32) -> Option<&'static Self> {
        const fn of(format: Format, tables: &'static [Compact]) -> &'static [Compact] {
            assert!(tables.len() <= TABLES_OF_FORMAT as usize);
            if format.is_built_in() { tables } else { &[] }
        }
        const TABLES: &[&[Compact]] = &[
            of(Format::AgentsJson, agents_json::TABLES),
            of(Format::AgentsJson01, agents_json_01::TABLES),
            of(Format::Adp, adp::TABLES),
            of(Format::Awp, awp::TABLES),
        ];
        TABLES
            .get((number / TABLES_OF_FORMAT) as usize)?
            .get((number % TABLES_OF_FORMAT) as usize)
    }

    fn number(&self, name: Text<'_>) -> Option<u32> {
        let mut buffer = [0; NAME];
        self.names
            .number(plain_name(name, &mut buffer))
            .map(|number| number as u32)
    }

    fn stays(&self, number: u32, value: Value<'_>) -> bool {
        match self.stays.get(number as usize) {
            Some(Stays::Unless(shape)) => !shape.fits(value),
            Some(Stays::Unread) => !(self.reads)(number, value),
            Some(Stays::Always) | None => true,
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::super::found;
    use super::super::record::Record;
    use super::super::view::View;
    use super::*;
    use crate::syntax::catalog::BETWEEN;
    use crate::syntax::pieces::Pieces;
    use std::format;
    use std::string::String;

    /// Values of every kind, and such as types of few fields read.
    const VALUES: [&str; 18] = [
        "null",
        "true",
        "false",
        "0",
        "7",
        "-1",
        "1.5",
        "4294967296",
        r#""""#,
        r#""text""#,
        r#""60/minute""#,
        r#""a\u0062c""#,
        "[]",
        r#"["a", 1, "b"]"#,
        "{}",
        r#"{"requests": 60, "window": "minute", "more": 1}"#,
        r#"{"requests_per_minute": 5, "daily_limit": "x"}"#,
        r#"{"type": "oauth2", "scopes": ["a"]}"#,
    ];

    fn values() -> impl Iterator<Item = Value<'static>> {
        VALUES.iter().map(|text| Value::trusted(text.as_bytes()))
    }

    /// What firmware has instead of a table says the same.
    fn says_the_same<V: Table>(format: Format) {
        for (number, field) in V::FIELDS.iter().enumerate() {
            assert_eq!(V::COMPACT_TABLE.names.name(number).as_bytes(), field.name());
            for name in Pieces::of(field.names, BETWEEN).map(Text::plain) {
                assert_eq!(V::COMPACT_TABLE.number(name), Some(number as u32));
                assert_eq!(V::NAMES.find(name), Some(number as u32));
            }
            for value in values().filter(|value| !value.is_null()) {
                let stays = field.kept || !(field.reads)(value);
                assert_eq!(
                    V::COMPACT_TABLE.stays(number as u32, value),
                    stays,
                    "{:?} {value:?}",
                    Text::plain(field.name())
                );
            }
        }
        assert_eq!(V::COMPACT_TABLE.stays.len(), V::FIELDS.len());
        let numbered = Compact::numbered(V::NUMBER).map(|table| table.names.as_str());
        assert_eq!(
            numbered,
            format
                .is_built_in()
                .then(|| V::COMPACT_TABLE.names.as_str())
        );
        assert_eq!(
            V::COMPACT_TABLE.number(Text::plain(b"nothing of this name")),
            None
        );
    }

    /// What firmware fills a view with is what a host reads: one member, and then another one of the same name.
    fn is_filled_the_same<'a, V: View<'a> + found::Fields<'a> + core::fmt::Debug>(
        object: &'a str,
        take_own: fn(&mut V, &[(u32, Value<'a>)]),
    ) {
        let bytes = object.as_bytes();
        let mut record = Record::<0>::new();
        record.open(0);
        record.marks.end = bytes.len() as u32;
        let mut filled = V::noted(bytes, &record);
        let mut own = found::Own::new();
        found::read(
            &mut filled,
            Value::trusted(bytes),
            Lookup::of::<V>(),
            &mut own,
        );
        take_own(&mut filled, &own);
        assert_eq!(
            format!("{filled:?}"),
            format!("{:?}", V::of_value(Value::trusted(bytes))),
            "{object}"
        );
    }

    fn objects<V: Table>() -> impl Iterator<Item = String> {
        let names = V::FIELDS
            .iter()
            .flat_map(|field| Pieces::of(field.names, BETWEEN))
            .chain([&b"other"[..]]);
        names.flat_map(|name| {
            let name = Text::plain(name);
            VALUES.iter().flat_map(move |value| {
                let both = VALUES
                    .iter()
                    .map(move |last| format!(r#"{{"{name}": {value}, "{name}": {last}}}"#));
                both.chain([format!(r#"{{"{name}": {value}}}"#)])
            })
        })
    }

    macro_rules! for_views {
        ($($module:ident $format:ident: $($view:ident)*;)*) => {
            #[test]
            fn firmware_looks_names_up_as_a_host_does() {
                $($(says_the_same::<$module::$view<'_>>(Format::$format);)*)*
            }

            #[test]
            fn firmware_fills_views_as_a_host_does() {
                $($(
                    for object in objects::<$module::$view<'_>>() {
                        is_filled_the_same(&object, $module::$view::take_own);
                    }
                )*)*
            }
        };
    }

    for_views! {
        agents_json AgentsJson: Top Site CapabilityObject AuthObject RateLimitObject ParameterObject AccessObject AgentObject;
        agents_json_01 AgentsJson01: Top Site CapabilityObject ParamObject SessionObject FlowObject RateLimitObject AuditObject;
        adp Adp: Top Entry AuthObject PricingObject PlanObject Detail ParameterObject RateLimitsObject SearchTop ResultObject SearchService;
        awp Awp: Top Features AuthObject ProtocolObject Action Input IdempotencyObject EntityObject ErrorObject StatusObject;
    }
}
