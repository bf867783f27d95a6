//! `jalon user create`: the first account, or one more.

use domain::audit::{Action, Detail, Event, On, Outcome, Who};
use domain::record::Kind;
use domain::white_label::WhiteLabelSheet;
use domain::{Locale, Role, StructureId, UserId, WhiteLabelId, check_password, normalise_email};
use rand::distr::{Alphanumeric, SampleString as _};
use store::{Store, StoreError, Tx, audit, structure, user, white_label};

use crate::cli::UserCreate;
use crate::{output, wiring};

/// Why an account was not made, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum UserCreateError {
    /// The arguments cannot be used.
    #[error("{0}")]
    Refused(String),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes the account; its structure and white-label too when they are not there.
pub async fn create(store: &Store, asked: &UserCreate) -> Result<(), UserCreateError> {
    let refused = |text: String| UserCreateError::Refused(text);
    let names = [
        ("--first-name", &asked.first_name),
        ("--last-name", &asked.last_name),
        ("--structure", &asked.structure),
        ("--white-label", &asked.white_label),
    ];
    if let Some((flag, _)) = names.into_iter().find(|(_, name)| name.trim().is_empty()) {
        return Err(refused(format!("{flag} must not be empty")));
    }
    let email =
        normalise_email(&asked.email).ok_or_else(|| refused(format!("`{}` is not an e-mail address", asked.email)))?;
    let role = Role::parse(&asked.role).ok_or_else(|| {
        refused(format!("`{}` is not a role: superadmin, admin, agency, editor or reader", asked.role))
    })?;
    let generated = asked.password.is_none();
    let password = asked.password.clone().unwrap_or_else(|| Alphanumeric.sample_string(&mut rand::rng(), 20));
    check_password(&password, &[&asked.first_name, &asked.last_name, &email])
        .map_err(|fault| refused(format!("the password is refused: {}", fault.as_str().replace('_', " "))))?;
    if user::find_by_email(store.read(), &email).await?.is_some() {
        return Err(refused(format!("{email} already has an account")));
    }

    let tx = store.begin().await?;
    let structure_id = structure_named(&tx, &asked.structure).await?;
    let white_label_id = white_label_named(&tx, structure_id, &asked.white_label).await?;
    let new = user::NewUser {
        first_name: &asked.first_name,
        last_name: &asked.last_name,
        email: &email,
        role,
        locale: Locale::Fr,
        structure_id,
        white_label_ids: &[white_label_id],
        password_hash: &hash(&password)?,
    };
    let id = user::insert(&tx, new, wiring::now()).await?;
    audit::record(&tx, made(id, structure_id)).await?;
    tx.commit().await?;

    output::line(format!("{email} can sign in as {}.", role.as_str()));
    if generated {
        output::line(format!("Password, shown once: {password}"));
    }
    Ok(())
}

/// The event of the journal: it has no author, as the command line acts.
fn made(id: UserId, structure: StructureId) -> Event {
    Event {
        at: wiring::now(),
        who: Who::default(),
        network: None,
        action: Action::UserCreated,
        on: On { structure: Some(structure), ..On::record(Kind::User, id.0) },
        outcome: Outcome::Done,
        detail: Detail::None,
        request_id: String::new(),
    }
}

/// The stored hash of a password: argon2id, 19 MiB, 2 passes, 1 lane.
pub fn hash(password: &str) -> Result<String, UserCreateError> {
    app::session::hash_password(password)
        .map_err(|error| UserCreateError::Refused(format!("the password cannot be hashed: {error}")))
}

pub(crate) async fn structure_named(tx: &Tx, name: &str) -> Result<StructureId, StoreError> {
    match structure::find_by_name(tx, name).await? {
        Some(found) => Ok(found),
        None => structure::insert(tx, name, "office-tourisme", wiring::now()).await,
    }
}

async fn white_label_named(tx: &Tx, structure_id: StructureId, name: &str) -> Result<WhiteLabelId, UserCreateError> {
    let all = white_label::all(tx).await?;
    if let Some(found) = all.iter().find(|found| found.name == name && found.structure_id == structure_id) {
        return Ok(found.id);
    }
    let mut new = WhiteLabelSheet {
        structure_id: structure_id.0,
        name: name.to_owned(),
        published: true,
        ..WhiteLabelSheet::default()
    };
    new.complete(&WhiteLabelSheet::default());
    if let Some(other) = all.iter().find(|other| other.slug == new.slug) {
        let owner = structure::name(tx, other.structure_id).await?.unwrap_or_default();
        return Err(UserCreateError::Refused(format!(
            "the structure `{owner}` has the white-label `{}`: give exactly these names, or another white-label",
            other.name
        )));
    }
    Ok(white_label::insert(tx, new, wiring::now()).await?)
}
