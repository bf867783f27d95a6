//! `page` and `per_page`.

use serde::Deserialize;
use store::Page;
use utoipa::IntoParams;

/// Which part of a list is asked for. A handler takes it beside its own `Query`: `#[serde(flatten)]` cannot read numbers
/// from a query.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct Paging {
    /// Number of the page, from 1.
    #[param(minimum = 1, example = 1)]
    pub page: Option<u64>,
    /// Rows on a page, at most 200.
    #[param(minimum = 1, maximum = 200, example = 25)]
    pub per_page: Option<u64>,
}

impl Paging {
    /// The page the store reads.
    pub fn page(self) -> Page {
        Page::new(self.page.unwrap_or(1), self.per_page.unwrap_or(25))
    }
}
