//! People who sign in.

use std::collections::HashMap;

use domain::{Instant, Locale, Role, StructureId, User, UserId, UserStatus, WhiteLabelId};
use sea_orm::ActiveValue::{NotSet, Set, Unchanged};
use sea_orm::sea_query::{Expr, ExprTrait, Func};
use sea_orm::{ActiveModelTrait, ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder};

use crate::entity::{user, user_white_label};
use crate::{Connection, Listed, Page, StoreError, Tx, page, row, white_label};

/// What a list of people is narrowed to.
#[derive(Debug, Clone, Default)]
pub struct UserFilter {
    /// Of this structure.
    pub structure: Option<StructureId>,
    /// Whose name or address holds this.
    pub search: Option<String>,
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

/// What a person may change of their own account. None leaves it as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Preferences {
    /// Language of their interface and mails.
    pub locale: Option<Locale>,
    /// Whether they want every field.
    pub advanced_view: Option<bool>,
    /// The white-label they look at.
    pub active_white_label_id: Option<WhiteLabelId>,
}

/// A page of the people, by name.
pub async fn list(db: &impl Connection, filter: &UserFilter, page: Page) -> Result<Listed<User>, StoreError> {
    let mut select = user::Entity::find();
    if let Some(structure) = filter.structure {
        select = select.filter(user::Column::StructureId.eq(structure.0));
    }
    for word in filter.search.iter().flat_map(|asked| asked.split_whitespace()).take(8) {
        let pattern = format!("%{}%", word.to_lowercase().replace(['%', '_', '\\'], ""));
        let holds = |column: user::Column| Expr::expr(Func::lower(Expr::col(column))).like(&pattern);
        select = select.filter(
            Condition::any()
                .add(holds(user::Column::FirstName))
                .add(holds(user::Column::LastName))
                .add(holds(user::Column::Email)),
        );
    }
    let order = |select: sea_orm::Select<_>| select.order_by_asc(user::Column::LastName).order_by_asc(user::Column::Id);
    let rows = page::fetch(db, select, order, page).await?;
    let links = links(db, rows.items.iter().map(|row| row.id).collect()).await?;
    rows.try_map(|row| to_user(row, &links))
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

/// Adds a person.
pub async fn insert(tx: &Tx, new: NewUser<'_>, now: Instant) -> Result<UserId, StoreError> {
    let row = user::ActiveModel {
        id: NotSet,
        structure_id: Set(new.structure_id.0),
        active_white_label_id: Set(new.white_label_ids.first().map(|id| id.0)),
        first_name: Set(new.first_name.to_owned()),
        last_name: Set(new.last_name.to_owned()),
        email: Set(new.email.to_owned()),
        role: Set(new.role.as_str().to_owned()),
        status: Set(UserStatus::Active.as_str().to_owned()),
        locale: Set(new.locale.as_str().to_owned()),
        advanced_view: Set(false),
        password_hash: Set(new.password_hash.to_owned()),
        created_at: Set(now.0),
    };
    let id = user::Entity::insert(row).exec(&tx.executor()).await?.last_insert_id;
    for white_label in new.white_label_ids {
        let link = user_white_label::ActiveModel { user_id: Set(id), white_label_id: Set(white_label.0) };
        user_white_label::Entity::insert(link).exec_without_returning(&tx.executor()).await?;
    }
    Ok(id.into())
}

/// Changes what a person chose for themselves.
pub async fn set_preferences(tx: &Tx, id: UserId, chosen: Preferences) -> Result<(), StoreError> {
    let mut row = user::ActiveModel { id: Unchanged(id.0), ..Default::default() };
    if let Some(locale) = chosen.locale {
        row.locale = Set(locale.as_str().to_owned());
    }
    if let Some(advanced) = chosen.advanced_view {
        row.advanced_view = Set(advanced);
    }
    if let Some(white_label) = chosen.active_white_label_id {
        row.active_white_label_id = Set(Some(white_label.0));
    }
    if row.is_changed() {
        row.update(&tx.executor()).await?;
    }
    Ok(())
}

/// Gives a person another password.
pub async fn set_password(tx: &Tx, id: UserId, hash: &str) -> Result<(), StoreError> {
    let row = user::ActiveModel { id: Unchanged(id.0), password_hash: Set(hash.to_owned()), ..Default::default() };
    row.update(&tx.executor()).await?;
    Ok(())
}

/// Blocks a person or lets them in again. Their sessions are another module's.
pub async fn set_status(tx: &Tx, id: UserId, status: UserStatus) -> Result<(), StoreError> {
    let row = user::ActiveModel { id: Unchanged(id.0), status: Set(status.as_str().to_owned()), ..Default::default() };
    row.update(&tx.executor()).await?;
    Ok(())
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
        advanced_view: row.advanced_view,
        structure_id: row.structure_id.into(),
        white_label_ids: links.get(&row.id).cloned().unwrap_or_default(),
        active_white_label_id: row.active_white_label_id.map(WhiteLabelId),
        created_at: Instant(row.created_at),
    })
}
