//! No listed question reads a table of more than 10,000 rows, or one of its indexes, from one end to the other.

use std::future::Future;
use std::pin::Pin;

use domain::media::{MediaFile, MediaKind, MediaLack, MediaSheet};
use domain::parcours::passport::{Channel, ChannelState, Lack};
use domain::parcours::{DisplayPriority, Drawing, Leg, LegKind, Progress, Relation, Sheet, TraceSummary};
use domain::record::Kind;
use domain::statistics::{Day, EventKind, EventSource, Period};
use domain::transport_line::{LineMode, TransportLineSheet};
use domain::{Actor, ContactSheet, Instant, ParcoursId, PoiSheet, Role, StructureId, Text, UserId, WhiteLabelId};
use macros::app_test;
use sea_orm::ConnectionTrait as _;
use serde_json::json;
use store::contact::{ContactFilter, Contacts};
use store::feed::{ParcoursFeed, PoiFeed};
use store::ground::EntryFilter;
use store::media::{MediaFilter, Medias};
use store::parcours::{Filter, NewParcours, NewTrace, ProgressFilter, Sort, TraceExtra};
use store::plans::{self, Plans};
use store::poi::{PoiFilter, Pois};
use store::record::{Change, Record, Stored};
use store::statistics::{Filter as Figures, GroupBy};
use store::survey_campaign::CampaignFilter;
use store::transport_line::{LineFilter, TransportLines};
use store::{Connection as _, Dialect, Grid, OwnerFilter, Page, Store, StoreError, white_label};
use teststore::{NOW, TestStore, dice};
use trace::Position;

/// A scan of more rows is a fault.
const MANY: i64 = 10_001;
/// What may be read from one end to the other: the beginning of the question, the table, and why.
const EXCUSED: &[(&str, &str, &str)] = &[
    ("public pages for search engines", "parcours", "they are the answer, at most 25,000"),
    ("public pages for search engines", "parcours_card", "they are the answer, at most 25,000"),
    ("how many public pages for search engines", "parcours", "the count ends after 25,001 rows"),
    ("parts of the public pages for search engines", "parcours", "each part is of many of them, asked once a day"),
    ("contacts, all, within None", "contact", "a count without a condition ends after 10,001 rows"),
    ("lines, all, of all", "transport_line", "a count without a condition ends after 10,001 rows"),
    ("lines of a mode", "transport_line", "most lines have one of a few modes: an index would not select"),
    ("parcours, lacking", "parcours", "bits of a number have no index"),
    ("parcours, ready for a channel", "parcours", "bits of a number have no index"),
    (
        "parcours, theme: first page",
        "parcours",
        "PostgreSQL expects many: it reads the rows in the order of their numbers",
    ),
    ("parcours, structure: first page", "parcours", "PostgreSQL expects many: a structure's white-labels may own most"),
    ("parcours, with and without progress: map", "parcours", "the index of starts begins with the progress"),
    ("feed: what went", "parcours", "PostgreSQL expects hundreds of rows in a table that is empty"),
    ("feed: owners", "parcours", "PostgreSQL joins two lists in the order of their numbers"),
    (
        "feed of POIs, with words",
        "poi",
        "the order of numbers is walked until a page is complete; a part of a name has no index",
    ),
    ("POIs, lacking", "poi", "bits of a number have no index"),
    ("POIs, with a tick", "poi", "ticks have no index"),
    ("POIs, words of many", "poi", "PostgreSQL expects so many that it reads all of a narrow index"),
    ("quick search, l: POIs", "poi", "PostgreSQL expects so many that it reads all of a narrow index"),
    ("quick search, la: POIs", "poi", "PostgreSQL expects so many that it reads all of a narrow index"),
    ("media, words of many", "media", "PostgreSQL expects so many that it reads all of a narrow index"),
    (
        "lines, words of many",
        "transport_line",
        "PostgreSQL expects so many that it reads the rows in the order of their numbers",
    ),
];

/// Rows that are made through the store; each is copied.
const MODELS: i64 = 40;
/// Copies of each: 20,000 rows of a kind.
const COPIES: i64 = 499;

const WORDS: [&str; 24] = [
    "lac",
    "lacets",
    "forêt",
    "col",
    "collet",
    "étang",
    "moulin",
    "chapelle",
    "gorges",
    "plateau",
    "hameau",
    "crête",
    "vallée",
    "pont",
    "ferme",
    "source",
    "refuge",
    "belvédère",
    "château",
    "sentier",
    "boucle",
    "tour",
    "rive",
    "abbaye",
];

/// The white-labels of the world: the one that asks, another, and one that has nothing.
#[derive(Debug, Clone, Copy)]
struct Owners {
    mine: WhiteLabelId,
    other: WhiteLabelId,
    idle: WhiteLabelId,
}

async fn owners(test: &TestStore) -> Owners {
    let id = async |slug: &str| white_label::find_by_slug(test.store.read(), slug).await.unwrap().unwrap().id;
    Owners { mine: id("morvan").await, other: id("vercors").await, idle: id("morvan-velo").await }
}

fn line(number: i64) -> Vec<Position> {
    let at = |step: i64| Position { lon: 2.0 + step as f64 / 100.0, lat: 45.0 + number as f64 / 50.0, ele: None };
    (0..6).map(at).collect()
}

fn trace_of(number: i64) -> NewTrace {
    let line = line(number);
    let summary: TraceSummary = serde_json::from_value(json!({
        "mode": "source", "origin": "drawn", "distance_m": 1_000.0 + number as f64, "duration_s": 3_600.0, "ascent_m": 100.0,
        "reliability_state": "none", "repairs": [], "pieces": 1, "computed_at": NOW, "revision": 1,
        "bbox": [2.0, 45.0 + number as f64 / 50.0, 2.05, 45.0 + number as f64 / 50.0],
    }))
    .unwrap();
    NewTrace {
        summary,
        drawing: Drawing { start: Some([line[0].lon, line[0].lat]), ..Drawing::default() },
        legs: vec![Leg { kind: LegKind::Source, line: line.clone() }],
        planned_line: None,
        source_line: None,
        extra: TraceExtra::default(),
        shape: line,
    }
}

fn parcours(number: i64, owners: Owners, roll: &mut impl FnMut(u64) -> u64) -> NewParcours {
    let words = [WORDS[number as usize % 24], WORDS[roll(24) as usize]];
    let sheet = Sheet {
        title: Text::in_french(format!("{} {}", words[0], words[1])),
        summary: if roll(2) == 0 { Text::in_french("Un détour par le moulin.") } else { Text::default() },
        practice_type_id: Some(roll(5) as i64 + 1),
        level_id: Some(roll(4) as i64 + 10),
        theme_ids: (20..23).filter(|_| roll(12) == 0).collect(),
        progress_status: [None, None, None, None, Some(Progress::ToFix), Some(Progress::Archived)][roll(6) as usize],
        distribute_own: roll(2) == 0,
        distribute_partners: roll(2) == 0,
        display_priority: DisplayPriority::try_from(i64::from(number % 20 == 0)).unwrap_or_default(),
        ..Sheet::default()
    };
    let white_label_id = if number % 4 == 0 { owners.mine } else { owners.other };
    NewParcours { white_label_id, published: roll(3) > 0, sheet, steps: Vec::new(), trace: Some(trace_of(number)) }
}

/// One record of each kind that is listed.
async fn add_records(tx: &store::Tx, number: i64, owners: Owners, change: Change<'_>) {
    let (first, second) = (WORDS[number as usize % 24], WORDS[number as usize * 7 % 24]);
    let owner = if number % 4 == 0 { owners.mine } else { owners.other };
    let place = [2.0 + number as f64 / 50.0, 45.0 + number as f64 / 50.0];
    let poi = PoiSheet {
        title: Text::in_french(format!("{first} {second}")),
        location: Some(place),
        distribute: true,
        ..PoiSheet::default()
    };
    insert::<Pois>(tx, poi, owner, number % 3 > 0, change).await;
    let file = MediaFile { kind: MediaKind::Image, sha256: format!("{number:064x}"), ..MediaFile::default() };
    let legend = if number % 3 == 0 { Text::default() } else { Text::in_french(second) };
    let media = MediaSheet { file_name: format!("{first} {second}.jpg"), legend, file, ..MediaSheet::default() };
    insert::<Medias>(tx, media, owner, false, change).await;
    let contact = ContactSheet {
        first_name: first.to_owned(),
        last_name: second.to_owned(),
        email: format!("{number}@exemple.example"),
        structure_id: 1 + number % 2,
        ..ContactSheet::default()
    };
    insert::<Contacts>(tx, contact, owner, false, change).await;
    let line = TransportLineSheet {
        long_name: format!("{first} {second}"),
        short_name: format!("L{number}"),
        ..TransportLineSheet::default()
    };
    insert::<TransportLines>(tx, line, owner, false, change).await;
}

async fn insert<R: Record>(tx: &store::Tx, sheet: R::Sheet, owner: WhiteLabelId, published: bool, change: Change<'_>) {
    let blank = Stored::blank(R::OWNED.then_some(owner), change.at);
    store::record::insert::<R>(tx, Stored { sheet, published: R::PUBLISHED && published, ..blank }, change)
        .await
        .unwrap();
}

async fn run(tx: &store::Tx, sql: &str) {
    tx.executor().execute_unprepared(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// The copies: `n.i` is the number of one.
const N: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {copies})";

/// Copies the rows of a table. Columns keep their values, but for these: name and expression.
async fn copy(tx: &store::Tx, table: &str, changed: &[(&str, &str)], condition: &str) {
    let sql = match tx.dialect() {
        Dialect::Sqlite => format!("SELECT group_concat(name, ',') AS names FROM pragma_table_info('{table}')"),
        Dialect::Postgres => format!(
            "SELECT string_agg(column_name, ',' ORDER BY ordinal_position) AS names FROM information_schema.columns
            WHERE table_schema = 'public' AND table_name = '{table}'"
        ),
    };
    let names = store::server::named_text(tx, &sql, "names").await.unwrap().unwrap();
    let columns: Vec<&str> = names.split(',').collect();
    let unknown: Vec<_> = changed.iter().filter(|(name, _)| !columns.contains(name)).collect();
    assert!(unknown.is_empty(), "{table}: {unknown:?}");
    let value = |name: &&str| {
        let other = changed.iter().find(|(changed, _)| changed == name);
        other.map_or_else(|| format!("t.{name}"), |(_, expression)| (*expression).to_owned())
    };
    let values: Vec<String> = columns.iter().map(value).collect();
    let n = N.replace("{copies}", &COPIES.to_string());
    run(tx, &format!("INSERT INTO {table} ({names}) {n} SELECT {} FROM {table} t, n {condition}", values.join(", ")))
        .await;
}

const NEW_ID: &str = "t.id + n.i * 1000";
/// Somewhere else within a degree, in millionths.
const AWAY: &str = "(n.i * 7919) % 1000000";

async fn copy_parcours(tx: &store::Tx) {
    let id = ("parcours_id", "t.parcours_id + n.i * 1000");
    let (x, y) = (format!("t.start_x + {AWAY}"), format!("t.start_y + {AWAY}"));
    let own = [
        ("id", NEW_ID),
        ("title_sort", "t.title_sort || ' ' || n.i"),
        ("updated_at", "t.updated_at - n.i * 997"),
        ("created_at", "t.created_at - n.i * 997"),
        ("distance_dm", "t.distance_dm + n.i"),
        ("start_x", x.as_str()),
        ("start_y", y.as_str()),
    ];
    copy(tx, "parcours", &own, "").await;
    for table in
        ["parcours_card", "parcours_sheet", "parcours_link", "parcours_shape", "parcours_trace", "parcours_revision"]
    {
        copy(tx, table, &[id], "").await;
    }
    match tx.dialect() {
        Dialect::Sqlite => {
            // The words themselves are not kept; the index has them by row.
            run(tx, "CREATE VIRTUAL TABLE temp.found_words USING fts5vocab(main, parcours_search, instance)").await;
            run(tx, "CREATE TEMP TABLE words_of AS SELECT doc, group_concat(term, ' ') AS words FROM temp.found_words GROUP BY doc").await;
            let n = N.replace("{copies}", &COPIES.to_string());
            run(tx, &format!("INSERT INTO parcours_search (rowid, words) {n} SELECT w.doc + n.i * 1000, w.words FROM words_of w, n")).await;
            let moved = |column: &str| format!("t.{column} + {AWAY} / 1e6");
            let moved = ["west", "east", "south", "north"].map(moved);
            let changed = [
                ("id", NEW_ID),
                ("west", moved[0].as_str()),
                ("east", moved[1].as_str()),
                ("south", moved[2].as_str()),
                ("north", moved[3].as_str()),
            ];
            copy(tx, "parcours_box", &changed, "").await;
        }
        Dialect::Postgres => {
            copy(tx, "parcours_search", &[("id", NEW_ID)], "").await;
            let extent = format!("t.extent + point({AWAY} / 1e6, {AWAY} / 1e6)");
            copy(tx, "parcours_box", &[("id", NEW_ID), ("extent", extent.as_str())], "").await;
        }
    }
}

async fn copy_records(tx: &store::Tx) {
    let (key, title) = if tx.dialect() == Dialect::Sqlite {
        ("rowid", "t.sort_title || ' ' || n.i")
    } else {
        ("id", "t.sort_title || ' ' || n.i")
    };
    let (x, y) = (format!("t.x + {AWAY}"), format!("t.y + {AWAY}"));
    let common = [("id", NEW_ID), ("sort_title", title), ("updated_at", "t.updated_at - n.i * 997")];
    type Columns<'a> = Vec<(&'a str, &'a str)>;
    let own: [(&str, Kind, Columns<'_>); 4] = [
        (
            "poi",
            Kind::Poi,
            vec![
                ("x", x.as_str()),
                ("y", y.as_str()),
                ("lon", "t.lon + (n.i * 7919) % 1000000 / 1e6"),
                ("lat", "t.lat + (n.i * 7919) % 1000000 / 1e6"),
            ],
        ),
        ("media", Kind::Media, vec![("sha256", "t.sha256 || n.i")]),
        ("contact", Kind::Contact, vec![("email", "n.i || '.' || t.email")]),
        ("transport_line", Kind::TransportLine, Vec::new()),
    ];
    for (table, kind, more) in own {
        let of_kind = format!("WHERE t.kind = {}", kind.code());
        let from_kind = format!("WHERE t.from_kind = {}", kind.code());
        copy(tx, table, &common.iter().copied().chain(more).collect::<Vec<_>>(), "").await;
        copy(tx, "record_sheet", &[("id", NEW_ID)], &of_kind).await;
        copy(tx, "record_link", &[("from_id", "t.from_id + n.i * 1000")], &from_kind).await;
        copy(tx, "record_revision", &[("record_id", "t.record_id + n.i * 1000")], &of_kind).await;
        let n = N.replace("{copies}", &COPIES.to_string());
        let words = format!("{table}_search");
        run(
            tx,
            &format!("INSERT INTO {words} ({key}, words) {n} SELECT t.{key} + n.i * 1000, t.words FROM {words} t, n"),
        )
        .await;
    }
}

/// Figures of two years, for each white-label and for 30 parcours of each.
async fn add_figures(tx: &store::Tx, owners: Owners) {
    let day = Day::of(NOW).0;
    for owner in [owners.mine, owners.other] {
        run(tx, &format!(
            "INSERT INTO statistics_day (white_label_id, parcours_id, day, kind, source, country, language, total)
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 729)
            SELECT {owner}, p.id, {day} - n.i, 'view', 'public_page', 'FR', 'fr', 3 FROM n, (SELECT 0 AS id UNION ALL SELECT id FROM parcours WHERE id < 31) p"
        )).await;
        run(
            tx,
            &format!(
                "INSERT INTO statistics_host (white_label_id, day, host, total)
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 729)
            SELECT {owner}, {day} - n.i, 'exemple.example', 3 FROM n"
            ),
        )
        .await;
    }
}

async fn filled(test: &TestStore) -> Owners {
    let (owners, languages, mut roll) = (owners(test).await, vec!["fr".to_owned(), "en".to_owned()], dice(7));
    let change = |at: i64| Change { by: None, at: Instant(NOW.0 - at), reason: None, languages: &languages };
    let tx = test.store.begin().await.unwrap();
    for number in 0..MODELS {
        store::parcours::insert(&tx, &parcours(number, owners, &mut roll), change(number)).await.unwrap();
        add_records(&tx, number, owners, change(number)).await;
    }
    copy_parcours(&tx).await;
    copy_records(&tx).await;
    add_figures(&tx, owners).await;
    // Some of another white-label's, added here.
    // Four entries of each parcours, of which two are surveys and one waits.
    run(
        &tx,
        "INSERT INTO ground_entry (id, white_label_id, parcours_id, user_id, kind, made_at, received_at, body, media_ids, reviewed_at)
        SELECT CAST(p.id AS TEXT) || '-' || CAST(k.n AS TEXT), p.white_label_id, p.id, 7, CASE WHEN k.n < 2 THEN 'survey' ELSE 'remark' END,
        1700000000 + p.id, 1700000000 + p.id, '{}', '[]', CASE WHEN k.n = 0 THEN NULL ELSE 1700000000 END
        FROM parcours p, (SELECT 0 AS n UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) k",
    )
    .await;
    run(&tx, &format!("INSERT INTO parcours_white_label (parcours_id, white_label_id, published) SELECT id, {}, 1 FROM parcours WHERE white_label_id <> {} AND id % 400 = 2", owners.mine, owners.mine)).await;
    // SQLite is never analysed, as in an installation.
    if tx.dialect() == Dialect::Postgres {
        run(&tx, "ANALYZE").await;
    }
    tx.commit().await.unwrap();
    if test.store.dialect() == Dialect::Postgres {
        // As autovacuum does: pages that all transactions see are not looked up for an index.
        test.store.read().executor().execute_unprepared("VACUUM").await.unwrap();
    }
    owners
}

type Asked<'a> = Pin<Box<dyn Future<Output = Result<Plans, StoreError>> + 'a>>;

/// The questions of a test, by name, and what each of them was found to scan.
struct Questions<'a> {
    store: &'a Store,
    asked: Vec<(String, Asked<'a>)>,
}

impl<'a> Questions<'a> {
    fn ask<T: 'a>(&mut self, name: impl Into<String>, question: impl Future<Output = Result<T, StoreError>> + 'a) {
        let store = self.store;
        let plans = async move { Ok(plans::of(store, MANY, question).await?.1) };
        self.asked.push((name.into(), Box::pin(plans)));
    }

    /// What was found: the question, what it scans, how many rows.
    async fn found(self) -> Vec<String> {
        let (mut found, mut statements) = (Vec::new(), 0);
        for (name, question) in self.asked {
            let plans = question.await.unwrap_or_else(|error| panic!("{name}: {error}"));
            statements += plans.statements;
            let excused = |table: &str| EXCUSED.iter().any(|(of, known, _)| name.starts_with(of) && *known == table);
            found.extend(plans.scans.into_iter().filter(|scan| !excused(&scan.table)).map(|scan| {
                let index = scan.index.map(|index| format!(" by {index}")).unwrap_or_default();
                let statement: String = scan.statement.split_whitespace().collect::<Vec<_>>().join(" ");
                format!("{name}: {}{index}, {} rows\n    {statement}", scan.table, scan.rows)
            }));
        }
        // Totals that are known already are not asked for again.
        assert!(statements > 600, "{statements} statements were noted");
        found
    }
}

/// The filters of a list of parcours.
fn filters(owners: Owners) -> Vec<(&'static str, Filter)> {
    let plain = Filter::default;
    vec![
        ("all", plain()),
        ("mine", Filter { owner: OwnerFilter::Mine, ..plain() }),
        ("shared", Filter { owner: OwnerFilter::Shared, ..plain() }),
        ("with and without progress", Filter { progress: ProgressFilter::Any, ..plain() }),
        ("archived", Filter { progress: ProgressFilter::These(vec![Progress::Archived]), ..plain() }),
        ("words of many", Filter { search: Some("lac".into()), ..plain() }),
        ("words of few", Filter { search: Some("lacets collet moulin".into()), ..plain() }),
        ("words of most", Filter { search: Some("l".into()), ..plain() }),
        ("words of none", Filter { search: Some("zèbre".into()), ..plain() }),
        ("words, mine", Filter { search: Some("lac".into()), owner: OwnerFilter::Mine, ..plain() }),
        ("words and a box", Filter { search: Some("lac".into()), bbox: Some([2.0, 45.0, 2.2, 45.2]), ..plain() }),
        ("practice", Filter { practices: vec![1], ..plain() }),
        ("level", Filter { levels: vec![11], ..plain() }),
        ("theme", Filter { themes: vec![21], ..plain() }),
        ("structure", Filter { structures: vec![1], ..plain() }),
        ("white-label", Filter { white_labels: vec![owners.other.0], ..plain() }),
        ("published", Filter { published: Some(true), ..plain() }),
        ("not published", Filter { published: Some(false), ..plain() }),
        ("incomplete", Filter { incomplete: true, ..plain() }),
        ("lacking a summary", Filter { lacks: vec![Lack::Summary], ..plain() }),
        ("ready for a channel", Filter { channels: vec![(Channel::ALL[0], ChannelState::Ready)], ..plain() }),
        ("unreliable", Filter { reliability_below: Some(95.0), ..plain() }),
        ("in a box", Filter { bbox: Some([2.0, 45.0, 2.1, 45.1]), ..plain() }),
        ("in the world", Filter { bbox: Some([-180.0, -90.0, 180.0, 90.0]), ..plain() }),
        ("children", Filter { relations: vec![Relation::Child], ..plain() }),
        ("by number", Filter { ids: Some(vec![1, 2, 3]), ..plain() }),
        ("closed", Filter { closed_on: Some("2026-05-01".into()), ..plain() }),
        ("children waiting", Filter { children_waiting: true, ..plain() }),
    ]
}

fn editor(owners: Owners) -> Actor {
    Actor {
        user_id: UserId(1),
        role: Role::Editor,
        structure_id: StructureId(1),
        white_label_ids: vec![owners.mine],
        active_white_label_id: owners.mine,
    }
}

/// Lists, maps and counts of parcours.
fn of_parcours(questions: &mut Questions<'_>, owners: Owners) {
    let db = questions.store.read();
    for (name, filter) in filters(owners) {
        let of = |what: &str| format!("parcours, {name}: {what}");
        let list = |filter: Filter, sort: &'static str, page: u64| async move {
            store::parcours::list(db, &editor(owners), &filter, Sort::parse(sort).unwrap(), Page::new(page, 25), None)
                .await
        };
        questions.ask(of("first page"), list(filter.clone(), "-updated_at", 1));
        questions.ask(of("tabs"), {
            let filter = filter.clone();
            async move { store::parcours::views(db, &editor(owners), &filter).await }
        });
        questions.ask(of("numbers"), {
            let filter = filter.clone();
            async move { store::parcours::ids(db, &editor(owners), &filter, 500).await }
        });
        for (zoom, bbox) in [(5.0, None), (9.0, Some([2.0, 45.0, 2.3, 45.3])), (14.0, Some([2.0, 45.0, 2.02, 45.02]))] {
            let filter = Filter { bbox: filter.bbox.or(bbox), ..filter.clone() };
            questions.ask(of(&format!("map at zoom {zoom}")), async move {
                store::parcours::map(db, &editor(owners), &filter, Grid::at(Some(zoom))).await
            });
        }
    }
    for sort in ["updated_at", "title", "-title", "distance", "-reliability", "created_at", "-created_at", "priority"] {
        for (name, filter) in
            [("all", Filter::default()), ("words", Filter { search: Some("lac".into()), ..Filter::default() })]
        {
            questions.ask(format!("parcours, {name} by {sort}: first page"), async move {
                store::parcours::list(db, &editor(owners), &filter, Sort::parse(sort).unwrap(), Page::new(1, 25), None)
                    .await
            });
        }
    }
}

/// One parcours, and what it is shown with.
fn of_one_parcours(questions: &mut Questions<'_>, owners: Owners) {
    let (db, id) = (questions.store.read(), ParcoursId(4));
    questions.ask("one parcours: sheet", async move { store::parcours::show(db, id, &editor(owners), None).await });
    questions.ask("one parcours: whole", store::parcours::load(db, id));
    questions.ask("one parcours: trace", store::parcours::trace(db, id));
    questions.ask("one parcours: children", async move { store::parcours::children(db, id, &editor(owners)).await });
    questions.ask("one parcours: requests of children", store::parcours::child_requests(db, id));
    questions.ask("one parcours: public children", store::parcours::public_children(db, id));
    questions.ask("one parcours: relatives", store::parcours::relatives(db, id));
    questions.ask("one parcours: uses", async move {
        store::parcours::uses(db, &editor(owners), (id, owners.mine), NOW.0).await
    });
    questions.ask("one parcours: history", store::record::revisions(db, Kind::Parcours, id.0));
    let published = store::record::last_change_of(db, Kind::Parcours, id.0, "published");
    questions.ask("one parcours: last publication", published);
    let by_hand = store::record::is_saved_otherwise(db, Kind::Parcours, id.0, 1, "import");
    questions.ask("one parcours: saves by hand", by_hand);
    questions.ask("one parcours: white-labels", store::record::linked_white_labels(db, Kind::Parcours, id.0));
    questions.ask("one parcours: closures", store::closure::of_parcours(db, id, "2026-05-01"));
    questions.ask("one parcours: permanent share", store::share::live_permanent(db, id));
    questions.ask("one parcours: temporary shares", store::share::temporary_of(db, id, NOW));
    questions.ask("one parcours: how many temporary shares", store::share::count_live_temporary(db, id, NOW));
    questions.ask("one parcours: rating", store::feedback::rating(db, id));
    questions.ask("one parcours: reviews", store::feedback::count_reviews(db, id));
    questions.ask("one parcours: import", store::imports::item_of_parcours(db, id));
    questions.ask("parcours around a place", async move {
        store::parcours::passing(db, &editor(owners), [2.0, 45.0, 2.1, 45.1]).await
    });
    questions.ask("the next trace to check", store::parcours::next_unchecked(db, ParcoursId(9_000)));
    questions.ask("faulty traces", async move {
        store::parcours::faulty_traces(db, &editor(owners), OwnerFilter::All, Page::default()).await
    });
    questions.ask("the example of a white-label", store::parcours::example_of(db, owners.mine));
    questions.ask("public pages for search engines", async move {
        let sites = white_label::public_sites(db).await?;
        store::parcours::listed_in_public(db, &sites, None, 25_000).await
    });
    questions.ask("a part of the public pages for search engines", async move {
        let sites = white_label::public_sites(db).await?;
        store::parcours::listed_in_public(db, &sites, Some([100, 200]), 25_000).await
    });
    questions.ask("parts of the public pages for search engines", async move {
        let sites = white_label::public_sites(db).await?;
        store::parcours::parts_in_public(db, &sites, 10_000).await
    });
    questions.ask("how many public pages for search engines", async move {
        let sites = white_label::public_sites(db).await?;
        store::parcours::count_in_public(db, &sites, 2_000).await
    });
}

/// Pages of public feeds.
fn of_feeds(questions: &mut Questions<'_>, owners: Owners) {
    let db = questions.store.read();
    let feed = ParcoursFeed { white_label: owners.mine.0, ..ParcoursFeed::default() };
    let feeds = [
        ("all", feed.clone()),
        ("in a box", ParcoursFeed { bbox: Some([2.0, 45.0, 2.2, 45.2]), ..feed.clone() }),
        ("with words", ParcoursFeed { search: Some("lac".into()), ..feed.clone() }),
        ("of themes", ParcoursFeed { themes: Some(vec![20, 21]), ..feed.clone() }),
        ("of an itinerary", ParcoursFeed { itineraries: Some(vec![1]), ..feed.clone() }),
        ("of a practice", ParcoursFeed { practices: vec![vec![1]], ..feed.clone() }),
        ("saved since", ParcoursFeed { updated_after: Some(Instant(NOW.0 - 3_600)), ..feed.clone() }),
        ("with children", ParcoursFeed { parents: true, ..feed.clone() }),
    ];
    for (name, feed) in feeds {
        for page in [1, 40] {
            let feed = feed.clone();
            questions.ask(format!("feed, {name}: page {page}"), async move {
                let (ids, _) = store::feed::parcours(db, &feed, store::feed::part(page, 100)).await?;
                store::feed::lines(db, &ids).await?;
                store::feed::instructions(db, &ids).await?;
                store::feed::origins(db, &ids).await?;
                store::feed::touched_by_closures(db, &ids).await?;
                store::feed::families(db, &ids.iter().map(|id| id.0).collect::<Vec<_>>()).await
            });
        }
        questions.ask(format!("feed, {name}: state"), async move { store::feed::parcours_state(db, &feed).await });
    }
    for page in [1, 40] {
        let feed = feed.clone();
        questions.ask(format!("feed, favoured first: page {page}"), async move {
            store::feed::parcours_favoured_first(db, &feed, store::feed::part(page, 100)).await
        });
    }
    questions.ask("feed: past a number", {
        let feed = feed.clone();
        async move { store::feed::parcours_past(db, &feed, (1_000, 100)).await }
    });
    questions.ask("feed: parcours that name a POI", store::feed::naming_poi(db, 1, 10));
    questions
        .ask("feed: what went", async move { store::feed::parcours_gone(db, &feed, Instant(NOW.0 - 3_600)).await });
    questions.ask("feed: owners", store::feed::owners(db, owners.mine.0));
    let feed = PoiFeed { white_label: owners.mine.0, ..PoiFeed::default() };
    let feeds = [
        ("all", feed.clone()),
        ("in a box", PoiFeed { bbox: Some([2.0, 45.0, 2.2, 45.2]), ..feed.clone() }),
        ("with words", PoiFeed { search: Some("lac".into()), ..feed.clone() }),
        ("saved since", PoiFeed { updated_after: Some(Instant(NOW.0 - 3_600)), ..feed }),
    ];
    for (name, feed) in feeds {
        questions.ask(format!("feed of POIs, {name}: past a number"), {
            let feed = feed.clone();
            async move { store::feed::pois_past(db, &feed, (1_000, 100)).await }
        });
        questions.ask(format!("feed of POIs, {name}"), {
            let feed = feed.clone();
            async move {
                let (ids, _) = store::feed::pois(db, &feed, store::feed::part(1, 100)).await?;
                store::feed::poi_origins(db, &ids).await
            }
        });
        questions.ask(format!("feed of POIs, {name}: state"), async move { store::feed::pois_state(db, &feed).await });
    }
}

/// Lists of records, searched and not, in each order.
fn of_records(questions: &mut Questions<'_>, owners: Owners) {
    let db = questions.store.read();
    let searches = [
        ("all", None),
        ("words of many", Some("lac".into())),
        ("words of few", Some("lacets collet".into())),
        ("words of none", Some("zèbre".into())),
    ];
    for (name, search) in searches {
        for (whose, owner) in
            [("of all", OwnerFilter::All), ("mine", OwnerFilter::Mine), ("of others", OwnerFilter::Shared)]
        {
            for sort in ["-updated_at", "title"] {
                let of = |kind: &str| format!("{kind}, {name}, {whose}, by {sort}");
                let filter = PoiFilter { owner, search: search.clone(), ..PoiFilter::seen_from(owners.mine) };
                questions.ask(of("POIs"), async move { store::poi::list(db, &filter, sort, Page::default()).await });
                let filter =
                    MediaFilter { viewer: owners.mine, owner, search: search.clone(), ..MediaFilter::default() };
                questions.ask(of("media"), async move { store::media::list(db, &filter, sort, Page::default()).await });
                let filter = LineFilter { viewer: owners.mine, owner, search: search.clone(), ..LineFilter::default() };
                questions.ask(of("lines"), async move {
                    store::transport_line::list(db, &filter, sort, Page::default()).await
                });
            }
        }
        for within in [None, Some(StructureId(1))] {
            for sort in ["-updated_at", "title"] {
                let filter = ContactFilter { within, search: search.clone(), ..ContactFilter::default() };
                questions.ask(format!("contacts, {name}, within {within:?}, by {sort}"), async move {
                    store::contact::list(db, &filter, sort, Page::default()).await
                });
            }
        }
    }
}

/// Filters and maps of POIs and of media, and questions about one record.
fn of_filtered_records(questions: &mut Questions<'_>, owners: Owners) {
    let db = questions.store.read();
    let seen = || PoiFilter::seen_from(owners.mine);
    let pois = [
        ("published", PoiFilter { published: Some(true), ..seen() }),
        ("not published", PoiFilter { published: Some(false), ..seen() }),
        ("incomplete", PoiFilter { incomplete: Some(true), ..seen() }),
        ("lacking a description", PoiFilter { missing: vec![1], ..seen() }),
        ("with a tick", PoiFilter { flag: Some("must_see"), ..seen() }),
        ("distributed", PoiFilter { distribute: Some(true), ..seen() }),
        ("of a category", PoiFilter { terms: vec![vec![1]], ..seen() }),
        ("in a box", PoiFilter { bbox: Some([2.0, 45.0, 2.1, 45.1]), ..seen() }),
    ];
    for (name, filter) in pois {
        questions.ask(format!("POIs, {name}: map"), {
            let filter = filter.clone();
            async move { store::poi::map(db, &filter, Grid::at(Some(8.0))).await }
        });
        questions.ask(format!("POIs, {name}: list"), async move {
            store::poi::list(db, &filter, "-updated_at", Page::default()).await
        });
    }
    for zoom in [5.0, 14.0] {
        let bbox = (zoom > 10.0).then_some([2.0, 45.0, 2.02, 45.02]);
        questions.ask(format!("POIs: map at zoom {zoom}"), async move {
            store::poi::map(db, &PoiFilter { bbox, ..PoiFilter::seen_from(owners.mine) }, Grid::at(Some(zoom))).await
        });
    }
    questions.ask("POIs of a name", store::poi::of_name(db, "lac col", [2.0, 45.0, 2.1, 45.1], 1));
    questions.ask("POIs: places", async move {
        let filter = PoiFilter { bbox: Some([2.0, 45.0, 2.1, 45.1]), ..PoiFilter::seen_from(owners.mine) };
        store::poi::places(db, &filter, 500).await
    });
    let seen = || MediaFilter { viewer: owners.mine, ..MediaFilter::default() };
    let media = [
        ("without legend", MediaFilter { lacking: vec![MediaLack::Legend], ..seen() }),
        ("pictures", MediaFilter { kinds: vec![MediaKind::Image], ..seen() }),
        ("videos", MediaFilter { kinds: vec![MediaKind::Video], ..seen() }),
        ("unused", MediaFilter { unused: Some(true), ..seen() }),
        ("used", MediaFilter { unused: Some(false), ..seen() }),
        ("of a content", MediaFilter { sha256: Some("7".into()), ..seen() }),
    ];
    for (name, filter) in media {
        questions.ask(format!("media, {name}"), async move {
            store::media::list(db, &filter, "-updated_at", Page::default()).await
        });
    }
    questions.ask("media: the same content", store::media::duplicates(db, &[1, 2, 3]));
    questions.ask("media: uses", async move { store::visible::media_uses(db, &editor(owners), &[1, 2, 3]).await });
    questions.ask("lines of a mode", async move {
        let filter = LineFilter { viewer: owners.mine, modes: vec![LineMode::default()], ..LineFilter::default() };
        store::transport_line::list(db, &filter, "title", Page::default()).await
    });
    questions.ask("the contact of an address", store::contact::find_by_email(db, "7@exemple.example"));
    questions.ask("uses of a POI", store::uses::of(db, Kind::Poi, 4, 50));
    questions.ask("uses of a term", store::vocabulary::uses_totals(db, &[1, 2]));
    questions.ask("the latest edits", async move { store::latest::latest(db, &editor(owners), 10).await });
    questions.ask("the journal", async move {
        store::audit::list(db, &store::audit::AuditFilter::default(), None, 50).await
    });
}

/// What the quick search asks of each kind: five of them by title, for a begun word.
fn of_quick_search(questions: &mut Questions<'_>, owners: Owners) {
    let db = questions.store.read();
    for words in ["l", "la", "lac col", "zèbre"] {
        let page = Page::new(1, 5);
        questions.ask(format!("quick search, {words}: parcours"), async move {
            let filter = Filter { search: Some(words.into()), progress: ProgressFilter::Any, ..Filter::default() };
            store::parcours::list(db, &editor(owners), &filter, Sort::default(), page, None).await
        });
        questions.ask(format!("quick search, {words}: POIs"), async move {
            let filter = PoiFilter { search: Some(words.into()), ..PoiFilter::seen_from(owners.mine) };
            store::poi::first(db, &filter, page).await
        });
        questions.ask(format!("quick search, {words}: contacts"), async move {
            store::contact::list(
                db,
                &ContactFilter { search: Some(words.into()), ..ContactFilter::default() },
                "title",
                page,
            )
            .await
        });
    }
}

/// What was recorded on the ground: the desk's list, what waits, and the surveys of parcours.
fn of_ground(questions: &mut Questions<'_>, owners: Owners) {
    let db = questions.store.read();
    let parcours = ParcoursId(4);
    let wanted = |parcours, reviewed| EntryFilter { white_label: owners.mine, parcours, reviewed, id: None };
    let lists = [
        ("all", wanted(None, None)),
        ("waiting", wanted(None, Some(false))),
        ("reviewed", wanted(None, Some(true))),
        ("of one parcours", wanted(Some(parcours), None)),
    ];
    for (name, wanted) in lists {
        let counted = wanted.clone();
        questions
            .ask(format!("ground, {name}"), async move { store::ground::list(db, &wanted, Page::default()).await });
        questions.ask(format!("ground, {name}: total"), async move { store::ground::count(db, &counted).await });
    }
    questions.ask("ground: last survey of a parcours", store::ground::surveyed_at(db, parcours));
    questions.ask("ground: last surveys of a page", store::ground::surveyed_among(db, &[ParcoursId(4), ParcoursId(8)]));
    questions.ask("a campaign: its parcours", store::survey_campaign::parcours_of(db, owners.mine, &[4, 8]));
    questions.ask("a campaign: its surveys", store::survey_campaign::surveys(db, owners.mine, &[4, 8], NOW));
    questions.ask("campaigns of a person", async move {
        let filter = CampaignFilter { person: Some(UserId(7)), ..CampaignFilter::of(&editor(owners)) };
        store::survey_campaign::list(db, &filter, "due_on", Page::default()).await
    });
}

fn of_statistics(questions: &mut Questions<'_>, owners: Owners) {
    let (db, today) = (questions.store.read(), Day::of(NOW));
    let figures = Figures {
        period: Period { from: Day(today.0 - 365), to: today },
        white_label_ids: vec![owners.mine.0],
        parcours_id: None,
        kind: None,
        source: None,
        country: None,
        language: None,
    };
    // Rows of all white-labels are read where all that the database has are asked for.
    let everyone = Figures { white_label_ids: vec![owners.mine.0, owners.other.0, owners.idle.0], ..figures.clone() };
    let asked = [
        ("all", figures.clone()),
        ("all white-labels", everyone.clone()),
        ("all white-labels, of a country", Figures { country: Some("FR".to_owned()), ..everyone }),
        ("one parcours", Figures { parcours_id: Some(ParcoursId(4)), ..figures.clone() }),
        (
            "of a kind",
            Figures { kind: Some(EventKind::View), source: Some(EventSource::PublicPage), ..figures.clone() },
        ),
        ("of a country", Figures { country: Some("FR".to_owned()), ..figures }),
    ];
    for (name, figures) in asked {
        let of = |what: &str| format!("statistics, {name}: {what}");
        questions.ask(of("by day"), {
            let figures = figures.clone();
            async move { store::statistics::by_day(db, &figures).await }
        });
        for by in [GroupBy::Parcours, GroupBy::WhiteLabel, GroupBy::Source, GroupBy::Country, GroupBy::Language] {
            questions.ask(of(&format!("by {by:?}")), {
                let figures = figures.clone();
                async move { store::statistics::by(db, &figures, by, 50).await }
            });
        }
        questions.ask(of("hosts"), {
            let figures = figures.clone();
            async move { store::statistics::hosts(db, &figures, 50).await }
        });
        questions.ask(of("points"), async move { store::statistics::points(db, &figures, 500).await });
    }
    questions.ask("statistics: the first day", async move { store::statistics::first_day(db, &[owners.mine.0]).await });
}

#[app_test]
async fn no_listed_question_reads_a_long_table_from_end_to_end(test: TestStore) {
    let owners = filled(&test).await;
    let mut questions = Questions { store: &test.store, asked: Vec::new() };
    of_parcours(&mut questions, owners);
    of_one_parcours(&mut questions, owners);
    of_feeds(&mut questions, owners);
    of_records(&mut questions, owners);
    of_filtered_records(&mut questions, owners);
    of_quick_search(&mut questions, owners);
    of_ground(&mut questions, owners);
    of_statistics(&mut questions, owners);
    let found = questions.found().await;
    assert!(found.is_empty(), "{} scans:\n{}", found.len(), found.join("\n"));

    // What the parcours of a page inherit is one statement that looks each parent up by its number. With a join in place of these look-ups
    // PostgreSQL reads all parcours that have a parent by `parcours_by_parent`: no scan, since it does so with a condition.
    let parents: Vec<i64> = (0..100).map(|copy| 1 + copy * 1000).collect();
    let inherited = store::parcours::inherited_from(test.store.read(), &parents);
    let (_, plans) = plans::of(&test.store, MANY, inherited).await.unwrap();
    assert_eq!((plans.statements, plans.scans), (1, Vec::new()));
    assert!(!plans.indexes.contains("parcours_by_parent"), "{:?}", plans.indexes);
}

#[app_test]
async fn the_records_of_a_source_that_want_pictures_are_read_by_their_index(test: TestStore) {
    let owner = owners(&test).await.mine;
    let tx = test.store.begin().await.unwrap();
    // 19,980 records of the source, which want none; twenty of another that do.
    run(
        &tx,
        &format!(
            "INSERT INTO sit_record (id, source_id, white_label_id, item, status, digest, recipe, payload, overrides, languages, title, sort_title,
            lon, lat, x, y, categories, poi_id, applied, wants_media, version, updated_at)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            SELECT i, CASE WHEN i % 1000 = 0 THEN 2 ELSE 1 END, {owner}, CAST(i AS TEXT), '', '', '', '{{}}', '{{}}', '[]', '{{}}', '',
            2.0, 45.0, 2000000, 45000000, '', i, '{{}}', CASE WHEN i % 1000 = 0 THEN 1 ELSE 0 END, 1, 0 FROM n"
        ),
    )
    .await;
    if tx.dialect() == Dialect::Postgres {
        run(&tx, "ANALYZE sit_record").await;
    }
    tx.commit().await.unwrap();
    let question = async {
        let tx = test.store.begin().await?;
        store::sit::enqueue_wanted_pictures(&tx, 1, NOW).await?;
        tx.commit().await
    };
    let ((), plans) = plans::of(&test.store, MANY, question).await.unwrap();
    assert_eq!((plans.statements, plans.scans), (1, Vec::new()));
    assert_eq!(plans.indexes.into_iter().collect::<Vec<_>>(), ["sit_record_wanting"]);
}

#[app_test]
async fn words_that_many_records_have_are_counted_row_by_row_on_postgresql(test: TestStore) {
    if test.store.dialect() != Dialect::Postgres {
        return;
    }
    let owners = owners(&test).await;
    let languages = vec!["fr".to_owned()];
    let change = Change { by: None, at: NOW, reason: None, languages: &languages };
    let tx = test.store.begin().await.unwrap();
    for owner in [owners.mine, owners.other] {
        let sheet = PoiSheet { title: Text::in_french("Lac blanc"), ..PoiSheet::default() };
        insert::<Pois>(&tx, sheet, owner, true, change).await;
    }
    // The numbers of the copies follow those of the two without gaps, as a sample of numbers finds them.
    for (id, copies) in [(1, 5_000), (2, 20_000)] {
        let row = "jsonb_populate_record(t, jsonb_build_object('id', t.id + n * 2))";
        let copied = format!("t, generate_series(1, {copies}) n WHERE t.id = {id}");
        run(&tx, &format!("INSERT INTO poi SELECT ({row}).* FROM poi {copied}")).await;
        run(&tx, &format!("INSERT INTO poi_search SELECT t.id + n * 2, t.words FROM poi_search {copied}")).await;
        let (sheet, kind) =
            ("INSERT INTO record_sheet SELECT t.kind, t.id + n * 2, t.sheet FROM record_sheet", Kind::Poi.code());
        run(&tx, &format!("{sheet} {copied} AND t.kind = {kind}")).await;
    }
    run(&tx, "ANALYZE poi; ANALYZE poi_search").await;
    tx.commit().await.unwrap();
    let db = test.store.read();
    let filter = |words: &str| PoiFilter { search: Some(words.into()), ..PoiFilter::seen_from(owners.mine) };
    let (page, plans) =
        plans::of(&test.store, 30_000, store::poi::list(db, &filter("lac"), "title", Page::default())).await.unwrap();
    let counts = page.unwrap().counts;
    assert_eq!((counts.mine.total, counts.mine.capped), (5_001, false));
    assert_eq!((counts.shared.total, counts.shared.capped), (10_000, true));
    assert!(!plans.indexes.contains("poi_search_by_word"), "{:?}", plans.indexes);
    let (first, counted) = store::poi::first(db, &filter("la"), Page::new(1, 5)).await.unwrap();
    assert_eq!((first.len(), counted.total, counted.capped), (5, 10_000, true));
    let (none, counted) = store::poi::first(db, &filter("lac noir"), Page::new(1, 5)).await.unwrap();
    assert_eq!((none.len(), counted.total), (0, 0));
}
