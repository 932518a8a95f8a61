//! HTTP dates (RFC 9110 section 5.6.7), as seconds since 1970.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while_m_n};
use nom::character::complete::{alpha1, char};
use nom::combinator::{all_consuming, map_opt, opt, verify};
use nom::sequence::{preceded, terminated};

use crate::syntax::grammar;
use crate::syntax::input::{Input, Parsed};
use crate::syntax::line::trim;

/// Reads an HTTP-date in the current format (IMF-fixdate), or in one of the two obsolete formats
/// that a recipient must accept (RFC 850 and asctime). Ignores letter case and the name of the day.
/// A year of two digits is in the century that puts it at most 50 years after `now`.
///
/// Returns `None` if the text is not a date. A date before 1970 reads as 0.
pub(crate) fn read(text: &[u8], now: u64) -> Option<u64> {
    let name_of_day = verify(alpha1, |Input(name): &Input<'_>| name.len() >= 3);
    let date = alt((imf_fixdate, |input| rfc_850(input, now), asctime));
    let read: Parsed<'_, _> = all_consuming(preceded(name_of_day, date)).parse(Input(trim(text)));
    let (_, date) = read.ok()?;
    seconds(&date)
}

/// A day, and the number of seconds since its start.
struct Date {
    year: u32,
    month: u32,
    day: u32,
    time: u32,
}

/// `, 06 Nov 1994 08:49:37 GMT`.
fn imf_fixdate(input: Input<'_>) -> Parsed<'_, Date> {
    let day = preceded(tag(", "), digits(2, 2));
    let month = preceded(char(' '), month);
    let year = preceded(char(' '), digits(4, 4));
    let time = preceded(char(' '), time);
    terminated((day, month, year, time), zone)
        .map(|(day, month, year, time)| Date { year, month, day, time })
        .parse(input)
}

/// `, 06-Nov-94 08:49:37 GMT`.
fn rfc_850(input: Input<'_>, now: u64) -> Parsed<'_, Date> {
    let day = preceded(tag(", "), digits(2, 2));
    let month = preceded(char('-'), month);
    let year = preceded(char('-'), digits(2, 2)).map(|year| of_two_digits(year, now));
    let time = preceded(char(' '), time);
    terminated((day, month, year, time), zone)
        .map(|(day, month, year, time)| Date { year, month, day, time })
        .parse(input)
}

/// ` Nov  6 08:49:37 1994`.
fn asctime(input: Input<'_>) -> Parsed<'_, Date> {
    let month = preceded(char(' '), month);
    let day = preceded((char(' '), opt(char(' '))), digits(1, 2));
    let time = preceded(char(' '), time);
    let year = preceded(char(' '), digits(4, 4));
    (month, day, time, year)
        .map(|(month, day, time, year)| Date { year, month, day, time })
        .parse(input)
}

/// A number of `least` to `most` digits.
fn digits<'a>(least: usize, most: usize) -> impl Parser<Input<'a>, Output = u32, Error = ()> {
    map_opt(take_while_m_n(least, most, |digit: u8| digit.is_ascii_digit()), |Input(digits)| {
        grammar::number(digits)
    })
}

/// Reads the name of a month, and returns its number.
fn month(input: Input<'_>) -> Parsed<'_, u32> {
    map_opt(alpha1, |Input(name)| month_of(name)).parse(input)
}

/// Reads `hh:mm:ss`, and returns the seconds since the start of the day. 60 seconds are a leap
/// second.
fn time(input: Input<'_>) -> Parsed<'_, u32> {
    let up_to = |most: u32| verify(digits(2, 2), move |part: &u32| *part <= most);
    (up_to(23), preceded(char(':'), up_to(59)), preceded(char(':'), up_to(60)))
        .map(|(hours, minutes, seconds)| {
            hours.wrapping_mul(3600).wrapping_add(minutes.wrapping_mul(60)).wrapping_add(seconds)
        })
        .parse(input)
}

/// ` GMT`, or ` UTC`.
fn zone(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let is_known = |Input(name): &Input<'_>| {
        name.eq_ignore_ascii_case(b"GMT") || name.eq_ignore_ascii_case(b"UTC")
    };
    preceded(char(' '), verify(alpha1, is_known)).parse(input)
}

fn month_of(name: &[u8]) -> Option<u32> {
    let mut names: &[u8] = b"janfebmaraprmayjunjulaugsepoctnovdec";
    let mut number = 1_u32;
    while let Some((month, rest)) = names.split_at_checked(3) {
        if name.eq_ignore_ascii_case(month) {
            return Some(number);
        }
        (names, number) = (rest, number.saturating_add(1));
    }
    None
}

fn of_two_digits(year: u32, now: u64) -> u32 {
    const YEAR: u64 = 31_556_952;
    let this = u32::try_from(now / YEAR).map_or(9999, |years| years.saturating_add(1970).min(9999));
    let same_century = this.saturating_sub(this % 100).saturating_add(year);
    if same_century > this.saturating_add(50) {
        same_century.saturating_sub(100)
    } else {
        same_century
    }
}

/// Seconds since 1970 of a date in the Gregorian calendar; `None` if there is no such day.
fn seconds(date: &Date) -> Option<u64> {
    let &Date { year, month, day, time } = date;
    // The calendar repeats after 400 years. The added years keep `year` above 0 in this function.
    let year = year.wrapping_add(400);
    let is_leap = leap_years(year) != leap_years(year.wrapping_sub(1));
    let days_of_month = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 31,
    };
    if !(1..=days_of_month).contains(&day) {
        return None;
    }
    // Adds up the days of the previous years and months. The years here begin in March, so that the
    // leap day is the last day of its year.
    let (from_march, year) = if month > 2 {
        (month.wrapping_sub(3), year)
    } else {
        (month.wrapping_add(9), year.wrapping_sub(1))
    };
    let days = year
        .wrapping_mul(365)
        .wrapping_add(leap_years(year))
        .wrapping_add(from_march.wrapping_mul(153).wrapping_add(2) / 5)
        .wrapping_add(day);
    // 1 January 1970 is day 719,469 of this count without the added 400 years, which have 146,097
    // days.
    Some(
        days.checked_sub(719_469 + 146_097)
            .map_or(0, |days| u64::from(days).wrapping_mul(86_400).wrapping_add(u64::from(time))),
    )
}

/// The number of leap years from the year 1 to this one.
#[inline(never)] // There are three calls, and one copy of the code is smaller.
const fn leap_years(year: u32) -> u32 {
    (year / 4).wrapping_sub(year / 100).wrapping_add(year / 400)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_790_000_000;

    fn at(text: &str) -> Option<u64> {
        read(text.as_bytes(), NOW)
    }

    #[test]
    fn the_three_forms() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            " sun, 06 nov 1994 08:49:37 gmt\t",
        ] {
            assert_eq!(at(text), Some(784_111_777), "{text}");
        }
        assert_eq!(at("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(at("Thu, 29 Feb 2024 23:59:60 GMT"), Some(1_709_251_200));
        assert_eq!(at("Fri, 31 Dec 9999 23:59:59 GMT"), Some(253_402_300_799));
        assert_eq!(at("Fri, 01 Jan 0000 00:00:00 GMT"), Some(0));
        assert_eq!(at("Sunday, 06-Nov-76 08:49:37 GMT"), at("Sun, 06 Nov 2076 08:49:37 GMT"));
        assert_eq!(at("Sunday, 06-Nov-77 08:49:37 GMT"), at("Sun, 06 Nov 1977 08:49:37 GMT"));
    }

    #[test]
    fn other_texts_are_not_dates() {
        for text in [
            "",
            "0",
            "-1",
            "1994-11-06T08:49:37Z",
            "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT",
            "Wed, 29 Feb 2023 08:49:37 GMT",
            "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 19940 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT; x",
            "Sun Nov  6 08:49:37 1994 GMT",
            "Su, 06 Nov 1994 08:49:37 GMT",
        ] {
            assert_eq!(at(text), None, "{text}");
        }
    }
}
