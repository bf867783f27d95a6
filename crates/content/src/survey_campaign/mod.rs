//! Campaigns of surveys: what is to be surveyed on the ground, by whom, until when; what was. They belong to their white-label, and other
//! tenants do not see them (decision 0070).

mod coverage;
mod export;
mod list;
mod mail;

use std::collections::HashMap;

use app::App;
use app::extract::Editor;
use app::record::owned::{Ownership, locked, ownerships};
use app::record::{Head, Named, RecordError, Resource, TitledParcours, record_operations};
use app::routes;
use domain::record::Kind;
use domain::survey_campaign::{CampaignStretch, SurveyCampaignSheet, length_once_m};
use domain::{Actor, Capability, Fault, Text};
use serde::Serialize;
use store::record::Stored;
use store::survey_campaign::{SurveyCampaigns, has_non_recorder, parcours_of};
use store::{Connection, StoreError, Tx, uses};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

pub use mail::MailCampaigns;

use coverage::{Covered, CoveredStretch, covered_all};

/// Errors of a campaign.
pub type SurveyCampaignError = RecordError<SurveyCampaignResource>;

/// A campaign of surveys.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SurveyCampaign)]
pub struct SurveyCampaignView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    ownership: Ownership,
    #[serde(flatten)]
    sheet: SurveyCampaignSheet,
    people: Vec<Named>,
    /// Its parcours, as far as they are there.
    parcours: Vec<TitledParcours>,
    /// Length of all its stretches, metres; what several have in common counts once.
    length_m: f64,
    /// Length of what was surveyed of them since it began, metres.
    surveyed_m: f64,
    /// Its last day is past, and something was not surveyed.
    overdue: bool,
}

/// The resource of campaigns.
#[derive(Debug)]
pub struct SurveyCampaignResource;

impl Resource for SurveyCampaignResource {
    type Record = SurveyCampaigns;
    type Sheet = SurveyCampaignSheet;
    type View = SurveyCampaignView;
    const PATH: &'static str = "/api/v1/survey-campaigns";
    const NOT_FOUND: &'static str = "survey-campaign/not-found";
    const NOT_YOURS: &'static str = "survey-campaign/not-yours";
    const IN_USE: &'static str = "survey-campaign/in-use";

    async fn sees(
        _db: &impl Connection,
        actor: &Actor,
        record: &Stored<SurveyCampaignSheet>,
    ) -> Result<bool, StoreError> {
        Ok(record.white_label_id.is_some_and(|owner| actor.works_in(owner)))
    }

    async fn check(
        _app: &App,
        tx: &Tx,
        _actor: &Actor,
        before: &Stored<SurveyCampaignSheet>,
        after: &mut Stored<SurveyCampaignSheet>,
        changed: &[&'static str],
    ) -> Result<Vec<Fault>, SurveyCampaignError> {
        let mut faults = after.sheet.rules();
        if changed.contains(&"stretches") {
            faults.extend(stretch_faults(tx, after).await?);
        }
        if changed.contains(&"user_ids") {
            faults.extend(people_fault(tx, &before.sheet.user_ids, after).await?);
        }
        Ok(faults)
    }

    async fn views(
        app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<SurveyCampaignSheet>>,
    ) -> Result<Vec<SurveyCampaignView>, StoreError> {
        let owners = ownerships::<Self>(db, actor, &records).await?;
        let coverages = covered_all(db, &records).await?;
        let mut views = Vec::new();
        for ((record, ownership), covered) in records.into_iter().zip(owners).zip(coverages) {
            let Covered { stretches, people, parcours } = covered;
            let length_m = length_once_m(stretches.iter().filter_map(CoveredStretch::whole)).round();
            let surveyed_m = length_once_m(stretches.iter().flat_map(CoveredStretch::surveyed)).round();
            views.push(SurveyCampaignView {
                head: Head::of(&record, locked::<Self>(actor, &record, Capability::ContentWrite)),
                ownership,
                people: named(&people),
                parcours: titled(parcours, app.settings.main_language()),
                length_m,
                surveyed_m,
                overdue: surveyed_m < length_m && record.sheet.is_past_due(&app.today()),
                sheet: record.sheet,
            });
        }
        Ok(views)
    }
}

/// Titles by their numbers, in their order in a language.
fn titled(titles: HashMap<i64, Text>, language: &str) -> Vec<TitledParcours> {
    let mut titled: Vec<_> = titles.into_iter().map(|(id, title)| TitledParcours { id, title }).collect();
    titled.sort_by(|a, b| (a.title.best(language), a.id).cmp(&(b.title.best(language), b.id)));
    titled
}

/// Names by their numbers, in the order of the names.
fn named(names: &HashMap<i64, String>) -> Vec<Named> {
    let mut named: Vec<Named> = names.iter().map(|(id, name)| Named { id: *id, name: name.clone() }).collect();
    named.sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
    named
}

/// The names of people.
async fn people_of(db: &impl Connection, ids: &[i64]) -> Result<HashMap<i64, String>, StoreError> {
    let titles = uses::titles(db, Kind::User, ids).await?;
    Ok(titles.into_iter().map(|(id, name)| (id, name.best("fr").trim().to_owned())).collect())
}

/// People who are added may record on the ground for the campaign's white-label.
async fn people_fault(
    tx: &Tx,
    before: &[i64],
    after: &Stored<SurveyCampaignSheet>,
) -> Result<Option<Fault>, StoreError> {
    let Some(owner) = after.white_label_id else { return Ok(None) };
    let added: Vec<i64> = after.sheet.user_ids.iter().copied().filter(|id| !before.contains(id)).collect();
    let is_refused = has_non_recorder(tx, owner, &added).await?;
    Ok(is_refused.then(|| Fault::new("survey-campaign/cannot-record", "/user_ids")))
}

/// Stretches are of parcours of the campaign's white-label, and end where these end.
async fn stretch_faults(tx: &Tx, after: &Stored<SurveyCampaignSheet>) -> Result<Vec<Fault>, StoreError> {
    let Some(owner) = after.white_label_id else { return Ok(Vec::new()) };
    let ids: Vec<i64> = after.sheet.stretches.iter().map(|one| one.parcours_id).collect();
    let own = parcours_of(tx, owner, &ids).await?;
    let fault = |(i, one): (usize, &CampaignStretch)| match own.get(&one.parcours_id) {
        None => Some(Fault::new("survey-campaign/other-white-label", format!("/stretches/{i}/parcours_id"))),
        Some(parcours) => {
            let is_beyond = one.from_m.is_some_and(|from| parcours.distance_m.is_none_or(|length| from >= length));
            is_beyond.then(|| Fault::new("ground/stretch", format!("/stretches/{i}/to_m")))
        }
    };
    Ok(after.sheet.stretches.iter().enumerate().filter_map(fault).collect())
}

record_operations! {
    SurveyCampaignResource, SurveyCampaignSheet, SurveyCampaignView, SurveyCampaignError;
    noun: "a campaign of surveys", tag: "survey-campaigns", base: "/api/v1/survey-campaigns", params: [],
    create: (Editor, "content.write"), change: (Editor, "content.write"), delete: (Editor, "content.write"),
    show_survey_campaign, create_survey_campaign, update_survey_campaign, delete_survey_campaign, list_survey_campaign_uses,
    list_survey_campaign_revisions, show_survey_campaign_revision, restore_survey_campaign_revision,
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    operations()
        .routes(routes!(list::list_survey_campaigns))
        .routes(routes!(list::list_surveyors))
        .routes(routes!(coverage::show_survey_coverage))
        .routes(routes!(export::export_survey_coverage_csv))
        .routes(routes!(export::export_survey_coverage_geojson))
}
