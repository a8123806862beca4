//! Moments: milliseconds since 1970 in, ISO 8601 out, and back. Nothing here knows what time it is.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A moment, as milliseconds since 1970 (UTC).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnixMillis(pub i64);

const DAY_MS: i64 = 86_400_000;

impl UnixMillis {
    /// A moment that is told as a number of JSON.
    pub(crate) fn from_float(millis: f64) -> Self {
        UnixMillis(millis.round() as i64)
    }

    /// Reads what the CLI writes (`2026-11-15T22:58:00.123Z`): a date, a time, an optional fraction, and `Z` or an
    /// offset. `None` for anything else.
    pub fn from_iso(text: &str) -> Option<Self> {
        let number = |range: std::ops::Range<usize>| -> Option<i64> {
            let digits = text.get(range)?;
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
        };
        let mark = |at: usize, marks: &[u8]| text.as_bytes().get(at).is_some_and(|byte| marks.contains(byte));
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
        let shaped = mark(4, b"-") && mark(7, b"-") && mark(10, b"Tt ") && mark(13, b":") && mark(16, b":");
        let sane = (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second <= 60;
        if !shaped || !sane {
            return None;
        }
        let mut rest = text.get(19..)?;
        let mut millis = 0;
        if let Some(fraction) = rest.strip_prefix('.') {
            let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
            let thousandths = format!("{:0<3}", fraction.get(..digits.min(3))?);
            millis = thousandths.parse().ok()?;
            rest = fraction.get(digits..)?;
        }
        let offset_minutes = match rest {
            "Z" | "z" | "" => 0,
            _ => {
                let sign = if rest.starts_with('-') { -1 } else { i64::from(rest.starts_with('+')) };
                let (hours, minutes) = rest.get(1..)?.split_once(':')?;
                // No offset is longer than these can say, so the sum fits.
                let (hours, minutes) = (hours.parse::<u8>().ok()?, minutes.parse::<u8>().ok()?);
                sign * (i64::from(hours) * 60 + i64::from(minutes))
            }
        };
        let seconds = (hour * 60 + minute - offset_minutes) * 60 + second;
        Some(UnixMillis(days_before(year, month, day) * DAY_MS + seconds * 1000 + millis))
    }
}

/// ISO 8601 with milliseconds, in UTC. Years beyond 9999 or before 0 show as more digits, or with a sign.
impl fmt::Display for UnixMillis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, of_day) = (self.0.div_euclid(DAY_MS), self.0.rem_euclid(DAY_MS));
        let (year, month, day) = date_of(days);
        let (second, millis) = (of_day / 1000, of_day % 1000);
        let (hour, minute) = (second / 3600, second / 60 % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}.{millis:03}Z", second % 60)
    }
}

/// Days from 1970 to a date of the Gregorian calendar. Years begin in March, so that the odd day is the last one.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The date of a day since 1970; the way back of [`days_before`].
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let (day, month) =
        (day_of_year - (153 * shifted + 2) / 5 + 1, if shifted < 10 { shifted + 3 } else { shifted - 9 });
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_and_read_back() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_763_230_000_123, "2025-11-15T18:06:40.123Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(UnixMillis(millis).to_string(), text);
            assert_eq!(UnixMillis::from_iso(text), Some(UnixMillis(millis)));
        }
    }

    #[test]
    fn other_spellings_are_read_and_nonsense_is_not() {
        assert_eq!(UnixMillis::from_iso("1970-01-01T01:00:00+01:00"), Some(UnixMillis(0)));
        assert_eq!(UnixMillis::from_iso("1970-01-01T00:00:00.5Z"), Some(UnixMillis(500)));
        assert_eq!(UnixMillis::from_iso("1970-01-01T00:00:00.123456Z"), Some(UnixMillis(123)));
        let far = format!("1970-01-01T00:00:00+{}:00", i64::MAX);
        for text in [
            "",
            "yesterday",
            "1970-13-01T00:00:00Z",
            "1970-01-01",
            "1970-01-01T00:00:00é",
            "1970-01-01T+1:00:00Z",
            &far,
        ] {
            assert_eq!(UnixMillis::from_iso(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_of_eight_centuries_comes_back() {
        for day in -150_000..150_000 {
            let (year, month, of_month) = date_of(day);
            assert_eq!(days_before(year, month, of_month), day);
        }
    }
}
