//! References in a request: whether a person may point to a record. The rule is `store::access::Access` (decision 0029).

use domain::record::{Reference, Sheet};
use domain::{Actor, Fault};
use store::access::{Access, added};
use store::{Connection, StoreError};

/// The faults of what a save newly points to. Another tenant's record that is not shared is refused like one that is not
/// there.
pub(crate) async fn faults<S: Sheet>(
    db: &impl Connection,
    actor: &Actor,
    before: &S,
    after: &S,
) -> Result<Vec<Fault>, StoreError> {
    let new = added(&before.references(), after.references());
    Ok(Access::of(actor).unusable(db, &new).await?.iter().map(unknown).collect())
}

/// The fault of pointing to something that is not there, or that this person may not use.
pub fn unknown(to: &Reference) -> Fault {
    Fault::new("validation/unknown-reference", format!("/{}", to.field)).with("id", to.id)
}

/// Leaves out the other faults of a field that points to something unknown: they would reveal what it is.
pub fn without_those_of_unknown(faults: Vec<Fault>, unknown: &[Fault]) -> Vec<Fault> {
    let top = |fault: &Fault| fault.field.split('/').nth(1).unwrap_or_default().to_owned();
    let fields: Vec<String> = unknown.iter().map(top).collect();
    faults.into_iter().filter(|fault| !fields.contains(&top(fault))).collect()
}
