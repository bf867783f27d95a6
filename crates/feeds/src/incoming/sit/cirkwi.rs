//! Cirkwi's points of interest: texts by language, categories by number.

use domain::Text;
use domain::sit::{SitAddress, SitPicture, SitRecord};

use super::super::cirkwi::{by_language, informations};
use super::super::lenient::number_of;
use super::super::route::Refused;
use super::super::xml::{self, Node};
use super::contact::phones_in;
use super::json::{day_of, word};
use super::{place, web};

/// A point.
pub(super) fn record(raw: &str) -> Result<SitRecord, Refused> {
    let poi = xml::tree(raw)?;
    let number = |node: &Node, name: &str| number_of(&node.words(name)?);
    let at = poi.at(&["adresse", "position"]);
    let categories = poi.child("categories").into_iter().flat_map(|all| all.all("categorie"));
    let mut found = SitRecord {
        id: poi.attribute("id_poi").and_then(xml::id).ok_or_else(|| Refused::new("import/no-id"))?,
        name: by_language(&poi, |one| one.words("titre")),
        long: by_language(&poi, |one| one.rich("description")),
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
        updated: poi.attribute("date_modification").and_then(|seconds| day_of(seconds.parse().ok()?)),
        ..SitRecord::default()
    };
    let contact = by_language(&poi, |one| extra(one, &["contact", "telephone"]));
    found.phones.extend(phones_in(contact.best("fr")).into_iter().next());
    super::whole(found)
}

/// The texts beside the description, under one of these titles. Of several each has its title and its line.
fn extra(information: &Node, titles: &[&str]) -> Option<String> {
    let parts = information.child("informations_complementaires")?.all("information_complementaire");
    let found = parts.filter_map(|part| {
        let title = part.words("titre").unwrap_or_default();
        let folded = domain::fold(&title);
        let is_wanted = titles.iter().any(|wanted| folded.contains(wanted));
        is_wanted.then(|| part.words("description")).flatten().map(|words| (title, words))
    });
    let found: Vec<(String, String)> = found.collect();
    let line = |(title, words): &(String, String)| format!("{title} · {words}");
    match found.as_slice() {
        [] => None,
        [(_, words)] => Some(words.clone()),
        several => Some(several.iter().map(line).collect::<Vec<_>>().join("\n")),
    }
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
    for (language, information) in informations(poi) {
        for image in information.at(&["medias", "images"]).into_iter().flat_map(|list| list.all("image")) {
            let Some(url) = image.words("url").as_deref().and_then(web) else { continue };
            let legend = image.words("legende").map(|words| Text::default().with(&language, words)).unwrap_or_default();
            match found.iter_mut().find(|known| known.url == url) {
                Some(known) => legend.iter().for_each(|(language, words)| known.legend.set(language, words)),
                None => found.push(SitPicture { url, legend, credit: image.words("credit"), licence: None }),
            }
        }
    }
    found
}
