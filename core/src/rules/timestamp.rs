//! Recognizes dates and times in ISO 8601 format.

use crate::syntax::text::Text;

/// Whether a text is a date and time in ISO 8601, such as `2026-02-01T00:00:00Z`. The date is a
/// calendar date, an ordinal date (`2026-032`) or a week date (`2026-W05-7`). Date and time are
/// both in the extended format, or both in the basic format without hyphens and colons
/// (`20260201T000000Z`). Minutes, seconds, a fraction and the offset are optional. A date without a
/// time is valid too.
pub(crate) fn is_iso_8601(text: Text<'_>) -> bool {
    // The longest form with nine fraction digits has 35 characters. Texts longer than 48 bytes are
    // rejected.
    let mut buffer = [0; 48];
    let Ok(text) = text.decode(&mut buffer) else {
        return false;
    };
    read(text.as_bytes()).is_some()
}

/// Whether a text is a calendar date such as `2026-02-01`.
pub(crate) fn is_date(text: Text<'_>) -> bool {
    let is_hyphen = |at: usize| text.chars().nth(at) == Some('-');
    text.chars().count() == 10 && is_hyphen(4) && is_hyphen(7) && is_iso_8601(text)
}

/// The minutes of a day.
const DAY: u32 = 24 * 60;

fn read(text: &[u8]) -> Option<()> {
    let mut rest = text;
    let is_extended = date(&mut rest)?;
    if rest.is_empty() {
        return Some(());
    }
    literal(&mut rest, b"Tt")?;
    let hour = number(&mut rest, 2)?;
    let (mut minute, mut second) = (0, 0);
    if continues(&mut rest, is_extended) {
        minute = number(&mut rest, 2)?;
        if continues(&mut rest, is_extended) {
            second = number(&mut rest, 2)?;
        }
    }
    within(minute, 0, 59)?;
    // 60 is a leap second, the last second of a day in UTC; 24:00 is the end of a day.
    within(second, 0, 60)?;
    within(hour, 0, if minute == 0 && second == 0 { 24 } else { 23 })?;
    if literal(&mut rest, b".,").is_some() {
        number(&mut rest, 1)?;
        while number(&mut rest, 1).is_some() {}
    }
    let clock = hour.wrapping_mul(60).wrapping_add(minute);
    let is_leap =
        |offset: u32| second < 60 || DAY.wrapping_add(clock).wrapping_sub(offset) % DAY == DAY - 1;
    if rest.is_empty() {
        // The offset of a local time is unknown, but it is a multiple of a quarter of an hour.
        return (second < 60 || minute % 15 == 14).then_some(());
    }
    if literal(&mut rest, b"Zz").is_some() {
        return (rest.is_empty() && is_leap(0)).then_some(());
    }
    let is_behind = rest.first() == Some(&b'-');
    literal(&mut rest, b"+-")?;
    let hours = number(&mut rest, 2)?;
    within(hours, 0, 23)?;
    let mut minutes = 0;
    if !rest.is_empty() {
        literal(&mut rest, b":");
        minutes = number(&mut rest, 2)?;
        within(minutes, 0, 59)?;
    }
    let offset = hours.wrapping_mul(60).wrapping_add(minutes);
    let is_valid = is_leap(if is_behind { DAY.wrapping_sub(offset) } else { offset });
    (rest.is_empty() && is_valid).then_some(())
}

/// Consumes a date. Returns true if it is in the extended format.
fn date(rest: &mut &[u8]) -> Option<bool> {
    let year = number(rest, 4)?;
    let is_extended = literal(rest, b"-").is_some();
    let separator = |rest: &mut &[u8]| {
        if is_extended { literal(rest, b"-") } else { Some(()) }
    };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if literal(rest, b"W").is_some() {
        within(number(rest, 2)?, 1, weeks(year))?;
        separator(rest)?;
        within(number(rest, 1)?, 1, 7)?;
    } else if digits == 3 {
        within(number(rest, 3)?, 1, 337_u32.wrapping_add(days(year, 2)))?;
    } else {
        let month = number(rest, 2)?;
        within(month, 1, 12)?;
        separator(rest)?;
        within(number(rest, 2)?, 1, days(year, month))?;
    }
    Some(is_extended)
}

/// Whether another part of a time follows. Consumes the colon before that part.
fn continues(rest: &mut &[u8], is_extended: bool) -> bool {
    if is_extended {
        literal(rest, b":").is_some()
    } else {
        rest.first().is_some_and(u8::is_ascii_digit)
    }
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
        Some(value.wrapping_mul(10).wrapping_add(char::from(digit).to_digit(10)?))
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

/// The number of weeks of a year: 53 if it has 53 Thursdays.
const fn weeks(year: u32) -> u32 {
    // The day of the week of 31 December, 0 for Sunday.
    const fn last_day(year: u32) -> u32 {
        year.wrapping_add(year / 4).wrapping_sub(year / 100).wrapping_add(year / 400) % 7
    }
    if last_day(year) == 4 || (year > 0 && last_day(year.wrapping_sub(1)) == 3) { 53 } else { 52 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_dates_and_times_are_accepted() {
        for text in [
            "2026-02-01T00:00:00Z",
            "2026-02-01T00:00:00.000Z",
            "2026-02-01T09:30:00+05:30",
            "2026-02-01T09:30:00,5-0800",
            "2024-02-29T23:59:60Z",
            "2024-02-29T18:29:60-05:30",
            "2024-03-01T05:29:60+05:30",
            "2024-03-01T00:59:60",
            "2026-02-01T09:30",
            "2026-02-01T24:00:00+01",
            "2026-02-01",
            "20260201T000000Z",
            "20260201T0930+0530",
            "20260201T093000.25Z",
            "20260201T09",
            "20260201",
            "2026-032T00:00:00Z",
            "2026032T000000Z",
            "2024-366",
            "2026-W05-7T00:00:00Z",
            "2026W057T000000+01",
            "2026-W53-5",
            "2020W531",
            "2026-02-01T09Z",
            "2026-02-01T09.5Z",
        ] {
            assert!(is_iso_8601(Text::plain(text.as_bytes())), "{text}");
        }
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in [
            "",
            "1769904000",
            "last Tuesday",
            "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-02-01T24:00:01Z",
            "2026-02-01T00:60:00Z",
            "2026-02-01T00:00:60Z",
            "2026-02-01T23:58:60Z",
            "2026-02-01T23:59:60+01:00",
            "2026-02-01T00:00:60",
            "2026-02-01 00:00:00Z",
            "2026-2-1",
            "2026-02-01T00:00:00.Z",
            "2026-02-01T00:00:00Zx",
            "2026-02-01T00:00:00+",
            "2026-02-01T00:00:00+25:00",
            "02/01/2026",
            "2026-02-01T",
            "\u{661}026-02-01",
            "2026-02-01T093000Z",
            "20260201T09:30:00Z",
            "2026-0201",
            "202602-01",
            "2026-W057",
            "2026W05-7",
            "2026-W05",
            "2026-02",
            "2026-000",
            "2026-366T00:00:00Z",
            "2025-W53-1",
            "2026-W00-1",
            "2026-W01-8",
            "20261301",
            "20260201T2500Z",
        ] {
            assert!(!is_iso_8601(Text::plain(text.as_bytes())), "{text}");
        }
    }
}
