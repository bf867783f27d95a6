//! Cleans a sheet before it is stored: each field by its rule, then what follows from other fields.

use super::sheet::Sheet;
use super::words::Relation;
use crate::record;

/// Cleans a sheet in place. `sanitise` keeps the safe subset of HTML; the crate that knows an HTML parser provides it.
pub fn clean(sheet: &mut Sheet, sanitise: &dyn Fn(&str) -> String) {
    record::clean(sheet, sanitise);
    forget_parent(sheet);
}

/// Like [`clean`], but unchanged values are not sanitised again: they were sanitised when they were stored.
pub fn clean_changed(sheet: &mut Sheet, before: &Sheet, sanitise: &dyn Fn(&str) -> String) {
    record::clean_changed(sheet, before, sanitise);
    forget_parent(sheet);
}

/// Only a child has a parent.
const fn forget_parent(sheet: &mut Sheet) {
    if matches!(sheet.relation, Relation::None | Relation::ModelOnly) {
        sheet.parent_id = None;
    }
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
    fn titles_and_lines_are_of_one_line_and_other_texts_keep_theirs() {
        let typed = "Le  lac \r\n X: y";
        let text = || Text::in_french(typed);
        let mut sheet = Sheet { title: text(), summary: text(), copyright: Some(typed.to_owned()), ..Sheet::default() };
        clean(&mut sheet, &str::to_owned);
        assert_eq!(
            (sheet.title.fr(), sheet.copyright.as_deref(), sheet.summary.fr()),
            ("Le  lac X: y", Some("Le  lac X: y"), "Le  lac \n X: y")
        );
    }

    #[test]
    fn lists_keep_their_order_and_lose_repeated_ids() {
        let mut sheet = Sheet { theme_ids: vec![3, 1, 3, 2, 1], parent_id: Some(4), ..Sheet::default() };
        clean(&mut sheet, &str::to_owned);
        assert_eq!(sheet.theme_ids, [3, 1, 2]);
        assert_eq!(sheet.parent_id, None, "only a child has a parent");
    }
}
