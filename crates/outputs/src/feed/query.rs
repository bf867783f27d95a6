//! Query parameters that feeds share.

use app::{App, Rejection, filter};
use axum::http::Uri;
use domain::Instant;
use feeds::Feed;
use serde::Deserialize;

use super::FeedError;
use super::access::{PublicKey, plain};
use super::facts::Facts;

/// The number of a record in a path. A key in the same path is read by the middleware.
#[derive(Debug, Deserialize)]
pub struct RecordPath {
    pub id: i64,
}

/// The number of a record and the name of one of its files, in a path.
#[derive(Debug, Deserialize)]
pub struct File {
    /// Number of the record.
    pub id: i64,
    /// Name of the file.
    pub file: String,
}

/// The frame of an answer: the white-label that asks, and the language.
pub fn frame(app: &App, facts: &Facts, key: &PublicKey, language: Option<&str>) -> Result<Feed, FeedError> {
    let languages = &app.settings.content_languages;
    let language = language.map(str::trim).filter(|language| !language.is_empty());
    let known = |word: &&str| languages.iter().any(|one| one == word);
    if let Some(wrong) = language.filter(|language| !known(language)) {
        tracing::debug!(language = wrong, "a feed was asked for in a language it has not");
        return Err(bad("language"));
    }
    Ok(Feed { language: language.map(str::to_owned), ..own_frame(app, facts, key) })
}

/// A language that content is written in; the first one where none is asked for.
pub fn language_of(app: &App, asked: Option<&str>) -> Result<String, FeedError> {
    let languages = &app.settings.content_languages;
    let asked = asked.map(str::trim).filter(|language| !language.is_empty());
    let first = languages.first().map_or("fr", String::as_str);
    let found = asked.map_or(Some(first), |asked| languages.iter().map(String::as_str).find(|known| *known == asked));
    found.map(str::to_owned).ok_or_else(|| bad("language"))
}

/// The frame of a feed for pages of this server, in all languages.
pub fn own_frame(app: &App, facts: &Facts, key: &PublicKey) -> Feed {
    Feed {
        base: app.settings.public_url.clone(),
        uuid_base: app.uuid_base.clone(),
        api: key.base(&app.settings.public_url),
        languages: app.settings.content_languages.clone(),
        language: None,
        reader: facts.owner(key.id),
        licence: key.sheet.open_data_licence.into(),
    }
}

/// A parameter that cannot be read.
pub fn bad(name: &str) -> FeedError {
    FeedError::Rejected(Rejection::BadQuery { name: name.to_owned() })
}

/// `1,2,3`.
pub fn ids(name: &str, asked: Option<&str>) -> Result<Option<Vec<i64>>, FeedError> {
    Ok(filter::ids(name, asked)?)
}

/// Numbers of a reference list's items, and all items below them.
pub fn terms(facts: &Facts, name: &str, asked: Option<&str>) -> Result<Option<Vec<i64>>, FeedError> {
    Ok(ids(name, asked)?.map(|ids| facts.with_those_under(&ids)))
}

/// `west,south,east,north` in degrees.
pub fn bbox(asked: Option<&str>) -> Result<Option<[f64; 4]>, FeedError> {
    filter::bbox(asked).map_err(|_| FeedError::BadBox)
}

/// A day, or an instant: `2026-05-01`, `2026-05-01T08:30:00Z`, `2026-05-01T10:30:00+02:00`, with parts of a second or not.
pub fn instant(name: &str, asked: Option<&str>) -> Result<Option<Instant>, FeedError> {
    let Some(asked) = asked.map(str::trim).filter(|asked| !asked.is_empty()) else { return Ok(None) };
    read_instant(asked).map(Some).ok_or_else(|| bad(name))
}

fn read_instant(text: &str) -> Option<Instant> {
    if text.len() == 10 {
        return Instant::parse(&format!("{text}T00:00:00Z"));
    }
    let (clock, rest) = text.split_at_checked(19)?;
    let offset = if let Some(parts) = rest.strip_prefix('.') {
        let after = parts.trim_start_matches(|digit: char| digit.is_ascii_digit());
        (after.len() < parts.len()).then_some(after)?
    } else {
        rest
    };
    Some(Instant::parse(&format!("{clock}Z"))?.plus_s(-offset_s(offset)?))
}

/// The seconds that `+02:00` is ahead of UTC; none for `Z`, and where nothing is written.
fn offset_s(text: &str) -> Option<i64> {
    if matches!(text, "" | "Z") {
        return Some(0);
    }
    let (sign, clock) = text.split_at_checked(1)?;
    let (hours, minutes) = clock.split_once(':')?;
    let two = |digits: &str, most: i64| {
        let known = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
        digits.parse::<i64>().ok().filter(|number| known && *number <= most)
    };
    let seconds = two(hours, 23)? * 3_600 + two(minutes, 59)? * 60;
    match sign {
        "+" => Some(seconds),
        "-" => Some(-seconds),
        _ => None,
    }
}

/// Which page of a list, and how long pages are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageQuery {
    /// From 1.
    pub page: u64,
    /// Rows.
    pub per_page: u64,
}

impl PageQuery {
    /// Both from the query.
    pub fn of(
        (page, page_name): (Option<&str>, &str),
        (size, size_name): (Option<&str>, &str),
        (usual, most): (u64, u64),
    ) -> Result<Self, FeedError> {
        let page: u64 = filter::number(page_name, page)?.unwrap_or(1);
        let per_page: u64 = filter::number(size_name, size)?.unwrap_or(usual);
        if page == 0 {
            return Err(bad(page_name));
        }
        Ok(Self { page, per_page: per_page.clamp(1, most) })
    }

    /// Rows before it, and rows on it.
    pub fn part(self) -> (u64, u64) {
        // Beyond this no list has a row, and no database a number.
        (((self.page - 1).saturating_mul(self.per_page)).min(1 << 40), self.per_page)
    }

    /// Refuses a page after the last one; a list without a row has one page.
    pub fn within(self, total: u64) -> Result<(), FeedError> {
        let pages = total.div_ceil(self.per_page).max(1);
        if self.page > pages { Err(FeedError::PageBeyond { page: self.page, pages }) } else { Ok(()) }
    }

    /// The addresses of the next page and the one before.
    pub fn beside(self, base: &str, uri: &Uri, total: u64) -> (Option<String>, Option<String>) {
        let more = self.page.saturating_mul(self.per_page) < total;
        let next = more.then(|| at_page(base, uri, self.page + 1));
        (next, (self.page > 1).then(|| at_page(base, uri, self.page - 1)))
    }
}

/// The same question at another page.
fn at_page(base: &str, uri: &Uri, page: u64) -> String {
    asked_again(base, uri, &[("page", page.to_string())])
}

/// The same question with other values of some parameters.
fn asked_again(base: &str, uri: &Uri, values: &[(&str, String)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let pairs = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    query.extend_pairs(pairs.filter(|(name, _)| values.iter().all(|(other, _)| name != other)));
    query.extend_pairs(values);
    format!("{base}{}?{}", plain(uri.path()), query.finish())
}

/// A part of a list in the order of numbers: a page, or what comes past a number. The page of a number is that of a walk that follows
/// `next` from the beginning; nothing is read by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// The page, and how long the part is.
    pub page: PageQuery,
    pub after: Option<i64>,
}

impl Walk {
    /// Both from the query.
    pub fn of(page: PageQuery, after: Option<&str>) -> Result<Self, FeedError> {
        let after: Option<i64> = filter::number("after", after)?;
        if after.is_some_and(|after| after < 0) { Err(bad("after")) } else { Ok(Self { page, after }) }
    }

    /// Whether the list begins here.
    pub fn is_first(self) -> bool {
        self.after.unwrap_or_default() == 0 && self.page.page == 1
    }

    /// The number, and the rows to read past it: one more than are given, which says whether others follow.
    pub const fn past(self, after: i64) -> (i64, u64) {
        (after, self.page.per_page.saturating_add(1))
    }

    /// Leaves the rows of the part, and returns whether others follow. A page after the last one is refused; past the last number there
    /// is nothing, which is an answer.
    pub fn cut<T>(self, rows: &mut Vec<T>, total: u64) -> Result<bool, FeedError> {
        if self.after.is_none() {
            self.page.within(total)?;
            return Ok(self.page.page.saturating_mul(self.page.per_page) < total);
        }
        let most = usize::try_from(self.page.per_page).unwrap_or(usize::MAX);
        let more = rows.len() > most;
        rows.truncate(most);
        Ok(more)
    }

    /// The address of the part past a number. It has the next page's number too, which the answer gives back.
    pub fn next(self, base: &str, uri: &Uri, last: i64) -> String {
        let page = self.page.page.saturating_add(1);
        asked_again(base, uri, &[("page", page.to_string()), ("after", last.to_string())])
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_read_as_clients_write_it() {
        let read = |text| instant("updated_after", Some(text)).ok().flatten().map(|at| at.to_string());
        for text in ["2026-05-01", "2026-05-01T00:00:00Z", "2026-05-01T00:00:00", "2026-05-01T00:00:00.123Z"] {
            assert_eq!(read(text).as_deref(), Some("2026-05-01T00:00:00Z"), "{text}");
        }
        for text in ["2026-05-01T02:00:00+02:00", "2026-04-30T18:30:00.5-05:30", "2026-05-01T00:00:00-00:00"] {
            assert_eq!(read(text).as_deref(), Some("2026-05-01T00:00:00Z"), "{text}");
        }
        for wrong in [
            "hier",
            "2026-13-01",
            "2026-05-01T25:00:00Z",
            "2026-05-01T00:00:00 02:00",
            "2026-05-01T00:00:00+2:00",
            "2026-05-01T00:00:00+24:00",
            "2026-05-01T00:00:00+",
            "2026-05-01T00:00:00.Z",
            "2026-05-01T00:00:00éé",
        ] {
            assert!(instant("updated_after", Some(wrong)).is_err(), "{wrong}");
        }
        assert!(instant("updated_after", None).unwrap().is_none());
    }

    #[test]
    fn pages_lead_to_their_neighbours_with_the_same_question() {
        let uri: Uri = "/api/v2/trek/?key=a&page=2&themes=1%2C2".parse().unwrap();
        let asked = PageQuery { page: 2, per_page: 10 };
        let (next, before) = asked.beside("https://x", &uri, 25);
        assert_eq!(next.as_deref(), Some("https://x/api/v2/trek/?key=a&themes=1%2C2&page=3"));
        assert_eq!(before.as_deref(), Some("https://x/api/v2/trek/?key=a&themes=1%2C2&page=1"));
        let keyed: Uri = "/k/w1-a/api/v2/trek/".parse().unwrap();
        let (next, _) = PageQuery { page: 1, per_page: 10 }.beside("https://x/k/w1-a", &keyed, 25);
        assert_eq!(next.as_deref(), Some("https://x/k/w1-a/api/v2/trek/?page=2"));
        assert_eq!(asked.beside("https://x", &uri, 20).0, None);
        assert!(asked.within(11).is_ok() && asked.within(10).is_err());
        assert!(PageQuery { page: 1, per_page: 10 }.within(0).is_ok());
    }

    #[test]
    fn a_walk_goes_on_past_the_last_number() {
        let page = PageQuery { page: 1, per_page: 2 };
        let begun = Walk::of(page, None).unwrap();
        assert!(begun.is_first() && Walk::of(page, Some("0")).unwrap().is_first());
        assert!(Walk::of(page, Some("-1")).is_err() && Walk::of(page, Some("x")).is_err());
        let mut rows = vec![4, 9];
        assert!(begun.cut(&mut rows, 3).unwrap() && !begun.cut(&mut rows, 2).unwrap());
        let uri: Uri = "/api/public/v1/pois?key=a&page=1".parse().unwrap();
        assert_eq!(begun.next("https://x", &uri, 9), "https://x/api/public/v1/pois?key=a&page=2&after=9");
        let uri: Uri = "/api/public/v1/pois?page=2&after=9&per_page=2".parse().unwrap();
        let on = Walk::of(PageQuery { page: 2, ..page }, Some("9")).unwrap();
        assert_eq!((on.past(9), on.is_first()), ((9, 3), false));
        assert_eq!(on.next("https://x", &uri, 12), "https://x/api/public/v1/pois?per_page=2&page=3&after=12");
        let mut rows = vec![10, 11, 12];
        assert!(on.cut(&mut rows, 5).unwrap());
        assert_eq!(rows, [10, 11]);
        assert!(!on.cut(&mut rows, 5).unwrap() && !on.cut::<i64>(&mut Vec::new(), 0).unwrap());
    }

    #[test]
    fn pages_begin_at_one_and_end() {
        let of = |page, size| PageQuery::of((page, "page"), (size, "page_size"), (50, 1_000));
        assert_eq!(of(None, Some("5000")).unwrap(), PageQuery { page: 1, per_page: 1_000 });
        assert!(of(Some("0"), None).is_err() && of(Some("x"), None).is_err() && of(Some("-1"), None).is_err());
        assert_eq!(of(Some("18446744073709551615"), None).unwrap().part().0, 1 << 40);
    }
}
