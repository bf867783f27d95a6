//! The average rating of the published reviews. No request can set it.

/// Stars of published reviews, and how many there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rating {
    /// Sum of all stars.
    pub stars: i64,
    pub reviews: i64,
}

impl Rating {
    /// The average, from 1 to 5; none without a review.
    pub fn average(self) -> Option<f64> {
        (self.reviews > 0).then(|| self.stars as f64 / self.reviews as f64)
    }

    /// The average to one decimal, for display.
    pub fn shown(self) -> Option<f64> {
        self.average().map(|average| (average * 10.0).round() / 10.0)
    }

    /// Whether it is between a white-label's bounds; a parcours without reviews is within them.
    pub fn is_within(self, (least, most): (Option<f64>, Option<f64>)) -> bool {
        let Some(average) = self.average() else { return true };
        least.is_none_or(|least| average >= least) && most.is_none_or(|most| average <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_average_is_the_plain_mean() {
        let rating = Rating { stars: 13, reviews: 3 };
        assert_eq!(rating.average(), Some(13.0 / 3.0));
        assert_eq!(rating.shown(), Some(4.3));
        assert_eq!(Rating::default().average(), None);
    }

    #[test]
    fn what_lies_outside_is_held_back_and_what_nobody_rated_is_not() {
        let rating = Rating { stars: 7, reviews: 2 };
        for (bounds, within) in [
            ((None, None), true),
            ((Some(3.5), None), true),
            ((Some(3.6), None), false),
            ((None, Some(3.5)), true),
            ((None, Some(3.0)), false),
            ((Some(3.0), Some(4.0)), true),
        ] {
            assert_eq!(rating.is_within(bounds), within, "{bounds:?}");
        }
        assert!(Rating::default().is_within((Some(4.0), Some(5.0))));
    }
}
