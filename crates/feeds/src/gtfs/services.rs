//! On which kinds of day trips run. Many operators give no week, only dates: their week is read from these.

use std::collections::HashMap;

use super::files::Files;
use super::remarks::Remarks;
use crate::incoming::Refused;

/// More services than any feed has.
const MAX_SERVICES: usize = 500_000;

/// When something runs. Days are written `20261231`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Service {
    /// Bits of the kinds of day: 1 Monday to Friday, 2 Saturday, 4 Sunday.
    pub kinds: u8,
    /// Bits of the days of the week: 1 Monday to 64 Sunday.
    pub week: u8,
    /// Its first day.
    pub from: u32,
    /// Its last day.
    pub to: u32,
}

/// All services by their name, and the first and last day of the feed.
#[derive(Debug, Default)]
pub(super) struct Services {
    by_id: HashMap<Box<[u8]>, Service>,
    pub from: u32,
    pub to: u32,
}

impl Services {
    pub(super) fn read(files: &mut Files<'_>, remarks: &mut Remarks) -> Result<Self, Refused> {
        let mut all = Self::default();
        if let Some(mut table) = files.table("calendar.txt")? {
            let id = table.column("service_id");
            let week = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
                .map(|day| table.column(day));
            let (from, to) = (table.column("start_date"), table.column("end_date"));
            while table.next()? {
                let runs = |day: usize| table.get(week[day]) == b"1";
                let mut service = Service {
                    week: (0..7).map(|day| u8::from(runs(day)) << day).sum(),
                    kinds: u8::from((0..5).any(runs)) | u8::from(runs(5)) << 1 | u8::from(runs(6)) << 2,
                    from: date(table.get(from)).unwrap_or(0),
                    to: date(table.get(to)).unwrap_or(u32::MAX),
                };
                if service.to == u32::MAX || service.to < service.from {
                    remarks.add("transport/bad-date", table.get(to));
                    service.to = service.to.max(service.from);
                }
                all.put(table.get(id), service)?;
            }
        }
        if let Some(mut table) = files.table("calendar_dates.txt")? {
            let (id, day, kind) = (table.column("service_id"), table.column("date"), table.column("exception_type"));
            let mut dated: HashMap<Box<[u8]>, Service> = HashMap::new();
            while table.next()? {
                if table.get(kind) != b"1" {
                    continue;
                }
                let Some(day) = date(table.get(day)) else {
                    remarks.add("transport/bad-date", table.get(day));
                    continue;
                };
                let known = all.by_id.get(table.get(id)).is_some_and(|service| service.kinds != 0);
                if known {
                    // A day more in a week that is known: it runs until then, and its week stays.
                    if let Some(service) = all.by_id.get_mut(table.get(id)) {
                        (service.from, service.to) = (service.from.min(day), service.to.max(day));
                    }
                    continue;
                }
                let weekday = weekday_of(day);
                let bit = 1_u8 << weekday.saturating_sub(4);
                let full = dated.len() >= MAX_SERVICES;
                match dated.get_mut(table.get(id)) {
                    Some(service) => {
                        service.kinds |= bit;
                        service.week |= 1 << weekday;
                        (service.from, service.to) = (service.from.min(day), service.to.max(day));
                    }
                    None if !full => {
                        dated.insert(
                            table.get(id).into(),
                            Service { kinds: bit, week: 1 << weekday, from: day, to: day },
                        );
                    }
                    None => return Err(too_many("calendar_dates.txt")),
                }
            }
            for (id, service) in dated {
                all.put(&id, service)?;
            }
        }
        let running = all.by_id.values().filter(|service| service.kinds != 0);
        all.from = running.clone().map(|service| service.from).min().unwrap_or(0);
        all.to = running.map(|service| service.to).max().unwrap_or(0);
        Ok(all)
    }

    fn put(&mut self, id: &[u8], service: Service) -> Result<(), Refused> {
        if self.by_id.len() >= MAX_SERVICES {
            return Err(too_many("calendar.txt"));
        }
        self.by_id.insert(id.into(), service);
        Ok(())
    }

    /// A service, where the file names one.
    pub(super) fn get(&self, id: &[u8]) -> Option<Service> {
        self.by_id.get(id).copied()
    }
}

/// A feed that has more of something than anything could hold.
pub(super) fn too_many(file: &'static str) -> Refused {
    Refused::new("transport/too-many").with("file", file)
}

/// A day, `20261231`.
pub(super) fn date(text: &[u8]) -> Option<u32> {
    let number: u32 = std::str::from_utf8(text).ok()?.parse().ok()?;
    let (month, day) = (number / 100 % 100, number % 100);
    (text.len() == 8 && (1..=12).contains(&month) && (1..=31).contains(&day)).then_some(number)
}

/// The day of the week of a date: 0 Monday to 6 Sunday.
fn weekday_of(day: u32) -> u8 {
    // Sakamoto's rule: 0 is Sunday.
    const SHIFT: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let (year, month, day) = (day / 10_000, day / 100 % 100, day % 100);
    let year = if month < 3 { year.saturating_sub(1) } else { year };
    let shift = SHIFT.get(month as usize - 1).copied().unwrap_or_default();
    ((year + year / 4 - year / 100 + year / 400 + shift + day + 6) % 7) as u8
}

/// A day as we write it: `2026-12-31`.
pub(super) fn written(day: u32) -> Option<String> {
    (day > 0 && day < u32::MAX).then(|| format!("{:04}-{:02}-{:02}", day / 10_000, day / 100 % 100, day % 100))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn a_date_has_its_day_of_the_week() {
        assert_eq!(
            ["20261122", "20261121", "20261120", "20240229"].map(|day| weekday_of(date(day.as_bytes()).unwrap())),
            [6, 5, 4, 3]
        );
        assert_eq!([date(b"2026112"), date(b"20261322"), date(b"2026-1-1"), date(b"")], [None; 4]);
        assert_eq!(written(20_260_105).as_deref(), Some("2026-01-05"));
    }
}
