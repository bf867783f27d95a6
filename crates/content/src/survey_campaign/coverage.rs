//! The surveyed parts of the parcours of a campaign, computed from the surveys at each request and never stored.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::slice;

use app::App;
use app::extract::{Path, Reader};
use app::record::operations::seen;
use app::record::{At, Named, TitledParcours};
use axum::Json;
use axum::extract::State;
use domain::survey_campaign::{CampaignStretch, CoveredPart, Survey, SurveyCampaignSheet, coverage, surveyed_m};
use domain::{Instant, ParcoursId, Text, UserId, WhiteLabelId};
use serde::Serialize;
use store::record::Stored;
use store::survey_campaign::{parcours_of, surveys};
use store::{Connection, StoreError, parcours};
use trace::Position;
use trace::edit::trim;
use utoipa::ToSchema;

use super::{SurveyCampaignError, SurveyCampaignResource, people_of};

/// Lines are drawn to this accuracy, metres.
const TOLERANCE_M: f64 = 5.0;

/// A stretch of a campaign with its surveyed parts.
#[derive(Debug)]
pub(super) struct CoveredStretch {
    pub parcours: i64,
    pub user: Option<i64>,
    pub length_m: f64,
    pub parts: Vec<CoveredPart>,
}

impl CoveredStretch {
    pub(super) fn surveyed_m(&self) -> f64 {
        surveyed_m(&self.parts)
    }

    /// Its parcours, and where it begins and ends there; none where that has no line.
    pub(super) fn whole(&self) -> Option<(i64, f64, f64)> {
        Some((self.parcours, self.parts.first()?.from_m, self.parts.last()?.to_m))
    }

    /// The same of its surveyed parts.
    pub(super) fn surveyed(&self) -> impl Iterator<Item = (i64, f64, f64)> {
        let surveyed = self.parts.iter().filter(|part| part.survey.is_some());
        surveyed.map(|part| (self.parcours, part.from_m, part.to_m))
    }

    /// The last survey of any part.
    pub(super) fn last(&self) -> Option<(Instant, UserId)> {
        self.parts.iter().filter_map(|part| part.survey).max_by_key(|(at, _)| *at)
    }
}

/// The stretches of a campaign in their order, and the names of people and titles of parcours by their numbers.
#[derive(Debug, Default)]
pub(super) struct Covered {
    pub stretches: Vec<CoveredStretch>,
    pub people: HashMap<i64, String>,
    pub parcours: HashMap<i64, Text>,
}

/// What was surveyed of a campaign.
pub(super) async fn covered(
    db: &impl Connection,
    campaign: &Stored<SurveyCampaignSheet>,
) -> Result<Covered, StoreError> {
    Ok(covered_all(db, slice::from_ref(campaign)).await?.pop().unwrap_or_default())
}

/// What was surveyed of campaigns, in their order: three questions for those of one white-label, however many they are.
pub(super) async fn covered_all(
    db: &impl Connection,
    campaigns: &[Stored<SurveyCampaignSheet>],
) -> Result<Vec<Covered>, StoreError> {
    let user_ids: BTreeSet<i64> = campaigns.iter().flat_map(|one| one.sheet.user_ids.iter().copied()).collect();
    let people = people_of(db, &user_ids.into_iter().collect::<Vec<_>>()).await?;
    let mut of_owner: BTreeMap<WhiteLabelId, Vec<&SurveyCampaignSheet>> = BTreeMap::new();
    for one in campaigns {
        if let Some(owner) = one.white_label_id {
            of_owner.entry(owner).or_default().push(&one.sheet);
        }
    }
    let mut read = HashMap::new();
    for (owner, sheets) in of_owner {
        let ids: BTreeSet<i64> = sheets.iter().flat_map(|sheet| &sheet.stretches).map(|one| one.parcours_id).collect();
        let ids: Vec<i64> = ids.into_iter().collect();
        let since = sheets.iter().map(|sheet| sheet.begins()).min();
        if let Some(since) = since.filter(|_| !ids.is_empty()) {
            read.insert(owner, (parcours_of(db, owner, &ids).await?, surveys(db, owner, &ids, since).await?));
        }
    }
    let one = |campaign: &Stored<SurveyCampaignSheet>| {
        let sheet = &campaign.sheet;
        let people = sheet.user_ids.iter().filter_map(|id| Some((*id, people.get(id)?.clone()))).collect();
        let Some((own, made)) = campaign.white_label_id.and_then(|owner| read.get(&owner)) else {
            return Covered { people, ..Covered::default() };
        };
        let begins = sheet.begins();
        let stretch = |one: &CampaignStretch| {
            let bounds = own.get(&one.parcours_id).and_then(|parcours| one.bounds(parcours.distance_m));
            let made = made.get(&one.parcours_id).into_iter().flatten();
            let made: Vec<Survey> = made.filter(|survey| survey.at >= begins).copied().collect();
            CoveredStretch {
                parcours: one.parcours_id,
                user: one.user_id,
                length_m: bounds.map_or(0.0, |(from, to)| to - from),
                parts: bounds.map(|bounds| coverage(bounds, &made)).unwrap_or_default(),
            }
        };
        let titled = |one: &CampaignStretch| Some((one.parcours_id, own.get(&one.parcours_id)?.title.clone()));
        Covered {
            stretches: sheet.stretches.iter().map(stretch).collect(),
            people,
            parcours: sheet.stretches.iter().filter_map(titled).collect(),
        }
    };
    Ok(campaigns.iter().map(one).collect())
}

/// The names of the people who surveyed.
pub(super) async fn surveyors(
    db: &impl Connection,
    stretches: &[CoveredStretch],
) -> Result<HashMap<i64, String>, StoreError> {
    let parts = stretches.iter().flat_map(|one| &one.parts);
    let ids: BTreeSet<i64> = parts.filter_map(|part| part.survey).map(|(_, by)| by.0).collect();
    people_of(db, &ids.into_iter().collect::<Vec<_>>()).await
}

/// The lines of the parts of each stretch, in the same order.
pub(super) async fn lines(
    db: &impl Connection,
    stretches: &[CoveredStretch],
) -> Result<Vec<Vec<Vec<Position>>>, StoreError> {
    let mut of_parcours: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (at, one) in stretches.iter().enumerate().filter(|(_, one)| !one.parts.is_empty()) {
        of_parcours.entry(one.parcours).or_default().push(at);
    }
    let mut found = vec![Vec::new(); stretches.len()];
    for (id, places) in of_parcours {
        let trace = parcours::trace(db, ParcoursId(id)).await?;
        let line = trace.map(|trace| trace.line()).unwrap_or_default();
        let part = |part: &CoveredPart| trace::simplify(&trim(&line, part.from_m, part.to_m), TOLERANCE_M);
        for at in places {
            found[at] = stretches[at].parts.iter().map(part).collect();
        }
    }
    Ok(found)
}

/// A part of a stretch: surveyed once at its last, or not at all.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SurveyedPart {
    /// Where it begins, metres from the departure.
    from_m: f64,
    /// Where it ends.
    to_m: f64,
    /// When it was last surveyed.
    surveyed_at: Option<Instant>,
    /// By whom.
    surveyed_by: Option<Named>,
    /// Its line, to five metres.
    #[schema(value_type = Vec<trace::Place>)]
    line: Vec<[f64; 2]>,
}

/// A stretch of a campaign.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SurveyedStretch {
    /// The parcours, while it is there.
    parcours: Option<TitledParcours>,
    /// The person who surveys it; null: any of the campaign's.
    user: Option<Named>,
    length_m: f64,
    surveyed_m: f64,
    /// Its parts in order.
    parts: Vec<SurveyedPart>,
}

/// What was surveyed of a campaign.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SurveyCoverage {
    /// One for each of its stretches, in their order.
    stretches: Vec<SurveyedStretch>,
}

/// What was surveyed of a campaign, part by part.
#[utoipa::path(get, path = "/api/v1/survey-campaigns/{id}/coverage", tag = "survey-campaigns", params(("id" = i64, Path)),
    security(("session" = ["content.read"])), responses((status = 200, body = SurveyCoverage), SurveyCampaignError))]
pub async fn show_survey_coverage(
    State(app): State<App>,
    reader: Reader,
    Path(at): Path<At>,
) -> Result<Json<SurveyCoverage>, SurveyCampaignError> {
    let db = app.store.read();
    let campaign = seen::<SurveyCampaignResource>(db, &reader, &at).await?;
    let Covered { stretches, people, parcours } = covered(db, &campaign).await?;
    let surveyors = surveyors(db, &stretches).await?;
    let lines = lines(db, &stretches).await?;
    let named = |names: &HashMap<i64, String>, id: i64| names.get(&id).map(|name| Named { id, name: name.clone() });
    let part = |(part, line): (&CoveredPart, &Vec<Position>)| SurveyedPart {
        from_m: part.from_m.round(),
        to_m: part.to_m.round(),
        surveyed_at: part.survey.map(|(at, _)| at),
        surveyed_by: part.survey.and_then(|(_, by)| named(&surveyors, by.0)),
        line: line.iter().map(|position| [position.lon, position.lat]).collect(),
    };
    let stretch = |(one, lines): (&CoveredStretch, &Vec<Vec<Position>>)| SurveyedStretch {
        parcours: parcours.get(&one.parcours).map(|title| TitledParcours { id: one.parcours, title: title.clone() }),
        user: one.user.and_then(|id| named(&people, id)),
        length_m: one.length_m.round(),
        surveyed_m: one.surveyed_m().round(),
        parts: one.parts.iter().zip(lines).map(part).collect(),
    };
    Ok(Json(SurveyCoverage { stretches: stretches.iter().zip(&lines).map(stretch).collect() }))
}
