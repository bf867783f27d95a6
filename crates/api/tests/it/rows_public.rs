//! Rows of the matrix: the public pages and what search engines read. What they show is in `public_page.rs`.

use crate::matrix::Row;

const fn public(path: &'static str, asked: &'static str, status: u16) -> Row {
    Row { verb: "GET", path, permission: "public", asked, body: None, statuses: [status; 7] }
}

/// The rows.
pub const ROWS: &[Row] = &[
    public("/p/{page}", "/p/lac-1", 404),
    public("/p/{page}/{file}", "/p/lac-1/trace.gpx", 404),
    public("/s/{token}", "/s/x", 404),
    public("/s/{token}/{file}", "/s/x/trace.gpx", 404),
    public("/robots.txt", "/robots.txt", 200),
    public("/sitemap.xml", "/sitemap.xml", 200),
];
