//! KML: LineString, MultiGeometry, gx:Track, gx:MultiTrack; Point as waypoint. Areas are no lines.

use crate::draft::{Draft, LineKind, WaypointWords, short_name};
use crate::error::ReadError;
use crate::model::Format;
use crate::time;

use super::xml::{Token, Xml, parse_number};

/// Latitude, longitude, elevation and offset of one entry of `<coordinates>`.
type Entry = (Option<f64>, Option<f64>, Option<f64>, usize);

#[derive(Default)]
struct Placemark {
    name: Option<String>,
    description: Option<String>,
    points: Vec<Entry>,
    /// Lines of the draft from here on are this placemark's.
    first_line: usize,
}

/// Reads a KML document.
pub fn read(xml: &mut Xml<'_>) -> Result<Draft, ReadError> {
    let mut draft = Draft::new(Format::Kml);
    let mut placemark = Placemark::default();
    let mut line_text = None;
    loop {
        match xml.next()? {
            Token::Open(tag) => match tag.name {
                "Placemark" => placemark = Placemark { first_line: draft.lines.len(), ..Placemark::default() },
                "name" | "description" => {
                    let (is_name, parent) = (tag.name == "name", xml.parent());
                    let words = xml.words()?;
                    match (parent, is_name) {
                        ("Placemark", true) => placemark.name = words.map(short_name),
                        ("Placemark", false) => placemark.description = words,
                        ("Document" | "Folder" | "kml", true) => draft.name = draft.name.take().or(words),
                        ("Document" | "kml", false) => draft.description = draft.description.take().or(words),
                        _ => {}
                    }
                }
                "coordinates" => read_coordinates(xml, &mut draft, &mut placemark)?,
                "Track" => read_track(xml, &mut draft)?,
                "Polygon" | "Model" | "LookAt" | "Camera" | "Style" | "StyleMap" | "ExtendedData" | "Region"
                | "Snippet" => xml.skip()?,
                _ => {}
            },
            Token::Close("Placemark") => {
                line_text = line_text
                    .or_else(|| placemark.description.clone().filter(|_| draft.lines.len() > placemark.first_line));
                close_placemark(&mut draft, std::mem::take(&mut placemark))?;
            }
            Token::Done => break,
            Token::Close(_) | Token::Text(..) => {}
        }
    }
    draft.description = draft.description.or(line_text);
    Ok(draft)
}

fn close_placemark(draft: &mut Draft, placemark: Placemark) -> Result<(), ReadError> {
    for line in draft.lines.iter_mut().skip(placemark.first_line) {
        line.name = line.name.take().or_else(|| placemark.name.clone());
    }
    for (lat, lon, ele, _) in placemark.points {
        let words =
            WaypointWords { name: placemark.name.clone(), description: placemark.description.clone(), symbol: None };
        draft.push_waypoint(lat, lon, ele, words)?;
    }
    Ok(())
}

fn read_coordinates(xml: &mut Xml<'_>, draft: &mut Draft, placemark: &mut Placemark) -> Result<(), ReadError> {
    let parent = xml.parent();
    let (text, at) = xml.content()?;
    match parent {
        "LineString" | "LinearRing" => {
            draft.begin_line(LineKind::Track, None);
            placemark.first_line = placemark.first_line.min(draft.lines.len() - 1);
            for (lat, lon, ele, offset) in Entries::new(&text) {
                if let Some(point) = draft.push(lat, lon, at + offset)? {
                    point.ele = ele;
                }
            }
        }
        "Point" if placemark.points.is_empty() => placemark.points.extend(Entries::new(&text).next()),
        _ => {}
    }
    Ok(())
}

/// `lon,lat[,ele]` entries; hand-made files put blanks after the commas, or forget an entry's last number.
struct Entries<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Entries<'a> {
    const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn skip_blanks(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        rest[..rest.len() - trimmed.len()].contains('\n')
    }
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        self.skip_blanks();
        let start = self.at;
        if self.text[start..].is_empty() {
            return None;
        }
        let mut values = [None; 3];
        for (i, value) in values.iter_mut().enumerate() {
            let rest = &self.text[self.at..];
            let word = &rest[..rest.find(|c: char| c == ',' || c.is_whitespace()).unwrap_or(rest.len())];
            *value = parse_number(word);
            self.at += word.len();
            let before_blanks = self.at;
            let new_line = self.skip_blanks();
            let comma = self.text[self.at..].starts_with(',') && !new_line;
            if !comma {
                self.at = before_blanks;
                break;
            }
            self.at += 1;
            // A comma after the third value, or at a line's end, separates nothing.
            let line_ends = self.skip_blanks();
            if i >= 1 && line_ends {
                break;
            }
        }
        if self.at == start {
            self.at += self.text[start..].chars().next().map_or(1, char::len_utf8);
        }
        Some((values[1], values[0], values[2], start))
    }
}

/// `gx:Track`: a list of `<when>` and a list of `<gx:coord>`, which go in pairs.
fn read_track(xml: &mut Xml<'_>, draft: &mut Draft) -> Result<(), ReadError> {
    draft.begin_line(LineKind::Track, None);
    let mut times = Vec::new();
    let mut taken = 0;
    let mut pending: Vec<Entry> = Vec::new();
    loop {
        match xml.next()? {
            Token::Open(tag) => match tag.name {
                "when" => times.push(time::parse_ms(&xml.content()?.0)),
                "coord" => {
                    let (text, _) = xml.content()?;
                    let mut values =
                        text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty()).map(parse_number);
                    let lon = values.next().flatten();
                    let lat = values.next().flatten();
                    pending.push((lat, lon, values.next().flatten(), tag.at));
                    if pending.len() > crate::error::MAX_POINTS {
                        break;
                    }
                }
                _ => xml.skip()?,
            },
            Token::Close("Track") | Token::Done => break,
            Token::Close(_) | Token::Text(..) => {}
        }
    }
    for (lat, lon, ele, at) in pending {
        if let Some(point) = draft.push(lat, lon, at)? {
            point.ele = ele;
            point.time_ms = times.get(taken).copied().flatten();
        }
        taken += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_read_however_they_are_spaced() {
        let read = |text| Entries::new(text).map(|(lat, lon, ele, _)| (lon, lat, ele)).collect::<Vec<_>>();
        let two = vec![(Some(6.5), Some(45.8), Some(0.0)), (Some(6.6), Some(45.9), Some(1.0))];
        assert_eq!(read("6.5,45.8,0 6.6,45.9,1"), two);
        assert_eq!(read(" 6.5, 45.8, 0.0   \n 6.6, 45.9, 1.0 \n"), two);
        assert_eq!(read("6.5,45.8,0,6.6,45.9,1"), two);
        assert_eq!(read("6.5,45.8,\n6.6,45.9,"), [(Some(6.5), Some(45.8), None), (Some(6.6), Some(45.9), None)]);
        assert_eq!(read(""), []);
        assert_eq!(read("é,x ,"), [(None, None, None)]);
    }
}
