//! GPX 1.0 and 1.1. Unknown elements are looked through, extensions are not, except for Garmin's route shapes.

use crate::draft::{Draft, LineKind, WaypointWords, short_name, waypoint};
use crate::error::{MAX_POINTS, ReadError};
use crate::model::Format;
use crate::time;
use crate::write::{CREATOR, MODEL_SOURCE};

use super::xml::{Tag, Token, Xml};

/// Reads a GPX document.
pub fn read(xml: &mut Xml<'_>) -> Result<Draft, ReadError> {
    let mut draft = Draft::new(Format::Gpx);
    let mut line_name: Option<String> = None;
    let mut line_text: Option<String> = None;
    // Another program that writes the file again is its creator, and may have other heights.
    let (mut is_ours, mut has_model_heights) = (false, false);
    loop {
        match xml.next()? {
            Token::Open(tag) => match tag.name {
                "gpx" => is_ours = tag.attribute("creator") == Some(CREATOR),
                "trk" => {
                    (line_name, has_model_heights) = (None, false);
                    draft.begin_line(LineKind::Track, None);
                }
                "rte" => {
                    line_name = None;
                    draft.begin_line(LineKind::Route, None);
                }
                "src" if is_ours && xml.parent() == "trk" => {
                    has_model_heights = xml.words()?.as_deref() == Some(MODEL_SOURCE);
                }
                "trkseg" => {
                    draft.begin_line(LineKind::Track, line_name.clone());
                    draft.set_model_heights(has_model_heights);
                }
                "trkpt" | "rtept" => read_point(xml, &mut draft, tag)?,
                "wpt" => read_waypoint(xml, &mut draft, tag)?,
                "name" => match xml.parent() {
                    "trk" | "rte" => {
                        line_name = xml.words()?.map(short_name);
                        // The name may come before the points or after them.
                        if let Some(line) = draft.lines.last_mut() {
                            line.name.clone_from(&line_name);
                        }
                    }
                    "metadata" | "gpx" => draft.name = xml.words()?,
                    _ => xml.skip()?,
                },
                "desc" => match xml.parent() {
                    "trk" | "rte" => line_text = line_text.or(xml.words()?),
                    "metadata" | "gpx" => draft.description = xml.words()?,
                    _ => xml.skip()?,
                },
                "extensions" | "link" | "author" | "copyright" | "bounds" => xml.skip()?,
                _ => {}
            },
            Token::Done => break,
            Token::Close(_) | Token::Text(..) => {}
        }
    }
    draft.description = draft.description.or(line_text);
    Ok(draft)
}

fn read_point(xml: &mut Xml<'_>, draft: &mut Draft, tag: Tag<'_>) -> Result<(), ReadError> {
    let (mut ele, mut time_ms) = (None, None);
    let (mut words, mut comment) = (WaypointWords::default(), None);
    let mut shape = Vec::new();
    let mut inside_extensions = 0_usize;
    loop {
        match xml.next()? {
            Token::Open(child) => match child.name {
                "ele" if inside_extensions == 0 => ele = xml.height()?,
                "time" if inside_extensions == 0 => time_ms = time::parse_ms(&xml.content()?.0),
                "extensions" => inside_extensions += 1,
                // Points inside `<extensions>` do not belong to the line.
                "trkpt" | "rtept" if inside_extensions > 0 => xml.skip()?,
                "name" if xml.parent() == "rtept" => words.name = xml.words()?,
                "desc" if xml.parent() == "rtept" => words.description = xml.words()?,
                "cmt" if xml.parent() == "rtept" => comment = xml.words()?,
                "sym" if xml.parent() == "rtept" => words.symbol = xml.words()?,
                // Garmin BaseCamp: the shape of the way to the next route point.
                "rpt" if inside_extensions > 0 && shape.len() <= MAX_POINTS => shape.push(child),
                _ => {}
            },
            Token::Close("extensions") => inside_extensions = inside_extensions.saturating_sub(1),
            Token::Close(name) if name == tag.name => break,
            Token::Done => break,
            Token::Close(_) | Token::Text(..) => {}
        }
    }
    if let Some(point) = draft.push(tag.number("lat"), tag.number("lon"), tag.at)? {
        point.ele = ele;
        point.time_ms = time_ms;
    }
    if words.name.is_some() {
        words.description = words.description.or(comment);
        draft.route_points.extend(waypoint(tag.number("lat"), tag.number("lon"), ele, words));
    }
    for rpt in shape {
        draft.push(rpt.number("lat"), rpt.number("lon"), rpt.at)?;
    }
    Ok(())
}

fn read_waypoint(xml: &mut Xml<'_>, draft: &mut Draft, tag: Tag<'_>) -> Result<(), ReadError> {
    let mut words = WaypointWords::default();
    let (mut ele, mut comment) = (None, None);
    loop {
        match xml.next()? {
            Token::Open(child) => match child.name {
                "ele" => ele = xml.height()?,
                "name" => words.name = xml.words()?,
                "desc" => words.description = xml.words()?,
                "cmt" => comment = xml.words()?,
                "sym" => words.symbol = xml.words()?,
                _ => xml.skip()?,
            },
            Token::Close("wpt") | Token::Done => break,
            Token::Close(_) | Token::Text(..) => {}
        }
    }
    words.description = words.description.or(comment);
    draft.push_waypoint(tag.number("lat"), tag.number("lon"), ele, words)
}
