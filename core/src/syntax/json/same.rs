//! Compares values.

use super::locate::Words;
use super::machine::{Core, Step};
use super::tokenizer::TokenKind;
use super::value::{Kind, Number, Value};
use crate::limits::Limits;

impl<'a> Value<'a> {
    /// Whether two values are equal: the same tokens, however they are written. Members have the
    /// same order. Linear in the shorter value.
    pub(crate) fn is_same(self, other: Value<'_>) -> bool {
        if self.raw() == other.raw() {
            return true;
        }
        let mut one = Core::<Words>::at(self.raw(), 0, Limits::MAX_DEPTH);
        let mut two = Core::<Words>::at(other.raw(), 0, Limits::MAX_DEPTH);
        loop {
            match (one.step(), two.step()) {
                (Ok(None), Ok(None)) => return true,
                (Ok(Some(a)), Ok(Some(b))) if are_same((&one, a), (&two, b)) => {}
                _ => return false,
            }
        }
    }

    /// Whether two values agree: they are equal, or one is a list that contains the other.
    pub(crate) fn agrees_with(self, other: Value<'_>) -> bool {
        let contains = |list: Value<'_>, item: Value<'_>| {
            item.kind() != Kind::Array && list.elements().any(|element| element.is_same(item))
        };
        self.is_same(other) || contains(self, other) || contains(other, self)
    }
}

fn are_same((one, a): (&Core<'_, Words>, Step), (two, b): (&Core<'_, Words>, Step)) -> bool {
    a.kind == b.kind
        && match a.kind {
            TokenKind::String | TokenKind::Name => one.text(a) == two.text(b),
            TokenKind::Number => {
                let (a, b) = (number_of(one, a), number_of(two, b));
                let is_whole = a.as_u64().is_some() || a.as_i64().is_some();
                a.raw() == b.raw()
                    || is_whole && (a.as_u64(), a.as_i64()) == (b.as_u64(), b.as_i64())
            }
            _ => true,
        }
}

fn number_of<'a>(tokens: &Core<'a, Words>, step: Step) -> Number<'a> {
    Number::new(tokens.bytes().get(step.start..step.end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_same_however_they_are_written() {
        let is_same = |a: &'static str, b: &'static str| {
            let (a, b) = (Value::trusted(a.as_bytes()), Value::trusted(b.as_bytes()));
            assert_eq!(a.is_same(b), b.is_same(a));
            a.is_same(b)
        };
        assert!(is_same(r#"{"a": [1, "b"]}"#, r#"{"\u0061":[1.0,"\u0062"]}"#));
        assert!(is_same("5e0", "5") && is_same("-0", "0") && is_same("null", "null"));
        for (a, b) in [
            ("1.5", "2.5"),
            ("1e99", "1e98"),
            ("true", "false"),
            ("[1]", "[1,2]"),
            (r#"{"a":1}"#, r#"{"b":1}"#),
            (r#"{"a":1}"#, r#"["a",1]"#),
            (r#""a""#, r#""b""#),
        ] {
            assert!(!is_same(a, b), "{a} {b}");
        }
    }

    #[test]
    fn a_list_agrees_with_each_of_its_values() {
        let agree = |a: &'static str, b: &'static str| {
            Value::trusted(a.as_bytes()).agrees_with(Value::trusted(b.as_bytes()))
        };
        assert!(agree(r#"["a", "b"]"#, r#""b""#) && agree("1", "[2, 1]"));
        assert!(!agree(r#"["a"]"#, r#""b""#) && !agree("[[1]]", "[1]") && !agree("[1]", "[1, 2]"));
    }
}
