//! What each operation may refuse. The errors of a resource are one list for all its operations; here is said which of them only
//! some operations make. The tests compare each refusal they see with this (`testkit`).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::shared::{BEFORE, Refusal, Refusals};
use crate::Rejection;
use crate::feed::FeedError;
use crate::problem::{AsProblem, CODES, Code};

/// An operation, as far as its refusals depend on it.
struct Asked<'a> {
    path: &'a str,
    verb: &'a str,
    /// Whether it changes something.
    writes: bool,
    /// Whether the path, the query, the headers or the body can be wrong.
    has_query: bool,
    has_version: bool,
    has_body: bool,
    has_json: bool,
    /// Whether a session, or the key of a white-label, is one of the ways to it.
    session: bool,
    key: bool,
}

impl<'a> Asked<'a> {
    fn new(path: &'a str, verb: &'a str, operation: &Value) -> Self {
        let parameters = || operation["parameters"].as_array().into_iter().flatten();
        let ways = || operation["security"].as_array().into_iter().flatten();
        let media = operation["requestBody"]["content"].as_object();
        Self {
            path,
            verb,
            writes: !["get", "head", "options"].contains(&verb),
            has_query: parameters().any(|one| one["in"] == "query"),
            has_version: parameters().any(|one| one["name"] == "If-Match"),
            has_body: media.is_some(),
            has_json: media.is_some_and(|media| media.keys().any(|kind| kind.ends_with("json"))),
            session: ways().any(|way| way["session"].is_array()),
            key: ways().any(|way| way["api_key"].is_array()),
        }
    }

    /// Whether one of these words is in the path.
    fn names(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.path.contains(word))
    }

    fn ends(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.path.ends_with(word))
    }

    /// A list of records, or one of them: everybody who sees them reads them.
    fn is_plain_read(&self) -> bool {
        let below = self.path.strip_prefix("/api/v1/").unwrap_or_default();
        let own = below.split_once('/').map_or("", |(_, rest)| rest);
        self.verb == "get" && (own.is_empty() || own == "{id}")
    }

    /// Whether a session is the only way to it.
    fn needs_session(&self, operation: &Value) -> bool {
        let ways = operation["security"].as_array();
        ways.is_some_and(|ways| !ways.is_empty() && ways.iter().all(|way| way["session"].is_array()))
    }

    /// Whether a route is planned for it.
    fn plans(&self) -> bool {
        self.names(&["/planner/", "/trace", "/recalculation", "/closures"])
    }

    /// Whether it reads the file of a trace.
    fn reads_trace(&self) -> bool {
        self.writes && self.names(&["/trace", "/recalculation", "/planner/", "/line", "/import"])
    }

    /// Whether a file of a media comes with it.
    fn takes_media(&self) -> bool {
        self.writes
            && (self.ends(&["/medias", "/file", "/poster", "/photo"]) || self.names(&["/translations/", "/uploads"]))
    }

    /// Whether this refusal can be its answer.
    fn may_answer(&self, status: u16, code: &str) -> bool {
        self.may_be_asked_so(code)
            .or_else(|| self.may_happen_to_a_record(code))
            .or_else(|| self.may_happen_to_a_parcours(code))
            .or_else(|| self.may_happen_to_a_feed(code))
            // What only reads changes nothing that could stand in its way.
            .unwrap_or(self.writes || status != 409)
    }

    /// What is wrong with the request itself.
    fn may_be_asked_so(&self, code: &str) -> Option<bool> {
        Some(match code {
            "session/required"
            | "session/expired"
            | "auth/forbidden"
            | "auth/no-white-label"
            | "auth/totp-setup-required" => self.session,
            "auth/blocked" => self.session || self.ends(&["/session"]),
            "auth/foreign-origin" => self.writes && !self.path.starts_with("/api/public/"),
            "not-found" => self.path.contains('{'),
            "request/method-not-allowed" => false,
            // A filter in a body is read like a query.
            "request/bad-query" => {
                self.has_query || (self.writes && self.names(&["/bulk", "/roadbook-batches", "/translation-jobs"]))
            }
            "request/bad-json" | "request/bad-field" | "request/not-json" => self.has_json,
            "request/broken-body" | "request/too-slow" | "request/too-large" | "request/encoded" => self.has_body,
            "version/required" | "version/stale" => self.has_version,
            "validation/failed" => self.writes || self.names(&["{language}"]),
            "validation/unknown-language" => self.names(&["{language}"]),
            _ => return None,
        })
    }

    fn may_happen_to_a_record(&self, code: &str) -> Option<bool> {
        Some(match code {
            "record/revision-not-found" | "parcours/revision-not-found" => self.names(&["/revisions/{version}"]),
            "record/undo-expired" | "parcours/undo-expired" => self.ends(&["/bulk/undo"]),
            "record/bulk-too-many" => self.names(&["/bulk"]),
            "record/cannot-merge" => self.ends(&["/merge"]),
            "record/already-yours" | "parcours/already-yours" => self.names(&["/white-labels/{white_label_id}"]),
            "record/white-label-not-yours" | "parcours/white-label-not-yours" => self.writes,
            _ if code.ends_with("in-use") => self.verb == "delete" || self.ends(&["/merge"]),
            _ if code.ends_with("not-yours") => !self.is_plain_read(),
            _ if code.starts_with("media/") && code != "media/not-found" => self.takes_media(),
            _ if code.starts_with("user/") && code != "user/not-found" => self.writes,
            _ => return None,
        })
    }

    fn may_happen_to_a_parcours(&self, code: &str) -> Option<bool> {
        Some(match code {
            "parcours/agency-only" => self.writes && self.names(&["/parcours", "/roadbook"]),
            "parcours/title-required-to-publish" => self.ends(&["/publication", "/bulk"]),
            "parcours/duplicate-title-required" => self.ends(&["/duplicate"]),
            "parcours/bulk-too-many" => self.names(&["/bulk", "/roadbook-batches"]),
            "parcours/no-detour" | "parcours/detour-changed" => self.names(&["/detours"]),
            "parcours/no-trace" | "trace/no-source" => {
                self.names(&["/trace", "/recalculation", "/closures", "/roadbook"])
            }
            "planner/change-not-found" | "planner/watch-running" => self.names(&["/watch/"]),
            "roadbook/batch-not-found" => self.names(&["/roadbook-batches"]),
            "roadbook/client-file-not-found" => self.names(&["/client-files", "/roadbook"]),
            "roadbook/too-many-client-files" => self.writes && self.names(&["/client-files"]),
            "roadbook/nothing-chosen" => self.writes && self.names(&["/roadbook-batches"]),
            _ if code.starts_with("roadbook/") => self.writes && self.names(&["/roadbook"]),
            _ if code.starts_with("planner/") => self.plans(),
            _ if code.starts_with("trace/") => self.reads_trace(),
            _ if code.starts_with("speech/") => self.ends(&["/speech"]),
            _ => return None,
        })
    }

    fn may_happen_to_a_feed(&self, code: &str) -> Option<bool> {
        // Readers of Geotrek's dialect try again after 503 alone.
        let dialect = self.names(&["/api/v2/"]);
        Some(match code {
            "feed/secret-in-address" => self.path.starts_with("/k/"),
            "feed/key-required" | "feed/key-unknown" | "feed/origin" => self.key || self.names(&["/widget/"]),
            "feed/too-many" => self.key && !dialect,
            "feed/later" | "feed/no-endpoint" | "feed/not-read" | "feed/page-beyond" => dialect,
            "feed/bad-box" => self.has_query,
            _ => return None,
        })
    }
}

/// What comes before an operation: too many requests, a session or a key that is missing, a body that cannot be read.
fn before(asked: &Asked<'_>, operation: &Value) -> Vec<Code> {
    let with_session = asked.needs_session(operation);
    let always = |code: &str| ["request/too-many", "request/overloaded", "internal"].contains(&code);
    let of_sessions =
        |code: &str| code.starts_with("session/") || (code.starts_with("auth/") && code != "auth/foreign-origin");
    let all = Rejection::codes().into_iter().filter(|one| one.code != "not-found");
    let all = all.filter(|one| one.code != "request/bad-query" || asked.has_query);
    let of_keys = [
        "feed/key-required",
        "feed/key-unknown",
        "feed/secret-in-address",
        "feed/origin",
        "feed/too-many",
        "feed/later",
    ];
    let of_feeds = FeedError::codes().into_iter().filter(|one| of_keys.contains(&one.code) && asked.key);
    all.filter(|one| always(one.code) || asked.may_be_asked_so(one.code) == Some(true))
        .filter(|one| with_session || !of_sessions(one.code))
        .chain(of_feeds.filter(|one| asked.may_happen_to_a_feed(one.code) == Some(true)))
        .collect()
}

/// Writes on each operation the refusals it may make, by reference, and these among the components.
pub(super) fn tell(contract: &mut Value) {
    let mut all = BTreeSet::new();
    let mut told: BTreeMap<(String, String), BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (path, item) in contract["paths"].as_object().into_iter().flatten() {
        for (verb, operation) in item.as_object().into_iter().flatten() {
            let own = refusals(path, verb, operation);
            all.extend(own.iter().map(refusal));
            told.insert((path.clone(), verb.clone()), own);
        }
    }
    let refusals = Refusals::new(&all);
    for ((path, verb), own) in told {
        let Some(answers) = contract["paths"][path][verb]["responses"].as_object_mut() else { continue };
        answers.retain(|_, answer| answer[CODES].is_null());
        for (status, codes) in &own {
            answers.insert(status.clone(), refusals.reference(&refusal((status, codes))));
        }
    }
    contract["components"]["responses"] = refusals.components(&all);
}

fn refusal((status, codes): (&String, &BTreeSet<String>)) -> Refusal {
    (status.clone(), codes.iter().cloned().collect())
}

/// The refusals of an operation. A status that only comes before it is not told by itself: that is the answer `default`, with a
/// closed list of codes as all others.
fn refusals(path: &str, verb: &str, operation: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let asked = Asked::new(path, verb, operation);
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (status, answer) in operation["responses"].as_object().into_iter().flatten() {
        let Ok(number) = status.parse() else { continue };
        let codes = answer[CODES].as_array().into_iter().flatten().filter_map(Value::as_str);
        for code in codes.filter(|code| asked.may_answer(number, code)) {
            found.entry(status.clone()).or_default().insert(code.to_owned());
        }
    }
    let before = before(&asked, operation);
    for Code { status, code } in &before {
        found.entry(status.to_string()).or_default().insert((*code).to_owned());
    }
    let comes_before = |codes: &BTreeSet<String>| codes.iter().all(|code| before.iter().any(|one| one.code == code));
    let (general, mut own): (BTreeMap<_, _>, BTreeMap<_, _>) =
        found.into_iter().partition(|(_, codes)| comes_before(codes));
    own.insert(BEFORE.to_owned(), general.into_values().flatten().collect());
    own
}
