//! The store on both databases.

mod foundation;
mod paging;
mod search;
