//! On which kinds of day trips run. Many operators give no week, only dates: their week is read from these.

use std::collections::HashMap;

use domain::Instant;

use super::files::Files;
use super::remarks::Remarks;
use crate::incoming::Refused;

/// More services than any feed has.
const MAX_SERVICES: usize = 500_000;

/// More days taken out of weeks, or added before or after them, than any feed has.
const MAX_CHANGED: usize = 20_000_000;

/// From this many days on that are added before or after a week on the same day of the week, a week is read from them. Fewer are holidays.
const REGULAR: usize = 4;

/// When something runs. Days are written `20261231`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Service {
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
    /// What runs before or after the weeks of services, on added days.
    beyond: HashMap<Box<[u8]>, Vec<Service>>,
    pub from: u32,
    pub to: u32,
}

/// What the dates change in the week of a service that has one.
struct Changes {
    /// The service as its week says.
    week: Service,
    /// The last day more within its first and last day, by the day of the week.
    added: [u32; 7],
    /// The days on which it does not run.
    removed: Vec<u32>,
    /// The days more before its first day or after its last one.
    beyond: Vec<u32>,
}

/// The changes by the name of the service.
type AllChanges = HashMap<Box<[u8]>, Changes>;

impl Services {
    /// Reads the services. A day of the week of which no coming date is left is taken out of their week. `today` is written
    /// `20261231`.
    pub(super) fn read(files: &mut Files<'_>, today: u32, remarks: &mut Remarks) -> Result<Self, Refused> {
        let mut all = Self::default();
        all.read_weeks(files, remarks)?;
        let changes = all.read_dates(files, remarks)?;
        let running = all.by_id.values().filter(|service| service.week != 0);
        let beyond = changes.values().flat_map(|changes| &changes.beyond).copied();
        all.from = running.clone().map(|service| service.from).chain(beyond.clone()).min().unwrap_or(0);
        all.to = running.map(|service| service.to).chain(beyond).max().unwrap_or(0);
        // All days of a feed that is over are shown.
        let today = if all.to < today { 0 } else { today };
        for (id, mut changes) in changes {
            let beyond = changes.services_beyond(today);
            if !beyond.is_empty() {
                all.beyond.insert(id.clone(), beyond);
            }
            let cleared = changes.cleared(today);
            if let Some(service) = all.by_id.get_mut(&id) {
                service.week &= !cleared;
            }
        }
        Ok(all)
    }

    fn read_weeks(&mut self, files: &mut Files<'_>, remarks: &mut Remarks) -> Result<(), Refused> {
        let Some(mut table) = files.table("calendar.txt")? else { return Ok(()) };
        let id = table.column("service_id");
        let week =
            ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].map(|day| table.column(day));
        let (from, to) = (table.column("start_date"), table.column("end_date"));
        while table.next()? {
            let runs = |day: usize| table.get(week[day]) == b"1";
            let week: u8 = (0..7).map(|day| u8::from(runs(day)) << day).sum();
            let mut days = [from, to].map(|day| date(table.get(day)));
            for (column, day) in [(from, days[0]), (to, days[1])] {
                if day.is_none() {
                    // An empty cell is found by its service.
                    let example = Some(table.get(column)).filter(|cell| !cell.is_empty());
                    remarks.add("transport/bad-date", example.unwrap_or(table.get(id)));
                }
            }
            if let [Some(first), Some(last)] = &mut days
                && *last < *first
            {
                remarks.add("transport/bad-date", table.get(to));
                *last = *first;
            }
            // When it runs is not known without both days: its week is empty, and its single dates count.
            let service = match days {
                [Some(from), Some(to)] => Service { week, from, to },
                _ => Service::default(),
            };
            self.put(table.get(id), service)?;
        }
        Ok(())
    }

    /// Reads single dates: the week of a service that has none, and what they change in the weeks of the others.
    fn read_dates(&mut self, files: &mut Files<'_>, remarks: &mut Remarks) -> Result<AllChanges, Refused> {
        let mut changes = AllChanges::new();
        let Some(mut table) = files.table("calendar_dates.txt")? else { return Ok(changes) };
        let (id, day, kind) = (table.column("service_id"), table.column("date"), table.column("exception_type"));
        let mut dated: HashMap<Box<[u8]>, Service> = HashMap::new();
        let mut changed = 0;
        while table.next()? {
            let is_added = match table.get(kind) {
                b"1" => true,
                b"2" => false,
                _ => continue,
            };
            let Some(day) = date(table.get(day)) else {
                remarks.add("transport/bad-date", table.get(day));
                continue;
            };
            let (id, bit) = (table.get(id), 1_u8 << weekday_of(day));
            if let Some(service) = self.by_id.get(id).filter(|service| service.week != 0) {
                let new = || Changes { week: *service, added: [0; 7], removed: Vec::new(), beyond: Vec::new() };
                changed += changes.entry(id.into()).or_insert_with(new).add(day, is_added);
                if changed > MAX_CHANGED {
                    return Err(too_many("calendar_dates.txt"));
                }
                continue;
            }
            if !is_added {
                continue;
            }
            let full = dated.len() >= MAX_SERVICES;
            match dated.get_mut(id) {
                Some(service) => {
                    service.week |= bit;
                    (service.from, service.to) = (service.from.min(day), service.to.max(day));
                }
                None if !full => {
                    dated.insert(id.into(), Service { week: bit, from: day, to: day });
                }
                None => return Err(too_many("calendar_dates.txt")),
            }
        }
        for (id, service) in dated {
            self.put(&id, service)?;
        }
        Ok(changes)
    }

    fn put(&mut self, id: &[u8], service: Service) -> Result<(), Refused> {
        if self.by_id.len() >= MAX_SERVICES {
            return Err(too_many("calendar.txt"));
        }
        self.by_id.insert(id.into(), service);
        Ok(())
    }

    /// When a service runs, where the file names it: its week, and added days before or after it.
    pub(super) fn get(&self, id: &[u8]) -> Option<impl Iterator<Item = Service>> {
        let week = *self.by_id.get(id)?;
        Some(std::iter::once(week).chain(self.beyond.get(id).into_iter().flatten().copied()))
    }
}

impl Service {
    /// Whether its week has this day.
    fn runs_on(&self, day: u32) -> bool {
        (self.from..=self.to).contains(&day) && self.week & (1 << weekday_of(day)) != 0
    }
}

impl Changes {
    /// Adds a day or takes one out. How many days more are kept for it.
    fn add(&mut self, day: u32, is_added: bool) -> usize {
        if is_added && (self.week.from..=self.week.to).contains(&day) {
            // Its week stays.
            let last = &mut self.added[usize::from(weekday_of(day))];
            *last = day.max(*last);
            0
        } else if is_added {
            self.beyond.push(day);
            1
        } else if self.week.runs_on(day) {
            self.removed.push(day);
            1
        } else {
            0
        }
    }

    /// The services of the days before or after the week, from today on: one week of the days of the week with many dates; and of each other day of the week
    /// a service of its last date alone.
    fn services_beyond(&mut self, today: u32) -> Vec<Service> {
        self.beyond.retain(|day| *day >= today);
        self.beyond.sort_unstable();
        self.beyond.dedup();
        let mut by_weekday = <[Vec<u32>; 7]>::default();
        for day in &self.beyond {
            by_weekday[usize::from(weekday_of(*day))].push(*day);
        }
        let (mut found, mut regular) = (Vec::new(), Service { week: 0, from: u32::MAX, to: 0 });
        for (days, bit) in by_weekday.iter().zip((0..7).map(|day| 1_u8 << day)) {
            let (Some(first), Some(last)) = (days.first(), days.last()) else { continue };
            if days.len() < REGULAR {
                found.push(Service { week: bit, from: *last, to: *last });
            } else {
                regular.week |= bit;
                (regular.from, regular.to) = (regular.from.min(*first), regular.to.max(*last));
            }
        }
        found.extend((regular.week != 0).then_some(regular));
        found
    }

    /// The days of the week of which every date from today on is removed.
    fn cleared(mut self, today: u32) -> u8 {
        self.removed.sort_unstable();
        self.removed.dedup();
        let mut removed = [0_i64; 7];
        for day in self.removed.iter().filter(|day| **day >= today) {
            removed[usize::from(weekday_of(*day))] += 1;
        }
        let dates = dates(self.week.from.max(today), self.week.to);
        let is_cleared =
            |day: &usize| removed[*day] > 0 && removed[*day] >= dates[*day] && self.added[*day] < today.max(1);
        (0..7).filter(is_cleared).map(|day| 1_u8 << day).sum()
    }
}

/// How many dates of each day of the week there are from one day to another.
fn dates(from: u32, to: u32) -> [i64; 7] {
    let days = written(from).zip(written(to)).and_then(|(from, to)| Instant::days_between(&from, &to));
    // A day that is not in the calendar: no day of the week is taken out.
    let Some(days) = days else { return [i64::MAX; 7] };
    let first = i64::from(weekday_of(from));
    [0, 1, 2, 3, 4, 5, 6].map(|day: i64| (days + 7 - (day + 7 - first) % 7).div_euclid(7))
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

    #[test]
    fn the_dates_of_each_day_of_the_week_are_counted() {
        assert_eq!(dates(20_261_120, 20_261_120), [0, 0, 0, 0, 1, 0, 0]);
        assert_eq!(dates(20_261_120, 20_261_130), [2, 1, 1, 1, 2, 2, 2]);
        assert_eq!(dates(20_261_121, 20_261_120), [0; 7]);
        assert_eq!(dates(20_260_231, 20_261_120), [i64::MAX; 7], "no such day");
    }
}
