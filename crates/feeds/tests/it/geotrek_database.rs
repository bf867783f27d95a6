//! The database of a real Geotrek-admin 2.126 (`../shared/data/geotrek-2.126`), read from its dump: what its API answered is in the archive, field by
//! field; and a small database of the project's own, with what the real one does not have.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::PathBuf;
use std::process::Command;

use feeds::incoming::{
    Dialect, GeotrekArchive, GeotrekDatabase, GeotrekEquipment, GeotrekPart, Names, Package, geotrek_equipment,
    geotrek_ids, geotrek_kinds,
};
use serde_json::{Value, json};

fn recorded() -> Option<PathBuf> {
    let near = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/geotrek-2.126");
    [near, PathBuf::from("/work/shared/data/geotrek-2.126")].into_iter().find(|folder| folder.is_dir())
}

fn archive(database: &GeotrekDatabase, address: Option<&str>) -> GeotrekArchive<Vec<u8>> {
    let mut file = Cursor::new(Vec::new());
    database.write_archive(&mut file, address, &GeotrekPart::default()).unwrap();
    GeotrekArchive::open(file.into_inner()).unwrap()
}

/// All items of a list.
fn items(archive: &mut GeotrekArchive<Vec<u8>>, list: &str) -> Vec<Value> {
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
                if !agree(field, value, &item[field]) {
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
        let names = of.names().map(|list| geotrek_kinds(&archive.page(list, 1).unwrap().unwrap()).unwrap());
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
