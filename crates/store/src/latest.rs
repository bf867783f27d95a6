//! The latest edits of everything, for the home page.

use domain::record::Kind;
use domain::{Actor, Instant, Text, UserId};

use crate::record::table_of;
use crate::sql::{all, get, numbers, person};
use crate::{Connection, StoreError};

/// An edit.
#[derive(Debug, Clone, PartialEq)]
pub struct Latest {
    pub kind: Kind,
    pub id: i64,
    pub title: Text,
    pub at: Instant,
    /// The user who saved it: id and full name.
    pub user: Option<(UserId, String)>,
}

/// The last edits of what the active white-label owns, newest first: one line a record.
pub async fn latest(db: &impl Connection, actor: &Actor, limit: usize) -> Result<Vec<Latest>, StoreError> {
    let mut found = Vec::new();
    for (kind, sheet) in [
        (Kind::Parcours, "JOIN parcours_card s ON s.parcours_id = n.id".to_owned()),
        (Kind::Poi, format!("JOIN record_sheet s ON s.kind = {} AND s.id = n.id", Kind::Poi.code())),
    ] {
        let text = if kind == Kind::Parcours { "s.card" } else { "s.sheet" };
        let sql = format!(
            r#"SELECT n.id, {text} AS text, n.updated_at, n.updated_by, u.first_name, u.last_name FROM {} n {sheet}
            LEFT JOIN "user" u ON u.id = n.updated_by WHERE n.white_label_id IN {} ORDER BY n.updated_at DESC, n.id DESC LIMIT {limit}"#,
            table_of(kind),
            numbers(&[actor.active_white_label_id.0]),
        );
        for row in all(db, &sql, []).await? {
            let id = get(&row, "id")?;
            found.push(Latest {
                kind,
                id,
                title: crate::parcours::title_of(id, &get::<String>(&row, "text")?)?,
                at: Instant(get(&row, "updated_at")?),
                user: person(&row, ["updated_by", "first_name", "last_name"])?,
            });
        }
    }
    found.sort_by_key(|edit| std::cmp::Reverse((edit.at, edit.id)));
    found.truncate(limit);
    Ok(found)
}
