//! Facts as words: the facts that a list filters by are in the words' index too, so that a search with filters is counted by the
//! index alone. At 100,000 parcours a count that reads a row for each match costs 6 ms, one that reads none 1.5.
//!
//! A fact is a word that cannot be typed: it starts with a character that folding takes out.

use domain::{Actor, WhiteLabelId, parcours::Progress};

use super::filter::{Filter, ProgressFilter};
use super::narrow::{progress_code, relation_code};
use crate::{Dialect, OwnerFilter};

/// Private to us in Unicode, a letter to the index.
const MARK: char = '\u{e000}';

/// A fact: its kind and its value.
pub(super) fn facet(kind: char, value: i64) -> String {
    format!("{}{value}", kind_of_fact(kind))
}

fn facets(kind: char, values: &[i64]) -> Vec<String> {
    values.iter().map(|value| facet(kind, *value)).collect()
}

/// Whether it is the percentage of which a fact says that the reliability is below.
fn is_threshold(percent: f64) -> bool {
    (percent - domain::parcours::RELIABILITY_THRESHOLD).abs() < 1e-9
}

/// What all facts of a kind begin with.
pub(super) fn kind_of_fact(kind: char) -> String {
    format!("{MARK}{kind}")
}

/// A question to the index in the making.
#[derive(Debug, Clone)]
pub(super) struct Question {
    dialect: Dialect,
    text: String,
}

impl Question {
    pub(super) const fn new(dialect: Dialect, words: String) -> Self {
        Self { dialect, text: words }
    }

    /// And one of these facts; no fact asks for nothing.
    pub(super) fn and_any(mut self, facts: &[String]) -> Self {
        if facts.is_empty() {
            return self;
        }
        let (quote, or, and) = match self.dialect {
            Dialect::Sqlite => ('"', " OR ", " AND "),
            Dialect::Postgres => ('\'', " | ", " & "),
        };
        let quoted: Vec<String> = facts.iter().map(|fact| format!("{quote}{fact}{quote}")).collect();
        let and = if self.text.is_empty() { "" } else { and };
        self.text = format!("{}{and}({})", self.text, quoted.join(or));
        self
    }

    /// And not this fact.
    pub(super) fn and_not(mut self, fact: &str) -> Self {
        self.text = match self.dialect {
            Dialect::Sqlite => format!("({}) NOT \"{fact}\"", self.text),
            Dialect::Postgres => format!("({}) & !'{fact}'", self.text),
        };
        self
    }

    pub(super) fn text(self) -> String {
        self.text
    }
}

impl Filter {
    /// The question with all filters but owner and progress; none when there is no question, or a filter is not a fact.
    pub(super) fn faceted(&self, dialect: Dialect) -> Option<Question> {
        // Only these filters are facts. The index of words knows nothing of a filter that is not named here, such as one added later.
        let facts = Self {
            search: self.search.clone(),
            practices: self.practices.clone(),
            levels: self.levels.clone(),
            themes: self.themes.clone(),
            white_labels: self.white_labels.clone(),
            published: self.published,
            progress: self.progress.clone(),
            owner: self.owner,
            incomplete: self.incomplete,
            reliability_below: self.reliability_below.filter(|percent| is_threshold(*percent)),
            relations: self.relations.clone(),
            ..Self::default()
        };
        if *self != facts {
            return None;
        }
        let relations: Vec<i64> = self.relations.iter().map(|relation| i64::from(relation_code(*relation))).collect();
        let published: Vec<i64> = self.published.map(i64::from).into_iter().collect();
        let question = self.and_narrow_facts(Question::new(dialect, self.question(dialect)?));
        Some(question.and_any(&facets('u', &published)).and_any(&facets('r', &relations)))
    }

    /// Adds the facts of the filter that few parcours may have.
    fn and_narrow_facts(&self, question: Question) -> Question {
        let lists = [('p', &self.practices), ('l', &self.levels), ('t', &self.themes), ('w', &self.white_labels)];
        let question = lists.into_iter().fold(question, |question, (kind, ids)| question.and_any(&facets(kind, ids)));
        let incomplete = self.incomplete.then(|| facet('i', 1));
        let low = self.reliability_below.filter(|percent| is_threshold(*percent)).map(|_| facet('b', 1));
        question.and_any(incomplete.as_slice()).and_any(low.as_slice())
    }

    /// The question for the facts alone that few parcours may have, seen from a white-label; none if the filter has no such fact.
    pub(super) fn narrow_facts(&self, dialect: Dialect, active: WhiteLabelId) -> Option<String> {
        let mut question = self.and_narrow_facts(Question::new(dialect, String::new()));
        if self.published == Some(false) {
            // A parcours that is not published is not shared: it is the white-label's own, or was added before.
            let seen = [facet('w', active.0), facet('k', active.0)];
            question = question.and_any(&[facet('u', 0)]).and_any(&seen);
        }
        Some(question.text()).filter(|text| !text.is_empty())
    }

    /// Facts that all of what is listed has, besides that of its owner and its progress.
    pub(super) fn plain_facets(&self) -> Vec<String> {
        let single = |kind: char, ids: &[i64]| if let [only] = ids { Some(facet(kind, *only)) } else { None };
        let lists = [('p', &self.practices), ('l', &self.levels), ('t', &self.themes), ('w', &self.white_labels)];
        let mut facts: Vec<String> = lists.into_iter().filter_map(|(kind, ids)| single(kind, ids)).collect();
        facts.extend(self.incomplete.then(|| facet('i', 1)));
        facts.extend(self.reliability_below.map(|_| facet('b', 1)));
        facts
    }

    /// The facts of the progress statuses that are listed.
    pub(super) fn progress_facets(&self) -> Vec<String> {
        match &self.progress {
            ProgressFilter::None => vec![facet('g', 0)],
            ProgressFilter::Any => Vec::new(),
            ProgressFilter::These(statuses) => {
                statuses.iter().map(|status| facet('g', i64::from(progress_code(Some(*status))))).collect()
            }
        }
    }
}

/// The facts of those a progress status takes out of the default list.
pub(super) fn hidden_facets() -> Vec<String> {
    let statuses = [Progress::ToReview, Progress::ToFix, Progress::OnHold, Progress::Archived];
    statuses.into_iter().map(|status| facet('g', i64::from(progress_code(Some(status))))).collect()
}

/// The same query among the white-label's own, among others', or among both.
pub(super) fn owned(question: Question, owner: OwnerFilter, actor: &Actor) -> Question {
    let me = actor.active_white_label_id.0;
    let (mine, shared, linked) = (facet('w', me), facet('s', 1), facet('k', me));
    match owner {
        OwnerFilter::All => question.and_any(&[mine, shared, linked]),
        OwnerFilter::Mine => question.and_any(&[mine]),
        OwnerFilter::Shared => question.and_any(&[shared, linked]).and_not(&mine),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feedback::Waiting;

    #[test]
    fn a_fact_is_a_word_that_nobody_can_type() {
        assert_eq!(domain::fold(&facet('w', 3)), "w3");
        let filter = Filter { search: Some(format!("lac {}", facet('u', 0))), ..Filter::default() };
        assert_eq!(filter.question(Dialect::Sqlite).as_deref(), Some("\"lac\" AND \"u0\"*"));
    }

    #[test]
    fn filters_become_facts_where_they_can() {
        let filter = Filter {
            search: Some("lac".to_owned()),
            practices: vec![1, 2],
            published: Some(true),
            ..Filter::default()
        };
        let question = filter.faceted(Dialect::Sqlite).map(Question::text);
        assert_eq!(question.as_deref(), Some("\"lac\"* AND (\"\u{e000}p1\" OR \"\u{e000}p2\") AND (\"\u{e000}u1\")"));
        let others = [
            Filter { bbox: Some([0.0, 0.0, 1.0, 1.0]), ..filter.clone() },
            Filter { feedback: Some(Waiting::Reviews), ..filter.clone() },
            Filter { children_waiting: true, ..filter.clone() },
            Filter { reliability_below: Some(80.0), ..filter.clone() },
        ];
        for other in others {
            assert!(other.faceted(Dialect::Sqlite).is_none(), "{other:?}");
        }
        let me = WhiteLabelId(7);
        assert_eq!(Filter { published: Some(true), ..Filter::default() }.narrow_facts(Dialect::Sqlite, me), None);
        let narrow =
            Filter { published: Some(false), incomplete: true, reliability_below: Some(80.0), ..Filter::default() };
        let text = "('\u{e000}i1') & ('\u{e000}u0') & ('\u{e000}w7' | '\u{e000}k7')";
        assert_eq!(narrow.narrow_facts(Dialect::Postgres, me).as_deref(), Some(text));
        let low = Filter { reliability_below: Some(95.0), ..filter };
        let text = low.faceted(Dialect::Sqlite).map(Question::text).unwrap_or_default();
        assert!(text.contains("AND (\"\u{e000}b1\")"), "{text}");
        let not = Question::new(Dialect::Postgres, "'lac':*".to_owned())
            .and_any(&["a".to_owned(), "b".to_owned()])
            .and_not("c");
        assert_eq!(not.text(), "('lac':* & ('a' | 'b')) & !'c'");
    }
}
