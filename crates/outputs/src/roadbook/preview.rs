//! Pages as pictures, while an editor types.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use app::App;
use app::extract::{Body, Path, Query, Reader};
use axum::Json;
use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use content::parcours::access::own;
use content::parcours::{ParcoursError, ParcoursRefusal, not_found};
use domain::roadbook::{ClientFile, RoadbookSettings, RoadbookVoucher};
use domain::{Actor, Capability, ParcoursId, UserId};
use roadbook::Output;
use serde::{Deserialize, Serialize};
use store::Connection;
use store::parcours as rows;
use tokio::sync::oneshot;
use utoipa::ToSchema;

use super::assemble::{Audience, assemble};
use super::client_file::{self, ForClient};
use super::error::RoadbookProblem;
use super::renderer::{RoadbookWarning, print, warnings};
use super::rendering::for_staff;
use super::settings;

/// The most pages of one answer: an open book, and the two on either side.
const MAX_PAGES: usize = 6;

/// What to render.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PreviewInput {
    /// The settings, saved or not.
    pub settings: RoadbookSettings,
    /// A client file as it is typed, saved or not: the pages are those of this client's roadbook. Requires the right to change
    /// client files, or an unchanged file.
    pub client_file: Option<ClientFile>,
    /// Which pages, from 1, at most six; the first two by default.
    pub pages: Vec<u32>,
    /// Width of each picture in pixels, 100 to 2000; 600 by default.
    pub width_px: Option<u32>,
}

/// Pages of a roadbook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct PreviewView {
    /// How many pages it has.
    pub total: u32,
    /// The pages asked for; those beyond the end are left out.
    pub pages: Vec<PreviewPage>,
    /// What to look at.
    pub warnings: Vec<RoadbookWarning>,
}

/// A page as a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct PreviewPage {
    /// Its number, from 1.
    pub number: u32,
    /// A PNG, in base64.
    pub png: String,
}

/// Look at pages of a roadbook as it would be with these settings; nothing is saved. The last request of a person for a
/// parcours wins: those before it are given up. `client_file` names the client whose roadbook it is.
#[utoipa::path(post, path = "/api/v1/parcours/{id}/roadbook/preview", tag = "roadbook", params(("id" = i64, Path), ForClient),
    security(("session" = ["content.read"])), request_body(content = PreviewInput), responses((status = 200, body = PreviewView), RoadbookProblem))]
#[tracing::instrument(name = "roadbook.preview", skip_all, fields(parcours.id = %id))]
pub async fn preview_roadbook(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
    Query(whose): Query<ForClient>,
    Body(mut asked): Body<PreviewInput>,
) -> Result<Json<PreviewView>, RoadbookProblem> {
    let previews = app.shared::<Previews>();
    let turn = previews.turn((reader.user_id, id));
    let db = app.store.read();
    own(db, id, &reader).await?;
    drop_unfinished(&mut asked.settings.vouchers);
    asked.settings.clean();
    settings::check(&app, db, &reader, (&settings::kept(db, id).await?, &asked.settings)).await?;
    let file = typed_file(&app, db, &reader, whose.find(db, id).await?, asked.client_file).await?;
    let mut stored = rows::load(db, id).await?.ok_or_else(|| not_found(id))?;
    let settings = match file {
        Some(file) => client_file::applied(&mut stored, asked.settings, &file),
        None => asked.settings,
    };
    let mut assembled = assemble(&app, db, &stored, settings, Audience::Clients).await?;
    let (missing, language) = (std::mem::take(&mut assembled.missing), assembled.roadbook.locale.clone());
    asked.pages.truncate(MAX_PAGES);
    let pages = if asked.pages.is_empty() { vec![1, 2] } else { asked.pages };
    let output = Output::Preview { pages, width_px: asked.width_px.unwrap_or(600) };
    let rendered = turn.unless_superseded(for_staff(&app, print(&app, assembled, output))).await?;
    let page = |(number, png): &(u32, Vec<u8>)| PreviewPage { number: *number, png: STANDARD.encode(png) };
    Ok(Json(PreviewView {
        total: rendered.report.pages,
        pages: rendered.previews.iter().map(page).collect(),
        warnings: warnings(rendered.report, missing, &language),
    }))
}

/// Vouchers that are not filled in yet are no fault of a preview.
fn drop_unfinished(vouchers: &mut Vec<RoadbookVoucher>) {
    vouchers.retain(|voucher| !voucher.provider.is_empty() && !voucher.service.is_empty());
}

/// The client file to preview: with the values in the form, else the saved one.
async fn typed_file(
    app: &App,
    db: &impl Connection,
    actor: &Actor,
    saved: Option<ClientFile>,
    typed: Option<ClientFile>,
) -> Result<Option<ClientFile>, RoadbookProblem> {
    let Some(mut typed) = typed else { return Ok(saved) };
    drop_unfinished(&mut typed.vouchers);
    typed.clean();
    let saved = saved.unwrap_or_default();
    if typed != saved && !actor.can(Capability::AgencyFields) {
        return Err(ParcoursError::from(ParcoursRefusal::AgencyOnly { field: "/client_file".to_owned() }).into());
    }
    let mut errors = client_file::faults(app, db, actor, (&saved, &typed)).await?;
    // A new file has no reference yet.
    errors.retain(|fault| fault.field != "/reference");
    if errors.is_empty() { Ok(Some(typed)) } else { Err(ParcoursError::from(errors).into()) }
}

type Who = (UserId, ParcoursId);

/// Requests that wait for a preview: one for each person and parcours.
#[derive(Debug, Default)]
pub struct Previews {
    last: AtomicU64,
    waiting: Mutex<HashMap<Who, (u64, oneshot::Sender<()>)>>,
}

impl Previews {
    /// Replaces the request that waited before.
    fn turn(&self, who: Who) -> Turn<'_> {
        let number = self.last.fetch_add(1, Ordering::Relaxed);
        let (keep, over) = oneshot::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(who, (number, keep));
        Turn { previews: self, who, number, over }
    }
}

/// A preview that is waited for.
struct Turn<'a> {
    previews: &'a Previews,
    who: Who,
    number: u64,
    over: oneshot::Receiver<()>,
}

impl Turn<'_> {
    /// The result of some work, unless the same user asks again before it is done.
    async fn unless_superseded<T>(
        mut self,
        work: impl Future<Output = Result<T, RoadbookProblem>>,
    ) -> Result<T, RoadbookProblem> {
        tokio::select! {
            done = work => done,
            _ = &mut self.over => Err(RoadbookProblem::Superseded),
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut waiting = self.previews.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.get(&self.who).is_some_and(|(number, _)| *number == self.number) {
            waiting.remove(&self.who);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_last_to_ask_wins_and_leaves_nothing_behind() {
        let previews = Previews::default();
        let who = (UserId(1), ParcoursId(2));
        let first = previews.turn(who);
        let second = previews.turn(who);
        let other = previews.turn((UserId(3), ParcoursId(2)));
        let forever = first.unless_superseded(std::future::pending::<Result<(), RoadbookProblem>>()).await;
        assert!(matches!(forever, Err(RoadbookProblem::Superseded)));
        assert!(second.unless_superseded(async { Ok(()) }).await.is_ok());
        assert!(other.unless_superseded(async { Ok(()) }).await.is_ok());
        assert!(previews.waiting.lock().is_ok_and(|waiting| waiting.is_empty()));
    }
}
