//! Modules of a crate use each other one way. A module here is a file or folder directly under `src`; what it uses is read from the
//! code, from `use` and from paths that begin with `crate::` or `super::`. Tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::architecture::{crate_names, sources};

/// The modules that each module uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// A path of a `use` item, and the name it has here.
type Used = (Vec<String>, String);

/// The paths of a `use` tree, such as `a::{b, c::d as e}`.
fn paths(tree: &str, before: &[String]) -> Vec<Used> {
    let tree = tree.trim();
    if let Some((head, inside)) = tree.split_once('{') {
        let head = head.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned);
        let before: Vec<String> = before.iter().cloned().chain(head).collect();
        let inside = inside.rsplit_once('}').map_or(inside, |(inside, _)| inside);
        let (mut depth, mut start, mut found) = (0, 0, Vec::new());
        for (at, sign) in inside.char_indices().chain([(inside.len(), ',')]) {
            match sign {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    if !inside[start..at].trim().is_empty() {
                        found.extend(paths(&inside[start..at], &before));
                    }
                    start = at + 1;
                }
                _ => {}
            }
        }
        return found;
    }
    let (path, name) =
        tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name.trim().to_owned())));
    let path = path.split("::").map(|part| part.trim().to_owned());
    let path: Vec<String> = before.iter().cloned().chain(path).collect();
    let name = name.or_else(|| path.last().cloned()).unwrap_or_default();
    vec![(path, name)]
}

/// The `use` items of a source.
fn used(text: &str, only_public: bool) -> Vec<Used> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("use ") {
        let before = text[..at].rsplit('\n').next().unwrap_or_default().trim_start();
        let is_public = before.starts_with("pub");
        if is_public || (before.is_empty() && !only_public) {
            found.extend(text[at + 4..].split_once(';').map(|(tree, _)| paths(tree, &[])).unwrap_or_default());
        }
    }
    found
}

/// The identifier at the start of a text: letters, digits and `_`.
fn name_at(text: &str) -> &str {
    text.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next().unwrap_or_default()
}

/// The source without comments and tests, and the names of the modules that only tests have.
fn without_tests(text: &str) -> (String, Vec<String>) {
    let (mut kept, mut in_tests, mut is_test) = (String::new(), Vec::new(), false);
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        if code.trim() == "#[cfg(test)]" {
            is_test = true;
        } else if is_test && code.starts_with("mod ") {
            if code.trim_end().ends_with('{') {
                // Nothing follows the tests of a file: a lint keeps it so.
                break;
            }
            in_tests.push(name_at(&code[4..]).to_owned());
            is_test = false;
        } else if !(is_test && code.trim_start().starts_with("#[")) {
            is_test = false;
            kept.push_str(code);
            kept.push('\n');
        }
    }
    (kept, in_tests)
}

/// What the modules of a crate use, of its sources by their paths under `src`.
fn uses(sources: &[(String, String)]) -> Uses {
    let is_root = |path: &str| path == "lib.rs" || path == "main.rs";
    let mut tests = BTreeSet::new();
    let mut kept = Vec::new();
    for (path, text) in sources {
        let (text, in_tests) = without_tests(text);
        let path = Path::new(path);
        let is_folder = path.file_name().is_some_and(|name| name == "mod.rs") || path.to_str().is_some_and(is_root);
        let folder = if is_folder { path.parent().unwrap_or(path).to_owned() } else { path.with_extension("") };
        for name in in_tests {
            tests.insert(folder.join(format!("{name}.rs")));
            tests.insert(folder.join(name));
        }
        kept.push((path, text));
    }
    kept.retain(|(path, _)| !path.ancestors().any(|part| tests.contains(part)));
    let root = kept.iter().filter(|(path, _)| path.to_str().is_some_and(is_root));
    let root: String = root.map(|(_, text)| text.as_str()).collect();
    let modules: BTreeSet<&str> =
        root.lines().filter_map(|line| line.split_once("mod ")).map(|(_, rest)| name_at(rest)).collect();
    let mut exported = BTreeMap::new();
    for (mut path, name) in used(&root, true) {
        if path.first().is_some_and(|first| first == "crate" || first == "self") {
            path.remove(0);
        }
        if let Some(module) = path.first().and_then(|first| modules.get(first.as_str())) {
            exported.insert(name, *module);
        }
    }
    let mut found = Uses::new();
    for (path, text) in kept {
        let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
        let own = parts[0].trim_end_matches(".rs");
        if !modules.contains(own) || (parts.len() == 1 && is_root(parts[0])) {
            continue;
        }
        let depth = parts.len() - usize::from(parts.last() == Some(&"mod.rs"));
        let mut names: Vec<String> = Vec::new();
        for (path, _) in used(&text, false) {
            let up = path.iter().take_while(|part| *part == "super").count();
            let start = if path[0] == "crate" { 1 } else { up };
            if (path[0] == "crate" || up == depth) && start < path.len() {
                names.push(path[start].clone());
            }
        }
        names.extend(text.match_indices("crate::").map(|(at, word)| name_at(&text[at + word.len()..]).to_owned()));
        let root_by_super = "super::".repeat(depth);
        for (at, word) in text.match_indices(&root_by_super) {
            if !text[..at].ends_with("super::") {
                names.push(name_at(&text[at + word.len()..]).to_owned());
            }
        }
        for name in names {
            let module = modules.get(name.as_str()).or_else(|| exported.get(&name)).copied();
            if let Some(module) = module.filter(|module| *module != own) {
                found.entry(own.to_owned()).or_default().insert(module.to_owned());
            }
        }
    }
    found
}

/// What a module uses, itself or through others.
fn reach<'a>(uses: &'a Uses, from: &str) -> BTreeSet<&'a str> {
    let direct = |name: &str| uses.get(name).into_iter().flatten().map(String::as_str);
    let mut waiting: Vec<&str> = direct(from).collect();
    let mut seen = BTreeSet::new();
    while let Some(next) = waiting.pop() {
        if seen.insert(next) {
            waiting.extend(direct(next));
        }
    }
    seen
}

/// The modules of the largest circle. Empty where there is none.
fn largest_circle(uses: &Uses) -> Vec<String> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = uses.keys().map(|name| (name.as_str(), reach(uses, name))).collect();
    let circle = |name: &str| -> Vec<String> {
        let mutual = reached[name].iter().filter(|other| reached.get(**other).is_some_and(|back| back.contains(name)));
        mutual.map(|other| (*other).to_owned()).collect()
    };
    reached.keys().map(|name| circle(name)).max_by_key(Vec::len).unwrap_or_default()
}

#[test]
fn the_modules_of_a_crate_have_no_circle() {
    for name in crate_names() {
        let read = sources(&name);
        let under = |path: &Path| {
            let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
            let src = parts.iter().rposition(|part| *part == "src").map_or(0, |at| at + 1);
            parts[src..].join("/")
        };
        let read: Vec<(String, String)> = read.into_iter().map(|(path, text)| (under(&path), text)).collect();
        let circle = largest_circle(&uses(&read));
        assert!(circle.is_empty(), "{name}: {circle:?} use each other");
    }
}

#[test]
fn a_circle_of_modules_is_found_however_it_is_written() {
    let root = "mod a;\nmod b;\npub use b::{Thing, other as renamed};\n";
    let planted = [
        "use crate::b::Thing;",
        "use crate::{x, b::{self, y}};",
        "pub(crate) use super::b::Thing;",
        "fn f() { super::b::f() }",
        "use crate::Thing;",
        "fn f() -> crate::renamed { todo!() }",
    ];
    for text in planted {
        let crate_of = |b: &str| {
            [("lib.rs", root), ("a.rs", text), ("b/mod.rs", b)].map(|(path, text)| (path.to_owned(), text.to_owned()))
        };
        assert_eq!(largest_circle(&uses(&crate_of("use crate::a::F;"))), ["a", "b"], "{text}");
        assert!(largest_circle(&uses(&crate_of("fn f() {}"))).is_empty(), "{text}");
        let in_tests = "fn f() {}\n#[cfg(test)]\n#[allow(dead_code)]\nmod tests {\n    use crate::a::F;\n}\n";
        assert!(largest_circle(&uses(&crate_of(in_tests))).is_empty(), "a test may use everything: {text}");
    }
}
