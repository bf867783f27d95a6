//! The narrow row: what lists filter and sort by, worked out of the sheet at each save.

use domain::fold;
use domain::parcours::{Card, Progress, RELIABILITY_THRESHOLD, Relation, ReliabilityState, Sheet, TraceSummary};
use sea_orm::Value;

use super::facets::facet;
use crate::cells::micro;

/// Columns that follow from the sheet and the trace.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Narrow {
    shared: bool,
    progress: i16,
    relation: i16,
    parent_id: Option<i64>,
    model_id: Option<i64>,
    practice_type_id: Option<i64>,
    level_id: Option<i64>,
    is_loop: Option<i16>,
    is_stay: Option<i16>,
    priority: i16,
    lacks: i16,
    title_sort: String,
    /// Length in decimetres, or [`NO_FIGURE`].
    distance_dm: i64,
    /// Reliability in tenths of a percent, 0 to 1,000, or [`NO_FIGURE`].
    reliability_pm: i16,
    /// The index in [`STATES`].
    reliability_state: i16,
    /// The network that the trace was judged on, as [`network_number`].
    network: Option<i64>,
    /// Longitude and latitude of the departure, in millionths of a degree.
    start: Option<(i64, i64)>,
}

/// The columns, in the order of [`Narrow::values`].
pub(super) const COLUMNS: [&str; 18] = [
    "shared",
    "progress",
    "relation",
    "parent_id",
    "model_id",
    "practice_type_id",
    "level_id",
    "is_loop",
    "is_stay",
    "priority",
    "lacks",
    "title_sort",
    "distance_dm",
    "reliability_pm",
    "reliability_state",
    "network",
    "start_x",
    "start_y",
];

/// Absent figures sort below all others, on both databases.
const NO_FIGURE: i64 = -1;
/// [`RELIABILITY_THRESHOLD`] in tenths of a percent. The facet `b` marks lower values; `super::facets` asks for `b` at this threshold alone.
const THRESHOLD_PM: i16 = (RELIABILITY_THRESHOLD * 10.0) as i16;

impl Narrow {
    pub(super) fn of(sheet: &Sheet, published: bool, card: &Card, trace: Option<&TraceSummary>) -> Self {
        let flag = |value: Option<bool>| value.map(i16::from);
        let title = ["fr", "en"]
            .into_iter()
            .find_map(|lang| sheet.title.get(lang))
            .or_else(|| sheet.title.iter().next().map(|(_, t)| t));
        Self {
            shared: published && sheet.distribute_own,
            progress: progress_code(sheet.progress_status),
            relation: relation_code(sheet.relation),
            parent_id: sheet.parent_id,
            model_id: sheet.model_id,
            practice_type_id: sheet.practice_type_id,
            level_id: sheet.level_id,
            is_loop: flag(sheet.is_loop),
            is_stay: flag(sheet.is_stay),
            priority: sheet.display_priority.value() as i16,
            lacks: card.missing.len() as i16,
            title_sort: fold(title.unwrap_or_default()),
            distance_dm: card.distance_m.map_or(NO_FIGURE, |m| (m * 10.0).round() as i64),
            reliability_pm: card.reliability.map_or(NO_FIGURE as i16, |percent| (percent * 10.0).round() as i16),
            reliability_state: state_code(trace.map_or(ReliabilityState::None, |trace| trace.reliability_state)),
            network: trace.and_then(|trace| trace.network.as_deref()).map(network_number),
            start: card.start.map(|[lon, lat]| (micro(lon), micro(lat))),
        }
    }

    pub(super) fn values(&self) -> [Value; 18] {
        [
            i16::from(self.shared).into(),
            self.progress.into(),
            self.relation.into(),
            self.parent_id.into(),
            self.model_id.into(),
            self.practice_type_id.into(),
            self.level_id.into(),
            self.is_loop.into(),
            self.is_stay.into(),
            self.priority.into(),
            self.lacks.into(),
            self.title_sort.clone().into(),
            self.distance_dm.into(),
            self.reliability_pm.into(),
            self.reliability_state.into(),
            self.network.into(),
            self.start.map(|(x, _)| x).into(),
            self.start.map(|(_, y)| y).into(),
        ]
    }

    /// The same with the number of fields still to fill in.
    pub(super) fn lacking(self, lacks: i16) -> Self {
        Self { lacks, ..self }
    }

    /// The facts a count asks for, as words of the index: see [`super::facets`].
    pub(super) fn facets(&self, white_label_id: i64, published: bool, theme_ids: &[i64]) -> Vec<String> {
        let mut facts = vec![
            facet('w', white_label_id),
            facet('g', i64::from(self.progress)),
            facet('u', i64::from(published)),
            facet('s', i64::from(self.shared)),
            facet('r', i64::from(self.relation)),
            facet('i', i64::from(self.lacks > 0)),
            facet('b', i64::from((0..THRESHOLD_PM).contains(&self.reliability_pm))),
        ];
        facts.extend(self.practice_type_id.map(|id| facet('p', id)));
        facts.extend(self.level_id.map(|id| facet('l', id)));
        facts.extend(theme_ids.iter().map(|id| facet('t', *id)));
        facts
    }
}

/// A number for a network's checksum: compared, never shown.
pub(crate) fn network_number(checksum: &str) -> i64 {
    // FNV-1a: stable for good, unlike the standard library's hasher.
    let hash = checksum
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    hash as i64
}

/// 0 for no progress status: the default list.
pub(super) const fn progress_code(progress: Option<Progress>) -> i16 {
    match progress {
        None => 0,
        Some(Progress::ToReview) => 1,
        Some(Progress::ToFix) => 2,
        Some(Progress::OnHold) => 3,
        Some(Progress::Archived) => 4,
    }
}

pub(crate) const fn relation_code(relation: Relation) -> i16 {
    match relation {
        Relation::None => 0,
        Relation::ModelOnly => 1,
        Relation::Child => 2,
        Relation::ChildOnly => 3,
    }
}

const STATES: [ReliabilityState; 6] = [
    ReliabilityState::None,
    ReliabilityState::Ok,
    ReliabilityState::Low,
    ReliabilityState::NotCalculable,
    ReliabilityState::Source,
    ReliabilityState::Stale,
];

pub(crate) fn state_code(state: ReliabilityState) -> i16 {
    STATES.iter().position(|known| *known == state).unwrap_or(0) as i16
}

/// The state to show: scored on another network than today's, it is stale.
pub(super) fn state_of(code: i16, scored_on: Option<i64>, today: Option<i64>) -> ReliabilityState {
    let state = usize::try_from(code).ok().and_then(|code| STATES.get(code)).copied().unwrap_or(ReliabilityState::None);
    let scored = matches!(state, ReliabilityState::Ok | ReliabilityState::Low | ReliabilityState::NotCalculable);
    match (scored_on, today) {
        (Some(then), Some(now)) if scored && then != now => ReliabilityState::Stale,
        _ => state,
    }
}
