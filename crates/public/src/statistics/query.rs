//! Which figures are asked for.

use app::App;
use domain::statistics::{Day, EventKind, EventSource, MAX_PERIOD_DAYS, Period};
use domain::{Actor, ParcoursId, WhiteLabelId};
use serde::{Deserialize, Serialize};
use store::statistics::{Counts, Filter};
use utoipa::{IntoParams, ToSchema};

use super::error::StatisticsError;

/// The time that is shown unless another is asked for, in days.
const USUAL_DAYS: i64 = 30;
/// The value for an unknown country or language, in requests and answers.
pub(super) const UNKNOWN: &str = "unknown";

/// Which figures are wanted. Days are those of the time zone of the installation.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(super) struct StatisticsQuery {
    /// The first day; 29 days before the last one by default.
    from: Option<Day>,
    /// The last day; today by default.
    to: Option<Day>,
    /// One of the white-labels the person works in; all of them by default.
    white_label_id: Option<i64>,
    /// One parcours.
    parcours_id: Option<i64>,
    /// One kind of event.
    #[param(inline)]
    kind: Option<EventKind>,
    /// One source.
    #[param(inline)]
    source: Option<EventSource>,
    /// A country of two letters, or `unknown`.
    country: Option<String>,
    /// A language of two letters, or `unknown`.
    language: Option<String>,
}

impl StatisticsQuery {
    /// The filter for the store, for one reader.
    pub fn filter(&self, app: &App, actor: &Actor) -> Result<Filter, StatisticsError> {
        let to = self.to.unwrap_or_else(|| Day::in_zone(&app.settings.time_zone, app.now()));
        let period = Period { from: self.from.unwrap_or(to.plus(1 - USUAL_DAYS)), to };
        if !(1..=MAX_PERIOD_DAYS).contains(&period.days()) {
            return Err(StatisticsError::BadPeriod { days: MAX_PERIOD_DAYS });
        }
        let known = |asked: &Option<String>| asked.as_ref().map(|asked| asked.replace(UNKNOWN, ""));
        Ok(Filter {
            period,
            white_label_ids: match self.white_label_id {
                Some(id) => vec![theirs(actor, id)?.0],
                None => actor.white_label_ids.iter().map(|id| id.0).collect(),
            },
            parcours_id: self.parcours_id.map(ParcoursId),
            kind: self.kind,
            source: self.source,
            country: known(&self.country),
            language: known(&self.language),
        })
    }
}

/// A white-label the person works in; others are answered as not found.
pub(super) fn theirs(actor: &Actor, id: i64) -> Result<WhiteLabelId, StatisticsError> {
    let id = WhiteLabelId(id);
    if actor.works_in(id) { Ok(id) } else { Err(StatisticsError::WhiteLabelNotFound { id: id.0 }) }
}

/// How often each thing happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct StatisticsCounts {
    /// All events.
    pub total: i64,
    view: i64,
    widget_view: i64,
    download: i64,
    share: i64,
    pdf: i64,
    guidance: i64,
}

impl From<Counts> for StatisticsCounts {
    fn from(counts: Counts) -> Self {
        Self {
            total: counts.total(),
            view: counts.of(EventKind::View),
            widget_view: counts.of(EventKind::WidgetView),
            download: counts.of(EventKind::Download),
            share: counts.of(EventKind::Share),
            pdf: counts.of(EventKind::Pdf),
            guidance: counts.of(EventKind::Guidance),
        }
    }
}
