//! Locates a place along the line of a parcours.

use app::App;
use domain::ParcoursId;
use domain::parcours::line::{Along, Pace};
use store::StoreError;
use trace::Position;

/// Largest distance from the line at which a place is on it, metres.
const BESIDE_M: f64 = 300.0;

/// Metres from the departure to the point of the line nearest to a place; none where it is far from the line.
pub async fn at_m(app: &App, parcours: ParcoursId, position: Option<[f64; 2]>) -> Result<Option<f64>, StoreError> {
    let Some([lon, lat]) = position else { return Ok(None) };
    let line = store::feed::lines(app.store.read(), &[parcours]).await?.remove(&parcours.0).unwrap_or_default();
    let foot = Along::new(&line, Pace::default(), None).nearest(Position::new(lon, lat), None, 0.0);
    Ok(foot.filter(|foot| foot.offset_m <= BESIDE_M).map(|foot| foot.at_m))
}
