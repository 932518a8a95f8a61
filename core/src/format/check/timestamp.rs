//! Dates and times in ISO 8601 format.

use crate::syntax::text::Text;

/// Whether a text is a date and time in the extended format of ISO 8601, such as
/// `2026-02-01T00:00:00Z`: seconds, their fraction and the offset are optional. A date without a
/// time is valid too.
pub(crate) fn is_iso_8601(text: Text<'_>) -> bool {
    // The longest form with nine fraction digits has 35 characters; longer fractions are rejected.
    let mut buffer = [0; 48];
    let Ok(text) = text.decode(&mut buffer) else {
        return false;
    };
    read(text.as_bytes()).is_some()
}

fn read(text: &[u8]) -> Option<()> {
    let mut rest = text;
    let year = number(&mut rest, 4)?;
    literal(&mut rest, b"-")?;
    let month = number(&mut rest, 2)?;
    literal(&mut rest, b"-")?;
    let day = number(&mut rest, 2)?;
    within(month, 1, 12)?;
    within(day, 1, days(year, month))?;
    if rest.is_empty() {
        return Some(());
    }
    literal(&mut rest, b"Tt ")?;
    let hour = number(&mut rest, 2)?;
    literal(&mut rest, b":")?;
    let minute = number(&mut rest, 2)?;
    within(minute, 0, 59)?;
    let mut second = 0;
    if literal(&mut rest, b":").is_some() {
        second = number(&mut rest, 2)?;
    }
    // 60 is a leap second; 24:00 is the end of a day.
    within(second, 0, 60)?;
    within(hour, 0, if minute == 0 && second == 0 { 24 } else { 23 })?;
    if literal(&mut rest, b".,").is_some() {
        number(&mut rest, 1)?;
        while number(&mut rest, 1).is_some() {}
    }
    if rest.is_empty() || literal(&mut rest, b"Zz").is_some() {
        return rest.is_empty().then_some(());
    }
    literal(&mut rest, b"+-")?;
    within(number(&mut rest, 2)?, 0, 23)?;
    if !rest.is_empty() {
        literal(&mut rest, b":");
        within(number(&mut rest, 2)?, 0, 59)?;
    }
    rest.is_empty().then_some(())
}

/// Consumes one of the given characters.
fn literal(rest: &mut &[u8], one_of: &[u8]) -> Option<()> {
    let (first, tail) = rest.split_first()?;
    one_of.contains(first).then(|| *rest = tail)
}

/// Consumes a number with exactly this many digits.
fn number(rest: &mut &[u8], digits: usize) -> Option<u32> {
    let (head, tail) = rest.split_at_checked(digits)?;
    let value = head.iter().try_fold(0_u32, |value, &digit| {
        Some(
            value
                .wrapping_mul(10)
                .wrapping_add(char::from(digit).to_digit(10)?),
        )
    })?;
    *rest = tail;
    Some(value)
}

fn within(value: u32, least: u32, greatest: u32) -> Option<()> {
    (least..=greatest).contains(&value).then_some(())
}

const fn days(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_date_and_time() {
        for text in [
            "2026-02-01T00:00:00Z",
            "2026-02-01T00:00:00.000Z",
            "2026-02-01T09:30:00+05:30",
            "2026-02-01T09:30:00,5-0800",
            "2024-02-29T23:59:60Z",
            "2026-02-01T09:30",
            "2026-02-01T24:00:00+01",
            "2026-02-01",
        ] {
            assert!(is_iso_8601(Text::plain(text.as_bytes())), "{text}");
        }
    }

    #[test]
    fn what_is_none() {
        for text in [
            "",
            "1769904000",
            "last Tuesday",
            "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-02-01T24:00:01Z",
            "2026-02-01T00:60:00Z",
            "2026-2-1",
            "2026-02-01T00:00:00.Z",
            "2026-02-01T00:00:00Zx",
            "2026-02-01T00:00:00+",
            "2026-02-01T00:00:00+25:00",
            "02/01/2026",
            "2026-02-01T",
            "\u{661}026-02-01",
        ] {
            assert!(!is_iso_8601(Text::plain(text.as_bytes())), "{text}");
        }
    }
}
