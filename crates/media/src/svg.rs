//! Cleans SVG drawings: only known drawing elements remain, without scripts, external references and filters.

use quick_xml::events::{BytesStart, BytesText, Event};
use quick_xml::{Reader, Writer};

use crate::Refusal;
use crate::expanded::Expanded;

/// Elements that draw. Filters are left out: a few lines of them keep a processor busy for a minute.
const ELEMENTS: [&str; 25] = [
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

/// Cleans a drawing that an earlier version may have stored with less strict rules.
pub fn clean_drawing(bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
    clean(bytes).map(|clean| clean.bytes)
}

/// The same drawing without scripts, handlers, styles that load, filters, pictures and links from elsewhere. One whose references draw
/// thousands of shapes is refused.
pub(crate) fn clean(bytes: &[u8]) -> Result<Clean, Refusal> {
    let text = std::str::from_utf8(bytes).map_err(|_| Refusal::Broken)?;
    let mut reader = Reader::from_str(text);
    let mut writer = Writer::new(Vec::with_capacity(bytes.len()));
    let mut sides = None;
    let mut expanded = Expanded::default();
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
                    let kept = cleaned(&element)?;
                    sides = sides.or_else(|| size(&kept));
                    expanded.begin(&kept);
                    writer.write_event(Event::Start(kept))?;
                }
                if depth > MAX_DEPTH {
                    return Err(Refusal::Broken);
                }
            }
            Event::Empty(element) if skipped == 0 && draws(&element) => {
                let kept = cleaned(&element)?;
                sides = sides.or_else(|| size(&kept));
                expanded.begin(&kept);
                expanded.end();
                writer.write_event(Event::Empty(kept))?;
            }
            Event::End(element) => {
                depth = depth.checked_sub(1).ok_or(Refusal::Broken)?;
                if skipped > 0 {
                    skipped -= 1;
                } else {
                    expanded.end();
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
    if depth != 0 || !expanded.stays_within_limit() {
        return Err(Refusal::Broken);
    }
    Ok(Clean { bytes: writer.into_inner(), width, height })
}

fn draws(element: &BytesStart) -> bool {
    ELEMENTS.iter().any(|known| *known == element.local_name().as_ref())
}

fn cleaned(element: &BytesStart) -> Result<BytesStart<'static>, Refusal> {
    let name = element.local_name().as_ref().to_owned();
    if element.attributes().with_checks(false).nth(MAX_ATTRIBUTES).is_some() {
        return Err(Refusal::Broken);
    }
    let mut kept = BytesStart::new(name.clone());
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|_| Refusal::Broken)?;
        let key = attribute.key.as_ref();
        let value = quick_xml::escape::unescape(&attribute.value).map_err(|_| Refusal::Broken)?;
        if !is_harmless(key, &value) {
            continue;
        }
        if key == "style" {
            kept.push_attribute((key, without_filters(&value).as_str()));
        } else {
            kept.push_attribute((key, value.as_ref()));
        }
    }
    // Prefixes were taken from the elements; a drawing without its name space is not shown at all.
    if name == "svg" && !kept.attributes().flatten().any(|attribute| attribute.key.as_ref() == "xmlns") {
        kept.push_attribute(("xmlns", "http://www.w3.org/2000/svg"));
    }
    Ok(kept)
}

/// The declarations of a style but for filters, and for those with a comment or an unusual name, which may hide one. What follows a `!`
/// goes: a reader may take it for a declaration more.
fn without_filters(style: &str) -> String {
    let is_kept = |declaration: &&str| {
        let Some((name, _)) = declaration.split_once(':') else { return declaration.trim().is_empty() };
        let is_plain = name.trim().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let folded = declaration.to_ascii_lowercase();
        let has_quoted_sign = folded.contains('!') && folded.contains(['"', '\'']);
        is_plain && !has_quoted_sign && !["filter", "/*", "*/"].iter().any(|word| folded.contains(word))
    };
    let kept = style.split(';').filter(is_kept).map(|declaration| declaration.split('!').next().unwrap_or_default());
    kept.collect::<Vec<_>>().join(";")
}

/// Functions of styles that load, but for `url(`, which may name a part of the drawing.
const LOADING: [&str; 8] =
    ["javascript:", "expression(", "@import", "data:", "image-set(", "image(", "cross-fade(", "src("];

/// No handler, no filter, no address elsewhere, nothing that loads. A `\` may hide each of these, as any property can be an attribute.
fn is_harmless(key: &str, value: &str) -> bool {
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
    let is_left_out = key.starts_with("on") || key.contains("filter") || (key.contains(':') && key != "xml:space");
    if is_left_out || value.contains('\\') {
        return false;
    }
    let folded: String =
        value.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect::<String>().to_lowercase();
    let loads = folded.match_indices("url(").any(|(at, _)| {
        let inside = folded[at + 4..].trim_start_matches(['"', '\'']);
        !inside.starts_with('#')
    });
    !(loads || LOADING.iter().any(|word| folded.contains(word)))
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
            r#"<rect fill="u\72l(https://ailleurs.example)" mask="\75rl(https://ailleurs.example#x)"/>"#,
            r#"<rect style="cursor:image-set('https://ailleurs.example' 1x)" mask="IMAGE-SET('https://ailleurs.example' 1x)"/>"#,
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
    fn filters_go_and_what_they_were_on_stays() {
        let clean = cleaned(
            r#"<filter id="f"><feFlood/><feMorphology radius="120"/></filter><rect width="5" filter="url(#f)" style="fill:red; Filter :blur(9px);/*;*/filter:blur(9px);stroke:blue"/>"#,
        );
        assert!(clean.contains(r#"<rect width="5" style="fill:red;stroke:blue"/>"#), "{clean}");
        for word in ["filter", "Filter", "feFlood", "feMorphology", "blur"] {
            assert!(!clean.contains(word), "{clean}");
        }
    }

    #[test]
    fn declarations_that_readers_may_take_for_others_go() {
        let clean = cleaned(
            r#"<rect style="*fill:red; stroke : blue;x;mask:none !important marker-mid:url(#a);font-size:9px !important;"/>"#,
        );
        assert!(clean.contains(r#"style=" stroke : blue;mask:none ;font-size:9px ;""#), "{clean}");
    }

    #[test]
    fn references_that_draw_thousands_of_shapes_are_refused() {
        let level = |at: usize| {
            format!(r#"<g id="a{}">{}</g>"#, at + 1, format!(r##"<use xlink:href="#a{at}" x="1"/>"##).repeat(10))
        };
        let text = |levels: usize| {
            let levels: String = (0..levels).map(level).collect();
            format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 300 100"><defs><g id="a0"><rect width="9" height="9"/></g>{levels}</defs></svg>"#
            )
        };
        assert!(clean(text(2).as_bytes()).is_ok());
        assert_eq!(clean(text(5).as_bytes()), Err(Refusal::Broken));
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
