//! What a text becomes before it is kept: markup out of plain fields, safe markup in rich ones, no empty languages.

use super::sheet::Sheet;
use super::words::Relation;
use crate::Text;
use crate::record::{Field as _, Shape};

/// Cleans a sheet in place. `sanitise` keeps the safe subset of HTML; the crate that knows an HTML parser provides it.
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

/// The same, but unchanged values are not sanitised again: they were when they were stored.
pub fn clean_changed(sheet: &mut Sheet, before: &Sheet, sanitise: &dyn Fn(&str) -> String) {
    let stored: Vec<&str> =
        [&before.description, &before.anonymous_description, &before.price_includes, &before.price_excludes]
            .into_iter()
            .flat_map(|text| text.iter().map(|(_, words)| words))
            .collect();
    clean(sheet, &|html| if stored.contains(&html) { html.to_owned() } else { sanitise(html) });
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
///
/// The time is proportional to the length: no part of the text is searched twice.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // A `<` after the last `>` opens no tag. Looking for the end of each would search the rest of the text each time.
    let last_close = text.rfind('>');
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let start = text.len() - rest.len();
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
        } else if let Some(end) = last_close.filter(|close| *close > start).and_then(|_| tag_end(rest)) {
            let (tag, after) = (&rest[1..end], &rest[end..]);
            rest = hidden_element(tag).map_or(after, |name| after_element(after, name));
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

/// Where the tag that a text starts with ends; none where it starts with no tag.
fn tag_end(text: &str) -> Option<usize> {
    let second = text[1..].chars().next()?;
    if !(second.is_ascii_alphabetic() || second == '/' || second == '!' || second == '?') {
        return None;
    }
    text.find('>').map(|at| at + 1)
}

/// The name of an opening tag's element when its content is not text.
fn hidden_element(tag: &str) -> Option<&'static str> {
    let opens = |wanted: &str| {
        tag.get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted))
            && !tag[wanted.len()..].starts_with(|c: char| c.is_ascii_alphanumeric())
    };
    ["script", "style"].into_iter().find(|wanted| opens(wanted))
}

/// What follows the closing tag of an element; nothing where it is never closed.
pub(crate) fn after_element<'a>(text: &'a str, name: &str) -> &'a str {
    let closes =
        |at: usize| text.get(at + 2..at + 2 + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name));
    let closing = text.match_indices("</").map(|(at, _)| at).find(|at| closes(*at));
    closing.and_then(|at| text[at..].find('>').map(|end| &text[at + end + 1..])).unwrap_or_default()
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
        assert_eq!(plain("Lac<style>a</ b></STYLE >bleu<!-- a > b"), "Lacbleu");
        assert_eq!(plain("<b>un</b> <deux <trois"), "un <deux <trois");
    }

    #[test]
    fn a_rich_text_of_empty_tags_is_empty() {
        assert_eq!(rich("<p><br></p>", &str::to_owned), "");
        assert_eq!(rich("<p>là</p>", &str::to_owned), "<p>là</p>");
    }

    #[test]
    fn only_what_changed_is_sanitised() {
        let text = |words: &str| Text::in_french(words);
        let before = Sheet { description: text("<p>un</p>"), price_includes: text("<p>deux</p>"), ..Sheet::default() };
        let mut after = Sheet { description: text("<p>trois</p>"), ..before.clone() };
        clean_changed(&mut after, &before, &str::to_uppercase);
        assert_eq!((after.description.fr(), after.price_includes.fr()), ("<P>TROIS</P>", "<p>deux</p>"));
    }

    #[test]
    fn lists_keep_their_order_and_lose_their_doubles() {
        let mut sheet = Sheet { theme_ids: vec![3, 1, 3, 2, 1], parent_id: Some(4), ..Sheet::default() };
        clean(&mut sheet, &str::to_owned);
        assert_eq!(sheet.theme_ids, [3, 1, 2]);
        assert_eq!(sheet.parent_id, None, "only a child has a parent");
    }
}
