//! The database of a Geotrek-admin, from a dump: its lists in the shape of its API v2, drafts included, as one archive that is read like a server.

mod archive;
mod copy_text;
mod lists;
mod places;

mod tables;

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, Seek, Write};

pub use archive::GeotrekArchive;
pub use copy_text::DumpError;

use lists::Lists;
use tables::Tables;

/// The host of files of a Geotrek whose address is not known: no server can have this name (RFC 2606).
pub const UNKNOWN_ADDRESS: &str = "https://geotrek.invalid";

/// The user that Geotrek makes for its own work.
const OWN_USER: &str = "__internal__";

/// The last step that the database of 2.126.1 took in each of its applications that is read here.
const LAST_STEPS: [(&str, u32); 8] = [
    ("authent", 11),
    ("common", 43),
    ("core", 55),
    ("infrastructure", 42),
    ("signage", 49),
    ("tourism", 58),
    ("trekking", 51),
    ("zoning", 109),
];
/// The last step of signage in 2.100.0.
const OLDEST_OF_SIGNAGE: u32 = 35;

/// A version whose tables were not looked at when this was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherVersion {
    /// One before 2.100.
    Older,
    /// One after 2.126.
    Newer,
}

/// The tables of a Geotrek database.
#[derive(Debug)]
pub struct GeotrekDatabase(Tables);

/// A part of a Geotrek: treks of some of its portals and structures, each by number or by name; all where none is given.
#[derive(Debug, Clone, Default)]
pub struct GeotrekPart {
    pub portals: Vec<String>,
    pub structures: Vec<String>,
}

/// A user of a Geotrek.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeotrekUser {
    /// What the user signs in with.
    pub username: String,
    pub first_name: String,
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

    /// Whether it is of another version than 2.100 to 2.126, by the steps of its tables; none where it is not, or they are not in the dump.
    pub fn other_version(&self) -> Option<OtherVersion> {
        let mut last: HashMap<&str, u32> = HashMap::new();
        for row in self.0.rows("django_migrations") {
            let step = row.get("name").and_then(|name| name.split('_').next()?.parse::<u32>().ok());
            if let Some((app, step)) = row.get("app").zip(step) {
                let last = last.entry(app).or_default();
                *last = step.max(*last);
            }
        }
        if LAST_STEPS.iter().any(|(app, known)| last.get(app).is_some_and(|step| step > known)) {
            return Some(OtherVersion::Newer);
        }
        last.get("signage").filter(|step| **step < OLDEST_OF_SIGNAGE).map(|_| OtherVersion::Older)
    }

    /// Writes its lists as an archive, and returns how many items each has. `address` is the public address of this Geotrek, by which its
    /// files are named.
    pub fn write_archive(
        &self,
        to: impl Write + Seek,
        address: Option<&str>,
        part: &GeotrekPart,
    ) -> Result<BTreeMap<String, u64>, DumpError> {
        let portals = self.numbers_of("portal", "common_targetportal", &part.portals)?;
        let structures = self.numbers_of("structure", "authent_structure", &part.structures)?;
        let mut lists = Lists::of(&self.0, archive::files_of(address));
        lists.narrow(&portals, &structures);
        archive::write(&mut lists, address, to)
    }

    /// Its structures: their numbers and their names.
    pub fn structures(&self) -> Vec<(String, String)> {
        self.named("authent_structure")
    }

    /// Its portals: their numbers and their names.
    pub fn portals(&self) -> Vec<(String, String)> {
        self.named("common_targetportal")
    }

    fn named(&self, table: &str) -> Vec<(String, String)> {
        let named =
            |row: tables::Row<'_>| Some((row.get("id")?.to_owned(), row.get("name").unwrap_or_default().to_owned()));
        let mut found: Vec<(String, String)> = self.0.rows(table).filter_map(named).collect();
        found.sort_by(|one, other| one.1.cmp(&other.1));
        found
    }

    /// The numbers of rows that are given by number or by name.
    fn numbers_of(&self, what: &'static str, table: &str, given: &[String]) -> Result<Vec<&str>, DumpError> {
        let found = |word: &String| {
            let is_it = |row: &tables::Row<'_>| row.get("id") == Some(word) || row.get("name") == Some(word);
            let row = self.0.rows(table).find(is_it);
            row.and_then(|row| row.get("id")).ok_or_else(|| {
                let names: Vec<&str> = self.0.rows(table).filter_map(|row| row.get("name")).collect();
                DumpError::NoPart(what, word.clone(), names.join(", "))
            })
        };
        given.iter().map(found).collect()
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
