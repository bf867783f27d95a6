//! Converts a route of a source to fields of Jalon, by the mapping of the source. Pure: what words mean is looked up before.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use app::markup::{as_html, as_plain};
use domain::html::plain_line;
use domain::imports::{
    FieldRule, ImportNote, ImportSourceSheet, ImportTarget, ValueRule, defaults, list_of_target, word_key,
};
use domain::step::{MAX_DISTANCE_M, MAX_DURATION_S};
use domain::vocabulary::{VocabularyItem, VocabularyKind};
use domain::{Text, fold};
use feeds::incoming::{Found, ImportedRoute, Word, words_of};
use serde_json::{Map, Value, json};

/// What the words of a source mean here.
#[derive(Debug, Default)]
pub(crate) struct Meanings {
    said: HashMap<(VocabularyKind, String), Option<i64>>,
    alike: HashMap<(VocabularyKind, String), i64>,
}

/// What a word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// This item, as a person mapped it.
    Said(i64),
    /// This item, which is called the same.
    Alike(i64),
    /// Nothing: a person left it out.
    LeftOut,
    /// Not mapped yet.
    Waiting,
}

impl Meaning {
    /// The item.
    pub(crate) const fn term(self) -> Option<i64> {
        match self {
            Self::Said(id) | Self::Alike(id) => Some(id),
            Self::LeftOut | Self::Waiting => None,
        }
    }

    /// The word of the API.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Said(_) => "mapped",
            Self::Alike(_) => "alike",
            Self::LeftOut => "left_out",
            Self::Waiting => "waiting",
        }
    }
}

impl Meanings {
    /// The mapped words, and the items of our lists with the same name.
    pub(crate) fn of(values: &[ValueRule], system: &str, lists: &[VocabularyItem]) -> Self {
        let mut found = Self::default();
        for rule in values {
            // A rule whose item was deleted no longer applies: the word waits again.
            if rule.term_id.is_none_or(|id| lists.iter().any(|item| item.id.0 == id && item.kind == rule.list)) {
                found.said.insert((rule.list, rule.key.clone()), rule.term_id);
            }
        }
        for item in lists {
            let words = item.label.iter().map(|(_, words)| words.to_owned()).chain([item.code.clone()]);
            let matches = serde_json::to_value(&item.attributes).unwrap_or_default()["matches"][system].take();
            for word in words_of_match(&matches).into_iter().chain(words) {
                // The first of two with the same name: a parent comes before its children.
                found.alike.entry((item.kind, word_key(&word))).or_insert(item.id.0);
            }
        }
        // Last what this version ships: lists that an older version filled do not have the words that were added since.
        for item in lists {
            let shipped = store::shipped_matches(item.kind, &item.code).map(|matches| &matches[system]);
            for word in shipped.into_iter().flat_map(words_of_match) {
                found.alike.entry((item.kind, word_key(&word))).or_insert(item.id.0);
            }
        }
        found
    }

    /// What a word means: its number in the source counts before its name.
    pub(crate) fn of_word(&self, list: VocabularyKind, word: &Word) -> Meaning {
        let names = || {
            let labels = word.label.iter().map(|(_, label)| word_key(label));
            labels.chain([word_key(&word.key)]).map(|key| (list, key))
        };
        if let Some(said) = names().find_map(|key| self.said.get(&key)) {
            return said.map_or(Meaning::LeftOut, Meaning::Said);
        }
        names().find_map(|key| self.alike.get(&key)).map_or(Meaning::Waiting, |id| Meaning::Alike(*id))
    }
}

/// The words of other systems for an item: one, or several.
fn words_of_match(matches: &Value) -> Vec<String> {
    match matches {
        Value::String(word) => vec![word.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Array(parts) => parts.iter().flat_map(words_of_match).collect(),
        _ => Vec::new(),
    }
}

/// The rules in use: those that were set, and those that follow from the kind for all others.
pub(super) fn rules_of(sheet: &ImportSourceSheet) -> Vec<FieldRule> {
    let mut rules = sheet.fields.clone();
    rules.extend(defaults(sheet.kind).into_iter().filter(|rule| sheet.fields.iter().all(|set| set.to != rule.to)));
    rules
}

/// Fields of Jalon, filled.
#[derive(Debug, Default)]
pub(super) struct Mapped {
    /// Fields of the sheet, as a patch.
    pub patch: Map<String, Value>,
    pub duration_s: Option<f64>,
    pub distance_m: Option<f64>,
    /// Name of where it starts.
    pub departure: Text,
    /// Name of where it ends.
    pub arrival: Text,
    /// Addresses of pictures.
    pub photos: Vec<String>,
    /// The remarks about it.
    pub notes: Vec<ImportNote>,
    /// Words for our lists.
    pub words: BTreeMap<(&'static str, String), Text>,
    /// Fields the source has, with the beginning of their values.
    pub fields: BTreeMap<String, String>,
    /// Fields of the sheet with a word that has neither a name in the source nor a meaning here: where the parcours is here already, they stay as
    /// they are.
    pub unnamed: BTreeSet<&'static str>,
    /// The targets whose fields no item of the source has: they stay as they are.
    pub absent: BTreeSet<&'static str>,
}

/// Fills our fields. `has_field` says whether an item of the source has a field, filled or empty.
pub(super) fn mapped(
    route: &ImportedRoute,
    sheet: &ImportSourceSheet,
    meanings: &Meanings,
    has_field: &dyn Fn(&str) -> bool,
) -> Mapped {
    let mut done = Mapped { fields: samples(route), ..Mapped::default() };
    for rule in rules_of(sheet).iter().filter(|rule| !rule.from.is_empty()) {
        if is_absent(rule, has_field) {
            done.absent.insert(rule.to.as_str());
            continue;
        }
        if has_unnamed(route, rule, meanings) {
            done.unnamed.insert(rule.to.as_str());
            // A number does not say whether it is a loop.
            if rule.to == ImportTarget::Shape {
                continue;
            }
        }
        let found: Vec<&Found> = rule.from.iter().filter_map(|from| route.fields.get(from)).collect();
        done.fill(rule.to, &found, meanings);
    }
    if sheet.distribute_own {
        done.patch.insert("distribute_own".to_owned(), json!(true));
    }
    done
}

/// Whether no item of the source has a field that fills ours.
pub(super) fn is_absent(rule: &FieldRule, has_field: &dyn Fn(&str) -> bool) -> bool {
    !rule.from.is_empty() && !rule.from.iter().any(|from| has_field(from))
}

/// Whether a field would be filled with a word that has neither a name in the source nor a meaning here.
fn has_unnamed(route: &ImportedRoute, rule: &FieldRule, meanings: &Meanings) -> bool {
    let waits = |key: &str| {
        list_of_target(rule.to).is_none_or(|list| meanings.of_word(list, &Word::plain(key)) == Meaning::Waiting)
    };
    route.unnamed.iter().any(|(field, key)| rule.from.contains(field) && waits(key))
}

/// The fields of a route, with the beginning of their values.
pub(super) fn samples(route: &ImportedRoute) -> BTreeMap<String, String> {
    route.fields.iter().map(|(name, found)| (name.clone(), sample(found))).collect()
}

impl Mapped {
    /// The title in French, or in another language where there is no French one, as its sheet has it; empty where there is no title.
    pub(super) fn title(&self) -> String {
        let title: Text =
            self.patch.get("title").and_then(|title| serde_json::from_value(title.clone()).ok()).unwrap_or_default();
        plain_line(title.best("fr"))
    }

    fn fill(&mut self, target: ImportTarget, found: &[&Found], meanings: &Meanings) {
        use ImportTarget as T;
        match target {
            T::Title => self.put("title", json!(short(&joined(found, "\n\n", &as_plain)))),
            T::Subtitle | T::Summary | T::AudioGuide => {
                self.put(target.as_str(), json!(joined(found, "\n\n", &as_plain)));
            }
            T::Description => self.put("description", json!(joined(found, "", &as_html))),
            T::Departure => self.departure = joined(found, " ", &as_plain),
            T::Arrival => self.arrival = joined(found, " ", &as_plain),
            T::Copyright | T::BookingUrl => {
                let words = joined(found, " ", &as_plain).best("fr").to_owned();
                self.put(target.as_str(), json!(Some(words).filter(|words| !words.is_empty())));
            }
            T::Distance => self.distance_m = self.quantity(target, found, metres).filter(|m| *m <= MAX_DISTANCE_M),
            T::Duration => self.duration_s = self.quantity(target, found, seconds).filter(|s| *s <= MAX_DURATION_S),
            T::Shape => {
                let word = found.iter().flat_map(|found| words_of(found)).next();
                let is_loop = word.map(|word| {
                    let all: String = word.label.iter().map(|(_, words)| fold(words)).collect();
                    format!("{all} {}", fold(&word.key))
                });
                self.put("is_loop", json!(is_loop.map(|words| words.contains("boucle") || words.contains("loop"))));
            }
            T::Practice | T::Level => {
                let ids = self.terms(target, found, meanings);
                self.put(target.as_str(), json!(ids.first()));
            }
            T::Themes | T::Tags | T::Markings => {
                let ids = self.terms(target, found, meanings);
                self.put(target.as_str(), json!(ids));
            }
            T::Photos => self.photos = addresses(found),
            // A parcours has none of these.
            T::PoiCategory | T::Street | T::Postcode | T::City | T::Phone | T::Email | T::Website | T::Opening => {}
        }
    }

    fn put(&mut self, field: &str, value: Value) {
        self.patch.insert(field.to_owned(), value);
    }

    /// A number above zero, or a text that `read` understands. One that is not understood is reported.
    fn quantity(&mut self, target: ImportTarget, found: &[&Found], read: fn(&str) -> Option<f64>) -> Option<f64> {
        let number = match found.first()? {
            Found::Number(number) => *number,
            Found::Text(text) => {
                let words = text.best("fr");
                let Some(number) = read(words) else {
                    let value: String = words.chars().take(80).collect();
                    self.notes.push(ImportNote::new("import/value-unread").with("value", value).on(target.as_str()));
                    return None;
                };
                number
            }
            Found::Words(_) => return None,
        };
        Some(number).filter(|number| *number > 0.0 && number.is_finite())
    }

    fn terms(&mut self, target: ImportTarget, found: &[&Found], meanings: &Meanings) -> Vec<i64> {
        let Some(list) = list_of_target(target) else { return Vec::new() };
        let mut ids = Vec::new();
        for word in found.iter().flat_map(|found| words_of(found)) {
            let key = key_of(&word);
            if key.is_empty() {
                continue;
            }
            let meaning = meanings.of_word(list, &word);
            match meaning.term() {
                Some(id) if !ids.contains(&id) => ids.push(id),
                None if meaning == Meaning::Waiting => {
                    let note = ImportNote::new("import/word-waits").with("word", word.label.best("fr"));
                    self.notes.push(note.on(target.as_str()));
                }
                _ => {}
            }
            self.words.insert((list.as_str(), key), word.label);
        }
        ids
    }
}

/// The most characters of a title. A longer one breaks a rule of the sheet, which leaves it out as a whole.
const TITLE_CHARS: usize = 200;

/// A title that is cut where it is too long.
fn short(title: &Text) -> Text {
    let cut = |words: &str| match words.char_indices().nth(TITLE_CHARS) {
        Some(_) => words.chars().take(TITLE_CHARS - 1).chain(['…']).collect(),
        None => words.to_owned(),
    };
    title.iter().map(|(language, words)| (language.to_owned(), cut(words))).collect()
}

/// What names a word in the mapping: its label, else its number in the source.
pub(super) fn key_of(word: &Word) -> String {
    let name = word.label.iter().map(|(_, label)| word_key(label)).find(|key| !key.is_empty());
    name.unwrap_or_else(|| word_key(&word.key))
}

/// The addresses of the web in some fields, which may have several each.
pub(super) fn addresses(found: &[&Found]) -> Vec<String> {
    let texts = found.iter().map(|found| match found {
        Found::Text(text) => text.best("fr").to_owned(),
        Found::Words(words) => words.iter().map(|word| word.key.as_str()).collect::<Vec<_>>().join(" "),
        Found::Number(_) => String::new(),
    });
    let split = |text: String| -> Vec<String> {
        // A comma may be inside an address; between two it comes before the next one.
        let text = text.replace(",http", " http");
        text.split([' ', '|', ';', '\n', '\t']).map(|word| word.trim().trim_end_matches(',').to_owned()).collect()
    };
    let is_address = |word: &String| word.starts_with("https://") || word.starts_with("http://");
    texts.flat_map(split).filter(is_address).collect()
}

/// Several texts as one, language by language.
pub(super) fn joined(found: &[&Found], between: &str, clean: &dyn Fn(&str) -> String) -> Text {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for found in found {
        let text = match found {
            Found::Text(text) => text.clone(),
            Found::Words(words) => {
                Text::in_french(words.iter().map(|word| word.label.best("fr")).collect::<Vec<_>>().join(", "))
            }
            Found::Number(number) => Text::in_french(number.to_string()),
        };
        for (language, words) in text.iter() {
            let words = clean(&percentage(language, yes_or_no(language, words)));
            if !words.is_empty() {
                all.entry(language.to_owned()).or_default().push(words);
            }
        }
    }
    all.into_iter().map(|(language, parts)| (language, parts.join(between))).collect()
}

/// A tick of a workbook or of JSON as a reader writes it; other words stay.
fn yes_or_no<'a>(language: &str, words: &'a str) -> &'a str {
    match (language, words.trim()) {
        ("fr", "true") => "oui",
        ("fr", "false") => "non",
        ("en", "true") => "yes",
        ("en", "false") => "no",
        _ => words,
    }
}

/// A percentage of a workbook as a reader of French writes it: `12,5 %` of `12.5%`; other words stay.
fn percentage<'a>(language: &str, words: &'a str) -> Cow<'a, str> {
    let number = words.trim().strip_suffix('%').filter(|number| number.parse::<f64>().is_ok_and(f64::is_finite));
    match number {
        Some(number) if language == "fr" => Cow::Owned(format!("{}\u{202f}%", number.replace('.', ","))),
        _ => Cow::Borrowed(words),
    }
}

/// A length in metres, as people write it: `12,5 km`, `850 m`. A plain number is in metres.
fn metres(words: &str) -> Option<f64> {
    sum_of_units(words, |unit, _| match unit {
        "km" | "kms" | "kilometre" | "kilometres" => Some(1_000.0),
        "m" | "metre" | "metres" => Some(1.0),
        _ => None,
    })
}

/// A duration in seconds, as people write it: `2h30`, `1:45`, `90 min`. A plain number is in seconds.
fn seconds(words: &str) -> Option<f64> {
    if words.contains(':') {
        let parts: Option<Vec<u32>> = words.split(':').map(|part| part.trim().parse().ok()).collect();
        let [hours, minutes, seconds] = match parts?[..] {
            [hours, minutes] => [hours, minutes, 0],
            [hours, minutes, seconds] => [hours, minutes, seconds],
            _ => return None,
        };
        return Some(f64::from(hours) * 3_600.0 + f64::from(minutes) * 60.0 + f64::from(seconds));
    }
    sum_of_units(words, |unit, before| match unit {
        "j" | "jour" | "jours" | "day" | "days" => Some(86_400.0),
        "h" | "heure" | "heures" | "hour" | "hours" => Some(3_600.0),
        "min" | "mn" | "minute" | "minutes" => Some(60.0),
        // The minutes of `2h30`.
        "" if before.starts_with('h') => Some(60.0),
        "s" | "sec" | "seconde" | "secondes" | "second" | "seconds" => Some(1.0),
        _ => None,
    })
}

/// A plain number, or the sum of numbers with a unit each. `unit_of` gives how much a unit is, after the unit before it.
fn sum_of_units(words: &str, unit_of: impl Fn(&str, &str) -> Option<f64>) -> Option<f64> {
    let plain = words.replace(',', ".").to_lowercase().replace(['è', 'é'], "e");
    let words: String = plain.chars().filter(|c| !c.is_whitespace()).collect();
    if let Ok(number) = words.parse() {
        return Some(number);
    }
    let (mut total, mut rest, mut before) = (0.0, words.as_str(), "");
    while !rest.is_empty() {
        let (number, after) = rest.split_at(rest.find(|c: char| !is_of_number(c)).unwrap_or(rest.len()));
        let (unit, after) = after.split_at(after.find(is_of_number).unwrap_or(after.len()));
        total += number.parse::<f64>().ok()? * unit_of(unit, before)?;
        (rest, before) = (after, unit);
    }
    Some(total).filter(|_| !words.is_empty())
}

const fn is_of_number(c: char) -> bool {
    c.is_ascii_digit() || c == '.'
}

/// The beginning of a field's value, without control characters: PostgreSQL does not store U+0000.
fn sample(found: &Found) -> String {
    let words = match found {
        Found::Text(text) => as_plain(text.best("fr")),
        Found::Number(number) => number.to_string(),
        Found::Words(words) => words.iter().map(|word| word.label.best("fr")).collect::<Vec<_>>().join(", "),
    };
    words.chars().filter(|c| !c.is_control() || c.is_whitespace()).take(80).collect()
}

#[cfg(test)]
mod tests {
    use domain::VocabularyId;
    use domain::vocabulary::{Attributes, PlainAttributes};

    use super::*;

    fn theme(id: i64, code: &str, name: &str) -> VocabularyItem {
        VocabularyItem {
            id: VocabularyId(id),
            kind: VocabularyKind::ParcoursTheme,
            code: code.to_owned(),
            parent_id: None,
            label: Text::in_french(name),
            description: Text::default(),
            icon: None,
            color: None,
            order: id,
            attributes: Attributes::Plain(PlainAttributes::default()),
            version: 1,
        }
    }

    #[test]
    fn durations_and_lengths_are_read_as_people_write_them() {
        for (words, expected) in [
            ("2h30", Some(9_000.0)),
            ("2 h 30", Some(9_000.0)),
            ("2 H 30 min", Some(9_000.0)),
            ("1:45", Some(6_300.0)),
            ("1,5 heure", Some(5_400.0)),
            ("90 min", Some(5_400.0)),
            ("1 jour", Some(86_400.0)),
            ("5400", Some(5_400.0)),
            ("une demi-journée", None),
            ("8h à 9h", None),
            ("1:2:3:4", None),
            ("", None),
        ] {
            assert_eq!(seconds(words), expected, "{words}");
        }
        for (words, expected) in [
            ("12,5 km", Some(12_500.0)),
            ("850 m", Some(850.0)),
            ("1\u{202f}200 mètres", Some(1_200.0)),
            ("8400", Some(8_400.0)),
            ("12 miles", None),
            ("environ 12 km", None),
        ] {
            assert_eq!(metres(words), expected, "{words}");
        }
    }

    #[test]
    fn a_tick_in_a_text_is_yes_or_no() {
        let of = |words: &str| joined(&[&Found::Text(Text::new(words, words))], " ", &as_plain);
        assert_eq!((of("true"), of("false")), (Text::new("oui", "yes"), Text::new("non", "no")));
        assert_eq!(of("true north"), Text::new("true north", "true north"));
    }

    #[test]
    fn a_percentage_in_a_text_is_written_as_in_its_language() {
        let of = |words: &str| joined(&[&Found::Text(Text::new(words, words))], " ", &as_plain);
        assert_eq!(of("12.5%"), Text::new("12,5\u{202f}%", "12.5%"));
        assert_eq!(of("-7%").fr(), "-7\u{202f}%");
        for words in ["12.5 %", "12,5%", "v2.5% et plus", "%"] {
            assert_eq!(of(words), Text::new(words, words), "{words}");
        }
    }

    #[test]
    fn the_title_of_the_log_is_on_one_line() {
        let mut mapped = Mapped::default();
        mapped.put("title", json!({"fr": "Le tour \r\n du lac\n"}));
        assert_eq!(mapped.title(), "Le tour du lac");
    }

    #[test]
    fn the_beginning_of_a_value_has_no_control_characters() {
        let found = Found::Words(vec![Word::plain("Fo\0rêt"), Word::plain("\u{1}Lac")]);
        assert_eq!(sample(&found), "Forêt, Lac");
    }

    #[test]
    fn words_that_this_version_ships_are_known_in_lists_that_an_older_one_filled() {
        let lists =
            [theme(1, "faune-flore", "Bêtes et plantes"), theme(2, "montagne", "Montagne"), theme(3, "a", "Flore")];
        let meanings = Meanings::of(&[], "geotrek", &lists);
        let of = |word: &str| meanings.of_word(VocabularyKind::ParcoursTheme, &Word::plain(word));
        assert_eq!((of("Faune"), of("Sommet")), (Meaning::Alike(1), Meaning::Alike(2)));
        assert_eq!(of("Flore"), Meaning::Alike(3), "a name of the list itself comes first");
        assert_eq!(of("Contrebande"), Meaning::Waiting);
        // A person's decision comes before all.
        let left_out = ValueRule { list: VocabularyKind::ParcoursTheme, key: word_key("Faune"), term_id: None };
        let decided = Meanings::of(&[left_out], "geotrek", &lists);
        assert_eq!(decided.of_word(VocabularyKind::ParcoursTheme, &Word::plain("Faune")), Meaning::LeftOut);
    }
}
