//! `jalon migrate-from geotrek`, from a server and from a database: a report, the import, only what changed, all of it taken back.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;

use store::server::texts;
use store::{DatabaseSettings, Store};
use testkit::geotrek;

use crate::running::{Folder, Running, free_port, jalon};

/// A Geotrek server with two treks and a sign.
fn server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut first = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            reader.read_line(&mut first).unwrap();
            loop {
                let mut header = String::new();
                if reader.read_line(&mut header).unwrap_or(0) < 3 {
                    break;
                }
            }
            let (status, body) = match first.split(' ').nth(1).unwrap_or_default() {
                path if path.starts_with("/api/v2/trek/") && path.contains("updated_after") => (200, page(&[])),
                path if path.starts_with("/api/v2/trek/") => (200, page(&[trek(1), trek(2)])),
                path if path.starts_with("/api/v2/signage/") => {
                    (200, page(&[r#"{"id": 4, "name": {"fr": "Panneau du lac"}}"#.to_owned()]))
                }
                path if path.starts_with("/api/v2/poi/") => (200, page(&[])),
                _ => (404, String::new()),
            };
            let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(format!("{head}{body}").as_bytes());
        }
    });
    url
}

fn page(items: &[String]) -> String {
    format!(r#"{{"count": {}, "next": null, "previous": null, "results": [{}]}}"#, items.len(), items.join(","))
}

fn trek(number: u32) -> String {
    let line: Vec<String> =
        (0..20).map(|at| format!("[{}, {}]", 4.0 + f64::from(at) * 0.001, 47.0 + f64::from(number) * 0.01)).collect();
    format!(
        r#"{{"id": {number}, "uuid": "trek-{number}", "name": {{"fr": "Boucle {number}"}}, "geometry": {{"type": "LineString", "coordinates": [{}]}}}}"#,
        line.join(",")
    )
}

const SETTINGS: [(&str, &str); 2] = [("JALON_IMPORTS__PRIVATE_ADDRESSES", "true"), ("JALON_IMPORTS__PAUSE_MS", "0")];

/// What the command prints, and whether it succeeded.
fn moved(data: &Path, arguments: &[&str]) -> (bool, String) {
    let arguments: Vec<&str> = ["migrate-from", "geotrek"].iter().chain(arguments).copied().collect();
    let output = jalon(data, &SETTINGS, &arguments).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.success(), said)
}

fn park(name: &str) -> Folder {
    let folder = Folder::new(name);
    let made = "user create --email chef@parc.example --first-name Ana --last-name Roux --role admin --structure Parc \
                --white-label Parc --password balise-jaune-2026";
    let made = jalon(folder.path(), &[], &made.split_whitespace().collect::<Vec<_>>()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    folder
}

#[test]
fn a_move_is_reported_made_repeated_and_taken_back_without_a_server() {
    let (folder, url) = (park("migrate-from"), server());
    let data = folder.path();
    let (good, said) = moved(data, &[&url, "--undo"]);
    assert!(!good && said.contains("nothing was imported from this Geotrek"), "{said}");
    let (good, said) = moved(data, &[&url, "--no-equipment", "--dry-run", "--report", "report.csv"]);
    assert!(good && said.contains("done: 2 created."), "{said}");
    assert!(said.lines().any(|line| line.starts_with("signage ") && line.ends_with("1  nowhere")), "{said}");
    assert!(said.contains("1 × import/no-place"), "{said}");
    let report = std::fs::read_to_string(data.join("report.csv")).unwrap();
    let sign = format!(
        "signage 4;Panneau du lac;kept;import/no-place list=signage url={url}/api/v2/signage/4/;{url}/api/v2/signage/4/\r\n"
    );
    assert!(report.starts_with("\u{feff}item;title;outcome;remark;address\r\n") && report.contains(&sign), "{report}");
    assert!(report.contains("trek-1;Boucle 1;created;"), "{report}");
    let (good, said) = moved(data, &[&url, "--undo"]);
    assert!(!good && said.contains("nothing was imported from this Geotrek"), "a dry run leaves no source: {said}");

    let (good, said) = moved(data, &[&url, "--no-equipment"]);
    assert!(good && said.contains("done: 2 created."), "{said}");
    let (good, said) = moved(data, &[&format!("{url}/"), "--json"]);
    let run: serde_json::Value = serde_json::from_str(said.trim()).unwrap();
    let (counts, source) = (&run["counts"], &run["source"]);
    assert!(good && counts["created"] == 0 && counts["updated"] == 0 && *source == 2, "{said}");
    let (good, said) = moved(data, &[&url, "--undo"]);
    assert!(good && said.contains("done: 2 undone."), "{said}");
    let (good, said) = moved(data, &[&url, "--undo"]);
    assert!(!good && said.contains("can be taken back"), "{said}");
}

#[test]
fn a_move_is_followed_where_a_server_works_and_fails_where_the_geotrek_does_not_answer() {
    let (folder, url) = (park("migrate-from-served"), server());
    let data = folder.path();
    let server = Running::start(data, &SETTINGS);
    let (good, said) = moved(data, &[&url]);
    assert!(
        good && said.contains("done: 2 created, 1 refused.") && said.contains("1 × sit/no-position"),
        "the sign: {said}"
    );
    server.terminate();
    assert!(server.wait().success());
    let nowhere = format!("http://127.0.0.1:{}", free_port());
    let (good, said) = moved(data, &[&nowhere]);
    assert!(!good && said.contains("Why it failed: fetch/"), "{said}");
    let (good, said) = moved(data, &["ftp://geotrek.example"]);
    assert!(!good && said.contains("the address cannot be used"), "{said}");
}

/// Sources of imports with their runs, what the bin has, and the files of imports.
fn left_of_sources(data: &Path) -> Vec<String> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut left = runtime.block_on(async {
        let url = format!("sqlite:{}", data.join("jalon.sqlite").display());
        let store = Store::connect(&DatabaseSettings::new(url)).await.unwrap();
        let mut left = Vec::new();
        for table in ["import_source", "import_run", "import_line", "bin"] {
            let sql = format!("SELECT '{table} ' || id FROM {table}");
            left.extend(texts(store.read(), &sql).await.unwrap());
        }
        store.close().await.unwrap();
        left
    });
    for folder in std::fs::read_dir(data.join("blobs/imports")).into_iter().flatten() {
        let files = std::fs::read_dir(folder.unwrap().path()).unwrap();
        left.extend(files.map(|file| file.unwrap().path().display().to_string()));
    }
    left
}

/// The parcours, by title, and whether each is published.
fn published(data: &Path) -> Vec<(String, bool)> {
    let said = jalon(data, &[], &["parcours", "export"]).output().unwrap();
    let all: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    let read = |parcours: &serde_json::Value| {
        let properties = &parcours["properties"];
        (properties["sheet"]["title"]["fr"].as_str().unwrap_or_default().to_owned(), properties["published"] == true)
    };
    let mut found: Vec<(String, bool)> = all["features"].as_array().unwrap().iter().map(read).collect();
    found.sort();
    found
}

#[test]
fn a_database_is_moved_with_its_drafts_and_its_originals() {
    let folder = park("migrate-from-dump");
    let data = folder.path();
    std::fs::write(data.join("geotrek.sql"), geotrek::dump(&[(1, "Le tour du lac", true), (2, "Le bois", false)]))
        .unwrap();
    let photos = data.join("media/paperclip/trekking_trek/1");
    std::fs::create_dir_all(&photos).unwrap();
    std::fs::write(photos.join("photo.jpg"), testkit::samples::jpeg(1_400, 900)).unwrap();
    let dump = ["geotrek.sql", "--media", "media", "--publish"];

    let (good, said) = moved(data, &["geotrek.sql", "--publish", "--dry-run", "--users", "users.csv"]);
    assert!(good && said.contains("Users: in users.csv.") && said.contains("done: 2 created."), "{said}");
    assert!(said.lines().any(|line| line.starts_with("signage ") && line.ends_with("1  poi")), "{said}");
    let users = std::fs::read_to_string(data.join("users.csv")).unwrap();
    assert!(users.ends_with("active\r\nana;Ana;Roux;ana@parc.example;Parc du lac;yes\r\n"), "{users}");
    assert_eq!(left_of_sources(data), Vec::<String>::new(), "after a dry run");

    let (good, said) = moved(data, &dump);
    assert!(good && said.contains("Files: 1 taken, 0 known, 1 not in media, 0 refused."), "{said}");
    assert!(said.contains("1 × import/original-missing"), "the photo of the draft: {said}");
    assert!(said.contains("done: 2 created, 3 points of interest."), "{said}");
    assert_eq!(published(data), [("Le bois".to_owned(), false), ("Le tour du lac".to_owned(), true)]);

    // A newer dump of the same database: one is published there now, the other is not any more.
    std::fs::write(data.join("geotrek.sql"), geotrek::dump(&[(1, "Le tour du lac", false), (2, "Le bois", true)]))
        .unwrap();
    let (good, said) = moved(data, &dump);
    assert!(good && said.contains("Files: 0 taken, 1 known") && said.contains("1 × import/now-draft"), "{said}");
    assert_eq!(published(data), [("Le bois".to_owned(), true), ("Le tour du lac".to_owned(), false)]);
    let (good, said) = moved(data, &dump);
    assert!(good && said.contains("done: 2 unchanged."), "{said}");

    let (good, said) = moved(data, &["geotrek.sql", "--archive", "geotrek.zip"]);
    assert!(good && said.lines().any(|line| line.starts_with("trek ") && line.ends_with(" 2")), "{said}");
    assert!(!said.contains("this Geotrek is"), "{said}");
    let steps = "COPY public.django_migrations (id, app, name) FROM stdin;\n1\tcore\t0099_later\n\\.\n";
    let newer = format!("{}{steps}", geotrek::dump(&[(1, "Le tour du lac", false), (2, "Le bois", true)]));
    std::fs::write(data.join("newer.sql"), newer).unwrap();
    let (good, said) = moved(data, &["newer.sql", "--dry-run"]);
    assert!(good && said.contains("jalon: this Geotrek is newer than 2.126: what"), "{said}");
    let (good, said) = moved(data, &["geotrek.zip"]);
    assert!(good && said.contains("done: 2 unchanged."), "an archive says the same: {said}");

    // Where the address of the Geotrek is known, the archive names its files by it: the folder is searched all the same.
    let (good, said) = moved(data, &["geotrek.sql", "--address", "https://geotrek.example", "--archive", "known.zip"]);
    assert!(good, "{said}");
    let (_, said) = moved(data, &["known.zip", "--media", "media"]);
    assert!(said.contains("Files: 1 taken, 0 known, 1 not in media, 0 refused."), "{said}");
    let (good, said) = moved(data, &["known.zip", "--address", "https://other.example"]);
    assert!(!good && said.contains("an archive has the address of its Geotrek"), "{said}");
    let part = ["geotrek.sql", "--structure", "Parc du lac", "--archive", "part.zip"];
    let (good, said) = moved(data, &part);
    assert!(good && !said.lines().any(|line| line.starts_with("trek ")), "no trek names its structure: {said}");
    let (good, said) = moved(data, &["geotrek.sql", "--structure", "Agglo", "--dry-run"]);
    assert!(!good && said.contains("it has no structure \"Agglo\"; it has: Parc du lac"), "{said}");
}

/// The line of a list in the report of a dry run: how many it has, and what becomes of them.
fn listed(said: &str, list: &str) -> String {
    let line = said.lines().find(|line| line.split_whitespace().next() == Some(list)).unwrap_or_default();
    line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_tourism_of_a_database_is_moved_by_a_source_of_its_own() {
    let folder = park("migrate-from-tourism");
    let data = folder.path();
    let treks = [(1, "Le tour du lac", true)];
    let dump = |contents: &[geotrek::Content<'_>]| {
        std::fs::write(data.join("geotrek.sql"), geotrek::dump_with_tourism(&treks, contents)).unwrap();
    };
    dump(&[(1, "Gîte du lac", true), (2, "Musée", false)]);
    let photos = data.join("media/paperclip/tourism_touristiccontent/1");
    std::fs::create_dir_all(&photos).unwrap();
    std::fs::write(photos.join("photo.jpg"), testkit::samples::jpeg(1_400, 900)).unwrap();

    let (good, said) = moved(data, &["geotrek.sql", "--dry-run"]);
    let lists = ["touristiccontent", "touristicevent", "service"].map(|list| listed(&said, list));
    assert!(good && lists == ["2 sit", "2 sit", "1 sit"], "{said}");
    assert!(!said.contains("Tourist records"), "nothing is written: {said}");
    let (good, said) = moved(data, &["geotrek.sql", "--no-tourism", "--media", "media"]);
    assert!(good && said.contains("Files: 0 taken, 0 known, 1 not in media"), "{said}");
    assert!(!said.contains("Tourist records"), "{said}");

    let report = ["geotrek.sql", "--media", "media", "--report", "report.csv"];
    let (good, said) = moved(data, &report);
    assert!(good && said.contains("Files: 1 taken, 0 known, 2 not in media"), "the photo of the content: {said}");
    assert!(said.contains("Tourist records: run 4 done: 4 created, 1 refused."), "{said}");
    assert!(said.contains("1 × sit/no-date") && said.contains("1 × sit/draft"), "{said}");
    let report = std::fs::read_to_string(data.join("report.csv")).unwrap();
    assert!(report.contains("event-12;event-12;refused;sit/no-date;\r\n"), "{report}");
    assert!(report.contains("content-2;Musée;created;sit/draft;\r\n"), "{report}");

    // The same dump once more, then an archive made of it: no record is made a second time, and the one that changed in the Geotrek is changed here.
    let (good, said) = moved(data, &["geotrek.sql", "--json"]);
    let run: serde_json::Value = serde_json::from_str(said.trim()).unwrap();
    let (tourism, counts) = (&run["tourism"], &run["tourism"]["counts"]);
    assert!(good && counts["unchanged"] == 4 && counts["created"] == 0 && tourism["source"] == 1, "{said}");
    assert_eq!(tourism["remarks"], serde_json::json!({"sit/no-date": 1}));
    dump(&[(1, "Gîte du grand lac", true), (2, "Musée", false)]);
    assert!(moved(data, &["geotrek.sql", "--archive", "geotrek.zip"]).0);
    let (good, said) = moved(data, &["geotrek.zip"]);
    assert!(good && said.contains("done: 1 updated, 3 unchanged, 1 refused."), "{said}");
    // What is gone there is marked after the second run without it.
    dump(&[(1, "Gîte du grand lac", true)]);
    assert!(moved(data, &["geotrek.sql"]).0);
    let (good, said) = moved(data, &["geotrek.sql"]);
    assert!(good && said.contains("3 unchanged, 1 refused, 1 gone."), "{said}");
}

/// Two portals with a trek each, and one without; two structures with a trek each.
fn parts() -> String {
    let treks = "COPY public.trekking_trek (topo_object_id, published, name, structure_id) FROM stdin;\n1\tt\tLe tour du lac\t1\n2\tt\tLe bois\t2\n\\.\n";
    let portals = "COPY public.common_targetportal (id, name) FROM stdin;\n1\tRando Lac\n2\tRando Bois\n3\tVide\n\\.\n\
        COPY public.trekking_trek_portal (id, trek_id, targetportal_id) FROM stdin;\n1\t1\t1\n2\t2\t2\n\\.\n";
    let structures = "COPY public.authent_structure (id, name) FROM stdin;\n1\tParc\n2\tAgglo\n\\.\n";
    [&geotrek::dump(&[(1, "Le tour du lac", true), (2, "Le bois", true)]), treks, portals, structures].concat()
}

#[test]
fn each_part_of_a_database_goes_into_a_white_label_of_its_own() {
    let folder = park("migrate-from-parts");
    let data = folder.path();
    std::fs::write(data.join("geotrek.sql"), parts()).unwrap();
    let each = |more: &[&str]| moved(data, &[&["geotrek.sql"], more].concat());
    let (good, said) = each(&["--each-portal", "--dry-run"]);
    assert!(good && said.contains("Rando Lac: 1 trek, 1 poi, 0 touristiccontent"), "{said}");
    assert!(said.contains("Rando Bois: 1 trek") && !said.contains("Vide"), "{said}");
    assert_eq!(
        (said.matches("(new white-label)").count(), published(data).len()),
        (2, 0),
        "nothing is written: {said}"
    );

    let (good, said) = each(&["--each-portal", "--json"]);
    let runs: Vec<serde_json::Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(good && runs.len() == 2, "{said}");
    assert!(runs.iter().all(|run| run["counts"]["created"] == 1 && run["white_label"] != 1), "{said}");
    assert_ne!(runs[0]["white_label"], runs[1]["white_label"], "{said}");
    let (good, said) = each(&["--each-portal"]);
    assert!(
        good && said.contains("White-label Rando Bois:") && said.matches("done: 1 unchanged.").count() == 2,
        "{said}"
    );
    let (_, said) = each(&["--each-portal", "--dry-run"]);
    assert!(!said.contains("new white-label"), "{said}");

    // A white-label that is there is used, by its name.
    let (good, said) = each(&["--each-structure"]);
    assert!(good && said.contains("White-label Agglo:") && said.contains("White-label Parc:"), "{said}");
    let (good, said) = moved(data, &["geotrek.sql", "--structure", "Parc", "--white-label", "Parc"]);
    assert!(good && said.contains("done: 1 unchanged."), "the same source: {said}");
    let (good, said) = each(&["--each-structure", "--archive", "parts"]);
    assert!(good && said.contains("Parc: parts/1.zip") && data.join("parts/2.zip").is_file(), "{said}");
    let (good, said) = moved(data, &["parts/1.zip", "--each-structure"]);
    assert!(!good && said.contains("are of a Geotrek that is read from its database"), "{said}");
    let (good, said) = each(&["--each-structure", "--undo"]);
    assert!(!good && said.contains("cannot be used with"), "{said}");
}

#[test]
fn what_cannot_be_moved_is_said_in_words() {
    let folder = park("migrate-from-words");
    let data = folder.path();
    std::fs::write(data.join("cut.sql"), &geotrek::dump(&[(1, "Le lac", true)]).as_bytes()[..400]).unwrap();
    std::fs::write(data.join("notes.txt"), "Bonjour").unwrap();
    std::fs::write(data.join("other.zip"), b"PK\x03\x04").unwrap();
    std::fs::write(data.join("damaged.dump"), b"PGDMP").unwrap();
    for (arguments, words) in [
        (&["cut.sql"][..], "the dump is cut: it ends inside the table core_topology"),
        (&["notes.txt"], "no data of a Geotrek are in it"),
        (&["nowhere.sql"], "neither an address nor a file that can be read"),
        (&["other.zip"], "is not an archive of a Geotrek"),
        (&["damaged.dump"], "the dump cannot be read: pg_restore"),
        (&["notes.txt", "--media", "nowhere"], "nowhere is not a folder"),
        (&["https://geotrek.example", "--media", "."], "are of a Geotrek that is read from its database"),
        (&["https://geotrek.example", "--portal", "Parc"], "of a server, add ?portals=2 to its address"),
    ] {
        let (good, said) = moved(data, arguments);
        assert!(!good && said.contains(words), "{arguments:?}: {said}");
    }
}
