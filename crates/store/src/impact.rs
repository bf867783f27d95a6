//! What an action would affect: the white-labels that show a record, the parcours that use it, the share links to them.

use domain::impact::Action;
use domain::record::Kind;
use domain::{Actor, Instant, Text, WhiteLabelId};

use crate::parcours::{titles, visible_to};
use crate::sql::{all, get, is_own, one};
use crate::uses::users_of;
use crate::{Connection, StoreError};

/// The record that an action is done to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject {
    pub kind: Kind,
    pub id: i64,
    /// The owner's white-label: the impact on itself is not listed.
    pub owner: Option<WhiteLabelId>,
    /// Whether the user is of its owner. Others get what is shown to them anyway: no drafts, no share links, and no white-label that has added it
    /// without publishing it (decision 0031).
    pub is_theirs: bool,
}

/// Named records: the first of them, and how many in all.
#[derive(Debug, Clone, PartialEq)]
pub struct Affected<T> {
    /// The first of them.
    pub items: Vec<T>,
    pub total: i64,
    /// How many of them the user may not see: they are not named.
    pub hidden_total: i64,
}

/// Share links that work now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AffectedShares {
    /// Links that work while their parcours is published.
    pub permanent: i64,
    /// Links that end on a date.
    pub temporary: i64,
    /// How often they were opened, all together.
    pub opened: i64,
    /// Links whose QR code was downloaded as a picture.
    pub qr_printed: i64,
}

/// What an action would affect.
#[derive(Debug, Clone, PartialEq)]
pub struct Impact {
    /// Other white-labels that show it, by name.
    pub white_labels: Affected<(i64, String)>,
    /// Parcours that use it.
    pub parcours: Affected<(i64, Text)>,
    /// Links that lead to it.
    pub shares: AffectedShares,
}

/// The records that an action would affect: at most `limit` of each kind by name, of those that the user may see.
pub async fn reach(
    db: &impl Connection,
    actor: &Actor,
    subject: Subject,
    action: Action,
    now: Instant,
    limit: usize,
) -> Result<Impact, StoreError> {
    let users = users(subject, action);
    let seen = format!("SELECT p.id FROM parcours p JOIN ({users}) c ON c.id = p.id WHERE {}", visible_to(actor));
    Ok(Impact {
        white_labels: white_labels(db, actor, subject, action, &seen, limit).await?,
        parcours: parcours(db, subject, (&users, &seen), limit).await?,
        shares: shares(db, actor, subject, action, &users, now).await?,
    })
}

/// Selects the parcours that would be affected.
fn users(Subject { kind, id, .. }: Subject, action: Action) -> String {
    if kind == Kind::Closure {
        // A closure has no reference to the parcours that it touches.
        return format!("SELECT parcours_id AS id FROM parcours_closure WHERE closure_id = {id}");
    }
    if kind != Kind::Parcours {
        return format!("SELECT u.id FROM ({}) u WHERE u.kind = {}", users_of(kind, id), Kind::Parcours.code());
    }
    match action {
        // Those shown under it.
        Action::Unpublish => format!("SELECT id FROM parcours WHERE parent_id = {id}"),
        // And the copies that know it as their model.
        Action::Delete => format!("SELECT id FROM parcours WHERE parent_id = {id} OR model_id = {id}"),
        // Each parcours has its own line.
        Action::ChangeTrace => "SELECT id FROM parcours WHERE 1 = 0".to_owned(),
    }
}

/// The parcours that use it, of which the user sees the second query's. Only people of its owner learn how many the others are.
async fn parcours(
    db: &impl Connection,
    subject: Subject,
    (users, seen): (&str, &str),
    limit: usize,
) -> Result<Affected<(i64, Text)>, StoreError> {
    let named = count(db, &format!("SELECT COUNT(*) FROM ({seen}) c")).await?;
    let total = if subject.is_theirs { count(db, &format!("SELECT COUNT(*) FROM ({users}) c")).await? } else { named };
    let rows = all(db, &format!("{seen} ORDER BY p.id LIMIT {limit}"), []).await?;
    let ids = rows.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
    Ok(Affected { items: titles(db, &ids).await?, total, hidden_total: total - named })
}

/// The white-labels that show it, except its owner: a draft that was added there is not public, but goes with it. `seen` selects the parcours that
/// use it and that the user sees: a white-label is not named because of another one.
async fn white_labels(
    db: &impl Connection,
    actor: &Actor,
    Subject { kind, id, owner, is_theirs }: Subject,
    action: Action,
    seen: &str,
    limit: usize,
) -> Result<Affected<(i64, String)>, StoreError> {
    let added = |published: &str| match action {
        Action::Delete if is_theirs => String::new(),
        // Its own addition is known to a white-label.
        Action::Delete => format!(" AND ({published} OR {})", is_own(actor, "white_label_id")),
        Action::Unpublish | Action::ChangeTrace => format!(" AND {published}"),
    };
    let mut parts = Vec::new();
    if kind == Kind::Parcours {
        let shown = added("published <> 0");
        parts.push(format!("SELECT white_label_id AS id FROM parcours_white_label WHERE parcours_id = {id}{shown}"));
    } else {
        let shown = added("published");
        let code = kind.code();
        parts.push(format!(
            "SELECT white_label_id AS id FROM record_white_label WHERE kind = {code} AND record_id = {id}{shown}"
        ));
        // The white-labels it is a part of, for example as logo; and those that show the parcours that use it.
        let label = Kind::WhiteLabel.code();
        parts.push(format!("SELECT u.id FROM ({}) u WHERE u.kind = {label}", users_of(kind, id)));
        parts.push(format!("SELECT p.white_label_id FROM parcours p JOIN ({seen}) u ON u.id = p.id"));
        parts.push(format!(
            "SELECT l.white_label_id FROM parcours_white_label l JOIN ({seen}) u ON u.id = l.parcours_id WHERE l.published <> 0"
        ));
    }
    let found = parts.join(" UNION ");
    let itself = if kind == Kind::WhiteLabel { Some(id) } else { owner.map(|owner| owner.0) };
    let others = format!("FROM white_label w JOIN ({found}) f ON f.id = w.id WHERE w.id <> {}", itself.unwrap_or(0));
    let total = count(db, &format!("SELECT COUNT(*) {others}")).await?;
    let rows = all(db, &format!("SELECT w.id, w.name {others} ORDER BY w.name, w.id LIMIT {limit}"), []).await?;
    let items = rows.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect::<Result<Vec<_>, StoreError>>()?;
    // White-labels are a directory: every signed-in user sees their names.
    Ok(Affected { items, total, hidden_total: 0 })
}

/// The links that work now, to it or to the parcours that use it. A temporary one works without publication: unpublishing its parcours does not end
/// it. The links of a parcours, and how often they were opened, are known to people of its owner alone.
async fn shares(
    db: &impl Connection,
    actor: &Actor,
    Subject { kind, id, is_theirs, .. }: Subject,
    action: Action,
    users: &str,
    now: Instant,
) -> Result<AffectedShares, StoreError> {
    if !is_theirs {
        return Ok(AffectedShares::default());
    }
    let shown = if kind == Kind::Parcours { format!("SELECT {id} AS id") } else { users.to_owned() };
    let keeps_temporary = kind == Kind::Parcours && action == Action::Unpublish;
    let kinds = if keeps_temporary {
        "s.kind = 'permanent' AND p.published <> 0"
    } else {
        "(s.kind = 'temporary' OR p.published <> 0)"
    };
    let sql = format!(
        "SELECT s.kind, COUNT(*) AS total, CAST(COALESCE(SUM(s.opened), 0) AS BIGINT) AS opened,
          COUNT(s.qr_taken_at) AS qr_taken
        FROM parcours_share s JOIN parcours p ON p.id = s.parcours_id JOIN ({shown}) u ON u.id = p.id
        WHERE s.revoked_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > {}) AND {kinds} AND {} GROUP BY s.kind",
        now.0,
        is_own(actor, "p.white_label_id")
    );
    let mut found = AffectedShares::default();
    for row in all(db, &sql, []).await? {
        let of_kind =
            if get::<String>(&row, "kind")? == "permanent" { &mut found.permanent } else { &mut found.temporary };
        *of_kind = get(&row, "total")?;
        found.opened += get::<i64>(&row, "opened")?;
        found.qr_printed += get::<i64>(&row, "qr_taken")?;
    }
    Ok(found)
}

async fn count(db: &impl Connection, sql: &str) -> Result<i64, StoreError> {
    Ok(one(db, sql, []).await?.map(|row| get(&row, 0)).transpose()?.unwrap_or(0))
}
