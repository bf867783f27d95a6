//! Imports: the real samples, read in full; faulty items are refused by name.

use std::fs;
use std::path::PathBuf;

use feeds::MediaKind;
use feeds::incoming::{
    Dialect, Found, ImportedRoute, Line, Names, Package, Refused, WordList, geotrek_count, geotrek_ids, geotrek_names,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn sample(path: &str) -> Option<Vec<u8>> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/imports").join(path);
    fs::read(file).ok()
}

macro_rules! sample_or_skip {
    ($path:literal) => {
        match sample($path) {
            Some(bytes) => bytes,
            None => return,
        }
    };
}

fn routes(dialect: Dialect, bytes: Vec<u8>, names: &Names) -> Vec<Result<ImportedRoute, Refused>> {
    let package = Package::open(dialect, bytes, "fichier.gpx").unwrap();
    (0..package.len()).map(|index| package.read(index, names)).collect()
}

fn french(route: &ImportedRoute, field: &str) -> String {
    match route.fields.get(field) {
        Some(Found::Text(text)) => text.fr().to_owned(),
        Some(Found::Words(words)) => words.iter().map(|word| word.label.fr()).collect::<Vec<_>>().join("|"),
        Some(Found::Number(number)) => number.to_string(),
        None => String::new(),
    }
}

fn points(route: &ImportedRoute) -> usize {
    match &route.line {
        Line::Pieces(pieces) => pieces.iter().map(Vec::len).sum(),
        _ => 0,
    }
}

#[test]
fn a_geotrek_page_is_read_whole_with_the_names_of_its_lists() {
    let mut names = Names::new();
    for (list, file) in [
        (WordList::Practice, "trek_practice"),
        (WordList::Level, "trek_difficulty"),
        (WordList::Theme, "trek_theme"),
        (WordList::Label, "trek_label"),
        (WordList::Marking, "trek_network"),
        (WordList::Shape, "trek_route"),
    ] {
        let Some(bytes) = sample(&format!("geotrek-v2/{file}.json")) else { return };
        let next = geotrek_names(list, &bytes, &mut names);
        // The recorded list of themes is the first page of two.
        let is_first = file == "trek_theme";
        assert_eq!(next, Ok(is_first.then(|| "does-not-matter.local/api/v2/theme/?page=2".to_owned())), "{file}");
    }
    let found = routes(Dialect::Geotrek, sample_or_skip!("geotrek-v2/trek.json"), &names);
    let found: Vec<ImportedRoute> = found.into_iter().collect::<Result<_, _>>().unwrap();
    assert_eq!(found.len(), 5);
    let first = &found[0];
    assert_eq!(first.id, "9e70b294-1134-4c50-9c56-d722720cacf1");
    assert_eq!(french(first, "name"), "Boucle du Pic des Trois Seigneurs");
    assert_eq!((french(first, "practice").as_str(), french(first, "difficulty").as_str()), ("Cheval", "Très facile"));
    assert_eq!((french(first, "route").as_str(), french(first, "duration").as_str()), ("Boucle", "86400"));
    assert_eq!((points(first), first.places.len(), first.media.len()), (2, 6, 2), "a film elsewhere is a link");
    assert!(french(first, "links").contains("<h3>Liens utiles</h3>"));
    assert_eq!(first.media[1].kind, MediaKind::Audio, "a file is known by its ending");
    assert!(matches!(&first.fields["name"], Found::Text(text) if text.get("en") == Some("Loop of the pic of 3 lords")));

    let (ids, next) = geotrek_ids(&sample_or_skip!("geotrek-v2/trek_ids.json")).unwrap();
    assert_eq!((ids.len(), next), (5, None));
    assert!(found.iter().all(|route| ids.contains(&route.id)));
}

#[test]
fn the_national_schema_is_read_whole() {
    let found = routes(Dialect::Randonnee, sample_or_skip!("schema-randonnee/exemple-a.geojson"), &Names::new());
    let found: Vec<ImportedRoute> = found.into_iter().collect::<Result<_, _>>().unwrap();
    assert_eq!(found.iter().map(|route| route.id.as_str()).collect::<Vec<_>>(), ["37959", "39630", "39897", "73691"]);
    assert_eq!(french(&found[0], "themes"), "Architecture et village|Histoire et culture");
    assert_eq!(french(&found[0], "duree"), "5400");
    assert!(found.iter().all(|route| points(route) > 10 && !route.media.is_empty()));
}

#[test]
fn cirkwi_circuits_are_read_with_their_steps_and_where_their_line_is() {
    let found = routes(Dialect::Cirkwi, sample_or_skip!("cirkwi/circuits.xml"), &Names::new());
    let found: Vec<ImportedRoute> = found.into_iter().collect::<Result<_, _>>().unwrap();
    let [first, second] = found.as_slice() else { panic!("two circuits") };
    assert_eq!((first.id.as_str(), french(first, "titre").as_str()), ("10925", "Le patrimoine de Plancoët"));
    assert!(matches!(&first.line, Line::At(url) if url.ends_with("boucle-du-pic-des-trois-seigneurs.gpx")));
    assert_eq!((first.places.len(), french(first, "duree").as_str()), (3, "7200"));
    assert_eq!(first.places[0].title.fr(), "Étape 1");
    assert_eq!(french(first, "tags_publics"), "style randonnee|public famille");
    // One picture in three places, and one sound.
    assert_eq!(first.media.len(), 2);
    assert_eq!(french(second, "duree"), "", "no time is no time");
}

#[test]
fn a_circuit_is_read_however_its_source_writes_it() {
    let circuit = |id: &str, language: &str| {
        format!(
            r#"<circuit id_circuit="{id}"><informations><information langue="{language}"><titre>For&ecirc;t <b>noire</b> &inconnu;</titre>
            <description>a <i>b</i><br/>c</description></information><information langue="fr-BE"><titre>Autre</titre></information></informations>
            <locomotions><locomotion type="Caf&eacute;" duree="7200,5"/></locomotions><sens_circuit><distance>1 200,5</distance></sens_circuit></circuit>"#
        )
    };
    let bytes = format!(
        r#"<circuits version="2"><listing_ids nb_objects="20"/>{}{}</circuits>"#,
        circuit(" 4 ", "fr_FR"),
        circuit("5", "Français")
    );
    for dialect in [Dialect::Cirkwi, Dialect::Files] {
        let package = Package::open(dialect, bytes.clone().into_bytes(), "circuits.xml").unwrap();
        assert_eq!((package.len(), package.total()), (2, Some(20)), "{dialect:?}");
        for (index, id) in ["4", "5"].into_iter().enumerate() {
            let route = package.read(index, &Names::new()).unwrap();
            assert_eq!((package.id(index), route.id.as_str()), (id, id));
            assert_eq!(french(&route, "titre"), "Forêt noire &inconnu;");
            assert_eq!(french(&route, "description"), "a <i>b</i><br>c");
            assert_eq!((french(&route, "duree").as_str(), french(&route, "distance").as_str()), ("7200.5", "1200.5"));
            assert_eq!(french(&route, "locomotion"), "Café");
        }
    }
    let none = Package::open(Dialect::Cirkwi, b"<circuits><circuit id_circuit=' '></circuit></circuits>".to_vec(), "f");
    assert_eq!(none.unwrap().read(0, &Names::new()).unwrap_err().code, "import/no-id");
}

#[test]
fn files_of_recordings_come_alone_or_in_a_zip() {
    for (path, pieces) in [
        ("gpx/apidae_test_trek.gpx", 1),
        ("gpx/trace_with_multiple_continuous_features.gpx", 1),
        ("kml/trace.kml", 1),
        ("kml/trace.kmz", 1),
    ] {
        let Some(bytes) = sample(path) else { return };
        let found = routes(Dialect::Files, bytes, &Names::new()).pop().unwrap().unwrap();
        assert!(matches!(&found.line, Line::Pieces(found) if found.len() == pieces), "{path}");
    }
    for path in ["gpx/trace_with_no_feature.gpx", "kml/trace_with_no_line.kml"] {
        let Some(bytes) = sample(path) else { return };
        let refused = routes(Dialect::Files, bytes, &Names::new()).pop().unwrap().unwrap_err();
        assert!(["trace/no-line", "trace/no-valid-point"].contains(&refused.code), "{path}: {refused:?}");
    }
    let gpx = String::from_utf8(sample_or_skip!("gpx/apidae_test_trek.gpx")).unwrap();
    let zip = zipped(&[
        ("a/boucle.gpx", gpx.as_bytes()),
        ("b.gpx", gpx.as_bytes()),
        ("../hors.gpx", gpx.as_bytes()),
        ("lisez.txt", b"rien"),
        ("__MACOSX/a/._boucle.gpx", b"x"),
    ]);
    let package = Package::open(Dialect::Files, zip, "lot.zip").unwrap();
    let read = (0..package.len())
        .map(|at| (package.id(at).to_owned(), package.read(at, &Names::new()).err().map(|refused| refused.code)));
    let read: Vec<_> = read.collect();
    assert_eq!(
        read,
        [
            ("a/boucle.gpx".to_owned(), None),
            ("b.gpx".to_owned(), None),
            ("../hors.gpx".to_owned(), Some("import/bad-path"))
        ]
    );
    let bomb = zipped(&[("a.gpx", &vec![b' '; 30 * 1024 * 1024]), ("b.gpx", b"<gpx/>")]);
    let package = Package::open(Dialect::Files, bomb, "lot.zip").unwrap();
    assert_eq!(package.read(0, &Names::new()).unwrap_err().code, "trace/zip-bomb");
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn what_is_no_feed_is_refused_by_name() {
    let code = |dialect, bytes: &[u8]| Package::open(dialect, bytes.to_vec(), "f").err().map(|refused| refused.code);
    assert_eq!(code(Dialect::Geotrek, b"<!DOCTYPE html><html><body>Connexion</body></html>"), Some("import/web-page"));
    assert_eq!(code(Dialect::Geotrek, b"  "), Some("trace/empty"));
    assert_eq!(code(Dialect::Geotrek, b"{\"results\": 3}"), Some("import/damaged"));
    assert_eq!(code(Dialect::Features, b"<wfs:FeatureCollection/>"), Some("import/not-json"));
    for dialect in [Dialect::Features, Dialect::Geotrek, Dialect::Jalon, Dialect::Directus] {
        assert_eq!(code(dialect, b"{\"error\":\"Service down\"}"), Some("import/no-list"), "{dialect:?}");
        assert_eq!(code(dialect, b"{\"error\":\"Service"), Some("import/damaged"), "{dialect:?}");
    }
    assert_eq!(code(Dialect::Cirkwi, b"<pois></pois>"), Some("import/not-cirkwi"));
    assert_eq!(code(Dialect::Cirkwi, b"<circuits><circuit"), Some("trace/malformed"));
    let deep = format!("{{\"results\":[{{\"uuid\":\"a\",\"name\":{}1{}}}]}}", "[".repeat(10_000), "]".repeat(10_000));
    let package = Package::open(Dialect::Geotrek, deep.into_bytes(), "f").unwrap();
    assert_eq!(package.read(0, &Names::new()).unwrap_err().code, "import/damaged");
    assert_eq!(code(Dialect::Cirkwi, "<circuits>".repeat(10_000).as_bytes()), Some("import/too-deep"));
}

/// One item more than an answer may have.
const TOO_MANY: usize = 200_001;

#[test]
fn an_answer_of_too_many_empty_items_is_refused() {
    let list = |head: &str, item: &str, tail: &str| {
        let items = vec![item; TOO_MANY].join(if head.starts_with('<') { "" } else { "," });
        format!("{head}{items}{tail}").into_bytes()
    };
    let features = list(r#"{"type":"FeatureCollection","features":["#, "{}", "]}");
    for (dialect, bytes) in [
        (Dialect::Geotrek, list(r#"{"results":["#, "{}", "]}")),
        (Dialect::Files, features.clone()),
        (Dialect::Features, features.clone()),
        (Dialect::Randonnee, features),
        (Dialect::Features, list(r#"{"features":[],"links":["#, "{}", "]}")),
        (Dialect::Jalon, list(r#"{"items":["#, "{}", "]}")),
        (Dialect::Directus, list(r#"{"data":["#, "{}", "]}")),
        (Dialect::Apidae, list(r#"{"objetsTouristiques":["#, "{}", "]}")),
        (Dialect::Datatourisme, list(r#"{"@graph":["#, "{}", "]}")),
        (Dialect::Datatourisme, list("[", "{}", "]")),
        (Dialect::Cirkwi, list("<circuits>", "<circuit></circuit>", "</circuits>")),
    ] {
        let refused = Package::open(dialect, bytes, "").err();
        let expected = Refused { code: "import/too-many-features", params: vec![("max", "200000".to_owned())] };
        assert_eq!(refused, Some(expected), "{dialect:?}");
    }
    let bytes = list(r#"{"results":["#, "{}", "]}");
    let refused = [
        geotrek_ids(&bytes).err(),
        geotrek_names(WordList::Practice, &bytes, &mut Names::new()).err(),
        geotrek_count(&list("[", "{}", "]")).err(),
    ];
    assert_eq!(refused.map(|refused| refused.map(|refused| refused.code)), [Some("import/too-many-features"); 3]);
}

#[test]
fn an_item_of_too_many_values_is_refused_alone() {
    let heavy = format!(r#"{{"id": 1, "properties": {{"nom": "Lac", "x": [{}0]}}}}"#, "0,".repeat(1_000_000));
    let text = format!(r#"{{"type": "FeatureCollection", "features": [{heavy}, {{"id": 2, "properties": {{}}}}]}}"#);
    let read = routes(Dialect::Features, text.into_bytes(), &Names::new());
    assert_eq!(read[0].as_ref().err().map(|refused| refused.code), Some("import/item-too-large"));
    assert_eq!(read[1].as_ref().ok().map(|route| route.id.as_str()), Some("2"));
}

#[test]
fn a_mark_and_an_older_encoding_are_understood() {
    let page = "{\"count\":1,\"next\":null,\"results\":[{\"uuid\":\"a\",\"name\":{\"fr\":\"Forêt\"}}]}";
    let marked = [b"\xef\xbb\xbf".as_slice(), page.as_bytes()].concat();
    let latin: Vec<u8> = page.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    for bytes in [marked, latin] {
        let found = routes(Dialect::Geotrek, bytes, &Names::new()).pop().unwrap().unwrap();
        assert_eq!(french(&found, "name"), "Forêt");
        assert_eq!(found.line, Line::Missing);
    }
}

#[test]
fn features_of_any_table_keep_their_own_names() {
    let page = r#"{"type":"FeatureCollection","numberMatched":12,"links":[{"rel":"next","href":"https://sig.example/items?offset=10"}],
        "features":[{"type":"Feature","id":7,"properties":{"NOM":"Voie verte","longueur":"12,5","usages":["vélo","marche"]},
        "geometry":{"type":"MultiLineString","coordinates":[[[4,47],[4.1,47]],[[4.1,47],["4.2",47.1]]]}},
        {"type":"Feature","properties":{"gid":3},"geometry":null}]}"#;
    let package = Package::open(Dialect::Features, page.as_bytes().to_vec(), "f").unwrap();
    assert_eq!((package.next(), package.total()), (Some("https://sig.example/items?offset=10"), Some(12)));
    let route = package.read(0, &Names::new()).unwrap();
    assert_eq!(
        (route.id.as_str(), french(&route, "NOM").as_str(), french(&route, "usages").as_str()),
        ("7", "Voie verte", "vélo|marche")
    );
    assert_eq!(points(&route), 3, "where its pieces meet is one point");
    assert_eq!(package.id(1), "3");
}

#[test]
fn the_number_of_a_row_names_a_feature_that_has_no_other_identifier() {
    let named = |rows: &[Value]| {
        let features: Vec<Value> = rows.iter().map(|row| feature(row.clone(), Value::Null)).collect();
        let package = Package::open(Dialect::Features, collection(&features), "f").unwrap();
        let name = |index: usize| (package.id(index).to_owned(), package.former_id(index).map(str::to_owned));
        (0..package.len()).map(name).collect::<Vec<_>>()
    };
    let plain = |id: &str| (id.to_owned(), None);
    let renamed = |id: &str, former: &str| (id.to_owned(), Some(former.to_owned()));
    assert_eq!(named(&[json!({"fid": 1}), json!({"OBJECTID": 2})]), [plain("1"), plain("2")]);
    assert_eq!(
        named(&[json!({"fid": 1, "code": "PR-1"}), json!({"FID": 2, "Code": "PR-2"}), json!({"fid": 3, "code": null})]),
        [renamed("PR-1", "1"), renamed("PR-2", "2"), plain("3")]
    );
    assert_eq!(named(&[json!({"fid": 1, "id": "a", "code": "PR-1"})]), [plain("a")]);
    // The code of a commune is not that of a path.
    let coded = |fid: u32, code: &str| json!({"fid": fid, "code": code});
    assert_eq!(named(&[coded(1, "58145"), coded(2, "58145")]), [renamed("1", "58145"), renamed("2", "58145")]);
    // Two sections of one path keep their rows.
    assert_eq!(
        named(&[coded(1, "GR5"), coded(2, "GR5"), coded(3, "PR1"), coded(4, "PR2")]),
        [renamed("1", "GR5"), renamed("2", "GR5"), renamed("PR1", "3"), renamed("PR2", "4")]
    );
    // A number that is the row of another feature names none.
    assert_eq!(
        named(&[json!({"fid": 3}), coded(8, "3"), coded(9, "PR2")]),
        [plain("3"), renamed("8", "3"), renamed("PR2", "9")]
    );
    assert_eq!(named(&[coded(1, "2"), coded(2, "1")]), [renamed("2", "1"), renamed("1", "2")]);
    assert_eq!(named(&[json!({"ref": "GR5"}), json!({"ref": "GR5"})]), [plain("GR5"), plain("GR5")]);
}

fn feature(properties: Value, geometry: Value) -> Value {
    json!({"type": "Feature", "properties": properties, "geometry": geometry})
}

fn line_string(points: &[Value]) -> Value {
    json!({"type": "LineString", "coordinates": points})
}

fn collection(features: &[Value]) -> Vec<u8> {
    json!({"type": "FeatureCollection", "features": features}).to_string().into_bytes()
}

/// The names of the features of a collection, which are those of its routes too.
fn names(features: &[Value]) -> Vec<String> {
    let package = Package::open(Dialect::Features, collection(features), "f").unwrap();
    let named = |index: usize| {
        assert_eq!(package.read(index, &Names::new()).unwrap().id, package.id(index));
        package.id(index).to_owned()
    };
    (0..package.len()).map(named).collect()
}

#[test]
fn a_feature_without_an_identifier_keeps_its_name_wherever_it_stands() {
    let way = |name: &str, north: f64| {
        feature(json!({"NOM_CIRC": name, "km": 4}), line_string(&[json!([4.0, north, 500]), json!([4.1, north, 510])]))
    };
    let [lake, wood, field] = [way("Lac", 47.0), way("Bois", 47.1), way("Pré", 47.2)];
    let all = names(&[lake.clone(), wood.clone(), field.clone()]);
    assert!(all[0].starts_with("Lac #") && all[2].starts_with("Pré #"), "{all:?}");
    assert_eq!(names(&[field, wood]), [all[2].clone(), all[1].clone()]);
    // Another field or the last digits change nothing; another line or title is another feature.
    let (mut longer, mut moved) = (lake.clone(), lake.clone());
    longer["properties"]["km"] = json!(5);
    longer["geometry"]["coordinates"][0][0] = json!(4.000_000_04);
    moved["geometry"]["coordinates"][0][1] = json!(47.01);
    let changed = names(&[longer, moved, way("Étang", 47.0)]);
    assert_eq!(changed[0], all[0]);
    assert!(!all.contains(&changed[1]) && !all.contains(&changed[2]), "{changed:?}");
    let twice = Package::open(Dialect::Features, collection(&[lake.clone(), lake]), "f").unwrap();
    assert!(!twice.is_repeated(0) && twice.is_repeated(1), "two that are equal are one");
    // Without a title and without a line its fields are all there is.
    let bare = names(&[feature(json!({"km": 4}), Value::Null), feature(json!({"km": 5}), Value::Null)]);
    assert!(bare[0].starts_with('#') && bare[0] != bare[1], "{bare:?}");
}

#[test]
fn a_route_of_the_national_schema_without_an_identifier_has_its_own_name_too() {
    let way = |name: &str, north: f64| {
        feature(json!({"nom_itineraire": name}), line_string(&[json!([4.0, north]), json!([4.1, north])]))
    };
    let all = names(&[way("Sentier du lac", 47.0), way("Sentier du bois", 47.1)]);
    assert!(all[0].starts_with("Sentier du lac #"), "{all:?}");
    assert_eq!(names(&[way("Sentier du bois", 47.1)]), [all[1].clone()]);
}

#[test]
fn identifiers_that_differ_only_at_their_end_stay_apart() {
    let way = |id: String| feature(json!({"id": id}), line_string(&[json!([4.0, 47.0]), json!([4.1, 47.0])]));
    let long = "x".repeat(240);
    let found = names(&[way(format!("{long}a")), way(format!("{long}b")), way("y".repeat(200))]);
    assert_ne!(found[0], found[1]);
    assert!(found[0].starts_with(&long[..150]) && found[0].len() < 200, "{found:?}");
    assert_eq!(found[2], "y".repeat(200));
}

#[test]
fn a_lone_file_that_is_no_recording_is_refused_as_a_whole() {
    let code = |bytes: &[u8]| {
        let opened = Package::open(Dialect::Files, bytes.to_vec(), "parcours.gpx");
        opened.err().map(|refused| refused.code)
    };
    assert_eq!(code(b"<!DOCTYPE html><html><body>Maintenance</body></html>"), Some("import/web-page"));
    assert_eq!(code(br#"{"error":"quota"}"#), Some("trace/not-a-trace"));
    assert_eq!(code(b"Service unavailable"), Some("trace/not-a-trace"));
    assert_eq!(code(b"<gpx>\n<trk></gpx>"), None, "a damaged recording is an item, refused by its name");
}

#[test]
fn a_collection_in_utf_16_is_a_collection() {
    let way = |id: u32| feature(json!({"id": id}), line_string(&[json!([4.0, 47.0]), json!([4.1, 47.0])]));
    let text = String::from_utf8(collection(&[way(1), way(2)])).unwrap();
    let encoded: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [b"\xff\xfe".as_slice(), &encoded].concat();
    for bytes in [marked, encoded] {
        for dialect in [Dialect::Files, Dialect::Features] {
            let package = Package::open(dialect, bytes.clone(), "f.geojson").unwrap();
            assert_eq!((package.len(), package.id(1)), (2, "2"), "{dialect:?}");
        }
    }
}

/// The route of one feature with this line.
fn of_line(points: &[Value]) -> ImportedRoute {
    let bytes = collection(&[feature(json!({"id": 1}), line_string(points))]);
    routes(Dialect::Features, bytes, &Names::new()).pop().unwrap().unwrap()
}

/// Thirty points going east, 76 m apart.
fn walk(height: f64) -> Vec<Value> {
    (0..30).map(|at| json!([4.0 + f64::from(at) * 1e-3, 47.0, height])).collect()
}

#[test]
fn a_line_of_features_is_repaired_as_a_recording_is() {
    let kinds = |route: &ImportedRoute| route.repairs.iter().map(|repair| repair.kind.as_str()).collect::<Vec<_>>();
    for (height, kind) in [(0.0, "zero_elevations"), (-9_999.0, "missing_elevations")] {
        let route = of_line(&walk(height));
        assert_eq!(kinds(&route), [kind]);
        let Line::Pieces(pieces) = &route.line else { panic!("{:?}", route.line) };
        assert!(pieces[0].iter().all(|position| position.ele.is_none()), "{pieces:?}");
    }
    let mut faulty = walk(500.0);
    faulty[3] = json!([0, 0, 500]);
    faulty[5] = faulty[4].clone();
    faulty[9] = json!([5.5, 47.0, 500]);
    faulty[12] = json!([999, 47.0, 500]);
    let route = of_line(&faulty);
    assert_eq!(kinds(&route), ["doubled_points", "spikes", "invalid_points"]);
    assert_eq!(points(&route), 26);
}

#[test]
fn a_line_of_features_that_no_repair_helps_is_refused_with_its_reason() {
    let mut half = walk(500.0);
    for point in half.iter_mut().step_by(2) {
        *point = json!([999, 47.0, 500]);
    }
    let many: Vec<Value> = (0..=200_000).map(|at| json!([4.0 + f64::from(at) * 1e-6, 47.0])).collect();
    for (line, code) in [(half, "trace/out-of-world"), (many, "trace/too-many-points")] {
        let found = of_line(&line).line;
        assert!(matches!(&found, Line::Unfit(refused) if refused.code == code), "{code}");
    }
}

#[test]
fn a_point_without_a_position_is_refused_with_its_reason() {
    for coordinates in [json!([]), json!([0, 0]), json!([4.0, 999]), json!([null, 47.0])] {
        let point = json!({"type": "Point", "coordinates": coordinates});
        let package = Package::open(Dialect::Features, collection(&[feature(json!({"id": 1}), point)]), "f").unwrap();
        assert_eq!(package.position(0), None, "{coordinates}");
        let found = package.read(0, &Names::new()).unwrap().line;
        assert!(
            matches!(&found, Line::Unfit(refused) if refused.code == "import/no-position"),
            "{coordinates}: {found:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_bytes_make_a_reader_panic(head in prop::sample::select(vec![
        "{\"results\":[{\"uuid\":", "{\"features\":[{\"id\":1,\"geometry\":{\"type\":\"LineString\",\"coordinates\":[",
        "<circuits><circuit id_circuit='1'><informations>", "PK\u{3}\u{4}", "",
    ]), tail in "[\\[\\]{}\",:a-z0-9<>/&;' .\n-]{0,200}") {
        feeds::incoming::exercise(format!("{head}{tail}").as_bytes());
    }

    #[test]
    fn no_damage_to_a_sample_makes_a_reader_panic(which in 0..3_usize, damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let path = ["geotrek-v2/trek.json", "cirkwi/circuits.xml", "kml/trace.kmz"][which];
        if let Some(mut bytes) = sample(path) {
            for (at, byte) in damage {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            feeds::incoming::exercise(&bytes);
        }
    }
}

fn sit(path: &str) -> Option<Vec<u8>> {
    sample(&format!("../sit/{path}"))
}

#[test]
fn an_itinerary_of_apidae_is_read_with_its_plan_its_words_and_what_may_stay() {
    let bytes = sample_or_skip!("apidae/itineraire.json");
    let found = routes(Dialect::Apidae, bytes, &Names::new());
    let route = found[0].as_ref().unwrap();
    assert_eq!((found.len(), route.id.as_str()), (1, "123123"));
    assert_eq!(route.line, Line::At("https://example.net/apidae_test_trek.gpx".to_owned()));
    assert_eq!(french(route, "nom"), "Une belle randonnée de test");
    assert!(french(route, "etapes").contains("2/ Au carrefour tourner à droite"), "{}", french(route, "etapes"));
    assert_eq!(french(route, "activites"), "Itinéraire de randonnée pédestre");
    assert_eq!(french(route, "typesClientele"), "Niveau rouge - Difficile");
    assert_eq!((french(route, "itineraireType").as_str(), french(route, "dureeSeance").as_str()), ("BOUCLE", "9000"));
    assert_eq!(french(route, "typologies"), "Géologie|Historique|Déconseillé par mauvais temps");
    let Some(Found::Text(name)) = route.fields.get("nom") else { panic!("it has a name") };
    assert_eq!(name.get("en"), Some("A great hike to test"));
    let pictures: Vec<&str> = route.media.iter().map(|media| media.url.as_str()).collect();
    assert_eq!(
        pictures,
        ["https://example.net/a_picture.jpg"],
        "what may be shown until a day is not fetched for good"
    );
    let plan = routes(Dialect::Apidae, sample_or_skip!("apidae/itineraire-kml.json"), &Names::new());
    assert_eq!(plan[0].as_ref().unwrap().line, Line::At("https://example.net/trace.kml".to_owned()));
}

#[test]
fn of_a_flux_only_the_tours_come_in_with_where_they_begin() {
    let Some(bytes) = sit("datatourisme/flux-2020-a.zip") else { return };
    let package = Package::open(Dialect::Datatourisme, bytes, "").unwrap();
    assert_eq!((package.len(), package.records().0, package.is_whole()), (1, 10, true), "one tour among ten objects");
    let route = package.read(0, &Names::new()).unwrap();
    assert_eq!(route.id, "49/6bd922a5-b69f-327d-9d56-fc092eed8ae7");
    assert_eq!(french(&route, "nom"), "BOUCLE N°4 : LA VALLEE DE LA DEME");
    assert_eq!((french(&route, "type").as_str(), french(&route, "hasTourType").as_str()), ("CyclingTour", "En boucle"));
    assert_eq!((french(&route, "tourDistance").as_str(), french(&route, "hasTheme").as_str()), ("18500", "Vélo"));
    assert_eq!((&route.line, route.places.len()), (&Line::Missing, 1));
    assert_eq!(route.places[0].title.fr(), "La Chartre-sur-le-Loir");
}

#[test]
fn an_object_that_apidae_shows_as_deleted_is_no_item_and_is_named() {
    let page = br#"{"objetsTouristiques":[
        {"id":1,"state":"PUBLISHED","nom":{"libelleFr":"DELETED"},"informationsEquipement":{"itineraire":{}}},
        {"id":2,"state":"DELETED","nom":{"libelleFr":"B"},"informationsEquipement":{"itineraire":{}}},
        {"id":3,"state":"DELETED"},
        {"id":1,"state":"DELETED"},
        {"id":4,"state":"HIDDEN","nom":{"libelleFr":"D"},"informationsEquipement":{"itineraire":{}}}]}"#;
    let package = Package::open(Dialect::Apidae, page.to_vec(), "").unwrap();
    let ids: Vec<&str> = (0..package.len()).map(|index| package.id(index)).collect();
    assert_eq!(ids, ["1", "4"]);
    assert_eq!(package.deleted(), ["2", "3"]);
    assert_eq!(package.records().0, 5, "a page goes on where these end");
    assert_eq!(
        package.read(1, &Names::new()).unwrap_err().code,
        "sit/not-published",
        "one that is hidden may come back"
    );
}

#[test]
fn what_is_no_route_is_left_out_and_an_export_of_changes_says_nothing_of_the_rest() {
    for path in ["apidae/hotellerie-fr-en.json", "apidae/recherche-commerce-et-service.json"] {
        let Some(bytes) = sit(path) else { return };
        let package = Package::open(Dialect::Apidae, bytes, "").unwrap();
        let read = (0..package.len()).filter(|index| package.read(*index, &Names::new()).is_ok()).count();
        assert_eq!((read, package.records().0 > 0), (0, true), "{path}");
    }
    let Some(bytes) = sit("apidae/export-projet.zip") else { return };
    let export = Package::open(Dialect::Apidae, bytes, "").unwrap();
    assert_eq!((export.is_whole(), export.deleted()), (false, ["123".to_owned()].as_slice()));
    let hotel = br#"{"objetsTouristiques":[{"id":7,"nom":{"libelleFr":"Gite"},"multimedias":[{"type":"PLAN","traductionFichiers":[{"url":"https://x.fr/acces.pdf"}]}]}]}"#;
    let refused = routes(Dialect::Apidae, hotel.to_vec(), &Names::new());
    assert_eq!(refused[0].as_ref().unwrap_err().code, "import/not-a-route");
}

/// Two layers that `ogr2ogr` wrote from the same two features: one in Lambert-93 with heights and UTF-8, one in CC45 with the encoding of Windows, which
/// no file of it names.
#[test]
fn a_shapefile_is_read_like_the_features_it_was_made_from() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shapefiles");
    for (file, height) in [("lambert-93-utf8.zip", Some(950.0)), ("cc45-windows-1252.zip", None)] {
        let bytes = std::fs::read(format!("{folder}/{file}")).unwrap();
        for dialect in [Dialect::Files, Dialect::Features] {
            let package = Package::open(dialect, bytes.clone(), file).unwrap();
            let ids: Vec<&str> = (0..package.len()).map(|index| package.id(index)).collect();
            assert_eq!(ids, ["12", "13"], "{file}");
            let route = package.read(0, &Names::default()).unwrap();
            let said = |field: &str| match &route.fields[field] {
                Found::Text(text) => text.best("fr").to_owned(),
                Found::Number(number) => number.to_string(),
                Found::Words(words) => format!("{words:?}"),
            };
            assert_eq!(
                (said("NOM"), said("KM"), said("OUVERT")),
                ("Sentier des crêtes".to_owned(), "4.5".to_owned(), "2024-05-01".to_owned())
            );
            let Line::Pieces(pieces) = &route.line else { panic!("{file}: {:?}", route.line) };
            let middle = pieces[0][1];
            assert!((middle.lon - 3.01).abs() < 1e-6 && (middle.lat - 45.005).abs() < 1e-6, "{file}: {middle:?}");
            assert_eq!(middle.ele, height, "{file}");
            let Line::Pieces(pieces) = package.read(1, &Names::default()).unwrap().line else { panic!("{file}") };
            assert_eq!(pieces.len(), 2);
        }
    }
}

/// The archive of a layer, its files changed.
fn layer(change: impl Fn(&str, &mut Vec<u8>)) -> Vec<u8> {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shapefiles/lambert-93-utf8.zip")).unwrap();
    let mut from = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut to = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for at in 0..from.len() {
        let mut file = from.by_index(at).unwrap();
        let name = file.name().unwrap().into_owned();
        let mut content = Vec::new();
        std::io::Read::read_to_end(&mut file, &mut content).unwrap();
        change(&name, &mut content);
        to.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut to, &content).unwrap();
    }
    to.finish().unwrap().into_inner()
}

#[test]
fn a_shapefile_whose_system_is_unknown_or_whose_lines_are_damaged_is_refused_in_words() {
    let opened = |bytes: Vec<u8>| Package::open(Dialect::Files, bytes, "a.zip").map(|package| package.len());
    let set = |ending: &'static str, content: &'static [u8]| {
        layer(move |name, file| {
            if name.ends_with(ending) {
                *file = content.to_vec();
            }
        })
    };
    let why = opened(set(".prj", b"PROJCS[\"NTF_Lambert_II_etendu\",GEOGCS[\"GCS_NTF\"]]")).unwrap_err();
    assert_eq!((why.code, why.params[0].1.as_str()), ("import/unknown-projection", "NTF_Lambert_II_etendu"));
    assert_eq!(opened(set(".shp", b"ESRI")).unwrap_err().code, "import/damaged-file");
    assert_eq!(opened(set(".dbf", b"x")).unwrap_err().code, "import/damaged-file");
    // Each table is inside its own bound, the three together are not.
    let many = std::cell::RefCell::new(zip::ZipWriter::new(std::io::Cursor::new(Vec::new())));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    layer(|name, file| {
        let ending = name.rsplit('.').next().unwrap();
        for at in 0..3 {
            let mut content = file.clone();
            content.resize(content.len() + if ending == "dbf" { 15_000_000 } else { 0 }, b' ');
            let mut many = many.borrow_mut();
            many.start_file(format!("{at}.{ending}"), stored).unwrap();
            std::io::Write::write_all(&mut *many, &content).unwrap();
        }
    });
    let many = many.into_inner().finish().unwrap().into_inner();
    assert_eq!(opened(many).unwrap_err().code, "trace/zip-bomb");
    // A row that was deleted goes with its line.
    let deleted = layer(|name, file| {
        if name.ends_with(".dbf") {
            let rows = usize::from(u16::from_le_bytes([file[8], file[9]]));
            file[rows] = b'*';
        }
    });
    let package = Package::open(Dialect::Files, deleted, "a.zip").unwrap();
    assert_eq!((package.len(), package.id(0)), (1, "13"));
}

#[test]
fn a_record_whose_shape_cannot_be_used_is_an_item_and_an_area_is_none() {
    // In the first record: the kind of its shape, and the number of its points.
    let (kind, points) = (108, 148);
    let with = |at: usize, byte: u8| {
        let bytes = layer(|name, file| {
            if name.ends_with(".shp") {
                file[at] = byte;
            }
        });
        Package::open(Dialect::Files, bytes, "a.zip").unwrap()
    };
    let package = with(points, 1);
    assert_eq!((package.len(), package.id(0)), (2, "12"), "a line of one point");
    assert_eq!(package.read(0, &Names::new()).unwrap().line, Line::Missing);
    let package = with(kind, 15);
    assert_eq!((package.len(), package.id(0)), (1, "13"), "an area");
}

proptest! {
    #[test]
    fn a_shapefile_with_other_bytes_never_panics(at in 0_usize..700, byte in 0_u8.., which in 0_usize..3) {
        let ending = [".shp", ".dbf", ".shx"][which];
        let bytes = layer(|name, file| {
            if name.ends_with(ending) {
                let at = at % file.len();
                file[at] = byte;
            }
        });
        let _ = Package::open(Dialect::Files, bytes, "a.zip").map(|package| {
            (0..package.len()).map(|index| package.read(index, &Names::default()).is_ok()).collect::<Vec<_>>()
        });
    }
}
