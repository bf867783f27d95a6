//! Lists of media.

use std::collections::HashMap;

use domain::media::{MediaLack, MediaSheet};
use domain::record::Kind;
use domain::{MediaKind, WhiteLabelId};

use super::Medias;
use crate::parcours_link::link_kinds;
use crate::record::{Conditions, Counted, Record, Sorted, Stored, capped_count, load_many, owned_counts, page_ids};
use crate::sql::{all, get, numbers};
use crate::{Connection, OwnerFilter, Page, StoreError, search};

/// The filters of a list of media.
#[derive(Debug, Clone, Default)]
pub struct MediaFilter {
    /// The white-label that looks.
    pub viewer: WhiteLabelId,
    pub owner: OwnerFilter,
    /// Every one of these words.
    pub search: Option<String>,
    /// Only those of one of these kinds.
    pub kinds: Vec<MediaKind>,
    /// Those that lack all of these, of the kinds that need them.
    pub lacking: Vec<MediaLack>,
    /// Unused, or used.
    pub unused: Option<bool>,
    /// At least so wide.
    pub min_width: Option<i64>,
    /// With the content of this one.
    pub sha256: Option<String>,
    /// Among these.
    pub ids: Option<Vec<i64>>,
}

/// How a list of media shares out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MediaCounts {
    /// The viewer's own.
    pub mine: Counted,
    /// What it sees of others.
    pub shared: Counted,
}

/// A page of media.
#[derive(Debug, Clone, PartialEq)]
pub struct MediaPage {
    pub items: Vec<Stored<MediaSheet>>,
    pub counted: Counted,
    pub counts: MediaCounts,
}

/// The orders a list offers: word and column.
const SORTS: [(&str, &str); 4] =
    [("updated_at", "updated_at"), ("title", "sort_title"), ("bytes", "bytes"), ("id", "id")];

impl MediaFilter {
    /// The condition that the viewer sees a media of others: it was added here, or something published shows it.
    fn seen_by_viewer(&self) -> String {
        let (me, media) = (self.viewer.0, Kind::Media.code());
        let added = format!("SELECT record_id FROM record_white_label WHERE white_label_id = {me} AND kind = {media}");
        let [by_pois, by_parcours] = super::public::public_ids();
        // One list, not three joined by OR: PostgreSQL would ask of each media whether it is in one of them.
        format!("n.id IN ({added} UNION {by_pois} UNION {by_parcours})")
    }

    fn owned(&self, owner: OwnerFilter) -> String {
        let (me, seen) = (self.viewer.0, self.seen_by_viewer());
        match owner {
            OwnerFilter::Mine => format!("n.white_label_id = {me}"),
            OwnerFilter::Shared => format!("(n.white_label_id <> {me} AND ({seen}))"),
            OwnerFilter::All => format!("(n.white_label_id = {me} OR {seen})"),
        }
    }

    fn conditions(&self, db: &impl Connection) -> Conditions {
        let mut found = Conditions::default();
        if !self.kinds.is_empty() {
            found.and(of_kinds(self.kinds.iter().copied()));
        }
        for lack in &self.lacking {
            // The sums of lacks that contain this one, not `lacks & 1 = 1`: both databases know how many rows have a value, and
            // nothing of an expression.
            let bit = *lack as i64;
            let sums: Vec<i64> = (0..=MediaLack::ALL).filter(|sum| sum & bit == bit).collect();
            found.and(format!("n.lacks IN {}", numbers(&sums)));
            if !MediaKind::ALL.into_iter().all(|kind| lack.is_of(kind)) {
                found.and(of_kinds(MediaKind::ALL.into_iter().filter(|kind| lack.is_of(*kind))));
            }
        }
        if let Some(unused) = self.unused {
            let used = format!(
                "(EXISTS (SELECT 1 FROM record_link l WHERE l.to_kind = {} AND l.to_id = n.id) OR EXISTS (SELECT 1 FROM parcours_link k WHERE k.kind IN {} AND k.target_id = n.id))",
                Kind::Media.code(),
                numbers(&link_kinds(Kind::Media)),
            );
            found.and(if unused { format!("NOT {used}") } else { used });
        }
        if let Some(width) = self.min_width {
            found.and(format!("n.width >= {width}"));
        }
        if let Some(content) = &self.sha256 {
            let place = found.bind(content.clone());
            found.and(format!("n.sha256 = {place}"));
        }
        found.within("id", self.ids.as_deref());
        found.words(db, search::MEDIA, self.search.as_deref());
        found
    }
}

/// The condition that a media is of one of these kinds.
fn of_kinds(kinds: impl Iterator<Item = MediaKind>) -> String {
    let kinds: Vec<String> = kinds.map(|kind| format!("'{}'", kind.as_str())).collect();
    format!("n.kind IN ({})", kinds.join(", "))
}

/// A page of the media a white-label sees. `None` if `sort` is not an order that the list offers.
pub async fn list(
    db: &impl Connection,
    filter: &MediaFilter,
    sort: &str,
    page: Page,
) -> Result<Option<MediaPage>, StoreError> {
    let Some(sorted) = Sorted::parse(sort, &SORTS) else { return Ok(None) };
    let bare = filter.conditions(db);
    let owned = |owner| {
        let mut found = bare.clone();
        found.and(filter.owned(owner));
        found
    };
    let [mine, shared] = if bare.has_words() {
        owned_counts(db, Medias::TABLE, &bare, filter.viewer, &filter.seen_by_viewer()).await?
    } else {
        let counted = async |owner| capped_count(db, Medias::TABLE, &owned(owner)).await;
        [counted(OwnerFilter::Mine).await?, counted(OwnerFilter::Shared).await?]
    };
    let counted = match filter.owner {
        OwnerFilter::Mine => mine,
        OwnerFilter::Shared => shared,
        OwnerFilter::All => mine.and(shared),
    };
    let ids = page_ids(db, Medias::TABLE, &owned(filter.owner), sorted, page, counted).await?;
    let items = load_many::<Medias>(db, &ids).await?;
    Ok(Some(MediaPage { items, counted, counts: MediaCounts { mine, shared } }))
}

/// The numbers of what a filter leaves, the last saved first, at most `limit`.
pub async fn ids(db: &impl Connection, filter: &MediaFilter, limit: u64) -> Result<Vec<i64>, StoreError> {
    let mut found = filter.conditions(db);
    found.and(filter.owned(filter.owner));
    let sql = format!("SELECT n.id FROM media n {} ORDER BY n.updated_at DESC, n.id DESC LIMIT {limit}", found.sql());
    all(db, &sql, found.values).await?.iter().map(|row| get(row, 0)).collect()
}

/// Media of the same owner with the same content, for each of these that has one.
pub async fn duplicates(db: &impl Connection, ids: &[i64]) -> Result<HashMap<i64, Vec<i64>>, StoreError> {
    let sql = format!(
        "SELECT a.id, b.id FROM media a JOIN media b ON b.sha256 = a.sha256 AND b.id <> a.id AND b.white_label_id = a.white_label_id
        WHERE a.id IN {} AND a.sha256 <> '' ORDER BY a.id, b.id",
        numbers(ids)
    );
    let mut found: HashMap<i64, Vec<i64>> = HashMap::new();
    for row in all(db, &sql, []).await? {
        found.entry(get(&row, 0)?).or_default().push(get(&row, 1)?);
    }
    Ok(found)
}
