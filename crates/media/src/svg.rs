//! A drawing without anything that runs, loads or hides: what is not known to draw does not come through.

use quick_xml::events::{BytesStart, BytesText, Event};
use quick_xml::{Reader, Writer};

use crate::Refusal;

/// Elements that draw.
const ELEMENTS: [&str; 42] = [
    "svg",
    "g",
    "defs",
    "symbol",
    "use",
    "title",
    "desc",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "text",
    "tspan",
    "textPath",
    "linearGradient",
    "radialGradient",
    "stop",
    "clipPath",
    "mask",
    "pattern",
    "marker",
    "filter",
    "feGaussianBlur",
    "feOffset",
    "feBlend",
    "feColorMatrix",
    "feComposite",
    "feFlood",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feTurbulence",
    "feDropShadow",
    "feComponentTransfer",
    "feFuncR",
    "feFuncG",
    "feFuncB",
    "feFuncA",
    "switch",
];
/// Elements inside of each other at most.
const MAX_DEPTH: usize = 200;
/// Attributes of one element at most: each is compared with all the others.
const MAX_ATTRIBUTES: usize = 200;

/// The cleaned drawing, and its size.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Clean {
    pub bytes: Vec<u8>,
    pub width: u32,
    pub height: u32,
}

/// The same drawing without scripts, handlers, styles that load, pictures and links from elsewhere.
pub(crate) fn clean(bytes: &[u8]) -> Result<Clean, Refusal> {
    let text = std::str::from_utf8(bytes).map_err(|_| Refusal::Broken)?;
    let mut reader = Reader::from_str(text);
    let mut writer = Writer::new(Vec::with_capacity(bytes.len()));
    let mut sides = None;
    // Depth inside of an element that is left out.
    let mut skipped = 0_usize;
    let mut depth = 0_usize;
    loop {
        match reader.read_event().map_err(|_| Refusal::Broken)? {
            Event::Start(element) => {
                depth += 1;
                if skipped > 0 || !draws(&element) {
                    skipped += 1;
                } else {
                    let kept = kept(&element)?;
                    sides = sides.or_else(|| size(&kept));
                    writer.write_event(Event::Start(kept))?;
                }
                if depth > MAX_DEPTH {
                    return Err(Refusal::Broken);
                }
            }
            Event::Empty(element) if skipped == 0 && draws(&element) => {
                let kept = kept(&element)?;
                sides = sides.or_else(|| size(&kept));
                writer.write_event(Event::Empty(kept))?;
            }
            Event::End(element) => {
                depth = depth.checked_sub(1).ok_or(Refusal::Broken)?;
                if skipped > 0 {
                    skipped -= 1;
                } else {
                    writer.write_event(Event::End(element.borrow()))?;
                }
            }
            Event::Text(words) if skipped == 0 && depth > 0 => writer.write_event(Event::Text(words))?,
            Event::CData(words) if skipped == 0 && depth > 0 => {
                writer.write_event(Event::Text(BytesText::new(&words)))?;
            }
            // `&amp;` and numbers; an entity that the file declares itself is left out with its declaration.
            Event::GeneralRef(name) if skipped == 0 && depth > 0 => {
                let entity: &str = &name;
                if entity.starts_with('#') || ["amp", "lt", "gt", "quot", "apos"].contains(&entity) {
                    writer.write_event(Event::GeneralRef(name))?;
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    let (width, height) = sides.ok_or(Refusal::Broken)?;
    if depth != 0 {
        return Err(Refusal::Broken);
    }
    Ok(Clean { bytes: writer.into_inner(), width, height })
}

fn draws(element: &BytesStart) -> bool {
    ELEMENTS.iter().any(|known| *known == element.local_name().as_ref())
}

fn kept(element: &BytesStart) -> Result<BytesStart<'static>, Refusal> {
    let name = element.local_name().as_ref().to_owned();
    if element.attributes().with_checks(false).nth(MAX_ATTRIBUTES).is_some() {
        return Err(Refusal::Broken);
    }
    let mut kept = BytesStart::new(name.clone());
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|_| Refusal::Broken)?;
        let key = attribute.key.as_ref();
        let value = quick_xml::escape::unescape(&attribute.value).map_err(|_| Refusal::Broken)?;
        if harmless(key, &value) {
            kept.push_attribute((key, value.as_ref()));
        }
    }
    // Prefixes were taken from the elements; a drawing without its name space is not shown at all.
    if name == "svg" && !kept.attributes().flatten().any(|attribute| attribute.key.as_ref() == "xmlns") {
        kept.push_attribute(("xmlns", "http://www.w3.org/2000/svg"));
    }
    Ok(kept)
}

/// Handlers, addresses elsewhere, styles that load something.
fn harmless(key: &str, value: &str) -> bool {
    let key = key.to_ascii_lowercase();
    if key == "xmlns" {
        return value == "http://www.w3.org/2000/svg";
    }
    if key == "xmlns:xlink" {
        return value == "http://www.w3.org/1999/xlink";
    }
    if key == "href" || key == "xlink:href" {
        return value.trim().starts_with('#');
    }
    if key.starts_with("on") || (key.contains(':') && key != "xml:space") {
        return false;
    }
    let folded: String =
        value.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect::<String>().to_lowercase();
    let loads = folded.match_indices("url(").any(|(at, _)| {
        let inside = folded[at + 4..].trim_start_matches(['"', '\'']);
        !inside.starts_with('#')
    });
    let escaped = key == "style" && folded.contains('\\');
    !(loads || escaped || ["javascript:", "expression(", "@import", "data:"].iter().any(|word| folded.contains(word)))
}

/// Width and height in pixels, else those of the view box.
fn size(element: &BytesStart) -> Option<(u32, u32)> {
    if element.local_name().as_ref() != "svg" {
        return None;
    }
    let read = |wanted: &str| {
        let found = element.attributes().flatten().find(|attribute| attribute.key.as_ref() == wanted)?;
        Some(found.value.into_owned())
    };
    let length = |wanted: &str| {
        let value = read(wanted)?;
        let value = value.trim().strip_suffix("px").unwrap_or(value.trim());
        value.parse::<f64>().ok().filter(|length| *length >= 1.0 && *length < 1e5).map(|length| length.round() as u32)
    };
    if let (Some(width), Some(height)) = (length("width"), length("height")) {
        return Some((width, height));
    }
    let value = read("viewBox")?;
    let numbers: Vec<f64> =
        value.split([' ', ',']).filter(|word| !word.is_empty()).filter_map(|word| word.parse().ok()).collect();
    let &[_, _, width, height] = numbers.as_slice() else { return None };
    let good = |side: f64| (side > 0.0 && side < 1e6).then(|| side.round().max(1.0) as u32);
    Some((good(width)?, good(height)?))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn cleaned(inside: &str) -> String {
        let text = format!(
            r#"<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x "boum">]><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100">{inside}</svg>"#
        );
        let clean = clean(text.as_bytes()).unwrap();
        assert_eq!((clean.width, clean.height), (300, 100));
        String::from_utf8(clean.bytes).unwrap()
    }

    #[test]
    fn what_draws_stays() {
        let drawing = r#"<g fill="url(#a)"><path d="M0 0L9 9" style="stroke:red"/></g><text>Été &amp; vent</text>"#;
        assert!(cleaned(drawing).contains(drawing), "{}", cleaned(drawing));
    }

    #[test]
    fn what_runs_or_loads_goes() {
        for wrong in [
            "<script>alert(1)</script>",
            "<g><SCRIPT>alert(1)</SCRIPT></g>",
            r#"<rect onload="alert(1)" width="5"/>"#,
            r#"<a href="javascript:alert(1)"><path d="M0 0"/></a>"#,
            "<foreignObject><body><script>alert(1)</script></body></foreignObject>",
            r#"<image href="https://ailleurs.example/x.png"/>"#,
            r#"<use xlink:href="https://ailleurs.example/x.svg#a"/>"#,
            r#"<rect fill="url( 'https://ailleurs.example/#a')"/>"#,
            r"<style>@import url(https://ailleurs.example/x.css)</style>",
            r#"<rect style="fill:u\72l(https://ailleurs.example)"/>"#,
            r#"<set attributeName="href" to="javascript:alert(1)"/><animate attributeName="x"/>"#,
            "<text>&x;</text>",
            r#"<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>"#,
        ] {
            let clean = cleaned(wrong).to_lowercase();
            for word in ["alert", "ailleurs", "script", "boum", "entity", "onload", "animate"] {
                assert!(!clean.contains(word), "{wrong} left {clean}");
            }
        }
    }

    #[test]
    fn an_element_of_very_many_attributes_is_refused() {
        let attributes: String = (0..=MAX_ATTRIBUTES).map(|number| format!(" a{number}=\"\"")).collect();
        let text =
            format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><rect{attributes}/></svg>"#);
        assert_eq!(clean(text.as_bytes()), Err(Refusal::Broken));
    }

    #[test]
    fn what_is_no_drawing_is_broken() {
        for wrong in ["<svg", "<svg><g></svg>", "<svg xmlns='http://www.w3.org/2000/svg'/>", ""] {
            assert_eq!(clean(wrong.as_bytes()), Err(Refusal::Broken), "{wrong}");
        }
    }
}
