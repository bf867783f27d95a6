//! Open data as whole files: written while they are sent, so that a file of any length takes no more than a page of memory.

use std::sync::Arc;

use app::extract::Path;
use app::streamed_body::{Pieces, streamed_body};
use app::{App, etag};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use feeds::{Feed, cirkwi, datatourisme, randonnee};
use store::StoreError;
use store::feed::{self as rows, ParcoursFeed, PoiFeed};
use tracing::instrument;

use super::FeedError;
use super::access::PublicKey;
use super::answer::{GEOJSON, JSON_LD, XML, is_known};
use super::facts::{Facts, facts};
use super::gather::{self, Wanted};
use super::query::frame;
use super::reach::{self, Audience};

/// Rows that are read at once.
const AT_ONCE: u64 = 200;
/// Such a file is asked for by night, by machines.
const AN_HOUR: HeaderValue = HeaderValue::from_static("private, max-age=3600");

/// A file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum File {
    Randonnee,
    Datatourisme,
    Circuits,
    Pois,
}

impl File {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "schema-randonnee.geojson" => Self::Randonnee,
            "datatourisme.jsonld" => Self::Datatourisme,
            "cirkwi.xml" => Self::Circuits,
            "cirkwi-pois.xml" => Self::Pois,
            _ => return None,
        })
    }

    const fn kind(self) -> &'static str {
        match self {
            Self::Randonnee => GEOJSON,
            Self::Datatourisme => JSON_LD,
            Self::Circuits | Self::Pois => XML,
        }
    }

    fn head(self, feed: &Feed) -> String {
        match self {
            Self::Randonnee => randonnee::head(feed),
            Self::Datatourisme => datatourisme::head(feed),
            Self::Circuits => cirkwi::head("circuits"),
            Self::Pois => cirkwi::head("pois"),
        }
    }

    fn tail(self) -> String {
        match self {
            Self::Randonnee => randonnee::TAIL.to_owned(),
            Self::Datatourisme => datatourisme::TAIL.to_owned(),
            Self::Circuits => cirkwi::tail("circuits"),
            Self::Pois => cirkwi::tail("pois"),
        }
    }

    const fn has_parcours(self) -> bool {
        !matches!(self, Self::Pois)
    }

    const fn has_pois(self) -> bool {
        matches!(self, Self::Datatourisme | Self::Pois)
    }

    /// The text between two items.
    const fn comma(self) -> &'static str {
        match self {
            Self::Randonnee | Self::Datatourisme => ",\n",
            Self::Circuits | Self::Pois => "\n",
        }
    }

    fn parcours(self, feed: &Feed, one: &feeds::Parcours) -> Option<String> {
        match self {
            Self::Randonnee => randonnee::feature(feed, one),
            Self::Datatourisme => Some(datatourisme::tour(feed, one)),
            Self::Circuits => Some(cirkwi::circuit(feed, one)),
            Self::Pois => None,
        }
    }

    fn poi(self, feed: &Feed, one: &feeds::Poi) -> String {
        if self == Self::Datatourisme { datatourisme::poi(feed, one) } else { cirkwi::poi(feed, one) }
    }
}

/// Everything that is handed to other applications, in one file: the national schema of hiking routes, DATAtourisme, Cirkwi.
#[utoipa::path(get, path = "/api/public/v1/open-data/{file}", tag = "feeds", security(("api_key" = [])),
    params(("file" = String, Path, description = "`schema-randonnee.geojson`, `datatourisme.jsonld`, `cirkwi.xml` or `cirkwi-pois.xml`")),
    responses((status = 200, description = "The file, with its licence where the format has a place for it", content(("application/geo+json"), ("application/ld+json"), ("application/xml"))), (status = 304, description = "Not modified"), FeedError))]
#[instrument(name = "feed.open_data", skip_all)]
pub async fn download_open_data(
    State(app): State<App>,
    key: PublicKey,
    Path(name): Path<String>,
    asked: HeaderMap,
) -> Result<Response, FeedError> {
    let file = File::parse(&name).ok_or(FeedError::NotFound)?;
    let facts = facts(&app).await?;
    let work = Work {
        feed: frame(&app, &facts, &key, None)?,
        parcours: reach::parcours(&key, &facts, Audience::Others),
        pois: reach::pois(&key, &facts),
        facts,
        app,
        file,
    };
    let etag = work.etag(&key).await?;
    let mut response = Response::default();
    if is_known(&asked, &etag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        *response.body_mut() = streamed_body(async move |pieces| work.write(&pieces).await);
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(file.kind()));
    }
    response.headers_mut().insert(ETAG, etag);
    response.headers_mut().insert(CACHE_CONTROL, AN_HOUR);
    Ok(response)
}

/// A file that is being written.
struct Work {
    app: App,
    facts: Arc<Facts>,
    feed: Feed,
    parcours: ParcoursFeed,
    pois: PoiFeed,
    file: File,
}

impl Work {
    /// Identifies the state of the file without writing it: its records, their last save, what is said of them beside, the words of
    /// reference lists, settings, day (closures come and go by days).
    async fn etag(&self, key: &PublicKey) -> Result<HeaderValue, StoreError> {
        let db = self.app.store.read();
        let parcours = rows::parcours_state(db, &self.parcours).await?;
        let pois = if self.file.has_pois() { rows::pois_state(db, &self.pois).await? } else { [0; 3] };
        let beside = (rows::attached_state(db).await?, rows::reference_state(db).await?);
        let settings = format!("{:?} {:?} {:?}", key.sheet.open_data_licence, self.parcours, self.pois);
        let state = format!("{:?} {parcours:?} {pois:?} {beside:?} {} {settings}", self.file, self.app.today());
        Ok(etag::weak(state.as_bytes()))
    }

    async fn write(&self, send: &Pieces<FeedError>) -> Result<(), FeedError> {
        let (mut piece, mut first) = (self.file.head(&self.feed), true);
        let mut add = |piece: &mut String, item: String| {
            if !first {
                piece.push_str(self.file.comma());
            }
            first = false;
            piece.push_str(&item);
        };
        let db = self.app.store.read();
        // Past the last number: a record that goes meanwhile moves none of the others out of the file.
        let mut after = 0;
        while self.file.has_parcours() {
            let (found, _) = rows::parcours_past(db, &self.parcours, (after, AT_ONCE)).await?;
            let wanted = Wanted::FOR_OTHERS;
            let all = gather::parcours(&self.app, &self.facts, &self.feed, &self.parcours, &found, wanted).await?;
            for item in all.iter().filter_map(|one| self.file.parcours(&self.feed, one)) {
                add(&mut piece, item);
            }
            if !self.send(send, &mut piece).await || (found.len() as u64) < AT_ONCE {
                break;
            }
            after = found.last().map_or(after, |last| last.0);
        }
        after = 0;
        while self.file.has_pois() {
            let (found, _) = rows::pois_past(db, &self.pois, (after, AT_ONCE)).await?;
            let all = gather::pois(&self.app, &self.facts, &self.feed, &found).await?;
            for one in &all {
                add(&mut piece, self.file.poi(&self.feed, one));
            }
            if !self.send(send, &mut piece).await || (found.len() as u64) < AT_ONCE {
                break;
            }
            after = found.last().copied().unwrap_or(after);
        }
        piece.push_str(&self.file.tail());
        self.send(send, &mut piece).await;
        Ok(())
    }

    /// Sends a piece; false when the client hung up.
    async fn send(&self, send: &Pieces<FeedError>, piece: &mut String) -> bool {
        piece.is_empty() || send.send(std::mem::take(piece)).await
    }
}
