//! Campaigns of surveys, and the surveys that count for them.

use std::collections::{HashMap, HashSet};

use domain::ground::GroundText;
use domain::record::Kind;
use domain::survey_campaign::{Survey, SurveyCampaignSheet};
use domain::{Actor, Instant, StructureId, Text, UserId, WhiteLabelId, fold};
use sea_orm::Value;
use serde::Deserialize;

use crate::record::{Conditions, Counted, Record, Sorted, Stored, load_many, page_of};
use crate::sql::{all, execute, get, is_own, json, numbers};
use crate::{Connection, Page, StoreError, Tx};

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct SurveyCampaigns;

/// The last day of a campaign without one.
const NO_DAY: &str = "9999-12-31";
/// Surveys that one query reads.
const SURVEYS_PER_QUERY: usize = 5_000;
/// The most surveys that count, the last ones first: far more than a white-label makes in a year.
const MAX_SURVEYS: usize = 200_000;
/// The most people who are offered.
const MAX_PEOPLE: u32 = 500;
/// Whether a user `u` may record on the ground for the white-label `$1`.
const MAY_RECORD: &str = "(u.role IN ('superadmin', 'admin') OR u.role IN ('agency', 'editor')
    AND EXISTS (SELECT 1 FROM user_white_label w WHERE w.user_id = u.id AND w.white_label_id = $1))";

impl Record for SurveyCampaigns {
    type Sheet = SurveyCampaignSheet;
    const KIND: Kind = Kind::SurveyCampaign;
    const TABLE: &'static str = "survey_campaign";
    const OWNED: bool = true;

    fn columns(record: &Stored<SurveyCampaignSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        let due_on = sheet.due_on.as_deref().unwrap_or(NO_DAY);
        vec![("sort_title", fold(&sheet.name).into()), ("due_on", due_on.into()), ("closed", sheet.closed.into())]
    }

    fn title(sheet: &SurveyCampaignSheet) -> Text {
        Text::in_french(sheet.name.clone())
    }
}

/// The filters of a list of campaigns.
#[derive(Debug, Clone)]
pub struct CampaignFilter {
    /// Only those of the white-labels in which this person works.
    pub reader: Actor,
    /// Every one of these words, in the name.
    pub search: Option<String>,
    /// Those that are over, or those that are not.
    pub closed: Option<bool>,
    /// Campaigns in which this person surveys.
    pub person: Option<UserId>,
    /// Among these.
    pub ids: Option<Vec<i64>>,
}

impl CampaignFilter {
    /// Only campaigns of the white-labels in which the person works.
    pub fn of(actor: &Actor) -> Self {
        Self { reader: actor.clone(), search: None, closed: None, person: None, ids: None }
    }
}

/// A page of campaigns. `None` if `sort` is not an order that the list offers.
pub async fn list(
    db: &impl Connection,
    filter: &CampaignFilter,
    sort: &str,
    page: Page,
) -> Result<Option<(Vec<Stored<SurveyCampaignSheet>>, Counted)>, StoreError> {
    let sorts = [("due_on", "due_on"), ("title", "sort_title"), ("updated_at", "updated_at")];
    let Some(sorted) = Sorted::parse(sort, &sorts) else { return Ok(None) };
    let mut found = Conditions::default();
    found.and(is_own(&filter.reader, "n.white_label_id"));
    for word in fold(filter.search.as_deref().unwrap_or_default()).split(' ').filter(|word| !word.is_empty()) {
        // A folded word has letters and digits only: nothing in it is a wildcard.
        let place = found.bind(format!("%{word}%"));
        found.and(format!("n.sort_title LIKE {place}"));
    }
    if let Some(closed) = filter.closed {
        found.and(format!("n.closed = {}", if closed { "TRUE" } else { "FALSE" }));
    }
    let person = filter.person.map(|id| [id.0]);
    found.pointing(Kind::SurveyCampaign, Kind::User, person.as_ref().map(<[i64; 1]>::as_slice));
    found.within("id", filter.ids.as_deref());
    let (ids, counted) = page_of(db, SurveyCampaigns::TABLE, &found, sorted, page).await?;
    Ok(Some((load_many::<SurveyCampaigns>(db, &ids).await?, counted)))
}

/// A parcours of a campaign.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CampaignParcours {
    pub title: Text,
    /// Its length, metres; none without a line.
    #[serde(default)]
    pub distance_m: Option<f64>,
}

/// The parcours, of these, that belong to a white-label.
pub async fn parcours_of(
    db: &impl Connection,
    owner: WhiteLabelId,
    ids: &[i64],
) -> Result<HashMap<i64, CampaignParcours>, StoreError> {
    let sql = format!(
        "SELECT p.id, c.card FROM parcours p JOIN parcours_card c ON c.parcours_id = p.id
        WHERE p.white_label_id = $1 AND p.id IN {}",
        numbers(ids)
    );
    let one = |row| {
        let id: i64 = get(row, 0)?;
        Ok((id, json("parcours_card", id, &get::<String>(row, 1)?)?))
    };
    all(db, &sql, [owner.0.into()]).await?.iter().map(one).collect()
}

/// The surveys of parcours of a white-label since a time, by parcours, the last ones first.
pub async fn surveys(
    db: &impl Connection,
    owner: WhiteLabelId,
    ids: &[i64],
    since: Instant,
) -> Result<HashMap<i64, Vec<Survey>>, StoreError> {
    let sql = format!(
        "SELECT id, parcours_id, user_id, made_at, body FROM ground_entry WHERE parcours_id IN {} AND kind = 'survey'
        AND white_label_id = $1 AND made_at >= $2 AND (made_at < $3 OR (made_at = $3 AND id < $4))
        ORDER BY made_at DESC, id DESC LIMIT {SURVEYS_PER_QUERY}",
        numbers(ids)
    );
    let mut found: HashMap<i64, Vec<Survey>> = HashMap::new();
    let mut last = (Instant(i64::MAX), String::new());
    for _ in 0..MAX_SURVEYS / SURVEYS_PER_QUERY {
        let rows = all(db, &sql, [owner.0.into(), since.0.into(), last.0.0.into(), last.1.clone().into()]).await?;
        for row in &rows {
            let body: GroundText = json("ground_entry", 0, &get::<String>(row, "body")?)?;
            let at = Instant(get(row, "made_at")?);
            last = (at, get(row, "id")?);
            found.entry(get(row, "parcours_id")?).or_default().push(Survey {
                stretch: body.from_m.zip(body.to_m),
                at,
                by: UserId(get(row, "user_id")?),
            });
        }
        if rows.len() < SURVEYS_PER_QUERY {
            break;
        }
    }
    Ok(found)
}

/// Campaigns that are not over, of any white-label, from one on.
pub async fn open_after(
    db: &impl Connection,
    id: i64,
    limit: u32,
) -> Result<Vec<Stored<SurveyCampaignSheet>>, StoreError> {
    let sql = format!("SELECT id FROM survey_campaign WHERE closed = FALSE AND id > $1 ORDER BY id LIMIT {limit}");
    let rows = all(db, &sql, [id.into()]).await?;
    let ids: Vec<i64> = rows.iter().map(|row| get(row, 0)).collect::<Result<_, _>>()?;
    load_many::<SurveyCampaigns>(db, &ids).await
}

/// The people who got a mail about a campaign, each with what it was about.
pub async fn mailed(db: &impl Connection, campaign: i64) -> Result<HashSet<(i64, String)>, StoreError> {
    let sql = "SELECT user_id, about FROM survey_campaign_mail WHERE campaign_id = $1";
    all(db, sql, [campaign.into()]).await?.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect()
}

/// Records that a person gets a mail about a campaign. False if they got it already.
pub async fn put_mailed(tx: &Tx, campaign: i64, person: i64, about: &str) -> Result<bool, StoreError> {
    let sql =
        "INSERT INTO survey_campaign_mail (campaign_id, user_id, about) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    Ok(execute(tx, sql, [campaign.into(), person.into(), about.into()]).await? > 0)
}

/// The people of a structure who may record on the ground for a white-label, by name.
pub async fn people(
    db: &impl Connection,
    structure: StructureId,
    white_label: WhiteLabelId,
) -> Result<Vec<(i64, String)>, StoreError> {
    let sql = format!(
        r#"SELECT u.id, u.first_name, u.last_name FROM "user" u WHERE u.structure_id = $2 AND u.status = 'active'
        AND {MAY_RECORD}
        ORDER BY u.last_name, u.first_name, u.id LIMIT {MAX_PEOPLE}"#
    );
    let one = |row| {
        let (first, last): (String, String) = (get(row, 1)?, get(row, 2)?);
        Ok((get(row, 0)?, format!("{first} {last}").trim().to_owned()))
    };
    all(db, &sql, [white_label.0.into(), structure.0.into()]).await?.iter().map(one).collect()
}

/// Whether one of these people may not record on the ground for a white-label.
pub async fn has_non_recorder(
    db: &impl Connection,
    white_label: WhiteLabelId,
    ids: &[i64],
) -> Result<bool, StoreError> {
    let sql = format!(r#"SELECT u.id FROM "user" u WHERE u.id IN {} AND NOT {MAY_RECORD} LIMIT 1"#, numbers(ids));
    Ok(!all(db, &sql, [white_label.0.into()]).await?.is_empty())
}
