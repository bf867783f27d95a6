//! What is made from content for others: roadbooks as PDF, walks read aloud, and feeds in the formats of other programs.
//!
//! The main path of a roadbook: `roadbook::assemble` gathers a parcours for one language and one audience, and the crate `roadbook` renders it
//! in a process of its own. Of a feed: `feed::gather` reads published parcours a page at a time, and the crate `feeds` writes them.
//!
//! Modules use each other one way (decision 0046).

pub mod audio;
pub mod feed;
pub mod roadbook;
pub mod visitor_words;
