//! A page of records.

use serde::Serialize;
use store::record::Counted;
use utoipa::ToSchema;

use crate::Rejection;

/// A page of records.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ListOf<V> {
    pub items: Vec<V>,
    /// How many in all, exact up to 10,000.
    pub total: i64,
    /// Whether there are more than `total`.
    pub total_capped: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<OwnedCounts>,
}

/// How a list shares out; each exact up to 10,000.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct OwnedCounts {
    /// The active white-label's own.
    pub mine: i64,
    /// What it sees of others.
    pub shared: i64,
}

impl<V> ListOf<V> {
    /// A page with what is counted of it.
    pub fn new(items: Vec<V>, counted: Counted) -> Self {
        Self { items, total: counted.total, total_capped: counted.capped, counts: None }
    }
}

/// The order asked for, or the usual one.
pub fn sort_of<'a>(asked: Option<&'a str>, usual: &'a str) -> &'a str {
    asked.map(str::trim).filter(|asked| !asked.is_empty()).unwrap_or(usual)
}

/// A list that knows no such order.
pub fn no_such_sort() -> Rejection {
    Rejection::BadQuery { name: "sort".to_owned() }
}
