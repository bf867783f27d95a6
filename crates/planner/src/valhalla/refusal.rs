//! What a server refuses, in our words. Its codes: <https://valhalla.github.io/valhalla/api/turn-by-turn/api-reference/>.

use super::wire::Refusal;
use routing::PlanError;

/// The server found no way near a point; it does not say which.
pub(super) const NO_WAY_NEAR: u32 = 171;
/// It could lay no recording on its ways: none leads along it.
pub(super) const NO_MATCH: [u32; 4] = [NO_WAY_NEAR, 442, 443, 444];

impl Refusal {
    /// The error for a request with this number of points.
    pub(super) fn to_error(&self, points: usize) -> PlanError {
        let number = || self.error.split(|c: char| !c.is_ascii_digit()).rfind(|text| !text.is_empty())?.parse().ok();
        match self.error_code {
            // Valhalla does not say which leg has no route: the whole is named.
            442 | 443 | 444 | 170 => PlanError::NoWay { from_index: 0, to_index: points.saturating_sub(1) },
            NO_WAY_NEAR => PlanError::TooFar { index: 0, distance_m: None },
            154 | 172 => PlanError::TooLong { limit_m: number() },
            150 | 153 => PlanError::TooManyPoints { count: points, limit: number().map_or(0, |limit| limit as usize) },
            120 | 123 => PlanError::TooFewPoints { count: points },
            157 | 167 => PlanError::OutOfBounds {
                what: "metres around parts to keep out of",
                least: 0,
                most: number().unwrap_or(0),
            },
            code => PlanError::Refused { reason: code },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_off_the_servers_sentence() {
        let error_of = |error_code, error: &str| Refusal { error_code, error: error.to_owned() }.to_error(60);
        assert_eq!(
            error_of(154, "Path distance exceeds the max distance limit: 500000 meters"),
            PlanError::TooLong { limit_m: Some(500_000) }
        );
        assert_eq!(error_of(150, "Exceeded max locations: 50"), PlanError::TooManyPoints { count: 60, limit: 50 });
        assert_eq!(error_of(442, ""), PlanError::NoWay { from_index: 0, to_index: 59 });
        assert_eq!(error_of(125, "No costing method found: '7'"), PlanError::Refused { reason: 125 });
    }
}
