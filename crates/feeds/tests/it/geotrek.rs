//! Keys and types of each endpoint are those of Geotrek's own answers.

use feeds::geotrek::{self, Named};
use feeds::{Chosen, Parcours};
use serde_json::Value;

use crate::samples::{bare, feed, full, in_english, poi, term};

fn shapes() -> Value {
    serde_json::from_str(include_str!("../shapes/geotrek.json")).unwrap()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

/// The misfits, by path. Where a value may be missing in our feed, null takes its place: `lenient`.
fn misfits(ours: &Value, shape: &Value, at: &str, lenient: bool, found: &mut Vec<String>) {
    match (ours, shape) {
        (Value::Null, shape) if lenient || shape.get("<maybe>").is_some() => {}
        (ours, Value::Object(keys)) if keys.contains_key("<maybe>") => {
            misfits(ours, &keys["<maybe>"], at, lenient, found);
        }
        (Value::Object(ours), Value::Object(keys)) => {
            if let Some(each) = keys.get("<language>").or_else(|| keys.get("<id>")) {
                for (key, value) in ours {
                    misfits(value, each, &format!("{at}/{key}"), lenient, found);
                }
                return;
            }
            let (mut have, mut want): (Vec<_>, Vec<_>) = (ours.keys().collect(), keys.keys().collect());
            have.sort();
            want.sort();
            if have != want {
                found.push(format!("{at}: keys {have:?} instead of {want:?}"));
            }
            for (key, value) in ours {
                if let Some(shape) = keys.get(key) {
                    misfits(value, shape, &format!("{at}/{key}"), lenient, found);
                }
            }
        }
        (Value::Array(ours), Value::Array(each)) => {
            for (number, value) in ours.iter().enumerate() {
                if let Some(shape) = each.first() {
                    misfits(value, shape, &format!("{at}/{number}"), lenient, found);
                }
            }
        }
        (_, Value::Null) => {}
        (ours, Value::String(types)) if types.split('|').any(|one| one == kind(ours)) => {}
        (ours, shape) => found.push(format!("{at}: {} instead of {shape}", kind(ours))),
    }
}

fn check(name: &str, ours: &str, lenient: bool) {
    let ours: Value = serde_json::from_str(ours).unwrap();
    let mut found = Vec::new();
    misfits(&ours, &shapes()[name], name, lenient, &mut found);
    assert!(found.is_empty(), "{name}:\n{}\n{ours:#}", found.join("\n"));
}

#[test]
fn a_full_parcours_has_the_keys_and_the_types_of_a_trek() {
    check("trek", &geotrek::trek(&feed(), &full(), &Chosen::default()), false);
}

#[test]
fn a_bare_one_has_the_same_keys() {
    check("trek", &geotrek::trek(&feed(), &bare(), &Chosen::default()), true);
}

#[test]
fn the_walker_sees_what_does_not_fit() {
    let shapes = shapes();
    let read = |change: fn(&mut Value)| {
        let mut trek = serde_json::from_str(&geotrek::trek(&feed(), &full(), &Chosen::default())).unwrap();
        change(&mut trek);
        let mut found = Vec::new();
        misfits(&trek, &shapes["trek"], "trek", false, &mut found);
        found.len()
    };
    assert_eq!(read(|_| {}), 0);
    assert_eq!(read(|trek| trek["ascent"] = "40".into()), 1);
    assert_eq!(read(|trek| trek["mine"] = 1.into()), 1);
    assert_eq!(read(|trek| trek["geometry"]["coordinates"][0][0] = "4.0".into()), 1);
    assert_eq!(read(|trek| trek["name"]["fr"] = Value::Null), 1);
    assert_eq!(
        read(|trek| {
            trek.as_object_mut().unwrap().remove("pdf");
        }),
        1
    );
}

#[test]
fn a_tour_holds_its_steps() {
    let (parent, child) = (full(), bare());
    let tour = geotrek::tour(&feed(), &parent, &[&child], &Chosen::of(Some("uuid,count_children,steps"), None));
    let mut ours: Value = serde_json::from_str(&tour).unwrap();
    // A step is a whole trek; readers look at no more than these two.
    let step = ours["steps"][0].as_object_mut().unwrap();
    check("trek", &Value::from(step.clone()).to_string(), true);
    step.retain(|key, _| ["id", "published"].contains(&key.as_str()));
    check("tour", &ours.to_string(), false);
}

#[test]
fn a_poi_and_each_list_have_theirs() {
    let (feed, all) = (feed(), Chosen::default());
    let term = term(5, "Randonnée", serde_json::json!({"cirkwi": 2}));
    check("poi", &geotrek::poi(&feed, &poi(), &all), false);
    check("poi_type", &geotrek::poi_type(&feed, &term, &all), false);
    check("theme", &geotrek::theme(&feed, &term, &all), false);
    check("label", &geotrek::label(&feed, &term, &all), false);
    check("trek_difficulty", &geotrek::difficulty(&feed, &term, &all), false);
    check("trek_practice", &geotrek::practice(&feed, &term, &all), false);
    check("trek_network", &geotrek::network(&feed, &term, &all), false);
    check("structure", &geotrek::structure(Named { id: 1, name: "OT" }, &all), false);
    check("source", &geotrek::source(&feed.reader, Some("https://jalon.example/media/4/w320-webp?v=1"), &all), false);
    let routes = geotrek::routes(&feed, &all);
    assert_eq!(routes.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [1, 2, 3]);
    for (_, route) in &routes {
        check("trek_route", route, false);
    }
}

#[test]
fn a_rating_without_a_description_has_an_empty_one_as_in_geotrek() {
    let term = feeds::Term { description: domain::Text::default(), ..(*term(5, "Effort 1", Value::Null)).clone() };
    let all = Chosen::default();
    let of =
        |feed| serde_json::from_str::<Value>(&geotrek::rating(&feed, &term, 5, &all)).unwrap()["description"].clone();
    assert_eq!(of(feed()), serde_json::json!({"fr": "", "en": ""}));
    assert_eq!(of(in_english()), "");
}

/// Names and types as the serializers of Geotrek write them: there is no sample of these two.
#[test]
fn good_addresses_and_desks_have_the_fields_of_geotrek() {
    let (feed, all) = (feed(), Chosen::default());
    let keys = |written: &str| -> Vec<String> {
        let value: Value = serde_json::from_str(written).unwrap();
        value.as_object().unwrap().keys().cloned().collect()
    };
    let content = geotrek::touristic_content(&feed, &poi(), &all);
    let mut expected = "accessibility approved attachments category cities city_codes contact create_datetime departure_city departure_city_code description description_teaser districts email external_id geometry id label_accessibility name pdf portal practical_info provider published reservation_id reservation_system source structure themes types update_datetime url uuid website".split(' ').collect::<Vec<_>>();
    let mut found = keys(&content);
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    let value: Value = serde_json::from_str(&content).unwrap();
    let category = value["category"].as_i64().unwrap();
    assert_eq!(
        value["types"],
        serde_json::json!({(category * 100 + 1).to_string(): [], (category * 100 + 2).to_string(): []})
    );
    let desk: Value = serde_json::from_str(&geotrek::information_desk(&feed, &feed.reader, &all)).unwrap();
    assert_eq!((&desk["name"]["fr"], &desk["municipality"]), (&"Office de tourisme de Brève".into(), &"Brève".into()));
    let category = geotrek::content_category(&feed, &term(4, "Hébergement", Value::Null), &all);
    assert_eq!(keys(&category).len(), 5, "{category}");
    check("trek", &geotrek::trek(&feed, &full(), &all), false);
}

fn value(feed: &feeds::Feed, parcours: &Parcours) -> Value {
    serde_json::from_str(&geotrek::trek(feed, parcours, &Chosen::default())).unwrap()
}

#[test]
fn a_trek_says_what_the_parcours_says() {
    let trek = value(&feed(), &full());
    assert_eq!(trek["name"], serde_json::json!({"fr": "Tour du lac", "en": "Around the lake"}));
    assert_eq!(trek["departure"]["fr"], "La halle");
    assert_eq!(trek["duration"], 0.34);
    assert_eq!((&trek["ascent"], &trek["descent"]), (&40.into(), &(-30).into()));
    assert_eq!(trek["length_2d"], 758.4);
    assert!(trek["length_3d"].as_f64().unwrap() > 758.4);
    assert_eq!(trek["route"], 1);
    assert_eq!(trek["published"], serde_json::json!({"fr": true, "en": true}));
    let numbered = trek["description"]["fr"].as_str().unwrap().matches("<li>").count();
    assert_eq!((trek["points_reference"]["coordinates"].as_array().unwrap().len(), numbered), (3, 3));
    assert_eq!(trek["next"], serde_json::json!({"20": 13}));
    assert_eq!(trek["geometry"]["coordinates"][1], serde_json::json!([4.005, 47.0, 540.3]));
    let way = trek["description"]["fr"].as_str().unwrap();
    assert!(way.starts_with("<ol><li><strong>La halle</strong> Passer &lt;l’arche&gt; &amp; tourner.</li>"), "{way}");
    assert_eq!(trek["attachments"][0]["title"], "Été");
    assert_eq!(trek["attachments"][1]["type"], "file");
}

#[test]
fn one_language_makes_texts_of_objects() {
    let trek = value(&in_english(), &full());
    assert_eq!(trek["name"], "Around the lake");
    assert_eq!(trek["departure"], "La halle", "a text that is not translated is given in French");
    assert_eq!(trek["published"], true);
    assert_eq!(trek["access"], "");
    assert_eq!(trek["web_links"][0]["name"], "Réserver ici");
    assert_eq!(trek["web_links"][0]["category"]["label"], "Book");
    assert_eq!(trek["pdf"], "https://jalon.example/en/p/tour-du-lac-12/roadbook.pdf");
}

#[test]
fn fields_and_omissions_are_what_is_answered() {
    let keys = |chosen: Chosen| {
        let trek: Value = serde_json::from_str(&geotrek::trek(&feed(), &full(), &chosen)).unwrap();
        trek.as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(keys(Chosen::of(Some("uuid,id,nonsense"), None)), ["id", "uuid"]);
    assert!(!keys(Chosen::of(None, Some("geometry"))).contains(&"geometry".to_owned()));
}

#[test]
fn a_page_is_that_of_django_rest_framework() {
    let page = geotrek::page(3, Some("https://jalon.example/api/v2/trek/?page=2"), None, &["{}".into(), "{}".into()]);
    let page: Value = serde_json::from_str(&page).unwrap();
    assert_eq!((&page["count"], &page["previous"]), (&3.into(), &Value::Null));
    assert_eq!(page["results"].as_array().unwrap().len(), 2);
}

#[test]
fn a_profile_is_that_of_geotrek_and_climbs_as_the_line_does() {
    let profile: Value = serde_json::from_str(&geotrek::profile(&full().line)).unwrap();
    assert_eq!(profile["limits"], serde_json::json!({"floor": 400, "ceil": 1_600}));
    let points = profile["profile"].as_array().unwrap();
    assert_eq!(points.len(), 3);
    assert_eq!(points[0], serde_json::json!([0.0, 500.0, [4.0, 47.0]]), "distance, height, place");
    assert!(points[1][0].as_f64().unwrap() > 300.0 && points[1][1].as_f64().unwrap() > 530.0);
    let empty: Value = serde_json::from_str(&geotrek::profile(&bare().line)).unwrap();
    assert_eq!(empty, serde_json::json!({"profile": [], "limits": {"floor": 0, "ceil": 1_200}}));
}

#[test]
fn a_profile_is_drawn_with_its_axes() {
    let drawn = geotrek::profile_svg(&full().line, "en");
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>") && drawn.contains("Distance (m)"), "{drawn}");
    assert!(drawn.contains(">400<") && drawn.contains(">1600<"), "from the floor to the ceiling: {drawn}");
    assert!(geotrek::profile_svg(&bare().line, "fr").contains("ne sont pas connues"));
}

#[test]
fn the_ground_around_a_line_has_the_keys_of_geotrek() {
    assert_eq!(geotrek::Ground::around(&[]), None);
    let ground = geotrek::Ground::around(&full().line).unwrap();
    let rows: Vec<_> = ground.rows().collect();
    let heights: Vec<Vec<Option<f64>>> =
        rows.iter().map(|row| row.iter().map(|place| Some(500.0 + (place.lat - 47.0) * 1_000.0)).collect()).collect();
    let written: Value = serde_json::from_str(&ground.written(&heights)).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&written), ["altitudes", "center", "extent", "resolution", "size"]);
    assert_eq!(keys(&written["center"]), ["lat", "lng", "x", "y", "z"]);
    assert_eq!(keys(&written["extent"]), ["altitudes", "northeast", "northwest", "southeast", "southwest"]);
    assert_eq!(written["resolution"], serde_json::json!({"x": rows[0].len(), "y": rows.len(), "step": 25.0}));
    assert_eq!(written["altitudes"].as_array().unwrap().len(), rows.len());
    assert_eq!(written["altitudes"][0][0], 0, "heights count from the lowest, in the south first");
    let (south, north) = (&written["extent"]["southwest"]["lat"], &written["extent"]["northwest"]["lat"]);
    assert!(south.as_f64() < Some(47.0) && north.as_f64() > Some(47.0));
    let long = vec![trace::Position::new(4.0, 47.0), trace::Position::new(5.0, 47.5)];
    let many = geotrek::Ground::around(&long).unwrap().rows().map(|row| row.len()).collect::<Vec<_>>();
    assert!(many.len() <= 151 && many.iter().all(|columns| *columns <= 151), "an area of any size is as many points");
    let unknown = vec![vec![None; rows[0].len()]; rows.len()];
    assert_eq!(ground.written(&unknown), "{}");
}
