//! A lenient pull reader over quick-xml: local names, raw `&`, files cut in the middle, no entity ever expanded.

use std::borrow::Cow;

use quick_xml::{Reader, errors::Error, events::Event};

use crate::draft::{line_at, short_text};
use crate::error::{ReadError, ReadErrorKind};

/// Deeper than any real file; a bound on what a crafted one can make us keep.
const MAX_DEPTH: usize = 512;

/// An element that opens.
#[derive(Debug, Clone, Copy)]
pub struct Tag<'a> {
    /// Its name without namespace prefix.
    pub name: &'a str,
    /// Everything after the name.
    attributes: &'a str,
    /// Where it starts in the text.
    pub at: usize,
}

/// The next item of the document.
#[derive(Debug)]
pub enum Token<'a> {
    Open(Tag<'a>),
    /// The innermost open element closes.
    Close(&'a str),
    /// Text, with its offset.
    Text(Cow<'a, str>, usize),
    /// After the root.
    Done,
}

/// The reader: one token at a time, with the elements that are open.
pub struct Xml<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    stack: Vec<&'a str>,
    closing: Option<&'a str>,
    /// Where the root element is.
    pub root_at: Option<usize>,
    /// Where the file stopped, when it stopped in the middle.
    pub truncated_at: Option<usize>,
    /// Raw ampersands: first offset and count.
    pub ampersands: Option<(usize, usize)>,
}

impl<'a> Xml<'a> {
    pub fn new(text: &'a str) -> Self {
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.allow_dangling_amp = true;
        config.allow_unmatched_ends = true;
        config.check_end_names = false;
        Self { text, reader, stack: Vec::new(), closing: None, root_at: None, truncated_at: None, ampersands: None }
    }

    /// The parent of the element that opened last.
    pub fn parent(&self) -> &'a str {
        self.stack.len().checked_sub(2).map_or("", |i| self.stack[i])
    }

    pub fn next(&mut self) -> Result<Token<'a>, ReadError> {
        if let Some(name) = self.closing.take() {
            self.stack.pop();
            return Ok(Token::Close(name));
        }
        loop {
            if self.truncated_at.is_some() || (self.root_at.is_some() && self.stack.is_empty()) {
                return Ok(self.stack.pop().map_or(Token::Done, Token::Close));
            }
            if let Some(token) = self.step()? {
                return Ok(token);
            }
        }
    }

    fn step(&mut self) -> Result<Option<Token<'a>>, ReadError> {
        let start = self.position();
        let event = match self.reader.read_event() {
            Ok(event) => event,
            Err(error) => return self.stopped(&error),
        };
        let raw = &self.text[start..self.position()];
        Ok(match event {
            Event::Start(_) => Some(Token::Open(self.open(raw, start)?)),
            Event::Empty(_) => {
                let tag = self.open(raw, start)?;
                self.closing = Some(tag.name);
                Some(Token::Open(tag))
            }
            Event::End(_) => Some(self.close(raw, start)?),
            Event::Text(_) => {
                if raw.contains('&') {
                    let (first, count) = self.ampersands.unwrap_or((start, 0));
                    self.ampersands = Some((first, count + 1));
                }
                Some(Token::Text(Cow::Borrowed(raw), start))
            }
            Event::CData(data) => Some(Token::Text(data.into_inner(), start)),
            Event::GeneralRef(_) => Some(Token::Text(unescape(raw), start)),
            Event::DocType(_) if raw.to_ascii_uppercase().contains("<!ENTITY") => {
                return Err(ReadError::at(ReadErrorKind::Entities, line_at(self.text, start)));
            }
            Event::Eof => {
                if !self.stack.is_empty() {
                    self.truncated_at = Some(start);
                    return Ok(None);
                }
                Some(Token::Done)
            }
            _ => None,
        })
    }

    /// How far it has read.
    pub fn offset(&self) -> usize {
        self.position()
    }

    fn position(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX).min(self.text.len())
    }

    /// quick-xml reports as a syntax error that the file ends inside a tag, a comment or the like.
    fn stopped(&mut self, error: &Error) -> Result<Option<Token<'a>>, ReadError> {
        let at = usize::try_from(self.reader.error_position()).unwrap_or(0).min(self.text.len());
        if matches!(error, Error::Syntax(_)) && !self.stack.is_empty() {
            self.truncated_at = Some(at);
            return Ok(None);
        }
        Err(ReadError::malformed(error.to_string(), Some(line_at(self.text, at))))
    }

    fn open(&mut self, raw: &'a str, at: usize) -> Result<Tag<'a>, ReadError> {
        let inner = raw.trim_start_matches('<').trim_end_matches('>');
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        let end = inner.find(|c: char| c.is_ascii_whitespace() || c == '/').unwrap_or(inner.len());
        let name = local(&inner[..end]);
        if self.stack.len() >= MAX_DEPTH {
            return Err(ReadError::malformed("elements are nested too deeply", Some(line_at(self.text, at))));
        }
        self.stack.push(name);
        self.root_at.get_or_insert(at);
        Ok(Tag { name, attributes: &inner[end..], at })
    }

    fn close(&mut self, raw: &'a str, at: usize) -> Result<Token<'a>, ReadError> {
        let name = local(raw.trim_start_matches("</").trim_end_matches('>').trim());
        match self.stack.pop() {
            Some(open) if open == name => Ok(Token::Close(name)),
            Some(open) => {
                let detail = format!("<{}> is closed by </{}>", short(open), short(name));
                Err(ReadError::malformed(detail, Some(line_at(self.text, at))))
            }
            None => {
                let detail = format!("</{}> closes nothing", short(name));
                Err(ReadError::malformed(detail, Some(line_at(self.text, at))))
            }
        }
    }

    /// Skips the content of the element just opened.
    pub fn skip(&mut self) -> Result<(), ReadError> {
        let depth = self.stack.len();
        while self.stack.len() >= depth {
            self.next()?;
        }
        Ok(())
    }

    /// The text of the element just opened, blanks trimmed, with its offset; elements inside it are skipped.
    pub fn content(&mut self) -> Result<(Cow<'a, str>, usize), ReadError> {
        let depth = self.stack.len();
        let mut text: Cow<'a, str> = Cow::Borrowed("");
        let mut at = None;
        while self.stack.len() >= depth {
            if let Token::Text(piece, offset) = self.next()? {
                at.get_or_insert(offset);
                if text.is_empty() { text = piece } else { text.to_mut().push_str(&piece) }
            }
        }
        let text = match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        };
        Ok((text, at.unwrap_or_else(|| self.position())))
    }

    /// The text of the element just opened, where there is some.
    pub fn words(&mut self) -> Result<Option<String>, ReadError> {
        Ok(Some(short_text(self.content()?.0.into_owned())).filter(|text| !text.is_empty()))
    }

    /// The number in the element just opened.
    pub fn number(&mut self) -> Result<Option<f64>, ReadError> {
        Ok(parse_number(&self.content()?.0))
    }

    /// The height in the element just opened, in metres. None for an empty element; NaN for a text that is not a number: the repair of heights replaces
    /// it and reports it.
    pub fn height(&mut self) -> Result<Option<f64>, ReadError> {
        let text = self.content()?.0;
        Ok((!text.is_empty()).then(|| parse_height(&text).unwrap_or(f64::NAN)))
    }
}

impl<'a> Tag<'a> {
    /// The raw value of an attribute, by its local name; quotes may be missing.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        let mut rest = self.attributes;
        loop {
            let equals = rest.find('=')?;
            let key = local(rest[..equals].trim().rsplit(char::is_whitespace).next().unwrap_or(""));
            let after = rest[equals + 1..].trim_start();
            let quote = after.chars().next()?;
            let (value, end) = if matches!(quote, '"' | '\'') {
                let value = after[1..].split(quote).next().unwrap_or("");
                (value, (value.len() + 2).min(after.len()))
            } else {
                let value = after.split(char::is_whitespace).next().unwrap_or("");
                (value, value.len())
            };
            if key == name {
                return Some(value);
            }
            rest = &after[end..];
        }
    }

    /// The number in an attribute.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.attribute(name).and_then(parse_number)
    }
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn short(name: &str) -> String {
    name.chars().take(40).collect()
}

/// A finite number, a decimal comma allowed.
pub fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let value: f64 = match text.parse() {
        Ok(value) => value,
        Err(_) if text.matches(',').count() == 1 && !text.contains('.') => text.replace(',', ".").parse().ok()?,
        Err(_) => return None,
    };
    value.is_finite().then_some(value)
}

/// A number of metres: also `1000 m`, and `1,005.5` with its thousands set apart.
fn parse_height(text: &str) -> Option<f64> {
    let text = text.trim().trim_end_matches(['m', 'M']).trim_end();
    parse_number(text).or_else(|| {
        let (whole, fraction) = text.split_once('.')?;
        let (first, others) = whole.split_once(',')?;
        let is_grouped = (1..=3).contains(&first.trim_start_matches('-').len())
            && others.split(',').all(|group| group.len() == 3)
            && !fraction.contains(',');
        is_grouped.then(|| text.replace(',', ""))?.parse().ok().filter(|metres: &f64| metres.is_finite())
    })
}

/// The five references of XML, numeric ones, and those of HTML that French texts use; any other is left unchanged.
fn unescape(raw: &str) -> Cow<'_, str> {
    let Some(name) = raw.strip_prefix('&').map(|rest| rest.trim_end_matches(';')) else {
        return Cow::Borrowed(raw);
    };
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        let character = code.ok().and_then(char::from_u32).filter(|c| !c.is_control() || c.is_whitespace());
        return character.map_or(Cow::Borrowed(raw), |c| Cow::Owned(c.to_string()));
    }
    let text = match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        "nbsp" => "\u{a0}",
        "eacute" => "é",
        "egrave" => "è",
        "ecirc" => "ê",
        "euml" => "ë",
        "agrave" => "à",
        "acirc" => "â",
        "ccedil" => "ç",
        "icirc" => "î",
        "iuml" => "ï",
        "ocirc" => "ô",
        "ugrave" => "ù",
        "ucirc" => "û",
        "Eacute" => "É",
        "Egrave" => "È",
        "Agrave" => "À",
        "Ccedil" => "Ç",
        "oelig" => "œ",
        "rsquo" => "’",
        "lsquo" => "‘",
        "laquo" => "«",
        "raquo" => "»",
        "ndash" => "–",
        "mdash" => "—",
        "hellip" => "…",
        "deg" => "°",
        _ => return Cow::Borrowed(raw),
    };
    Cow::Borrowed(text)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn words_of(text: &str) -> String {
        let mut xml = Xml::new(text);
        assert!(matches!(xml.next(), Ok(Token::Open(_))));
        xml.content().map(|(text, _)| text.into_owned()).unwrap()
    }

    #[test]
    fn raw_ampersands_references_and_cdata_are_one_text() {
        assert_eq!(
            words_of("<name>Bed & Breakfast &amp; &eacute;t&#233; &nope; <![CDATA[<b>]]></name>"),
            "Bed & Breakfast & été &nope; <b>"
        );
        assert_eq!(words_of("<name>R&B</name>"), "R&B");
    }

    #[test]
    fn attributes_come_by_local_name_with_any_quote() {
        let mut xml = Xml::new("<g:p gpx:lat='45,5' lon = \"6.1\" note=\"lat=9\" ele=12/>");
        let Ok(Token::Open(tag)) = xml.next() else { panic!("no tag") };
        assert_eq!(
            (tag.name, tag.number("lat"), tag.number("lon"), tag.number("ele")),
            ("p", Some(45.5), Some(6.1), Some(12.0))
        );
        assert_eq!(tag.attribute("absent"), None);
        assert!(matches!(xml.next(), Ok(Token::Close("p"))));
        assert!(matches!(xml.next(), Ok(Token::Done)));
    }

    #[test]
    fn a_file_that_stops_is_closed_and_reported() {
        let mut xml = Xml::new("<a><b><c lat=\"4");
        let mut closed = Vec::new();
        loop {
            match xml.next().unwrap() {
                Token::Close(name) => closed.push(name),
                Token::Done => break,
                _ => {}
            }
        }
        assert_eq!(closed, ["b", "a"]);
        assert_eq!(xml.truncated_at, Some(6));
    }
}
