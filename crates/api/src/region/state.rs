//! What this server does about its region: for the probes, the status page and the row of the server.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use app::App;
use domain::region::BundleId;
use serde::Serialize;
use store::region::CurrentBundle;
use utoipa::ToSchema;

use super::RegionFault;

/// After a failure the next try waits for so long, and twice as long after each further one.
const FIRST_WAIT: Duration = Duration::from_secs(5);
const MAX_WAIT: Duration = Duration::from_secs(3600);
/// For so long a server without any region waits for blobs that do not answer, before it takes requests without planner and map.
const MAX_UNREADY: Duration = Duration::from_secs(600);

/// What a server does about its region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RegionPhase {
    /// It has not looked yet which region is published.
    Starting,
    /// It uses the region that is published, or none is published.
    UpToDate,
    /// It fetches the region that is published, and uses an older one meanwhile, where it has one.
    Fetching,
    /// It cannot use the region that is published, goes on with what it has and tries again.
    Refused,
}

impl RegionPhase {
    /// The word that is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::UpToDate => "up_to_date",
            Self::Fetching => "fetching",
            Self::Refused => "refused",
        }
    }

    /// The phase of a stored word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Starting, Self::UpToDate, Self::Fetching, Self::Refused].into_iter().find(|phase| phase.as_str() == word)
    }
}

/// How far a server is with the region that is published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RegionProgress {
    /// What it does.
    pub state: RegionPhase,
    /// The bundle it uses; none for a folder of its own, or for no region.
    pub bundle: Option<String>,
    /// The bundle that is published.
    pub published: Option<String>,
    /// How much of it is fetched, while it is being fetched.
    pub percent: Option<u8>,
    /// Why it cannot be used.
    pub problem: Option<String>,
}

#[derive(Debug)]
struct Wish {
    number: i64,
    since: Instant,
    done: u64,
    all: u64,
    failure: Option<Failed>,
    failures: u32,
}

#[derive(Debug)]
struct Failed {
    problem: String,
    may_pass: bool,
    again_at: Instant,
}

#[derive(Debug, Default)]
struct Inner {
    has_looked: bool,
    published: Option<BundleId>,
    /// The bundle that is published and not in use yet.
    wish: Option<Wish>,
}

/// What the module remembers.
#[derive(Debug, Default)]
pub(super) struct RegionState(Mutex<Inner>);

impl RegionState {
    fn with<T>(&self, work: impl FnOnce(&mut Inner) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The region in use is the one that is published, or none is published. True when this is the first look.
    pub(super) fn up_to_date(&self, published: Option<BundleId>) -> bool {
        self.with(|inner| !std::mem::replace(inner, Inner { has_looked: true, published, wish: None }).has_looked)
    }

    /// Another bundle is published. False while it must not be tried yet, after a failure.
    pub(super) fn wants(&self, current: &CurrentBundle) -> bool {
        self.with(|inner| {
            inner.has_looked = true;
            inner.published = Some(current.id.clone());
            if let Some(wish) = inner.wish.as_ref().filter(|wish| wish.number == current.number) {
                return wish.failure.as_ref().is_none_or(|failed| failed.again_at <= Instant::now());
            }
            inner.wish = Some(Wish {
                number: current.number,
                since: Instant::now(),
                done: 0,
                all: 0,
                failure: None,
                failures: 0,
            });
            true
        })
    }

    /// How many bytes of how many are here.
    pub(super) fn fetched(&self, done: u64, all: u64) {
        self.with(|inner| {
            if let Some(wish) = &mut inner.wish {
                (wish.done, wish.all) = (done, all);
            }
        });
    }

    /// The bundle cannot be used now.
    pub(super) fn refuse(&self, fault: &RegionFault) {
        self.with(|inner| {
            let Some(wish) = &mut inner.wish else { return };
            let wait = FIRST_WAIT.saturating_mul(1_u32.checked_shl(wish.failures).unwrap_or(u32::MAX)).min(MAX_WAIT);
            wish.failures += 1;
            let (problem, may_pass) = (fault.to_string(), fault.may_pass());
            wish.failure = Some(Failed { problem, may_pass, again_at: Instant::now() + wait });
        });
    }

    /// The next try does not wait: for tests.
    pub(super) fn try_again(&self) {
        self.with(|inner| {
            if let Some(failed) = inner.wish.as_mut().and_then(|wish| wish.failure.as_mut()) {
                failed.again_at = Instant::now();
            }
        });
    }
}

/// How far this server is with the region that is published.
pub fn progress(app: &App) -> RegionProgress {
    let bundle = app.region().bundle.as_ref().map(ToString::to_string);
    if app.region_source.is_none() {
        return RegionProgress { state: RegionPhase::UpToDate, bundle, published: None, percent: None, problem: None };
    }
    app.shared::<RegionState>().with(|inner| {
        let failure = inner.wish.as_ref().and_then(|wish| wish.failure.as_ref());
        let state = match &inner.wish {
            _ if !inner.has_looked => RegionPhase::Starting,
            None => RegionPhase::UpToDate,
            Some(_) if failure.is_some() => RegionPhase::Refused,
            Some(_) => RegionPhase::Fetching,
        };
        let percent = inner.wish.as_ref().filter(|_| state == RegionPhase::Fetching);
        RegionProgress {
            state,
            bundle,
            published: inner.published.as_ref().map(ToString::to_string),
            percent: percent.map(|wish| (wish.done * 100).checked_div(wish.all).unwrap_or(0).min(100) as u8),
            problem: failure.map(|failed| failed.problem.clone()),
        }
    })
}

/// Whether this server should get no requests because it has no region and fetches one.
pub(crate) fn keeps_unready(app: &App) -> bool {
    let region = app.region();
    if app.region_source.is_none() || region.engine.is_some() || region.tiles.is_some() {
        return false;
    }
    app.shared::<RegionState>().with(|inner| match &inner.wish {
        _ if !inner.has_looked => true,
        None => false,
        Some(wish) => match &wish.failure {
            None => true,
            Some(failed) => failed.may_pass && wish.since.elapsed() < MAX_UNREADY,
        },
    })
}
