//! The booking rules of a GTFS feed.

use std::collections::HashMap;

use domain::link::check_link;
use domain::transit::Booking;

use super::files::Files;
use super::remarks::Remarks;
use crate::incoming::Refused;

/// More rules than any feed has.
const MAX_RULES: usize = 100_000;

/// Rules by their name.
pub(super) type Rules = HashMap<Box<[u8]>, Booking>;

pub(super) fn read(files: &mut Files<'_>, remarks: &mut Remarks) -> Result<Rules, Refused> {
    let mut rules = Rules::new();
    let Some(mut table) = files.table("booking_rules.txt")? else { return Ok(rules) };
    let [id, kind, minutes, days, time, message, phone, info, url] = [
        "booking_rule_id",
        "booking_type",
        "prior_notice_duration_min",
        "prior_notice_last_day",
        "prior_notice_last_time",
        "message",
        "phone_number",
        "info_url",
        "booking_url",
    ]
    .map(|name| table.column(name));
    while table.next()? && rules.len() < MAX_RULES {
        let number = |column| std::str::from_utf8(table.get(column)).ok()?.parse::<u32>().ok();
        let eve = table.get(kind) == b"2";
        let addresses = [table.get(url), table.get(info)];
        let booking = Booking {
            url: addresses.into_iter().find_map(|text| address(text, remarks)),
            phone: text(table.get(phone), 40),
            message: text(table.get(message), 500),
            minutes_before: number(minutes).filter(|_| !eve).filter(|minutes| *minutes <= 60 * 24 * 60),
            days_before: number(days).filter(|_| eve).filter(|days| *days <= 365),
            before_s: time_of_day(table.get(time)).filter(|_| eve),
        };
        rules.insert(table.get(id).into(), booking);
    }
    Ok(rules)
}

/// An address that one can follow: some are cut off, or hold places for a program to fill.
pub(super) fn address(bytes: &[u8], remarks: &mut Remarks) -> Option<String> {
    let found = text(bytes, 2_000)?;
    if check_link(&found).is_ok() && !found.contains(['{', '}']) {
        return Some(found);
    }
    remarks.add("transport/bad-address", bytes);
    None
}

/// A line of text: no control characters, one space between words, at most a number of characters. `None` if it is empty.
pub(super) fn text(bytes: &[u8], most: usize) -> Option<String> {
    let decoded = trace::decoded(bytes);
    let mut line = String::with_capacity(decoded.len().min(most * 2));
    for word in decoded.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let line = if line.chars().count() > most { line.chars().take(most).collect() } else { line };
    Some(line).filter(|line| !line.is_empty())
}

/// `8:39:00`, `24:10:00`, `08:40`, as seconds from midnight.
pub(super) fn time_of_day(text: &[u8]) -> Option<u32> {
    let mut parts = [0_u32; 3];
    let mut count = 0;
    for part in text.split(|byte| *byte == b':') {
        if count == 3 || part.is_empty() || part.len() > 2 {
            return None;
        }
        for byte in part {
            parts[count] = parts[count] * 10 + byte.checked_sub(b'0').filter(|digit| *digit < 10).map(u32::from)?;
        }
        count += 1;
    }
    let [hours, minutes, seconds] = parts;
    (count >= 2 && minutes < 60 && seconds < 60).then_some(hours * 3_600 + minutes * 60 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_also_after_midnight_and_without_its_nought() {
        assert_eq!(time_of_day(b"8:39:00"), Some(31_140));
        assert_eq!(time_of_day(b"24:10:00"), Some(87_000));
        assert_eq!(time_of_day(b"08:40"), Some(31_200));
        for wrong in ["", "8", "8:60:00", "a:00:00", "1:2:3:4", "100:00:00", "-1:00:00"] {
            assert_eq!(time_of_day(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn an_address_that_nobody_can_follow_is_none() {
        let mut remarks = Remarks::default();
        assert_eq!(address(b"https://cars.example/tad", &mut remarks).as_deref(), Some("https://cars.example/tad"));
        assert_eq!(address(b"ttps://cars.example/", &mut remarks), None);
        assert_eq!(address(b"info", &mut remarks), None);
        assert_eq!(address(b"https://cars.example/?from={from_name}", &mut remarks), None);
        assert_eq!(
            remarks.iter().map(|remark| (remark.code, remark.count)).collect::<Vec<_>>(),
            [("transport/bad-address", 3)]
        );
        assert_eq!(text(b"  Ligne\t\n 1 \x00", 80).as_deref(), Some("Ligne 1"));
    }
}
