//! The rules of `ARCHITECTURE.md` that can be checked by reading the sources and manifests.

use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The sources of a crate, without those of its tests.
pub fn sources(crate_name: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    read(&crates().join(crate_name).join("src"), &mut found);
    assert!(!found.is_empty(), "{crate_name} has sources");
    found
}

/// Calls `look` with each source of a crate.
pub fn each_source(crate_name: &str, mut look: impl FnMut(&Path, &str)) {
    for (path, text) in sources(crate_name) {
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

/// The crates that have handlers.
pub const WITH_HANDLERS: [&str; 5] = ["content", "sources", "outputs", "public", "api"];

pub fn crate_names() -> Vec<String> {
    let mut crate_names: Vec<String> = std::fs::read_dir(crates())
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().join("Cargo.toml").is_file())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    crate_names.sort();
    crate_names
}

fn manifest(crate_name: &str) -> String {
    std::fs::read_to_string(crates().join(crate_name).join("Cargo.toml")).unwrap()
}

/// The public types and functions of a module without a comment that says what they are. Fields and variants need one only where their name
/// does not say all: a compiler's lint cannot make this difference.
fn without_a_comment(source: &str) -> Vec<&str> {
    let kinds = ["fn ", "struct ", "enum ", "trait ", "type "];
    let is_item = |line: &str| {
        let rest = line.strip_prefix("pub ").map(|rest| rest.trim_start_matches("const ").trim_start_matches("async "));
        rest.is_some_and(|rest| kinds.iter().any(|kind| rest.starts_with(kind)))
    };
    let lines: Vec<&str> = source.lines().collect();
    let is_said = |at: usize| {
        let mut above = lines[..at].iter().rev().take_while(|line| !line.is_empty());
        above.any(|line| line.starts_with("///"))
    };
    let found = lines.iter().enumerate().filter(|(at, line)| is_item(line) && !is_said(*at));
    found.map(|(_, line)| *line).filter(|line| *line != "pub struct Migration;").collect()
}

#[test]
fn public_types_and_functions_say_what_they_are() {
    for crate_name in crate_names() {
        each_source(&crate_name, |path, source| {
            assert!(without_a_comment(source).is_empty(), "{}: {:?}", path.display(), without_a_comment(source));
        });
    }
}

#[test]
fn a_public_item_without_a_comment_is_found() {
    let source =
        "/// A lake.\n#[derive(Debug)]\npub struct Lake {\n    pub depth_m: f64,\n}\n\npub async fn dive() {}\n";
    assert_eq!(without_a_comment(source), ["pub async fn dive() {}"]);
}

/// Which dependencies of a manifest are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DependencyKind {
    /// What the crate is built from, build scripts included.
    Build,
    /// What only its tests, benches and examples use.
    Tests,
}

/// Names of the dependencies of a manifest, those of a target or behind a feature included.
fn names_in(manifest: &str, wanted: DependencyKind) -> Vec<String> {
    let sections: &[&str] = match wanted {
        DependencyKind::Build => &["dependencies", "build-dependencies"],
        DependencyKind::Tests => &["dev-dependencies"],
    };
    let mut names = Vec::new();
    let mut is_wanted = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            // `[dependencies]`, `[target.'cfg(…)'.dependencies]`, or one dependency: `[dependencies.name]`.
            let last = header.rsplit('.').next().unwrap_or_default();
            is_wanted = sections.contains(&last);
            let one = sections.iter().find_map(|section| {
                let (before, name) = header.rsplit_once('.')?;
                (before == *section || before.ends_with(&format!(".{section}"))).then_some(name)
            });
            names.extend(one.map(str::to_owned));
        } else if is_wanted && !line.is_empty() && !line.starts_with('#') {
            names.extend(line.split(['=', '.', ' ']).next().map(str::to_owned));
        }
    }
    names
}

/// Names of the crates that a crate is built from.
fn dependencies(crate_name: &str) -> Vec<String> {
    names_in(&manifest(crate_name), DependencyKind::Build)
}

/// Lines of a crate that contain one of these words, without comments.
fn lines_with(crate_name: &str, words: &[&str], allowed_in: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in sources(crate_name) {
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
fn pure_crates_depend_on_no_database_and_no_web_framework() {
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
        "app",
        "content",
        "sources",
        "outputs",
        "public",
        "api",
    ];
    for crate_name in ["trace", "routing", "planner", "roadbook", "feeds", "domain", "extract", "basemap", "media"]
        .into_iter()
        .filter(|crate_name| crates().join(crate_name).exists())
    {
        let known = dependencies(crate_name);
        let wrong: Vec<_> = known.iter().filter(|name| strangers.contains(&name.as_str())).collect();
        assert!(wrong.is_empty(), "{crate_name} depends on {wrong:?}");
    }
}

/// A row of the table of crates in `ARCHITECTURE.md`: the crate, what it uses, what only its tests use.
type TableRow = (String, Vec<String>, Vec<String>);

/// The table of crates in `ARCHITECTURE.md`.
fn table() -> Vec<TableRow> {
    let text = std::fs::read_to_string(crates().join("../ARCHITECTURE.md")).unwrap();
    let list = |cell: &str| -> Vec<String> {
        let words = cell.split(',').map(|word| word.trim().to_owned());
        words.filter(|word| !word.is_empty()).collect()
    };
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| `crates/") || line.starts_with("| `demo`")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 4, "crate, contents, uses, what its tests use: {line}");
        let name = cells[0].trim_matches('`').trim_start_matches("crates/").to_owned();
        rows.push((name, list(cells[2]), list(cells[3])));
    }
    rows
}

/// How the arrows of a manifest differ from a row of the table: too many, or too few.
fn differences(manifest: &str, (name, uses, in_tests): &TableRow, ours: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for (wanted, allowed) in [(DependencyKind::Build, uses), (DependencyKind::Tests, in_tests)] {
        let used: Vec<String> = names_in(manifest, wanted).into_iter().filter(|other| ours.contains(other)).collect();
        found.extend(used.iter().filter(|other| !allowed.contains(other)).map(|other| format!("{name} uses {other}")));
        let unused = allowed.iter().filter(|other| !used.contains(other));
        found.extend(unused.map(|other| format!("{name} does not use {other}")));
    }
    found
}

fn our_names() -> Vec<String> {
    crate_names().into_iter().chain(["demo".to_owned()]).collect()
}

#[test]
fn the_table_of_crates_matches_the_manifests() {
    let (table, ours) = (table(), our_names());
    let mut listed: Vec<&String> = table.iter().map(|(name, ..)| name).collect();
    listed.sort();
    let mut all: Vec<&String> = ours.iter().collect();
    all.sort();
    assert_eq!(listed, all, "each crate has a row in ARCHITECTURE.md");
    let found: Vec<String> =
        table.iter().flat_map(|row| differences(&manifest(&folder_of(&row.0)), row, &ours)).collect();
    assert!(found.is_empty(), "ARCHITECTURE.md and the manifests differ:\n{}", found.join("\n"));
}

/// A crate of more lines is divided, or `ARCHITECTURE.md` has the reason why not.
const MAX_LINES: usize = 20_000;

/// The crates that are larger than they may be without a reason, and those whose reason is no longer needed.
fn sizes_to_explain(sizes: &[(String, usize)], document: &str) -> Vec<String> {
    let (_, section) = document.split_once("### Large crates").unwrap_or_default();
    let section = section.split("\n#").next().unwrap_or_default();
    let has_reason = |name: &str| section.contains(&format!("\n- `{name}`: "));
    let is_large = |lines: usize| lines > MAX_LINES;
    let wrong = sizes.iter().filter(|(name, lines)| is_large(*lines) != has_reason(name));
    wrong.map(|(name, lines)| format!("{name} has {lines} lines")).collect()
}

#[test]
fn a_large_crate_has_a_reason() {
    let lines_of = |name: &String| sources(name).iter().map(|(_, text)| text.lines().count()).sum();
    let sizes: Vec<(String, usize)> = crate_names().into_iter().map(|name| (name.clone(), lines_of(&name))).collect();
    let document = std::fs::read_to_string(crates().join("../ARCHITECTURE.md")).unwrap();
    let found = sizes_to_explain(&sizes, &document);
    assert!(found.is_empty(), "ARCHITECTURE.md, Large crates: {}", found.join(", "));

    let planted = |lines: usize, document: &str| sizes_to_explain(&[("trace".to_owned(), lines)], document).len();
    assert_eq!(planted(MAX_LINES + 1, "### Large crates\n\n- `store`: all SQL.\n"), 1, "no reason is written");
    assert_eq!(planted(MAX_LINES + 1, "### Large crates\n\n- `trace`: formats.\n"), 0);
    assert_eq!(planted(MAX_LINES, "### Large crates\n\n- `trace`: formats.\n"), 1, "the reason is no longer needed");
}

/// The folder of a crate, seen from `crates`.
fn folder_of(name: &str) -> String {
    if name == "demo" { "../demo".to_owned() } else { name.to_owned() }
}

#[test]
fn crates_have_no_cycle() {
    let table = table();
    let uses = |name: &str| table.iter().find(|row| row.0 == name).map(|row| row.1.clone()).unwrap_or_default();
    for (name, ..) in &table {
        let mut waiting = uses(name);
        let mut seen = Vec::new();
        while let Some(next) = waiting.pop() {
            assert_ne!(&next, name, "{name} uses itself through {seen:?}");
            if !seen.contains(&next) {
                waiting.extend(uses(&next));
                seen.push(next);
            }
        }
    }
}

#[test]
fn a_dependency_missing_from_the_table_is_found() {
    let row = ("trace".to_owned(), Vec::new(), vec!["timing".to_owned()]);
    let ours = ["trace", "store", "domain", "timing"].map(str::to_owned);
    let planted = [
        "[dependencies]\nserde = \"1\"\nstore = { workspace = true }\n",
        "[dependencies]\nserde = \"1\"\n[build-dependencies]\nstore.workspace = true\n",
        "[target.'cfg(unix)'.dependencies]\nstore = { workspace = true, optional = true }\n",
        "[dependencies.store]\nworkspace = true\n",
        "[dev-dependencies]\nstore = { path = \"../store\" }\n",
    ];
    for manifest in planted {
        let found = differences(manifest, &row, &ours);
        assert!(found.contains(&"trace uses store".to_owned()), "{manifest}: {found:?}");
        assert!(found.contains(&"trace does not use timing".to_owned()), "{manifest}: {found:?}");
    }
}

#[test]
fn sql_is_used_only_in_store() {
    for crate_name in crate_names().iter().filter(|crate_name| !["store", "macros"].contains(&crate_name.as_str())) {
        let known = dependencies(crate_name);
        assert!(!known.iter().any(|name| name.starts_with("sea-orm") || name == "sqlx"), "{crate_name} depends on SQL");
        let statements = ["\"SELECT ", "\"INSERT INTO", "\"UPDATE ", "\"DELETE FROM", "sea_orm::", "sqlx::"];
        let found = lines_with(crate_name, &statements, &[]);
        assert!(found.is_empty(), "SQL outside of the store:\n{}", found.join("\n"));
    }
}

/// The end of what a bracket at the start of a text encloses, and the places of its commas.
fn enclosed(text: &str) -> Option<(usize, Vec<usize>)> {
    let (mut depth, mut commas) = (0_usize, Vec::new());
    for (at, char) in text.char_indices() {
        match char {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth = depth.checked_sub(1)?,
            ',' if depth == 1 => commas.push(at),
            _ => {}
        }
        if depth == 0 {
            return Some((at, commas));
        }
    }
    None
}

/// Calls that read a fourth or later column of a row by its position, or at a position that is a variable.
fn reads_by_position(source: &str) -> Vec<String> {
    let code: Vec<&str> = source.lines().map(str::trim).filter(|line| !line.starts_with("//")).collect();
    let code = code.join(" ");
    let is_far = |argument: &str| {
        let words = argument.split(|char: char| !char.is_alphanumeric() && char != '_' && char != '"');
        argument.contains('+')
            || code.contains(&format!(" {}: usize", argument.trim()))
            || code.contains(&format!("|{}: usize", argument.trim()))
            || words.filter_map(|word| word.parse::<usize>().ok()).any(|position| position >= 3)
    };
    let mut found = Vec::new();
    for (reader, argument) in
        [("get", 1), ("flag", 1), ("person", 1), ("try_get", 1), ("try_get_by", 0), ("try_get_by_index", 0)]
    {
        for (start, _) in code.match_indices(reader) {
            let after = &code[start + reader.len()..];
            let before = &code[..start];
            let is_declared = before.ends_with("fn ");
            let is_longer_word = before.ends_with(|char: char| char.is_alphanumeric() || char == '_');
            let types = after.strip_prefix("::").and_then(|types| Some(enclosed(types)?.0 + 3)).unwrap_or(0);
            let Some(arguments) =
                after.get(types..).filter(|rest| rest.starts_with('(') && !is_longer_word && !is_declared)
            else {
                continue;
            };
            let Some((end, commas)) = enclosed(arguments) else { continue };
            let bounds: Vec<usize> = [0].into_iter().chain(commas).chain([end]).collect();
            let asked = bounds.windows(2).nth(argument).map(|bounds| &arguments[bounds[0] + 1..bounds[1]]);
            if asked.is_some_and(is_far) {
                found.push(format!("{reader}{}", &arguments[..=end]));
            }
        }
    }
    found
}

#[test]
fn rows_are_read_by_the_names_of_their_columns() {
    let mut wrong = Vec::new();
    for (path, text) in sources("store") {
        wrong.extend(reads_by_position(&text).into_iter().map(|call| format!("{}: {call}", path.display())));
    }
    assert!(wrong.is_empty(), "columns read by position:\n{}", wrong.join("\n"));
}

#[test]
fn a_column_read_by_position_is_found() {
    for planted in [
        "id: get(row, 3)?,",
        "get::<Option<i64>>(&row, 12)?.map(Instant)",
        "let is_shown = flag(row, 3)?;",
        "by: person(row, [4, 5, 6])?,",
        "let name = get(\n    row,\n    7,\n)?;",
        "get(row, at + 1)?",
        "let number = |at: usize| get::<i64>(&row, at);",
        "row.try_get_by_index(3)?",
    ] {
        assert_eq!(reads_by_position(planted).len(), 1, "{planted}");
    }
    for right in [
        "get(&row, 2)?",
        "get::<[i64; 4]>(row, \"place_4\")?",
        "person(row, [\"updated_by\", \"first_name\", \"last_name\"])?",
        "// get(row, 3)",
        "widget(row, 3)",
        "fn person(row: &QueryResult, columns: [usize; 3]) {",
        "targets.get(3)",
    ] {
        assert_eq!(reads_by_position(right).len(), 0, "{right}");
    }
}

#[test]
fn statements_are_text_and_go_through_one_module() {
    // Migrations and the comparison with the replica run before there is anything else, and beside it. A batch of parcours gives its values at
    // once. Inserts that were held back are sent by a commit, which is below it.
    let beside = [
        "store/src/sql.rs",
        "store/src/held_inserts.rs",
        "store/src/replica.rs",
        "migrations/mod.rs",
        "migrations/schema.rs",
        "parcours/batch.rs",
    ];
    let raw = [".execute_raw(", ".query_one_raw(", ".query_all_raw("];
    let found = lines_with("store", &raw, &beside);
    assert!(found.is_empty(), "statements that do not go through store::sql:\n{}", found.join("\n"));
    let entities = ["DeriveEntityModel", "EntityTrait", "ActiveModel", "ColumnTrait", "sea_query::"];
    let found = lines_with("store", &entities, &[]);
    assert!(found.is_empty(), "SQL that is no text:\n{}", found.join("\n"));
}

#[test]
fn only_the_configuration_reads_the_environment() {
    for crate_name in crate_names().iter().filter(|crate_name| *crate_name != "teststore") {
        let words = ["env::var(", "env::var_os(", "env::vars(", "Env::raw(", "Env::prefixed("];
        let found = lines_with(crate_name, &words, &["jalon/src/config/load.rs"]);
        let real: Vec<_> = found.into_iter().filter(|line| !is_test(line)).collect();
        assert!(real.is_empty(), "the environment is read outside of the configuration:\n{}", real.join("\n"));
    }
}

/// Lines of `#[cfg(test)]` files by their name.
fn is_test(line: &str) -> bool {
    line.contains("/tests.rs:") || line.contains("/tests/") || line.contains("JALON_SHARED")
}

/// Crates that can open an outgoing connection, also those that are only behind a feature of this workspace.
const CLIENTS: [&str; 14] = [
    "attohttpc",
    "awc",
    "aws-sdk-s3",
    "curl",
    "hyper-util",
    "isahc",
    "lettre",
    "minreq",
    "object_store",
    "opendal",
    "reqwest",
    "surf",
    "tokio-tungstenite",
    "ureq",
];

/// The outgoing clients of a manifest, tests included.
fn clients_of(crate_name: &str, manifest: &str) -> Vec<String> {
    // The server's half of hyper-util accepts connections. object_store without its own HTTP client opens none: `connect` does. The S3 server of
    // the tests passes requests on to a real one (`make test-s3`); it is in no binary.
    let is_allowed = |name: &str| match name {
        "hyper-util" if crate_name == "teststore" => true,
        "hyper-util" => {
            crate_name == "server" && !manifest.lines().any(|line| line.starts_with(name) && line.contains("\"client"))
        }
        "object_store" => {
            let line = manifest.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            crate_name == "store" && ["\"aws\"", "\"reqwest\""].iter().all(|client| !line.contains(client))
        }
        _ => false,
    };
    let names =
        [DependencyKind::Build, DependencyKind::Tests].into_iter().flat_map(|wanted| names_in(manifest, wanted));
    names.filter(|name| CLIENTS.contains(&name.as_str()) && !is_allowed(name)).collect()
}

#[test]
fn only_connect_opens_outgoing_connections() {
    for crate_name in our_names().iter().filter(|crate_name| *crate_name != "connect") {
        let wrong = clients_of(crate_name, &manifest(&folder_of(crate_name)));
        assert!(wrong.is_empty(), "{crate_name} depends on {wrong:?}");
        let found = lines_with(&folder_of(crate_name), &["TcpStream::connect", "UdpSocket::"], &[]);
        assert!(found.is_empty(), "a connection opened outside of connect:\n{}", found.join("\n"));
    }
}

#[test]
fn an_outgoing_client_outside_of_connect_is_found() {
    for manifest in [
        "[dependencies]\nreqwest = { version = \"0.12\", optional = true }\n",
        "[target.'cfg(unix)'.dependencies]\nobject_store = { version = \"0.12\", features = [\"aws\"] }\n",
        "[dev-dependencies]\nureq.workspace = true\n",
    ] {
        assert_eq!(clients_of("feeds", manifest).len(), 1, "{manifest}");
    }
    let server = "[dependencies]\nhyper-util = { version = \"0.1\", features = [\"client-legacy\"] }\n";
    assert_eq!(clients_of("server", server), ["hyper-util"]);
    let store = "[dependencies]\nobject_store = { version = \"0.14\", features = [\"aws\"] }\n";
    assert_eq!(clients_of("store", store), ["object_store"]);
}

#[test]
fn every_route_is_in_the_contract() {
    // `routes!` writes a route and its operation at once; these write a route alone.
    let past_the_contract =
        [".route(", ".route_service(", ".nest(", ".nest_service(", ".fallback(", ".fallback_service("];
    for crate_name in WITH_HANDLERS.into_iter().chain(["app", "jalon"]) {
        let found = lines_with(crate_name, &past_the_contract, &[]);
        // The planner's routes are roads, what no route takes is a file of the web app, and measurements have an address of their own,
        // which visitors do not reach.
        // An assistant's tools are listed by their own protocol (decision 0067).
        let others = [
            "engine.route(",
            ".fallback(assets::fallback)",
            "Router::new().fallback(measurements)",
            "routes.route(PATH, any(handler))",
        ];
        let is_other = |line: &String| others.iter().any(|other| line.contains(other));
        let wrong: Vec<_> = found.into_iter().filter(|line| !is_other(line)).collect();
        assert!(wrong.is_empty(), "routes that are not in the contract:\n{}", wrong.join("\n"));
    }
}

#[test]
fn the_time_is_read_from_the_injected_clock_only() {
    for crate_name in WITH_HANDLERS.into_iter().chain(["app", "store", "domain", "jobs"]) {
        let found =
            lines_with(crate_name, &["SystemTime::now", "Utc::now", "OffsetDateTime::now"], &["domain/src/clock.rs"]);
        assert!(found.is_empty(), "the time is read past the clock:\n{}", found.join("\n"));
    }
}

#[test]
fn every_test_of_store_and_api_that_touches_a_database_runs_on_both() {
    for crate_name in ["store", "api", "jobs"] {
        let mut tests = Vec::new();
        read(&crates().join(crate_name).join("tests"), &mut tests);
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
