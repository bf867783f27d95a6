//! The database of a Geotrek-admin, from a dump: its lists in the shape of its API v2, drafts included, as one archive that is read like a server.

mod archive;
mod copy_text;
mod lists;
mod places;
mod shape;
mod tables;

use std::collections::BTreeMap;
use std::io::{BufRead, Seek, Write};

pub use archive::GeotrekArchive;
pub use copy_text::DumpError;

use lists::Lists;
use tables::Tables;

/// The host of files of a Geotrek whose address is not known: no server can have this name (RFC 2606).
pub const UNKNOWN_ADDRESS: &str = "https://geotrek.invalid";

/// The user that Geotrek makes for its own work.
const OWN_USER: &str = "__internal__";

/// The tables of a Geotrek database.
#[derive(Debug)]
pub struct GeotrekDatabase(Tables);

/// A user of a Geotrek.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeotrekUser {
    /// What the user signs in with.
    pub username: String,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// E-mail address; often empty.
    pub email: String,
    /// The structure the user works in.
    pub structure: String,
    /// Whether the user may sign in.
    pub is_active: bool,
}

impl GeotrekDatabase {
    /// The tables that are read.
    pub fn tables() -> impl Iterator<Item = &'static str> {
        tables::TABLES.iter().map(|(table, _)| *table)
    }

    /// Reads a dump in plain text: what `pg_dump` writes, or `pg_restore -f -` from a dump of another form. All other tables are skipped.
    pub fn read(mut dump: impl BufRead) -> Result<Self, DumpError> {
        let tables = copy_text::read(&mut dump)?;
        match ["core_topology", "trekking_trek"].into_iter().find(|table| !tables.has(table)) {
            Some(missing) => Err(DumpError::NoGeotrek(missing)),
            None => Ok(Self(tables)),
        }
    }

    /// Writes its lists as an archive, and returns how many items each has. `address` is the public address of this Geotrek, by which its
    /// files are named.
    pub fn write_archive(
        &self,
        to: impl Write + Seek,
        address: Option<&str>,
    ) -> Result<BTreeMap<String, u64>, DumpError> {
        archive::write(&mut Lists::of(&self.0, archive::files_of(address)), address, to)
    }

    /// Its users, by name.
    pub fn users(&self) -> Vec<GeotrekUser> {
        let structures = self.0.by("authent_structure", "id");
        let profiles = self.0.by("authent_userprofile", "user_id");
        let is_person = |user: &tables::Row<'_>| user.get("username") != Some(OWN_USER);
        let mut users: Vec<GeotrekUser> = self
            .0
            .rows("auth_user")
            .filter(is_person)
            .map(|user| {
                let said = |column: &str| user.get(column).unwrap_or_default().to_owned();
                let profile = user.get("id").and_then(|id| profiles.get(id));
                let structure = profile.and_then(|profile| structures.get(profile.get("structure_id")?)?.get("name"));
                GeotrekUser {
                    username: said("username"),
                    first_name: said("first_name"),
                    last_name: said("last_name"),
                    email: said("email"),
                    structure: structure.unwrap_or_default().to_owned(),
                    is_active: user.is("is_active"),
                }
            })
            .collect();
        users.sort_by(|one, other| one.username.cmp(&other.username));
        users
    }
}
