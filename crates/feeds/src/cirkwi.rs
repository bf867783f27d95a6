//! Cirkwi's XML, version 2: `circuits` for parcours, `pois` for POIs.

use domain::Text;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use crate::{Feed, Media, MediaKind, Parcours, Poi};

/// The locomotion of Cirkwi by its number; walking where a practice has none there.
const WALKING: i64 = 2;

/// The text before the circuits.
pub fn head(root: &str) -> String {
    let mut xml = Xml::new();
    xml.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
    xml.event(Event::Start(BytesStart::new(root).with_attributes([("version", "2")])));
    xml.end()
}

/// The text after them.
pub fn tail(root: &str) -> String {
    format!("</{root}>\n")
}

/// A parcours as a circuit.
pub fn circuit(feed: &Feed, parcours: &Parcours) -> String {
    let mut xml = Xml::new();
    let (made, saved, id) =
        (parcours.created_at.0.to_string(), parcours.updated_at.0.to_string(), parcours.id.to_string());
    let owner = parcours.owner.id.to_string();
    let attributes = [
        ("date_creation", made.as_str()),
        ("date_modification", &saved),
        ("id_circuit", &id),
        ("id_utilisateur", &owner),
    ];
    xml.inside("circuit", &attributes, |xml| {
        informations(xml, feed, (&parcours.title, &description(parcours)), &parcours.media, |xml, language| {
            let more = extra(parcours, language);
            if !more.is_empty() {
                xml.inside("informations_complementaires", &[], |xml| {
                    for (title, words) in &more {
                        xml.inside("information_complementaire", &[], |xml| {
                            xml.text("titre", title);
                            xml.text("description", words);
                        });
                    }
                });
            }
            xml.inside("liens", &[], |xml| xml.text("lien", page_in(parcours, language)));
        });
        locomotion(xml, parcours);
        xml.inside("infos_parcours", &[], |xml| stops(xml, feed, parcours));
        xml.empty("fichier_trace", &[("url", parcours.gpx.as_str()), ("info_parcours", "false")]);
        way(xml, parcours);
    });
    xml.end()
}

/// The page of a parcours in a language, else in the first one.
fn page_in<'a>(parcours: &'a Parcours, language: &str) -> &'a str {
    Some(parcours.pages.best(language)).filter(|page| !page.is_empty()).unwrap_or(&parcours.page)
}

/// Teaser, then the text.
fn description(parcours: &Parcours) -> Text {
    let mut text = parcours.description.clone();
    for (language, words) in parcours.summary.iter() {
        let whole = format!("{words}\n{}", text.get(language).unwrap_or_default());
        text.set(language, whole.trim());
    }
    text
}

fn extra(parcours: &Parcours, language: &str) -> Vec<(&'static str, String)> {
    let french = language == "fr";
    let gear: Vec<&str> = parcours.equipment.iter().map(|item| item.label.best(language)).collect();
    let marks: Vec<&str> = parcours.markings.iter().map(|item| item.label.best(language)).collect();
    let all = [
        (if french { "Fermetures" } else { "Closures" }, parcours.warning.best(language).to_owned()),
        (if french { "Balisage" } else { "Waymarks" }, marks.join(", ")),
        (if french { "Équipement" } else { "Equipment" }, gear.join(", ")),
    ];
    all.into_iter().filter(|(_, words)| !words.is_empty()).collect()
}

fn locomotion(xml: &mut Xml, parcours: &Parcours) {
    let practice = parcours.practice.as_ref();
    let number = practice.and_then(|practice| practice.number("cirkwi")).unwrap_or(WALKING).to_string();
    let name = practice.map_or("Marche", |practice| practice.label.best("fr"));
    let level = parcours.level.as_ref().map(|level| level.number("cirkwi").unwrap_or(level.rank).to_string());
    let duration = parcours.duration_s.map(|seconds| format!("{seconds:.0}"));
    let mut attributes = vec![("type", name), ("id_locomotion", number.as_str())];
    attributes.extend(level.as_deref().map(|level| ("difficulte", level)));
    attributes.extend(duration.as_deref().map(|duration| ("duree", duration)));
    xml.inside("locomotions", &[], |xml| xml.empty("locomotion", &attributes));
}

fn stops(xml: &mut Xml, feed: &Feed, parcours: &Parcours) {
    let named = parcours.stops.iter().filter(|stop| !stop.title.is_empty() || !stop.description.is_empty());
    for (number, stop) in named.enumerate() {
        let (number, id) = ((number + 1).to_string(), stop.id.to_string());
        let attributes = [("numero", number.as_str()), ("id_info_parcours", &id), ("date_modification", "0")];
        xml.inside("info_parcours", &attributes, |xml| {
            xml.inside("categories", &[], |xml| xml.empty("categorie", &[("nom", "Autres"), ("id_categorie", "6")]));
            informations(xml, feed, (&stop.title, &stop.description), &[], |_, _| {});
            xml.inside("adresse", &[], |xml| {
                position(xml, stop.position.lon, stop.position.lat);
                if let Some(ele) = stop.position.ele {
                    xml.text("altitude", &format!("{ele:.1}"));
                }
            });
        });
    }
}

fn way(xml: &mut Xml, parcours: &Parcours) {
    let (id, label) = if parcours.is_loop == Some(true) { ("2", "boucle") } else { ("1", "aller_simple") };
    xml.inside("sens_circuit", &[("id", id), ("label", label)], |xml| {
        if let Some([lon, lat]) = parcours.start {
            xml.inside("adresse", &[], |xml| position(xml, lon, lat));
        }
        for (name, metres) in [
            ("distance", parcours.distance_m),
            ("denivele_positif", parcours.ascent_m),
            ("denivele_negatif", parcours.descent_m.map(|metres| -metres)),
        ] {
            if let Some(metres) = metres {
                xml.text(name, &(metres.round() as i64).to_string());
            }
        }
    });
}

/// A POI.
pub fn poi(feed: &Feed, poi: &Poi) -> String {
    let mut xml = Xml::new();
    let (made, saved, id, owner) =
        (poi.created_at.0.to_string(), poi.updated_at.0.to_string(), poi.id.to_string(), poi.owner.id.to_string());
    let attributes =
        [("date_creation", made.as_str()), ("date_modification", &saved), ("id_poi", &id), ("id_utilisateur", &owner)];
    xml.inside("poi", &attributes, |xml| {
        xml.inside("categories", &[], |xml| {
            for term in &poi.categories {
                let number = term.number("cirkwi").unwrap_or(6).to_string();
                xml.empty("categorie", &[("nom", term.label.best("fr")), ("id_categorie", number.as_str())]);
            }
        });
        informations(xml, feed, (&poi.title, &poi.description), &poi.media, |xml, language| {
            let contact: Vec<&str> =
                [&poi.phone, &poi.email, &poi.website].into_iter().filter_map(Option::as_deref).collect();
            let opening = poi.opening.best(language);
            if contact.is_empty() && opening.is_empty() {
                return;
            }
            xml.inside("informations_complementaires", &[], |xml| {
                for (title, words) in [
                    (if language == "fr" { "Horaires" } else { "Opening" }, opening.to_owned()),
                    ("Contact", contact.join("\n")),
                ] {
                    if !words.is_empty() {
                        xml.inside("information_complementaire", &[], |xml| {
                            xml.text("titre", title);
                            xml.text("description", &words);
                        });
                    }
                }
            });
        });
        xml.inside("adresse", &[], |xml| {
            let address = &poi.address;
            for (name, part) in [("rue", &address.street), ("ville", &address.city), ("cp", &address.postcode)] {
                if let Some(part) = part {
                    xml.text(name, part);
                }
            }
            if let Some(country) = &address.country {
                xml.empty("pays", &[("code_pays", country.as_str())]);
            }
            position(xml, poi.place[0], poi.place[1]);
        });
    });
    xml.end()
}

fn position(xml: &mut Xml, lon: f64, lat: f64) {
    xml.inside("position", &[], |xml| {
        xml.text("lat", &format!("{lat:.7}"));
        xml.text("lng", &format!("{lon:.7}"));
    });
}

/// One block a language that has a title.
fn informations(
    xml: &mut Xml,
    feed: &Feed,
    (title, text): (&Text, &Text),
    media: &[Media],
    more: impl Fn(&mut Xml, &str),
) {
    xml.inside("informations", &[], |xml| {
        let written: Vec<&String> =
            feed.languages.iter().filter(|language| title.is_written(language) || text.is_written(language)).collect();
        for language in written {
            xml.inside("information", &[("langue", language.as_str())], |xml| {
                xml.text("titre", title.best(language));
                xml.text("description", text.get(language).unwrap_or_default());
                if !media.is_empty() {
                    xml.inside("medias", &[], |xml| medias(xml, media, language));
                }
                more(xml, language);
            });
        }
    });
}

fn medias(xml: &mut Xml, media: &[Media], language: &str) {
    let of = |kind: MediaKind| media.iter().filter(move |one| one.kind == kind);
    if of(MediaKind::Image).next().is_some() {
        xml.inside("images", &[], |xml| {
            for image in of(MediaKind::Image) {
                xml.inside("image", &[("nature", "13")], |xml| {
                    xml.text("legende", image.legend.best(language));
                    source(xml, image);
                });
            }
        });
    }
    if of(MediaKind::Audio).next().is_some() {
        xml.inside("sons", &[], |xml| {
            for sound in of(MediaKind::Audio) {
                xml.inside("son", &[], |xml| source(xml, sound));
            }
        });
    }
}

fn source(xml: &mut Xml, media: &Media) {
    xml.text("url", &media.url);
    let credit: Vec<&str> = [&media.copyright, &media.licence].into_iter().flatten().map(String::as_str).collect();
    if !credit.is_empty() {
        xml.text("credit", &credit.join(" · "));
    }
}

/// XML that is being written into a text: nothing can go wrong there.
struct Xml(Writer<Vec<u8>>);

impl Xml {
    fn new() -> Self {
        Self(Writer::new(Vec::new()))
    }

    fn event(&mut self, event: Event) {
        // Writing into memory does not fail.
        let _ = self.0.write_event(event);
    }

    fn inside(&mut self, name: &str, attributes: &[(&str, &str)], content: impl FnOnce(&mut Self)) {
        self.event(Event::Start(opening(name, attributes)));
        content(self);
        self.event(Event::End(BytesEnd::new(name)));
    }

    fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.event(Event::Empty(opening(name, attributes)));
    }

    fn text(&mut self, name: &str, words: &str) {
        self.inside(name, &[], |xml| xml.event(Event::Text(BytesText::new(&clean(words)))));
    }

    fn end(self) -> String {
        String::from_utf8(self.0.into_inner()).unwrap_or_default()
    }
}

fn opening<'a>(name: &'a str, attributes: &[(&str, &str)]) -> BytesStart<'a> {
    let mut start = BytesStart::new(name);
    for (name, value) in attributes {
        start.push_attribute((*name, clean(value).as_str()));
    }
    start
}

/// XML 1.0 has no control characters but tab and line ends.
fn clean(words: &str) -> String {
    words.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t' | '\r')).collect()
}
