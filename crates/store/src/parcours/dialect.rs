//! What SQLite and PostgreSQL say differently: words and boxes.

use domain::fold;
use sea_orm::Value;

use super::batch::Batch;
use super::facets::kind_of_fact;
use crate::search::{and_operator, query_term, searched_words};
use crate::sql::{all, execute, get, one};
use crate::{Connection, Dialect, StoreError, Tx};

/// Words of a search that are used; more are ignored.
const MAX_WORDS: usize = 12;

/// The most letters of a word in PostgreSQL's index: a lexeme has 2,046 bytes at most.
const MAX_WORD_LETTERS: usize = 200;
/// The most bytes of the distinct words of a parcours there: a vector has 1 MB at most.
const MAX_WORDS_BYTES: usize = 500_000;

/// The beginning of a word that is longer than the index takes.
fn cut(word: &str) -> &str {
    word.char_indices().nth(MAX_WORD_LETTERS).map_or(word, |(end, _)| &word[..end])
}

/// Replaces the words and the facts of a parcours.
///
/// The white-labels that show it are added to the given facts, from the database.
pub(super) fn write_words(batch: &mut Batch, dialect: Dialect, id: i64, text: &str, facets: &[String]) {
    let (text, facets) = (fold(text), facets.join(" "));
    let shown_on = format!(
        "SELECT '{}' || white_label_id AS fact FROM parcours_white_label WHERE parcours_id = $1",
        kind_of_fact('k')
    );
    match dialect {
        Dialect::Sqlite => batch.add(
            &format!(
                "INSERT OR REPLACE INTO parcours_search (rowid, words)
                VALUES ($1, $2 || COALESCE((SELECT ' ' || group_concat(fact, ' ') FROM ({shown_on})), ''))"
            ),
            [id.into(), format!("{text} {facets}").into()],
        ),
        Dialect::Postgres => {
            // The words are split here: the server's own parser would cut addresses and numbers its way.
            let mut distinct: Vec<&str> = text.split(' ').map(cut).filter(|word| !word.is_empty()).collect();
            distinct.sort_unstable();
            distinct.dedup();
            let mut bytes = 0;
            distinct.retain(|word| {
                bytes += word.len();
                bytes <= MAX_WORDS_BYTES
            });
            distinct.extend(facets.split(' ').filter(|fact| !fact.is_empty()));
            batch.add(
                &format!(
                    "INSERT INTO parcours_search (id, words)
                VALUES ($1, array_to_tsvector(string_to_array($2, ' ') || ARRAY({shown_on})))
                ON CONFLICT (id) DO UPDATE SET words = excluded.words"
                ),
                [id.into(), distinct.join(" ").into()],
            );
        }
    }
}

/// Forgets the words and the box of a parcours.
pub(super) async fn forget(tx: &Tx, id: i64) -> Result<(), StoreError> {
    let key = match tx.dialect() {
        Dialect::Sqlite => "rowid",
        Dialect::Postgres => "id",
    };
    execute(tx, &format!("DELETE FROM parcours_search WHERE {key} = $1"), [id.into()]).await?;
    execute(tx, "DELETE FROM parcours_box WHERE id = $1", [id.into()]).await?;
    Ok(())
}

/// Keeps the box of a parcours' line: west, south, east, north.
pub(super) fn write_box(batch: &mut Batch, dialect: Dialect, id: i64, bbox: [f64; 4]) {
    let sql = match dialect {
        Dialect::Sqlite => {
            "INSERT OR REPLACE INTO parcours_box (id, west, south, east, north) VALUES ($1, $2, $3, $4, $5)"
        }
        Dialect::Postgres => {
            "INSERT INTO parcours_box (id, extent) VALUES ($1, box(point($2, $3), point($4, $5)))
            ON CONFLICT (id) DO UPDATE SET extent = excluded.extent"
        }
    };
    let corners = bbox.into_iter().map(Value::from);
    batch.add(sql, std::iter::once(Value::from(id)).chain(corners));
}

/// A question in the index's own words, or none when no word was asked for: every word, the last as the start of one.
pub(crate) fn question(dialect: Dialect, asked: &str) -> Option<String> {
    let words = searched_words(asked, MAX_WORDS);
    let last = words.len().checked_sub(1)?;
    let each = words.iter().enumerate().map(|(index, word)| query_term(dialect, word, index == last));
    Some(each.collect::<Vec<_>>().join(and_operator(dialect)))
}

/// How many parcours have the rarest of the words asked for and of these facts, and how many parcours there are, about.
/// PostgreSQL does not need it: its optimiser estimates better.
pub(super) async fn estimate(
    db: &impl Connection,
    asked: &str,
    facts: &[String],
) -> Result<Option<(i64, i64)>, StoreError> {
    if db.dialect() == Dialect::Postgres {
        return Ok(None);
    }
    let words = searched_words(asked, MAX_WORDS);
    let begun = words.len().saturating_sub(1);
    let ends = words.into_iter().enumerate().map(|(index, word)| {
        let end = format!("{word}{}", if index == begun { '\u{10ffff}' } else { '\0' });
        (word, end)
    });
    let ends = ends.chain(facts.iter().map(|fact| (fact.clone(), format!("{fact}\0"))));
    let (mut counts, mut values) = (Vec::new(), Vec::<Value>::new());
    for (from, to) in ends {
        values.extend([from.into(), to.into()]);
        let (from, to) = (values.len() - 1, values.len());
        counts.push(format!(
            "(SELECT COALESCE(SUM(doc), 0) FROM (SELECT doc FROM parcours_terms WHERE term >= ${from} AND term < ${to} LIMIT {MAX_ENDINGS})) AS matches_{}",
            counts.len()
        ));
    }
    let sql = format!("SELECT (SELECT COALESCE(MAX(id), 0) FROM parcours) AS parcours, {}", counts.join(", "));
    let Some(row) = one(db, &sql, values).await? else { return Ok(None) };
    let mut rarest = i64::MAX;
    for at in 0..counts.len() {
        rarest = rarest.min(get(&row, format!("matches_{at}").as_str())?);
    }
    Ok(Some((rarest, get(&row, "parcours")?)))
}

/// The most words with the same beginning when rows are tested one by one.
const MAX_ENDINGS: usize = 40;

/// The same question without a begun word, where few words begin so: a begun word is looked up anew for each row that is
/// tested, which on SQLite costs a hundred times what whole words do (72 ms against 3 for a page of 100,000).
pub(super) async fn spelled_out(db: &impl Connection, question: &str) -> Result<Option<String>, StoreError> {
    if db.dialect() == Dialect::Postgres {
        return Ok(Some(question.to_owned()));
    }
    let (others, begun) = question
        .trim_end_matches('*')
        .rsplit_once(" AND ")
        .map_or(("", question.trim_end_matches('*')), |(a, b)| (a, b));
    let begun = begun.trim_matches('"');
    let sql = format!("SELECT term FROM parcours_terms WHERE term >= $1 AND term < $2 LIMIT {}", MAX_ENDINGS + 1);
    let rows = all(db, &sql, [begun.into(), format!("{begun}\u{10ffff}").into()]).await?;
    if rows.len() > MAX_ENDINGS {
        return Ok(None);
    }
    let words =
        rows.iter().map(|row| Ok(format!("\"{}\"", get::<String>(row, 0)?))).collect::<Result<Vec<_>, StoreError>>()?;
    let endings = if words.is_empty() { format!("\"{begun}\"") } else { format!("({})", words.join(" OR ")) };
    Ok(Some(if others.is_empty() { endings } else { format!("{others} AND {endings}") }))
}

/// The rows `p` that a question finds, one after another as the index has them: best for counting.
pub(super) const fn rows_with_words(dialect: Dialect) -> &'static str {
    match dialect {
        // CROSS JOIN: the words come first, whatever the optimiser thinks.
        Dialect::Sqlite => "parcours_search CROSS JOIN parcours p ON p.id = parcours_search.rowid",
        Dialect::Postgres => "parcours_search s JOIN parcours p ON p.id = s.id",
    }
}

/// The condition that goes with [`rows_with_words`].
pub(super) fn words_match(dialect: Dialect, value: &str) -> String {
    match dialect {
        Dialect::Sqlite => format!("parcours_search MATCH {value}"),
        Dialect::Postgres => format!("s.words @@ {value}::tsquery"),
    }
}

/// The ids that a query finds; `value` is its placeholder.
pub(super) fn ids_with_words(dialect: Dialect, value: &str) -> String {
    match dialect {
        Dialect::Sqlite => format!("SELECT rowid FROM parcours_search WHERE parcours_search MATCH {value}"),
        Dialect::Postgres => format!("SELECT id FROM parcours_search WHERE words @@ {value}::tsquery"),
    }
}

/// The condition that the row `p` is one of few that a query finds: the query is asked first, once.
pub(super) fn is_among_words(dialect: Dialect, value: &str) -> String {
    let found = ids_with_words(dialect, value);
    match dialect {
        Dialect::Sqlite => format!("p.id IN ({found})"),
        Dialect::Postgres => format!("p.id = ANY (ARRAY({found}))"),
    }
}

/// Whether the row `p` has the words asked for, one row at a time.
pub(crate) fn has_words(dialect: Dialect, value: &str) -> String {
    match dialect {
        Dialect::Sqlite => {
            format!("EXISTS (SELECT 1 FROM parcours_search WHERE parcours_search MATCH {value} AND rowid = p.id)")
        }
        Dialect::Postgres => {
            format!("EXISTS (SELECT 1 FROM parcours_search s WHERE s.id = p.id AND s.words @@ {value}::tsquery)")
        }
    }
}

/// The same on PostgreSQL for rows that are few: `OFFSET 0` keeps it from looking for all rows with the words first.
pub(super) fn is_tested(value: &str) -> String {
    format!("EXISTS (SELECT 1 FROM parcours_search s WHERE s.id = p.id AND s.words @@ {value}::tsquery OFFSET 0)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_asked_for_and_the_last_one_may_be_begun() {
        assert_eq!(question(Dialect::Sqlite, " Forêt d'Été ").as_deref(), Some(r#""foret" AND "d" AND "ete"*"#));
        assert_eq!(question(Dialect::Postgres, "Lac BL").as_deref(), Some("'lac' & 'bl':*"));
        assert_eq!(question(Dialect::Sqlite, " ,;'\" "), None);
    }

    #[test]
    fn nothing_typed_becomes_an_operator() {
        assert_eq!(question(Dialect::Sqlite, "a\" OR b*").as_deref(), Some(r#""a" AND "or" AND "b"*"#));
        assert_eq!(question(Dialect::Postgres, "a' | !b:*").as_deref(), Some("'a' & 'b':*"));
    }
}
