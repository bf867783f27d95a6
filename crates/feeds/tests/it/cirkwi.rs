//! Cirkwi's XML is well formed, escaped, and holds the elements its readers look for.

use feeds::Parcours;
use feeds::cirkwi::{circuit, head, poi, tail};
use quick_xml::Reader;
use quick_xml::events::Event;

use crate::samples::{bare, feed, full};

/// The path of each element with its text; reading ends where the XML is wrong.
fn paths(xml: &str) -> Vec<String> {
    let mut reader = Reader::from_str(xml);
    let (mut open, mut found): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => {
                open.push(start.name().as_ref().to_owned());
                found.push(open.join("/"));
            }
            Event::Empty(start) => found.push(format!("{}/{}", open.join("/"), start.name().as_ref())),
            Event::End(_) => drop(open.pop()),
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?} is left open");
    found
}

fn document(root: &str, items: &[String]) -> String {
    format!("{}{}{}", head(root), items.concat(), tail(root))
}

#[test]
fn a_circuit_has_the_elements_of_cirkwi() {
    let xml = document("circuits", &[circuit(&feed(), &full()), circuit(&feed(), &bare())]);
    let found = paths(&xml);
    for path in [
        "circuits/circuit/informations/information/titre",
        "circuits/circuit/informations/information/medias/images/image/url",
        "circuits/circuit/informations/information/medias/sons/son/credit",
        "circuits/circuit/locomotions/locomotion",
        "circuits/circuit/infos_parcours/info_parcours/adresse/position/lat",
        "circuits/circuit/fichier_trace",
        "circuits/circuit/sens_circuit/distance",
        "circuits/circuit/sens_circuit/adresse/position/lng",
    ] {
        assert!(found.iter().any(|one| one == path), "{path} is missing in {xml}");
    }
    assert_eq!(found.iter().filter(|path| *path == "circuits/circuit").count(), 2);
    assert!(xml.contains(r#"<locomotion type="Randonnée pédestre" id_locomotion="2" difficulte="2" duree="1234"/>"#));
    assert!(xml.contains("<denivele_negatif>-30</denivele_negatif>"));
    assert!(xml.contains(r#"<information langue="en"><titre>Around the lake</titre>"#));
    for page in ["https://jalon.example/p/tour-du-lac-12", "https://jalon.example/en/p/tour-du-lac-12"] {
        assert!(xml.contains(&format!("<lien>{page}</lien>")), "{page}");
    }
}

#[test]
fn a_poi_has_its_categories_its_place_and_its_hours() {
    let xml = document("pois", &[poi(&feed(), &crate::samples::poi())]);
    let found = paths(&xml);
    for path in ["pois/poi/categories/categorie", "pois/poi/adresse/position/lat", "pois/poi/adresse/cp"] {
        assert!(found.iter().any(|one| one == path), "{path} is missing in {xml}");
    }
    assert!(xml.contains("<titre>Horaires</titre><description>Tous les jours</description>"));
    assert!(xml.contains("<titre>Chapelle &amp; tour</titre>"));
}

#[test]
fn nothing_typed_breaks_the_document() {
    let mean = "</titre>]]><x a=\"'\u{0}\u{8}";
    let parcours =
        Parcours { title: domain::Text::in_french(mean), gpx: "https://x/?a=1&b=\"2\"".to_owned(), ..full() };
    let found = paths(&document("circuits", &[circuit(&feed(), &parcours)]));
    assert_eq!(found.iter().filter(|path| path.ends_with("/x")).count(), 0);
}
