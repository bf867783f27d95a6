//! The PDF: for the staff with what is saved, for the public without private data.

use app::App;
use app::download::attachment;
use app::extract::{Exporter, Path, Query};
use app::slug::slug;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use content::parcours::access::own;
use content::parcours::not_found;
use content::printed::roadbook_key;
use domain::{ClientNetwork, ParcoursId};
use roadbook::Output;
use sha2::{Digest, Sha256};
use store::StoreError;
use store::parcours::{self as rows, Stored};

use super::assemble::{Assembled, Audience, assemble};
use super::client_file::{self, ForClient};
use super::error::RoadbookProblem;
use super::renderer::print;
use super::rendering::{for_staff, shared};
use super::settings;

/// The roadbook of a parcours as it is saved, or of one of its client files, to take away. It is kept nowhere on the server.
#[utoipa::path(post, path = "/api/v1/parcours/{id}/roadbook/pdf", tag = "roadbook", params(("id" = i64, Path), ForClient),
    security(("session" = ["content.export"])), responses((status = 200, description = "PDF", content_type = "application/pdf"), RoadbookProblem))]
#[tracing::instrument(name = "roadbook.pdf", skip_all, fields(parcours.id = %id))]
pub async fn print_roadbook(
    State(app): State<App>,
    exporter: Exporter,
    Path(id): Path<ParcoursId>,
    Query(whose): Query<ForClient>,
) -> Result<Response, RoadbookProblem> {
    let db = app.store.read();
    own(db, id, &exporter).await?;
    let file = whose.find(db, id).await?;
    let mut stored = rows::load(db, id).await?.ok_or_else(|| not_found(id))?;
    let mut settings = settings::kept(db, id).await?;
    let mut ending = String::new();
    if let Some(file) = file {
        settings = client_file::applied(&mut stored, settings, &file);
        // Distinguishes several files saved in one folder.
        ending = format!("-{}", slug(&file.reference));
    }
    let assembled = assemble(&app, db, &stored, settings, Audience::Clients).await?;
    let name = format!("{}{ending}.pdf", base_name(&assembled.roadbook));
    let rendered = for_staff(&app, print(&app, assembled, Output::Pdf)).await?;
    Ok(attachment(&name, "application/pdf", rendered.pdf))
}

/// The name a roadbook is saved under, without its ending: the title that it prints.
pub(super) fn base_name(roadbook: &roadbook::data::Roadbook) -> String {
    let trip = &roadbook.trip;
    let anonymous = trip.anonymous_title.as_deref().filter(|_| roadbook.anonymous);
    format!("carnet-{}", slug(anonymous.unwrap_or(&trip.title)))
}

/// The public roadbook of a published parcours, in a language, and the name it is saved under. It is stored until what it is made from
/// changes: many visitors ask for the same. No client file is read for it.
pub async fn public_roadbook(
    app: &App,
    client: ClientNetwork,
    stored: &Stored,
    language: &str,
) -> Result<(String, Bytes), RoadbookProblem> {
    let db = app.store.read();
    let mut settings = settings::kept(db, stored.id).await?;
    if app.settings.content_languages.iter().any(|known| known == language) {
        settings.language = Some(language.to_owned());
    }
    // A print file has no tags for those who listen to it.
    (settings.booklet, settings.bleed) = (false, false);
    let assembled = assemble(app, db, stored, settings, Audience::Everybody).await?;
    let name = format!("{}.pdf", base_name(&assembled.roadbook));
    let printed = kept(app, client, roadbook_key(stored.id, language), assembled, Output::Pdf).await?;
    Ok((name, printed.bytes))
}

/// A rendered public file, with a digest of what it was made from.
pub struct Printed {
    pub bytes: Bytes,
    pub digest: [u8; 32],
}

/// The stored file where it was made from the same data, else a new one.
pub(super) async fn kept(
    app: &App,
    client: ClientNetwork,
    key: String,
    assembled: Assembled,
    output: Output,
) -> Result<Printed, RoadbookProblem> {
    let digest = digest(app, &assembled);
    if let Some(bytes) = found(app, &key, &digest).await? {
        return Ok(Printed { bytes, digest });
    }
    let work = render_and_keep(app.clone(), key.clone(), digest, assembled, output);
    let bytes = shared(app, client, (key, digest), work).await?;
    Ok(Printed { bytes, digest })
}

/// The stored file of a key, where it was made from the same data.
async fn found(app: &App, key: &str, digest: &[u8; 32]) -> Result<Option<Bytes>, StoreError> {
    let known = app.blobs.get(key).await?.filter(|known| known.starts_with(digest));
    Ok(known.map(|known| known.slice(digest.len()..)))
}

async fn render_and_keep(
    app: App,
    key: String,
    digest: [u8; 32],
    assembled: Assembled,
    output: Output,
) -> Result<Bytes, RoadbookProblem> {
    // While this one waited for its turn, an equal one or another server may have made it.
    if let Some(bytes) = found(&app, &key, &digest).await? {
        return Ok(bytes);
    }
    let mut printed = print(&app, assembled, output).await?;
    let bytes = printed.previews.pop().map_or(printed.pdf, |(_, picture)| picture);
    // The visitor has the file without that: the next one's is made again.
    if let Err(error) = app.blobs.put(&key, [digest.as_slice(), &bytes].concat()).await {
        tracing::error!(%error, key, "a public file was made and cannot be stored");
    }
    Ok(bytes.into())
}

/// A digest of all that a file is made from: the data, the pictures, the ground of the maps and the program. The day it was made is
/// left out, so that the file stays valid longer than a day.
fn digest(app: &App, assembled: &Assembled) -> [u8; 32] {
    let mut digest = Sha256::new();
    let mut data = assembled.roadbook.clone();
    data.generated_on.clear();
    digest.update(serde_json::to_vec(&data).unwrap_or_default());
    digest.update(format!("{:?}", assembled.blobs));
    digest.update(app.region().tiles.as_ref().map_or("", |tiles| tiles.etag()));
    digest.update(&app.settings.version);
    digest.finalize().into()
}
