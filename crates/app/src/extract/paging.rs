//! `page` and `per_page`.

use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer};
use store::{MAX_PER_PAGE, Page};
use utoipa::IntoParams;

/// Which part of a list is asked for. A handler takes it beside its own `Query`: `#[serde(flatten)]` cannot read numbers
/// from a query.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct Paging {
    /// Number of the page, from 1.
    #[param(minimum = 1, example = 1)]
    #[serde(deserialize_with = "page_number")]
    pub page: Option<u64>,
    /// Rows on a page, at most 200.
    #[param(minimum = 1, maximum = 200, example = 25)]
    #[serde(deserialize_with = "rows_per_page")]
    pub per_page: Option<u64>,
}

impl Paging {
    /// The page the store reads.
    pub fn page(self) -> Page {
        Page::new(self.page.unwrap_or(1), self.per_page.unwrap_or(25))
    }
}

/// Reads `per_page` of a list of staff; a number outside 1 to 200 is refused like one that cannot be read.
pub fn rows_per_page<'de, D: Deserializer<'de>>(sent: D) -> Result<Option<u64>, D::Error> {
    within(sent, MAX_PER_PAGE, "a number from 1 to 200")
}

fn page_number<'de, D: Deserializer<'de>>(sent: D) -> Result<Option<u64>, D::Error> {
    within(sent, u64::MAX, "a number from 1")
}

fn within<'de, D: Deserializer<'de>>(sent: D, most: u64, expected: &'static str) -> Result<Option<u64>, D::Error> {
    let number = Option::<u64>::deserialize(sent)?;
    match number.filter(|number| !(1..=most).contains(number)) {
        Some(outside) => Err(D::Error::invalid_value(Unexpected::Unsigned(outside), &expected)),
        None => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rejection;
    use crate::extract::parse_query;

    #[test]
    fn a_page_outside_the_bounds_of_the_contract_is_refused_with_its_parameter() {
        let read = |text| parse_query::<Paging>(text).map(Paging::page);
        assert_eq!(read("").ok(), Some(Page::new(1, 25)));
        for (text, page) in [("page=3&per_page=1", Page::new(3, 1)), ("per_page=200", Page::new(1, 200))] {
            assert_eq!(read(text).ok(), Some(page), "{text}");
        }
        for (text, parameter) in [("per_page=0", "per_page"), ("per_page=201", "per_page"), ("page=0", "page")] {
            let refused = read(text).err();
            assert!(matches!(&refused, Some(Rejection::BadQuery { name }) if name == parameter), "{text}: {refused:?}");
        }
    }
}
