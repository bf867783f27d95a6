//! The database of a real Geotrek-admin 2.126 (`../shared/data/geotrek-2.126`), read from its dump: what its API answered is in the archive, field by
//! field; and a small database of the project's own, with what the real one does not have.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;
use std::path::PathBuf;
use std::process::Command;

use domain::Instant;
use domain::sit::{SitKind, SitRecord, SitWord};
use feeds::incoming::sit::{Bytes, SitPackage, geotrek_kinds_of};
use feeds::incoming::{
    Dialect, GeotrekArchive, GeotrekDatabase, GeotrekEquipment, GeotrekPart, Names, OtherVersion, Package,
    geotrek_equipment, geotrek_ids, geotrek_kinds,
};
use serde_json::{Value, json};

fn recorded() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/geotrek-2.126");
    folder.is_dir().then_some(folder)
}

fn archive(database: &GeotrekDatabase, address: Option<&str>) -> GeotrekArchive<Cursor<Vec<u8>>> {
    let mut file = Cursor::new(Vec::new());
    database.write_archive(&mut file, address, &GeotrekPart::default()).unwrap();
    GeotrekArchive::open(file.into_inner()).unwrap()
}

/// All items of a list.
fn items(archive: &mut GeotrekArchive<Cursor<Vec<u8>>>, list: &str) -> Vec<Value> {
    let mut found = Vec::new();
    for page in 1.. {
        let page: Value = serde_json::from_slice(&archive.page(list, page).unwrap().unwrap()).unwrap();
        found.extend(page["results"].as_array().unwrap().iter().cloned());
        if page["next"].is_null() {
            assert_eq!(page["count"], found.len());
            assert_eq!(archive.count(list), Some(found.len() as u64));
            break;
        }
    }
    found
}

/// Whether all that the archive says of something is what the API said. What is only another way to write it does not count: no text in a
/// language, the order of a list where it means nothing, entities of HTML, the seventh decimal of a degree, metres in a projection.
fn agree(field: &str, own: &Value, other: &Value) -> bool {
    let is_empty = |value: &Value| match value {
        Value::Object(members) => members.values().all(|value| value.is_null() || value == ""),
        value => value.is_null() || value == "",
    };
    match (own, other) {
        (own, other) if is_empty(own) && is_empty(other) => true,
        (Value::Object(own), Value::Object(_)) => own.iter().all(|(name, value)| agree(name, value, &other[name])),
        (Value::Array(own), Value::Array(other)) => {
            let (mut own, mut other) = (own.clone(), other.clone());
            if matches!(
                field,
                "cities" | "themes" | "networks" | "labels" | "source" | "portal" | "ratings" | "accessibilities"
            ) {
                own.sort_by_key(Value::to_string);
                other.sort_by_key(Value::to_string);
            }
            own.len() == other.len() && own.iter().zip(&other).all(|(own, other)| agree(field, own, other))
        }
        (Value::Number(own), Value::Number(other)) => {
            let (own, other) = (own.as_f64().unwrap(), other.as_f64().unwrap());
            let tolerance = if field == "length_2d" { other * 0.002 } else { 2e-6 };
            (own - other).abs() <= tolerance
        }
        // The API writes the time of its own zone.
        (Value::String(own), Value::String(other)) if field == "update_datetime" => {
            moment(own).is_some() && moment(own) == moment(other)
        }
        (Value::String(own), Value::String(other)) => {
            let plain = |words: &str| {
                [
                    ("&rsquo;", "’"),
                    ("&#39;", "'"),
                    ("&eacute;", "é"),
                    ("&egrave;", "è"),
                    ("&nbsp;", "\u{a0}"),
                    ("&amp;", "&"),
                    ("&agrave;", "à"),
                ]
                .iter()
                .fold(words.to_owned(), |words, (entity, letter)| words.replace(entity, letter))
            };
            plain(own) == plain(other)
        }
        (own, other) => own == other,
    }
}

/// The second of `2026-11-22T18:04:01.8+01:00`.
fn moment(written: &str) -> Option<Instant> {
    let (time, zone) = (written.get(..19)?, written.rsplit_once('+')?.1);
    let hours: i64 = zone.strip_suffix(":00")?.parse().ok()?;
    Some(Instant::parse(&format!("{time}Z"))?.plus_s(-3_600 * hours))
}

#[test]
fn a_dump_says_what_the_api_of_its_server_said() {
    let Some(folder) = recorded() else { return };
    let restored =
        Command::new("pg_restore").args(["--data-only", "-f", "-"]).arg(folder.join("geotrek.dump")).output();
    // Without PostgreSQL's client programs nothing can be compared.
    let Ok(restored) = restored else { return };
    let database = GeotrekDatabase::read(&restored.stdout[..]).unwrap();
    let mut archive = archive(&database, Some("https://geotrek.example"));
    let mut differences: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for list in [
        "trek",
        "poi",
        "informationdesk",
        "theme",
        "label",
        "trek_practice",
        "trek_difficulty",
        "trek_network",
        "trek_route",
        "trek_rating",
        "trek_accessibility",
        "trek_accessibility_level",
        "source",
        "portal",
        "city",
        "structure",
        "reservationsystem",
        "poi_type",
        "touristiccontent",
        "touristiccontent_category",
        "touristicevent",
        "touristicevent_type",
        "service",
        "service_type",
    ] {
        let ours: BTreeMap<String, Value> =
            items(&mut archive, list).into_iter().map(|item| (item["id"].to_string(), item)).collect();
        let Ok(text) = std::fs::read_to_string(folder.join(format!("api/{list}.json"))) else { continue };
        let theirs: Vec<Value> = serde_json::from_str(&text).unwrap();
        for item in theirs {
            let id = item["id"].to_string();
            let Some(own) = ours.get(&id) else {
                differences.entry(format!("{list} missing")).or_default().push(id);
                continue;
            };
            for (field, value) in own.as_object().unwrap() {
                // The API has only the types of published contents.
                let is_there = match field.as_str() {
                    "types" if list == "touristiccontent_category" => types_of(&item).is_subset(&types_of(own)),
                    _ => agree(field, value, &item[field]),
                };
                if !is_there {
                    let found = differences.entry(format!("{list}.{field}")).or_default();
                    found.push(format!("{id}: {value} is not {}", item[field]));
                }
            }
        }
    }
    let shown: Vec<String> =
        differences.iter().map(|(what, all)| format!("{what}: {} times, {}", all.len(), all[0])).collect();
    assert!(shown.is_empty(), "{}", shown.join("\n"));
    assert_eq!(archive.count("trek"), Some(220), "the drafts too");
    assert_eq!((archive.count("touristiccontent"), archive.count("service")), (Some(50), Some(30)));

    // What is read of a content is the same, from the archive and from the API.
    let recorded = std::fs::read_to_string(folder.join("api/touristiccontent.json")).unwrap();
    let categories = std::fs::read_to_string(folder.join("api/touristiccontent_category.json")).unwrap();
    let page = |results: &str| format!("{{\"next\": null, \"results\": {results}}}");
    let mut of_api = SitPackage::open(SitKind::Geotrek, Bytes::Memory(page(&recorded).into_bytes())).unwrap();
    of_api.name_kinds(page(&categories).as_bytes()).unwrap();
    let of_archive = records(&mut archive, "touristiccontent");
    assert_eq!(of_archive.len(), 50);
    for index in 0..of_api.len() {
        let other = of_api.read(index, &[]).unwrap();
        let own = of_archive.iter().flatten().find(|own| own.id == other.id).expect("the same content");
        let first = |words: &[SitWord]| words.first().map(|word| word.label.best("fr").to_owned());
        assert_eq!((first(&own.words), first(&own.labels)), (first(&other.words), first(&other.labels)), "{}", own.id);
        assert_eq!((&own.address, own.pictures.len()), (&other.address, other.pictures.len()), "{}", own.id);
        assert!(own.words.len() == 2 && own.address.insee.is_some() && !own.pictures.is_empty(), "{own:?}");
    }
}

/// The numbers of the types of a category.
fn types_of(category: &Value) -> BTreeSet<(String, String)> {
    let lists = category["types"].as_array().unwrap().iter();
    let named = |list: &Value, value: &Value| (list["id"].to_string(), value["id"].to_string());
    lists.flat_map(|list| list["values"].as_array().unwrap().iter().map(|value| named(list, value))).collect()
}

/// The tourist records of a list of an archive, and why one is refused.
fn records(archive: &mut GeotrekArchive<Cursor<Vec<u8>>>, list: &str) -> Vec<Result<SitRecord, &'static str>> {
    let page = archive.page(list, 1).unwrap().unwrap();
    let mut package = SitPackage::open(SitKind::Geotrek, Bytes::Memory(page)).unwrap();
    assert!(package.next().is_none());
    let kinds = geotrek_kinds_of(list).unwrap();
    package.name_kinds(&archive.page(kinds, 1).unwrap().unwrap()).unwrap();
    (0..package.len()).map(|index| package.read(index, &[]).map_err(|refused| refused.code)).collect()
}

/// A point as PostGIS writes it in hexadecimal.
fn point(srid: u32, at: [f64; 2]) -> String {
    let mut bytes = vec![1];
    bytes.extend(0x2000_0001_u32.to_le_bytes());
    bytes.extend(srid.to_le_bytes());
    bytes.extend(at.iter().flat_map(|number| number.to_le_bytes()));
    hex(&bytes)
}

fn line(srid: u32, points: &[[f64; 2]]) -> String {
    let mut bytes = vec![1];
    bytes.extend(0x2000_0002_u32.to_le_bytes());
    bytes.extend(srid.to_le_bytes());
    bytes.extend((points.len() as u32).to_le_bytes());
    bytes.extend(points.iter().flatten().flat_map(|number| number.to_le_bytes()));
    hex(&bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// A small database: three treks (one a draft, one deleted), bound to paths, and POIs on and beside these paths.
fn small() -> String {
    let trek = line(4326, &[[3.0, 45.0], [3.01, 45.0]]);
    let (on, beside) = (point(4326, [3.005, 45.0]), point(4326, [3.005, 45.001]));
    format!(
        "SET client_encoding = 'UTF8';\n\
         COPY public.core_topology (id, deleted, kind, uuid, geom, geom_3d) FROM stdin;\n\
         1\tf\tTREK\tu1\t{trek}\t\\N\n2\tf\tTREK\tu2\t{trek}\t\\N\n3\tt\tTREK\tu3\t{trek}\t\\N\n\
         10\tf\tPOI\tp10\t{on}\t\\N\n11\tf\tPOI\tp11\t{on}\t\\N\n12\tf\tPOI\tp12\t{beside}\t\\N\n13\tf\tPOI\tp13\t{on}\t\\N\n\\.\n\
         COPY public.trekking_trek (topo_object_id, published, name, provider, practice_id, published_fr, name_fr, name_en) FROM stdin;\n\
         1\tt\tBoucle\tvoisin\t4\tt\tBoucle\\tdu lac\tLoop\n2\tf\tBrouillon\t\t4\tf\tBrouillon\t\\N\n3\tt\tAncien\t\t4\tt\tAncien\t\\N\n\\.\n\
         COPY public.trekking_poi (topo_object_id, published, name) FROM stdin;\n\
         10\tt\tCascade\n11\tf\tCachée\n12\tt\tÀ côté\n13\tt\tExclue\n\\.\n\
         COPY public.core_pathaggregation (id, start_position, end_position, \"order\", path_id, topo_object_id) FROM stdin;\n\
         1\t0\t1\t1\t7\t1\n2\t0\t1\t0\t8\t1\n3\t0.4\t0.4\t0\t7\t10\n4\t0.5\t0.5\t0\t7\t11\n5\t0.2\t0.2\t0\t8\t12\n6\t0.3\t0.3\t0\t8\t13\n\\.\n\
         COPY public.trekking_trek_pois_excluded (id, trek_id, poi_id) FROM stdin;\n1\t1\t13\n\\.\n"
    )
}

#[test]
fn drafts_come_and_deleted_treks_do_not() {
    let mut archive = archive(&GeotrekDatabase::read(small().as_bytes()).unwrap(), None);
    let treks = items(&mut archive, "trek");
    let named: Vec<&Value> = treks.iter().map(|trek| &trek["uuid"]).collect();
    assert_eq!(named, [&json!("u1"), &json!("u2")]);
    assert_eq!(treks[0]["name"], json!({"fr": "Boucle\tdu lac", "en": "Loop"}));
    assert_eq!((&treks[0]["published"], &treks[1]["published"]), (&json!({"fr": true}), &json!({"fr": false})));
    assert_eq!((&treks[0]["provider"], &treks[0]["practice"]), (&json!("voisin"), &json!(4)));
    assert_eq!(treks[0]["geometry"]["coordinates"], json!([[3.0, 45.0], [3.01, 45.0]]));
    assert_eq!(items(&mut archive, "signage"), Vec::<Value>::new());
    let package = Package::open(Dialect::Geotrek, archive.page("trek", 1).unwrap().unwrap(), "").unwrap();
    let said = |index: usize| package.read(index, &Names::default()).unwrap().said.contains_key("draft");
    assert_eq!((package.len(), said(0), said(1)), (2, false, true));
}

#[test]
fn the_published_pois_of_the_same_paths_are_along_a_trek() {
    let mut along = archive(&GeotrekDatabase::read(small().as_bytes()).unwrap(), None);
    let mut ids = |trek: &str| geotrek_ids(&along.along(trek).unwrap().unwrap()).unwrap().0;
    // Path 8 comes first; 11 is a draft, 13 is excluded.
    assert_eq!(ids("1"), ["p12", "p10"]);
    // A trek that is bound to no path has those within 500 m.
    assert_eq!(ids("2"), ["p10", "p12", "p13"]);
    assert!(along.along("3").unwrap().is_none());
}

/// A footbridge (a line) of structure 5, and a signpost of structure 6 with two blades.
fn with_equipment() -> String {
    let (bridge, post) = (line(4326, &[[3.001, 45.0], [3.002, 45.0]]), point(4326, [3.003, 45.0]));
    let equipment = format!(
        "20\tf\tINFRASTRUCTURE\ti20\t{bridge}\t\\N\n21\tf\tSIGNAGE\ts21\t{post}\t\\N\n22\tt\tSIGNAGE\ts22\t{post}\t\\N\n"
    );
    small().replace("10\tf\tPOI\tp10", &format!("{equipment}10\tf\tPOI\tp10"))
        + "COPY public.infrastructure_infrastructure (topo_object_id, name, description, implantation_year, type_id, structure_id, condition_id) FROM stdin;\n\
         20\tPasserelle du gué\t<p>En bois.</p>\t2012\t3\t5\t1\n\\.\n\
         COPY public.infrastructure_infrastructuretype (id, label) FROM stdin;\n3\tPasserelle\n\\.\n\
         COPY public.infrastructure_infrastructurecondition (id, label) FROM stdin;\n1\tDégradé\n\\.\n\
         COPY public.signage_signage (topo_object_id, name, description, code, type_id, structure_id) FROM stdin;\n\
         21\t\t\tM58-<1>\t9\t6\n22\tDéposé\t\t\t9\t6\n\\.\n\
         COPY public.signage_signagecondition (id, label) FROM stdin;\n4\tBon\n5\tPeint\n\\.\n\
         COPY public.signage_signage_conditions (id, signage_id, signagecondition_id) FROM stdin;\n1\t21\t5\n2\t21\t4\n\\.\n\
         COPY public.signage_blade (id, number, signage_id) FROM stdin;\n1\tA\t21\n2\tB\t21\n\\.\n\
         COPY public.signage_line (id, number, text, distance, \"time\", blade_id) FROM stdin;\n\
         1\t1\tLac\t2.5\t01:20:00\t1\n2\t2\tCol\t\\N\t00:45:00\t1\n\\.\n\
         COPY public.authent_structure (id, name) FROM stdin;\n5\tParc\n6\tAgglo\n\\.\n\
         COPY public.common_targetportal (id, name) FROM stdin;\n2\tRando Parc\n\\.\n\
         COPY public.trekking_trek_portal (id, trek_id, targetportal_id) FROM stdin;\n1\t1\t2\n\\.\n"
}

#[test]
fn signage_and_infrastructure_are_pois_that_say_their_state_and_what_is_written_on_them() {
    let mut archive = archive(&GeotrekDatabase::read(with_equipment().as_bytes()).unwrap(), None);
    let mut read = |of: GeotrekEquipment| {
        let names = of.names().map(|list| geotrek_kinds(&archive.page(list, 1).unwrap().unwrap()).unwrap().0);
        geotrek_equipment(of, &archive.page(of.list(), 1).unwrap().unwrap(), &names).unwrap()
    };
    let bridges = read(GeotrekEquipment::Infrastructure);
    let [bridge] = &bridges.pois[..] else { panic!("{bridges:?}") };
    assert_eq!((bridge.record.id.as_str(), bridge.record.name.best("fr")), ("infrastructure i20", "Passerelle du gué"));
    assert_eq!(bridge.record.position, Some([3.001, 45.0]), "a line is at its first point");
    assert_eq!(bridge.categories[0].key, "Passerelle");
    assert_eq!(
        bridge.record.long.best("fr"),
        "<p>En bois.</p><ul><li>État : Dégradé</li><li>Année de pose : 2012</li></ul>"
    );
    assert!(bridges.drafts.contains("infrastructure i20"));
    let posts = read(GeotrekEquipment::Signage);
    let [post] = &posts.pois[..] else { panic!("{posts:?}") };
    assert_eq!(post.record.name.best("fr"), "M58-<1>", "one without a name is called by its code");
    assert_eq!(post.categories[0].key, "Signalétique", "its type has no name");
    assert_eq!(
        post.record.long.best("fr"),
        "<ul><li>Code : M58-&lt;1&gt;</li><li>État : Peint, Bon</li><li>Lame A : Lac (2,5 km, 1 h 20) ; Col (45 min)</li></ul>"
    );
}

#[test]
fn equipment_of_older_versions_says_the_same() {
    // Until 2.101.4 a sign had one state, of the list of infrastructure; until 2.126.0 a removed blade stayed as a row.
    let new = with_equipment();
    let old = new
        .replace(
            "description, code, type_id, structure_id) FROM",
            "description, code, type_id, structure_id, condition_id) FROM",
        )
        .replace("M58-<1>\t9\t6\n", "M58-<1>\t9\t6\t1\n")
        .replace("Déposé\t\t\t9\t6\n", "Déposé\t\t\t9\t6\t\\N\n")
        .replace("COPY public.signage_signagecondition", "COPY public.signage_other")
        .replace("COPY public.signage_signage_conditions", "COPY public.signage_others")
        .replace(
            "(id, number, signage_id) FROM stdin;\n1\tA\t21\n2\tB\t21\n",
            "(id, number, signage_id, deleted) FROM stdin;\n1\tA\t21\tf\n2\tB\t21\tt\n",
        )
        // The first blade's lines were put in another order, and the second blade is removed.
        .replace("1\t1\tLac", "1\t2\tLac")
        .replace("2\t2\tCol\t\\N\t00:45:00\t1\n", "2\t1\tCol\t\\N\t00:45:00\t1\n3\t1\tGouffre\t\\N\t\\N\t2\n");
    assert_ne!(new, old);
    let mut archive = archive(&GeotrekDatabase::read(old.as_bytes()).unwrap(), None);
    let names = GeotrekEquipment::Signage
        .names()
        .map(|list| geotrek_kinds(&archive.page(list, 1).unwrap().unwrap()).unwrap().0);
    let posts =
        geotrek_equipment(GeotrekEquipment::Signage, &archive.page("signage", 1).unwrap().unwrap(), &names).unwrap();
    assert_eq!(
        posts.pois[0].record.long.best("fr"),
        "<ul><li>Code : M58-&lt;1&gt;</li><li>État : Dégradé</li><li>Lame A : Col (45 min) ; Lac (2,5 km, 1 h 20)</li></ul>"
    );
}

#[test]
fn a_version_that_was_not_looked_at_is_told() {
    let of = |steps: &[(&str, &str)]| {
        let rows: String = steps.iter().map(|(app, name)| format!("1\t{app}\t{name}\n")).collect();
        let dump = format!("{}COPY public.django_migrations (id, app, name) FROM stdin;\n{rows}\\.\n", small());
        GeotrekDatabase::read(dump.as_bytes()).unwrap().other_version()
    };
    let (of_2_100, of_2_126) = (("signage", "0035_auto_20230825_1215"), ("signage", "0049_remove_blade_deleted"));
    assert_eq!(of(&[]), None, "a dump of some tables");
    assert_eq!(of(&[("trekking", "0046_x"), of_2_100]), None);
    assert_eq!(of(&[of_2_100, of_2_126, ("core", "0055_x"), ("feedback", "0999_x")]), None);
    assert_eq!(of(&[("signage", "0034_x"), ("trekking", "0046_x")]), Some(OtherVersion::Older));
    assert_eq!(of(&[of_2_126, ("core", "0056_x")]), Some(OtherVersion::Newer));
}

#[test]
fn a_length_is_that_of_the_ground() {
    // The same line in degrees and in Web Mercator, whose metres are 1.41 times as long here.
    for (srid, points) in
        [(4326, [[3.0, 45.0], [3.01, 45.0]]), (3857, [[333_958.472, 5_621_521.486], [335_071.667, 5_621_521.486]])]
    {
        let dump = small().replace(&line(4326, &[[3.0, 45.0], [3.01, 45.0]]), &line(srid, &points));
        let treks = items(&mut archive(&GeotrekDatabase::read(dump.as_bytes()).unwrap(), None), "trek");
        let length = treks[0]["length_2d"].as_f64().unwrap();
        assert!((length - 786.3).abs() < 1.0, "{srid}: {length}");
    }
}

#[test]
fn equipment_that_cannot_be_read_is_named_and_nothing_of_it_makes_the_others_fail() {
    let page = json!({"count": 4, "next": null, "results": [[], 3, {"id": 1, "geometry": {"coordinates": []}},
        {"id": 2, "type": 8, "condition": 1, "geometry": {"type": "LineString", "coordinates": [[3.0, 45.0], [3.1, 45.0]]}}]});
    let read = geotrek_equipment(GeotrekEquipment::Signage, page.to_string().as_bytes(), &Default::default()).unwrap();
    let refused: Vec<(&str, &str)> = read.refused.iter().map(|(id, why)| (id.as_str(), why.code)).collect();
    assert_eq!(refused, [("signage ", "import/no-id"), ("signage ", "import/no-id"), ("signage 1", "sit/no-position")]);
    assert_eq!(read.pois[0].record.name.best("fr"), "Signalétique");
}

#[test]
fn a_part_of_a_database_has_its_treks_what_is_along_them_and_its_equipment() {
    let database = GeotrekDatabase::read(with_equipment().as_bytes()).unwrap();
    let counts = |portals: &[&str], structures: &[&str]| {
        let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let part = GeotrekPart { portals: own(portals), structures: own(structures) };
        let counts = database.write_archive(Cursor::new(Vec::new()), None, &part).map_err(|error| error.to_string())?;
        Ok::<_, String>(["trek", "poi", "infrastructure", "signage"].map(|list| counts[list]))
    };
    assert_eq!(counts(&[], &[]), Ok([2, 4, 1, 1]));
    assert_eq!(counts(&["Rando Parc"], &[]), Ok([1, 2, 0, 0]), "the equipment is of no portal");
    assert_eq!(counts(&["2"], &["Parc"]), Ok([0, 0, 1, 0]), "no trek is of this structure");
    assert_eq!(counts(&[], &["Agglo", "5"]), Ok([0, 0, 1, 1]));
    let unknown = counts(&[], &["Commune"]).unwrap_err();
    assert_eq!(unknown, "it has no structure \"Commune\"; it has: Parc, Agglo");
}

/// A lodging of structure 5, a museum (an area) of structure 6 that is a draft, a deleted shop; three events, of which the first has all there is
/// and the others lack a date and a place; a tap along trek 1 and one far away.
fn with_tourism() -> String {
    let [at, lake, far] = [[3.002, 45.0], [3.004, 45.0], [3.5, 45.5]].map(|at| point(4326, at));
    let area = {
        let mut bytes = vec![1];
        bytes.extend(0x2000_0003_u32.to_le_bytes());
        bytes.extend([4326_u32, 1, 4].into_iter().flat_map(u32::to_le_bytes));
        let ring = [[3.0, 45.0], [3.2, 45.0], [3.2, 45.4], [3.0, 45.0]];
        bytes.extend(ring.iter().flatten().flat_map(|number: &f64| number.to_le_bytes()));
        hex(&bytes)
    };
    let services = format!("30\tf\tSERVICE\ts30\t{at}\t\\N\n31\tf\tSERVICE\ts31\t{far}\t\\N\n");
    let contents = format!(
        "1\tc1\tf\tt\t2026-07-01 22:30:00.5+00\tGîte du lac\tGîte du lac\tLake hostel\t<p>Au bord.</p>\t<p>20 places.</p>\t\tchef@lac.example\t{at}\t1\t5\n\
         2\tc2\tf\tf\t2026-07-01 22:30:00+00\tMusée\tMusée\t\\N\t\t\t\t\\N\t{area}\t9\t6\n\
         3\tc3\tt\tt\t2026-07-01 22:30:00+00\tMagasin\tMagasin\t\\N\t\t\t\t\\N\t{at}\t1\t5\n"
    );
    let events = format!(
        "1\te1\tf\tt\tFête du lac\tFête du lac\tLake festival\t<p>Deux jours.</p>\t2026-08-01\t2026-08-02\t14:00:00\t18:30:00\tPonton\t3\tAna Roux\t<p>Au 03 86.</p>\tFamilles\t40\t5.50\tt\t1\t\\N\t2\t5\n\
         2\te2\tf\tt\tSans date\tSans date\t\\N\t\t\\N\t\\N\t\\N\t\\N\t\t\\N\t\t\t\\N\t\\N\t\\N\tf\t\\N\t{at}\t2\t5\n\
         3\te3\tf\tt\tNulle part\tNulle part\t\\N\t\t2026-08-01\t\\N\t\\N\t\\N\t\t\\N\t\t\t\\N\t\\N\t0.00\tf\t\\N\t\\N\t2\t6\n\
         4\te4\tf\tt\tConcert\tConcert\t\\N\t\t2026-08-03\t2026-08-03\t\\N\t\\N\t\t\\N\t\t\t\\N\t\\N\t0.00\tf\t\\N\t{at}\t77\t6\n"
    );
    small().replace("10\tf\tPOI\tp10", &format!("{services}10\tf\tPOI\tp10"))
        + &format!(
            "COPY public.tourism_touristiccontent (id, uuid, deleted, published, date_update, name, name_fr, name_en, description_teaser, description, practical_info, email, geom, category_id, structure_id) FROM stdin;\n{contents}\\.\n\
             COPY public.tourism_touristicevent (id, uuid, deleted, published, name, name_fr, name_en, description, begin_date, end_date, start_time, end_time, meeting_point, place_id, speaker, booking, target_audience, capacity, price, cancelled, cancellation_reason_id, geom, type_id, structure_id) FROM stdin;\n{events}\\.\n\
             COPY public.tourism_touristiceventplace (id, name, geom) FROM stdin;\n3\tSalle des fêtes\t{lake}\n\\.\n"
        )
        + "COPY public.tourism_touristiccontentcategory (id, label, type1_label) FROM stdin;\n1\tHébergement\tUsage\n\\.\n\
           COPY public.tourism_touristiccontenttype (id, label, in_list, category_id) FROM stdin;\n1\tGîte\t1\t1\n8\tAccueil Vélo\t2\t1\n\\.\n\
           COPY public.tourism_touristiccontent_type1 (id, touristiccontent_id, touristiccontenttype_id) FROM stdin;\n1\t1\t1\n\\.\n\
           COPY public.tourism_touristiccontent_type2 (id, touristiccontent_id, touristiccontenttype2_id) FROM stdin;\n1\t1\t8\n\\.\n\
           COPY public.tourism_touristiccontent_portal (id, touristiccontent_id, targetportal_id) FROM stdin;\n1\t2\t2\n\\.\n\
           COPY public.tourism_touristicevent_portal (id, touristicevent_id, targetportal_id) FROM stdin;\n1\t1\t2\n\\.\n\
           COPY public.tourism_touristicevent_organizers (id, touristicevent_id, touristiceventorganizer_id) FROM stdin;\n1\t1\t1\n2\t1\t2\n\\.\n\
           COPY public.tourism_touristiceventorganizer (id, label) FROM stdin;\n1\tMairie\n2\tParc\n\\.\n\
           COPY public.tourism_touristiceventtype (id, type, type_fr, type_en) FROM stdin;\n2\tFête\tFête\tFestival\n\\.\n\
           COPY public.tourism_cancellationreason (id, label) FROM stdin;\n1\tOrage\n\\.\n\
           COPY public.trekking_service (topo_object_id, type_id, structure_id) FROM stdin;\n30\t1\t6\n31\t1\t6\n\\.\n\
           COPY public.trekking_servicetype (id, name) FROM stdin;\n1\tPoint d'eau\n\\.\n\
           COPY public.core_pathaggregation (id, start_position, end_position, \"order\", path_id, topo_object_id) FROM stdin;\n\\.\n\
           COPY public.django_content_type (id, app_label, model) FROM stdin;\n5\ttourism\ttouristicevent\n\\.\n\
           COPY public.common_attachment (id, object_id, content_type_id, attachment_file, attachment_video, attachment_link, author, title, legend, starred, is_image, license_id) FROM stdin;\n1\t1\t5\tpaperclip/fete.jpg\t\t\tAna Roux\t\tLa fête\tt\tt\t\\N\n\\.\n\
           COPY public.authent_structure (id, name) FROM stdin;\n5\tParc\n6\tAgglo\n\\.\n\
           COPY public.common_targetportal (id, name) FROM stdin;\n2\tRando Parc\n\\.\n\
           COPY public.trekking_trek_portal (id, trek_id, targetportal_id) FROM stdin;\n1\t1\t2\n\\.\n"
}

#[test]
fn contents_and_services_of_a_database_are_tourist_records() {
    let mut archive = archive(&GeotrekDatabase::read(with_tourism().as_bytes()).unwrap(), None);
    let contents = records(&mut archive, "touristiccontent");
    let [Ok(hostel), Ok(museum)] = &contents[..] else { panic!("{contents:?}") };
    assert_eq!(
        (hostel.id.as_str(), hostel.name.get("en"), hostel.position),
        ("c1", Some("Lake hostel"), Some([3.002, 45.0]))
    );
    let words = |words: &[SitWord]| words.iter().map(|word| word.label.best("fr").to_owned()).collect::<Vec<_>>();
    assert_eq!(
        (words(&hostel.words), words(&hostel.labels)),
        (vec!["Gîte".into(), "Hébergement".into()], vec!["Accueil Vélo".into()])
    );
    assert_eq!((hostel.emails[0].as_str(), hostel.updated.as_deref()), ("chef@lac.example", Some("2026-07-01")));
    assert_eq!(museum.position, Some([3.1, 45.2]), "an area is at its middle");
    assert_eq!(words(&museum.words), ["Catégorie 9"], "a category that no list names");
    let page = archive.page("touristiccontent", 1).unwrap().unwrap();
    let page = SitPackage::open(SitKind::Geotrek, Bytes::Memory(page)).unwrap();
    assert_eq!((page.is_draft(0), page.is_draft(1)), (false, true));
    let services = records(&mut archive, "service");
    let [Ok(tap), Ok(_)] = &services[..] else { panic!("{services:?}") };
    assert_eq!((tap.id.as_str(), tap.name.fr(), tap.position), ("s30", "Point d'eau", Some([3.002, 45.0])));
}

#[test]
fn an_event_says_when_it_is_what_it_costs_and_how_one_takes_part_and_a_bad_one_is_refused_alone() {
    let mut archive = archive(&GeotrekDatabase::read(with_tourism().as_bytes()).unwrap(), Some("https://g.example"));
    let events = records(&mut archive, "touristicevent");
    let [Ok(festival), Err("sit/no-date"), Err("sit/no-position"), Ok(concert)] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!(festival.position, Some([3.004, 45.0]), "without a place of its own it is at its venue");
    assert_eq!(festival.opening.get("fr"), Some("<p>Annulé : Orage. du 01/08/2026 au 02/08/2026, 14:00 – 18:30</p>"));
    assert_eq!(
        festival.opening.get("en"),
        Some("<p>Cancelled: Orage. from 01/08/2026 to 02/08/2026, 14:00 – 18:30</p>")
    );
    assert_eq!((festival.tariff.get("fr"), festival.tariff.get("en")), (Some("5,50 €"), Some("€5.50")));
    assert_eq!(
        festival.long.get("fr"),
        Some(
            "<p>Deux jours.</p><ul><li>Lieu : Salle des fêtes</li><li>Rendez-vous : Ponton</li><li>Public : Familles</li>\
             <li>Intervenant : Ana Roux</li><li>Organisateur : Mairie, Parc</li><li>Nombre de places : 40</li>\
             <li>Réservation : <p>Au 03 86.</p></li></ul>"
        )
    );
    assert!(festival.long.get("en").is_some_and(|words| words.contains("<li>Meeting point: Ponton</li>")));
    let kind = &festival.words[0].label;
    assert_eq!((festival.words.len(), kind.get("fr"), kind.get("en")), (1, Some("Fête"), Some("Festival")));
    assert_eq!(festival.pictures[0].url, "https://g.example/media/paperclip/fete.jpg");
    assert_eq!((concert.opening.fr(), concert.tariff.fr()), ("<p>03/08/2026</p>", "Gratuit"));
    assert_eq!(concert.opening.get("en"), None, "it is not described in English");
    assert_eq!(concert.words[0].label.fr(), "Type 77", "a type that no list names");
}

#[test]
fn events_of_a_server_are_read_as_old_and_new_versions_write_them() {
    let event = |fields: Value| {
        let mut event = json!({
            "id": 4, "name": {"fr": "Veillée", "en": null}, "begin_date": "2026-08-01", "geometry": {"type": "Point", "coordinates": [3.0, 45.0]},
        });
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let page = json!({"next": null, "results": [event]}).to_string().into_bytes();
        SitPackage::open(SitKind::Geotrek, Bytes::Memory(page)).unwrap().read(0, &[]).map_err(|refused| refused.code)
    };
    let old = event(json!({"meeting_time": "20:00:00", "participant_number": "12", "organizer": "Ana", "practical_info": {"fr": "Lampe."}})).unwrap();
    assert_eq!(old.opening.fr(), "<p>01/08/2026, 20:00</p><p>Lampe.</p>");
    assert_eq!(old.long.fr(), "<ul><li>Organisateur : Ana</li><li>Nombre de places : 12</li></ul>");
    let new = event(json!({"capacity": null, "participant_number": "None", "end_date": "2026-13-40", "price": "0.00"}))
        .unwrap();
    assert_eq!((new.opening.fr(), new.long.fr(), new.tariff.fr()), ("<p>01/08/2026</p>", "", "Gratuit"));
    for (fields, code) in [
        (json!({"begin_date": null}), "sit/no-date"),
        (json!({"begin_date": "hier"}), "sit/no-date"),
        (json!({"begin_date": [2026]}), "sit/no-date"),
        (json!({"geometry": null}), "sit/no-position"),
        (json!({"geometry": {"type": "Polygon", "coordinates": [[[]]]}}), "sit/no-position"),
        (json!({"name": null}), "sit/no-name"),
    ] {
        assert_eq!(event(fields.clone()), Err(code), "{fields}");
    }
    let line = event(json!({"geometry": {"type": "LineString", "coordinates": [[3.0, 45.0], [4.0, 46.0]]}})).unwrap();
    assert_eq!(line.position, Some([3.0, 45.0]), "a line is at its first point");
}

#[test]
fn a_database_of_another_version_lacks_tables_and_columns_and_the_rest_is_read() {
    let at = point(4326, [3.0, 45.0]);
    let read = |columns: &str, row: &str| {
        let dump = format!(
            "{}COPY public.tourism_touristicevent (id, uuid, {columns}) FROM stdin;\n1\te1\t{row}\n\\.\n",
            small()
        );
        let mut archive = archive(&GeotrekDatabase::read(dump.as_bytes()).unwrap(), None);
        assert_eq!(items(&mut archive, "touristiccontent"), Vec::<Value>::new());
        assert_eq!(items(&mut archive, "trek").len(), 2);
        records(&mut archive, "touristicevent").remove(0)
    };
    assert_eq!(read("name, geom", &format!("Fête\t{at}")), Err("sit/no-date"), "no column of dates");
    assert_eq!(read("begin_date, geom", &format!("2026-08-01\t{at}")), Err("sit/no-name"), "no column of names");
    assert_eq!(read("name, begin_date", "Fête\t2026-08-01"), Err("sit/no-position"), "no column of places");
    let whole = read("name, begin_date, geom", &format!("Fête\t2026-08-01\t{at}")).unwrap();
    assert_eq!((whole.name.fr(), whole.words.len()), ("Fête", 0));
}

#[test]
fn a_part_of_a_database_has_its_contents_and_events_and_the_services_along_its_treks() {
    let database = GeotrekDatabase::read(with_tourism().as_bytes()).unwrap();
    let counts = |portals: &[&str], structures: &[&str]| {
        let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let part = GeotrekPart { portals: own(portals), structures: own(structures) };
        let counts = database.write_archive(Cursor::new(Vec::new()), None, &part).unwrap();
        ["trek", "poi", "touristiccontent", "touristicevent", "service"].map(|list| counts[list])
    };
    assert_eq!(counts(&[], &[]), [2, 4, 2, 4, 2]);
    let [treks, _, contents, events, services] = counts(&["Rando Parc"], &[]);
    assert_eq!([treks, contents, events], [1, 1, 1]);
    assert_eq!(services, 1, "the tap along the trek");
    assert_eq!(counts(&[], &["Parc"])[2..], [1, 2, 0], "no trek names its structure");
    assert_eq!(counts(&[], &["Agglo"])[2..], [1, 2, 2], "the services of the structure");
    assert_eq!(counts(&["2"], &["Agglo"])[2..], [1, 0, 2]);
}

#[test]
fn what_is_no_database_of_a_geotrek_is_refused_in_words() {
    for (dump, said) in [
        ("", "no table core_topology"),
        ("COPY public.core_topology (id) FROM stdin;\n\\.\n", "no table trekking_trek"),
        ("INSERT INTO public.core_topology VALUES (1);\n", "no table core_topology"),
    ] {
        let refused = GeotrekDatabase::read(dump.as_bytes()).unwrap_err().to_string();
        assert!(refused.contains(said), "{refused}");
    }
    let other = small().replace("E6100000", "0F270000");
    let refused = GeotrekDatabase::read(other.as_bytes()).unwrap().write_archive(
        Cursor::new(Vec::new()),
        None,
        &GeotrekPart::default(),
    );
    assert_eq!(
        refused.unwrap_err().to_string(),
        "its coordinates are in the system EPSG:9999, which is not known here"
    );
    for bytes in [&b"PK"[..], b"", b"<html>"] {
        assert_eq!(GeotrekArchive::open(bytes).unwrap_err().code, "import/no-geotrek-archive");
    }
}
