//! Cleans a sheet before it is stored: no markup in plain fields, safe markup in rich ones, no empty languages, no repeated ids.

use super::sheet::Sheet;
use super::words::Relation;
use crate::html::{clean_text, plain, rich};
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

/// Like [`clean`], but unchanged values are not sanitised again: they were sanitised when they were stored.
pub fn clean_changed(sheet: &mut Sheet, before: &Sheet, sanitise: &dyn Fn(&str) -> String) {
    let stored: Vec<&str> =
        [&before.description, &before.anonymous_description, &before.price_includes, &before.price_excludes]
            .into_iter()
            .flat_map(|text| text.iter().map(|(_, words)| words))
            .collect();
    clean(sheet, &|html| if stored.contains(&html) { html.to_owned() } else { sanitise(html) });
}

fn once_each(ids: &mut Vec<i64>) {
    let mut seen = std::collections::HashSet::new();
    ids.retain(|id| seen.insert(*id));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    #[test]
    fn only_what_changed_is_sanitised() {
        let text = |words: &str| Text::in_french(words);
        let before = Sheet { description: text("<p>un</p>"), price_includes: text("<p>deux</p>"), ..Sheet::default() };
        let mut after = Sheet { description: text("<p>trois</p>"), ..before.clone() };
        clean_changed(&mut after, &before, &str::to_uppercase);
        assert_eq!((after.description.fr(), after.price_includes.fr()), ("<P>TROIS</P>", "<p>deux</p>"));
    }

    #[test]
    fn lists_keep_their_order_and_lose_repeated_ids() {
        let mut sheet = Sheet { theme_ids: vec![3, 1, 3, 2, 1], parent_id: Some(4), ..Sheet::default() };
        clean(&mut sheet, &str::to_owned);
        assert_eq!(sheet.theme_ids, [3, 1, 2]);
        assert_eq!(sheet.parent_id, None, "only a child has a parent");
    }
}
