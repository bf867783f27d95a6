//! `custom_value`: the values of white-labels' own fields, one row each, for lists, exports and counts.

use std::collections::HashMap;

use domain::WhiteLabelId;
use domain::record::Kind;
use domain::white_label::custom::{CustomTest, CustomValues, words_of};
use sea_orm::Value;

use crate::sql::{NumberList, all, execute, get, json, text};
use crate::{Connection, StoreError, Tx};

/// A filter of a list on a custom field of a white-label.
#[derive(Debug, Clone, PartialEq)]
pub struct CustomFilter {
    /// The white-label of the field: another white-label may use the same key for another field.
    pub white_label: WhiteLabelId,
    pub key: String,
    /// The condition on its value.
    pub test: CustomTest,
}

impl CustomFilter {
    /// The selection of the records of a kind that pass.
    pub(crate) fn found(&self, kind: Kind, mut bind: impl FnMut(Value) -> String) -> String {
        let (white_label, kind, key) = (self.white_label.0, kind.code(), bind(self.key.clone().into()));
        let passes = match &self.test {
            CustomTest::Holds(words) => format!("words LIKE {}", bind(format!("%{words}%").into())),
            CustomTest::Is(words) => format!("words = {}", bind(words.clone().into())),
            CustomTest::Within(from, to) => {
                format!("number BETWEEN {} AND {}", bind((*from).into()), bind((*to).into()))
            }
            CustomTest::Between(from, to) => {
                format!("words BETWEEN {} AND {}", bind(from.clone().into()), bind(to.clone().into()))
            }
        };
        format!(
            "SELECT record_id FROM custom_value WHERE white_label_id = {white_label} AND kind = {kind} AND key = {key} AND {passes}"
        )
    }
}

/// Writes the values of a record in the place of those it had. Two statements one after the other: PostgreSQL would not
/// see the first from the second if they were one.
pub(crate) async fn write(
    tx: &Tx,
    kind: Kind,
    id: i64,
    white_label: WhiteLabelId,
    values: &CustomValues,
) -> Result<(), StoreError> {
    forget(tx, kind, id).await?;
    if values.is_empty() {
        return Ok(());
    }
    let (mut places, mut bound) = (Vec::new(), Vec::new());
    let (white_label, code) = (white_label.0, kind.code());
    for (key, value) in values {
        let at = bound.len();
        places.push(format!(
            "({white_label}, {code}, ${}, {id}, ${}, ${}, CAST(${} AS DOUBLE PRECISION))",
            at + 1,
            at + 2,
            at + 3,
            at + 4
        ));
        let row: [Value; 4] = [key.clone().into(), text(value).into(), words_of(value).into(), value.as_f64().into()];
        bound.extend(row);
    }
    let sql = format!(
        "INSERT INTO custom_value (white_label_id, kind, key, record_id, value, words, number) VALUES {}",
        places.join(", ")
    );
    execute(tx, &sql, bound).await?;
    Ok(())
}

/// Forgets the values of a record.
pub(crate) async fn forget(tx: &Tx, kind: Kind, id: i64) -> Result<(), StoreError> {
    let sql = "DELETE FROM custom_value WHERE kind = $1 AND record_id = $2";
    execute(tx, sql, [kind.code().into(), id.into()]).await?;
    Ok(())
}

/// The values of these records.
pub async fn values_of(
    db: &impl Connection,
    kind: Kind,
    ids: &[i64],
) -> Result<HashMap<i64, CustomValues>, StoreError> {
    let list = NumberList::of(db, ids);
    let sql = format!(
        "SELECT record_id, key, value FROM custom_value WHERE kind = {} AND {}",
        kind.code(),
        list.has("record_id", 1)
    );
    let mut found: HashMap<i64, CustomValues> = HashMap::new();
    for row in all(db, &sql, list.value()).await? {
        let id: i64 = get(&row, 0)?;
        found.entry(id).or_default().insert(get(&row, 1)?, json("custom_value", id, &get::<String>(&row, 2)?)?);
    }
    Ok(found)
}

/// How many records hold a value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomUse {
    /// Parcours or POIs.
    pub kind: Kind,
    /// The key of the field.
    pub key: String,
    pub records: i64,
}

/// How many records of a white-label have a value of each field, deleted fields included.
pub async fn uses(db: &impl Connection, white_label: WhiteLabelId) -> Result<Vec<CustomUse>, StoreError> {
    let sql =
        "SELECT kind, key, COUNT(*) FROM custom_value WHERE white_label_id = $1 GROUP BY kind, key ORDER BY kind, key";
    let mut found = Vec::new();
    for row in all(db, sql, [white_label.0.into()]).await? {
        let Some(kind) = Kind::of_code(get(&row, 0)?) else { continue };
        found.push(CustomUse { kind, key: get(&row, 1)?, records: get(&row, 2)? });
    }
    Ok(found)
}
