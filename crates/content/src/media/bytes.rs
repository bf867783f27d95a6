//! The bytes of a media: its original for the staff, the files made from it for the public.

use std::ops::Range;
use std::time::Duration;

use app::every_site::for_every_site;
use app::extract::{Path, Query, Visitor};
use app::record::Refusal;
use app::{App, etag};
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, ETAG, IF_RANGE, LOCATION, RANGE,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::media::{MediaMade, MediaSheet};
use domain::{MediaId, MediaKind};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use store::record::Stored;
use tracing::instrument;
use utoipa::IntoParams;

use super::MediaError;
use super::view::named_by_file;
use super::work::variant_key;

/// The variant that is the file as it was uploaded.
const ORIGINAL: &str = "original";

/// Smaller files are sent by this server: another connection would take visitors longer.
const REDIRECTED_FROM: u64 = 1024 * 1024;
/// How long the bucket sends a file under the address that a visitor got: players ask again for parts of a film that is being watched.
const SIGNED_FOR: Duration = Duration::from_secs(30 * 60);
/// A redirect that was kept leads to an address that is still signed for a while.
const REDIRECT_KEPT: &str = "public, max-age=300";

/// The version of the file.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct BytesQuery {
    /// The number in the address a view gave: such an answer may be kept for good.
    v: Option<String>,
}

/// The bytes of a media. The files made from it are public while a published record shows it, and while a published white-label
/// uses it as its logo or its font. The original, which may contain the place where it was taken, is sent only to people of its
/// white-label; others who see the media get its largest size, or the copy without place, under the same address.
#[utoipa::path(
    get,
    path = "/media/{id}/{variant}",
    tag = "medias",
    security((), ("session" = ["content.read"])),
    params(
        ("id" = i64, Path, description = "The media"),
        ("variant" = String, Path, description = "`original`, the name of something that was made of it, or the same as a file: `10-w1280-v1.jpg`"),
        BytesQuery
    ),
    responses(
        (status = 200, description = "The bytes"),
        (status = 206, description = "A range of them"),
        (status = 302, description = "Its address in the bucket, signed for half an hour"),
        (status = 304, description = "Not modified"),
        (status = 416, description = "No such range"),
        MediaError
    )
)]
#[instrument(name = "media.download", skip_all, fields(media.id = %id))]
pub async fn download_media(
    State(app): State<App>,
    visitor: Visitor,
    Path((id, variant)): Path<(MediaId, String)>,
    Query(query): Query<BytesQuery>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, MediaError> {
    let not_found = || MediaError::from(Refusal::NotFound { id: id.0 });
    let db = app.store.read();
    let media = store::media::find(db, id).await?.ok_or_else(not_found)?;
    let original = variant == ORIGINAL;
    let public = !original
        && (store::media::is_public(db, id).await? || store::media::worn_among(db, &[id.0]).await?.contains(&id.0));
    if !public {
        let actor = visitor.actor().ok_or_else(not_found)?;
        if !store::media::is_seen(db, actor, &media).await? {
            return Err(not_found());
        }
    }
    let made = store::media::made_of(db, &[id.0]).await?.remove(&id.0).unwrap_or_default();
    let (variant, version) = match named_by_file(id.0, &variant, &made, &media.sheet) {
        Some((variant, version)) => (variant, Some(version)),
        None => (variant, query.v),
    };
    let theirs = visitor.actor().zip(media.white_label_id).is_some_and(|(actor, owner)| actor.works_in(owner));
    let found =
        if original && !theirs { Found::without_place(&media, &made) } else { Found::of(&media, &made, &variant) };
    let found = found.ok_or_else(not_found)?;
    let kept = if !public {
        "private, no-cache"
    } else if version.as_deref() == Some(found.version.to_string().as_str()) {
        "public, max-age=31536000, immutable"
    } else {
        "public, max-age=300"
    };
    // Pages of the back office read files with scripts, which a bucket may not allow; an address is signed for GET alone.
    let may_redirect = public && visitor.actor().is_none() && method == Method::GET;
    let response = found.answer(&app, kept, &headers, may_redirect).await?.ok_or_else(not_found)?;
    // Browsers ask for the fonts of a widget in the name of the page it is on, and widgets that keep a parcours for when there is no
    // network read its pictures.
    Ok(if public { for_every_site(response).await } else { response })
}

/// The bytes to send, and their source.
struct Found {
    key: String,
    mime: String,
    file_name: String,
    etag: String,
    version: i64,
}

impl Found {
    fn of(media: &Stored<MediaSheet>, made: &MediaMade, variant: &str) -> Option<Self> {
        let sheet = &media.sheet;
        let file = &sheet.file;
        let found = |key: String, mime: &str, file_name: &str, version: i64| Self {
            etag: format!("\"{}-{variant}\"", key.rsplit('/').next().unwrap_or_default()),
            key,
            mime: mime.to_owned(),
            file_name: file_name.to_owned(),
            version,
        };
        let number = i64::from(made.made);
        if variant == ORIGINAL {
            return Some(found(file.blob_key.clone(), &file.mime, &sheet.file_name, number));
        }
        if let Some(one) = made.variants.iter().find(|one| one.name == variant) {
            let stem = sheet.file_name.rsplit_once('.').map_or(sheet.file_name.as_str(), |(stem, _)| stem);
            let ending = one.mime.split(['/', '+']).nth(1).unwrap_or_default();
            return Some(found(variant_key(made, variant), &one.mime, &format!("{stem}.{ending}"), number));
        }
        if let Some(language) = variant.strip_prefix("file-") {
            let other = sheet.translated.get(language)?;
            return Some(found(other.shown_key.clone(), &other.mime, &other.file_name, media.version));
        }
        // A picture that can be decoded is never sent as uploaded: its metadata may contain a place.
        let as_it_came = file.kind != MediaKind::Image || file.mime == "image/avif";
        let key = file.shown_key.clone().unwrap_or_else(|| file.blob_key.clone());
        (variant == "file" && as_it_came).then(|| found(key, &file.mime, &sheet.file_name, number))
    }

    /// The best there is for people of other white-labels: the file without its place, or the largest size of a picture.
    fn without_place(media: &Stored<MediaSheet>, made: &MediaMade) -> Option<Self> {
        Self::of(media, made, "file").or_else(|| {
            let sizes =
                ["image/jpeg", "image/png", "image/webp"].map(|mime| super::view::fitting(made, mime, u32::MAX));
            let largest = sizes.into_iter().flatten().rev().max_by_key(|size| size.width)?;
            Self::of(media, made, &largest.name)
        })
    }

    async fn answer(
        self,
        app: &App,
        kept: &str,
        asked: &HeaderMap,
        may_redirect: bool,
    ) -> Result<Option<Response>, MediaError> {
        let text = |name| asked.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        if etag::is_known(asked, &self.etag) {
            let mut response = StatusCode::NOT_MODIFIED.into_response();
            set(&mut response, [(ETAG, self.etag.as_str()), (CACHE_CONTROL, kept)]);
            return Ok(Some(response));
        }
        let Some(total) = app.blobs.size(&self.key).await? else { return Ok(None) };
        if may_redirect && total >= REDIRECTED_FROM && self.is_sound_film_or_document() {
            let disposition = self.disposition();
            if let Some(address) = app.blobs.signed(&self.key, (&self.mime, &disposition), SIGNED_FOR).await? {
                let mut response = StatusCode::FOUND.into_response();
                set(&mut response, [(LOCATION, address.as_str()), (CACHE_CONTROL, REDIRECT_KEPT)]);
                return Ok(Some(response));
            }
        }
        let same = text(IF_RANGE).is_none_or(|known| known == self.etag);
        let range = text(RANGE).filter(|_| same).and_then(|asked| range(asked, total));
        if range == Some(Err(())) {
            let mut response = StatusCode::RANGE_NOT_SATISFIABLE.into_response();
            set(&mut response, [(CONTENT_RANGE, format!("bytes */{total}").as_str())]);
            return Ok(Some(response));
        }
        let range = range.and_then(Result::ok);
        let Some((_, bytes)) = app.blobs.stream(&self.key, range.clone()).await? else { return Ok(None) };
        let mut response = Response::new(Body::from_stream(bytes));
        let length = range.as_ref().map_or(total, |range| range.end - range.start);
        set(&mut response, [(CONTENT_LENGTH, length.to_string().as_str()), (CACHE_CONTROL, kept)]);
        if let Some(Range { start, end }) = range {
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            set(&mut response, [(CONTENT_RANGE, format!("bytes {start}-{}/{total}", end - 1).as_str())]);
        }
        self.describe(&mut response);
        Ok(Some(response))
    }

    /// Pictures and fonts are not sent by a bucket: pages, widgets and other applications draw with them at once, and they are small.
    fn is_sound_film_or_document(&self) -> bool {
        self.mime.starts_with("audio/") || self.mime.starts_with("video/") || self.mime == "application/pdf"
    }

    fn disposition(&self) -> String {
        format!("inline; filename*=UTF-8''{}", utf8_percent_encode(&self.file_name, NON_ALPHANUMERIC))
    }

    fn describe(&self, response: &mut Response) {
        // Scripts of uploaded files do not run; a browser's PDF reader does not work in a sandbox.
        let policy = match self.mime.as_str() {
            "application/pdf" => "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'",
            _ => "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        };
        set(
            response,
            [
                (CONTENT_TYPE, self.mime.as_str()),
                (CONTENT_DISPOSITION, &self.disposition()),
                (ETAG, &self.etag),
                (ACCEPT_RANGES, "bytes"),
                (CONTENT_SECURITY_POLICY, policy),
            ],
        );
    }
}

fn set<'a>(response: &mut Response, pairs: impl IntoIterator<Item = (axum::http::HeaderName, &'a str)>) {
    for (name, text) in pairs {
        if let Ok(value) = HeaderValue::from_str(text) {
            response.headers_mut().insert(name, value);
        }
    }
}

/// One range of `total` bytes. Several ranges, or a header that cannot be read, mean no range. An error when it is outside.
fn range(asked: &str, total: u64) -> Option<Result<Range<u64>, ()>> {
    let (from, to) = asked.trim().strip_prefix("bytes=")?.split_once('-')?;
    let (from, to) = (from.trim(), to.trim());
    let range = if from.is_empty() {
        let last: u64 = to.parse().ok()?;
        total.saturating_sub(last)..total
    } else {
        let from: u64 = from.parse().ok()?;
        let last = if to.is_empty() { u64::MAX } else { to.parse().ok()? };
        if last < from {
            return None;
        }
        from..last.saturating_add(1).min(total)
    };
    Some(if range.start < range.end { Ok(range) } else { Err(()) })
}

/// The key of a file made from a media; `None` for the original, which is not public.
pub fn shown_key(media: &Stored<MediaSheet>, made: &MediaMade, variant: &str) -> Option<String> {
    let named = named_by_file(media.id, variant, made, &media.sheet).map(|(name, _)| name);
    let variant = named.as_deref().unwrap_or(variant);
    Found::of(media, made, variant).filter(|_| variant != ORIGINAL).map(|found| found.key)
}

/// A picture of a page in a language, as an address and its sides where they are known: the file in that language, else a size for a
/// page; never the original. None where its sizes are still made.
pub fn for_page(media: &Stored<MediaSheet>, made: &MediaMade, language: &str) -> Option<(String, Option<(u32, u32)>)> {
    if let Some((address, _)) = super::view::translated_address(media, language) {
        return Some((address, None));
    }
    let size = super::view::fitting(made, "image/webp", 1280)?;
    Some((super::view::address(media.id, &size.name, made.made), size.width.zip(size.height)))
}

/// The bytes of that size and their content type, for a page whose media are not public.
pub async fn bytes_for_page(
    app: &App,
    media: &Stored<MediaSheet>,
    language: &str,
) -> Result<Option<(axum::body::Bytes, String)>, store::StoreError> {
    if let Some(other) = media.sheet.translated.get(language) {
        return Ok(app.blobs.get(&other.shown_key).await?.map(|bytes| (bytes, other.mime.clone())));
    }
    let made = store::media::made_of(app.store.read(), &[media.id]).await?.remove(&media.id).unwrap_or_default();
    let Some(one) = super::view::fitting(&made, "image/webp", 1280) else { return Ok(None) };
    let key = variant_key(&made, &one.name);
    Ok(app.blobs.get(&key).await?.map(|bytes| (bytes, one.mime.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_read_as_players_ask_for_it() {
        assert_eq!(range("bytes=0-99", 1000), Some(Ok(0..100)));
        assert_eq!(range("bytes=900-", 1000), Some(Ok(900..1000)));
        assert_eq!(range("bytes=-100", 1000), Some(Ok(900..1000)));
        assert_eq!(range("bytes=0-5000", 1000), Some(Ok(0..1000)));
        assert_eq!(range("bytes=1000-", 1000), Some(Err(())));
        assert_eq!(range("bytes=9-5", 1000), None, "no range (RFC 9110, 14.1.1)");
        for odd in ["bytes=0-1,5-6", "items=0-1", "bytes=a-b", ""] {
            assert_eq!(range(odd, 1000), None, "{odd}");
        }
    }
}
