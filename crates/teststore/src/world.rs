//! The records of every test: two structures, three white-labels, a person of every role in two of them.

use domain::white_label::{Colors, WhiteLabelSheet};
use domain::{Instant, Locale, Role, StructureId, WhiteLabelId};
use store::user::NewUser;
use store::{Store, StoreError, Tx};

/// The instant at which every test starts: 20 November 2026, 8 o'clock, UTC.
pub const NOW: Instant = Instant(1_795_161_600);

/// The password of all users.
pub const PASSWORD: &str = "cheval agrafe pile";

/// Its hash, as the server makes them: argon2id, 19 MiB, two passes.
const PASSWORD_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$b2YgYWxsIHRoZSB0ZXN0cw$iiaRfJKZpVXfk49wn8pxs9ShF2V0iH5Q++pamsDyodw";

/// Adds structures, white-labels and people.
pub async fn people(store: &Store) -> Result<(), StoreError> {
    let tx = store.begin().await?;
    let morvan = store::structure::insert(&tx, "Parc du Morvan", "parc-naturel", NOW).await?;
    let vercors = store::structure::insert(&tx, "Vercors Tourisme", "office-tourisme", NOW).await?;
    let own = white_label(&tx, morvan, "Morvan", "morvan").await?;
    let second = white_label(&tx, morvan, "Morvan à vélo", "morvan-velo").await?;
    let other = white_label(&tx, vercors, "Vercors", "vercors").await?;
    for role in Role::ALL {
        person(&tx, morvan, &[own, second], role, "morvan").await?;
        person(&tx, vercors, &[other], role, "vercors").await?;
    }
    tx.commit().await
}

async fn white_label(tx: &Tx, structure_id: StructureId, name: &str, slug: &str) -> Result<WhiteLabelId, StoreError> {
    let sheet = WhiteLabelSheet {
        structure_id: structure_id.0,
        name: name.to_owned(),
        slug: slug.to_owned(),
        published: true,
        colors: Colors { primary: Some("#00695C".to_owned()), ..Colors::default() },
        ..WhiteLabelSheet::default()
    };
    store::white_label::insert(tx, sheet, NOW).await
}

async fn person(
    tx: &Tx,
    structure_id: StructureId,
    white_label_ids: &[WhiteLabelId],
    role: Role,
    slug: &str,
) -> Result<(), StoreError> {
    let new = NewUser {
        first_name: "Camille",
        last_name: role.as_str(),
        email: &email(role, slug),
        role,
        locale: Locale::Fr,
        structure_id,
        white_label_ids,
        password_hash: PASSWORD_HASH,
    };
    store::user::insert(tx, new, NOW).await.map(|_| ())
}

/// The address of a role's person in a white-label.
pub fn email(role: Role, slug: &str) -> String {
    format!("{}@{slug}.example", role.as_str())
}
