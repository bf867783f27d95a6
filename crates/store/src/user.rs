//! Users: the sheet that administrators edit, and the account.

mod account;
mod second_factor;

pub use account::{
    Account, Preferences, accounts, clear_invitation, credentials, hold_password, password_hash, set_invited_at,
    set_last_login_at, set_password, set_preferences, set_status,
};
use domain::record::Kind;
use domain::{Instant, Locale, Role, StructureId, Text, User, UserId, UserSheet, UserStatus, WhiteLabelId, fold};
use sea_orm::{QueryResult, Value};
pub use second_factor::{
    SecondFactor, drop_totp, enable_totp, offer_totp, second_factor, take_recovery_code, take_totp_step,
};

use crate::record::{Change, Conditions, Counted, Record, Sorted, Stored, Words, insert_with, load_many, page_of};
use crate::sql::{all, execute, for_update, get, one};
use crate::{Connection, Page, StoreError, Tx, advisory_lock, personal_token, row, search, session, white_label};

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
            personal_token::delete_all_of(tx, id.into()).await?;
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
    let sql = format!(r#"SELECT {COLUMNS} FROM "user" WHERE id = $1"#);
    let Some(row) = one(db, &sql, [id.0.into()]).await? else { return Ok(None) };
    to_user(&row, white_labels_of(db, id.0).await?).map(Some)
}

/// One person, locked until the transaction ends. Links to choose a password are made and used under this lock: none is sent to an address
/// that the person no longer has, and no two work at once.
pub async fn lock(tx: &Tx, id: UserId) -> Result<Option<User>, StoreError> {
    let sql = format!(r#"SELECT {COLUMNS} FROM "user" WHERE id = $1{}"#, for_update(tx.dialect(), r#""user""#));
    let Some(row) = one(tx, &sql, [id.0.into()]).await? else { return Ok(None) };
    to_user(&row, white_labels_of(tx, id.0).await?).map(Some)
}

/// The person of an address, and their hashed password.
pub async fn find_by_email(db: &impl Connection, email: &str) -> Result<Option<(User, String)>, StoreError> {
    let sql = format!(r#"SELECT {COLUMNS}, password_hash FROM "user" WHERE email = $1"#);
    let Some(row) = one(db, &sql, [email.into()]).await? else { return Ok(None) };
    let user = to_user(&row, white_labels_of(db, get(&row, "id")?).await?)?;
    Ok(Some((user, get(&row, "password_hash")?)))
}

/// The white-labels a person's role opens to them: all, their structure's, or those of it that they were given.
pub async fn reachable(db: &impl Connection, user: &User) -> Result<Vec<WhiteLabelId>, StoreError> {
    match user.role {
        Role::Superadmin => white_label::ids(db, None).await,
        Role::Admin => white_label::ids(db, Some(user.structure_id)).await,
        Role::Agency | Role::Editor | Role::Reader => {
            // One that went to another structure since is no longer theirs.
            let theirs = white_label::ids(db, Some(user.structure_id)).await?;
            Ok(user.white_label_ids.iter().copied().filter(|id| theirs.contains(id)).collect())
        }
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

/// Locks the set of users who manage users until the transaction ends. Without the lock, two transactions that each remove one could leave none.
pub async fn lock_user_managers(tx: &Tx) -> Result<(), StoreError> {
    advisory_lock::hold(tx, advisory_lock::USER_MANAGERS).await
}

/// The number of users besides `beside` who may manage users: superadministrators, or the administrators of a structure.
pub async fn other_user_managers(db: &impl Connection, beside: i64, structure: Option<i64>) -> Result<i64, StoreError> {
    let which = match structure {
        None => "role = 'superadmin'".to_owned(),
        Some(id) => format!("role IN ('admin', 'superadmin') AND structure_id = {id}"),
    };
    let sql = format!(r#"SELECT COUNT(*) FROM "user" WHERE {which} AND status = 'active' AND id <> $1"#);
    Ok(one(db, &sql, [beside.into()]).await?.map(|row| get(&row, 0)).transpose()?.unwrap_or(0))
}

/// An active administrator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Administrator {
    /// First and last name.
    pub name: String,
    /// Mail address.
    pub email: String,
    /// The language of their interface.
    pub locale: Locale,
}

/// The active administrators of a structure, or the superadmins of the platform, the oldest accounts first.
pub async fn administrators(
    db: &impl Connection,
    structure: Option<i64>,
    limit: u64,
) -> Result<Vec<Administrator>, StoreError> {
    let which = match structure {
        None => "role = 'superadmin'".to_owned(),
        Some(id) => format!("role = 'admin' AND structure_id = {id}"),
    };
    let sql = format!(
        r#"SELECT id, first_name, last_name, email, locale FROM "user" WHERE {which} AND status = 'active' ORDER BY id LIMIT {limit}"#
    );
    all(db, &sql, [])
        .await?
        .iter()
        .map(|row| {
            let (id, locale): (i64, String) = (get(row, "id")?, get(row, "locale")?);
            let name = format!("{} {}", get::<String>(row, "first_name")?, get::<String>(row, "last_name")?);
            let locale = row::word("user", id, &locale, Locale::parse(&locale))?;
            Ok(Administrator { name: name.trim().to_owned(), email: get(row, "email")?, locale })
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
    let row = one(db, r#"SELECT COUNT(*) FROM "user""#, []).await?;
    Ok(row.map(|row| get::<i64>(&row, 0)).transpose()?.map_or(0, i64::unsigned_abs))
}

/// The white-labels that a person was given.
async fn white_labels_of(db: &impl Connection, id: i64) -> Result<Vec<WhiteLabelId>, StoreError> {
    let sql = "SELECT white_label_id FROM user_white_label WHERE user_id = $1 ORDER BY white_label_id";
    all(db, sql, [id.into()]).await?.iter().map(|row| get(row, 0).map(WhiteLabelId)).collect()
}

/// The columns that [`to_user`] reads.
const COLUMNS: &str =
    "id, structure_id, active_white_label_id, first_name, last_name, email, role, status, locale, advanced_view,
    single_keys, totp_enabled, created_at";

fn to_user(row: &QueryResult, white_label_ids: Vec<WhiteLabelId>) -> Result<User, StoreError> {
    let id: i64 = get(row, "id")?;
    let [role, status, locale]: [String; 3] = [get(row, "role")?, get(row, "status")?, get(row, "locale")?];
    Ok(User {
        id: UserId(id),
        role: row::word("user", id, &role, Role::parse(&role))?,
        status: row::word("user", id, &status, UserStatus::parse(&status))?,
        locale: row::word("user", id, &locale, Locale::parse(&locale))?,
        first_name: get(row, "first_name")?,
        last_name: get(row, "last_name")?,
        email: get(row, "email")?,
        totp_enabled: get(row, "totp_enabled")?,
        advanced_view: get(row, "advanced_view")?,
        single_keys: get(row, "single_keys")?,
        structure_id: StructureId(get(row, "structure_id")?),
        white_label_ids,
        active_white_label_id: get::<Option<i64>>(row, "active_white_label_id")?.map(WhiteLabelId),
        created_at: Instant(get(row, "created_at")?),
    })
}
