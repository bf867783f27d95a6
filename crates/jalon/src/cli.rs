//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Jalon: the back-office that makes and runs cycling and hiking routes.
#[derive(Debug, Parser)]
#[command(name = "jalon", version, about)]
pub struct Cli {
    /// Configuration file (default: jalon.toml in this folder, else /etc/jalon/jalon.toml, where there is one)
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Folder of the database, blobs, prepared region and outbox
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// What the binary can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the back-office, the public pages and the API
    Serve {
        /// Port to listen on
        #[arg(long)]
        port: Option<u16>,
        /// Do not bring the database to this version: refuse to start where it is older
        #[arg(long)]
        no_migrate: bool,
    },
    /// Bring the database to this version
    Migrate {
        /// Only show the steps, their statements, and whether the servers that run may go on
        #[arg(long)]
        plan: bool,
    },
    /// Fill an empty database with the demo region, its parcours and its people
    Demo {
        /// Add as many synthetic parcours, for the benches
        #[arg(long, value_name = "N")]
        parcours: Option<u32>,
        /// Add as many synthetic POIs, media, contacts and lines, for the benches
        #[arg(long, value_name = "N")]
        catalogue: Option<u32>,
        /// Only the demo's white-labels and people: the region is the user's own
        #[arg(long)]
        people_only: bool,
    },
    /// The planner's network and the base map
    #[command(subcommand)]
    Network(NetworkCommand),
    /// Ways and what can be reached, on a prepared network, without a database
    #[command(subcommand)]
    Plan(PlanCommand),
    /// Parcours, many at once
    #[command(subcommand)]
    Parcours(ParcoursCommand),
    /// Recordings, without a database
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Roadbooks from their data, without a database
    #[command(subcommand)]
    Roadbook(RoadbookCommand),
    /// Set roadbooks asked for on standard input: the server's own child
    #[command(hide = true)]
    RoadbookWorker,
    /// Accounts
    #[command(subcommand)]
    User(UserCommand),
    /// The keys that seal secrets in the database
    #[command(subcommand)]
    Key(KeyCommand),
    /// Work that servers do after their answers: mails, roadbooks printed many at once
    #[command(subcommand)]
    Jobs(JobsCommand),
    /// Backups of a small installation (SQLite): the database and the blobs in one file
    #[command(subcommand)]
    Backup(BackupCommand),
    /// The stored files: compare them with the database, delete orphans, move them to a bucket
    #[command(subcommand)]
    Blobs(BlobsCommand),
    /// Say what the configuration means, whether each part works, and what to do where one does not
    #[command(visible_alias = "check-config")]
    Doctor,
    /// Ask the server of this machine whether it runs, for health checks of containers; ends with 1 where it does not
    Health {
        /// Ask whether it takes requests (/readyz) instead of whether it runs (/livez)
        #[arg(long)]
        ready: bool,
    },
    /// Print the HTTP contract: that of the staff's application
    Openapi {
        /// That of the public part instead: pages, the public API, feeds, the widget
        #[arg(long)]
        public: bool,
    },
}

/// `jalon backup …`
#[derive(Debug, Subcommand)]
pub enum BackupCommand {
    /// Make a backup, beside a server that runs, and read it again
    Create {
        /// A folder, or s3://bucket/prefix [default: backup.to of the configuration]
        #[arg(long, value_name = "PLACE")]
        to: Option<String>,
        /// Afterwards delete all but the newest so many backups there [default: backup.keep, where --to is not given]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
        keep: Option<u16>,
    },
    /// List the backups of a folder or a bucket, the newest first
    List {
        /// A folder, or s3://bucket/prefix [default: backup.to of the configuration]
        #[arg(value_name = "PLACE")]
        place: Option<String>,
    },
    /// Read a backup to its end: every sum, the database, every file that the database needs
    Verify {
        /// A file, or s3://bucket/prefix/name
        backup: String,
    },
    /// Put a backup back, into a data folder without a database
    Restore {
        /// A file, or s3://bucket/prefix/name
        #[arg(long, value_name = "BACKUP")]
        from: String,
    },
}

/// `jalon blobs …`
#[derive(Debug, Subcommand)]
pub enum BlobsCommand {
    /// Check that every blob that the database needs is stored
    Verify,
    /// List blobs that the database does not know; with --delete, delete them
    Sweep {
        /// Delete them
        #[arg(long)]
        delete: bool,
        /// Only blobs older than so many days, at least 1
        #[arg(long, value_name = "DAYS", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
        days: u32,
    },
    /// Copy the blobs of the data folder to a bucket, beside servers that run; it can be repeated
    Move {
        /// s3://bucket/prefix; endpoint, region and access key are those of [blobs]
        #[arg(long, value_name = "URL")]
        to: String,
    },
}

/// `jalon jobs …`
#[derive(Debug, Subcommand)]
pub enum JobsCommand {
    /// List the newest jobs, and how many there are
    List {
        /// Only those in this state: waiting, running, done, dead, cancelled
        #[arg(long, value_name = "STATE", value_parser = job_state)]
        state: Option<domain::job::JobState>,
        /// Only those of this kind
        #[arg(long, value_name = "KIND")]
        kind: Option<String>,
        /// At most so many
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: u64,
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Try dead jobs again, or start at once those that wait after a failure
    Retry {
        /// Numbers of the jobs
        #[arg(required = true, value_name = "ID")]
        ids: Vec<i64>,
    },
    /// Cancel jobs; a server that works on one stops within some seconds
    Cancel {
        /// Numbers of the jobs
        #[arg(required = true, value_name = "ID")]
        ids: Vec<i64>,
    },
}

fn job_state(word: &str) -> Result<domain::job::JobState, String> {
    domain::job::JobState::parse(word).ok_or_else(|| "waiting, running, done, dead or cancelled".to_owned())
}

/// `jalon key …`
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Print a new key, for server_key of the configuration
    New,
    /// Say how many secrets are sealed with which key
    Status,
    /// Use the key of this server though the servers of this database used another one, which is lost: what that one sealed has to be
    /// entered again
    Adopt,
    /// Make a new key and seal everything again with it; servers may run meanwhile
    Rotate,
    /// Forget the old keys once nothing is sealed with them
    Retire,
}

/// `jalon roadbook …`
#[derive(Debug, Subcommand)]
pub enum RoadbookCommand {
    /// Make the PDF of a roadbook's data
    Render(RoadbookRender),
}

/// `jalon roadbook render`
#[derive(Debug, Args)]
pub struct RoadbookRender {
    /// The data, JSON (docs/dev/roadbook.md)
    pub data: PathBuf,
    /// The PDF to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Folder of the pictures and fonts that the data names; else the data's own
    #[arg(long, value_name = "DIR")]
    pub blobs: Option<PathBuf>,
    /// The prepared tiles under the maps (a region's basemap.pmtiles)
    #[arg(long, value_name = "FILE")]
    pub tiles: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

/// `jalon network …`
#[derive(Debug, Subcommand)]
pub enum NetworkCommand {
    /// Prepare the planner's network and the base map from an OpenStreetMap extract
    Build(NetworkBuild),
    /// Publish the prepared region of the data folder to all servers of the database, beside those that run
    Publish,
    /// List the published regions, the newest first; the one in use has a star
    List,
    /// Let all servers use a region that was published before
    Use {
        /// The first digits of its id
        #[arg(value_parser = bundle_start)]
        id: String,
    },
    /// Forget a published region that is not in use; `jalon blobs sweep` then deletes its files
    Remove {
        /// The first digits of its id
        #[arg(value_parser = bundle_start)]
        id: String,
    },
}

fn bundle_start(text: &str) -> Result<String, String> {
    let is_start = (4..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_start
        .then(|| text.to_lowercase())
        .ok_or_else(|| "4 to 64 hexadecimal digits, as `jalon network list` shows them".to_owned())
}

/// `jalon network build`
#[derive(Debug, Args)]
pub struct NetworkBuild {
    /// The extract (.osm.pbf, .osm, .osm.gz)
    pub extract: PathBuf,
    /// Folder of elevation tiles (SRTM .hgt, .hgt.zip; GeoTIFF .tif)
    #[arg(long, value_name = "DIR")]
    pub dem: Option<PathBuf>,
    /// Write only the network, to this file, instead of the data folder's region
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Publish the region to all servers of the database afterwards
    #[arg(long, conflicts_with = "output")]
    pub publish: bool,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// `jalon plan …`
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// The best way through points, or between each pair of a table
    Route(PlanRoute),
    /// What can be reached in some times
    Isochrone(PlanIsochrone),
    /// Lay recordings on the network: reliability, stretches that do not match, the planned line and its ways
    Match(PlanMatch),
    /// The same without the line and its ways
    Score(PlanMatch),
}

/// `jalon plan route`
#[derive(Debug, Args)]
pub struct PlanRoute {
    /// The prepared network (`jalon network build -o FILE`)
    #[arg(long, value_name = "FILE")]
    pub network: PathBuf,
    /// touring, road, gravel, mtb, ebike, hiking, family or waterway
    #[arg(long, value_name = "NAME")]
    pub profile: String,
    /// Where to pass: lon,lat;lon,lat…
    #[arg(
        long,
        value_name = "PLACES",
        conflicts_with = "pairs",
        required_unless_present = "pairs",
        allow_hyphen_values = true
    )]
    pub points: Option<String>,
    /// Table of pairs (CSV): id, from_lon, from_lat, to_lon, to_lat
    #[arg(long, value_name = "FILE")]
    pub pairs: Option<PathBuf>,
    /// Month of the journey (1 to 12): ways closed in that season are not used
    #[arg(long, value_name = "MONTH")]
    pub month: Option<u8>,
    /// Add the line and the French instructions
    #[arg(long)]
    pub whole: bool,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// `jalon plan isochrone`
#[derive(Debug, Args)]
pub struct PlanIsochrone {
    /// The prepared network (`jalon network build -o FILE`)
    #[arg(long, value_name = "FILE")]
    pub network: PathBuf,
    /// touring, road, gravel, mtb, ebike, hiking, family or waterway
    #[arg(long, value_name = "NAME")]
    pub profile: String,
    /// Where one sets out: lon,lat
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    pub from: String,
    /// Times in minutes
    #[arg(long, value_name = "MINUTES", value_delimiter = ',', default_value = "15,30,60")]
    pub minutes: Vec<u32>,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// `jalon plan match` and `jalon plan score`
#[derive(Debug, Args)]
pub struct PlanMatch {
    /// The prepared network (`jalon network build -o FILE`)
    #[arg(long, value_name = "FILE")]
    pub network: PathBuf,
    /// touring, road, gravel, mtb, ebike, hiking, family or waterway
    #[arg(long, value_name = "NAME")]
    pub profile: String,
    /// Folder of elevation tiles, for recordings without heights
    #[arg(long, value_name = "DIR")]
    pub dem: Option<PathBuf>,
    /// One JSON object a track
    #[arg(long)]
    pub json: bool,
    /// Recordings (GPX, KML/KMZ, GeoJSON, TCX, FIT)
    #[arg(required = true, value_name = "TRACK")]
    pub tracks: Vec<PathBuf>,
}

/// `jalon parcours …`
#[derive(Debug, Subcommand)]
pub enum ParcoursCommand {
    /// Make a parcours of each recording
    Import(ParcoursImport),
    /// Write parcours as GeoJSON
    Export {
        /// File to write (default: standard output)
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// List parcours whose steps do not stand on their line, or whose length is another
    Check {
        /// Put the steps in their places too
        #[arg(long)]
        mend: bool,
    },
}

/// `jalon parcours import`
#[derive(Debug, Args)]
pub struct ParcoursImport {
    /// Recordings (GPX, KML/KMZ, GeoJSON, TCX, FIT)
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// White-label that owns them (name; default: the first)
    #[arg(long, value_name = "NAME")]
    pub white_label: Option<String>,
    /// Planner profile to match with
    #[arg(long, default_value = "hiking")]
    pub profile: String,
    /// Keep the source trace as it is, without matching it to the network
    #[arg(long)]
    pub no_match: bool,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// `jalon trace …`
#[derive(Debug, Subcommand)]
pub enum TraceCommand {
    /// Say what recordings hold, what was repaired, and why one cannot be read
    Inspect {
        /// Recordings (GPX, KML/KMZ, GeoJSON, TCX, FIT)
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
}

/// `jalon user …`
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Create an account
    Create(UserCreate),
}

/// `jalon user create`
#[derive(Debug, Args)]
pub struct UserCreate {
    /// E-mail, also the sign-in name
    #[arg(long)]
    pub email: String,
    /// First name
    #[arg(long)]
    pub first_name: String,
    /// Last name
    #[arg(long)]
    pub last_name: String,
    /// superadmin, admin, agency, editor or reader
    #[arg(long, default_value = "editor")]
    pub role: String,
    /// Name of the structure; made when missing
    #[arg(long)]
    pub structure: String,
    /// Name of the white-label; made when missing
    #[arg(long)]
    pub white_label: String,
    /// Password; without it one is made and printed once
    #[arg(long)]
    pub password: Option<String>,
}
