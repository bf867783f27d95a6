//! LEI: one element a product, its facts as criteria by number.

use domain::Text;
use domain::sit::{SitAddress, SitPicture, SitRecord};

use super::super::lenient::number_of;
use super::super::route::Refused;
use super::super::xml::{self, Node};
use super::contact::{listed_emails, listed_phones, listed_websites};
use super::json::word;
use super::{place, web};

/// A product.
pub(super) fn record(raw: &str) -> Result<SitRecord, Refused> {
    let product = xml::tree(raw)?;
    let number = |name: &str| number_of(&product.words(name)?);
    let words = |name: &str| product.words(name).map(Text::in_french).unwrap_or_default();
    let kind = product.words("TYPE_DE_PRODUIT");
    let found = SitRecord {
        id: id_of(&product).ok_or_else(|| Refused::new("import/no-id"))?,
        name: words("NOM"),
        long: product.rich("COMMENTAIRE").map(Text::in_french).unwrap_or_default(),
        position: place(number("LONGITUDE"), number("LATITUDE")),
        address: address(&product),
        phones: product.words("ADRPREST_TEL").map(listed_phones).unwrap_or_default(),
        emails: product.words("ADRPREST_EMAIL").as_deref().map(listed_emails).unwrap_or_default(),
        websites: product.words("ADRPREST_URL").as_deref().map(listed_websites).unwrap_or_default(),
        pictures: pictures(&product),
        words: kind.and_then(|key| word(&key, words("TYPE_NOM"))).into_iter().collect(),
        updated: product.words("DATMAJ").as_deref().and_then(day),
        ..SitRecord::default()
    };
    super::whole(found)
}

/// What names a product.
pub(super) fn id_of(product: &Node) -> Option<String> {
    xml::id(&product.words("PRODUIT")?)
}

fn address(product: &Node) -> SitAddress {
    let street: Vec<String> =
        ["ADRPROD_NUM_VOIE", "ADRPROD_LIB_VOIE"].into_iter().filter_map(|name| product.words(name)).collect();
    SitAddress {
        street: Some(street.join(" ")).filter(|street| !street.is_empty()),
        postcode: product.words("ADRPROD_CP"),
        city: product.words("ADRPROD_LIBELLE_COMMUNE"),
        insee: product.words("INSEE"),
    }
}

/// Criteria whose value is the address of a picture: their number differs from one LEI to the next.
fn pictures(product: &Node) -> Vec<SitPicture> {
    let values = product.child("CRITERES").into_iter().flat_map(|all| all.all("Crit"));
    let mut found: Vec<SitPicture> = Vec::new();
    for words in values.map(|one| one.text.trim()) {
        let lower = words.to_ascii_lowercase();
        let is_picture = [".jpg", ".jpeg", ".png", ".webp"].iter().any(|ending| lower.ends_with(ending));
        if let Some(url) = web(words).filter(|url| is_picture && found.iter().all(|known| known.url != *url)) {
            found.push(SitPicture { url, ..SitPicture::default() });
        }
    }
    found
}

/// `29/11/2022 11:32:41`, `9/1/2026`.
fn day(words: &str) -> Option<String> {
    let date = words.split(|c: char| !c.is_ascii_digit() && c != '/').next()?;
    let mut parts = date.split('/').map(|part| part.parse::<u32>().ok());
    let (day, month, year) = (parts.next()??, parts.next()??, parts.next()??);
    let written = format!("{year:04}-{month:02}-{day:02}");
    (1990..2100).contains(&year).then(|| super::json::day(Some(written))).flatten()
}
