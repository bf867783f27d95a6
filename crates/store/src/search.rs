//! Text search: every word asked for must be there, as the start of a word, ignoring accents and capitals.
//!
//! Texts and queries are folded by [`domain::fold`], so both databases find the same. SQLite keeps the words in an FTS5 table,
//! PostgreSQL as a text, whose words an index has as a `tsvector` (`word_vector`, `m0095_words_by_vector`), as parcours have them.

use domain::fold;
use sea_orm::Value;

use crate::sql::{execute, remembered};
use crate::{Connection, Dialect, StoreError};

/// A table of searchable words, made by a migration (see `m0001_foundation`); its key is the number of the record.
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

/// Words of a search that are used; more are ignored.
const MAX_WORDS: usize = 8;

impl Index {
    /// Stores the words of a row, in place of those it had.
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

    /// Stores the words of many rows, each once, in place of those they had.
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

    /// The query for the rows that have every word of a text; none for a text without words. `bind` returns the placeholder of a value.
    pub(crate) fn find(
        self,
        dialect: Dialect,
        asked: &str,
        bind: impl FnOnce(String) -> String,
    ) -> Option<FoundByWords> {
        let words = searched_words(asked, MAX_WORDS);
        let table = self.0;
        let question = bind(prefix_query(dialect, &words)?);
        let ids = match dialect {
            Dialect::Sqlite => format!("SELECT rowid FROM {table} WHERE {table} MATCH {question}"),
            Dialect::Postgres => format!("SELECT id FROM {table} WHERE word_vector(words) @@ {question}::tsquery"),
        };
        Some(FoundByWords { ids, table, words })
    }
}

/// The rows that have the words asked for.
#[derive(Debug, Clone)]
pub(crate) struct FoundByWords {
    /// The selection of their numbers, by the index.
    ///
    /// A sub-select, never a join: ordered joins with FTS5 read the whole table (measured: 609 ms against 9).
    pub(crate) ids: String,
    table: &'static str,
    words: Vec<String>,
}

impl FoundByWords {
    /// The condition on PostgreSQL that the row `n` is one of them, for rows that are tested one by one. Its text is compared: making its
    /// vector takes three times as long. `bind` gives the placeholder of a value.
    pub(crate) fn has(&self, bind: impl FnMut(String) -> String) -> String {
        // `OFFSET 0` keeps the test of each row apart: otherwise PostgreSQL looks for all rows with the words first.
        format!("EXISTS (SELECT 1 FROM {} s WHERE s.id = n.id AND {} OFFSET 0)", self.table, self.begins(bind))
    }

    /// The condition on PostgreSQL that the row `s` of the index has the words.
    fn begins(&self, mut bind: impl FnMut(String) -> String) -> String {
        // Folded words are letters and digits: nothing in them is a wildcard.
        let begins = self.words.iter().map(|word| format!("s.words LIKE {}", bind(format!("% {word}%"))));
        begins.collect::<Vec<_>>().join(" AND ")
    }

    /// Whether more than `min_rows` rows have the words, one in [`COMMON`] or more, by a sample. Testing one row after another until `min_rows` / 2 are
    /// met then costs PostgreSQL less than the index, which gives all rows with the words.
    pub(crate) async fn are_common(&self, db: &impl Connection, min_rows: i64) -> Result<bool, StoreError> {
        let mut values: Vec<Value> = Vec::new();
        let has_words = self.begins(|pattern| {
            values.push(pattern.into());
            format!("${}", values.len())
        });
        let sample = sampled(db, self.table, &has_words, values).await?;
        if sample.looked_at < MIN_SAMPLE {
            return Ok(false);
        }
        let rows = sample.last * sample.found / sample.looked_at;
        Ok(sample.found * COMMON >= sample.looked_at && rows > min_rows)
    }
}

/// Words that one row in this many has are common. At three million rows both ways to count take a tenth of a second for words that one row in
/// twenty has.
const COMMON: i64 = 20;

/// The number of rows in a sample; fewer where numbers are missing.
const SAMPLE: i64 = 100;
/// A sample of fewer rows says nothing.
const MIN_SAMPLE: i64 = 20;

/// A sample of the rows of an index of words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// The greatest number of a row.
    last: i64,
    /// How many rows the sample has.
    pub(crate) looked_at: i64,
    /// How many of these a condition holds for.
    pub(crate) found: i64,
}

/// A sample, spread unevenly over the numbers of the rows, for a condition on the row `s`, remembered until the next write. Only PostgreSQL is asked.
pub(crate) async fn sampled(
    db: &impl Connection,
    table: &str,
    condition: &str,
    values: Vec<Value>,
) -> Result<Sample, StoreError> {
    let sql = format!(
        "SELECT COALESCE(MAX(m.last), 0), COUNT(*), COUNT(*) FILTER (WHERE {condition})
        FROM generate_series(1, {SAMPLE}) i CROSS JOIN (SELECT MAX(id) AS last FROM {table}) m
        JOIN {table} s ON s.id = m.last * i / {SAMPLE} - (i * 7919) % GREATEST(m.last / {SAMPLE}, 1)"
    );
    let [last, looked_at, found] = remembered(db, &sql, values).await?;
    Ok(Sample { last, looked_at, found })
}

/// The folded words of a search, at most `at_most`.
pub(crate) fn searched_words(asked: &str, at_most: usize) -> Vec<String> {
    fold(asked).split(' ').filter(|word| !word.is_empty()).take(at_most).map(str::to_owned).collect()
}

/// A term of a query to an index: a whole word, or the beginning of one. Folded words are letters and digits: nothing in them needs escaping.
pub(crate) fn query_term(dialect: Dialect, word: &str, is_prefix: bool) -> String {
    let (quote, begun) = match dialect {
        Dialect::Sqlite => ('"', "*"),
        Dialect::Postgres => ('\'', ":*"),
    };
    format!("{quote}{word}{quote}{}", if is_prefix { begun } else { "" })
}

/// The operator between two words that must both occur.
pub(crate) const fn and_operator(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => " AND ",
        Dialect::Postgres => " & ",
    }
}

/// The query for rows that have, for each of these, a word that begins with it.
fn prefix_query(dialect: Dialect, words: &[String]) -> Option<String> {
    let each: Vec<String> = words.iter().map(|word| query_term(dialect, word, true)).collect();
    Some(each.join(and_operator(dialect))).filter(|question| !question.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The selection of the rows on a database, the condition on a row, and their values.
    fn find(dialect: Dialect, asked: &str) -> Option<(String, String, Vec<String>)> {
        let mut values = Vec::new();
        let found = POI.find(dialect, asked, |question| {
            values.push(question);
            "$1".to_owned()
        })?;
        let has = found.has(|pattern| {
            values.push(pattern);
            format!("${}", values.len())
        });
        Some((found.ids, has, values))
    }

    #[test]
    fn each_word_is_the_start_of_one() {
        let (ids, has, values) = find(Dialect::Postgres, "Lac d'Été").unwrap_or_default();
        assert_eq!(ids, "SELECT id FROM poi_search WHERE word_vector(words) @@ $1::tsquery");
        let each = "s.words LIKE $2 AND s.words LIKE $3 AND s.words LIKE $4";
        assert_eq!(has, format!("EXISTS (SELECT 1 FROM poi_search s WHERE s.id = n.id AND {each} OFFSET 0)"));
        assert_eq!(values, ["'lac':* & 'd':* & 'ete':*", "% lac%", "% d%", "% ete%"]);
        let (_, _, values) = find(Dialect::Sqlite, "Lac d'Été").unwrap_or_default();
        assert_eq!(values.first().map(String::as_str), Some(r#""lac"* AND "d"* AND "ete"*"#));
    }

    #[test]
    fn nothing_typed_becomes_an_operator() {
        let (_, _, values) = find(Dialect::Postgres, "a' | !b:*").unwrap_or_default();
        assert_eq!(values, ["'a':* & 'b':*", "% a%", "% b%"]);
        assert_eq!(find(Dialect::Postgres, " ,;'\" "), None);
    }
}
