//! The list's query, in an address and in the body of a bulk action.

use app::{App, Rejection, filter};
use domain::Actor;
use domain::parcours::passport::{Channel, ChannelState, Lack};
use domain::parcours::{Progress, Relation};
use domain::white_label::CustomOn;
use serde::{Deserialize, Serialize};
use store::OwnerFilter;
use store::feedback::Waiting;
use store::parcours::{Filter, ProgressFilter, Sort};
use utoipa::{IntoParams, ToSchema};

use crate::custom;

/// What is asked of the list. Several values of one key are separated by commas.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ListQuery {
    /// Words: all of them, accents do not count, the last may be begun.
    pub search: Option<String>,
    /// Practice types.
    #[param(example = "1,2")]
    pub practice: Option<String>,
    pub level: Option<String>,
    pub theme: Option<String>,
    /// Structures that own them.
    pub structure: Option<String>,
    /// White-labels that own them.
    pub white_label: Option<String>,
    /// `true` or `false`.
    pub published: Option<String>,
    /// `any`, or progress statuses; without it, those that have none.
    pub progress: Option<String>,
    /// `mine`, `shared` or `all`.
    pub owner: Option<String>,
    /// `true`: something is still to fill in.
    pub incomplete: Option<String>,
    /// What they lack, each of these: `no_photo`, `no_english`, `no_legend`, …
    #[param(example = "no_photo,no_legend")]
    pub lack: Option<String>,
    /// A language: those of the active white-label with a text that was translated into it and whose source changed since.
    #[param(example = "en")]
    pub stale: Option<String>,
    /// Outputs with their state, all of them: `app:missing`, `open_data:ready`, …
    #[param(example = "app:missing")]
    pub channel: Option<String>,
    /// Scored, and below this percentage.
    #[param(example = 95)]
    pub reliability_below: Option<String>,
    /// West, south, east, north.
    #[param(example = "1.4,42.4,1.8,42.7")]
    pub bbox: Option<String>,
    /// `none`, `model_only`, `child`, `child_only`.
    pub relation: Option<String>,
    /// Values of the active white-label's own fields: `key:value`, several with `;`. Words are looked for in texts and
    /// addresses; a choice, a tick, a number and a day must be the same; numbers and days also `from..to`, either end open.
    #[param(example = "ground:Sable;beds:2..4")]
    pub custom: Option<String>,
    /// These parcours.
    pub ids: Option<String>,
    /// `true`: closed somewhere today.
    pub closed: Option<String>,
    /// `reviews` or `reports` that wait for the staff: among the parcours of the person's white-labels.
    pub feedback: Option<String>,
    /// `waiting`: with a child of another white-label that waits to be accepted, among the parcours of the person's white-labels.
    pub children: Option<String>,
    /// `updated_at`, `created_at`, `title`, `distance`, `reliability`, `priority`; with `-` the greatest first.
    #[param(example = "-updated_at")]
    pub sort: Option<String>,
}

fn bad(field: &str) -> Rejection {
    Rejection::BadQuery { name: field.to_owned() }
}

impl ListQuery {
    /// The filter for one reader, or the parameter that cannot be read.
    pub async fn filter_for(&self, app: &App, actor: &Actor) -> Result<Filter, Rejection> {
        let asked = self.custom.as_deref();
        let custom = custom::filters(app.store.read(), actor, CustomOn::Parcours, asked).await?;
        let closed = filter::flag("closed", self.closed.as_deref())?.unwrap_or(false);
        let mut filter = Filter { custom, closed_on: closed.then(|| app.today()), ..self.filter()? };
        if let Some(language) = written(self.stale.as_deref()) {
            if !app.settings.content_languages.iter().any(|known| known == language) {
                return Err(bad("stale"));
            }
            let db = app.store.read();
            let mut stale = crate::sheet_texts::stale_parcours(db, actor.active_white_label_id, language).await?;
            if let Some(ids) = &filter.ids {
                stale.retain(|id| ids.contains(id));
            }
            filter.ids = Some(stale);
        }
        Ok(filter.for_person(actor))
    }

    /// The same without the white-label's own fields, and without today's date.
    fn filter(&self) -> Result<Filter, Rejection> {
        Ok(Filter {
            search: self.search.clone().filter(|words| !words.trim().is_empty()),
            practices: numbers("practice", self.practice.as_deref())?,
            levels: numbers("level", self.level.as_deref())?,
            themes: numbers("theme", self.theme.as_deref())?,
            structures: numbers("structure", self.structure.as_deref())?,
            white_labels: numbers("white_label", self.white_label.as_deref())?,
            published: filter::flag("published", self.published.as_deref())?,
            progress: progress(self.progress.as_deref())?,
            owner: owner(self.owner.as_deref())?,
            incomplete: filter::flag("incomplete", self.incomplete.as_deref())?.unwrap_or(false),
            lacks: filter::words("lack", self.lack.as_deref(), Lack::parse)?,
            channels: filter::words("channel", self.channel.as_deref(), channel)?,
            reliability_below: percent(self.reliability_below.as_deref())?,
            bbox: bbox(self.bbox.as_deref())?,
            relations: relations(self.relation.as_deref())?,
            feedback: feedback(self.feedback.as_deref())?,
            children_waiting: children(self.children.as_deref())?,
            ids: filter::ids_up_to(MAX_VALUES, "ids", self.ids.as_deref())?,
            ..Filter::default()
        })
    }

    /// The order it asks for.
    pub fn sort(&self) -> Result<Sort, Rejection> {
        written(self.sort.as_deref())
            .map_or_else(|| Ok(Sort::default()), |text| Sort::parse(text).ok_or_else(|| bad("sort")))
    }
}

fn written(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

/// The most values of one key.
const MAX_VALUES: usize = 5_000;

fn numbers(field: &str, text: Option<&str>) -> Result<Vec<i64>, Rejection> {
    Ok(filter::ids_up_to(MAX_VALUES, field, text)?.unwrap_or_default())
}

fn progress(text: Option<&str>) -> Result<ProgressFilter, Rejection> {
    match written(text) {
        None | Some("none") => Ok(ProgressFilter::None),
        Some("any") => Ok(ProgressFilter::Any),
        Some(list) => {
            let found: Option<Vec<Progress>> = list.split(',').map(|word| Progress::parse(word.trim())).collect();
            found.map(ProgressFilter::These).ok_or_else(|| bad("progress"))
        }
    }
}

fn feedback(text: Option<&str>) -> Result<Option<Waiting>, Rejection> {
    written(text).map(|word| Waiting::parse(word).ok_or_else(|| bad("feedback"))).transpose()
}

fn children(text: Option<&str>) -> Result<bool, Rejection> {
    match written(text) {
        None => Ok(false),
        Some("waiting") => Ok(true),
        Some(_) => Err(bad("children")),
    }
}

fn channel(word: &str) -> Option<(Channel, ChannelState)> {
    let (channel, state) = word.split_once(':')?;
    Some((Channel::parse(channel)?, ChannelState::parse(state)?))
}

/// `mine`, `shared` or `all`.
pub(crate) fn owner(text: Option<&str>) -> Result<OwnerFilter, Rejection> {
    filter::owner(written(text))
}

fn percent(text: Option<&str>) -> Result<Option<f64>, Rejection> {
    let Some(text) = written(text) else { return Ok(None) };
    let found = text.parse::<f64>().ok().filter(|percent| (0.0..=100.0).contains(percent));
    found.map(Some).ok_or_else(|| bad("reliability_below"))
}

fn bbox(text: Option<&str>) -> Result<Option<[f64; 4]>, Rejection> {
    let Some(text) = written(text) else { return Ok(None) };
    let degrees: Option<Vec<f64>> =
        text.split(',').map(|part| part.trim().parse::<f64>().ok().filter(|d| d.is_finite())).collect();
    let corners: Option<[f64; 4]> = degrees.and_then(|degrees| degrees.try_into().ok());
    let [west, south, east, north] = corners.ok_or_else(|| bad("bbox"))?;
    // A map that is turned round the world asks for more than there is.
    let corners = [west.max(-180.0), south.max(-90.0), east.min(180.0), north.min(90.0)];
    if corners[0] <= corners[2] && corners[1] <= corners[3] { Ok(Some(corners)) } else { Err(bad("bbox")) }
}

fn relations(text: Option<&str>) -> Result<Vec<Relation>, Rejection> {
    let Some(text) = written(text) else { return Ok(Vec::new()) };
    let found: Option<Vec<Relation>> = text.split(',').map(|word| Relation::parse(word.trim())).collect();
    found.ok_or_else(|| bad("relation"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn refused(asked: &ListQuery) -> String {
        asked.filter().map(|_| ()).and_then(|()| asked.sort().map(|_| ())).unwrap_err().to_string()
    }

    #[test]
    fn an_empty_query_is_the_default_list() {
        assert_eq!(ListQuery::default().filter().unwrap(), Filter::default());
        let blank = ListQuery { practice: Some(String::new()), search: Some("  ".to_owned()), ..ListQuery::default() };
        assert_eq!(blank.filter().unwrap(), Filter::default());
    }

    #[test]
    fn each_wrong_value_names_its_parameter() {
        let some = |text: &str| Some(text.to_owned());
        for (asked, field) in [
            (ListQuery { practice: some("1,x"), ..ListQuery::default() }, "practice"),
            (ListQuery { published: some("maybe"), ..ListQuery::default() }, "published"),
            (ListQuery { progress: some("lost"), ..ListQuery::default() }, "progress"),
            (ListQuery { owner: some("nobody"), ..ListQuery::default() }, "owner"),
            (ListQuery { reliability_below: some("101"), ..ListQuery::default() }, "reliability_below"),
            (ListQuery { bbox: some("1,2,3"), ..ListQuery::default() }, "bbox"),
            (ListQuery { bbox: some("3,2,1,4"), ..ListQuery::default() }, "bbox"),
            (ListQuery { lack: some("no_luck"), ..ListQuery::default() }, "lack"),
            (ListQuery { channel: some("app"), ..ListQuery::default() }, "channel"),
            (ListQuery { channel: some("app:gone"), ..ListQuery::default() }, "channel"),
            (ListQuery { feedback: some("praise"), ..ListQuery::default() }, "feedback"),
            (ListQuery { children: some("refused"), ..ListQuery::default() }, "children"),
            (ListQuery { relation: some("cousin"), ..ListQuery::default() }, "relation"),
            (ListQuery { sort: some("colour"), ..ListQuery::default() }, "sort"),
        ] {
            assert_eq!(refused(&asked), format!("bad query parameter {field}"));
        }
    }
}
