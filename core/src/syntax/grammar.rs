//! The grammars of values: rate limits, parameters, durations.

use crate::manifest::{Choice, List, RateLimit};
use crate::syntax::text::{Text, trim};

/// A rate limit `N/window` in a text that may be escaped.
pub(crate) fn rate_limit(text: Text<'_>) -> Option<RateLimit<'_>> {
    if !text.is_escaped() {
        return crate::format::agents_txt::grammar::rate_limit(trim(text.raw()));
    }
    let mut buffer = [0; 48];
    let plain =
        crate::format::agents_txt::grammar::rate_limit(text.decode(&mut buffer).ok()?.as_bytes())?;
    Some(RateLimit {
        requests: plain.requests,
        window: Choice::implied(plain.window.value),
        metadata: List::empty(),
    })
}

/// The seconds of a duration: a number and one of `s`, `m`, `h`, `d` (`24h`, `7d`). Absent where it is none, or beyond 32 bits.
pub(crate) fn duration_seconds(text: Text<'_>) -> Option<u32> {
    let mut buffer = [0; 24];
    let plain = match text.is_escaped() {
        false => text.raw(),
        true => text.decode(&mut buffer).ok()?.as_bytes(),
    };
    let (unit, digits) = trim(plain).split_last()?;
    let seconds = match unit {
        b's' => 1,
        b'm' => 60,
        b'h' => 3600,
        b'd' => 86_400,
        _ => return None,
    };
    number(trim(digits))?.checked_mul(seconds)
}

/// A decimal number of 32 bits, digits alone.
pub(crate) fn number(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u32, |number, digit| {
        let digit = char::from(*digit).to_digit(10)?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_number_and_a_unit() {
        let seconds = |text: &'static str| duration_seconds(Text::plain(text.as_bytes()));
        assert_eq!(
            [
                seconds("30s"),
                seconds("15m"),
                seconds("24h"),
                seconds("7 d")
            ],
            [Some(30), Some(900), Some(86_400), Some(604_800)]
        );
        assert_eq!(
            [
                seconds(""),
                seconds("h"),
                seconds("1.5h"),
                seconds("-1h"),
                seconds("99999999999d"),
                seconds("1w")
            ],
            [None; 6]
        );
        assert_eq!(duration_seconds(Text::json(br"1d")), Some(86_400));
    }
}
