//! The translated texts of a sheet, whatever its kind.

use serde_json::json;

use super::TextFormat;
use crate::html::words_of_html;
use crate::parcours::Sheet as Parcours;
use crate::record::{Shape, Sheet};
use crate::step::Step;
use crate::{Fault, Text, one_space};

/// A text of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Its field: `title`, `steps/12/description`.
    pub field: String,
    pub format: TextFormat,
    pub text: Text,
}

/// The texts of a record.
pub fn texts_of<S: Sheet>(sheet: &S) -> Vec<Written> {
    let whole = json!(sheet);
    let written = |(field, rule): &(&'static str, crate::record::Rule)| {
        let format = match rule.shape {
            Shape::Plain(_) | Shape::TextLine(_) => TextFormat::Plain,
            Shape::Rich(_) => TextFormat::Html,
            _ => return None,
        };
        let value = whole.get(*field).filter(|value| value.is_object())?;
        Some(Written { field: (*field).to_owned(), format, text: serde_json::from_value(value.clone()).ok()? })
    };
    S::FIELDS.iter().filter_map(written).collect()
}

/// The texts of a parcours and of its steps.
pub fn texts_of_parcours(sheet: &Parcours, steps: &[Step]) -> Vec<Written> {
    let of_step = |step: &Step| {
        [("title", &step.title), ("description", &step.description)].map(|(name, text)| Written {
            field: format!("steps/{}/{name}", step.id),
            format: TextFormat::Plain,
            text: text.clone(),
        })
    };
    texts_of(sheet).into_iter().chain(steps.iter().flat_map(of_step)).collect()
}

/// Writes the words of a language into a field of a record.
pub fn fill<S: Sheet>(sheet: &mut S, field: &str, language: &str, words: &str) -> Result<(), Fault> {
    sheet.merge_field(field, &json!({ language: words }))
}

/// Writes the words of a language into a field of a parcours, or of one of its steps.
pub fn put_parcours(
    sheet: &mut Parcours,
    steps: &mut [Step],
    field: &str,
    language: &str,
    words: &str,
) -> Result<(), Fault> {
    let mut parts = field.split('/');
    if let (Some("steps"), Some(id), Some(name)) = (parts.next(), parts.next(), parts.next()) {
        let step = steps.iter_mut().find(|step| step.id.to_string() == id);
        match (step, name) {
            (Some(step), "title") => step.title.set(language, words),
            (Some(step), "description") => step.description.set(language, words),
            _ => return Err(Fault::new("validation/unknown-field", "/steps").with("name", field)),
        }
        return Ok(());
    }
    fill(sheet, field, language, words)
}

/// The part of a text that does not depend on its markup: its words, one blank between them.
pub fn same_words(text: &str, format: TextFormat) -> String {
    let words = if format.is_html() { words_of_html(text).replace("&nbsp;", " ") } else { text.to_owned() };
    one_space(&words)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn the_texts_of_a_parcours_are_all_of_its_sheet() {
        let whole = json!(Parcours { title: Text::in_french("Lac"), ..Parcours::default() });
        let texts: Vec<&str> = whole
            .as_object()
            .unwrap()
            .iter()
            .filter(|(name, value)| value.is_object() && !["special_levels", "custom"].contains(&name.as_str()))
            .map(|(name, _)| name.as_str())
            .collect();
        let listed = texts_of_parcours(&Parcours::default(), &[]);
        for name in &texts {
            assert!(listed.iter().any(|one| one.field == *name), "{name}");
        }
        assert_eq!(texts.len(), listed.len());
    }

    #[test]
    fn words_are_put_where_they_belong() {
        let mut poi = crate::PoiSheet::default();
        fill(&mut poi, "title", "en", "Lake").unwrap();
        assert_eq!(poi.title.get("en"), Some("Lake"));
        let fields: Vec<String> = texts_of(&poi).into_iter().map(|text| text.field).collect();
        assert!(fields.contains(&"title".to_owned()) && fields.contains(&"description".to_owned()), "{fields:?}");
        assert_eq!(
            same_words("<p>Le  lac</p><p>bleu</p>", TextFormat::Html),
            same_words("<p>Le lac</p> <p>bleu </p>", TextFormat::Html)
        );
        assert!(put_parcours(&mut Parcours::default(), &mut [], "steps/4/title", "en", "x").is_err());
    }
}
