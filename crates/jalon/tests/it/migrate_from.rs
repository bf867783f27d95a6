//! `jalon migrate-from geotrek`: a report, the import, only what changed, all of it taken back.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;

use crate::running::{Folder, Running, free_port, jalon};

/// A Geotrek server with two treks and a sign.
fn geotrek() -> String {
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
    let (folder, url) = (park("migrate-from"), geotrek());
    let data = folder.path();
    let (good, said) = moved(data, &[&url, "--undo"]);
    assert!(!good && said.contains("nothing was imported from this address"), "{said}");
    let (good, said) = moved(data, &[&url, "--dry-run", "--report", "report.csv"]);
    assert!(good && said.contains("done: 2 created."), "{said}");
    assert!(said.lines().any(|line| line.starts_with("signage ") && line.ends_with("1  nowhere")), "{said}");
    assert!(said.contains("1 × import/no-place"), "{said}");
    let report = std::fs::read_to_string(data.join("report.csv")).unwrap();
    let sign = format!(
        "signage 4;Panneau du lac;kept;import/no-place list=signage url={url}/api/v2/signage/4/;{url}/api/v2/signage/4/\r\n"
    );
    assert!(report.starts_with("\u{feff}item;title;outcome;remark;address\r\n") && report.contains(&sign), "{report}");
    assert!(report.contains("trek-1;Boucle 1;created;"), "{report}");

    let (good, said) = moved(data, &[&url]);
    assert!(good && said.contains("done: 2 created."), "{said}");
    let (good, said) = moved(data, &[&format!("{url}/"), "--json"]);
    let run: serde_json::Value = serde_json::from_str(said.trim()).unwrap();
    let (counts, source) = (&run["counts"], &run["source"]);
    assert!(good && counts["created"] == 0 && counts["updated"] == 0 && *source == 1, "{said}");
    let (good, said) = moved(data, &[&url, "--undo"]);
    assert!(good && said.contains("done: 2 undone."), "{said}");
    let (good, said) = moved(data, &[&url, "--undo"]);
    assert!(!good && said.contains("can be taken back"), "{said}");
}

#[test]
fn a_move_is_followed_where_a_server_works_and_fails_where_the_geotrek_does_not_answer() {
    let (folder, url) = (park("migrate-from-served"), geotrek());
    let data = folder.path();
    let server = Running::start(data, &SETTINGS);
    let (good, said) = moved(data, &[&url]);
    assert!(good && said.contains("done: 2 created."), "{said}");
    server.terminate();
    assert!(server.wait().success());
    let nowhere = format!("http://127.0.0.1:{}", free_port());
    let (good, said) = moved(data, &[&nowhere]);
    assert!(!good && said.contains("Why it failed: fetch/"), "{said}");
    let (good, said) = moved(data, &["ftp://geotrek.example"]);
    assert!(!good && said.contains("the address cannot be used"), "{said}");
}
