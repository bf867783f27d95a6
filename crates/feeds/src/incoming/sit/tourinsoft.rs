//! Tourinsoft: OData as JSON or Atom, whose columns each feed names as it likes; several values are packed with `#` and `|`.

use std::collections::BTreeMap;

use domain::Text;
use domain::sit::{SitAddress, SitColumn, SitColumnRule, SitPicture, SitRecord, usual_columns};
use serde_json::Value;

use super::super::lenient::number_of;
use super::super::route::Refused;
use super::super::xml::{self, Node};
use super::json::{day_of, line, word};
use super::{place, web};

/// The columns of an object that hold something, as words.
pub fn columns_of(raw: &[u8]) -> Result<BTreeMap<String, String>, Refused> {
    if raw.trim_ascii_start().starts_with(b"<") {
        let entry = xml::tree(std::str::from_utf8(raw).unwrap_or_default())?;
        let held = entry.at(&["content", "properties"]).or_else(|| entry.child("properties"));
        let columns = held.into_iter().flat_map(|held| &held.children);
        return Ok(columns.filter_map(|column| Some((column.name.clone(), written(column)?))).collect());
    }
    let object: Value = super::package::json(raw)?;
    let members = object.as_object().into_iter().flatten();
    Ok(members
        .filter(|(name, _)| !name.starts_with("__") && !name.starts_with("odata."))
        .filter_map(|(name, value)| Some((name.clone(), packed(value)?)))
        .collect())
}

fn written(column: &Node) -> Option<String> {
    Some(column.text.trim().to_owned()).filter(|words| !words.is_empty())
}

/// A value of version 3 as version 2 packs it: objects with `|`, lists with `#`.
fn packed(value: &Value) -> Option<String> {
    let joined = match value {
        Value::Array(items) => items.iter().filter_map(packed).collect::<Vec<_>>().join("#"),
        // A deferred list has its texts at another address: there is nothing to read.
        Value::Object(members) if members.contains_key("__deferred") => return None,
        Value::Object(members) => {
            let part =
                |name: &str| members.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, one)| one);
            match part("url") {
                Some(url) => {
                    let rest = ["titre", "credit"].map(|name| line(part(name)).unwrap_or_default());
                    format!("{}|{}", line(Some(url)).unwrap_or_default(), rest.join("|"))
                }
                None => members.values().map(|one| packed(one).unwrap_or_default()).collect::<Vec<_>>().join("|"),
            }
        }
        other => line(Some(other))?,
    };
    Some(joined).filter(|words| !words.trim_matches(['#', '|', ' ']).is_empty())
}

/// The number of an object, without reading the rest.
pub(super) fn id_of(columns: &BTreeMap<String, String>) -> Option<String> {
    let found = ["SyndicObjectID", "SyndicObjectId", "ObjectID"].iter().find_map(|name| column(columns, name));
    found.and_then(|id| xml::id(id))
}

fn column<'a>(columns: &'a BTreeMap<String, String>, name: &str) -> Option<&'a String> {
    columns
        .get(name)
        .or_else(|| columns.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value))
}

/// Columns with the rules for reading them.
struct MappedColumns<'a> {
    columns: &'a BTreeMap<String, String>,
    rules: &'a [SitColumnRule],
}

impl MappedColumns<'_> {
    /// The value of a field: the first of its columns that is not empty.
    fn of(&self, field: SitColumn) -> Option<&str> {
        let said = self.rules.iter().find(|rule| rule.to == field);
        let found = match said {
            Some(rule) => rule.from.iter().find_map(|name| column(self.columns, name)),
            None => usual_columns(field).iter().find_map(|name| column(self.columns, name)),
        };
        found.map(String::as_str)
    }

    /// The values of a packed column.
    fn values(&self, field: SitColumn) -> impl Iterator<Item = &str> {
        self.of(field).unwrap_or_default().split('#').map(str::trim).filter(|value| !value.is_empty())
    }

    fn number(&self, field: SitColumn) -> Option<f64> {
        number_of(self.of(field)?)
    }

    fn text(&self, field: SitColumn) -> Text {
        self.of(field).map(Text::in_french).unwrap_or_default()
    }

    /// Packed values as lines of words; those with only a name are left out.
    fn list(&self, field: SitColumn) -> Text {
        let line = |value: &str| {
            let parts = value.split('|').map(|part| part.replace('$', ", ")).filter(|part| !part.trim().is_empty());
            let parts: Vec<String> = parts.collect();
            (parts.len() > 1 || !value.contains('|')).then(|| parts.join(" · "))
        };
        Text::in_french(self.values(field).filter_map(line).collect::<Vec<_>>().join("\n"))
    }
}

/// An object. Its texts are in the language of the feed, which is French unless another feed is made.
pub(super) fn record(raw: &[u8], rules: &[SitColumnRule]) -> Result<SitRecord, Refused> {
    let columns = columns_of(raw)?;
    let mapped = MappedColumns { columns: &columns, rules };
    let mut found = SitRecord {
        id: id_of(&columns).ok_or_else(|| Refused::new("import/no-id"))?,
        name: mapped.text(SitColumn::Name),
        short: mapped.text(SitColumn::Short),
        long: mapped.text(SitColumn::Long),
        opening: mapped.list(SitColumn::Opening),
        tariff: mapped.list(SitColumn::Tariff),
        position: place(mapped.number(SitColumn::Longitude), mapped.number(SitColumn::Latitude)),
        address: mapped.of(SitColumn::Address).map(address).unwrap_or_default(),
        pictures: mapped.values(SitColumn::Pictures).filter_map(picture).collect(),
        updated: column(&columns, "Updated").and_then(|words| updated(words)),
        booking_url: mapped.of(SitColumn::Booking).and_then(web),
        ..SitRecord::default()
    };
    for value in mapped.values(SitColumn::Contacts) {
        let mut parts = value.split('|');
        let (kind, words) = (domain::fold(parts.next().unwrap_or_default()), parts.next().unwrap_or_default().trim());
        if words.is_empty() || kind.contains("copieur") || kind.contains("fax") {
            continue;
        }
        if words.contains('@') {
            found.emails.push(words.to_owned());
        } else if kind.contains("web") || kind.contains("site") || kind.contains("url") {
            found.websites.extend(web(words));
        } else if kind.contains("phone") || kind.contains("mobile") || kind.contains("portable") {
            found.phones.push(words.to_owned());
        }
    }
    found.phones.extend(mapped.values(SitColumn::Phone).map(str::to_owned));
    found.emails.extend(mapped.values(SitColumn::Email).map(str::to_owned));
    found.websites.extend(mapped.values(SitColumn::Website).filter_map(web));
    let plain = |value: &str| word(value.split('|').next().unwrap_or_default(), Text::default());
    found.words = mapped.values(SitColumn::Category).filter_map(plain).collect();
    // The kind of object comes after the more precise words of the feed.
    found.words.extend(column(&columns, "ObjectTypeName").and_then(|name| word(name, Text::default())));
    found.words.dedup();
    found.labels = mapped.values(SitColumn::Labels).filter_map(plain).collect();
    super::whole(found)
}

/// `Rue de la Bruyère|||28400|NOGENT-LE-ROTROU|28280`: lines of the street, postcode, town, INSEE code.
fn address(words: &str) -> SitAddress {
    let parts: Vec<&str> = words.split('#').next().unwrap_or_default().split('|').map(str::trim).collect();
    let is_code = |part: &&str| part.len() == 5 && part.bytes().skip(2).all(|byte| byte.is_ascii_digit());
    let Some(at) = parts.iter().position(is_code) else {
        let street = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        return SitAddress { street: Some(street).filter(|street| !street.is_empty()), ..SitAddress::default() };
    };
    let own = |part: Option<&&str>| part.map(|part| (*part).to_owned()).filter(|part| !part.is_empty());
    let street: Vec<&str> = parts[..at].iter().copied().filter(|part| !part.is_empty()).collect();
    SitAddress {
        street: Some(street.join(", ")).filter(|street| !street.is_empty()),
        postcode: own(parts.get(at)),
        city: own(parts.get(at + 1)),
        insee: own(parts.get(at + 2)).filter(|part| is_code(&part.as_str())),
    }
}

/// `https://…/photo.jpg|title|credit`.
fn picture(value: &str) -> Option<SitPicture> {
    let mut parts = value.split('|').map(str::trim);
    let url = web(parts.next()?)?;
    let legend = parts.next().map(Text::in_french).unwrap_or_default();
    Some(SitPicture {
        url,
        legend,
        credit: parts.next().filter(|words| !words.is_empty()).map(str::to_owned),
        licence: None,
    })
}

/// `/Date(1546457575113)/`, or a date as others write it.
fn updated(words: &str) -> Option<String> {
    let Some(rest) = words.strip_prefix("/Date(") else { return super::json::day(Some(words.to_owned())) };
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    day_of(digits.parse::<i64>().ok()? / 1_000)
}
