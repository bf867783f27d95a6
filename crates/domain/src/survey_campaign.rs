//! Campaigns of surveys: which parcours and stretches are to be surveyed, by whom, until when, and how much of them was (decision 0070).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::parcours::availability::is_day;
use crate::record::{Field, Kind, Rule, free, line, lines, sheet, to};
use crate::{Fault, Instant, UserId};

/// The most stretches of a campaign.
const MAX_STRETCHES: usize = 500;
/// A day begins so long before it does in UTC, seconds: the zone UTC+14.
const FIRST_ZONE_S: i64 = 14 * 3_600;
/// A part without a survey counts as surveyed beside a surveyed one where it is shorter, metres: positions are that accurate.
const SLACK_M: f64 = 50.0;

/// A parcours, or a stretch of it, that is to be surveyed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CampaignStretch {
    /// The parcours, of the campaign's own white-label.
    pub parcours_id: i64,
    /// Start, metres from the departure; without it and `to_m`, all of the parcours.
    #[serde(default)]
    pub from_m: Option<f64>,
    /// End.
    #[serde(default)]
    pub to_m: Option<f64>,
    /// The person who surveys it, one of `user_ids`; null: any of them.
    #[serde(default)]
    pub user_id: Option<i64>,
}

impl CampaignStretch {
    /// Where it begins and ends on a parcours of a length, metres. None where the parcours has no line, or one that ends before.
    pub fn bounds(&self, length_m: Option<f64>) -> Option<(f64, f64)> {
        let length_m = length_m?;
        let (from, to) = (self.from_m.unwrap_or(0.0), self.to_m.unwrap_or(length_m).min(length_m));
        (from < to).then_some((from, to))
    }

    fn fault(&self, at: &str) -> Option<Fault> {
        match (self.from_m, self.to_m) {
            (None, None) => None,
            (Some(from), Some(to)) if 0.0 <= from && from < to => None,
            _ => Some(Fault::new("ground/stretch", format!("{at}/to_m"))),
        }
    }
}

impl Field for Vec<CampaignStretch> {
    fn check(&self, _rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        if self.len() > MAX_STRETCHES {
            faults.push(Fault::new("validation/too-many", at).with("max", MAX_STRETCHES));
        }
        faults.extend(self.iter().enumerate().filter_map(|(i, one)| one.fault(&format!("{at}/{i}"))));
    }

    fn points_to(&self) -> Vec<i64> {
        let mut ids: Vec<i64> = self.iter().map(|one| one.parcours_id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn repoint(&mut self, from: i64, to: Option<i64>) {
        match to {
            Some(to) => self.iter_mut().filter(|one| one.parcours_id == from).for_each(|one| one.parcours_id = to),
            None => self.retain(|one| one.parcours_id != from),
        }
    }
}

sheet! {
    /// What the staff say of a campaign of surveys.
    SurveyCampaignSheet {
        /// Its name: « Récolement 2027 du GR 7 ».
        name: String = line(120).required(),
        /// What the people should look at.
        instructions: Option<String> = lines(2_000),
        /// First day, `YYYY-MM-DD`: earlier surveys do not count.
        starts_on: String = line(10).required(),
        /// Last day, `YYYY-MM-DD`.
        due_on: Option<String> = line(10),
        /// The people who survey.
        user_ids: Vec<i64> = to(Kind::User),
        /// What is to be surveyed.
        stretches: Vec<CampaignStretch> = to(Kind::Parcours),
        /// It is over: people do not see it on the ground.
        closed: bool = free(),
    }
}

impl SurveyCampaignSheet {
    /// The faults between its fields.
    pub fn rules(&self) -> Vec<Fault> {
        let due = self.due_on.as_deref();
        let mut faults = Vec::new();
        for (field, day) in [("/starts_on", Some(self.starts_on.as_str())), ("/due_on", due)] {
            if let Some(day) = day.filter(|day| !day.is_empty() && !is_day(day)) {
                faults.push(Fault::new("validation/bad-date", field).with("value", day));
            }
        }
        // ISO days of four-digit years sort as text.
        if let Some(due) = due.filter(|due| faults.is_empty() && *due < self.starts_on.as_str()) {
            let order = Fault::new("survey-campaign/order", "/due_on");
            faults.push(order.with("from", self.starts_on.as_str()).with("to", due));
        }
        let is_stranger = |one: &CampaignStretch| one.user_id.is_some_and(|id| !self.user_ids.contains(&id));
        for (i, _) in self.stretches.iter().enumerate().filter(|(_, one)| is_stranger(one)) {
            faults.push(Fault::new("survey-campaign/person", format!("/stretches/{i}/user_id")));
        }
        faults
    }

    /// From when surveys count: the first day begins where it begins first on Earth, since people write days of their own clocks.
    pub fn begins(&self) -> Instant {
        let in_utc = Instant::parse(&format!("{}T00:00:00Z", self.starts_on));
        in_utc.map_or(Instant(0), |start| start.plus_s(-FIRST_ZONE_S))
    }

    /// Whether its last day is past.
    pub fn is_past_due(&self, today: &str) -> bool {
        !self.closed && self.due_on.as_deref().is_some_and(|due| due < today)
    }
}

/// A survey of a parcours: a person said that a stretch of it, or all, is right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Survey {
    /// Its stretch, metres from the departure; all of the parcours without one.
    pub stretch: Option<(f64, f64)>,
    /// When.
    pub at: Instant,
    /// Who.
    pub by: UserId,
}

/// A part of a stretch, and its last survey.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoveredPart {
    /// Where it begins, metres from the departure.
    pub from_m: f64,
    /// Where it ends.
    pub to_m: f64,
    /// When it was last surveyed, and by whom.
    pub survey: Option<(Instant, UserId)>,
}

impl CoveredPart {
    /// Its length, metres.
    pub fn length_m(&self) -> f64 {
        self.to_m - self.from_m
    }
}

/// The parts of a stretch in order, each with its last survey. Its cost grows with n log n of the surveys.
pub fn coverage((from_m, to_m): (f64, f64), surveys: &[Survey]) -> Vec<CoveredPart> {
    let ends = surveys.iter().map(|survey| survey.stretch.unwrap_or((from_m, to_m)));
    let inside =
        ends.map(|(from, to)| (from.max(from_m), to.min(to_m))).enumerate().filter(|(_, (from, to))| from < to);
    // Where a survey begins or ends, and which one.
    let mut changes: Vec<(f64, bool, usize)> =
        inside.flat_map(|(i, (from, to))| [(from, true, i), (to, false, i)]).collect();
    changes.push((to_m, false, usize::MAX));
    changes.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Those that cover the place that was reached, the last made at the end.
    let mut over: BTreeSet<(Instant, usize)> = BTreeSet::new();
    let mut parts = Vec::new();
    let mut reached = from_m;
    for (at_m, begins, i) in changes {
        if reached < at_m {
            let survey = over.last().map(|(_, i)| (surveys[*i].at, surveys[*i].by));
            parts.push(CoveredPart { from_m: reached, to_m: at_m, survey });
            reached = at_m;
        }
        let Some(survey) = surveys.get(i) else { continue };
        if begins {
            over.insert((survey.at, i));
        } else {
            over.remove(&(survey.at, i));
        }
    }
    let parts = merged(parts.into_iter());
    let beside = |i: usize| {
        let before = i.checked_sub(1).and_then(|i| parts.get(i));
        before.or_else(|| parts.get(i + 1)).and_then(|part| part.survey)
    };
    let closed = |(i, part): (usize, &CoveredPart)| {
        let is_slack = part.survey.is_none() && part.length_m() < SLACK_M;
        CoveredPart { survey: if is_slack { beside(i) } else { part.survey }, ..*part }
    };
    merged(parts.iter().enumerate().map(closed))
}

/// Joins neighbours of one survey.
fn merged(parts: impl Iterator<Item = CoveredPart>) -> Vec<CoveredPart> {
    let mut joined: Vec<CoveredPart> = Vec::new();
    for part in parts {
        match joined.last_mut() {
            Some(last) if last.survey == part.survey => last.to_m = part.to_m,
            _ => joined.push(part),
        }
    }
    joined
}

/// The length of the surveyed parts, metres.
pub fn surveyed_m(parts: &[CoveredPart]) -> f64 {
    // The sum of no number is -0.
    0.0 + parts.iter().filter(|part| part.survey.is_some()).map(CoveredPart::length_m).sum::<f64>()
}

/// The length of stretches, metres, each with its parcours and with where it begins and ends: what several have in common counts once.
pub fn length_once_m(stretches: impl Iterator<Item = (i64, f64, f64)>) -> f64 {
    let mut sorted: Vec<(i64, f64, f64)> = stretches.collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut joined: Vec<(i64, f64, f64)> = Vec::new();
    for (parcours, from_m, to_m) in sorted {
        match joined.last_mut() {
            Some((same, _, end_m)) if *same == parcours && from_m <= *end_m => *end_m = end_m.max(to_m),
            _ => joined.push((parcours, from_m, to_m)),
        }
    }
    // The sum of no number is -0.
    0.0 + joined.iter().map(|(_, from_m, to_m)| to_m - from_m).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Sheet as _;

    fn stretch(parcours_id: i64) -> CampaignStretch {
        CampaignStretch { parcours_id, from_m: None, to_m: None, user_id: None }
    }

    fn codes(sheet: &SurveyCampaignSheet) -> Vec<String> {
        let all = sheet.faults(&["fr".to_owned()]).into_iter().chain(sheet.rules());
        all.map(|fault| format!("{} {}", fault.code, fault.field)).collect()
    }

    fn campaign() -> SurveyCampaignSheet {
        SurveyCampaignSheet { name: "GR 7".into(), starts_on: "2027-03-01".into(), ..SurveyCampaignSheet::default() }
    }

    #[test]
    fn a_campaign_has_days_in_order_and_stretches_of_its_people() {
        assert!(codes(&campaign()).is_empty());
        assert_eq!(
            codes(&SurveyCampaignSheet::default()),
            ["validation/required /name", "validation/required /starts_on"]
        );
        let late = SurveyCampaignSheet { due_on: Some("2027-02-28".into()), ..campaign() };
        assert_eq!(codes(&late), ["survey-campaign/order /due_on"]);
        let no_day = SurveyCampaignSheet { due_on: Some("2027-02-30".into()), ..campaign() };
        assert_eq!(codes(&no_day), ["validation/bad-date /due_on"]);
        let stretches = vec![
            CampaignStretch { user_id: Some(8), ..stretch(1) },
            CampaignStretch { from_m: Some(200.0), to_m: Some(100.0), ..stretch(1) },
            CampaignStretch { from_m: Some(200.0), user_id: Some(7), ..stretch(1) },
        ];
        let of = SurveyCampaignSheet { stretches, user_ids: vec![7], ..campaign() };
        assert_eq!(
            codes(&of),
            [
                "ground/stretch /stretches/1/to_m",
                "ground/stretch /stretches/2/to_m",
                "survey-campaign/person /stretches/0/user_id"
            ]
        );
        let many = SurveyCampaignSheet { stretches: vec![stretch(1); 501], ..campaign() };
        assert_eq!(codes(&many), ["validation/too-many /stretches"]);
    }

    #[test]
    fn a_deleted_parcours_goes_and_a_merged_one_follows() {
        let mut sheet = SurveyCampaignSheet { stretches: vec![stretch(1), stretch(2), stretch(1)], ..campaign() };
        sheet.repoint(Kind::Parcours, 1, Some(3));
        assert_eq!(sheet.stretches.points_to(), [2, 3]);
        sheet.repoint(Kind::Parcours, 3, None);
        assert_eq!(sheet.stretches, [stretch(2)]);
    }

    #[test]
    fn it_is_past_due_the_day_after_its_last_one_until_it_is_closed() {
        let due = SurveyCampaignSheet { due_on: Some("2027-05-31".into()), ..campaign() };
        assert_eq!((due.is_past_due("2027-05-31"), due.is_past_due("2027-06-01")), (false, true));
        assert!(!SurveyCampaignSheet { closed: true, ..due }.is_past_due("2027-06-01"));
        assert!(!campaign().is_past_due("2030-01-01"));
    }

    #[test]
    fn its_first_day_begins_with_the_earliest_clock() {
        assert_eq!(campaign().begins().to_string(), "2027-02-28T10:00:00Z");
    }

    fn survey(stretch: Option<(f64, f64)>, at: i64, by: i64) -> Survey {
        Survey { stretch, at: Instant(at), by: UserId(by) }
    }

    fn shown(parts: &[CoveredPart]) -> Vec<(f64, f64, Option<i64>)> {
        parts.iter().map(|part| (part.from_m, part.to_m, part.survey.map(|(_, by)| by.0))).collect()
    }

    #[test]
    fn the_last_survey_of_each_part_counts() {
        let all = (0.0, 1_000.0);
        assert_eq!(shown(&coverage(all, &[])), [(0.0, 1_000.0, None)]);
        assert_eq!(shown(&coverage(all, &[survey(None, 5, 1)])), [(0.0, 1_000.0, Some(1))]);
        let surveys = [survey(Some((0.0, 600.0)), 5, 1), survey(Some((400.0, 800.0)), 9, 2), survey(None, 1, 3)];
        assert_eq!(
            shown(&coverage(all, &surveys)),
            [(0.0, 400.0, Some(1)), (400.0, 800.0, Some(2)), (800.0, 1_000.0, Some(3))]
        );
        let parts = coverage(all, &surveys[..2]);
        assert_eq!(shown(&parts)[2], (800.0, 1_000.0, None));
        assert!((surveyed_m(&parts) - 800.0).abs() < 1e-9);
        assert_eq!(shown(&coverage((500.0, 700.0), &surveys[..1])), [(500.0, 600.0, Some(1)), (600.0, 700.0, None)]);
    }

    #[test]
    fn parts_shorter_than_a_position_is_accurate_belong_to_their_neighbour() {
        let surveys = [survey(Some((30.0, 500.0)), 5, 1), survey(Some((540.0, 960.0)), 5, 1)];
        assert_eq!(shown(&coverage((0.0, 1_000.0), &surveys)), [(0.0, 1_000.0, Some(1))]);
        let far = [survey(Some((60.0, 500.0)), 5, 1)];
        assert_eq!(shown(&coverage((0.0, 540.0), &far)), [(0.0, 60.0, None), (60.0, 540.0, Some(1))]);
    }

    #[test]
    fn what_stretches_have_in_common_counts_once() {
        let length_m = |stretches: &[(i64, f64, f64)]| length_once_m(stretches.iter().copied());
        assert!((length_m(&[(1, 4_000.0, 9_000.0), (1, 0.0, 5_000.0)]) - 9_000.0).abs() < 1e-9);
        assert!((length_m(&[(1, 0.0, 9_000.0), (1, 2_000.0, 3_000.0)]) - 9_000.0).abs() < 1e-9, "one within another");
        assert!((length_m(&[(1, 0.0, 5_000.0), (2, 4_000.0, 9_000.0)]) - 10_000.0).abs() < 1e-9, "of two parcours");
        assert!(length_m(&[]).is_sign_positive());
    }

    #[test]
    fn a_stretch_ends_with_its_parcours() {
        let one = CampaignStretch { from_m: Some(100.0), to_m: Some(900.0), ..stretch(1) };
        assert_eq!(one.bounds(Some(600.0)), Some((100.0, 600.0)));
        assert_eq!((one.bounds(Some(100.0)), one.bounds(None)), (None, None));
        assert_eq!(stretch(1).bounds(Some(600.0)), Some((0.0, 600.0)));
    }
}
