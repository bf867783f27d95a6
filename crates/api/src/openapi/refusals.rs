//! Which refusals each operation may answer. A resource has one error type for all its operations; the rules here remove the
//! errors that an operation cannot make. The tests compare every refusal that they receive with these rules (`testkit`).

use std::collections::{BTreeMap, BTreeSet};

use app::Rejection;
use app::problem::{AsProblem, CODES, Code, UNAVAILABLE};
use outputs::feed::FeedError;
use serde_json::Value;

use super::shared::{BEFORE, Refusal, Refusals};

/// The properties of an operation on which its refusals depend.
struct Traits<'a> {
    path: &'a str,
    verb: &'a str,
    /// Whether it changes something.
    writes: bool,
    /// Whether it takes parameters in the query.
    has_query: bool,
    /// Whether it takes `If-Match`.
    has_version: bool,
    has_body: bool,
    /// Whether this body is JSON.
    has_json: bool,
    /// Whether a session, or the key of a white-label, is one of the ways to it.
    session: bool,
    key: bool,
}

impl<'a> Traits<'a> {
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

    /// Whether it reads a list of records, or one record.
    fn is_plain_read(&self) -> bool {
        let below = self.path.strip_prefix("/api/v1/").unwrap_or_default();
        let own = below.split_once('/').map_or("", |(_, rest)| rest);
        self.verb == "get" && (own.is_empty() || own == "{id}")
    }

    /// Whether it needs a session.
    fn needs_session(&self, operation: &Value) -> bool {
        let ways = operation["security"].as_array();
        ways.is_some_and(|ways| !ways.is_empty() && ways.iter().all(|way| way["session"].is_array()))
    }

    /// Whether it plans a route.
    fn plans(&self) -> bool {
        self.names(&["/planner/", "/trace", "/recalculation", "/closures"])
    }

    /// Whether it reads the file of a trace from its body.
    fn reads_trace(&self) -> bool {
        self.writes && self.names(&["/trace", "/recalculation", "/planner/", "/line", "/import"])
    }

    /// Whether it takes the file of a media.
    fn takes_media(&self) -> bool {
        self.writes
            && (self.ends(&["/medias", "/file", "/poster", "/photo"]) || self.names(&["/translations/", "/uploads"]))
    }

    /// Whether it may answer this status and code.
    fn may_answer(&self, status: u16, code: &str) -> bool {
        self.may_refuse_request(code)
            .or_else(|| self.may_refuse_record(code))
            .or_else(|| self.may_refuse_parcours(code))
            .or_else(|| self.may_refuse_feed(code))
            // An operation that changes nothing meets no conflict.
            .unwrap_or(self.writes || status != 409)
    }

    /// Refusals of the request itself; `None` for another code.
    fn may_refuse_request(&self, code: &str) -> Option<bool> {
        Some(match code {
            "session/required"
            | "session/expired"
            | "auth/forbidden"
            | "auth/no-white-label"
            | "auth/totp-setup-required" => self.session,
            "auth/blocked" => self.session || self.ends(&["/session"]),
            "auth/foreign-origin" => self.writes && !self.path.starts_with("/api/public/"),
            "not-found" => self.path.contains('{') || self.ends(&["/certificates/ask"]),
            "request/method-not-allowed" => false,
            "request/bad-query" => self.has_query,
            "request/missing-query" => self.ends(&["/parcours/changes"]),
            "request/bad-json" | "request/bad-field" | "request/not-json" => self.has_json,
            "request/broken-body" | "request/too-slow" | "request/too-large" | "request/encoded" => self.has_body,
            "version/required" | "version/stale" => self.has_version,
            "validation/failed" => self.writes || self.names(&["{language}", "/voices"]),
            "validation/unknown-language" => self.names(&["{language}", "/voices"]),
            _ => return None,
        })
    }

    /// Refusals of a record; `None` for another code.
    fn may_refuse_record(&self, code: &str) -> Option<bool> {
        Some(match code {
            "record/revision-not-found" | "parcours/revision-not-found" => self.names(&["/revisions/{version}"]),
            "record/undo-expired" | "parcours/undo-expired" => self.ends(&["/bulk/undo", "/tables/{kind}/undo"]),
            "table/too-many-rows" => self.ends(&["/tables/{kind}"]),
            _ if code.starts_with("table/") => self.writes && self.ends(&["/tables/{kind}"]),
            "record/bulk-too-many" => self.names(&["/bulk"]),
            "record/cannot-merge" => self.ends(&["/merge"]),
            "record/already-yours" | "parcours/already-yours" => self.names(&["/white-labels/{white_label_id}"]),
            "record/white-label-not-yours" | "parcours/white-label-not-yours" => self.writes,
            "ground/not-found" => self.ends(&["/review", "/track.gpx"]),
            _ if code.starts_with("ground/") => self.verb == "put" && !self.ends(&["/review"]),
            "me/no-such-token" => self.names(&["/tokens/{id}"]),
            "me/token-name" | "me/token-days" | "me/too-many-tokens" => self.verb == "post",
            "me/wrong-password" => self.has_json,
            _ if code.ends_with("in-use") => self.verb == "delete" || self.ends(&["/merge"]),
            _ if code.ends_with("not-yours") => !self.is_plain_read(),
            "share/too-many" => self.verb == "post" && self.ends(&["/shares"]),
            "upload/too-many" | "upload/too-many-bytes" => self.verb == "post" && self.ends(&["/uploads"]),
            _ if code.starts_with("media/") && code != "media/not-found" => self.takes_media(),
            _ if code.starts_with("user/") && code != "user/not-found" => self.writes,
            _ => return None,
        })
    }

    /// Refusals of a parcours; `None` for another code.
    fn may_refuse_parcours(&self, code: &str) -> Option<bool> {
        Some(match code {
            "parcours/agency-only" => self.writes && self.names(&["/parcours", "/roadbook"]),
            "parcours/title-required-to-publish" => self.ends(&["/publication", "/bulk"]),
            "parcours/duplicate-title-required" => self.ends(&["/duplicate"]),
            "parcours/bulk-too-many" => self.names(&["/bulk", "/roadbook-batches"]),
            "parcours/no-proposal" => self.names(&["/proposals/"]),
            // Made by programs alone, which are not in the contract.
            "parcours/proposal-same" | "parcours/too-many-proposals" => false,
            "parcours/no-detour" | "parcours/detour-changed" => self.names(&["/detours"]),
            "parcours/no-trace" if self.ends(&["/planner/analysis"]) => true,
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

    /// Refusals of a feed; `None` for another code.
    fn may_refuse_feed(&self, code: &str) -> Option<bool> {
        // Geotrek's API: its clients try again after 503 only.
        let is_geotrek = self.names(&["/api/v2/"]);
        Some(match code {
            "feed/secret-in-address" => self.path.starts_with("/k/"),
            "feed/key-of-pages" => self.key && self.names(&["/open-data/"]),
            "feed/key-required" | "feed/key-unknown" | "feed/origin" => self.key || self.names(&["/widget/"]),
            "feed/too-many" => self.key && !is_geotrek,
            "feed/later" | "feed/no-endpoint" | "feed/not-read" => is_geotrek,
            "feed/page-beyond" => {
                is_geotrek || self.ends(&["/public/v1/parcours", "/public/v1/pois", "/parcours/changes"])
            }
            "feed/bad-box" => self.has_query,
            _ => return None,
        })
    }
}

/// The refusals that the server answers before an operation begins (too many requests, no session or no key, a body that cannot
/// be read) or in any operation (a failure of the server or of the bucket).
fn before(traits: &Traits<'_>, operation: &Value) -> Vec<Code> {
    let with_session = traits.needs_session(operation);
    let always = |code: &str| ["request/too-many", "request/overloaded", "internal"].contains(&code);
    let of_sessions =
        |code: &str| code.starts_with("session/") || (code.starts_with("auth/") && code != "auth/foreign-origin");
    let all = Rejection::codes().into_iter().filter(|one| one.code != "not-found");
    let all = all.filter(|one| one.code != "request/bad-query" || traits.has_query);
    let of_keys = [
        "feed/key-required",
        "feed/key-unknown",
        "feed/key-of-pages",
        "feed/secret-in-address",
        "feed/origin",
        "feed/too-many",
        "feed/later",
    ];
    let of_feeds = FeedError::codes().into_iter().filter(|one| of_keys.contains(&one.code) && traits.key);
    all.filter(|one| always(one.code) || traits.may_refuse_request(one.code) == Some(true))
        .filter(|one| with_session || !of_sessions(one.code))
        .chain(of_feeds.filter(|one| traits.may_refuse_feed(one.code) == Some(true)))
        .chain(UNAVAILABLE)
        .collect()
}

/// Adds to each operation references to the refusals that it may answer, and adds these refusals to the components.
pub(super) fn add_to(contract: &mut Value) {
    let mut all: BTreeMap<Refusal, usize> = BTreeMap::new();
    let mut of_operations: BTreeMap<(String, String), BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (path, item) in contract["paths"].as_object().into_iter().flatten() {
        for (verb, operation) in item.as_object().into_iter().flatten() {
            let own = refusals(path, verb, operation);
            for refusal in own.iter().map(refusal) {
                *all.entry(refusal).or_default() += 1;
            }
            of_operations.insert((path.clone(), verb.clone()), own);
        }
    }
    let refusals = Refusals::new(&all);
    for ((path, verb), own) in of_operations {
        let Some(answers) = contract["paths"][path][verb]["responses"].as_object_mut() else { continue };
        answers.retain(|_, answer| answer[CODES].is_null());
        for (status, codes) in &own {
            // A page says in HTML what is not there.
            if answers.get(status).is_some_and(|answer| answer["content"].is_object()) {
                continue;
            }
            answers.insert(status.clone(), refusals.reference(&refusal((status, codes))));
        }
    }
    contract["components"]["responses"] = refusals.components(&all);
}

fn refusal((status, codes): (&String, &BTreeSet<String>)) -> Refusal {
    (status.clone(), codes.iter().cloned().collect())
}

/// The codes of the refusals of an operation, by status. All refusals made before the operation begins are listed under `default`, and a
/// status that also has refusals of the operation itself is listed with both.
fn refusals(path: &str, verb: &str, operation: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let traits = Traits::new(path, verb, operation);
    let before = before(&traits, operation);
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (status, answer) in operation["responses"].as_object().into_iter().flatten() {
        let Ok(number) = status.parse() else { continue };
        let codes = answer[CODES].as_array().into_iter().flatten().filter_map(Value::as_str);
        let codes: BTreeSet<String> = codes.filter(|code| traits.may_answer(number, code)).map(str::to_owned).collect();
        if codes.iter().any(|code| before.iter().all(|one| one.code != code)) {
            let general = before.iter().filter(|one| one.status == number).map(|one| one.code.to_owned());
            found.insert(status.clone(), general.chain(codes).collect());
        }
    }
    // A part of the path that cannot be read names nothing: a word in place of a number, or the character U+0000.
    if path.contains('{') {
        found.entry("404".to_owned()).or_default().insert("not-found".to_owned());
    }
    found.insert(BEFORE.to_owned(), before.iter().map(|one| one.code.to_owned()).collect());
    found
}
