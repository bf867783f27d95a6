//! The one grade that stands for a stretch of way where ways are compared.
//!
//! A climb's metres do not say how steep it is: 100 m up over a kilometre of even road and the same as four walls with
//! flat between them cost the same. So heights are compared every 60 m, each grade is bounded (beyond, nothing gets
//! worse), and steep climbs weigh more than their length, steep drops less: the weighting of Valhalla's `skadi/util.cc`, the same figures.

/// Distance between the heights that are compared, in metres.
const POSTING_M: f64 = 60.0;
/// Up to here only the ends are compared.
const SHORT_M: f64 = 3.0 * POSTING_M;
/// A shorter stretch has no grade: the model's cells are larger.
const SHORTEST_M: f64 = 10.0;
/// Bounds of a grade in per cent.
const STEEPEST: (f64, f64) = (-10.0, 15.0);
/// Stored heights to the metre.
const PER_M: f64 = 4.0;

/// The weighted grade along a stretch and against it, in per cent. Heights are stored ones, evenly spaced, both ends
/// included; `ends_only` where the way leaves the ground in between.
pub(crate) fn both_ways(heights: &[i16], length_m: f64, ends_only: bool) -> [f64; 2] {
    if length_m < SHORTEST_M || heights.len() < 2 {
        return [0.0; 2];
    }
    let (posting_m, count) =
        if ends_only || length_m < SHORT_M { (length_m, 1) } else { (POSTING_M, (length_m / POSTING_M) as usize) };
    let per_posting = posting_m / length_m * (heights.len() - 1) as f64;
    let height_m = |post: usize| {
        let place = post as f64 * per_posting;
        let low = (place as usize).min(heights.len() - 2);
        let [a, b] = [heights[low], heights[low + 1]].map(f64::from);
        (a + (b - a) * (place - low as f64)) / PER_M
    };
    let rises =
        |sign: f64| (0..count).map(move |post| sign * (height_m(post + 1) - height_m(post)) / posting_m * 100.0);
    [weighted(rises(1.0)), weighted(rises(-1.0))]
}

fn weighted(grades: impl Iterator<Item = f64>) -> f64 {
    let (sum, weights) = grades.fold((0.0, 0.0), |(sum, weights), grade| {
        let grade = grade.clamp(STEEPEST.0, STEEPEST.1);
        let weight = 1.0 + grade / if grade > 0.0 { 7.0 } else { 17.0 };
        (sum + grade * weight, weights + weight)
    });
    sum / weights
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Heights in metres every 20 m.
    fn grades(heights_m: &[f64]) -> [f64; 2] {
        let stored: Vec<i16> = heights_m.iter().map(|m| (m * PER_M) as i16).collect();
        both_ways(&stored, 20.0 * (heights_m.len() - 1) as f64, false)
    }

    #[test]
    fn an_even_slope_is_its_own_grade_and_steep_ones_are_bounded() {
        let even: Vec<f64> = (0..=30).map(f64::from).collect();
        let [up, down] = grades(&even);
        assert!((up - 5.0).abs() < 1e-9 && (down + 5.0).abs() < 1e-9);
        let wall: Vec<f64> = (0..=30).map(|i| f64::from(i) * 8.0).collect();
        let [up, down] = grades(&wall);
        assert!((up - 15.0).abs() < 1e-9 && (down + 10.0).abs() < 1e-9);
        assert!(grades(&[0.0]).iter().all(|grade| grade.abs() < 1e-9));
    }

    #[test]
    fn steep_climbs_weigh_more_than_the_mean_says() {
        // 300 m level, then 300 m of 12 %.
        let mut heights = vec![0.0; 16];
        heights.extend((1..=15).map(|i| f64::from(i) * 2.4));
        let [up, down] = grades(&heights);
        assert!(up > 8.0 && up < 9.0, "{up}: the mean is 6");
        assert!(down > -5.0 && down < -2.0, "{down}: the mean is 5, a drop weighs less");
    }

    #[test]
    fn a_bridge_is_its_ends() {
        let valley = [0, -400, -400, -400, -400, -400, -400, -400, -400, -400, 0];
        assert!(both_ways(&valley, 200.0, true).iter().all(|grade| grade.abs() < 1e-9));
        assert!(both_ways(&valley, 200.0, false)[0].abs() > 1.0);
    }
}
