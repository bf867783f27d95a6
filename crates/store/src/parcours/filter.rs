//! The filters of a list, and the one place that turns them into a condition.

use domain::parcours::passport::{Channel, ChannelState, Lack, bits_of};
use domain::parcours::{Progress, Relation};
use domain::record::Kind;
use domain::{Actor, WhiteLabelId};

use super::children::with_waiting_children;
use super::dialect::{has_words, ids_with_words, is_among_words, question, words_match};
use super::narrow::{progress_code, relation_code};
use crate::custom::CustomFilter;
use crate::feedback::Waiting;
use crate::parcours_link::LinkKind;
use crate::parcours_trace::{BoxPlan, is_in_box};
use crate::record::Conditions;
use crate::sql::{numbers, own_white_labels};
use crate::{Dialect, OwnerFilter};

/// The filters of a list of parcours.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// Words: all of them, the last may be begun.
    pub search: Option<String>,
    /// One of these practices.
    pub practices: Vec<i64>,
    /// One of these levels.
    pub levels: Vec<i64>,
    /// One of these themes.
    pub themes: Vec<i64>,
    /// Owned by one of these structures.
    pub structures: Vec<i64>,
    /// Owned by one of these white-labels.
    pub white_labels: Vec<i64>,
    /// The owner's switch.
    pub published: Option<bool>,
    /// The progress of the work on it.
    pub progress: ProgressFilter,
    pub owner: OwnerFilter,
    /// With something still to fill in.
    pub incomplete: bool,
    /// Lacking each of these.
    pub lacks: Vec<Lack>,
    /// With each of these channels in this state.
    pub channels: Vec<(Channel, ChannelState)>,
    /// Scored, and below this percentage.
    pub reliability_below: Option<f64>,
    /// Only those whose line's box touches this one: west, south, east, north.
    pub bbox: Option<[f64; 4]>,
    /// Whether the box holds few parcours: found out by the store.
    pub is_small_box: bool,
    /// The question for the filter's facts in the words' index when few parcours have them: found out by the store.
    pub rare_facts: Option<String>,
    /// One of these relations.
    pub relations: Vec<Relation>,
    /// One of these parcours.
    pub ids: Option<Vec<i64>>,
    /// With these values of white-labels' own fields.
    pub custom: Vec<CustomFilter>,
    /// Closed somewhere on this day.
    pub closed_on: Option<String>,
    /// With reviews or field reports of this kind that wait for the staff.
    pub feedback: Option<Waiting>,
    /// With a child of another white-label that waits to be accepted.
    pub children_waiting: bool,
    /// Owned by one of these white-labels, in which the person works; None for no limit. See [`Filter::for_person`].
    pub own_white_labels: Option<Vec<i64>>,
}

/// Which progress statuses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ProgressFilter {
    /// Without one: the default list.
    #[default]
    None,
    /// All, with and without.
    Any,
    /// One of these.
    These(Vec<Progress>),
}

/// What a list is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortKey {
    Updated,
    Created,
    /// Title, without accents.
    Title,
    /// Length.
    Distance,
    Reliability,
    /// Display priority.
    Priority,
}

/// How a list is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    pub key: SortKey,
    /// The greatest first.
    pub descending: bool,
}

impl Default for Sort {
    fn default() -> Self {
        Self { key: SortKey::Updated, descending: true }
    }
}

impl Sort {
    /// Reads `-updated_at`, `title`, …
    pub fn parse(written: &str) -> Option<Self> {
        let (name, descending) = written.strip_prefix('-').map_or((written, false), |name| (name, true));
        let key = match name {
            "updated_at" => SortKey::Updated,
            "created_at" => SortKey::Created,
            "title" => SortKey::Title,
            "distance" => SortKey::Distance,
            "reliability" => SortKey::Reliability,
            "priority" => SortKey::Priority,
            _ => return None,
        };
        Some(Self { key, descending })
    }

    /// The index that has the default list, or all there is, in this order.
    pub(super) const fn index(self, progress: &ProgressFilter) -> Option<&'static str> {
        match (progress, self.key) {
            (ProgressFilter::None, SortKey::Updated) => Some("parcours_by_updated"),
            (ProgressFilter::None, SortKey::Created) => Some("parcours_by_created"),
            (ProgressFilter::None, SortKey::Title) => Some("parcours_by_title"),
            (ProgressFilter::None, SortKey::Distance) => Some("parcours_by_distance"),
            (ProgressFilter::None, SortKey::Priority) => Some("parcours_by_priority"),
            (ProgressFilter::None, SortKey::Reliability) => Some("parcours_by_reliability"),
            (ProgressFilter::Any, SortKey::Updated) => Some("parcours_in_order"),
            _ => None,
        }
    }

    /// `ORDER BY …` over the row of this name; the number decides between equals.
    pub(super) fn order(self, row: &str) -> String {
        let column = match self.key {
            SortKey::Updated => "updated_at",
            SortKey::Created => "created_at",
            SortKey::Title => "title_sort",
            SortKey::Distance => "distance_dm",
            SortKey::Reliability => "reliability_pm",
            SortKey::Priority => "priority",
        };
        let direction = if self.descending { "DESC" } else { "ASC" };
        format!("ORDER BY {row}.{column} {direction}, {row}.id {direction}")
    }
}

/// How words are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordPlan<'a> {
    /// They are few: find them all, then filter.
    FindAll,
    /// Find those of this question, which has the filters' facts too.
    FindThese(&'a str),
    /// The same, where few rows are listed: PostgreSQL asks for the words before the rows. Otherwise it may walk all rows in the list's order, and
    /// ask of each whether it has the words.
    FindFew(&'a str),
    /// They are many: walk in order and test each for this question.
    TestEach(&'a str),
    /// They are many: find them all, then walk in order until enough of them are met.
    WalkAmong,
    /// Take them as the index has them, joined before.
    Joined,
}

impl Filter {
    /// The same filter as this person may ask it: what waits for the staff of a parcours is known to people of its white-label alone.
    #[must_use]
    pub fn for_person(self, actor: &Actor) -> Self {
        let asks_what_waits = self.feedback.is_some() || self.children_waiting;
        let own_white_labels = if asks_what_waits { own_white_labels(actor) } else { None };
        Self { own_white_labels, ..self }
    }

    /// The question put to the words' index, if any.
    pub(super) fn question(&self, dialect: Dialect) -> Option<String> {
        self.search.as_deref().and_then(|asked| question(dialect, asked))
    }

    /// How the parcours of the box are found for a page of a list.
    pub(super) const fn box_of_page(&self) -> BoxPlan {
        if self.is_small_box { BoxPlan::FindFirst } else { BoxPlan::TestEach }
    }

    /// How the parcours of the box are found for a count, which ends after 10,001 rows.
    pub(super) fn box_of_count(&self, dialect: Dialect) -> BoxPlan {
        match self.box_of_page() {
            BoxPlan::TestEach if self.is_read_by_box(dialect) => BoxPlan::Walk,
            plan => plan,
        }
    }

    /// Whether neither words nor rare facts find fewer rows than the box.
    fn is_read_by_box(&self, dialect: Dialect) -> bool {
        self.bbox.is_some() && self.rare_facts.is_none() && self.question(dialect).is_none()
    }

    /// All conditions on the row `p` but those of owner and progress.
    pub(super) fn conditions(&self, dialect: Dialect, words: WordPlan<'_>, in_box: BoxPlan) -> Conditions {
        let mut found = Conditions::default();
        if let Some(question) = self.question(dialect) {
            let value = match words {
                WordPlan::TestEach(other) | WordPlan::FindThese(other) | WordPlan::FindFew(other) => found.bind(other),
                WordPlan::FindAll | WordPlan::WalkAmong | WordPlan::Joined => found.bind(question),
            };
            found.and(match words {
                WordPlan::FindAll | WordPlan::FindThese(_) => format!("p.id IN ({})", ids_with_words(dialect, &value)),
                WordPlan::FindFew(_) => is_among_words(dialect, &value),
                // The sign keeps the optimiser from looking each one up by its number.
                WordPlan::WalkAmong => format!("+p.id IN ({})", ids_with_words(dialect, &value)),
                WordPlan::TestEach(_) => has_words(dialect, &value),
                WordPlan::Joined => words_match(dialect, &value),
            });
        }
        if let Some(question) = &self.rare_facts {
            let value = found.bind(question.clone());
            found.and(is_among_words(dialect, &value));
        }
        for (column, ids) in
            [("practice_type_id", &self.practices), ("level_id", &self.levels), ("white_label_id", &self.white_labels)]
        {
            if !ids.is_empty() {
                found.and(format!("p.{column} IN {}", numbers(ids)));
            }
        }
        if !self.themes.is_empty() {
            let kind = LinkKind::Theme as i16;
            found.and(format!(
                "p.id IN (SELECT parcours_id FROM parcours_link WHERE kind = {kind} AND target_id IN {})",
                numbers(&self.themes)
            ));
        }
        if !self.structures.is_empty() {
            found.and(format!(
                "p.white_label_id IN (SELECT id FROM white_label WHERE structure_id IN {})",
                numbers(&self.structures)
            ));
        }
        if let Some(published) = self.published {
            found.and(format!("p.published = {}", i16::from(published)));
        }
        if self.incomplete {
            found.and("p.lacks > 0");
        }
        for lack in &self.lacks {
            found.and(format!("(p.lack_bits & {}) <> 0", lack.bit()));
        }
        for (channel, state) in &self.channels {
            found.and(in_state(*channel, *state));
        }
        if let Some(percent) = self.reliability_below {
            found.and(format!("p.reliability_pm BETWEEN 0 AND {}", below(percent)));
        }
        if let Some(bbox) = self.bbox {
            let corners = bbox.map(|degrees| found.bind(degrees));
            found.and(is_in_box(dialect, corners.each_ref().map(String::as_str), in_box));
        }
        if !self.relations.is_empty() {
            let codes: Vec<i64> = self.relations.iter().map(|relation| i64::from(relation_code(*relation))).collect();
            found.and(format!("p.relation IN {}", numbers(&codes)));
        }
        if let Some(day) = &self.closed_on {
            let day = found.bind(day.clone());
            found.and(format!("p.id IN (SELECT parcours_id FROM parcours_closure WHERE starts <= {day} AND (ends IS NULL OR ends >= {day}))"));
        }
        if let Some(waiting) = self.feedback {
            found.and(format!("p.id IN ({})", waiting.rows()));
        }
        if self.children_waiting {
            found.and(format!("p.id IN ({})", with_waiting_children()));
        }
        if let Some(own) = &self.own_white_labels {
            found.and(format!("p.white_label_id IN {}", numbers(own)));
        }
        if let Some(ids) = &self.ids {
            found.and(format!("p.id IN {}", numbers(ids)));
        }
        for wanted in &self.custom {
            let among = wanted.found(Kind::Parcours, |value| found.bind(value));
            found.and(format!("p.id IN ({among})"));
        }
        found
    }

    /// The condition on progress.
    pub(super) fn progress_clause(&self) -> Option<String> {
        self.progress_of("p.progress")
    }

    /// The condition on progress, for this column.
    pub(super) fn progress_of(&self, column: &str) -> Option<String> {
        match &self.progress {
            ProgressFilter::None => Some(format!("{column} = 0")),
            ProgressFilter::Any => None,
            ProgressFilter::These(statuses) => {
                let codes: Vec<i64> = statuses.iter().map(|status| i64::from(progress_code(Some(*status)))).collect();
                Some(format!("{column} IN {}", numbers(&codes)))
            }
        }
    }

    /// The condition on the owner, seen from the active white-label.
    pub(super) fn owner_clause(&self, dialect: Dialect, actor: &Actor) -> String {
        owner_clause(dialect, self.owner, actor.active_white_label_id)
    }

    /// Whether it leaves all that is published.
    pub(super) fn is_published_alone(&self) -> bool {
        self.search.is_none() && self.published == Some(true) && !Self { published: None, ..self.clone() }.narrows()
    }

    /// Whether something besides owner and progress narrows the list.
    pub(super) fn narrows(&self) -> bool {
        let plain = Self { progress: self.progress.clone(), owner: self.owner, search: None, ..Self::default() };
        *self != Self { search: self.search.clone(), ..plain }
    }
}

/// The condition that a white-label added it to its own. PostgreSQL is asked for each row: it would count a list of all that was added as a cost
/// of each look by number, and walk whole tables instead.
pub(super) fn added_by(dialect: Dialect, active: WhiteLabelId) -> String {
    match dialect {
        Dialect::Sqlite => {
            format!("p.id IN (SELECT parcours_id FROM parcours_white_label WHERE white_label_id = {active})")
        }
        Dialect::Postgres => format!(
            "EXISTS (SELECT 1 FROM parcours_white_label a WHERE a.white_label_id = {active} AND a.parcours_id = p.id)"
        ),
    }
}

/// What belongs to a white-label, what others show it, or both.
pub(crate) fn owner_clause(dialect: Dialect, owner: OwnerFilter, active: WhiteLabelId) -> String {
    let linked = added_by(dialect, active);
    match owner {
        OwnerFilter::Mine => format!("p.white_label_id = {active}"),
        OwnerFilter::Shared => format!("p.white_label_id <> {active} AND (p.shared = 1 OR {linked})"),
        OwnerFilter::All => format!("(p.white_label_id = {active} OR p.shared = 1 OR {linked})"),
    }
}

/// The condition that a channel is in a state: the gravest of its lacks decides.
fn in_state(channel: Channel, state: ChannelState) -> String {
    let bars = format!("(p.lack_bits & {}) <> 0", bits_of(channel, ChannelState::Missing));
    let warns = format!("(p.lack_bits & {}) <> 0", bits_of(channel, ChannelState::ToCheck));
    match state {
        ChannelState::Missing => bars,
        ChannelState::ToCheck => format!("NOT ({bars}) AND {warns}"),
        ChannelState::Ready => format!("NOT ({bars}) AND NOT ({warns})"),
    }
}

/// The greatest stored per-mille that is below a percentage.
fn below(percent: f64) -> i64 {
    (percent.clamp(0.0, 101.0) * 10.0).ceil() as i64 - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_ninety_five_leaves_ninety_five_out() {
        assert_eq!(below(95.0), 949);
        assert_eq!(below(94.95), 949);
        assert_eq!(below(0.0), -1);
    }

    #[test]
    fn a_sort_is_read_as_it_is_written() {
        assert_eq!(Sort::parse("-updated_at"), Some(Sort::default()));
        assert_eq!(Sort::parse("title"), Some(Sort { key: SortKey::Title, descending: false }));
        assert_eq!(Sort::parse("title; DROP TABLE parcours"), None);
    }

    #[test]
    fn owner_and_progress_alone_do_not_narrow() {
        assert!(!Filter { owner: OwnerFilter::Mine, search: Some("lac".to_owned()), ..Filter::default() }.narrows());
        assert!(Filter { practices: vec![1], ..Filter::default() }.narrows());
    }
}
