//! Models and children: no circle, and what a child reads through its parent.

use super::words::Inheritable;
use crate::Fault;

/// The longest chain of parents that is followed; a longer one is refused like a circle.
pub const MAX_DEPTH: usize = 16;

/// Checks that `id` may have `parent`, given the parents above it (`ancestors[0]` is the parent's own parent, and so on).
/// `field` names the field the fault lands on: a parent, or the model.
pub fn check_no_circle(id: Option<i64>, parent: i64, ancestors: &[i64], field: &str) -> Result<(), Fault> {
    if id == Some(parent) {
        return Err(Fault::new("parcours/own-parent", field));
    }
    let loops = id.is_some_and(|id| ancestors.contains(&id));
    if loops || ancestors.len() >= MAX_DEPTH {
        return Err(Fault::new("parcours/relation-circle", field).with("parent_id", parent));
    }
    Ok(())
}

/// The effective value of an inheritable field: its own answer, else that of the nearest parent that has one.
pub fn effective(own: Inheritable, parents: impl IntoIterator<Item = Inheritable>) -> Option<bool> {
    own.own().or_else(|| parents.into_iter().find_map(Inheritable::own))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_its_own_parent_or_ancestor() {
        assert!(check_no_circle(Some(1), 2, &[3, 4], "/parent_id").is_ok());
        assert_eq!(check_no_circle(Some(1), 1, &[], "/parent_id").unwrap_err().code, "parcours/own-parent");
        assert_eq!(check_no_circle(Some(1), 2, &[3, 1], "/parent_id").unwrap_err().code, "parcours/relation-circle");
        assert!(check_no_circle(None, 2, &[3], "/parent_id").is_ok(), "one that is not made yet is nobody's ancestor");
    }

    #[test]
    fn a_child_reads_the_nearest_answer_above_it() {
        use Inheritable::{Inherit, No, Yes};
        assert_eq!(effective(Yes, [No]), Some(true));
        assert_eq!(effective(Inherit, [Inherit, No, Yes]), Some(false));
        assert_eq!(effective(Inherit, [Inherit]), None);
    }
}
