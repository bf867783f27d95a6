//! The records that may be referred to: the one rule for each reference in a request (decision 0029).

use std::collections::{HashMap, HashSet};

use domain::parcours::{self, Sheet as ParcoursSheet};
use domain::record::{Kind, Reference, Sheet, Target};
use domain::step::{Step, StepReferences};
use domain::{Actor, MediaId, StructureId, WhiteLabelId};

use crate::record::{owner_column, table_of};
use crate::sql::{all, for_key_share, get, is_one_of, numbers, own_white_labels};
use crate::{Connection, StoreError, media, white_label};

/// The records that a user, or the content of a white-label, may refer to: their own records and those that other owners share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The white-labels whose records are its own. `None` for all: a superadministrator sees inside all structures.
    white_labels: Option<Vec<i64>>,
    structure: Option<i64>,
}

/// The owner of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum RecordOwner {
    WhiteLabel(i64),
    Structure(i64),
    /// Reference data has no owner.
    Unowned,
}

impl Access {
    /// The access of a user.
    pub fn of(actor: &Actor) -> Self {
        Self { white_labels: own_white_labels(actor), structure: Some(actor.structure_id.0) }
    }

    /// The access of the content of a white-label: the records of all white-labels of its structure, and shared ones.
    pub async fn of_white_label(db: &impl Connection, id: WhiteLabelId) -> Result<Self, StoreError> {
        match white_label::find(db, id).await? {
            Some(found) => Self::of_structure(db, found.structure_id).await,
            None => Ok(Self { white_labels: Some(vec![id.0]), structure: None }),
        }
    }

    /// The access for records that a structure owns directly, such as its contacts.
    async fn of_structure(db: &impl Connection, id: StructureId) -> Result<Self, StoreError> {
        let own = white_label::ids(db, Some(id)).await?;
        Ok(Self { white_labels: Some(own.iter().map(|id| id.0).collect()), structure: Some(id.0) })
    }

    async fn of_owner(db: &impl Connection, owner: RecordOwner) -> Result<Self, StoreError> {
        match owner {
            RecordOwner::WhiteLabel(id) => Self::of_white_label(db, WhiteLabelId(id)).await,
            RecordOwner::Structure(id) => Self::of_structure(db, StructureId(id)).await,
            RecordOwner::Unowned => Ok(Self { white_labels: Some(Vec::new()), structure: None }),
        }
    }

    /// Whether one record may be pointed to.
    pub async fn may_use(&self, db: &impl Connection, kind: Kind, id: i64) -> Result<bool, StoreError> {
        Ok(self.usable(db, Target { kind, list: None }, &[id]).await?.contains(&id))
    }

    /// The references that are not allowed: to a record that does not exist, or to an unshared record of another tenant. The result
    /// does not distinguish the two.
    pub async fn unusable(&self, db: &impl Connection, references: &[Reference]) -> Result<Vec<Reference>, StoreError> {
        let mut refused = Vec::new();
        let mut fields: Vec<&'static str> = references.iter().map(|to| to.field).collect();
        fields.dedup();
        for field in fields {
            let asked: Vec<Reference> = references.iter().filter(|to| to.field == field).copied().collect();
            let Some(target) = asked.first().map(|to| to.target) else { continue };
            let ids: Vec<i64> = asked.iter().map(|to| to.id).collect();
            let usable = self.usable(db, target, &ids).await?;
            refused.extend(asked.into_iter().filter(|to| !usable.contains(&to.id)));
        }
        Ok(refused)
    }

    /// The records, of these, that may not be pointed to.
    pub async fn unusable_of(&self, db: &impl Connection, kind: Kind, ids: &[i64]) -> Result<Vec<i64>, StoreError> {
        let usable = self.usable(db, Target { kind, list: None }, ids).await?;
        Ok(ids.iter().copied().filter(|id| !usable.contains(id)).collect())
    }

    /// Removes references from a sheet that are not allowed, except for those in `before`.
    pub async fn forget_unusable<S: Sheet>(
        &self,
        db: &impl Connection,
        before: &S,
        sheet: &mut S,
    ) -> Result<(), StoreError> {
        for refused in self.unusable(db, &added(&before.references(), sheet.references())).await? {
            sheet.repoint(refused.target.kind, refused.id, None);
        }
        Ok(())
    }

    /// The same for a parcours, whose references are in its sheet and in its steps.
    pub async fn forget_unusable_of_parcours(
        &self,
        db: &impl Connection,
        before: (&ParcoursSheet, &[Step]),
        (sheet, steps): (&mut ParcoursSheet, &mut [Step]),
    ) -> Result<(), StoreError> {
        let old = parcours::references(before.0, &StepReferences::of(before.1));
        let new = added(&old, parcours::references(sheet, &StepReferences::of(steps)));
        for refused in self.unusable(db, &new).await? {
            parcours::repoint(sheet, steps, refused.target.kind, refused.id, None);
        }
        Ok(())
    }

    /// The records, of these, that exist and may be pointed to. In a transaction they stay until its end, so that nothing points to
    /// what another transaction deletes meanwhile.
    async fn usable(&self, db: &impl Connection, target: Target, ids: &[i64]) -> Result<HashSet<i64>, StoreError> {
        if ids.is_empty() {
            return Ok(HashSet::new());
        }
        let own = self.is_own("white_label_id");
        let inside = |column: &str| match (&self.white_labels, self.structure) {
            (None, _) => "1 = 1".to_owned(),
            (Some(_), Some(id)) => format!("{column} = {id}"),
            (Some(_), None) => "1 = 0".to_owned(),
        };
        let allowed = match target.kind {
            Kind::Parcours => format!("(shared = 1 OR {own})"),
            Kind::Poi => format!("(published = TRUE OR {own})"),
            Kind::Media => return self.usable_media(db, ids).await,
            Kind::Contact | Kind::User => inside("structure_id"),
            Kind::Structure => inside("id"),
            Kind::WhiteLabel => self.is_own("id"),
            Kind::ProviderLink | Kind::SurveyCampaign | Kind::ImportSource | Kind::SitSource | Kind::TransportFeed => {
                own
            }
            Kind::Vocabulary => match target.list {
                Some(list) => format!("kind = '{}'", list.as_str()),
                None => "1 = 1".to_owned(),
            },
            // Every user reads all of them.
            Kind::TransportLine | Kind::Itinerary | Kind::Closure | Kind::Translator => "1 = 1".to_owned(),
        };
        let stays = for_key_share(db, table_of(target.kind));
        let sql = format!("SELECT id FROM {} WHERE id IN {} AND {allowed}{stays}", table_of(target.kind), numbers(ids));
        all(db, &sql, []).await?.iter().map(|row| get(row, 0)).collect()
    }

    /// The SQL condition that a column contains one of the white-labels.
    fn is_own(&self, column: &str) -> String {
        is_one_of(self.white_labels.as_deref(), column)
    }

    /// A media is shared by a white-label that added it, or by something published that shows it.
    async fn usable_media(&self, db: &impl Connection, ids: &[i64]) -> Result<HashSet<i64>, StoreError> {
        let sql = format!(
            "SELECT m.id, CASE WHEN {} OR EXISTS (SELECT 1 FROM record_white_label l
            WHERE l.kind = {} AND l.record_id = m.id AND {}) THEN 1 ELSE 0 END FROM media m WHERE m.id IN {}{}",
            self.is_own("m.white_label_id"),
            Kind::Media.code(),
            self.is_own("l.white_label_id"),
            numbers(ids),
            for_key_share(db, "m")
        );
        let mut usable = HashSet::new();
        for row in all(db, &sql, []).await? {
            let (id, theirs): (i64, i32) = (get(&row, 0)?, get(&row, 1)?);
            if theirs == 1 || media::is_public(db, MediaId(id)).await? {
                usable.insert(id);
            }
        }
        Ok(usable)
    }
}

/// The references that `after` has and `before` has not: only these are checked again.
pub fn added(before: &[Reference], after: Vec<Reference>) -> Vec<Reference> {
    after.into_iter().filter(|to| !before.contains(to)).collect()
}

/// The owner of each of some records of a kind.
pub(crate) async fn owners(
    db: &impl Connection,
    kind: Kind,
    ids: &[i64],
) -> Result<HashMap<i64, RecordOwner>, StoreError> {
    let Some(column) = owner_column(kind) else {
        return Ok(ids.iter().map(|id| (*id, RecordOwner::Unowned)).collect());
    };
    let sql = format!("SELECT id, {column} FROM {} WHERE id IN {}", table_of(kind), numbers(ids));
    let one = |row| {
        let owner = match get::<Option<i64>>(row, 1)? {
            Some(id) if column == "white_label_id" => RecordOwner::WhiteLabel(id),
            Some(id) => RecordOwner::Structure(id),
            None => RecordOwner::Unowned,
        };
        Ok((get(row, 0)?, owner))
    };
    all(db, &sql, []).await?.iter().map(one).collect()
}

/// Whether a person may change records of a kind and an owner.
pub(crate) fn may_change(actor: &Actor, kind: Kind, owner: RecordOwner) -> bool {
    actor.can(kind.needed_to_change())
        && match owner {
            RecordOwner::WhiteLabel(id) => actor.works_in(WhiteLabelId(id)),
            RecordOwner::Structure(id) => actor.may_see_inside(StructureId(id)),
            RecordOwner::Unowned => true,
        }
}

/// Whether the owners of records may refer to one record. The answer is looked up once per owner.
pub(crate) struct Usable {
    kind: Kind,
    id: i64,
    known: HashMap<RecordOwner, bool>,
}

impl Usable {
    /// For references to this record.
    pub(crate) fn new(kind: Kind, id: i64) -> Self {
        Self { kind, id, known: HashMap::new() }
    }

    /// Whether records of an owner may refer to it.
    pub(crate) async fn by(&mut self, db: &impl Connection, owner: RecordOwner) -> Result<bool, StoreError> {
        if let Some(known) = self.known.get(&owner) {
            return Ok(*known);
        }
        let usable = Access::of_owner(db, owner).await?.may_use(db, self.kind, self.id).await?;
        self.known.insert(owner, usable);
        Ok(usable)
    }
}
