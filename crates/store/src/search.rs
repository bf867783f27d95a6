//! Text search: every word asked for must be there, as the start of a word, ignoring accents and capitals.
//!
//! Texts and queries are folded by [`domain::fold`], so both databases find the same. SQLite keeps the words in an FTS5 table,
//! PostgreSQL in a plain one that `pg_trgm` indexes where the server has it.

use domain::fold;

use crate::sql::execute;
use crate::{Connection, Dialect, StoreError};

/// A table of searchable words, made by a migration (see `m0001_foundation`); its key is that of the indexed rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Index(pub(crate) &'static str);

/// The index of POIs.
pub(crate) const POI: Index = Index("poi_search");
/// The index of media.
pub(crate) const MEDIA: Index = Index("media_search");

/// The index of contacts.
pub(crate) const CONTACT: Index = Index("contact_search");
/// The index of structures.
pub(crate) const STRUCTURE: Index = Index("structure_search");
/// The index of white-labels.
pub(crate) const WHITE_LABEL: Index = Index("white_label_search");
/// The index of users.
pub(crate) const USER: Index = Index("user_search");

/// The index of itineraries.
pub(crate) const ITINERARY: Index = Index("itinerary_search");

/// The index of transport lines.
pub(crate) const TRANSPORT_LINE: Index = Index("transport_line_search");

/// The index of records of tourist information systems.
pub(crate) const SIT_RECORD: Index = Index("sit_record_search");

/// The most words of a question that are looked at.
const MAX_WORDS: usize = 8;

impl Index {
    /// Keeps the words of a row, instead of those it had.
    pub(crate) async fn write(self, db: &impl Connection, id: i64, texts: &[&str]) -> Result<(), StoreError> {
        let words = texts.iter().map(|text| fold(text)).collect::<Vec<_>>().join(" ");
        let table = self.0;
        match db.dialect() {
            Dialect::Sqlite => {
                let sql = format!("INSERT OR REPLACE INTO {table} (rowid, words) VALUES ($1, $2)");
                execute(db, &sql, [id.into(), words.into()]).await?;
            }
            Dialect::Postgres => {
                let sql = format!(
                    "INSERT INTO {table} (id, words) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET words = excluded.words"
                );
                // A space before each word: the start of a word is then a plain substring.
                execute(db, &sql, [id.into(), format!(" {words}").into()]).await?;
            }
        }
        Ok(())
    }

    /// Keeps the words of many rows, each once, instead of those they had.
    pub(crate) async fn write_many(self, db: &impl Connection, rows: &[(i64, String)]) -> Result<(), StoreError> {
        let table = self.0;
        for rows in rows.chunks(200) {
            let places: Vec<String> = (0..rows.len()).map(|at| format!("(${}, ${})", at * 2 + 1, at * 2 + 2)).collect();
            let places = places.join(", ");
            let (sql, before) = match db.dialect() {
                Dialect::Sqlite => (format!("INSERT OR REPLACE INTO {table} (rowid, words) VALUES {places}"), ""),
                Dialect::Postgres => (
                    format!(
                        "INSERT INTO {table} (id, words) VALUES {places} ON CONFLICT (id) DO UPDATE SET words = excluded.words"
                    ),
                    " ",
                ),
            };
            let values = rows.iter().flat_map(|(id, words)| [(*id).into(), format!("{before}{}", fold(words)).into()]);
            execute(db, &sql, values).await?;
        }
        Ok(())
    }

    /// Forgets the words of a row.
    pub(crate) async fn forget(self, db: &impl Connection, id: i64) -> Result<(), StoreError> {
        let key = match db.dialect() {
            Dialect::Sqlite => "rowid",
            Dialect::Postgres => "id",
        };
        let sql = format!("DELETE FROM {} WHERE {key} = $1", self.0);
        execute(db, &sql, [id.into()]).await?;
        Ok(())
    }

    /// The values to ask the words' table with; none when no word was asked for.
    pub(crate) fn question(self, dialect: Dialect, asked: &str) -> Option<Vec<String>> {
        let folded = fold(asked);
        let words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).take(MAX_WORDS).collect();
        if words.is_empty() {
            return None;
        }
        Some(match dialect {
            Dialect::Sqlite => vec![words.iter().map(|word| format!("\"{word}\"*")).collect::<Vec<_>>().join(" ")],
            // Folded words hold letters and digits only: nothing in them is a wildcard.
            Dialect::Postgres => words.iter().map(|word| format!("% {word}%")).collect(),
        })
    }

    /// The selection of the rows that [`Self::question`] finds, its values bound at these places.
    ///
    /// A sub-select, never a join: ordered joins with FTS5 read the whole table (measured: 609 ms against 9).
    pub(crate) fn found(self, dialect: Dialect, places: &[String]) -> String {
        let table = self.0;
        match dialect {
            Dialect::Sqlite => format!("SELECT rowid FROM {table} WHERE {table} MATCH {}", places.join(" ")),
            Dialect::Postgres => {
                let each: Vec<String> = places.iter().map(|place| format!("words LIKE {place}")).collect();
                format!("SELECT id FROM {table} WHERE {}", each.join(" AND "))
            }
        }
    }
}
