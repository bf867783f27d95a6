//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use routing::MAX_ISOCHRONE_S;

/// Jalon: the back-office that makes and runs cycling and hiking routes.
#[derive(Debug, Parser)]
#[command(name = "jalon", version)]
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
        #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
        port: Option<u16>,
        /// Do not migrate the database: refuse to start if its version is older
        #[arg(long)]
        no_migrate: bool,
    },
    /// Migrate the database to this version
    Migrate {
        /// Only show the steps, their statements, and whether running servers may continue; the exit code is 3 while steps wait
        #[arg(long)]
        plan: bool,
    },
    /// Fill an empty database with the demo region, its parcours and its people
    Demo {
        /// Number of synthetic parcours to add, for benchmarks
        #[arg(long, value_name = "N")]
        parcours: Option<u32>,
        /// Number of synthetic POIs, media, contacts and lines to add, each, for benchmarks
        #[arg(long, value_name = "N")]
        catalogue: Option<u32>,
        /// Number of synthetic white-labels: ten of all then have half of the synthetic records, each in its own part of France
        #[arg(long, value_name = "N")]
        white_labels: Option<u32>,
        /// Number of synthetic POIs to add
        #[arg(long, value_name = "N")]
        pois: Option<u32>,
        /// Number of synthetic media to add
        #[arg(long, value_name = "N")]
        medias: Option<u32>,
        /// Number of synthetic events of two years to add to the statistics
        #[arg(long, value_name = "N")]
        events: Option<u32>,
        /// Only the demo's white-labels and people, for a region of your own
        #[arg(long)]
        people_only: bool,
    },
    /// The planner's network and the base map
    #[command(subcommand)]
    Network(NetworkCommand),
    /// Routes, isochrones and matching on a prepared network, without a database
    #[command(subcommand)]
    Plan(PlanCommand),
    /// Import, export and check many parcours
    #[command(subcommand)]
    Parcours(ParcoursCommand),
    /// Move in from another system
    #[command(subcommand)]
    MigrateFrom(MigrateFrom),
    /// Inspect recordings, without a database
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Make roadbooks from their data, without a database
    #[command(subcommand)]
    Roadbook(RoadbookCommand),
    /// Typeset the roadbooks requested on standard input: a child process of the server
    #[command(hide = true)]
    RoadbookWorker,
    /// Answer a question about the PDF on standard input: a child process of the server
    #[command(hide = true)]
    PdfWorker {
        /// `pages` or `first-page`.
        question: String,
    },
    /// Accounts
    #[command(subcommand)]
    User(UserCommand),
    /// The keys that encrypt secrets in the database
    #[command(subcommand)]
    Key(KeyCommand),
    /// Background jobs of the servers: mails, imports, roadbooks in batches
    #[command(subcommand)]
    Jobs(JobsCommand),
    /// Write everything to one file that other software reads
    #[command(subcommand)]
    Export(ExportCommand),
    /// Read such a file into an empty installation
    #[command(subcommand)]
    Import(ImportCommand),
    /// Backups of a small installation (SQLite): the database and the blobs in one file
    #[command(subcommand)]
    Backup(BackupCommand),
    /// The stored files: compare them with the database, delete orphans, move them to a bucket
    #[command(subcommand)]
    Blobs(BlobsCommand),
    /// Show the configuration, check each part of the installation, and say what to do where one fails
    #[command(visible_alias = "check-config")]
    Doctor,
    /// Check whether the server on this machine runs, for health checks of containers; the exit code is 1 if it does not
    Health {
        /// Check whether it accepts requests (/readyz) instead of whether it runs (/livez)
        #[arg(long)]
        ready: bool,
    },
    /// Serve the Model Context Protocol on standard input and output, for assistants that start a program: each message goes to a running server
    Mcp(McpCommand),
    /// Print the HTTP contract (OpenAPI) of the back-office
    Openapi {
        /// Print the contract of the public part instead: pages, the public API, feeds, the widget
        #[arg(long)]
        public: bool,
    },
}

/// `jalon mcp`
#[derive(Debug, Args)]
pub struct McpCommand {
    /// The address of the server, such as https://jalon.example/mcp
    #[arg(long, value_name = "URL", default_value = "http://localhost:8080/mcp")]
    pub url: String,
    /// A file that holds a personal token [default: JALON_MCP_TOKEN of the environment]
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

/// `jalon backup …`
#[derive(Debug, Subcommand)]
pub enum BackupCommand {
    /// Make a backup, also while the server runs, then verify it
    Create {
        /// A folder, or s3://bucket/prefix [default: backup.to of the configuration]
        #[arg(long, value_name = "PLACE")]
        to: Option<String>,
        /// Number of backups to keep there: older ones are deleted afterwards [default: backup.keep, unless --to is given]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
        keep: Option<u16>,
        /// Do nothing where the database is PostgreSQL, whose own tools make backups: for a unit that runs on each installation
        #[arg(long)]
        sqlite_only: bool,
    },
    /// List the backups of a folder or a bucket, the newest first
    List {
        /// A folder, or s3://bucket/prefix [default: backup.to of the configuration]
        #[arg(value_name = "PLACE")]
        place: Option<String>,
    },
    /// Verify a backup: every checksum, the database, and every file that the database needs
    Verify {
        /// A file, or s3://bucket/prefix/name
        backup: String,
    },
    /// Restore a backup into a data folder without a database
    Restore {
        /// A file, or s3://bucket/prefix/name
        #[arg(long, value_name = "BACKUP")]
        from: String,
    },
}

/// `jalon export …`
#[derive(Debug, Subcommand)]
pub enum ExportCommand {
    /// Write all records, rows and files, also while the server runs: JSON, a GeoPackage, and the originals of pictures and documents
    All {
        /// File to write, such as jalon-export.tar.gz
        file: PathBuf,
    },
}

/// `jalon import …`
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// Read all of an export into a database without tables: SQLite or PostgreSQL, whichever it was made from
    All {
        /// A file of `jalon export all`
        file: PathBuf,
    },
}

/// `jalon blobs …`
#[derive(Debug, Subcommand)]
pub enum BlobsCommand {
    /// Check that every blob that the database needs is in the store
    Verify,
    /// List blobs that the database does not know; with --delete, delete them
    Sweep {
        /// Delete them; refused where the database names none of the files, or there are more than 20 orphans and more than named files
        #[arg(long)]
        delete: bool,
        /// Delete them also where that is refused
        #[arg(long, requires = "delete")]
        all: bool,
        /// Only blobs older than this number of days, at least 1
        #[arg(long, value_name = "DAYS", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
        days: u32,
    },
    /// Copy the blobs of the data folder to a bucket, also while servers run; it can be repeated
    Move {
        /// s3://bucket/prefix; endpoint, region and access key are those of [blobs]
        #[arg(long, value_name = "URL")]
        to: String,
    },
}

/// `jalon jobs …`
#[derive(Debug, Subcommand)]
pub enum JobsCommand {
    /// List the newest jobs, and how many there are in each state (with --state or --kind: of these)
    List {
        /// Only jobs in this state: waiting, running, done, dead, cancelled
        #[arg(long, value_name = "STATE", value_parser = job_state)]
        state: Option<domain::job::JobState>,
        /// Only jobs of this kind
        #[arg(long, value_name = "KIND")]
        kind: Option<String>,
        /// Most jobs to list
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: u64,
        /// Print one JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Retry dead jobs, or start at once jobs that wait after a failure
    Retry {
        /// Numbers of the jobs
        #[arg(required = true, value_name = "ID")]
        ids: Vec<i64>,
    },
    /// Cancel jobs; a server that runs one stops it within seconds
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
    /// Show how many secrets are encrypted with each key
    Status,
    /// Use the key of this server after the key of this database was lost; secrets encrypted with the lost key have to be entered
    /// again
    Adopt,
    /// Make a new key and encrypt everything again with it, also while servers run
    Rotate,
    /// Delete the old keys, once nothing is encrypted with them
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
    /// Folder of the pictures and fonts that the data names [default: the folder of the data]
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
    /// Publish the prepared region of the data folder to all servers of the database, also while they run
    Publish,
    /// List the published regions, the newest first; a star marks the one in use
    List,
    /// Make all servers use a region that was published before
    Use {
        /// The first digits of its id
        #[arg(value_parser = bundle_start)]
        id: String,
    },
    /// Remove a published region that is not in use; `jalon blobs sweep --delete` deletes its files once they are 7 days old
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
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// `jalon plan …`
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// The best route through points, or between each pair of a table
    Route(PlanRoute),
    /// The areas that can be reached within given times
    Isochrone(PlanIsochrone),
    /// Match recordings to the network: reliability, stretches that do not match, the planned line and its ways
    Match(PlanMatch),
    /// The same as match, without the line and its ways
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
    /// Points to pass through: lon,lat;lon,lat…
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
    /// Month of the trip (1 to 12): ways closed in that month are not used
    #[arg(long, value_name = "MONTH")]
    pub month: Option<u8>,
    /// Add the line and the French instructions
    #[arg(long)]
    pub whole: bool,
    /// Print one JSON object per line
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
    /// Starting point: lon,lat
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    pub from: String,
    /// Times in minutes, from 1 to 360
    #[arg(
        long,
        value_name = "MINUTES",
        value_delimiter = ',',
        default_value = "15,30,60",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ISOCHRONE_S / 60))
    )]
    pub minutes: Vec<u32>,
    /// Print one JSON object per line
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
    /// Print one JSON object per track
    #[arg(long)]
    pub json: bool,
    /// Recordings (GPX, KML/KMZ, GeoJSON, TCX, FIT)
    #[arg(required = true, value_name = "TRACK")]
    pub tracks: Vec<PathBuf>,
}

/// `jalon parcours …`
#[derive(Debug, Subcommand)]
pub enum ParcoursCommand {
    /// Make a parcours from each recording
    Import(ParcoursImport),
    /// Write parcours as GeoJSON
    Export {
        /// File to write (default: standard output)
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// List parcours whose steps are not on their trace, or whose stored length differs from it
    Check {
        /// Also move the steps to their places
        #[arg(long, alias = "mend")]
        fix: bool,
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
    /// Keep the source trace unchanged: do not match it to the network
    #[arg(long)]
    pub no_match: bool,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// `jalon migrate-from …`
#[derive(Debug, Subcommand)]
pub enum MigrateFrom {
    /// Import the treks of a Geotrek, with their pictures, points of interest and information desks, and its tourist contents, events and services;
    /// repeated, only what changed. From its server comes what is published, from its database the drafts too
    Geotrek(MigrateFromGeotrek),
}

/// `jalon migrate-from geotrek`
#[derive(Debug, Args)]
pub struct MigrateFromGeotrek {
    /// The address of the Geotrek server (https://geotrek.example or https://geotrek.example/?portals=2), a dump of its database (a file or a
    /// folder of pg_dump), its database (postgresql://reader@host/geotrek, which is only read; its password can be in PGPASSWORD or ~/.pgpass), or an archive
    /// made with --archive
    #[arg(value_name = "ADDRESS, DUMP OR DATABASE")]
    pub from: String,
    /// The public address of a Geotrek that is read from its database: pictures that are not in --media are fetched there, and it links what has
    /// no place here
    #[arg(long, value_name = "URL")]
    pub address: Option<String>,
    /// The media folder of a Geotrek that is read from its database (var/media): pictures are taken from it
    #[arg(long, value_name = "FOLDER")]
    pub media: Option<PathBuf>,
    /// Write an archive of the lists of a database to this file, and import nothing: it can be uploaded in the back-office, or imported elsewhere
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dry_run", "undo"])]
    pub archive: Option<PathBuf>,
    /// Write the users of a database, with their structures, to this file (CSV): none is imported
    #[arg(long, value_name = "FILE")]
    pub users: Option<PathBuf>,
    /// Take of a database the treks, tourist contents and events of this portal alone, with the points of interest and services along these treks (name
    /// or number; may be repeated). Of a server, the address says it: ?portals=2
    #[arg(long = "portal", value_name = "NAME")]
    pub portals: Vec<String>,
    /// Take of a database the treks, tourist contents, events, services and equipment of this structure alone (name or number; may be repeated)
    #[arg(long = "structure", value_name = "NAME")]
    pub structures: Vec<String>,
    /// Import each structure of a database into a white-label of its own, which has its name and is made where it is missing, not published. With
    /// --archive: write an archive of each into this folder
    #[arg(long, conflicts_with_all = ["each_portal", "portals", "structures", "white_label", "undo", "report"])]
    pub each_structure: bool,
    /// Import each portal of a database into a white-label of its own, in the structure that owns --white-label
    #[arg(long, conflicts_with_all = ["portals", "structures", "undo", "report"])]
    pub each_portal: bool,
    /// White-label that owns what is imported (name; default: the first)
    #[arg(long, value_name = "NAME")]
    pub white_label: Option<String>,
    /// Write nothing: show what the server has and what would become of it
    #[arg(long, conflicts_with = "undo")]
    pub dry_run: bool,
    /// Take back the last import from this Geotrek
    #[arg(long)]
    pub undo: bool,
    /// Write the report, item by item, to this file (CSV)
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Leave points of interest, information desks and equipment out (for a Geotrek that is new here)
    #[arg(long)]
    pub no_pois: bool,
    /// Leave signage and infrastructure out, which come as points of interest that are not published (for a Geotrek that is new here)
    #[arg(long)]
    pub no_equipment: bool,
    /// Leave tourist contents, tourist events and services out: else a source of tourist records brings them
    #[arg(long)]
    pub no_tourism: bool,
    /// Publish what is imported and is published there (for a Geotrek that is new here)
    #[arg(long)]
    pub publish: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

/// `jalon trace …`
#[derive(Debug, Subcommand)]
pub enum TraceCommand {
    /// Show what recordings contain, what was repaired, and why one cannot be read
    Inspect {
        /// Recordings (GPX, KML/KMZ, GeoJSON, TCX, FIT)
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print one JSON object per line
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
    /// Name of the structure; created if it does not exist
    #[arg(long)]
    pub structure: String,
    /// Name of the white-label; created if it does not exist
    #[arg(long)]
    pub white_label: String,
    /// Password [default: a new one, which is printed once]
    #[arg(long)]
    pub password: Option<String>,
}
