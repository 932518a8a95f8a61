//! Points in time as HTTP writes them (RFC 9110 section 5.6.7), in seconds since 1970.

/// Reads an HTTP-date: the fixed form of today, and the two that a recipient must read besides (RFC 850 and asctime). Words compare without
/// letter case, and the name of the day is not looked at. `now` settles the century of a year of two digits: it is at most 50 years ahead.
///
/// `None` where it is no date. A date before 1970 reads as 0.
pub(super) fn read(text: &[u8], now: u64) -> Option<u64> {
    let mut rest = Rest(crate::syntax::line::trim(text));
    if rest.letters().len() < 3 {
        return None;
    }
    FORMS
        .iter()
        .find_map(|form| Rest(rest.0).read_as(form, now))
}

/// What stands behind the name of the day: the day in two digits (`D`), or in one or two, before which one more space may stand (`d`); the name of the month (`M`);
/// the year in four digits or in two (`Y`, `y`); the time (`T`); the zone (`Z`); and what stands for itself. No text is of two forms.
const FORMS: [&[u8]; 3] = [b", D M Y T Z", b", D-M-y T Z", b" M d T Y"];

/// What is not read yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    /// Reads all of it as one of the [forms](FORMS).
    fn read_as(&mut self, form: &[u8], now: u64) -> Option<u64> {
        let (mut year, mut month, mut day, mut time) = (0, 0, 0, 0);
        for &part in form {
            match part {
                b'D' => day = self.number(2, 2)?,
                b'd' => {
                    let _ = self.octet(b' ');
                    day = self.number(1, 2)?;
                }
                b'M' => month = month_of(self.letters())?,
                b'Y' => year = self.number(4, 4)?,
                b'y' => year = of_two_digits(self.number(2, 2)?, now),
                b'T' => time = self.time()?,
                b'Z' => {
                    let zone = self.letters();
                    if !zone.eq_ignore_ascii_case(b"GMT") && !zone.eq_ignore_ascii_case(b"UTC") {
                        return None;
                    }
                }
                octet => self.octet(octet)?,
            }
        }
        if self.0.is_empty() {
            seconds(year, month, day, time)
        } else {
            None
        }
    }

    fn octet(&mut self, octet: u8) -> Option<()> {
        let (_, rest) = self.0.split_first().filter(|(first, _)| **first == octet)?;
        self.0 = rest;
        Some(())
    }

    fn letters(&mut self) -> &'a [u8] {
        let end = self
            .0
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let (letters, rest) = self.0.split_at_checked(end).unwrap_or_default();
        self.0 = rest;
        letters
    }

    /// A number of so many digits, at most four.
    fn number(&mut self, least: usize, most: usize) -> Option<u32> {
        let (mut number, mut count) = (0_u32, 0);
        while let [digit @ b'0'..=b'9', rest @ ..] = self.0
            && count < most
        {
            number = number
                .wrapping_mul(10)
                .wrapping_add(u32::from(digit.wrapping_sub(b'0')));
            count = count.saturating_add(1);
            self.0 = rest;
        }
        (count >= least).then_some(number)
    }

    /// Seconds of the day of `hh:mm:ss`; 60 is a leap second.
    fn time(&mut self) -> Option<u32> {
        let mut time = self.number(2, 2).filter(|hour| *hour < 24)?;
        for &most in &[59, 60] {
            self.octet(b':')?;
            let part = self.number(2, 2).filter(|part| *part <= most)?;
            time = time.wrapping_mul(60).wrapping_add(part);
        }
        Some(time)
    }
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
    // A year in units of eight seconds, of which 32 bits hold a thousand years: a division of 64 is a function of its own on small machines.
    const YEAR: u32 = 31_556_952 / 8;
    let this = u32::try_from(now / 8).map_or(9999, |eights| (eights / YEAR).saturating_add(1970));
    let same_century = this.saturating_sub(this % 100).saturating_add(year);
    if same_century > this.saturating_add(50) {
        same_century.saturating_sub(100)
    } else {
        same_century
    }
}

/// Seconds since 1970 of a date in the Gregorian calendar; `None` where there is no such day.
fn seconds(year: u32, month: u32, day: u32, time: u32) -> Option<u64> {
    // Leap years come again after four hundred, so the year before the first one is one too.
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
    // Days of the years before, and of the months before in a year that begins in March.
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
    // 1 January 1970 is day 719,469 of this count, behind 400 years, which have 146,097 days.
    Some(days.checked_sub(719_469 + 146_097).map_or(0, |days| {
        u64::from(days)
            .wrapping_mul(86_400)
            .wrapping_add(u64::from(time))
    }))
}

/// How many leap years there are from the year 1 up to this one.
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
        assert_eq!(
            at("Sunday, 06-Nov-76 08:49:37 GMT"),
            at("Sun, 06 Nov 2076 08:49:37 GMT")
        );
        assert_eq!(
            at("Sunday, 06-Nov-77 08:49:37 GMT"),
            at("Sun, 06 Nov 1977 08:49:37 GMT")
        );
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
