//! When a parcours can be done: periods with both ends, in order.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Fault;

/// A period as typed: an end may still be missing, which validation reports.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Period {
    /// First day, `YYYY-MM-DD`.
    pub from: Option<String>,
    /// Last day, `YYYY-MM-DD`.
    pub to: Option<String>,
}

/// The most periods a parcours may have.
pub const MAX_PERIODS: usize = 50;

/// The faults of a list of periods.
pub fn check(periods: &[Period]) -> Vec<Fault> {
    let mut faults = Vec::new();
    if periods.len() > MAX_PERIODS {
        faults.push(Fault::new("validation/too-many", "/availability").with("max", MAX_PERIODS));
    }
    for (index, period) in periods.iter().enumerate() {
        check_period(index, period, &mut faults);
    }
    faults
}

fn check_period(index: usize, period: &Period, faults: &mut Vec<Fault>) {
    let at = |end: &str| format!("/availability/{index}/{end}");
    let (from, to) = (written(period.from.as_deref()), written(period.to.as_deref()));
    match (from, to) {
        (None, None) => faults.push(Fault::new("parcours/availability-date-required", at("from"))),
        (Some(_), None) => faults.push(Fault::new("parcours/availability-both-dates", at("to"))),
        (None, Some(_)) => faults.push(Fault::new("parcours/availability-both-dates", at("from"))),
        (Some(from), Some(to)) => {
            for (end, day) in [("from", from), ("to", to)] {
                if !is_day(day) {
                    faults.push(Fault::new("validation/bad-date", at(end)).with("value", clipped(day)));
                }
            }
            // ISO days of four-digit years sort as text.
            if is_day(from) && is_day(to) && to < from {
                faults.push(Fault::new("parcours/availability-order", at("to")).with("from", from).with("to", to));
            }
        }
    }
}

/// A day without the white space around it; none where nothing is left.
pub(super) fn written(day: Option<&str>) -> Option<&str> {
    day.map(str::trim).filter(|day| !day.is_empty())
}

fn clipped(value: &str) -> String {
    value.chars().take(40).collect()
}

/// Whether a text is a day of the calendar written `YYYY-MM-DD`.
pub fn is_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return false;
    }
    let number = |range: std::ops::Range<usize>| {
        text.get(range)
            .filter(|part| part.bytes().all(|b| b.is_ascii_digit()))
            .and_then(|part| part.parse::<u32>().ok())
    };
    let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else { return false };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    year >= 1900 && (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(from: &str, to: &str) -> Period {
        let day = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Period { from: day(from), to: day(to) }
    }

    fn codes(periods: &[Period]) -> Vec<(&'static str, String)> {
        check(periods).into_iter().map(|fault| (fault.code, fault.field)).collect()
    }

    #[test]
    fn a_period_with_both_dates_in_order_is_right() {
        assert!(check(&[period("2026-05-01", "2026-09-30"), period("2026-12-01", "2026-12-01")]).is_empty());
    }

    #[test]
    fn each_wrong_period_is_reported_on_its_own_end() {
        let found = codes(&[
            period("2026-05-01", ""),
            period("", "2026-05-01"),
            period("", ""),
            period("2026-05-02", "2026-05-01"),
            period("2026-02-30", "2026-05-01"),
        ]);
        assert_eq!(
            found,
            [
                ("parcours/availability-both-dates", "/availability/0/to".to_owned()),
                ("parcours/availability-both-dates", "/availability/1/from".to_owned()),
                ("parcours/availability-date-required", "/availability/2/from".to_owned()),
                ("parcours/availability-order", "/availability/3/to".to_owned()),
                ("validation/bad-date", "/availability/4/from".to_owned()),
            ]
        );
    }

    #[test]
    fn a_leap_day_exists_only_in_leap_years() {
        assert!(is_day("2028-02-29"));
        assert!(!is_day("2026-02-29"));
        assert!(!is_day("2100-02-29"));
        assert!(!is_day("2026-13-01"));
        assert!(!is_day("26-1-1"));
        assert!(!is_day("2026-0é-1"));
    }
}
