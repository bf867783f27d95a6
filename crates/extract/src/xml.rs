//! Reading OSM XML: `.osm`, plain or gzipped.

use std::io::{BufRead, ErrorKind};
use std::path::Path;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::error::ExtractError;
use crate::model::{Element, Header, Member, MemberKind, Node, Relation, Tags, Way, on_earth};

/// An element between its opening and its closing tag.
struct Open {
    element: Element,
    tags: Vec<(String, String)>,
    deleted: bool,
}

pub(crate) fn read(path: &Path, text: impl BufRead, mut each: impl FnMut(Element)) -> Result<Header, ExtractError> {
    let mut reader = Reader::from_reader(text);
    let mut scan = Scan { path, header: Header::default(), open: None, depth: 0, rooted: false };
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let at_byte = reader.buffer_position();
        match reader.read_event_into(&mut buffer).map_err(|error| read_error(path, at_byte, error))? {
            Event::Start(tag) => {
                scan.opened(&tag, at_byte)?;
                scan.depth += 1;
            }
            Event::Empty(tag) => {
                scan.opened(&tag, at_byte)?;
                if is_element(tag.name().as_ref()) {
                    scan.closed(&mut each);
                }
            }
            Event::End(tag) => {
                scan.depth -= 1;
                if is_element(tag.name().as_ref()) {
                    scan.closed(&mut each);
                }
            }
            Event::Eof if !scan.rooted => return Err(ExtractError::Foreign { path: path.into() }),
            Event::Eof if scan.depth > 0 => return Err(ExtractError::Truncated { path: path.into(), at_byte }),
            Event::Eof => return Ok(scan.header),
            _ => {}
        }
    }
}

fn is_element(name: &str) -> bool {
    matches!(name, "node" | "way" | "relation")
}

struct Scan<'a> {
    path: &'a Path,
    header: Header,
    open: Option<Open>,
    depth: usize,
    rooted: bool,
}

impl Scan<'_> {
    fn opened(&mut self, tag: &BytesStart<'_>, at_byte: u64) -> Result<(), ExtractError> {
        let name = tag.name();
        let name = name.as_ref();
        if !self.rooted {
            self.rooted = name == "osm";
            return if self.rooted { Ok(()) } else { Err(ExtractError::Foreign { path: self.path.into() }) };
        }
        let attributes = Attributes::of(self.path, tag, at_byte)?;
        match name {
            "node" | "way" | "relation" => self.element(name, &attributes)?,
            "bounds" => self.bounds(&attributes)?,
            "tag" => {
                if let Some(open) = &mut self.open {
                    open.tags.push((attributes.text("k")?.to_owned(), attributes.text("v")?.to_owned()));
                }
            }
            "nd" => {
                if let Some(Open { element: Element::Way(way), .. }) = &mut self.open {
                    way.nodes.push(attributes.number("ref")?);
                }
            }
            "member" => {
                if let Some(Open { element: Element::Relation(relation), .. }) = &mut self.open {
                    relation.members.push(attributes.member()?);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn element(&mut self, name: &str, attributes: &Attributes) -> Result<(), ExtractError> {
        let id = attributes.number("id")?;
        let element = match name {
            "node" => {
                let (lon, lat) = (attributes.number("lon"), attributes.number("lat"));
                if attributes.deleted() && (lon.is_err() || lat.is_err()) {
                    return Ok(()); // a deleted node has no position any more
                }
                let (lon, lat) = (lon?, lat?);
                if !on_earth(lon, lat) {
                    return Err(attributes.wrong(format!("node {id} is not on the Earth")));
                }
                Element::Node(Node { id, lon, lat, tags: Tags::default() })
            }
            "way" => Element::Way(Way { id, tags: Tags::default(), nodes: Vec::new() }),
            _ => Element::Relation(Relation { id, tags: Tags::default(), members: Vec::new() }),
        };
        self.header.date_s =
            self.header.date_s.max(attributes.get("timestamp").and_then(seconds).filter(|date_s| *date_s > 0));
        self.open = Some(Open { element, tags: Vec::new(), deleted: attributes.deleted() });
        Ok(())
    }

    fn bounds(&mut self, attributes: &Attributes) -> Result<(), ExtractError> {
        let [west, south] = [attributes.number("minlon")?, attributes.number("minlat")?];
        let [east, north] = [attributes.number("maxlon")?, attributes.number("maxlat")?];
        // An editor that downloaded several areas writes several boxes.
        self.header.bbox = Some(self.header.bbox.map_or([west, south, east, north], |[w, s, e, n]: [f64; 4]| {
            [w.min(west), s.min(south), e.max(east), n.max(north)]
        }));
        Ok(())
    }

    fn closed(&mut self, each: &mut impl FnMut(Element)) {
        let Some(Open { mut element, tags, deleted: false }) = self.open.take() else { return };
        match &mut element {
            Element::Node(node) => node.tags = tags.into(),
            Element::Way(way) => way.tags = tags.into(),
            Element::Relation(relation) => relation.tags = tags.into(),
        }
        each(element);
    }
}

/// One tag's attributes, decoded.
struct Attributes<'a> {
    path: &'a Path,
    at_byte: u64,
    pairs: Vec<(String, String)>,
}

impl<'a> Attributes<'a> {
    fn of(path: &'a Path, tag: &BytesStart<'_>, at_byte: u64) -> Result<Self, ExtractError> {
        let wrong = |error: &dyn std::fmt::Display| ExtractError::damaged(path, at_byte, error.to_string());
        let mut pairs = Vec::new();
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| wrong(&error))?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| wrong(&error))?;
            pairs.push((attribute.key.as_ref().to_owned(), value.into_owned()));
        }
        Ok(Self { path, at_byte, pairs })
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn text(&self, name: &str) -> Result<&str, ExtractError> {
        self.get(name).ok_or_else(|| self.wrong(format!("the attribute {name} is missing")))
    }

    fn number<T: std::str::FromStr>(&self, name: &str) -> Result<T, ExtractError> {
        let text = self.text(name)?;
        text.trim().parse().map_err(|_| self.wrong(format!("{name}=\"{text}\" is not a number")))
    }

    fn member(&self) -> Result<Member, ExtractError> {
        let kind = match self.text("type")? {
            "node" => MemberKind::Node,
            "way" => MemberKind::Way,
            "relation" => MemberKind::Relation,
            other => return Err(self.wrong(format!("a member of type \"{other}\""))),
        };
        Ok(Member { kind, id: self.number("ref")?, role: self.get("role").unwrap_or_default().to_owned() })
    }

    fn deleted(&self) -> bool {
        self.get("visible") == Some("false") || self.get("action") == Some("delete")
    }

    fn wrong(&self, what: String) -> ExtractError {
        ExtractError::damaged(self.path, self.at_byte, what)
    }
}

fn read_error(path: &Path, at_byte: u64, error: quick_xml::Error) -> ExtractError {
    match error {
        quick_xml::Error::Io(source) if source.kind() == ErrorKind::UnexpectedEof => {
            ExtractError::Truncated { path: path.into(), at_byte }
        }
        quick_xml::Error::Io(source) if matches!(source.kind(), ErrorKind::InvalidInput | ErrorKind::InvalidData) => {
            ExtractError::damaged(path, at_byte, source.to_string())
        }
        quick_xml::Error::Io(source) => ExtractError::io(path, std::io::Error::new(source.kind(), source)),
        quick_xml::Error::Syntax(_) => ExtractError::Truncated { path: path.into(), at_byte },
        other => ExtractError::damaged(path, at_byte, other.to_string()),
    }
}

/// `2016-11-13T10:20:30Z` in seconds since 1970; `None` for anything else.
fn seconds(timestamp: &str) -> Option<i64> {
    let part = |from: usize, to: usize| timestamp.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
    let (hour, minute, second) = (part(11, 13)?, part(14, 16)?, part(17, 19)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Days since 1970 in the proleptic Gregorian calendar, years counted from March.
    let shifted_year = if month <= 2 { year - 1 } else { year };
    let era = shifted_year.div_euclid(400);
    let year_of_era = shifted_year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468;
    Some(days * 86_400 + hour * 3_600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn a_timestamp_is_read_and_bad_input_is_not() {
        assert_eq!(seconds("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(seconds("2016-02-29T23:59:59Z"), Some(1_456_790_399));
        assert_eq!(seconds("2026-11-20T00:00:00Z"), Some(1_795_132_800));
        assert_eq!(seconds("2016-13-01T00:00:00Z"), None);
        assert_eq!(seconds("é016-11-01"), None);
    }
}
