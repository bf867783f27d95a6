//! What a text becomes before it is kept: markup out of plain fields, safe markup in rich ones, no empty languages.

use super::sheet::Sheet;
use super::words::Relation;
use crate::Text;
use crate::record::{Field as _, Shape};

/// Cleans a sheet in place. `sanitise` keeps the safe subset of HTML; it is given by the room that knows an HTML parser.
pub fn clean(sheet: &mut Sheet, sanitise: &dyn Fn(&str) -> String) {
    for text in [
        &mut sheet.title,
        &mut sheet.subtitle,
        &mut sheet.summary,
        &mut sheet.anonymous_title,
        &mut sheet.meta_title,
        &mut sheet.meta_description,
        &mut sheet.booking_label,
        &mut sheet.audio_guide,
    ] {
        clean_text(text, &plain);
    }
    for text in
        [&mut sheet.description, &mut sheet.anonymous_description, &mut sheet.price_includes, &mut sheet.price_excludes]
    {
        clean_text(text, &|html| rich(html, sanitise));
    }
    for line in [&mut sheet.copyright, &mut sheet.booking_url, &mut sheet.file_number] {
        *line = line.as_deref().map(plain).filter(|text| !text.is_empty());
    }
    for ids in [
        &mut sheet.theme_ids,
        &mut sheet.tag_ids,
        &mut sheet.marking_ids,
        &mut sheet.equipment_ids,
        &mut sheet.poi_ids,
        &mut sheet.media_ids,
        &mut sheet.itinerary_ids,
    ] {
        once_each(ids);
    }
    sheet.custom.clean(Shape::Free, sanitise);
    if matches!(sheet.relation, Relation::None | Relation::ModelOnly) {
        sheet.parent_id = None;
    }
}

/// Cleans each language of a text and drops those left empty.
pub fn clean_text(text: &mut Text, how: &dyn Fn(&str) -> String) {
    let cleaned: Text = text
        .iter()
        .map(|(lang, written)| (lang.to_owned(), how(written)))
        .filter(|(_, written)| !written.is_empty())
        .collect();
    *text = cleaned;
}

/// A rich text made safe; one of empty tags is empty.
pub fn rich(html: &str, sanitise: &dyn Fn(&str) -> String) -> String {
    // Text without markup needs no parser, and saving must stay cheap.
    let safe = if html.contains(['<', '&', '\0']) { sanitise(html) } else { html.to_owned() };
    let safe = safe.trim();
    if plain(safe).is_empty() && !safe.contains("<img") { String::new() } else { safe.to_owned() }
}

fn once_each(ids: &mut Vec<i64>) {
    let mut seen = std::collections::HashSet::new();
    ids.retain(|id| seen.insert(*id));
}

/// A text without markup: tags go, scripts and styles go with their content, "a < b" stays.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((length, hidden)) = tag_length(rest) {
            let after = &rest[length..];
            rest = hidden.map_or(after, |name| skip_to_end_of(after, name));
        } else {
            out.push('<');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    let kept: String = out.chars().filter(|c| !c.is_control() || *c == '\n' || *c == '\t').collect();
    kept.trim().to_owned()
}

/// The words of sanitised HTML, for searching: tags become spaces.
pub fn words_of_html(html: &str) -> String {
    if html.contains('<') { plain(&html.replace('<', " <")) } else { html.to_owned() }
}

/// The length of the tag a text starts with, and the element's name when its content is not text.
fn tag_length(text: &str) -> Option<(usize, Option<&'static str>)> {
    if text.starts_with("<!--") {
        return Some((text.find("-->").map_or(text.len(), |at| at + 3), None));
    }
    let second = text[1..].chars().next()?;
    if !(second.is_ascii_alphabetic() || second == '/' || second == '!' || second == '?') {
        return None;
    }
    let end = text.find('>').map(|at| at + 1)?;
    let name = text[1..end].trim_end_matches('>');
    let opens = |wanted: &str| {
        name.get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted))
            && !name[wanted.len()..].starts_with(|c: char| c.is_ascii_alphanumeric())
    };
    Some((end, ["script", "style"].into_iter().find(|wanted| opens(wanted))))
}

fn skip_to_end_of<'a>(text: &'a str, name: &str) -> &'a str {
    let closing = format!("</{name}");
    let lower = text.to_ascii_lowercase();
    lower.find(&closing).map_or("", |at| text[at..].find('>').map_or("", |end| &text[at + end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_leaves_a_plain_text_and_its_words_stay() {
        assert_eq!(plain("  Tour <b>du</b> lac\u{7} "), "Tour du lac");
        assert_eq!(plain("a < b et c > d"), "a < b et c > d");
        assert_eq!(plain("Lac<script>alert(1)</script> bleu"), "Lac bleu");
        assert_eq!(plain("Lac<SCRIPT src=x>alert(1)"), "Lac");
        assert_eq!(plain("<!-- caché -->vu <img src=x onerror=alert(1)>"), "vu");
        assert_eq!(plain("5 <"), "5 <");
        assert_eq!(plain("<scripture>texte</scripture>"), "texte");
    }

    #[test]
    fn a_rich_text_of_empty_tags_is_empty() {
        assert_eq!(rich("<p><br></p>", &str::to_owned), "");
        assert_eq!(rich("<p>là</p>", &str::to_owned), "<p>là</p>");
    }

    #[test]
    fn lists_keep_their_order_and_lose_their_doubles() {
        let mut sheet = Sheet { theme_ids: vec![3, 1, 3, 2, 1], parent_id: Some(4), ..Sheet::default() };
        clean(&mut sheet, &str::to_owned);
        assert_eq!(sheet.theme_ids, [3, 1, 2]);
        assert_eq!(sheet.parent_id, None, "only a child has a parent");
    }
}
