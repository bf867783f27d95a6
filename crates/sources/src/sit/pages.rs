//! The address of each page of a source, and its request. No stored address contains the key. No I/O.

use domain::imports::ImportNote;
use domain::service_key;
use domain::sit::{SitKind, SitSourceSheet};
use feeds::incoming::sit::{GEOTREK_LISTS, SitPackage};
use serde_json::json;

use crate::imports::fetch::{geotrek, is_under, origin};

/// Objects of Apidae asked for at once.
const APIDAE_PAGE: usize = 200;
/// Items of a Geotrek asked for at once.
const GEOTREK_PAGE: usize = 200;
/// The most pages of one source.
const MAX_PAGES: usize = 10_000;

/// The request for a page: an address, and headers for its server alone.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Question {
    pub url: String,
    pub headers: Vec<(&'static str, String)>,
}

/// The page of a run: `""` is the first, `200` begins after two hundred items, else an address the source gave.
pub(super) fn question(sheet: &SitSourceSheet, key: Option<&str>, page: &str) -> Result<Question, ImportNote> {
    let Some(base) = sheet.url.as_deref() else { return Err(ImportNote::new("import/nothing-to-read")) };
    if sheet.kind == SitKind::Geotrek {
        let (list, number) = geotrek_page(sheet, page);
        let url = geotrek(base, list, &format!("page={number}&page_size={GEOTREK_PAGE}"));
        return Ok(Question { url, headers: Vec::new() });
    }
    let skipped: Option<usize> = page.parse().ok();
    let address = if page.is_empty() || skipped.is_some() { base } else { page };
    if !is_under(address, &origin(base)) {
        return Err(ImportNote::new("validation/url-host").with("host", origin(base)));
    }
    let placed = service_key::has_placeholder(address);
    if placed && key.is_none() {
        return Err(ImportNote::new("sit/key-missing"));
    }
    let mut url = address.to_owned();
    if let Some(key) = key.filter(|_| placed) {
        url = service_key::with_key(&url, key);
    }
    let mut headers = Vec::new();
    match (sheet.kind, key) {
        (SitKind::Apidae, _) if sheet.project.is_some() => {
            let key = key.ok_or_else(|| ImportNote::new("sit/key-missing"))?;
            url = apidae(sheet, key, skipped.unwrap_or(0));
        }
        (SitKind::Datatourisme, Some(key)) if !placed => headers.push(("x-api-key", key.to_owned())),
        (SitKind::Cirkwi | SitKind::Lei | SitKind::Tourinsoft, Some(key)) if !placed && key.contains(':') => {
            headers.push(("authorization", format!("Basic {}", base64(key.as_bytes()))));
        }
        _ => {}
    }
    if let Some(skipped) = skipped {
        url = match sheet.kind {
            SitKind::Tourinsoft => with(&url, "$skip", skipped),
            SitKind::Cirkwi => with(&url, "first", skipped),
            SitKind::Lei => {
                let rows = number_of(&url, "rto")
                    .zip(number_of(&url, "rfrom"))
                    .map_or(100, |(to, from)| to + 1 - from.min(to));
                with(&with(&url, "rfrom", skipped + 1), "rto", skipped + rows)
            }
            _ => url,
        };
    }
    Ok(Question { url, headers })
}

/// Where the next page of a source with pages is; none after the last one.
pub(super) fn next(sheet: &SitSourceSheet, key: Option<&str>, page: &str, package: &SitPackage) -> Option<String> {
    if sheet.kind == SitKind::Geotrek {
        let (list, number) = geotrek_page(sheet, page);
        if package.next().is_some() && !package.is_empty() && number < MAX_PAGES {
            return Some(format!("{list}:{}", number + 1));
        }
        let after = geotrek_lists(sheet).skip_while(|known| *known != list).nth(1)?;
        return Some(format!("{after}:1"));
    }
    if package.is_empty() {
        return None;
    }
    if let Some(next) = package.next().filter(|next| *next != page) {
        // A source may repeat the key in the address of its next page: it is kept nowhere.
        let next = service_key::without_key(next, key.unwrap_or_default());
        return Some(next);
    }
    let skipped: usize = page.parse().ok().or(page.is_empty().then_some(0))?;
    let met = skipped + package.len();
    let pages = met.div_ceil(package.len().max(1));
    let more = package.total().is_some_and(|total| (met as u64) < total);
    (more && sheet.kind != SitKind::Datatourisme && pages < MAX_PAGES).then(|| met.to_string())
}

/// The lists of a Geotrek that a source reads, one after the other: those that were chosen, or all.
pub(super) fn geotrek_lists(sheet: &SitSourceSheet) -> impl Iterator<Item = &'static str> {
    let chosen = sheet.selections.as_deref();
    let is_read = move |list: &&str| chosen.is_none_or(|chosen| chosen.split(',').any(|one| one.trim() == *list));
    GEOTREK_LISTS.into_iter().filter(is_read)
}

/// Which list of the source a run reads now and which page of it, from `informationdesk:2`. Without a value, the first page of the
/// first list.
pub(super) fn geotrek_page<'a>(sheet: &SitSourceSheet, page: &'a str) -> (&'a str, usize) {
    match page.split_once(':') {
        Some((list, number)) => (list, number.parse().unwrap_or(1)),
        None => (geotrek_lists(sheet).next().unwrap_or(GEOTREK_LISTS[0]), 1),
    }
}

/// A question to Apidae's API.
fn apidae(sheet: &SitSourceSheet, key: &str, first: usize) -> String {
    let base = sheet.url.as_deref().unwrap_or_default().trim_end_matches('/');
    let base = base.split('?').next().unwrap_or_default();
    let list = "recherche/list-objets-touristiques";
    let url = if base.contains(list) { base.to_owned() } else { format!("{}/api/v002/{list}/", origin(base)) };
    let number = |words: &str| words.trim().parse::<i64>().ok();
    let selections: Vec<i64> = sheet.selections.iter().flat_map(|all| all.split(',')).filter_map(number).collect();
    let mut query = json!({
        "apiKey": key, "projetId": sheet.project.as_deref().and_then(number), "first": first, "count": APIDAE_PAGE,
        "order": "IDENTIFIANT", "asc": true, "responseFields": ["@all"],
    });
    if !selections.is_empty() {
        query["selectionIds"] = json!(selections);
    }
    if let Some(criteria) = &sheet.criteria {
        query["criteresQuery"] = json!(criteria);
    }
    format!("{url}?query={}", service_key::percent_encoded(&query.to_string()))
}

/// An address with a parameter, instead of the one it had.
fn with(url: &str, name: &str, value: usize) -> String {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let kept = query.split('&').filter(|part| !part.is_empty() && part.split('=').next() != Some(name));
    let parts: Vec<String> = kept.map(str::to_owned).chain([format!("{name}={value}")]).collect();
    format!("{path}?{}", parts.join("&"))
}

fn number_of(url: &str, name: &str) -> Option<usize> {
    let (_, query) = url.split_once('?')?;
    query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut written = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at) & 63) as usize];
            written.push(if at <= three.len() { char::from(letter) } else { '=' });
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(kind: SitKind, url: &str) -> SitSourceSheet {
        SitSourceSheet { kind, url: Some(url.to_owned()), ..SitSourceSheet::default() }
    }

    fn asked(sheet: &SitSourceSheet, key: Option<&str>, page: &str) -> String {
        question(sheet, key, page).map_or_else(|note| note.code, |question| question.url)
    }

    #[test]
    fn a_key_stands_where_the_address_says_else_in_a_header() {
        let flux = sheet(SitKind::Datatourisme, "https://d.example/webservice/abc/[CLE]");
        assert_eq!(asked(&flux, Some("k/1"), ""), "https://d.example/webservice/abc/k%2F1");
        assert_eq!(asked(&flux, None, ""), "sit/key-missing");
        let api = sheet(SitKind::Datatourisme, "https://d.example/v1/catalog");
        let question = question(&api, Some("k"), "").ok();
        assert_eq!(question.map(|question| question.headers), Some(vec![("x-api-key", "k".to_owned())]));
        let basic = super::question(&sheet(SitKind::Cirkwi, "https://c.example/pois.php"), Some("moi:secret"), "");
        let basic = basic.map(|question| question.headers).unwrap_or_default();
        assert_eq!(basic, [("authorization", "Basic bW9pOnNlY3JldA==".to_owned())]);
    }

    #[test]
    fn pages_are_asked_for_as_each_dialect_counts_them() {
        let odata = sheet(SitKind::Tourinsoft, "https://t.example/Objects?$format=json&$skip=0");
        assert_eq!(asked(&odata, None, "1000"), "https://t.example/Objects?$format=json&$skip=1000");
        let lei = sheet(SitKind::Lei, "https://l.example/?rfrom=1&rto=20");
        assert_eq!(asked(&lei, None, "20"), "https://l.example/?rfrom=21&rto=40");
        let apidae = SitSourceSheet {
            project: Some("12".to_owned()),
            selections: Some("3, 4".to_owned()),
            ..sheet(SitKind::Apidae, "https://api.a.example")
        };
        let url = asked(&apidae, Some("k"), "200");
        assert!(
            url.starts_with("https://api.a.example/api/v002/recherche/list-objets-touristiques/?query=%7B"),
            "{url}"
        );
        assert!(url.contains("%22first%22%3A200") && url.contains("%22selectionIds%22%3A%5B3%2C4%5D"), "{url}");
    }

    #[test]
    fn the_lists_of_a_geotrek_are_asked_one_after_the_other() {
        let server = sheet(SitKind::Geotrek, "https://g.example/api/v2");
        assert_eq!(asked(&server, None, ""), "https://g.example/api/v2/poi/?page=1&page_size=200");
        let page = "touristiccontent:3";
        assert_eq!(asked(&server, None, page), "https://g.example/api/v2/touristiccontent/?page=3&page_size=200");
        let answer = |text: &str| {
            SitPackage::open(SitKind::Geotrek, feeds::incoming::sit::Bytes::Memory(text.as_bytes().to_vec())).ok()
        };
        let more = answer(r#"{"count": 9, "next": "http://inside/?page=4", "results": [{"id": 1}]}"#);
        assert_eq!(more.and_then(|package| next(&server, None, page, &package)).as_deref(), Some("touristiccontent:4"));
        let last = answer(r#"{"count": 0, "next": null, "results": []}"#);
        let after = |page: &str| last.as_ref().and_then(|package| next(&server, None, page, package));
        assert_eq!(after(page).as_deref(), Some("informationdesk:1"));
        assert_eq!(after("service:1").as_deref(), Some("touristicevent:1"));
        assert_eq!(after("touristicevent:1"), None);
    }

    #[test]
    fn only_the_lists_that_were_chosen_are_asked_and_contents_and_events_of_the_portals_alone() {
        let chosen = Some("touristicevent, touristiccontent".to_owned());
        let server =
            SitSourceSheet { selections: chosen, ..sheet(SitKind::Geotrek, "https://g.example/?portals=2&q=x") };
        let contents = "https://g.example/api/v2/touristiccontent/?page=1&page_size=200&portals=2";
        assert_eq!(asked(&server, None, ""), contents);
        let empty = feeds::incoming::sit::Bytes::Memory(br#"{"next": null, "results": []}"#.to_vec());
        let empty = SitPackage::open(SitKind::Geotrek, empty).ok();
        let after = |page: &str| empty.as_ref().and_then(|package| next(&server, None, page, package));
        assert_eq!(after("").as_deref(), Some("touristicevent:1"));
        assert_eq!(after("touristicevent:1"), None);
        assert_eq!(asked(&server, None, "service:1"), "https://g.example/api/v2/service/?page=1&page_size=200");
    }

    #[test]
    fn a_page_of_another_host_is_none_of_the_source() {
        let api = sheet(SitKind::Datatourisme, "https://d.example/v1/catalog");
        assert_eq!(asked(&api, None, "https://e.example/v1/catalog?page=2"), "validation/url-host");
        assert_eq!(asked(&api, None, "https://d.example/v1/catalog?page=2"), "https://d.example/v1/catalog?page=2");
    }
}
