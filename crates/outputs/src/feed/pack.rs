//! A parcours to take along: one zip file with its sheet, its POIs, its line, its pictures and sounds, its audio walk, and the
//! map around it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use app::extract::{Path, Query};
use app::problem::Internal;
use app::streamed_body::{Pieces, streamed_body};
use app::{App, Region, etag};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use basemap::{FONTS, StyleOptions, Theme};
use content::map::ATTRIBUTION;
use content::media::shown_key;
use domain::Text;
use domain::media::{MediaMade, MediaSheet};
use feeds::{Chosen, Feed, Media, MediaKind, Parcours, Poi, own};
use serde::Deserialize;
use serde_json::{Value, json};
use store::feed::{self as rows, PoiFeed};
use store::media::Medias;
use store::record::{Stored, load_many};
use tracing::instrument;
use utoipa::IntoParams;

use super::FeedError;
use super::access::PublicKey;
use super::facts::facts;
use super::gather::{self, Wanted};
use super::own::{keep_reached_pois, trace_document};
use super::query::{RecordPath, frame};
use super::reach::{self, Audience};
use super::state::FeedState;
use super::zip::{Content, Zip};
use crate::audio::{PublicAudioWalk, PublicSound, WalkSelection, public_walks};

/// The limits of a pack; what exceeds them is left out and named in `pack.json`.
const MAX_TILES: usize = 1_500;
const MAX_TILE_BYTES: u64 = 40_000_000;
const MAX_MEDIA_BYTES: u64 = 60_000_000;
const MAX_POIS: u64 = 500;
/// Letters of names in Latin script, and the signs between them.
const GLYPHS: [u32; 3] = [0, 256, 8192];
/// A longer text, in bytes, is packed on a blocking thread.
const LONG: usize = 32 * 1024;
/// When to come back where all places are taken.
const RETRY_AFTER_S: i64 = 10;
/// An app asks again with the tag it has.
const A_MINUTE: HeaderValue = HeaderValue::from_static("private, max-age=60");

/// The language of the file.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct PackQuery {
    /// One language: texts are then texts. Without it they are objects of all languages.
    language: Option<String>,
}

/// A parcours for use offline, as one zip file: `parcours.json`, `pois.json`, `trace.gpx` and `trace.geojson`, the pictures and
/// sounds in `media/` (the addresses in both lists lead there), `audio.json` with its audio walks where there are any (their sounds
/// are in `media/` too), the map around the line in `map/` (vector tiles, letters, signs, and two MapLibre styles whose addresses
/// are relative to `map/`), and `pack.json` with the list of files and what was left out. At most 40 MB of tiles, the finest left
/// out first, and 60 MB of media; films are left out.
#[utoipa::path(get, path = "/api/public/v1/parcours/{id}/pack.zip", tag = "feeds", security(("api_key" = [])), params(("id" = i64, Path), PackQuery),
    responses((status = 200, description = "The file", content_type = "application/zip"), (status = 304, description = "Not modified"), FeedError))]
#[instrument(name = "feed.pack", skip_all, fields(parcours.id = %id))]
pub async fn download_public_pack(
    State(app): State<App>,
    key: PublicKey,
    Path(RecordPath { id }): Path<RecordPath>,
    Query(query): Query<PackQuery>,
    asked: HeaderMap,
) -> Result<Response, FeedError> {
    let facts = facts(&app).await?;
    let feed = frame(&app, &facts, &key, query.language.as_deref())?;
    let id = reach::one(&app, &key, &facts, Audience::Ours, id).await?.ok_or(FeedError::NotFound)?;
    let reach = reach::parcours(&key, &facts, Audience::Ours);
    let mut found = gather::parcours(&app, &facts, &feed, &reach, &[id], Wanted::ALL).await?;
    keep_reached_pois(&app, &key, &facts, &mut found).await?;
    let parcours = found.pop().ok_or(FeedError::NotFound)?;
    let around = PoiFeed { ids: Some(parcours.poi_ids.clone()), ..reach::pois(&key, &facts) };
    let (found, _) = rows::pois(app.store.read(), &around, (0, MAX_POIS)).await?;
    let pois = gather::pois(&app, &facts, &feed, &found).await?;
    let wanted = query.language.as_deref().map_or(WalkSelection::All, WalkSelection::Only);
    let walks = public_walks(&app, &app.settings.public_url, id, wanted).await?;
    let region = app.region();
    let pack = Pack { app, region, feed: Arc::new(feed), parcours, pois, walks };
    let etag = pack.etag();
    let mut response = Response::default();
    if etag::is_known(&asked, &etag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        let busy = |_| FeedError::Busy { retry_after_s: RETRY_AFTER_S };
        let place = Arc::clone(&pack.app.shared::<FeedState>().packs).try_acquire_owned().map_err(busy)?;
        *response.body_mut() = streamed_body(async move |pieces| {
            let _place = place;
            pack.write(&pieces).await
        });
        let name =
            HeaderValue::from_str(&format!("attachment; filename=\"parcours-{id}.zip\"")).map_err(Internal::new)?;
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/zip"));
        response.headers_mut().insert(CONTENT_DISPOSITION, name);
    }
    response.headers_mut().insert(ETAG, etag);
    response.headers_mut().insert(CACHE_CONTROL, A_MINUTE);
    Ok(response)
}

/// A file that is being written.
struct Pack {
    app: App,
    /// The region whose map is in it.
    region: Arc<Region>,
    feed: Arc<Feed>,
    parcours: Parcours,
    pois: Vec<Poi>,
    walks: Vec<PublicAudioWalk>,
}

/// The entries written so far, and those left out.
struct Written<'a> {
    zip: Zip,
    pieces: &'a Pieces<FeedError>,
    files: Vec<Value>,
    left_out: Vec<Value>,
    /// The client hung up.
    given_up: bool,
}

impl Written<'_> {
    /// The bytes of an entry.
    async fn entry(&mut self, name: &str, content: Content) -> Option<(Bytes, u32)> {
        if !matches!(&content, Content::Text(text) if text.len() > LONG) {
            return self.zip.entry(name, content);
        }
        let (mut zip, name) = (std::mem::take(&mut self.zip), name.to_owned());
        let packed = tokio::task::spawn_blocking(move || {
            let entry = zip.entry(&name, content);
            (zip, entry)
        });
        let (zip, entry) = packed.await.ok()?;
        self.zip = zip;
        entry
    }

    /// Writes an entry and returns its size in bytes; 0 for one that cannot be written.
    async fn add(&mut self, name: String, content: Content) -> u64 {
        if self.given_up {
            return 0;
        }
        let Some((bytes, plain)) = self.entry(&name, content).await else { return 0 };
        self.files.push(json!({"name": name, "bytes": plain}));
        self.given_up = !self.pieces.send(bytes).await;
        u64::from(plain)
    }
}

impl Pack {
    /// Covers all that the file is made from: the sheets, whose media have their versions in their addresses, the region's tiles,
    /// the program.
    fn etag(&self) -> HeaderValue {
        let tiles = self.region.tiles.as_ref().map_or("", |tiles| tiles.etag());
        let (parcours, pois) = (own::parcours(&self.feed, &self.parcours, &Chosen::default()), self.pois_json());
        let parts = [parcours.as_str(), &pois, &self.walks_json(), tiles, &self.app.settings.version];
        etag::weak(parts.concat().as_bytes())
    }

    fn pois_json(&self) -> String {
        let chosen = Chosen::default();
        let pois: Vec<String> = self.pois.iter().map(|poi| own::poi(&self.feed, poi, &chosen)).collect();
        format!("{{\"items\":[{}]}}", pois.join(","))
    }

    fn walks_json(&self) -> String {
        json!({ "items": self.walks }).to_string()
    }

    /// The sounds of its audio walks, as media.
    fn walk_media(&self) -> Vec<Media> {
        let stories = self.walks.iter().flat_map(PublicAudioWalk::stories);
        let sounds = stories.flat_map(|story| [&story.sound, &story.transition]).flatten();
        let media = |sound: &PublicSound| Media {
            id: sound.id,
            kind: MediaKind::Audio,
            url: sound.url.clone(),
            translations: BTreeMap::new(),
            thumbnail: None,
            mime: sound.mime.clone(),
            name: String::new(),
            legend: Text::default(),
            alt: Text::default(),
            copyright: sound.copyright.clone(),
            licence: sound.licence.clone(),
        };
        sounds.map(media).collect()
    }

    async fn write(mut self, pieces: &Pieces<FeedError>) -> Result<(), FeedError> {
        let mut out = Written { zip: Zip::default(), pieces, files: Vec::new(), left_out: Vec::new(), given_up: false };
        self.write_trace(&mut out).await?;
        let places = self.write_media(&mut out).await?;
        let lists = [&mut self.parcours.media].into_iter().chain(self.pois.iter_mut().map(|poi| &mut poi.media));
        for media in lists.flatten() {
            if let Some(place) = places.get(&media.url) {
                (media.url, media.thumbnail) = (place.clone(), None);
                media.translations.clear();
            }
        }
        for sound in self.walks.iter_mut().flat_map(PublicAudioWalk::sounds_mut) {
            if let Some(place) = places.get(&sound.url) {
                sound.url = place.clone();
            }
        }
        if !self.walks.is_empty() {
            out.add("audio.json".to_owned(), Content::Text(self.walks_json())).await;
        }
        let (parcours, pois) = (own::parcours(&self.feed, &self.parcours, &Chosen::default()), self.pois_json());
        out.add("parcours.json".to_owned(), Content::Text(parcours)).await;
        out.add("pois.json".to_owned(), Content::Text(pois)).await;
        self.write_map(&mut out).await;
        let contents = json!({
            "format": 1,
            "parcours": self.parcours.id,
            "updated_at": self.parcours.updated_at,
            "attribution": ATTRIBUTION,
            "files": out.files,
            "left_out": out.left_out,
        });
        out.add("pack.json".to_owned(), Content::Text(contents.to_string())).await;
        pieces.send(out.zip.end()).await;
        Ok(())
    }

    async fn write_trace(&self, out: &mut Written<'_>) -> Result<(), FeedError> {
        if self.parcours.line.len() < 2 {
            return Ok(());
        }
        let id = domain::ParcoursId(self.parcours.id);
        let document = trace_document(&self.app, id).await?;
        out.add("trace.gpx".to_owned(), Content::Text(trace::write::gpx(&document))).await;
        out.add("trace.geojson".to_owned(), Content::Text(trace::write::geojson(&document))).await;
        Ok(())
    }

    /// Writes pictures and sounds, each file once; returns their paths by address. Walks in several languages may have several files of
    /// one sound.
    async fn write_media(&self, out: &mut Written<'_>) -> Result<HashMap<String, String>, FeedError> {
        let heard = self.walk_media();
        let lists = [&self.parcours.media, &heard].into_iter().chain(self.pois.iter().map(|poi| &poi.media));
        let mut wanted: Vec<&Media> = Vec::new();
        for media in lists.flatten() {
            if wanted.iter().all(|known| known.url != media.url) {
                wanted.push(media);
            }
        }
        let ids: Vec<i64> = wanted.iter().map(|media| media.id).collect();
        let db = self.app.store.read();
        let made = store::media::made_of(db, &ids).await?;
        let stored = load_many::<Medias>(db, &ids).await?;
        let (mut places, mut bytes) = (HashMap::new(), 0);
        let mut written: Vec<(i64, String, String)> = Vec::new();
        for media in wanted {
            let key =
                stored.iter().find(|one| one.id == media.id).and_then(|one| key_of(media, one, made.get(&media.id)));
            if let Some((.., name)) = written.iter().find(|(_, of, _)| Some(of) == key.as_ref()) {
                places.insert(media.url.clone(), name.clone());
                continue;
            }
            let size = match &key {
                Some(key) if matches!(media.kind, MediaKind::Image | MediaKind::Audio) => {
                    self.app.blobs.size(key).await?
                }
                _ => None,
            };
            let fits = size.filter(|size| bytes + size <= MAX_MEDIA_BYTES);
            let found = match key.filter(|_| fits.is_some() && !out.given_up) {
                Some(key) => self.app.blobs.get(&key).await?.map(|bytes| (key, bytes)),
                None => None,
            };
            let Some((key, found)) = found else {
                out.left_out.push(json!({"media": media.id, "url": media.url}));
                continue;
            };
            let name = match written.iter().filter(|(id, ..)| *id == media.id).count() {
                0 => format!("media/{}.{}", media.id, ending(&media.mime)),
                more => format!("media/{}-{}.{}", media.id, more + 1, ending(&media.mime)),
            };
            bytes += out.add(name.clone(), Content::Plain(found)).await;
            places.insert(media.url.clone(), name.clone());
            written.push((media.id, key, name));
        }
        Ok(places)
    }

    async fn write_map(&self, out: &mut Written<'_>) {
        let Some(tiles) = self.region.tiles.clone().filter(|_| self.parcours.line.len() > 1) else { return };
        for theme in [Theme::Light, Theme::Dark] {
            let name = if theme == Theme::Light { "light" } else { "dark" };
            out.add(
                format!("map/style-{name}.json"),
                Content::Text(basemap::style(theme, &self.style(&tiles)).to_string()),
            )
            .await;
            for sign in [".json", ".png", "@2x.json", "@2x.png"] {
                if let Some(bytes) = basemap::sprite(&format!("{name}{sign}")) {
                    out.add(format!("map/sprite/{name}{sign}"), Content::Plain(bytes.into())).await;
                }
            }
        }
        for (font, start) in FONTS.into_iter().flat_map(|font| GLYPHS.map(|start| (font, start))) {
            if let Some(bytes) = basemap::glyphs(font, start) {
                out.add(format!("map/glyphs/{font}/{start}-{}.pbf", start + 255), Content::Gzip(bytes.to_vec())).await;
            }
        }
        let line: Vec<[f64; 2]> = self.parcours.line.iter().map(|at| [at.lon, at.lat]).collect();
        let (mut bytes, mut last) = (0, None);
        for (z, x, y) in basemap::tiles_along(&line, [tiles.min_zoom(), tiles.max_zoom()], MAX_TILES) {
            // None: nothing to draw there.
            let Some(tile) = tiles.tile(z, x, y) else { continue };
            if bytes + tile.len() as u64 > MAX_TILE_BYTES || out.given_up {
                break;
            }
            bytes += tile.len() as u64;
            last = Some(z);
            out.add(format!("map/tiles/{z}/{x}/{y}.mvt"), Content::Gzip(tile.to_vec())).await;
        }
        if last != Some(tiles.max_zoom()) {
            out.left_out.push(json!({"tiles_from_zoom": last.map_or(tiles.min_zoom(), |zoom| zoom + 1)}));
        }
    }

    fn style(&self, tiles: &basemap::Tiles) -> StyleOptions {
        StyleOptions {
            tiles_url: "tiles/{z}/{x}/{y}.mvt".to_owned(),
            relief_url: None,
            glyphs_url: "glyphs/{fontstack}/{range}.pbf".to_owned(),
            sprite_url: "sprite".to_owned(),
            bbox: tiles.bbox(),
            attribution: ATTRIBUTION.to_owned(),
            locale: self.feed.language.as_deref().filter(|language| *language == "en").unwrap_or("fr").to_owned(),
            cycle_networks: true,
        }
    }
}

/// Where the bytes of a media file's address are stored.
fn key_of(media: &Media, stored: &Stored<MediaSheet>, made: Option<&MediaMade>) -> Option<String> {
    let variant = media.url.rsplit('/').next()?.split('?').next()?;
    shown_key(stored, made.unwrap_or(&MediaMade::default()), variant)
}

/// How a file of a kind ends.
fn ending(mime: &str) -> &str {
    match mime.rsplit(['/', '+']).next().unwrap_or("bin") {
        "jpeg" => "jpg",
        "mpeg" => "mp3",
        "mp4" => "m4a",
        other => other,
    }
}
