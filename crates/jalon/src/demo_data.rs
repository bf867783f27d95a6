//! `jalon demo`: the fictional region, its people, parcours, points of interest and pictures.

mod closures;
mod content;
mod itineraries;
mod lines;
mod statistics;

use std::collections::HashMap;

use domain::white_label::{Bounds, Colors, WhiteLabelFlags, WhiteLabelKind, WhiteLabelSheet};
use domain::{Locale, Role, StructureId, UserId, UserStatus, WhiteLabelId};
use store::{Store, StoreError, Tx, structure, user, white_label};

use crate::config::Config;
use crate::network::{self, BuildError};
use crate::output;
use crate::user_create::{self, UserCreateError};
use crate::wiring::{self, WiringError};

/// Why the demo was not made, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum DemoDataError {
    /// There is something already.
    #[error("the database has accounts already: the demo fills an empty one")]
    NotEmpty,
    /// The region's files.
    #[error(transparent)]
    Demo(#[from] demo::DemoError),
    /// The prepared region.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A part is missing or broken.
    #[error(transparent)]
    Wiring(#[from] WiringError),
    /// The accounts.
    #[error(transparent)]
    People(#[from] UserCreateError),
    /// The database or the blob store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A picture of the demo is refused: a bug of the demo.
    #[error("a picture of the demo does not come in: {0}")]
    Picture(::content::media::MediaError),
    /// Its sizes could not be made.
    #[error("the sizes of a picture could not be made: {0}")]
    Sizes(app::problem::Internal),
    /// A recording of the demo could not be read: our bug.
    #[error("the demo's own recording {0} cannot be read: {1}")]
    Recording(String, trace::ReadError),
}

/// Keys of the content to identifiers of the database.
struct Keys {
    structures: HashMap<&'static str, StructureId>,
    white_labels: HashMap<&'static str, WhiteLabelId>,
    /// The address of each white-label's site.
    sites: HashMap<&'static str, String>,
    users: HashMap<&'static str, UserId>,
}

/// Fills an empty database; with `people_only` the region and the parcours are the user's own.
pub async fn run(config: &Config, people_only: bool) -> Result<(), DemoDataError> {
    let store = wiring::new_or_current_store(config).await?;
    if user::count(store.read()).await? > 0 {
        return Err(DemoDataError::NotEmpty);
    }
    let region = demo::region();
    let content = demo::content::content(&region);
    if !people_only {
        output::line("Making the demo's region …");
        let files = demo::write_region(&config.data.join("demo"))?;
        network::prepare(&config.region(), &files.extract, Some(&files.dem))?;
    }
    let keys = people(config, &store, &content).await?;
    if !people_only {
        output::line("Making its parcours, places and pictures …");
        let lines = lines::fill(config, &store, &keys).await?;
        content::fill(config, &store, &content, &keys, &lines).await?;
        itineraries::fill(config, &store, &region).await?;
        closures::fill(config, &store, &content, &keys).await?;
        if let Some(app_of) = content.white_labels.first().and_then(|first| keys.white_labels.get(first.key)) {
            statistics::fill(&store, *app_of, &config.time_zone()).await?;
        }
    }
    store.close().await?;
    accounts(&content);
    Ok(())
}

async fn people(config: &Config, store: &Store, content: &demo::content::Content) -> Result<Keys, DemoDataError> {
    let tx = store.begin().await?;
    let mut keys =
        Keys { structures: HashMap::new(), white_labels: HashMap::new(), sites: HashMap::new(), users: HashMap::new() };
    for new in &content.structures {
        let id = structure::insert(&tx, new.name, new.kind, wiring::now()).await?;
        keys.structures.insert(new.key, id);
    }
    for new in &content.white_labels {
        let site = format!("https://{}.{}", new.site, config.map_domain);
        let id = white_label(&site, &tx, new, &keys).await?;
        keys.sites.insert(new.key, site);
        keys.white_labels.insert(new.key, id);
    }
    // One hash for all: the password is the same, and it opens a demo.
    let password_hash = user_create::hash(demo::content::DEMO_PASSWORD)?;
    for new in &content.users {
        let white_label_ids: Vec<_> =
            new.white_labels.iter().filter_map(|key| keys.white_labels.get(key).copied()).collect();
        let Some(&structure_id) = keys.structures.get(new.structure) else { continue };
        let account = user::NewUser {
            first_name: new.first_name,
            last_name: new.last_name,
            email: new.email,
            role: role(new.role),
            locale: Locale::parse(new.locale).unwrap_or(Locale::Fr),
            structure_id,
            white_label_ids: &white_label_ids,
            password_hash: &password_hash,
        };
        let id = user::insert(&tx, account, wiring::now()).await?;
        if new.blocked {
            user::set_status(&tx, id, UserStatus::Blocked, wiring::now()).await?;
        }
        if new.advanced_view {
            let chosen = user::Preferences { advanced_view: Some(true), ..user::Preferences::default() };
            user::set_preferences(&tx, id, chosen, wiring::now()).await?;
        }
        keys.users.insert(new.key, id);
    }
    tx.commit().await?;
    Ok(keys)
}

async fn white_label(
    site: &str,
    tx: &Tx,
    new: &demo::content::WhiteLabel,
    keys: &Keys,
) -> Result<WhiteLabelId, StoreError> {
    let [west, south, east, north] = new.bounds;
    let [primary, secondary, tertiary] = new.colors.map(|color| Some(color.to_owned()));
    let sheet = WhiteLabelSheet {
        structure_id: keys.structures[new.structure].0,
        name: new.name.to_owned(),
        slug: new.key.to_owned(),
        kind: match new.kind {
            demo::content::WhiteLabelKind::Destination => WhiteLabelKind::Destination,
            demo::content::WhiteLabelKind::Travel => WhiteLabelKind::Travel,
        },
        published: true,
        flags: WhiteLabelFlags { public_transport: true, tourist_maas: true, cycle_map: true, ..Default::default() },
        domain: Some(site.to_owned()),
        colors: Colors { primary, secondary, tertiary },
        bounds: Some(Bounds { ne: [east, north], sw: [west, south] }),
        ..WhiteLabelSheet::default()
    };
    white_label::insert(tx, sheet, wiring::now()).await
}

const fn role(role: demo::content::Role) -> Role {
    match role {
        demo::content::Role::Superadmin => Role::Superadmin,
        demo::content::Role::Admin => Role::Admin,
        demo::content::Role::Agency => Role::Agency,
        demo::content::Role::Editor => Role::Editor,
        demo::content::Role::Reader => Role::Reader,
    }
}

fn accounts(content: &demo::content::Content) {
    output::line(format!("\nDemo accounts, all with the password {}:", demo::content::DEMO_PASSWORD));
    for user in &content.users {
        let note = if user.blocked { " (blocked)" } else { "" };
        output::line(format!("  {:<40} {}{note}", user.email, role(user.role).as_str()));
    }
    output::line("");
}
