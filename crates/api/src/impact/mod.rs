//! What an action would affect, computed before it is done: other white-labels, parcours, share links and printed QR codes.

mod subject;

use app::App;
use app::extract::{Query, Reader};
use app::problem::Internal;
use app::record::{Named, TitledParcours};
use app::routes;
use axum::Json;
use axum::extract::State;
use domain::impact::Action;
use domain::record::Kind;
use macros::Problem;
use serde::{Deserialize, Serialize};
use store::impact::{Affected, AffectedShares, reach};
pub(crate) use subject::seen;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

/// Most white-labels and parcours listed by name.
const MAX_LISTED: usize = 50;

/// Why the impact cannot be computed.
#[derive(Debug, thiserror::Error, Problem)]
pub enum ImpactError {
    /// Not there, or not to be seen.
    #[error("no record {id} of that kind")]
    #[problem(404, "impact/not-found")]
    NotFound {
        /// The number asked for.
        id: i64,
    },
    /// Only a parcours has a trace.
    #[error("only a parcours has a trace to change")]
    #[problem(400, "impact/no-trace")]
    NoTrace,
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

/// What is about to be done to what.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ImpactQuery {
    #[param(inline)]
    kind: Kind,
    id: i64,
    /// What is about to be done.
    #[param(inline)]
    action: Action,
}

/// What an action would affect. If nothing, every list is empty and every count zero. People of other white-labels get what is shown to them anyway:
/// no share links, no drafts, and no white-label that has added it without publishing it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Impact)]
pub struct ImpactView {
    /// Other white-labels that show it, the first 50 by name.
    white_labels: Vec<Named>,
    /// Parcours that use it and that this person sees, the first 50.
    parcours: Vec<TitledParcours>,
    /// The links handed out that work now, to it or to the parcours that use it: those of the person's own parcours.
    shares: SharesReached,
    /// How many there are in all.
    total: Totals,
}

/// Share links.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharesReached {
    /// Links that work while their parcours is published.
    permanent: i64,
    /// Links that end on a date.
    temporary: i64,
    /// How often they were opened, all together.
    opened: i64,
    /// Links whose QR code was downloaded: it may be printed.
    qr_printed: i64,
}

/// How many in all.
#[derive(Debug, Serialize, ToSchema)]
pub struct Totals {
    /// White-labels.
    white_labels: i64,
    parcours: i64,
    /// How many of these parcours this person does not see: they are not named. 0 where the record is not theirs.
    hidden_parcours: i64,
}

/// What an action would affect, before it is done.
#[utoipa::path(get, path = "/api/v1/impact", tag = "records", params(ImpactQuery), security(("session" = ["content.read"])),
    responses((status = 200, body = ImpactView), ImpactError))]
pub async fn show_impact(
    State(app): State<App>,
    reader: Reader,
    Query(asked): Query<ImpactQuery>,
) -> Result<Json<ImpactView>, ImpactError> {
    if asked.action == Action::ChangeTrace && asked.kind != Kind::Parcours {
        return Err(ImpactError::NoTrace);
    }
    let db = app.store.read();
    let subject = subject::seen(db, &reader, asked.kind, asked.id).await?;
    let subject = subject.ok_or(ImpactError::NotFound { id: asked.id })?;
    let found = reach(db, &reader, subject, asked.action, app.now(), MAX_LISTED).await?;
    let Affected { items: labels, total: white_labels, .. } = found.white_labels;
    let Affected { items: routes, total: parcours, hidden_total: hidden_parcours } = found.parcours;
    let AffectedShares { permanent, temporary, opened, qr_printed } = found.shares;
    Ok(Json(ImpactView {
        white_labels: labels.into_iter().map(|(id, name)| Named { id, name }).collect(),
        parcours: routes.into_iter().map(|(id, title)| TitledParcours { id, title }).collect(),
        shares: SharesReached { permanent, temporary, opened, qr_printed },
        total: Totals { white_labels, parcours, hidden_parcours },
    }))
}

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show_impact))
}
