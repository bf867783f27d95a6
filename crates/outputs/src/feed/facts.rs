//! Reference lists, itineraries, white-labels and structures: every page of a feed needs them, and they seldom change. They are cached together, and read again
//! after a write only if it changed one of them: 2,000 white-labels with their structures take some 50 ms.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError};

use app::App;
use domain::itinerary::ItinerarySheet;
use domain::record::is_color;
use domain::vocabulary::{TermSheet, VocabularyKind};
use domain::white_label::WhiteLabelSheet;
use feeds::{Itinerary, Owner, Term};
use store::StoreError;
use store::feed::{itinerary_state, reference_state};
use store::itinerary::{self, Itineraries};
use store::record::{self as rows, Stored};
use store::structure::Structures;
use store::vocabulary::{self, Terms};
use store::white_label::{self, WhiteLabels};

use super::state::FeedState;
use super::tour_class::Tree;

/// Itineraries whose sheets, with their lines, are in memory at once.
const ITINERARIES_AT_ONCE: usize = 16;

/// Reference lists, itineraries, white-labels, structures.
#[derive(Debug, Default)]
pub struct Facts {
    terms: HashMap<i64, Arc<Term>>,
    lists: HashMap<VocabularyKind, Vec<Arc<Term>>>,
    owners: HashMap<i64, Arc<Owner>>,
    under: HashMap<i64, Vec<i64>>,
    /// Each itinerary with the version of its sheet: their lines are long, so that only a changed sheet is read again.
    itineraries: HashMap<i64, (i64, Arc<Itinerary>)>,
    /// Every white-label.
    pub white_labels: Vec<Stored<WhiteLabelSheet>>,
}

impl Facts {
    /// The items with these numbers, in the given order. Internal items, and numbers that do not exist, are left out.
    pub fn terms(&self, ids: &[i64]) -> Vec<Arc<Term>> {
        ids.iter().filter_map(|id| self.terms.get(id).cloned()).collect()
    }

    /// One item.
    pub fn term(&self, id: Option<i64>) -> Option<Arc<Term>> {
        self.terms.get(&id?).cloned()
    }

    /// The itineraries with these numbers, in the given order.
    pub fn itineraries(&self, ids: &[i64]) -> Vec<Arc<Itinerary>> {
        ids.iter().filter_map(|id| self.itineraries.get(id)).map(|(_, itinerary)| Arc::clone(itinerary)).collect()
    }

    /// A whole list.
    pub fn list(&self, kind: VocabularyKind) -> &[Arc<Term>] {
        self.lists.get(&kind).map(Vec::as_slice).unwrap_or_default()
    }

    /// The white-labels that hand no POI on.
    pub fn without_pois(&self) -> Vec<i64> {
        let closed = self.white_labels.iter().filter(|one| !one.sheet.published || !one.sheet.flags.distribute_pois);
        closed.map(|one| one.id).collect()
    }

    /// A white-label, and the structure behind it.
    pub fn owner(&self, id: i64) -> Arc<Owner> {
        self.owners.get(&id).cloned().unwrap_or_default()
    }

    /// The numbers of these items and of all their descendants.
    pub fn with_those_under(&self, ids: &[i64]) -> Vec<i64> {
        let mut seen = HashSet::with_capacity(ids.len());
        let mut found: Vec<i64> = ids.iter().copied().filter(|id| seen.insert(*id)).collect();
        let mut next = 0;
        while let Some(id) = found.get(next).copied() {
            let children = self.under.get(&id).into_iter().flatten().copied();
            found.extend(children.filter(|child| seen.insert(*child)));
            next += 1;
        }
        found
    }
}

/// The white-labels that hand no POI on.
pub async fn white_labels_without_pois(app: &App) -> Result<Vec<i64>, StoreError> {
    Ok(facts(app).await?.without_pois())
}

/// These items of reference lists, in the given order; internal items and numbers that do not exist are left out.
pub async fn terms(app: &App, ids: &[i64]) -> Result<Vec<Arc<Term>>, StoreError> {
    if ids.is_empty() { Ok(Vec::new()) } else { Ok(facts(app).await?.terms(ids)) }
}

/// These itineraries, in the given order.
pub async fn itineraries(app: &App, ids: &[i64]) -> Result<Vec<Arc<Itinerary>>, StoreError> {
    if ids.is_empty() { Ok(Vec::new()) } else { Ok(facts(app).await?.itineraries(ids)) }
}

/// The numbers of these items of reference lists and of all their descendants.
pub async fn with_those_under(app: &App, ids: &[i64]) -> Result<Vec<i64>, StoreError> {
    if ids.is_empty() { Ok(Vec::new()) } else { Ok(facts(app).await?.with_those_under(ids)) }
}

/// The current facts, from the cache if none of them was written since they were read.
pub async fn facts(app: &App) -> Result<Arc<Facts>, StoreError> {
    let writes = app.store.read_now().writes();
    if let Some(known) = app.shared::<FeedState>().facts.get(&(), writes) {
        return Ok(known);
    }
    let facts = current(app).await?;
    app.shared::<FeedState>().facts.keep((), writes, Arc::clone(&facts), 0);
    Ok(facts)
}

async fn current(app: &App) -> Result<Arc<Facts>, StoreError> {
    // The state is asked first: what is written meanwhile makes another state, which the next question sees.
    let db = app.store.read_now();
    let state = (reference_state(db).await?, itinerary_state(db).await?);
    let kept = app.shared::<FeedState>();
    let last = || kept.last_facts.lock().unwrap_or_else(PoisonError::into_inner);
    let before = last().as_ref().map(|(of, facts)| (*of, Arc::clone(facts)));
    if let Some((_, known)) = before.as_ref().filter(|(of, _)| *of == state) {
        return Ok(Arc::clone(known));
    }
    let known = before.map(|(_, facts)| facts.itineraries.clone()).unwrap_or_default();
    let facts = Arc::new(Facts { itineraries: all_itineraries(app, known).await?, ..read(app).await? });
    *last() = Some((state, Arc::clone(&facts)));
    Ok(facts)
}

async fn read(app: &App) -> Result<Facts, StoreError> {
    let db = app.store.read_now();
    let ids: Vec<i64> = vocabulary::names(db).await?.iter().map(|name| name.id.0).collect();
    let mut facts = Facts::default();
    let found = rows::load_many::<Terms>(db, &ids).await?;
    for term in &found {
        if let Some(parent) = term.sheet.parent_id {
            facts.under.entry(parent).or_default().push(term.id);
        }
    }
    let sheets: HashMap<i64, &TermSheet> = found.iter().map(|term| (term.id, &term.sheet)).collect();
    for Stored { id, sheet, .. } in found.iter().filter(|term| term.sheet.attributes["internal"] != true) {
        let mut term = term(app, *id, sheet, &sheets);
        if sheet.kind == VocabularyKind::PracticeType && term.word("datatourisme").is_none() {
            let tree = Tree { sheets: &sheets, under: &facts.under };
            if let Some(class) = tree.tour_class(*id) {
                term.matches["datatourisme"] = class.into();
            }
        }
        let term = Arc::new(term);
        facts.terms.insert(*id, Arc::clone(&term));
        facts.lists.entry(sheet.kind).or_default().push(term);
    }
    for list in facts.lists.values_mut() {
        list.sort_by_key(|term| (term.order, term.id));
    }
    facts.white_labels = all_white_labels(app).await?;
    let structures: Vec<i64> = facts.white_labels.iter().map(|one| one.sheet.structure_id).collect();
    let found = rows::load_many::<Structures>(db, &structures).await?;
    let structures: HashMap<i64, _> = found.into_iter().map(|one| (one.id, one.sheet)).collect();
    for Stored { id, sheet, .. } in &facts.white_labels {
        let structure = structures.get(&sheet.structure_id).cloned().unwrap_or_default();
        let owner = Owner {
            id: *id,
            name: sheet.name.clone(),
            site: sheet.domain.clone(),
            structure_id: sheet.structure_id,
            structure: structure.name,
            email: structure.email,
            phone: structure.phone,
            website: structure.website,
            address: structure.address,
            location: structure.location,
            deposit_percent: sheet.deposit_percent,
            sit_record_url: sheet.sit_record_url.clone(),
            public_transport: sheet.flags.public_transport,
            tourist_maas: sheet.flags.tourist_maas,
        };
        facts.owners.insert(*id, Arc::new(owner));
    }
    Ok(facts)
}

/// All itineraries; those of `known` whose version is still the same are not read again.
async fn all_itineraries(
    app: &App,
    mut known: HashMap<i64, (i64, Arc<Itinerary>)>,
) -> Result<HashMap<i64, (i64, Arc<Itinerary>)>, StoreError> {
    let db = app.store.read_now();
    let versions: HashMap<i64, i64> = itinerary::versions(db).await?.into_iter().collect();
    known.retain(|id, (version, _)| versions.get(id) == Some(version));
    let others: Vec<i64> = versions.into_keys().filter(|id| !known.contains_key(id)).collect();
    for some in others.chunks(ITINERARIES_AT_ONCE) {
        for Stored { id, version, sheet, .. } in rows::load_many::<Itineraries>(db, some).await? {
            let ItinerarySheet { name, kind, code, color, description, .. } = sheet;
            known.insert(id, (version, Arc::new(Itinerary { id, name, kind, code, color, description })));
        }
    }
    Ok(known)
}

async fn all_white_labels(app: &App) -> Result<Vec<Stored<WhiteLabelSheet>>, StoreError> {
    let db = app.store.read_now();
    let ids: Vec<i64> = white_label::ids(db, None).await?.iter().map(|id| id.0).collect();
    rows::load_many::<WhiteLabels>(db, &ids).await
}

/// The colours of a waymark; a value that is no colour is left out.
fn colors(attribute: &serde_json::Value) -> Vec<String> {
    let colors = attribute.as_array().into_iter().flatten().filter_map(serde_json::Value::as_str);
    colors.filter(|color| is_color(color)).map(str::to_owned).collect()
}

/// An item of a reference list. Where it has no icon, or no equivalent in another system, that of its nearest ancestor is used.
fn term(app: &App, id: i64, sheet: &TermSheet, sheets: &HashMap<i64, &TermSheet>) -> Term {
    let mut matches = sheet.attributes["matches"].as_object().cloned().unwrap_or_default();
    let mut icon = sheet.icon.clone();
    let mut above = sheet.parent_id;
    for _ in 0..8 {
        let Some(parent) = above.and_then(|id| sheets.get(&id)) else { break };
        icon = icon.or_else(|| parent.icon.clone());
        for (system, word) in parent.attributes["matches"].as_object().into_iter().flatten() {
            matches.entry(system.clone()).or_insert_with(|| word.clone());
        }
        above = parent.parent_id;
    }
    Term {
        id,
        code: sheet.code.clone(),
        label: sheet.label.clone(),
        description: sheet.description.clone(),
        icon,
        color: sheet.color.clone(),
        colors: colors(&sheet.attributes["colors"]),
        order: sheet.order,
        scale: sheet.attributes["scale"].as_str().map(str::to_owned),
        rank: sheet.attributes["rank"].as_i64().unwrap_or(0),
        matches: matches.into(),
        picture: format!("{}/api/public/v1/pictograms/{id}.svg", app.settings.public_url),
    }
}
