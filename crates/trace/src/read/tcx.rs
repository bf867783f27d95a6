//! Garmin Training Center: activities and courses.

use crate::draft::{Draft, LineKind, WaypointWords};
use crate::error::ReadError;
use crate::model::Format;
use crate::time;

use super::xml::{Tag, Token, Xml};

/// Reads a TCX document.
pub fn read(xml: &mut Xml<'_>) -> Result<Draft, ReadError> {
    let mut draft = Draft::new(Format::Tcx);
    let mut course = None;
    loop {
        match xml.next()? {
            Token::Open(tag) => match tag.name {
                "Course" => course = None,
                "Track" => draft.begin_line(LineKind::Track, course.clone()),
                "Trackpoint" => read_point(xml, &mut draft, tag)?,
                "CoursePoint" => read_course_point(xml, &mut draft)?,
                "Name" if xml.parent() == "Course" => {
                    course = xml.words()?;
                    draft.name = draft.name.take().or_else(|| course.clone());
                }
                "Notes" if matches!(xml.parent(), "Course" | "Activity") => draft.description = xml.words()?,
                "Extensions" | "Creator" | "Author" => xml.skip()?,
                _ => {}
            },
            Token::Done => break,
            Token::Close(_) | Token::Text(..) => {}
        }
    }
    Ok(draft)
}

#[derive(Default)]
struct Point {
    position: Option<(Option<f64>, Option<f64>)>,
    ele: Option<f64>,
    time_ms: Option<i64>,
    words: WaypointWords,
}

fn read_fields(xml: &mut Xml<'_>, element: &str) -> Result<Point, ReadError> {
    let mut point = Point::default();
    loop {
        match xml.next()? {
            Token::Open(child) => match child.name {
                "Time" => point.time_ms = time::parse_ms(&xml.content()?.0),
                "Position" => {
                    point.position.get_or_insert((None, None));
                }
                "LatitudeDegrees" => point.position.get_or_insert((None, None)).0 = xml.number()?,
                "LongitudeDegrees" => point.position.get_or_insert((None, None)).1 = xml.number()?,
                "AltitudeMeters" => point.ele = xml.height()?,
                "Name" => point.words.name = xml.words()?,
                "Notes" => point.words.description = xml.words()?,
                "PointType" => point.words.symbol = xml.words()?,
                _ => xml.skip()?,
            },
            Token::Close(name) if name == element => return Ok(point),
            Token::Done => return Ok(point),
            Token::Close(_) | Token::Text(..) => {}
        }
    }
}

fn read_point(xml: &mut Xml<'_>, draft: &mut Draft, tag: Tag<'_>) -> Result<(), ReadError> {
    let fields = read_fields(xml, "Trackpoint")?;
    // A point without position is a heart-beat in a tunnel or in a gym: nothing is wrong with it.
    if let Some((lat, lon)) = fields.position
        && let Some(point) = draft.push(lat, lon, tag.at)?
    {
        point.ele = fields.ele;
        point.time_ms = fields.time_ms;
    }
    Ok(())
}

fn read_course_point(xml: &mut Xml<'_>, draft: &mut Draft) -> Result<(), ReadError> {
    let fields = read_fields(xml, "CoursePoint")?;
    let (lat, lon) = fields.position.unwrap_or_default();
    draft.push_waypoint(lat, lon, fields.ele, fields.words)
}
