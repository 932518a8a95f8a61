//! Points in time as HTTP writes them (RFC 9110 section 5.6.7), in seconds since 1970.

/// Reads an HTTP-date: the fixed form of today, and the two that a recipient must read besides (RFC 850 and asctime). Words compare without
/// letter case, and the name of the day is not looked at. `now` settles the century of a year of two digits: it is at most 50 years ahead.
///
/// `None` where it is no date. A date before 1970 reads as 0.
pub(super) fn read(text: &[u8], now: u64) -> Option<u64> {
    let mut rest = Rest(crate::syntax::line::trim(text));
    let day_name = rest.letters();
    if day_name.len() < 3 {
        return None;
    }
    if rest.literal(b",").is_some() {
        rest.literal(b" ")?;
        let day = rest.number(2, 2)?;
        let is_rfc_850 = rest.literal(b"-").is_some();
        let separator: &[u8] = if is_rfc_850 { b"-" } else { b" " };
        if !is_rfc_850 {
            rest.literal(separator)?;
        }
        let month = month(rest.letters())?;
        rest.literal(separator)?;
        let year = if is_rfc_850 { of_two_digits(rest.number(2, 2)?, now) } else { rest.number(4, 4)? };
        rest.literal(b" ")?;
        let time = rest.time()?;
        rest.literal(b" ")?;
        let zone = rest.letters();
        let is_utc = zone.eq_ignore_ascii_case(b"GMT") || zone.eq_ignore_ascii_case(b"UTC");
        return if is_utc && rest.0.is_empty() { seconds(year, month, day, time) } else { None };
    }
    rest.literal(b" ")?;
    let month = month(rest.letters())?;
    rest.literal(b" ")?;
    let _ = rest.literal(b" ");
    let day = rest.number(1, 2)?;
    rest.literal(b" ")?;
    let time = rest.time()?;
    rest.literal(b" ")?;
    let year = rest.number(4, 4)?;
    if rest.0.is_empty() { seconds(year, month, day, time) } else { None }
}

/// What is not read yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn literal(&mut self, literal: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(literal)?;
        Some(())
    }

    fn letters(&mut self) -> &'a [u8] {
        let end = self.0.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(self.0.len());
        let (letters, rest) = self.0.split_at_checked(end).unwrap_or_default();
        self.0 = rest;
        letters
    }

    /// A number of so many digits, at most four.
    fn number(&mut self, least: usize, most: usize) -> Option<u32> {
        let end = self.0.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at_checked(end).filter(|_| end >= least)?;
        self.0 = rest;
        Some(digits.iter().fold(0_u32, |number, digit| number.wrapping_mul(10).wrapping_add(u32::from(digit.wrapping_sub(b'0')))))
    }

    /// Seconds of the day of `hh:mm:ss`; 60 is a leap second.
    fn time(&mut self) -> Option<u64> {
        let hour = self.number(2, 2).filter(|hour| *hour < 24)?;
        self.literal(b":")?;
        let minute = self.number(2, 2).filter(|minute| *minute < 60)?;
        self.literal(b":")?;
        let second = self.number(2, 2).filter(|second| *second <= 60)?;
        Some(u64::from(hour.wrapping_mul(3600).wrapping_add(minute.wrapping_mul(60)).wrapping_add(second)))
    }
}

fn month(name: &[u8]) -> Option<u32> {
    const NAMES: [&[u8]; 12] = [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];
    (1..).zip(NAMES).find(|(_, month)| name.eq_ignore_ascii_case(month)).map(|(number, _)| number)
}

fn of_two_digits(year: u32, now: u64) -> u32 {
    // A year in units of eight seconds, of which 32 bits hold a thousand years: a division of 64 is a function of its own on small machines.
    const YEAR: u32 = 31_556_952 / 8;
    let this = u32::try_from(now / 8).map_or(9999, |eights| (eights / YEAR).saturating_add(1970));
    let same_century = this.saturating_sub(this % 100).saturating_add(year);
    if same_century > this.saturating_add(50) { same_century.saturating_sub(100) } else { same_century }
}

/// Seconds since 1970 of a date in the Gregorian calendar; `None` where there is no such day.
fn seconds(year: u32, month: u32, day: u32, time: u64) -> Option<u64> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days_of_month = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 31,
    };
    if !(1..=days_of_month).contains(&day) {
        return None;
    }
    // Days of the years before, and of the months before in a year that begins in March.
    let (from_march, year) = if month > 2 { (month.wrapping_sub(3), year) } else { (month.wrapping_add(9), year.saturating_sub(1)) };
    let days = u64::from(year)
        .wrapping_mul(365)
        .wrapping_add(u64::from(year / 4))
        .wrapping_sub(u64::from(year / 100))
        .wrapping_add(u64::from(year / 400))
        .wrapping_add(u64::from(from_march.wrapping_mul(153).wrapping_add(2) / 5))
        .wrapping_add(u64::from(day));
    // 1 January 1970 is day 719,469 of this count.
    Some(days.checked_sub(719_469).map_or(0, |days| days.wrapping_mul(86_400).wrapping_add(time)))
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
    fn what_is_no_date() {
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
