//! The picture that goes with a link to a public page.

use app::App;
use content::printed::card_key;
use domain::ClientNetwork;
use roadbook::Output;
use roadbook::data::{Day, Overview, Qr, Trip};
use store::parcours::Stored;

use super::assemble::{Assembled, Audience, assemble};
use super::error::RoadbookProblem;
use super::pdf::{Printed, kept};
use super::settings;

/// The card of a published parcours in a language: its title, figures, photo and line. Kept until one of them changes.
pub async fn public_card(
    app: &App,
    client: ClientNetwork,
    stored: &Stored,
    language: &str,
) -> Result<Printed, RoadbookProblem> {
    let db = app.store.read();
    let mut settings = settings::kept(db, stored.id).await?;
    settings.anonymous = false;
    settings.language = Some(language.to_owned());
    let assembled = assemble(app, db, stored, settings, Audience::Everybody).await?;
    kept(app, client, card_key(stored.id, language), shown(assembled), Output::Card).await
}

/// What a card shows, and nothing else: a new step makes no new picture.
fn shown(assembled: Assembled) -> Assembled {
    let Assembled { mut roadbook, mut blobs, missing } = assembled;
    let trip = roadbook.trip;
    roadbook.trip =
        Trip { title: trip.title, practice: trip.practice, cover_photo: trip.cover_photo, ..Trip::default() };
    let figures = |day: Day| Day {
        number: day.number,
        length_m: day.length_m,
        ascent_m: day.ascent_m,
        duration_s: day.duration_s,
        trace: day.trace,
        ..Day::default()
    };
    roadbook.days = roadbook.days.into_iter().map(figures).collect();
    (roadbook.qr, roadbook.overview, roadbook.pages) = (Qr::default(), Overview::default(), Vec::new());
    roadbook.brand.background = None;
    (roadbook.brand.address, roadbook.brand.legal) = (Vec::new(), Vec::new());
    let fonts = roadbook.brand.fonts.clone().unwrap_or_default();
    let named = roadbook.brand.logo.iter().chain(roadbook.trip.cover_photo.iter().map(|photo| &photo.blob));
    let named: Vec<&String> = named.chain(&fonts.display).chain(&fonts.sans).collect();
    blobs.retain(|name, _| named.contains(&name));
    Assembled { roadbook, blobs, missing }
}
