//! The trace as a file, beside the page; and the picture of a share.

use app::client_address::ClientAddress;
use app::download::attachment;
use app::extract::Path;
use app::problem::Internal;
use app::slug::slug;
use app::{App, etag};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::Response;
use content::media::bytes_for_page;
use content::parcours::compute::has_only_model_heights;
use content::parcours::trace::{Format, document};
use domain::ClientNetwork;
use domain::statistics::{EventKind, EventSource};
use outputs::roadbook::{FAILED_S, RoadbookProblem, count_file, public_card, public_roadbook};
use outputs::visitor_words::Language;
use store::parcours as rows;
use tracing::instrument;

use super::access::{self, Open, PageRequest};
use super::answer::{self, Refusal, or_words};
use super::{detour, load};
use crate::statistics::{CountedEvent, note};

/// The picture drawn for links to the page.
pub const CARD: &str = "card.jpg";
/// The public roadbook.
const ROADBOOK: &str = "roadbook.pdf";

/// The trace of a published parcours: the line in use and the steps. In English at `/en/p/…`.
#[utoipa::path(
    get,
    path = "/p/{page}/{file}",
    tag = "public",
    security(()),
    params(
        ("page" = String, Path, description = "`<slug>-<number>`"),
        ("file" = String, Path, description = "`trace.gpx`, `trace.kml`, `roadbook.pdf` or `card.jpg`")
    ),
    responses(
        (status = 200, description = "GPX 1.1 or KML 2.2; a PDF; a picture of 1200 × 630", content(("application/gpx+xml"), ("application/vnd.google-earth.kml+xml"), ("application/pdf"), ("image/jpeg"))),
        (status = 304, description = "Not modified"),
        (status = 404, description = "No such file", content_type = "text/html"),
        (status = 429, description = "Too many files from one address; `Retry-After` tells when to come back", content_type = "text/html"),
        (status = 503, description = "Too many files are being made; `Retry-After` tells when to come back", content_type = "text/html")
    )
)]
#[instrument(name = "public_page.download", skip_all)]
pub async fn download_public_file(
    State(app): State<App>,
    method: Method,
    request: PageRequest,
    Path((page, file)): Path<(String, String)>,
    address: ClientAddress,
    headers: HeaderMap,
) -> Response {
    let language = request.language;
    or_words(&app, &request, async {
        if [CARD, ROADBOOK].contains(&file.as_str()) {
            count_file(&app, address.network()).map_err(refusal)?;
        }
        let open = access::public(&app, &page).await?;
        if file == CARD {
            return Box::pin(card(&app, address.network(), &open, language, &headers)).await;
        }
        let made = match file.as_str() {
            // Boxed: the future contains a whole sheet while it runs.
            ROADBOOK => Box::pin(roadbook(&app, address.network(), &open, language)).await?,
            _ => trace_file(&app, &open, language, &file).await?,
        };
        let etag = etag::weak(&made.bytes);
        let mut response = answer::revalidated(made.attached(), etag, &headers);
        // Who has the file already does not take it away again.
        if response.status() != StatusCode::NOT_MODIFIED {
            count(&app, (&method, &headers), &open, language, &file);
        }
        answer::keep_a_minute(response.headers_mut());
        Ok(response)
    })
    .await
}

/// The trace of a share, or its main picture. In English at `/en/s/…`.
#[utoipa::path(
    get,
    path = "/s/{token}/{file}",
    tag = "public",
    security(()),
    params(
        ("token" = String, Path, description = "The unguessable part of the share's address"),
        ("file" = String, Path, description = "`trace.gpx`, `trace.kml`, `roadbook.pdf` or `cover`")
    ),
    responses(
        (status = 200, description = "GPX 1.1 or KML 2.2; a PDF; a picture", content(("application/gpx+xml"), ("application/vnd.google-earth.kml+xml"), ("application/pdf"), ("image/jpeg"))),
        (status = 404, description = "No such share or file", content_type = "text/html"),
        (status = 410, description = "Expired or revoked", content_type = "text/html"),
        (status = 429, description = "Too many files from one address; `Retry-After` tells when to come back", content_type = "text/html"),
        (status = 503, description = "Too many files are being made; `Retry-After` tells when to come back", content_type = "text/html")
    )
)]
#[instrument(name = "public_page.download_shared", skip_all)]
pub async fn download_shared_file(
    State(app): State<App>,
    method: Method,
    request: PageRequest,
    Path((token, file)): Path<(String, String)>,
    address: ClientAddress,
    headers: HeaderMap,
) -> Response {
    let language = request.language;
    or_words(&app, &request, async {
        if file == ROADBOOK {
            count_file(&app, address.network()).map_err(refusal)?;
        }
        let open = access::shared(&app, &token).await?;
        let mut response = match file.as_str() {
            "cover" => cover(&app, &open, language).await?,
            // Boxed: the future contains a whole sheet while it runs.
            ROADBOOK => Box::pin(roadbook(&app, address.network(), &open, language)).await?.attached(),
            _ => trace_file(&app, &open, language, &file).await?.attached(),
        };
        count(&app, (&method, &headers), &open, language, &file);
        answer::keep_private(response.headers_mut());
        Ok(response)
    })
    .await
}

/// A file that was made, before it is an answer.
struct MadeFile {
    name: String,
    mime: &'static str,
    bytes: Bytes,
}

impl MadeFile {
    fn attached(self) -> Response {
        attachment(&self.name, self.mime, self.bytes)
    }
}

/// The public roadbook. At every address, the parcours must be published to have one.
async fn roadbook(app: &App, client: ClientNetwork, open: &Open, language: Language) -> Result<MadeFile, Refusal> {
    if !open.parcours.published || !open.white_label.flags.distribute_parcours {
        return Err(Refusal::NotFound);
    }
    let (name, bytes) = public_roadbook(app, client, &open.parcours, language.code()).await.map_err(refusal)?;
    Ok(MadeFile { name, mime: "application/pdf", bytes })
}

/// The picture for link previews: it is not counted as a download.
async fn card(
    app: &App,
    client: ClientNetwork,
    open: &Open,
    language: Language,
    headers: &HeaderMap,
) -> Result<Response, Refusal> {
    let kept = public_card(app, client, &open.parcours, language.code()).await.map_err(refusal)?;
    let mut response = Response::new(Body::from(kept.bytes));
    let out = response.headers_mut();
    out.insert(CONTENT_TYPE, HeaderValue::from_static("image/jpeg"));
    out.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));
    Ok(answer::revalidated(response, etag::weak(&kept.digest), headers))
}

fn refusal(problem: RoadbookProblem) -> Refusal {
    match problem {
        RoadbookProblem::Internal(error) => Refusal::Internal(error),
        // A parcours that was published before a title was required has no roadbook.
        RoadbookProblem::Absent | RoadbookProblem::TitleRequired => Refusal::NotFound,
        RoadbookProblem::Busy { retry_after_s } => Refusal::Busy { retry_after_s },
        RoadbookProblem::TimedOut { .. } | RoadbookProblem::Crashed => Refusal::Busy { retry_after_s: FAILED_S },
        RoadbookProblem::TooMany { retry_after_s } => Refusal::TooMany { retry_after_s },
        other => Refusal::Internal(Internal::new(other)),
    }
}

/// Counts a file that was taken away, whatever the browser runs.
fn count(app: &App, (method, headers): (&Method, &HeaderMap), open: &Open, language: Language, file: &str) {
    let kind = match file {
        "cover" => return,
        ROADBOOK => EventKind::Pdf,
        _ => EventKind::Download,
    };
    let source = if open.share.is_some() { EventSource::ShareLink } else { EventSource::PublicPage };
    let (parcours_id, white_label_id) = (open.parcours.id, open.parcours.white_label_id);
    note(app, method, headers, CountedEvent { kind, parcours_id, white_label_id, source, language: language.code() });
}

async fn trace_file(app: &App, open: &Open, language: Language, file: &str) -> Result<MadeFile, Refusal> {
    if !open.white_label.flags.distribute_parcours {
        return Err(Refusal::NotFound);
    }
    let format = file.strip_prefix("trace.").and_then(Format::parse);
    let format = format.filter(|format| matches!(format, Format::Gpx | Format::Kml)).ok_or(Refusal::NotFound)?;
    let stored = &open.parcours;
    let kept = rows::trace(app.store.read(), stored.id).await?.ok_or(Refusal::NotFound)?;
    let closures = outputs::visitor_words::closures(app, stored.id, language).await?;
    // While a stretch is closed the line goes round it (decision 0039).
    let (line, detours) = detour::followed(kept.line(), &closures);
    let mut document = document(&stored.sheet, &stored.steps, line, language.code());
    document.has_model_heights = has_only_model_heights(&kept);
    detour::mark(&mut document, &detours, language);
    // The closures are in the file too, for walkers who have nothing else with them.
    outputs::visitor_words::say_closures(&mut document, language, &closures);
    let name = format!("{}.{}", slug(stored.sheet.title.best(language.code())), format.extension());
    Ok(MadeFile { name, mime: format.mime(), bytes: format.text(&document).into() })
}

async fn cover(app: &App, open: &Open, language: Language) -> Result<Response, Refusal> {
    let image = load::main_image(app.store.read(), &open.parcours).await?.ok_or(Refusal::NotFound)?;
    let (bytes, mime) = bytes_for_page(app, &image, language.code()).await?.ok_or(Refusal::NotFound)?;
    let mut response = Response::new(Body::from(bytes));
    if let Ok(mime) = HeaderValue::from_str(&mime) {
        response.headers_mut().insert(CONTENT_TYPE, mime);
    }
    // Scripts of uploaded files do not run, those of an SVG included.
    let nothing = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, nothing);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_whose_rendering_failed_may_be_asked_for_again() {
        for problem in [RoadbookProblem::TimedOut { after_s: 60 }, RoadbookProblem::Crashed] {
            assert!(matches!(refusal(problem), Refusal::Busy { retry_after_s: FAILED_S }));
        }
    }
}
