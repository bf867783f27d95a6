//! `docs/dev/specification-coverage.md` lists only what exists.

use std::path::{Path, PathBuf};

use testkit::{shared_data, skipped};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/dev/specification-coverage.md")).unwrap()
}

/// The named requirements and their proofs, row by row.
fn rows(page: &str) -> Vec<(&str, Vec<&str>)> {
    page.lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.rsplit_once(" | "))
        .filter(|(what, _)| *what != "what the specification names" && !what.starts_with("---"))
        .map(|(what, proofs)| (what, proofs.split("<br>").collect()))
        .collect()
}

/// Why a proof proves nothing, if it does not.
fn fault(proof: &str) -> Option<String> {
    let Some((file, test)) = proof.strip_prefix('`').and_then(|rest| rest.split_once("`: ")) else {
        return Some(format!("`{proof}` is no proof"));
    };
    let Ok(text) = std::fs::read_to_string(root().join(file)) else {
        return Some(format!("{file} is gone"));
    };
    let is_there = if file.ends_with(".rs") {
        text.contains(&format!("fn {test}("))
    } else {
        // The title of a long call is on a line of its own.
        ["'", "\"", "`"].iter().any(|quote| {
            let title = format!("{quote}{test}{quote}");
            text.match_indices(title.as_str()).any(|(at, _)| text[..at].trim_end().ends_with('('))
        })
    };
    (!is_there).then(|| format!("{file} has no test « {test} »"))
}

#[test]
fn each_row_names_a_test_that_is_there() {
    let page = page();
    let rows = rows(&page);
    assert!(rows.len() > 150, "only {} rows were read", rows.len());
    let proofs = rows.iter().flat_map(|(what, proofs)| proofs.iter().map(move |proof| (what, *proof)));
    let faults: Vec<String> =
        proofs.filter_map(|(what, proof)| fault(proof).map(|why| format!("{what}: {why}"))).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn each_path_and_each_constant_of_the_specification_has_a_row() {
    let Some(shared) = shared_data() else {
        return skipped("each_path_and_each_constant_of_the_specification_has_a_row", "../shared/data is missing");
    };
    let specification = std::fs::read_to_string(shared.join("../spec/specification.md")).unwrap();
    let section = |number: &str| -> String {
        let rest = specification.split(&format!("\n## {number}. ")).nth(1).unwrap();
        rest.split("\n## ").next().unwrap().to_owned()
    };
    let page = page();
    let what: String = rows(&page).iter().map(|(what, _)| format!("{what}\n")).collect();
    let routes = section("2");
    let in_table = routes.lines().filter_map(|line| line.strip_prefix("| /")?.split(" |").next());
    let in_list = routes.lines().filter_map(|line| line.strip_prefix("- /")?.split(' ').next());
    let mut paths: Vec<String> =
        in_table.chain(in_list).flat_map(|cell| cell.split(", /")).map(|path| format!("`/{path}`")).collect();
    paths.sort();
    assert!(paths.len() > 25, "only {} paths were read", paths.len());
    let missing: Vec<&String> = paths.iter().filter(|path| !what.contains(path.as_str())).collect();
    assert!(missing.is_empty(), "no row: {missing:?}");
    let numbers = ["1 day", "3 days", "365 days", "95", "0, 1, 2", "1 MB", "200 KB", "10 days", "25 to 40", "en-US"];
    let constants = page.split("\n## 9. ").nth(1).unwrap();
    for number in numbers {
        assert!(section("9").contains(number.split(',').next().unwrap()), "{number} is not in the specification");
        assert!(constants.contains(number), "no row: {number}");
    }
}
