//! The files of a media: the upload, its replacement, its poster, its translations.

use std::sync::Arc;

use app::App;
use app::extract::{Editor, IfMatch, Path, Query};
use app::problem::Internal;
use app::record::operations::{change, held, held_at, saved};
use app::record::{At, Refused, Reply, Resource as _};
use axum::body::Body;
use axum::extract::State;
use domain::MediaKind;
use domain::media::{MediaPurpose, MediaSheet, TranslatedFile};
use serde::Deserialize;
use store::media::Medias;
use store::record::{self as rows, Stored};
use utoipa::IntoParams;

use super::intake::{Scratch, make, named, receive, take};
use super::work::MediaProcessing;
use super::{MediaError, MediaResource, MediaView, refusal, refused};

/// The parameters of an uploaded file.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct FileQuery {
    #[param(example = "lac.jpg")]
    file_name: Option<String>,
    /// `logo` for a white-label's mark, which may be smaller.
    purpose: Option<MediaPurpose>,
}

/// Bring a small file in at once; large ones come by `/api/v1/uploads`, which resumes.
#[utoipa::path(post, path = "/api/v1/medias", tag = "medias", params(FileQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), security(("session" = ["content.write"])),
    responses((status = 201, body = MediaView), MediaError))]
#[tracing::instrument(name = "media.create", skip_all)]
pub async fn create_media(
    State(app): State<App>,
    editor: Editor,
    Query(query): Query<FileQuery>,
    body: Body,
) -> Result<Reply<MediaView>, MediaError> {
    let file = receive(&app, body, app.settings.media.max_bytes()).await?;
    let (name, purpose) = (query.file_name.unwrap_or_default(), query.purpose.unwrap_or_default());
    let id = make(&app, &editor, editor.active_white_label_id, &file.0, &name, purpose).await?;
    let tx = app.store.begin().await?;
    Ok(saved::<MediaResource>(&app, tx, &editor, id).await?.made(format!("{}/{id}", MediaResource::PATH)))
}

/// Replace the file: legend, links and history stay; what is made of it is made again.
#[utoipa::path(put, path = "/api/v1/medias/{id}/file", tag = "medias", params(("id" = i64, Path), ("If-Match" = String, Header), FileQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), security(("session" = ["content.write"])),
    responses((status = 200, body = MediaView), MediaError))]
#[tracing::instrument(name = "media.replace", skip_all)]
pub async fn replace_media_file(
    State(app): State<App>,
    editor: Editor,
    Path(at): Path<At>,
    based_on: IfMatch,
    Query(query): Query<FileQuery>,
    body: Body,
) -> Result<Reply<MediaView>, MediaError> {
    let before = theirs(&app, &editor, &at).await?;
    let sent = receive(&app, body, app.settings.media.max_bytes()).await?;
    let taken = take(&app, &sent.0, before.sheet.file.purpose, Some(before.sheet.file.kind)).await?;
    let tx = app.store.begin().await?;
    let before = held_at::<MediaResource>(&app, &tx, &editor, &at, based_on).await?;
    let mut after = before.clone();
    if let Some(name) = &query.file_name {
        after.sheet.file_name = named(name, &taken);
    }
    // The crop of the other picture does not apply to this one.
    (after.sheet.crop, after.sheet.focal, after.sheet.poster) = (None, domain::media::Focal::default(), None);
    after.sheet.file = taken;
    rows::save::<Medias>(&tx, &before, after, change(&app, &editor, None)).await?;
    let reply = saved::<MediaResource>(&app, tx, &editor, at.id).await?;
    Ok(reply)
}

/// Give a video or a document its poster, as the browser drew it.
#[utoipa::path(put, path = "/api/v1/medias/{id}/poster", tag = "medias", params(("id" = i64, Path)),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), security(("session" = ["content.write"])),
    responses((status = 200, body = MediaView), MediaError))]
#[tracing::instrument(name = "media.poster", skip_all)]
pub async fn put_media_poster(
    State(app): State<App>,
    editor: Editor,
    Path(at): Path<At>,
    body: Body,
) -> Result<Reply<MediaView>, MediaError> {
    let before = theirs(&app, &editor, &at).await?;
    if !matches!(before.sheet.file.kind, MediaKind::Video | MediaKind::Pdf) {
        return Err(Refused::new(refusal::NO_POSTER, None).into());
    }
    let sent = receive(&app, body, app.settings.media.image.max_bytes).await?;
    // It is small, and is inspected before it is stored: a picture that cannot be decoded is refused.
    let bytes = tokio::fs::read(&sent.0).await.map_err(Internal::new)?;
    let limits = Arc::clone(&app.settings.media);
    let processing = app.shared::<MediaProcessing>();
    let looked = processing.run(move || Ok(media::poster(&bytes, &limits).map(|_| bytes))).await?;
    let bytes = looked.map_err(refused)?;
    let key = format!("media/{}", app::token::new_token());
    app.blobs.put(&key, bytes).await?;
    change_one(&app, &editor, &at, |sheet| sheet.poster = Some(key)).await
}

/// Give the same content in another language: a map with other words, a sound in another voice.
#[utoipa::path(put, path = "/api/v1/medias/{id}/translations/{language}", tag = "medias",
    params(("id" = i64, Path), ("language" = String, Path), FileQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), security(("session" = ["content.write"])),
    responses((status = 200, body = MediaView), MediaError))]
#[tracing::instrument(name = "media.translate", skip_all)]
pub async fn translate_media(
    State(app): State<App>,
    editor: Editor,
    Path((id, language)): Path<(i64, String)>,
    Query(query): Query<FileQuery>,
    body: Body,
) -> Result<Reply<MediaView>, MediaError> {
    let at = At { id, ..At::default() };
    known(&app, &language)?;
    let before = theirs(&app, &editor, &at).await?;
    let sent = receive(&app, body, app.settings.media.max_bytes()).await?;
    let taken = take(&app, &sent.0, before.sheet.file.purpose, Some(before.sheet.file.kind)).await?;
    let (shown_key, shown_mime) = shown(&app, &sent, &taken).await?;
    let translated = TranslatedFile {
        file_name: named(query.file_name.as_deref().unwrap_or_default(), &taken),
        mime: shown_mime,
        bytes: taken.bytes,
        blob_key: taken.blob_key,
        shown_key,
    };
    change_one(&app, &editor, &at, |sheet| {
        sheet.translated.insert(language, translated);
    })
    .await
}

/// The public file of another language: of a picture its largest size, which contains no place.
async fn shown(app: &App, sent: &Scratch, file: &domain::media::MediaFile) -> Result<(String, String), MediaError> {
    if file.kind != MediaKind::Image || file.mime == "image/avif" {
        return Ok((file.shown_key.clone().unwrap_or_else(|| file.blob_key.clone()), file.mime.clone()));
    }
    let (path, limits, pdfs) = (sent.0.clone(), Arc::clone(&app.settings.media), Arc::clone(&app.pdf_reader));
    let format = media::Format::of_mime(&file.mime).ok_or_else(|| refused(media::Refusal::NotSupported))?;
    let make = move || media::make(&path, format, media::Framing::default(), &limits, pdfs.as_ref());
    let made = app.shared::<MediaProcessing>().run(make).await?.map_err(refused)?;
    let sizes = made.variants.into_iter().filter(|size| size.name == "file" || size.name.starts_with('w'));
    let best = sizes.max_by_key(|size| (size.width, size.mime == "image/webp"));
    let best = best.ok_or_else(|| refused(media::Refusal::Broken))?;
    let key = format!("{}.shown", file.blob_key);
    app.blobs.put(&key, best.bytes).await?;
    Ok((key, best.mime.to_owned()))
}

/// Take a file in another language away.
#[utoipa::path(delete, path = "/api/v1/medias/{id}/translations/{language}", tag = "medias",
    params(("id" = i64, Path), ("language" = String, Path)),
    security(("session" = ["content.write"])), responses((status = 200, body = MediaView), MediaError))]
pub async fn untranslate_media(
    State(app): State<App>,
    editor: Editor,
    Path((id, language)): Path<(i64, String)>,
) -> Result<Reply<MediaView>, MediaError> {
    known(&app, &language)?;
    let at = At { id, ..At::default() };
    change_one(&app, &editor, &at, |sheet| {
        sheet.translated.remove(&language);
    })
    .await
}

fn known(app: &App, language: &str) -> Result<(), MediaError> {
    if app.settings.content_languages.iter().any(|known| known == language) {
        return Ok(());
    }
    let mut refused = Refused::new(refusal::UNKNOWN_LANGUAGE, None);
    refused.params.insert("language".to_owned(), language.into());
    Err(refused.into())
}

/// A media that the person may change, looked up before its new file is read to its end.
async fn theirs(app: &App, editor: &Editor, at: &At) -> Result<Stored<MediaSheet>, MediaError> {
    let tx = app.store.begin().await?;
    held::<MediaResource>(&tx, editor, at).await
}

/// Changes one part of a media that no form changes, whatever was saved in between.
async fn change_one(
    app: &App,
    editor: &Editor,
    at: &At,
    change_it: impl FnOnce(&mut MediaSheet),
) -> Result<Reply<MediaView>, MediaError> {
    let tx = app.store.begin().await?;
    let before = held::<MediaResource>(&tx, editor, at).await?;
    let mut after = before.clone();
    change_it(&mut after.sheet);
    rows::save::<Medias>(&tx, &before, after, change(app, editor, None)).await?;
    let reply = saved::<MediaResource>(app, tx, editor, at.id).await?;
    Ok(reply)
}
