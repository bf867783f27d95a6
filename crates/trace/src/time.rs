//! Dates as recordings write them, to milliseconds since 1970 and back, in UTC and the proleptic Gregorian calendar. The reader accepts more
//! than RFC 3339 (no zone, no seconds, a decimal comma, hour 24), which calendar libraries refuse. The two conversions between days and
//! dates are those of all crates: they know no bounds, where the years of `jiff` end at 9999.

/// Days from 1970-01-01 to a date (`days_from_civil` of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
pub const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year - era * 400;
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The date of a number of days from 1970-01-01: year, month (1 to 12) and day (1 to 31) of the proleptic Gregorian calendar
/// (`civil_from_days` of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
pub const fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days - era * 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

/// Reads `2023-06-24T09:17:43.000Z` and its relatives: a blank for the T, no zone (taken as UTC), an offset, no seconds.
pub fn parse_ms(text: &str) -> Option<i64> {
    let text = text.trim();
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = bytes.get(from..to)?;
        digits
            .iter()
            .all(u8::is_ascii_digit)
            .then(|| digits.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')))
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    if bytes[4] != b'-' || bytes[7] != b'-' || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let mut ms = days_from_civil(year, month, day) * 86_400_000;
    if bytes.len() == 10 {
        return Some(ms);
    }
    let (hour, minute) = (number(11, 13)?, number(14, 16)?);
    let has_seconds = bytes.get(16) == Some(&b':');
    let second = if has_seconds { number(17, 19)? } else { 0 };
    if hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    ms += ((hour * 60 + minute) * 60 + second) * 1000;
    let mut at = if has_seconds { 19 } else { 16 };
    if matches!(bytes.get(at), Some(b'.' | b',')) {
        at += 1;
        let mut unit_ms = 100;
        while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
            ms += i64::from(digit - b'0') * unit_ms;
            unit_ms /= 10;
            at += 1;
        }
    }
    let sign = match bytes.get(at) {
        Some(b'+') => -1,
        Some(b'-') => 1,
        _ => return Some(ms),
    };
    let offset_hours = number(at + 1, at + 3)?;
    let colon = usize::from(bytes.get(at + 3) == Some(&b':'));
    let offset_minutes = number(at + 3 + colon, at + 5 + colon).unwrap_or(0);
    Some(ms + sign * (offset_hours * 60 + offset_minutes) * 60_000)
}

/// Writes `2023-06-24T09:17:43Z`, with milliseconds only where there are some.
pub fn format_ms(ms: i64) -> String {
    let (year, month, day) = civil_from_days(ms.div_euclid(86_400_000));
    let of_day = ms.rem_euclid(86_400_000);
    let (seconds, rest) = (of_day / 1000, of_day % 1000);
    let fraction = if rest == 0 { String::new() } else { format!(".{rest:03}") };
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}{fraction}Z",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_devices_are_read() {
        let noon = Some(1_687_608_000_000);
        for text in [
            "2023-06-24T12:00:00Z",
            "2023-06-24T12:00:00.000Z",
            " 2023-06-24 12:00:00 ",
            "2023-06-24T12:00Z",
            "2023-06-24T14:00:00+02:00",
            "2023-06-24T08:30:00-0330",
            "2023-06-24T12:00:00",
        ] {
            assert_eq!(parse_ms(text), noon, "{text}");
        }
        assert_eq!(parse_ms("2016-05-27T10:08:47.8Z"), Some(1_464_343_727_800));
        assert_eq!(parse_ms("2023-06-24"), Some(1_687_564_800_000));
        assert_eq!(parse_ms("1969-12-31T23:59:59.5Z"), Some(-500));
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "yesterday",
            "2023-13-24T12:00:00Z",
            "2023-06-24T12",
            "2023/06/24",
            "é023-06-24T12:00:00Z",
            "2023-06-24T99:00:00Z",
        ] {
            assert_eq!(parse_ms(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_of_four_centuries_goes_there_and_back() {
        for day in -1_000..146_097 {
            let (year, month, of_month) = civil_from_days(day);
            assert_eq!(days_from_civil(year, month, of_month), day);
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for ms in [0, 1_687_608_000_000, 951_782_400_123, -1, -62_135_596_800_000, 253_402_300_799_999] {
            assert_eq!(parse_ms(&format_ms(ms)), Some(ms), "{}", format_ms(ms));
        }
    }
}
