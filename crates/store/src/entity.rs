//! Rows of the tables. They are not used outside this crate.

/// Declares a table: its columns, and nothing else. Relations are written as queries where they are used.
macro_rules! table {
    ($(#[$doc:meta])* $module:ident, $name:literal, { $($(#[$attr:meta])* $column:ident : $type:ty,)+ }) => {
        $(#[$doc])*
        pub(crate) mod $module {
            use sea_orm::entity::prelude::*;

            #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
            #[sea_orm(table_name = $name)]
            pub(crate) struct Model { $($(#[$attr])* pub(crate) $column: $type,)+ }

            #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
            pub(crate) enum Relation {}

            impl ActiveModelBehavior for ActiveModel {}
        }
    };
}

table!(white_label, "white_label", {
    #[sea_orm(primary_key)]
    id: i64,
    structure_id: i64,
    name: String,
    slug: String,
    kind: String,
    initials: String,
    color: String,
    domain: Option<String>,
});

table!(user, "user", {
    #[sea_orm(primary_key)]
    id: i64,
    structure_id: i64,
    active_white_label_id: Option<i64>,
    first_name: String,
    last_name: String,
    email: String,
    role: String,
    status: String,
    locale: String,
    advanced_view: bool,
    single_keys: bool,
    totp_enabled: bool,
    password_hash: String,
    created_at: i64,
});

table!(user_white_label, "user_white_label", {
    #[sea_orm(primary_key, auto_increment = false)]
    user_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    white_label_id: i64,
});

table!(session, "session", {
    #[sea_orm(primary_key)]
    id: i64,
    token_hash: Vec<u8>,
    user_id: i64,
    created_at: i64,
    expires_at: i64,
    last_seen_at: i64,
    browser: String,
    system: String,
});

table!(password_reset, "password_reset", {
    #[sea_orm(primary_key, auto_increment = false)]
    token_hash: Vec<u8>,
    user_id: i64,
    expires_at: i64,
});

table!(login_failure, "login_failure", {
    #[sea_orm(primary_key, auto_increment = false)]
    subject: String,
    faded_at: i64,
    last_at: i64,
    failed_at: i64,
});

table!(vocabulary, "vocabulary", {
    #[sea_orm(primary_key)]
    id: i64,
    kind: String,
    code: String,
    parent_id: Option<i64>,
    label: Json,
    description: Json,
    icon: Option<String>,
    color: Option<String>,
    position: i64,
    attributes: Json,
    version: i64,
});
