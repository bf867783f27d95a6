//! Makes a parcours of a recorded trace: shared by the import, the demo and the benchmarks.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use content::parcours::compute::{
    Ask, Join, ReadTrace, arrange_steps, compute, planned_as, read_source, steps_of_file,
};
use domain::parcours::line::Pace;
use domain::parcours::{Leg, LegKind, Sheet, TraceMode, TraceOrigin};
use domain::step::Step;
use domain::vocabulary::{Attributes, PracticeTypeAttributes, VocabularyItem, VocabularyKind, practice_in};
use domain::{Text, WhiteLabelId, hexadecimal};
use routing::{Profile, RouteEngine};
use sha2::{Digest as _, Sha256};
use store::parcours::NewParcours;
use store::{Connection, StoreError, vocabulary};
use trace::{ReadError, ReadErrorKind};

use crate::wiring;

/// Makes parcours of recorded traces.
pub struct Intake {
    /// The planner, where there is a region.
    pub engine: Option<Arc<dyn RouteEngine>>,
    /// The reference lists.
    pub lists: Lists,
}

/// A recording to import, with its options.
pub struct Recording<'a> {
    /// Name of the file.
    pub file_name: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The white-label of the parcours.
    pub white_label_id: WhiteLabelId,
    /// The known values of the sheet; an empty title is replaced by the file's name.
    pub sheet: Sheet,
    /// Steps already written; none: departure, arrival and the file's waypoints.
    pub steps: Vec<Step>,
    /// Planned, or unchanged.
    pub mode: TraceMode,
    /// Profile of the planner; none takes the practice's.
    pub profile: Option<Profile>,
    /// Shown to the public.
    pub published: bool,
}

/// A parcours ready to be stored, and the key under which its source's bytes go.
pub struct Prepared {
    /// The parcours.
    pub parcours: NewParcours,
    /// Key in the blob store.
    pub blob_key: String,
}

impl Intake {
    /// Reads, plans and scores a recording. It uses the processor only: no database, no network.
    pub fn prepare(&self, recording: Recording<'_>) -> Result<Prepared, ReadError> {
        // No user can be asked: the pieces are joined, and the trace records that this is to be confirmed.
        let Ok(read) = read_source(recording.bytes, recording.file_name, Some(Join::True), &[])? else {
            return Err(ReadError { kind: ReadErrorKind::NoLine { waypoints: 0 }, line: None });
        };
        let sha256 = hexadecimal(&Sha256::digest(recording.bytes));
        let mut sheet = recording.sheet;
        if sheet.title.is_empty() {
            sheet.title = title_of(&read);
        }
        let (profile, pace) = self.lists.practice(sheet.practice_type_id);
        let waypoints = read.waypoints.clone();
        let ask = self.ask(read, &sha256, recording.mode, recording.profile.or(profile), pace);
        let trace = compute(self.engine.as_deref(), ask);
        let mut steps = recording.steps;
        if steps.is_empty() {
            steps = steps_of_file(&waypoints, &trace, pace, 1);
        } else {
            let length_m = trace.summary.distance_m;
            arrange_steps(&mut steps, &trace, pace, length_m);
        }
        let parcours = NewParcours {
            white_label_id: recording.white_label_id,
            published: recording.published,
            sheet,
            steps,
            trace: Some(trace),
        };
        Ok(Prepared { parcours, blob_key: content::parcours::trace::source_key(&sha256) })
    }

    fn ask(&self, read: ReadTrace, sha256: &str, mode: TraceMode, profile: Option<Profile>, pace: Pace) -> Ask {
        let mut file = read.file;
        file.sha256 = sha256.to_owned();
        Ask {
            legs: vec![Leg { kind: LegKind::Source, line: read.line }],
            mode,
            profile,
            pace,
            origin: TraceOrigin::Imported,
            source_file: Some(file),
            repairs: read.repairs,
            pieces: read.pieces,
            source_gaps: read.gaps,
            source_line: None,
            model_heights: false,
            distance_typed_m: None,
            duration_typed_s: None,
            duration_recorded_s: read.duration_s,
            ignored: Vec::new(),
            at: wiring::now(),
        }
    }
}

/// Applies `work` to all items on as many threads as there are cores. The results have the order of the items.
pub fn parallel_map<T: Sync, R: Send>(things: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(things.len().max(1));
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers)
            .map(|_| {
                scope.spawn(|| {
                    let mut mine = Vec::new();
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(thing) = things.get(at) else { return mine };
                        mine.push((at, work(thing)));
                    }
                })
            })
            .collect();
        handles.into_iter().flat_map(|handle| handle.join().unwrap_or_default()).collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, answer)| answer).collect()
}

/// The reference lists by code.
pub struct Lists {
    items: HashMap<(VocabularyKind, String), VocabularyItem>,
    practices: HashMap<i64, (Option<Profile>, Pace)>,
}

impl Lists {
    /// Reads them all.
    pub async fn load(db: &impl Connection) -> Result<Self, StoreError> {
        let mut items = HashMap::new();
        let mut practices = HashMap::new();
        for kind in VocabularyKind::ALL {
            let list = vocabulary::list(db, kind).await?;
            if kind == VocabularyKind::PracticeType {
                practices = list.iter().map(|item| (item.id.0, planned_as(&practice_in(&list, item.id)))).collect();
            }
            items.extend(list.into_iter().map(|item| ((kind, item.code.clone()), item)));
        }
        Ok(Self { items, practices })
    }

    /// Identifier of a code.
    pub fn id(&self, kind: VocabularyKind, code: &str) -> Option<i64> {
        self.items.get(&(kind, code.to_owned())).map(|item| item.id.0)
    }

    /// Identifiers of codes; unknown ones are left out.
    pub fn ids(&self, kind: VocabularyKind, codes: &[&str]) -> Vec<i64> {
        codes.iter().filter_map(|code| self.id(kind, code)).collect()
    }

    /// The scale of a level and its identifier.
    pub fn level(&self, code: &str) -> Option<(String, i64)> {
        let item = self.items.get(&(VocabularyKind::Level, code.to_owned()))?;
        let Attributes::Level(level) = &item.attributes else { return None };
        Some((level.scale.clone(), item.id.0))
    }

    /// Planner profile and speeds of a practice.
    fn practice(&self, id: Option<i64>) -> (Option<Profile>, Pace) {
        let known = id.and_then(|id| self.practices.get(&id)).copied();
        known.unwrap_or_else(|| planned_as(&PracticeTypeAttributes::default()))
    }
}

fn title_of(read: &ReadTrace) -> Text {
    let stem = read.file.name.rsplit_once('.').map_or(read.file.name.as_str(), |(stem, _)| stem);
    let title = read.name.as_deref().map(str::trim).filter(|name| !name.is_empty()).unwrap_or(stem);
    [("fr".to_owned(), title.chars().take(200).collect::<String>())].into_iter().collect()
}
