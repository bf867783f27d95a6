//! `page` and `per_page`, and the answer that goes with them.

use serde::{Deserialize, Serialize};
use store::{Listed, Page};
use utoipa::{IntoParams, ToSchema};

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

/// A page of a list, and how much there is in all.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PageOf<T> {
    /// What stands on the page.
    pub items: Vec<T>,
    /// How many there are on all pages.
    pub total: u64,
}

impl<T> PageOf<T> {
    /// The page as it is shown.
    pub fn of<M>(listed: Listed<M>, view: impl FnMut(M) -> T) -> Self {
        let Listed { items, total } = listed.map(view);
        Self { items, total }
    }
}
