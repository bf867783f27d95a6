//! Cirkwi's points of interest: texts by language, categories by number.

use domain::Text;
use domain::sit::{SitAddress, SitPicture, SitRecord};

use super::super::route::Refused;
use super::super::xml::{self, Node};
use super::json::word;
use super::{place, web};

fn by_language(poi: &Node, of: impl Fn(&Node) -> Option<String>) -> Text {
    let all = poi.child("informations").into_iter().flat_map(|all| all.all("information"));
    all.filter_map(|one| Some((one.attribute("langue").unwrap_or("fr").to_owned(), of(one)?))).collect()
}

/// A point.
pub(super) fn record(raw: &str) -> Result<SitRecord, Refused> {
    let poi = xml::tree(raw)?;
    let id = poi.attribute("id_poi").ok_or_else(|| Refused::new("import/no-id"))?;
    let number = |node: &Node, name: &str| node.words(name)?.replace(',', ".").parse::<f64>().ok();
    let at = poi.at(&["adresse", "position"]);
    let categories = poi.child("categories").into_iter().flat_map(|all| all.all("categorie"));
    let mut found = SitRecord {
        id: id.chars().filter(|c| !c.is_control()).take(200).collect(),
        name: by_language(&poi, |one| one.words("titre")),
        long: by_language(&poi, |one| one.words("description")),
        opening: by_language(&poi, |one| extra(one, &["horaire", "ouverture"])),
        tariff: by_language(&poi, |one| extra(one, &["tarif", "prix"])),
        position: at.and_then(|at| place(number(at, "lng"), number(at, "lat"))),
        address: poi.child("adresse").map(address).unwrap_or_default(),
        pictures: pictures(&poi),
        words: categories
            .filter_map(|one| {
                word(one.attribute("id_categorie")?, Text::in_french(one.attribute("nom").unwrap_or_default()))
            })
            .collect(),
        updated: poi
            .attribute("date_modification")
            .and_then(|seconds| seconds.parse().ok())
            .map(|seconds| domain::Instant(seconds).day()),
        ..SitRecord::default()
    };
    let contact = by_language(&poi, |one| extra(one, &["contact", "telephone"]));
    let digits: String = contact.best("fr").chars().skip_while(|c| !c.is_ascii_digit() && *c != '+').collect();
    let phone: String = digits.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '+' | ' ' | '.')).collect();
    found.phones.extend(Some(phone.trim().to_owned()).filter(|phone| phone.len() >= 8));
    super::whole(found)
}

/// The texts beside the description, under one of these titles.
fn extra(information: &Node, titles: &[&str]) -> Option<String> {
    let mut parts = information.child("informations_complementaires")?.all("information_complementaire");
    let under = |part: &&Node| {
        let title = domain::fold(&part.words("titre").unwrap_or_default());
        titles.iter().any(|wanted| title.contains(wanted))
    };
    parts.find(under)?.words("description")
}

fn address(found: &Node) -> SitAddress {
    let street: Vec<String> = ["num", "rue"].into_iter().filter_map(|name| found.words(name)).collect();
    SitAddress {
        street: Some(street.join(" ")).filter(|street| !street.is_empty()),
        postcode: found.words("cp"),
        city: found.words("ville"),
        insee: None,
    }
}

/// The pictures of each language, each address once.
fn pictures(poi: &Node) -> Vec<SitPicture> {
    let mut found: Vec<SitPicture> = Vec::new();
    for information in poi.child("informations").into_iter().flat_map(|all| all.all("information")) {
        let language = information.attribute("langue").unwrap_or("fr");
        for image in information.at(&["medias", "images"]).into_iter().flat_map(|list| list.all("image")) {
            let Some(url) = image.words("url").as_deref().and_then(web) else { continue };
            let legend = image.words("legende").map(|words| Text::default().with(language, words)).unwrap_or_default();
            match found.iter_mut().find(|known| known.url == url) {
                Some(known) => legend.iter().for_each(|(language, words)| known.legend.set(language, words)),
                None => found.push(SitPicture { url, legend, credit: image.words("credit"), licence: None }),
            }
        }
    }
    found
}
