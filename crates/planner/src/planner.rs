//! What one request needs for planning: the network, the costs of its profile, the ground model; and the checks of its points.

use crate::{
    file::{Network, View},
    geometry::is_on_earth,
    profile::Rules,
    snap::{self, Snap},
    weights::Weights,
};
use routing::{Language, MAX_AVOIDED, MAX_MATCH_POINTS, MAX_SNAP_M, PlanError, Profile};
use terrain::Dem;
use trace::{Part, Position};

/// The radius in which the nearest way to a refused point is searched, for its message.
pub(crate) const LOOK_M: f64 = 1_000.0;
/// The embedded engine's name in answers.
pub(crate) const ENGINE: &str = "jalon";

/// The references that one request needs, collected once.
#[derive(Clone, Copy)]
pub(crate) struct Planner<'a> {
    pub network: &'a Network,
    pub view: View<'a>,
    pub weights: Weights<'a>,
    pub dem: Option<&'a Dem>,
    pub rules: &'a Rules,
    pub profile: Profile,
    pub max_settled: usize,
    /// The language of the instructions, `None` for both.
    pub language: Option<Language>,
}

impl Planner<'_> {
    pub(crate) fn data_date(&self) -> Option<String> {
        self.network.data_date_s().map(iso_day)
    }

    pub(crate) fn snap_all(&self, points: &[Position]) -> Result<Vec<Snap>, PlanError> {
        points.iter().enumerate().map(|(index, p)| self.snap(index, *p)).collect()
    }

    /// Seconds for a whole link in one direction, `None` where the profile may not go.
    pub(crate) fn seconds(&self, link: u32, is_backward: bool) -> Option<f64> {
        let row = self.view.link(link);
        let pace = self.weights.paces[row.attributes as usize][usize::from(is_backward)]?;
        let (up, down) = (f64::from(row.ascent_dm) / 10.0, f64::from(row.descent_dm) / 10.0);
        let (up, down) = if is_backward { (down, up) } else { (up, down) };
        Some(self.rules.seconds(&pace, row.length_m(), up, down))
    }

    pub(crate) fn snap(&self, index: usize, p: Position) -> Result<Snap, PlanError> {
        if let Some(found) = snap::for_profile(&self.view, &self.weights, p, MAX_SNAP_M) {
            return Ok(found);
        }
        if !self.network.covers(p) {
            return Err(PlanError::OutsideExtract { index });
        }
        let nearest = snap::for_profile(&self.view, &self.weights, p, LOOK_M);
        Err(PlanError::TooFar { index, distance_m: nearest.map(|s| s.offset_m.round()) })
    }
}

pub(crate) fn in_bounds(what: &'static str, number: f64, least: f64, most: f64) -> Result<(), PlanError> {
    // Written so that NaN is out of bounds.
    if number >= least && number <= most {
        return Ok(());
    }
    Err(PlanError::OutOfBounds { what, least: least as u32, most: most as u32 })
}

pub(crate) fn check_points(points: &[Position]) -> Result<(), PlanError> {
    points.iter().position(|p| !is_on_earth(*p)).map_or(Ok(()), |index| Err(PlanError::BadPoint { index }))
}

/// Metres to either side of a line to keep out of, at most.
const MAX_AVOIDED_WITHIN_M: f64 = 10_000.0;

/// The parts to keep out of are few; areas have three corners, lines two points, all on the Earth.
pub(crate) fn check_avoided(parts: &[Part]) -> Result<(), PlanError> {
    in_bounds("parts to keep out of", parts.len() as f64, 0.0, MAX_AVOIDED as f64)?;
    let most = MAX_MATCH_POINTS as f64;
    for part in parts {
        match part {
            Part::Area(ring) => {
                let is_closed = ring.len() > 1 && ring.first().zip(ring.last()).is_some_and(|(a, b)| a.same_place(*b));
                in_bounds("corners of an area", (ring.len() - usize::from(is_closed)) as f64, 3.0, most)?;
                check_points(ring)?;
            }
            Part::Along { line, within_m } => {
                in_bounds("points of a line to keep out of", line.len() as f64, 2.0, most)?;
                in_bounds("within_m", *within_m, 0.0, MAX_AVOIDED_WITHIN_M)?;
                check_points(line)?;
            }
        }
    }
    Ok(())
}

/// The day of an instant in seconds since 1970, as in 2025-01-18.
pub(crate) fn iso_day(seconds: i64) -> String {
    let (year, month, day) = trace::civil_from_days(seconds.div_euclid(86_400));
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_as_iso() {
        assert_eq!(iso_day(0), "1970-01-01");
        assert_eq!(iso_day(1_737_158_400), "2025-01-18");
        assert_eq!(iso_day(1_709_164_800), "2024-02-29");
    }
}
