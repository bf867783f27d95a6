//! The line to follow: white halo, dark edge, coloured core; still the darkest and widest once printed in grey.

use crate::data::TracePoint;
use crate::map::Projection;
use crate::svg::{Mm, Path, Svg};

/// Millimetres that a point may lie beside the drawn line.
const TOLERANCE_MM: f64 = 0.08;
/// Millimetres between arrow heads.
const ARROWS_MM: f64 = 21.0;

/// The line on paper, without points that make no visible difference.
pub(crate) fn simplified(trace: &[TracePoint], projection: &Projection) -> Vec<Mm> {
    let mut points: Vec<Mm> = trace.iter().map(|&(lon, lat, _)| projection.place([lon, lat])).collect();
    points.dedup_by(|a, b| (a[0] - b[0]).hypot(a[1] - b[1]) < 0.02);
    if points.len() < 3 {
        return points;
    }
    let mut keep = vec![false; points.len()];
    (keep[0], keep[points.len() - 1]) = (true, true);
    let mut stretches = vec![(0, points.len() - 1)];
    while let Some((from, to)) = stretches.pop() {
        let farthest =
            (from + 1..to).map(|k| (k, beside(points[k], points[from], points[to]))).max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((middle, _)) = farthest.filter(|(_, distance)| *distance > TOLERANCE_MM) {
            keep[middle] = true;
            stretches.extend([(from, middle), (middle, to)]);
        }
    }
    let mut kept = keep.iter();
    points.retain(|_| *kept.next().unwrap_or(&true));
    points
}

/// How far a point lies from a piece of line.
pub(crate) fn beside(p: Mm, a: Mm, b: Mm) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let length = dx * dx + dy * dy;
    let t = if length == 0.0 { 0.0 } else { (((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length).clamp(0.0, 1.0) };
    (p[0] - a[0] - t * dx).hypot(p[1] - a[1] - t * dy)
}

pub(crate) fn draw(points: &[Mm], colour: &str, svg: &mut Svg) {
    let mut path = Path::default();
    path.line(points.iter().copied());
    svg.stroke(&path, "#ffffff", 1.9, "");
    svg.stroke(&path, "#1b1f1e", 1.15, "");
    svg.stroke(&path, colour, 0.62, "");
    let mut heads = Path::default();
    arrows(points, |head| heads.ring(head));
    svg.fill(&heads, "#ffffff");
    svg.stroke(&heads, "#1b1f1e", 0.25, "");
}

/// Arrow heads along the line, on pieces long enough to show the direction.
fn arrows(points: &[Mm], mut head: impl FnMut([Mm; 4])) {
    let mut since = ARROWS_MM * 0.55;
    for pair in points.windows(2) {
        let (dx, dy) = (pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
        let length = dx.hypot(dy);
        since += length;
        if since < ARROWS_MM || length < 0.3 {
            continue;
        }
        since = 0.0;
        let (ux, uy) = (dx / length, dy / length);
        let middle = [0, 1].map(|axis| f64::midpoint(pair[0][axis], pair[1][axis]));
        let at = |along: f64, aside: f64| [middle[0] + ux * along - uy * aside, middle[1] + uy * along + ux * aside];
        head([at(1.05, 0.0), at(-0.95, 1.0), at(-0.4, 0.0), at(-0.95, -1.0)]);
    }
}

#[cfg(test)]
mod tests {
    use super::simplified;
    use crate::map::Projection;

    #[test]
    fn a_straight_line_keeps_its_ends_and_a_bend_its_corner() {
        let trace: Vec<_> = (0..100).map(|k| (4.0 + f64::from(k) / 1000.0, 47.0, None)).collect();
        let projection = Projection::around(trace.iter(), [120.0, 120.0]);
        assert_eq!(simplified(&trace, &projection).len(), 2);
        let bend = [(4.0, 47.0, None), (4.1, 47.0, None), (4.1, 47.1, None)];
        assert_eq!(simplified(&bend, &Projection::around(bend.iter(), [120.0, 120.0])).len(), 3);
    }
}
