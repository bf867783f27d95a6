//! The invariants of `ARCHITECTURE.md` that a look at the sources can keep.

use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The sources of a room, without those of its tests.
pub fn sources(room: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    read(&crates().join(room).join("src"), &mut found);
    assert!(!found.is_empty(), "{room} has sources");
    found
}

/// Looks at each source of a room.
pub fn each_source(room: &str, mut look: impl FnMut(&Path, &str)) {
    for (path, text) in sources(room) {
        look(&path, &text);
    }
}

fn read(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            read(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
}

fn rooms() -> Vec<String> {
    let mut rooms: Vec<String> = std::fs::read_dir(crates())
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().join("Cargo.toml").is_file())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    rooms.sort();
    rooms
}

fn manifest(room: &str) -> String {
    std::fs::read_to_string(crates().join(room).join("Cargo.toml")).unwrap()
}

/// Names of the crates a room is built from; what only its tests use is its own affair.
fn dependencies(room: &str) -> Vec<String> {
    let manifest = manifest(room);
    let section =
        manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default().split("\n[").next().unwrap_or_default();
    let names = section.lines().filter_map(|line| line.split(['=', '.', ' ']).next());
    names.filter(|name| !name.is_empty() && !name.starts_with('#')).map(str::to_owned).collect()
}

/// Lines of a room that hold one of some words, comments aside.
fn lines_with(room: &str, words: &[&str], allowed_in: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in sources(room) {
        if allowed_in.iter().any(|allowed| path.ends_with(allowed)) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let code = line.trim_start();
            if !code.starts_with("//") && words.iter().any(|word| code.contains(word)) {
                found.push(format!("{}:{}: {code}", path.display(), number + 1));
            }
        }
    }
    found
}

#[test]
fn the_words_and_the_algorithms_know_no_database_and_no_web_framework() {
    let strangers = [
        "sea-orm",
        "sea-orm-migration",
        "sqlx",
        "rusqlite",
        "axum",
        "hyper",
        "tower",
        "tower-http",
        "tokio",
        "store",
        "api",
    ];
    for room in ["trace", "planner", "roadbook", "feeds", "domain", "extract", "basemap", "media"]
        .into_iter()
        .filter(|room| crates().join(room).exists())
    {
        let known = dependencies(room);
        let wrong: Vec<_> = known.iter().filter(|name| strangers.contains(&name.as_str())).collect();
        assert!(wrong.is_empty(), "{room} depends on {wrong:?}");
    }
}

#[test]
fn arrows_run_one_way() {
    let below = [
        ("domain", vec!["trace"]),
        ("trace", vec![]),
        ("media", vec!["domain"]),
        ("feeds", vec!["domain", "trace"]),
        ("store", vec!["domain", "trace"]),
        ("connect", vec!["domain", "planner"]),
        ("server", vec!["domain"]),
    ];
    let rooms = rooms();
    for (room, allowed) in below {
        let wrong: Vec<String> = dependencies(room)
            .into_iter()
            .filter(|name| rooms.contains(name) && name != "macros" && !allowed.contains(&name.as_str()))
            .collect();
        assert!(wrong.is_empty(), "{room} depends on {wrong:?}");
    }
}

#[test]
fn only_the_store_knows_sql() {
    for room in rooms().iter().filter(|room| !["store", "macros"].contains(&room.as_str())) {
        let known = dependencies(room);
        assert!(!known.iter().any(|name| name.starts_with("sea-orm") || name == "sqlx"), "{room} depends on SQL");
        let statements = ["\"SELECT ", "\"INSERT INTO", "\"UPDATE ", "\"DELETE FROM", "sea_orm::", "sqlx::"];
        let found = lines_with(room, &statements, &[]);
        assert!(found.is_empty(), "SQL outside of the store:\n{}", found.join("\n"));
    }
}

#[test]
fn only_the_configuration_reads_the_environment() {
    for room in rooms().iter().filter(|room| *room != "testkit") {
        let words = ["env::var(", "env::var_os(", "env::vars(", "Env::raw(", "Env::prefixed("];
        let found = lines_with(room, &words, &["jalon/src/config.rs"]);
        let real: Vec<_> = found.into_iter().filter(|line| !is_test(line)).collect();
        assert!(real.is_empty(), "the environment is read outside of the configuration:\n{}", real.join("\n"));
    }
}

/// Lines of `#[cfg(test)]` files by their name.
fn is_test(line: &str) -> bool {
    line.contains("/tests.rs:") || line.contains("/tests/") || line.contains("JALON_SHARED")
}

#[test]
fn only_connect_opens_outgoing_connections() {
    let clients = ["reqwest", "hyper-util", "ureq", "lettre", "isahc", "curl"];
    for room in rooms().iter().filter(|room| *room != "connect") {
        // hyper-util also has the server's side.
        let is_server = |name: &str| room == "server" && name == "hyper-util" && !manifest(room).contains("\"client-");
        let wrong: Vec<_> = dependencies(room)
            .into_iter()
            .filter(|name| clients.contains(&name.as_str()) && !is_server(name))
            .collect();
        assert!(wrong.is_empty(), "{room} depends on {wrong:?}");
        let found = lines_with(room, &["TcpStream::connect", "UdpSocket::"], &[]);
        assert!(found.is_empty(), "a connection opened outside of connect:\n{}", found.join("\n"));
    }
}

#[test]
fn every_route_is_in_the_contract() {
    // `routes!` writes a route and its operation at once; these write a route alone.
    let past_the_contract =
        [".route(", ".route_service(", ".nest(", ".nest_service(", ".fallback(", ".fallback_service("];
    for room in ["api", "jalon"] {
        let found = lines_with(room, &past_the_contract, &[]);
        // The planner's routes are roads, and what no route takes is a file of the web app.
        let is_other = |line: &String| line.contains("engine.route(") || line.contains(".fallback(assets::fallback)");
        let wrong: Vec<_> = found.into_iter().filter(|line| !is_other(line)).collect();
        assert!(wrong.is_empty(), "routes that are not in the contract:\n{}", wrong.join("\n"));
    }
}

#[test]
fn the_clock_is_asked_and_never_the_machine() {
    for room in ["api", "store", "domain"] {
        let found = lines_with(room, &["SystemTime::now", "Utc::now", "OffsetDateTime::now"], &["domain/src/clock.rs"]);
        assert!(found.is_empty(), "the time is read past the clock:\n{}", found.join("\n"));
    }
}

#[test]
fn every_test_of_store_and_api_that_touches_a_database_runs_on_both() {
    for room in ["store", "api"] {
        let mut tests = Vec::new();
        read(&crates().join(room).join("tests"), &mut tests);
        for (path, text) in tests {
            if path.ends_with("architecture.rs") {
                continue;
            }
            for (at, _) in text.match_indices("#[tokio::test]") {
                let body = &text[at..text[at..].find("\n}\n").map_or(text.len(), |end| at + end)];
                let touches = body.contains("TestApp") || body.contains("TestStore");
                assert!(!touches, "{}: a test on one database alone:\n{body}", path.display());
            }
            assert!(!text.contains("#[ignore"), "{}: a test that is ignored", path.display());
        }
    }
}
