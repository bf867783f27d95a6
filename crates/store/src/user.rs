//! People who sign in: what their administrators keep of them, and their account.

mod account;
mod second_factor;

use std::collections::HashMap;

pub use account::{
    Account, Preferences, accounts, credentials, is_invited, is_not_invited, password_hash, replace_password,
    set_password, set_preferences, set_status, signed_in_at,
};
use domain::record::Kind;
use domain::{Instant, Locale, Role, StructureId, Text, User, UserId, UserSheet, UserStatus, WhiteLabelId, fold};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, Value};
pub use second_factor::{
    SecondFactor, drop_totp, enable_totp, offer_totp, second_factor, take_recovery_code, take_totp_step,
};

use crate::entity::{user, user_white_label};
use crate::record::{Change, Conditions, Counted, Record, Sorted, Stored, Words, insert_with, load_many, page_of};
use crate::sql::{all, execute, get, one};
use crate::{Connection, Page, StoreError, Tx, page, row, search, session, white_label};

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct Users;

impl Record for Users {
    type Sheet = UserSheet;
    const KIND: Kind = Kind::User;
    const TABLE: &'static str = "\"user\"";
    const WORDS: Option<Words> = Some(Words(search::USER));

    fn columns(record: &Stored<UserSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        vec![
            ("structure_id", sheet.structure_id.into()),
            ("first_name", sheet.first_name.clone().into()),
            ("last_name", sheet.last_name.clone().into()),
            ("email", sheet.email.clone().into()),
            ("role", sheet.role.as_str().into()),
            ("status", sheet.status.as_str().into()),
            ("locale", sheet.locale.as_str().into()),
            ("sort_title", fold(&format!("{} {}", sheet.last_name, sheet.first_name)).into()),
        ]
    }

    fn title(sheet: &UserSheet) -> Text {
        Text::in_french(sheet.full_name())
    }

    fn words(sheet: &UserSheet) -> String {
        let more = [sheet.city.as_deref(), sheet.phone.as_deref(), sheet.billing_client_id.as_deref()];
        format!("{} {} {}", sheet.full_name(), sheet.email, more.map(Option::unwrap_or_default).join(" "))
    }

    fn structure(sheet: &UserSheet) -> Option<i64> {
        Some(sheet.structure_id)
    }

    /// An empty hash, which no password has: a restored user chooses a new password, as an invited one does.
    fn born_with() -> Vec<(&'static str, Value)> {
        vec![("advanced_view", false.into()), ("password_hash", "".into())]
    }

    async fn saved(tx: &Tx, record: &Stored<UserSheet>) -> Result<(), StoreError> {
        let (id, sheet) = (record.id, &record.sheet);
        execute(tx, "DELETE FROM user_white_label WHERE user_id = $1", [id.into()]).await?;
        for white_label in &sheet.white_label_ids {
            let sql = "INSERT INTO user_white_label (user_id, white_label_id) VALUES ($1, $2)";
            execute(tx, sql, [id.into(), (*white_label).into()]).await?;
        }
        if sheet.status == UserStatus::Blocked {
            session::delete_all_of(tx, id.into()).await?;
            crate::password_reset::delete_all_of(tx, id.into()).await?;
        }
        Ok(())
    }
}

/// The filters of a list of people.
#[derive(Debug, Clone, Default)]
pub struct UserFilter {
    /// Only users of this structure, the reader's own.
    pub within: Option<StructureId>,
    /// Every one of these words.
    pub search: Option<String>,
    /// With one of these roles.
    pub roles: Vec<Role>,
    /// With this status.
    pub status: Option<UserStatus>,
    /// Only those of one of these structures.
    pub structures: Vec<i64>,
    /// Given this white-label.
    pub white_label: Option<WhiteLabelId>,
    /// Among these.
    pub ids: Option<Vec<i64>>,
}

/// A person to be.
#[derive(Debug, Clone)]
pub struct NewUser<'a> {
    /// Given name.
    pub first_name: &'a str,
    /// Family name.
    pub last_name: &'a str,
    /// Address, in small letters.
    pub email: &'a str,
    /// What they are.
    pub role: Role,
    /// Language of their interface and mails.
    pub locale: Locale,
    /// The structure that employs them.
    pub structure_id: StructureId,
    /// The white-labels they are given; the first is the one they look at.
    pub white_label_ids: &'a [WhiteLabelId],
    /// Their password, hashed.
    pub password_hash: &'a str,
}

/// A page of the people. `sort`: `title`, `email`, `role`, `last_login_at`, `updated_at`, each with `-` for the other way;
/// none when it is another word.
pub async fn list(
    db: &impl Connection,
    filter: &UserFilter,
    sort: &str,
    page: Page,
) -> Result<Option<(Vec<Stored<UserSheet>>, Counted)>, StoreError> {
    let offered = [
        ("title", "sort_title"),
        ("email", "email"),
        ("role", "role"),
        ("last_login_at", "COALESCE(n.last_login_at, 0)"),
        ("updated_at", "updated_at"),
    ];
    let Some(sorted) = Sorted::parse(sort, &offered) else { return Ok(None) };
    let mut found = Conditions::default();
    found.within("structure_id", filter.within.map(|id| vec![id.0]).as_deref());
    found.within("structure_id", Some(filter.structures.as_slice()).filter(|ids| !ids.is_empty()));
    found.within("id", filter.ids.as_deref());
    found.pointing(Kind::User, Kind::WhiteLabel, filter.white_label.map(|id| vec![id.0]).as_deref());
    if let Some(status) = filter.status {
        found.and(format!("n.status = '{}'", status.as_str()));
    }
    if !filter.roles.is_empty() {
        let words: Vec<String> = filter.roles.iter().map(|role| format!("'{}'", role.as_str())).collect();
        found.and(format!("n.role IN ({})", words.join(",")));
    }
    found.words(db, search::USER, filter.search.as_deref());
    let (ids, counted) = page_of(db, Users::TABLE, &found, sorted, page).await?;
    Ok(Some((load_many::<Users>(db, &ids).await?, counted)))
}

/// One person.
pub async fn find(db: &impl Connection, id: UserId) -> Result<Option<User>, StoreError> {
    let Some(row) = user::Entity::find_by_id(id.0).one(&db.executor()).await? else { return Ok(None) };
    let links = links(db, vec![row.id]).await?;
    to_user(row, &links).map(Some)
}

/// The person of an address, and their hashed password.
pub async fn find_by_email(db: &impl Connection, email: &str) -> Result<Option<(User, String)>, StoreError> {
    let found = user::Entity::find().filter(user::Column::Email.eq(email)).one(&db.executor()).await?;
    let Some(row) = found else { return Ok(None) };
    let links = links(db, vec![row.id]).await?;
    let hash = row.password_hash.clone();
    Ok(Some((to_user(row, &links)?, hash)))
}

/// The white-labels a person's role opens to them: all, their structure's, or those they were given.
pub async fn reachable(db: &impl Connection, user: &User) -> Result<Vec<WhiteLabelId>, StoreError> {
    match user.role {
        Role::Superadmin => white_label::ids(db, None).await,
        Role::Admin => white_label::ids(db, Some(user.structure_id)).await,
        Role::Agency | Role::Editor | Role::Reader => Ok(user.white_label_ids.clone()),
    }
}

/// Adds a user who has a password already.
pub async fn insert(tx: &Tx, new: NewUser<'_>, now: Instant) -> Result<UserId, StoreError> {
    let mut blank = Stored::blank(None, now);
    blank.sheet = UserSheet {
        first_name: new.first_name.to_owned(),
        last_name: new.last_name.to_owned(),
        email: new.email.to_owned(),
        role: new.role,
        locale: new.locale,
        structure_id: new.structure_id.0,
        white_label_ids: new.white_label_ids.iter().map(|id| id.0).collect(),
        ..UserSheet::default()
    };
    let extra: Vec<(&'static str, Value)> = vec![
        ("active_white_label_id", new.white_label_ids.first().map(|id| id.0).into()),
        ("password_hash", new.password_hash.into()),
    ];
    let change = Change { by: None, at: now, reason: None, languages: &[] };
    Ok(insert_with::<Users>(tx, blank, extra, change).await?.id.into())
}

/// How many other users manage users: superadmins anywhere, or administrators of a structure.
pub async fn other_caretakers(db: &impl Connection, beside: i64, structure: Option<i64>) -> Result<i64, StoreError> {
    let which = match structure {
        None => "role = 'superadmin'".to_owned(),
        Some(id) => format!("role IN ('admin', 'superadmin') AND structure_id = {id}"),
    };
    let sql = format!(r#"SELECT COUNT(*) FROM "user" WHERE {which} AND status = 'active' AND id <> $1"#);
    Ok(one(db, &sql, [beside.into()]).await?.map(|row| get(&row, 0)).transpose()?.unwrap_or(0))
}

/// The active administrators of a structure, or the superadmins of the platform: name and address, the first ones kept first.
pub async fn administrators(
    db: &impl Connection,
    structure: Option<i64>,
    limit: u64,
) -> Result<Vec<(String, String)>, StoreError> {
    let which = match structure {
        None => "role = 'superadmin'".to_owned(),
        Some(id) => format!("role = 'admin' AND structure_id = {id}"),
    };
    let sql = format!(
        r#"SELECT first_name, last_name, email FROM "user" WHERE {which} AND status = 'active' ORDER BY id LIMIT {limit}"#
    );
    all(db, &sql, [])
        .await?
        .iter()
        .map(|row| {
            let name = format!("{} {}", get::<String>(row, 0)?, get::<String>(row, 1)?);
            Ok((name.trim().to_owned(), get(row, 2)?))
        })
        .collect()
}

/// How many others of a structure may sign in.
pub async fn others_of(db: &impl Connection, beside: i64, structure: i64) -> Result<i64, StoreError> {
    let sql = r#"SELECT COUNT(*) FROM "user" WHERE structure_id = $1 AND status = 'active' AND id <> $2"#;
    Ok(one(db, sql, [structure.into(), beside.into()]).await?.map(|row| get(&row, 0)).transpose()?.unwrap_or(0))
}

/// How many there are.
pub async fn count(db: &impl Connection) -> Result<u64, StoreError> {
    page::count(db, user::Entity::find()).await
}

async fn links(db: &impl Connection, users: Vec<i64>) -> Result<HashMap<i64, Vec<WhiteLabelId>>, StoreError> {
    let rows = user_white_label::Entity::find()
        .filter(user_white_label::Column::UserId.is_in(users))
        .order_by_asc(user_white_label::Column::WhiteLabelId)
        .all(&db.executor())
        .await?;
    let mut links: HashMap<i64, Vec<WhiteLabelId>> = HashMap::new();
    for link in rows {
        links.entry(link.user_id).or_default().push(link.white_label_id.into());
    }
    Ok(links)
}

fn to_user(row: user::Model, links: &HashMap<i64, Vec<WhiteLabelId>>) -> Result<User, StoreError> {
    Ok(User {
        id: row.id.into(),
        role: row::word("user", row.id, &row.role, Role::parse(&row.role))?,
        status: row::word("user", row.id, &row.status, UserStatus::parse(&row.status))?,
        locale: row::word("user", row.id, &row.locale, Locale::parse(&row.locale))?,
        first_name: row.first_name,
        last_name: row.last_name,
        email: row.email,
        totp_enabled: row.totp_enabled,
        advanced_view: row.advanced_view,
        single_keys: row.single_keys,
        structure_id: row.structure_id.into(),
        white_label_ids: links.get(&row.id).cloned().unwrap_or_default(),
        active_white_label_id: row.active_white_label_id.map(WhiteLabelId),
        created_at: Instant(row.created_at),
    })
}
