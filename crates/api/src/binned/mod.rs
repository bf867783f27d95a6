//! The bin: what was deleted in the last 30 days, and bringing it back.

use app::extract::{Editor, Paging, Path, Query};
use app::problem::Internal;
use app::record::operations::change;
use app::record::{ListOf, MaybeRace, Named, Resource, Return, UsesView, retry_races};
use app::routes;
use app::{App, Rejection, audit};
use axum::Json;
use axum::extract::State;
use content::closure::ClosureResource;
use content::contact::ContactResource;
use content::itinerary::ItineraryResource;
use content::media::MediaResource;
use content::poi::PoiResource;
use content::provider_link::ProviderLinkResource;
use content::structure::StructureResource;
use content::survey_campaign::SurveyCampaignResource;
use content::transport_line::TransportLineResource;
use content::vocabulary::TermResource;
use domain::audit::{Action, Detail, On};
use domain::record::Kind;
use domain::{Actor, Instant, StructureId, Text};
use macros::Problem;
use serde::{Deserialize, Serialize};
use sources::imports::ImportSourceResource;
use sources::sit::SitSourceResource;
use sources::transit::TransportFeedResource;
use store::access::Access;
use store::binned::{self as rows, BinFilter, BinItem};
use store::{StoreError, Tx};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::translation::TranslatorResource;
use crate::user::UserResource;
use crate::white_label::WhiteLabelResource;

/// Errors of the bin.
#[derive(Debug, thiserror::Error, Problem)]
pub enum BinError {
    /// Not in the bin, or not to be seen.
    #[error("nothing {id} in the bin")]
    #[problem(404, "bin/not-found")]
    NotFound {
        /// The number asked for.
        id: i64,
    },
    /// Something else has its address, its code or its name by now.
    #[error("something took its place")]
    #[problem(409, "bin/taken")]
    Taken,
    /// Its owner is not theirs.
    #[error("it belongs to another white-label")]
    #[problem(403, "bin/not-yours")]
    NotYours,
    /// It would give a role above that of the person who restores it.
    #[error("its role is above the role of the person who restores it")]
    #[problem(403, "user/role-above-yours")]
    RoleAbove,
    /// Its owner was deleted.
    #[error("its owner was deleted")]
    #[problem(409, "bin/owner-gone")]
    OwnerGone,
    /// A parameter that cannot be read.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

impl MaybeRace for BinError {
    fn is_of_race(&self) -> bool {
        matches!(self, Self::Internal(error) if error.is_of_race())
    }
}

/// A deleted record in the bin.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = BinItem)]
pub struct BinItemView {
    /// Its number in the bin.
    id: i64,
    /// Kind of the record.
    kind: Kind,
    /// The number it had, and will have again.
    record_id: i64,
    title: Text,
    /// When it was deleted.
    deleted_at: Instant,
    /// Who deleted it.
    deleted_by: Option<Named>,
    /// When it is erased for good.
    expires_at: Instant,
    /// The white-label that owned it.
    white_label: Option<Named>,
}

impl From<BinItem> for BinItemView {
    fn from(item: BinItem) -> Self {
        Self {
            id: item.id,
            kind: item.kind,
            record_id: item.record_id,
            title: item.title,
            deleted_at: item.deleted_at,
            deleted_by: item.deleted_by.map(|(id, name)| Named { id: id.0, name }),
            expires_at: item.expires_at,
            white_label: item.owner.white_label.map(|(id, name)| Named { id: id.0, name }),
        }
    }
}

/// The filter of the bin.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct BinQuery {
    /// What it was: `parcours`, `poi`, …
    kind: Option<String>,
    /// Words of its name.
    search: Option<String>,
}

/// What was deleted in the last 30 days and may be restored, the last deleted first.
#[utoipa::path(get, path = "/api/v1/bin", tag = "bin", params(BinQuery, Paging), security(("session" = ["content.write"])),
    responses((status = 200, body = ListOf<BinItemView>), BinError))]
pub async fn list_bin(
    State(app): State<App>,
    editor: Editor,
    Query(query): Query<BinQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ListOf<BinItemView>>, BinError> {
    let kind = query.kind.as_deref().filter(|word| !word.is_empty());
    let known = |word| Kind::parse(word).ok_or_else(|| Rejection::BadQuery { name: "kind".to_owned() });
    let filter = BinFilter { kind: kind.map(known).transpose()?, search: query.search };
    let (items, counted) = rows::list(app.store.read(), &editor, &filter, paging.page(), app.now()).await?;
    Ok(Json(ListOf::new(items.into_iter().map(Into::into).collect(), counted)))
}

/// How many of the places of something are named.
const MAX_PLACES: usize = 50;

/// Where something was when it was deleted, of the records that are still there.
#[utoipa::path(get, path = "/api/v1/bin/{id}/uses", tag = "bin", params(("id" = i64, Path)),
    security(("session" = ["content.write"])), responses((status = 200, body = UsesView), BinError))]
pub async fn list_bin_item_uses(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<i64>,
) -> Result<Json<UsesView>, BinError> {
    let db = app.store.read();
    rows::find(db, &editor, id, app.now()).await?.ok_or(BinError::NotFound { id })?;
    Ok(Json(rows::former_uses_seen_by(db, &editor, id, MAX_PLACES).await?.into()))
}

/// What a restoration asks for.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct RestorationQuery {
    /// Put it back where it was too, in the records that this person may change.
    put_back: bool,
}

/// A restored record.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct Restored {
    kind: Kind,
    /// Its number, the one it had.
    record_id: i64,
    /// In how many records it was put back.
    put_back: i64,
    /// How many records were left without it: the person may not change them, they were erased, or another record took its place.
    left: i64,
}

/// Restore a deleted record with its number.
#[utoipa::path(post, path = "/api/v1/bin/{id}/restoration", tag = "bin", params(("id" = i64, Path), RestorationQuery),
    security(("session" = ["content.write"])), responses((status = 200, body = Restored), BinError))]
#[tracing::instrument(name = "bin.restore", skip_all)]
pub async fn restore_bin_item(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<i64>,
    Query(query): Query<RestorationQuery>,
) -> Result<Json<Restored>, BinError> {
    retry_races(|| restored(&app, &editor, id, query)).await.map(Json)
}

async fn restored(app: &App, editor: &Actor, id: i64, query: RestorationQuery) -> Result<Restored, BinError> {
    let tx = app.store.begin().await?;
    let item = rows::find(&tx, editor, id, app.now()).await?.ok_or(BinError::NotFound { id })?;
    store::tree::lock(&tx, item.kind, |_| query.put_back).await?;
    match may_return(&tx, editor, &item).await? {
        Return::Allowed => {}
        Return::NotTheirs => return Err(BinError::NotYours),
        Return::RoleAbove => return Err(BinError::RoleAbove),
        Return::Taken => return Err(BinError::Taken),
    }
    let because = change(app, editor, Some("restore"));
    let places = if query.put_back { rows::former_uses(&tx, id).await? } else { Vec::new() };
    let back = match rows::restore(&tx, id, &Access::of(editor), because).await {
        Ok(back) => back.ok_or(BinError::NotFound { id })?,
        Err(StoreError::UniqueViolation(_)) => return Err(BinError::Taken),
        Err(StoreError::ForeignKeyViolation(_)) => return Err(BinError::OwnerGone),
        Err(error) => return Err(error.into()),
    };
    let put = rows::restore_references(&tx, editor, (back.kind, back.id), &places, because).await?;
    let structure = item.owner.structure_id.map(StructureId);
    let white_label = item.owner.white_label.map(|(id, _)| id);
    let on = On { record: Some((back.kind, back.id)), structure, white_label };
    audit::done(app, &tx, editor, Action::BinRestored, on, Detail::None).await?;
    audit::forgotten_keys(app, &tx, editor, on).await?;
    tx.commit().await?;
    if back.kind == Kind::WhiteLabel {
        // People who work in all white-labels of a structure work in it again.
        app.sessions.forget_all();
    }
    Ok(Restored { kind: back.kind, record_id: back.id, put_back: put.done, left: put.left })
}

/// Whether something in the bin may come back: by the rules of its kind.
async fn may_return(tx: &Tx, actor: &Actor, item: &BinItem) -> Result<Return, StoreError> {
    async fn of<R: Resource>(tx: &Tx, actor: &Actor, item: &BinItem) -> Result<Return, StoreError> {
        match rows::load::<R::Record>(tx, item.id).await? {
            Some(record) => R::may_return(tx, actor, &record).await,
            None => Ok(Return::NotTheirs),
        }
    }
    match item.kind {
        Kind::Parcours => {
            let theirs = item.owner.white_label.as_ref().is_some_and(|(owner, _)| actor.works_in(*owner));
            Ok(if theirs { Return::Allowed } else { Return::NotTheirs })
        }
        Kind::Poi => of::<PoiResource>(tx, actor, item).await,
        Kind::Media => of::<MediaResource>(tx, actor, item).await,
        Kind::TransportLine => of::<TransportLineResource>(tx, actor, item).await,
        Kind::WhiteLabel => of::<WhiteLabelResource>(tx, actor, item).await,
        Kind::Structure => of::<StructureResource>(tx, actor, item).await,
        Kind::Contact => of::<ContactResource>(tx, actor, item).await,
        Kind::User => of::<UserResource>(tx, actor, item).await,
        Kind::Itinerary => of::<ItineraryResource>(tx, actor, item).await,
        Kind::Vocabulary => of::<TermResource>(tx, actor, item).await,
        Kind::Closure => of::<ClosureResource>(tx, actor, item).await,
        Kind::ProviderLink => of::<ProviderLinkResource>(tx, actor, item).await,
        Kind::SurveyCampaign => of::<SurveyCampaignResource>(tx, actor, item).await,
        Kind::ImportSource => of::<ImportSourceResource>(tx, actor, item).await,
        Kind::SitSource => of::<SitSourceResource>(tx, actor, item).await,
        Kind::TransportFeed => of::<TransportFeedResource>(tx, actor, item).await,
        Kind::Translator => of::<TranslatorResource>(tx, actor, item).await,
    }
}

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list_bin)).routes(routes!(list_bin_item_uses)).routes(routes!(restore_bin_item))
}
