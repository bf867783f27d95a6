//! What visitors reach without signing in: pages of parcours and places, the widget on other sites, reviews and reports, counts of visits,
//! and the files of the web application.
//!
//! The main path: [`public_page`] loads the published version of a parcours, never the draft, and writes it as HTML in the colours of its
//! white-label.
//!
//! Modules use each other one way (decision 0046).

pub mod assets;
pub mod feedback;
pub mod public_page;
pub mod statistics;
pub mod web_build;
pub mod widget;
