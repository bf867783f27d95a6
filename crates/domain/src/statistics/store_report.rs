//! Reports downloaded from the app stores: App Store Connect's analytics and sales, Play Console's installs.
//!
//! They come as UTF-8 or UTF-16, with commas, semicolons or tabs, with a few lines before the header, columns in French or
//! English and in any order. What cannot be read is reported with its line.

use std::collections::BTreeMap;

use crate::fold;
use crate::transport_line::words;

use super::{Day, country};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

mod table;

words! {
    /// Where an application is installed from.
    AppStore {
        /// Apple's, for iOS.
        AppStore "app_store",
        /// Google's, for Android.
        PlayStore "play_store",
    } default AppStore
}

impl AppStore {
    /// Both.
    pub const ALL: [Self; 2] = [Self::AppStore, Self::PlayStore];
}

/// Figures of a day in a country.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installs {
    pub day: Day,
    /// The country; empty (unknown) where the report does not give it.
    pub country: String,
    /// How often it was installed.
    pub installs: i64,
    /// How often it was removed; iOS counts only users who agreed to it.
    pub uninstalls: i64,
}

/// A report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreReport {
    /// The store it is from, where its columns show it.
    pub of: Option<AppStore>,
    /// A row a day and country, in order.
    pub rows: Vec<Installs>,
}

/// Why a report is not read. Lines count from 1, as a spreadsheet does.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportFault {
    /// No line names a column of dates.
    #[error("no header with a column of dates")]
    NoHeader,
    /// The header names no figures.
    #[error("line {line}: no column of installs or uninstalls")]
    NoFigures {
        /// The header's.
        line: usize,
    },
    /// No day.
    #[error("line {line}: `{value}` is no day")]
    BadDay {
        /// The line of the file.
        line: usize,
        /// The text in the cell.
        value: String,
    },
    /// No number.
    #[error("line {line}: `{value}` is no number")]
    BadNumber {
        /// The line of the file.
        line: usize,
        /// The text in the cell.
        value: String,
    },
    /// A header and nothing below.
    #[error("no figures below the header")]
    Empty,
}

/// Names of columns, folded, those that say most first.
const DATE: &[&str] = &["date", "day", "jour", "begin date", "date de debut"];
const COUNTRY: &[&str] = &[
    "country",
    "country code",
    "territory",
    "storefront",
    "country or region",
    "pays",
    "pays ou region",
    "code pays",
    "territoire",
];
const INSTALLS: &[&str] = &[
    "daily device installs",
    "daily user installs",
    "install events",
    "installs",
    "installations",
    "app units",
    "first time downloads",
    "total downloads",
    "downloads",
    "units",
    "installations quotidiennes sur appareil",
    "unites d app",
    "unites de l app",
    "telechargements",
    "unites",
];
const UNINSTALLS: &[&str] = &[
    "daily device uninstalls",
    "daily user uninstalls",
    "uninstall events",
    "uninstalls",
    "deletions",
    "desinstallations quotidiennes sur appareil",
    "desinstallations",
    "suppressions",
];
/// Apple's detailed report has one row for each kind of event, and how many.
const EVENT: &[&str] = &["event", "evenement"];
const COUNTS: &[&str] = &["counts", "count", "nombre"];
const OF_GOOGLE: &[&str] = &["package name", "nom du package"];
const OF_APPLE: &[&str] = &["app apple identifier", "apple identifier", "storefront", "app units", "sku"];

/// Where the figures of a row are.
enum Figures {
    Columns { installs: Option<usize>, uninstalls: Option<usize> },
    Events { event: usize, counts: usize },
}

/// Reads a report.
pub fn read(bytes: &[u8]) -> Result<StoreReport, ReportFault> {
    let text = table::text(bytes);
    let (header, rows) = table::below_header(&text, DATE).ok_or(ReportFault::NoHeader)?;
    let names: Vec<String> = header.cells.iter().map(|name| fold(name)).collect();
    let column = |known: &[&str]| known.iter().find_map(|name| names.iter().position(|column| column == name));
    let date = column(DATE).ok_or(ReportFault::NoHeader)?;
    let figures = match (column(EVENT), column(COUNTS), column(INSTALLS), column(UNINSTALLS)) {
        (Some(event), Some(counts), ..) => Figures::Events { event, counts },
        (_, _, None, None) => return Err(ReportFault::NoFigures { line: header.line }),
        (_, _, installs, uninstalls) => Figures::Columns { installs, uninstalls },
    };
    let country_at = column(COUNTRY);
    let order = table::day_order(rows.iter().filter_map(|row| row.cells.get(date)));
    let mut sums: BTreeMap<(Day, String), (i64, i64)> = BTreeMap::new();
    for row in &rows {
        let cell = |at: usize| row.cells.get(at).map(String::as_str).unwrap_or_default().trim();
        let day_cell = cell(date);
        if day_cell.is_empty() || fold(day_cell).starts_with("total") {
            continue;
        }
        let day = table::day(day_cell, order)
            .ok_or_else(|| ReportFault::BadDay { line: row.line, value: short(day_cell) })?;
        let number = |at: usize| {
            table::number(cell(at)).ok_or_else(|| ReportFault::BadNumber { line: row.line, value: short(cell(at)) })
        };
        let (installs, uninstalls) = match figures {
            Figures::Columns { installs, uninstalls } => {
                (installs.map_or(Ok(0), number)?, uninstalls.map_or(Ok(0), number)?)
            }
            Figures::Events { event, counts } => match fold(cell(event)).as_str() {
                "install" | "installation" => (number(counts)?, 0),
                "delete" | "deletion" | "suppression" => (0, number(counts)?),
                _ => (0, 0),
            },
        };
        let sum = sums.entry((day, country_at.map(|at| country(cell(at))).unwrap_or_default())).or_default();
        *sum = (sum.0.saturating_add(installs), sum.1.saturating_add(uninstalls));
    }
    if sums.is_empty() {
        return Err(ReportFault::Empty);
    }
    let of = if column(OF_GOOGLE).is_some() {
        Some(AppStore::PlayStore)
    } else {
        column(OF_APPLE).map(|_| AppStore::AppStore)
    };
    let rows = sums.into_iter().map(|((day, country), (installs, uninstalls))| {
        // Money given back counts as a unit less: a day may come out below nothing.
        Installs { day, country, installs: installs.max(0), uninstalls: uninstalls.max(0) }
    });
    Ok(StoreReport { of, rows: rows.collect() })
}

/// The beginning of a value, short enough for a sentence.
fn short(value: &str) -> String {
    value.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(day: &str, country: &str, installs: i64, uninstalls: i64) -> Installs {
        Installs { day: Day::parse(day).expect("a day"), country: country.to_owned(), installs, uninstalls }
    }

    #[test]
    fn a_report_of_play_console_comes_in_utf16_with_its_own_columns() {
        let text = "\u{feff}Date,Package Name,Country,Daily Device Installs,Daily Device Uninstalls,Active Device Installs\r\n\
                    2026-10-01,org.exemple.rando,FR,\"1,204\",32,9100\r\n2026-10-01,org.exemple.rando,BE,7,0,80\r\n\r\n";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let report = read(&bytes).expect("it is read");
        assert_eq!(report.of, Some(AppStore::PlayStore));
        assert_eq!(report.rows, [one("2026-10-01", "BE", 7, 0), one("2026-10-01", "FR", 1204, 32)]);
    }

    #[test]
    fn a_report_of_app_store_connect_has_lines_of_its_own_before_the_header() {
        let text = "Name,\"Rando Morvan\"\nStart Date,\"10/1/26\"\nEnd Date,\"10/2/26\"\n\nDate,App Units\n10/1/26,15\n10/2/26,\n";
        let report = read(text.as_bytes()).expect("it is read");
        assert_eq!(report.of, Some(AppStore::AppStore));
        assert_eq!(report.rows, [one("2026-10-01", "", 15, 0), one("2026-10-02", "", 0, 0)]);
    }

    #[test]
    fn installs_and_deletions_of_apple_are_rows_of_events() {
        let text = "Date\tApp Name\tApp Apple Identifier\tEvent\tTerritory\tCounts\n\
                    2026-10-03\tRando\t123\tInstall\tFR\t20\n2026-10-03\tRando\t123\tDelete\tFR\t6\n2026-10-03\tRando\t123\tInstall\tFR\t1\n";
        assert_eq!(read(text.as_bytes()).expect("it is read").rows, [one("2026-10-03", "FR", 21, 6)]);
    }

    #[test]
    fn a_table_saved_by_a_french_spreadsheet_is_read_too() {
        let bytes = b"Jour;Pays;Installations;D\xe9sinstallations\r\n31/10/2026;FR;1 204;12\r\n01/11/2026;FR;3;0\r\nTotal;;1 207;12\r\n";
        assert_eq!(
            read(bytes).expect("it is read").rows,
            [one("2026-10-31", "FR", 1204, 12), one("2026-11-01", "FR", 3, 0)]
        );
    }

    #[test]
    fn what_cannot_be_read_is_reported_with_its_line() {
        for (text, fault) in [
            ("", ReportFault::NoHeader),
            ("bonjour\nmonde\n", ReportFault::NoHeader),
            ("Date,Revenue\n2026-10-01,3\n", ReportFault::NoFigures { line: 1 }),
            ("Date,Installs\n", ReportFault::Empty),
            (
                "x\nDate,Installs\n2026-10-01,3\n2026-13-01,3\n",
                ReportFault::BadDay { line: 4, value: "2026-13-01".into() },
            ),
            ("Date,Installs\n\"2026-10-01\",\"3\n3\"\n", ReportFault::BadNumber { line: 2, value: "3\n3".into() }),
            ("Date,Installs\n2026-10-01,beaucoup\n", ReportFault::BadNumber { line: 2, value: "beaucoup".into() }),
        ] {
            assert_eq!(read(text.as_bytes()), Err(fault), "{text}");
        }
        assert_eq!(read(&[0xff, 0xfe, 0x00]), Err(ReportFault::NoHeader));
        assert_eq!(read(&[0x89, b'P', b'N', b'G', 0, 0, 1]), Err(ReportFault::NoHeader));
    }
}
