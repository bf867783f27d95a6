//! Signage and infrastructure of a Geotrek (signposts, footbridges, benches), read as POIs.

use std::collections::BTreeMap;

use domain::Text;
use domain::html::escaped;
use serde_json::{Value, json};

use super::geotrek::{GeotrekPois, Page, id_of, media};
use super::jalon::ImportedPoi;
use super::lenient::{items, key, line, number, object, text};
use super::route::{Refused, Word};
use super::sit::geotrek::{joined, record_of};
use super::{bounds, package};

/// A list of equipment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GeotrekEquipment {
    /// Benches, footbridges, car parks.
    Infrastructure,
    /// Signposts and panels.
    Signage,
}

impl GeotrekEquipment {
    /// Both, in the order in which they are read.
    pub const ALL: [Self; 2] = [Self::Infrastructure, Self::Signage];

    /// Its name in addresses.
    pub const fn list(self) -> &'static str {
        match self {
            Self::Infrastructure => "infrastructure",
            Self::Signage => "signage",
        }
    }

    /// The lists that name the numbers of its items: their types, and the states they are in.
    pub const fn names(self) -> [&'static str; 2] {
        match self {
            Self::Infrastructure => ["infrastructure_type", "infrastructure_condition"],
            Self::Signage => ["signage_type", "signage_condition"],
        }
    }

    /// What an item without a type is called.
    const fn word(self) -> &'static str {
        match self {
            Self::Infrastructure => "Aménagement",
            Self::Signage => "Signalétique",
        }
    }
}

/// The items of a page, with the names of types and states by their numbers. Each is named with its list (`signage 12`), because POIs have numbers
/// of their own. All of them are drafts: equipment is shown to the public once a person here publishes it.
pub(super) fn equipment(
    of: GeotrekEquipment,
    bytes: &[u8],
    [types, states]: &[BTreeMap<String, Text>; 2],
) -> Result<GeotrekPois, Refused> {
    let decoded = trace::decoded(bytes);
    let page: Page = serde_json::from_str(&decoded).map_err(|error| package::damaged(&error))?;
    let mut read = GeotrekPois { has_more: page.next.is_some() && !page.results.is_empty(), ..GeotrekPois::default() };
    for raw in page.results {
        let item: Value = bounds::parsed(raw.get())?;
        let named = |id: Option<String>| format!("{} {}", of.list(), id.unwrap_or_default());
        match one(of, &item, types, states) {
            Ok(mut poi) => {
                poi.record.id = named(Some(poi.record.id));
                read.drafts.insert(poi.record.id.clone());
                read.pois.push(poi);
            }
            Err(refused) => read.refused.push((named(id_of(&item)), refused)),
        }
    }
    Ok(read)
}

fn one(
    of: GeotrekEquipment,
    item: &Value,
    types: &BTreeMap<String, Text>,
    states: &BTreeMap<String, Text>,
) -> Result<ImportedPoi, Refused> {
    let mut members = object(Some(item)).cloned().unwrap_or_default();
    // An infrastructure may be a line: it is at the first point of it.
    if let Some(at) = first_point(item) {
        members.insert("geometry".to_owned(), json!({"type": "Point", "coordinates": at}));
    }
    if key(item.get("type")).is_none_or(|number| !types.contains_key(&number)) {
        members.insert("type_label".to_owned(), of.word().into());
    }
    if let Some(code) = line(item.get("code")).filter(|_| text(item.get("name")).is_empty()) {
        members.insert("name".to_owned(), code.into());
    }
    let mut record = record_of(&members.into(), types)?;
    record.long = joined(&[record.long, facts(item, states)]);
    let categories =
        record.words.iter().map(|word| Word { key: word.key.clone(), label: word.label.clone() }).collect();
    let media = items(item.get("attachments")).iter().filter_map(media).collect();
    Ok(ImportedPoi { record, categories, themes: Vec::new(), media })
}

fn first_point(item: &Value) -> Option<Value> {
    let mut at = item.get("geometry")?.get("coordinates")?;
    while let Some(first) = at.get(0).filter(|first| first.is_array()) {
        at = first;
    }
    Some(at.clone())
}

/// What there is no field for here: its code, the states it is in, the year it was put there, what is written on its blades.
fn facts(item: &Value, states: &BTreeMap<String, Text>) -> Text {
    // Older servers give one state, newer ones a list.
    let numbers = items(item.get("conditions")).iter().chain(item.get("condition"));
    let in_states: Vec<&str> =
        numbers.filter_map(|number| states.get(&key(Some(number))?)).map(|state| state.best("fr")).collect();
    let mut facts = Vec::new();
    facts.extend(line(item.get("code")).map(|code| format!("Code : {code}")));
    facts.extend((!in_states.is_empty()).then(|| format!("État : {}", in_states.join(", "))));
    facts.extend(key(item.get("implantation_year")).map(|year| format!("Année de pose : {year}")));
    for blade in items(item.get("blades")) {
        let said: Vec<String> = items(blade.get("lines")).iter().filter_map(written).collect();
        let number = key(blade.get("number")).unwrap_or_default();
        facts.extend((!said.is_empty()).then(|| format!("Lame {number} : {}", said.join(" ; "))));
    }
    if facts.is_empty() {
        return Text::default();
    }
    let entries: String = facts.iter().map(|fact| format!("<li>{}</li>", escaped(fact))).collect();
    Text::in_french(format!("<ul>{entries}</ul>"))
}

/// A line of a blade: where it leads, how far it is, how long it takes (`01:20:00`).
fn written(of: &Value) -> Option<String> {
    let text = line(of.get("text"))?;
    let distance = number(of.get("distance")).map(|km| format!("{km} km").replace('.', ","));
    let time = of.get("time").and_then(Value::as_str).and_then(|time| {
        let mut parts = time.split(':');
        let (hours, minutes): (u32, u32) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(if hours > 0 { format!("{hours} h {minutes:02}") } else { format!("{minutes} min") })
    });
    let far: Vec<String> = distance.into_iter().chain(time).collect();
    Some(if far.is_empty() { text } else { format!("{text} ({})", far.join(", ")) })
}
