//! A description that numbers the places of its map: `<ol>`, an item for each of them, in their order.

use domain::Text;

/// Name and text of a numbered place. The name is the bold start of its item, where there is one.
pub(super) type PlaceText = (Text, Text);

/// The description split by its places; `None` if it is not a plain list with the same number of items in each language.
pub(super) fn numbered(description: &Text, places: usize) -> Option<Vec<PlaceText>> {
    let mut said: Vec<PlaceText> = vec![PlaceText::default(); places];
    let mut languages = 0;
    for (language, words) in description.iter().filter(|(_, words)| !words.trim().is_empty()) {
        languages += 1;
        let items = items(words).filter(|items| items.len() == places)?;
        for ((title, text), item) in said.iter_mut().zip(items) {
            let (name, rest) = named(item);
            title.set(language, name.trim());
            text.set(language, rest.trim());
        }
    }
    (places > 0 && languages > 0).then_some(said)
}

/// The items of a list that is all there is, and has no other inside.
fn items(words: &str) -> Option<Vec<&str>> {
    let list = opened(words.trim(), "ol")?.strip_suffix("</ol>")?.trim();
    let mut items = Vec::new();
    for item in list.strip_suffix("</li>")?.split("</li>") {
        let item = opened(item.trim_start(), "li")?;
        if item.contains("<ol") || item.contains("<ul") || item.contains("<li") {
            return None;
        }
        items.push(item);
    }
    Some(items)
}

/// The text after an opening tag.
fn opened<'a>(words: &'a str, tag: &str) -> Option<&'a str> {
    let rest = words.strip_prefix('<')?.strip_prefix(tag)?;
    let (attributes, rest) = rest.split_once('>')?;
    (attributes.is_empty() || attributes.starts_with(' ')).then_some(rest)
}

fn named(item: &str) -> (&str, &str) {
    let bold = opened(item.trim_start(), "strong").and_then(|rest| rest.split_once("</strong>"));
    bold.unwrap_or(("", item))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &str, places: usize) -> Option<Vec<(String, String)>> {
        let said = numbered(&Text::in_french(words), places)?;
        Some(said.iter().map(|(title, text)| (title.best("fr").to_owned(), text.best("fr").to_owned())).collect())
    }

    #[test]
    fn an_item_is_a_place() {
        let words = "<ol>\n<li><strong>La halle</strong> Passer l’arche.</li><li class=\"x\">Tourner &agrave; gauche</li><li></li>\n</ol>";
        let said = of(words, 3).unwrap_or_default();
        let expected = [("La halle", "Passer l’arche."), ("", "Tourner &agrave; gauche"), ("", "")];
        assert_eq!(said, expected.map(|(title, text)| (title.to_owned(), text.to_owned())));
    }

    #[test]
    fn what_is_no_list_of_the_places_is_a_text() {
        for words in [
            "<p>Pas à pas.</p>",
            "<ol><li>Un</li></ol>",
            "<ol><li>Un</li><li>Deux</li></ol><p>Fin</p>",
            "<ol><li>Un<ul><li>a</li></ul></li><li>Deux</li></ol>",
            "<oléoduc><li>Un</li><li>Deux</li></ol>",
            "<ol><li>Un</li><li>Deux",
            "",
        ] {
            assert_eq!(of(words, 2), None, "{words}");
        }
        let mut two = Text::in_french("<ol><li>Un</li></ol>");
        two.set("en", "One");
        assert_eq!(numbered(&two, 1), None, "each language numbers them");
    }
}
