//! TCX: a course. The schema wants a time at every point and short names; both are made where they are missing.

use crate::{Position, TracePoint, cumulative_m, locate_from, time};

use super::xml::Xml;
use super::{Document, degrees, metres};

/// The schema's longest course and course point names, in characters.
const COURSE_NAME: usize = 15;
const POINT_NAME: usize = 10;
/// Start (2000-01-01) and speed of generated times, where a trace has none and no duration: devices only need them to increase.
const GENERATED_M_S: f64 = 15.0 / 3.6;
const GENERATED_START_MS: i64 = 946_684_800_000;

/// Writes a course with its course points.
pub fn tcx(document: &Document) -> String {
    let positions: Vec<Position> = document.line.iter().map(|point| point.position).collect();
    let cumulative = cumulative_m(&positions);
    let times = times(&document.line, &cumulative, document.duration_s);
    let mut xml = Xml::new();
    xml.open(
        "TrainingCenterDatabase",
        &[
            ("xmlns", &"http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"),
            ("xmlns:xsi", &"http://www.w3.org/2001/XMLSchema-instance"),
        ],
    );
    xml.open("Courses", &[]);
    xml.open("Course", &[]);
    xml.text("Name", short(document.name.as_deref(), "Course", COURSE_NAME));
    if let ([first, .., last], [from_ms, .., to_ms]) = (&positions[..], &times[..]) {
        xml.open("Lap", &[]);
        xml.text("TotalTimeSeconds", (to_ms - from_ms) as f64 / 1000.0);
        xml.text("DistanceMeters", metres(cumulative.last().copied().unwrap_or(0.0)));
        write_position(&mut xml, "BeginPosition", *first);
        write_position(&mut xml, "EndPosition", *last);
        xml.text("Intensity", "Active");
        xml.close();
    }
    xml.open("Track", &[]);
    for ((position, at_m), time_ms) in positions.iter().zip(&cumulative).zip(&times) {
        xml.open("Trackpoint", &[]);
        xml.text("Time", time::format_ms(*time_ms));
        write_position(&mut xml, "Position", *position);
        xml.maybe("AltitudeMeters", position.ele.map(metres));
        xml.text("DistanceMeters", metres(*at_m));
        xml.close();
    }
    xml.close();
    write_course_points(&mut xml, document, &positions, (&cumulative, &times));
    xml.finish()
}

fn write_course_points(
    xml: &mut Xml,
    document: &Document,
    positions: &[Position],
    (cumulative, times): (&[f64], &[i64]),
) {
    let mut after_m = 0.0;
    for waypoint in &document.waypoints {
        let located = || locate_from(positions, waypoint.position, after_m).map(|found| found.at_m);
        let Some(at_m) = waypoint.at_m.or_else(located) else { continue };
        after_m = at_m;
        let time_ms = time_at(cumulative, times, at_m);
        xml.open("CoursePoint", &[]);
        xml.text("Name", short(waypoint.name.as_deref(), "Point", POINT_NAME));
        xml.text("Time", time::format_ms(time_ms));
        write_position(xml, "Position", waypoint.position);
        xml.maybe("AltitudeMeters", waypoint.position.ele.map(metres));
        xml.text("PointType", "Generic");
        xml.maybe("Notes", waypoint.description.as_ref().or(waypoint.name.as_ref()));
        xml.close();
    }
}

/// The time at a distance along the line, between those of the points before and after it.
fn time_at(cumulative: &[f64], times: &[i64], at_m: f64) -> i64 {
    let after = cumulative.partition_point(|metres| *metres < at_m);
    let Some(&after_ms) = times.get(after) else { return times.last().copied().unwrap_or(GENERATED_START_MS) };
    let Some(before) = after.checked_sub(1) else { return after_ms };
    // The point before is nearer to the start, so the length is not 0.
    let share = (at_m - cumulative[before]) / (cumulative[after] - cumulative[before]);
    times[before] + ((after_ms - times[before]) as f64 * share).round() as i64
}

fn write_position(xml: &mut Xml, name: &'static str, position: Position) {
    xml.open(name, &[]);
    xml.text("LatitudeDegrees", degrees(position.lat));
    xml.text("LongitudeDegrees", degrees(position.lon));
    xml.close();
}

/// The recorded times where every point has one, else made-up ones, which share out the duration by length.
fn times(line: &[TracePoint], cumulative: &[f64], duration_s: Option<f64>) -> Vec<i64> {
    let length_m = cumulative.last().copied().unwrap_or(0.0);
    let known_m_s = duration_s.map(|duration_s| length_m / duration_s);
    let m_s = known_m_s.filter(|m_s| m_s.is_finite() && *m_s > 0.0).unwrap_or(GENERATED_M_S);
    let recorded: Option<Vec<i64>> = line.iter().map(|point| point.time_ms).collect();
    recorded.unwrap_or_else(|| {
        cumulative.iter().map(|at_m| GENERATED_START_MS + (at_m / m_s * 1000.0).round() as i64).collect()
    })
}

/// The schema's tokens have no line breaks and no blanks at the ends.
fn short(name: Option<&str>, otherwise: &str, most: usize) -> String {
    let token = name.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let token = if token.is_empty() { otherwise.to_owned() } else { token };
    token.chars().take(most).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Waypoint;

    #[test]
    fn names_fit_the_schema() {
        assert_eq!(short(Some("  Tour\n du  lac de la Vallée "), "Course", 15), "Tour du lac de");
        assert_eq!(short(Some(" "), "Course", 15), "Course");
        assert_eq!(short(None, "Point", 10), "Point");
    }

    #[test]
    fn a_course_point_has_the_time_of_its_own_passage() {
        // Out and back, about 157 m each way, in an hour.
        let line = [6.0, 6.002, 6.0].map(|lon| TracePoint::from(Position::new(lon, 45.0))).to_vec();
        let length_m = cumulative_m(&line.iter().map(|point| point.position).collect::<Vec<_>>())[2];
        let passage = |share: f64| Waypoint {
            position: Position::new(6.001, 45.0),
            name: None,
            description: None,
            symbol: None,
            at_m: Some(length_m * share),
        };
        let not_placed = Waypoint { at_m: None, ..passage(0.0) };
        for (waypoint, minute) in [(passage(0.25), 15), (passage(0.75), 45), (not_placed, 15), (passage(2.0), 60)] {
            let document = Document {
                line: line.clone(),
                waypoints: vec![waypoint],
                duration_s: Some(3_600.0),
                ..Document::default()
            };
            let text = tcx(&document);
            let (_, point) = text.split_once("<CoursePoint>").unwrap_or_default();
            let (_, found) = point.split_once("<Time>").unwrap_or_default();
            let (found, _) = found.split_once("</Time>").unwrap_or_default();
            let apart_ms = time::parse_ms(found).unwrap_or_default() - (GENERATED_START_MS + minute * 60_000);
            assert!(apart_ms.abs() <= 1_000, "{found} instead of minute {minute}");
        }
    }

    #[test]
    fn made_up_times_grow() {
        let line = [6.0, 6.001, 6.002].map(|lon| TracePoint::from(Position::new(lon, 45.0)));
        let positions: Vec<Position> = line.iter().map(|point| point.position).collect();
        let cumulative = cumulative_m(&positions);
        let walked = times(&line, &cumulative, Some(7_200.0));
        assert_eq!((walked[0], walked[2]), (GENERATED_START_MS, GENERATED_START_MS + 7_200_000));
        for unknown in [Some(0.0), Some(-1.0), Some(f64::NAN)] {
            assert_eq!(times(&line, &cumulative, unknown), times(&line, &cumulative, None));
        }
        let times = times(&line, &cumulative, None);
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
        assert_eq!(times[0], GENERATED_START_MS);
    }
}
