//! No operation returns data of another tenant: every operation of the contract is called with the numbers of another
//! tenant's records, by every role, and no word that was planted in those records may come back.
//!
//! `world` makes the records, `calls` enumerates the operations from the contract and builds the requests, `answers` looks
//! into the responses. An operation that is added to the contract is called without any change here; one with a path
//! parameter whose values are not known fails the test.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

mod answers;
mod calls;
mod fill;
pub(crate) mod renderer;
pub(crate) mod world;

use std::collections::{BTreeMap, BTreeSet};

use answers::Found;
use calls::{Call, OpenedBy, Phase};
use domain::record::Kind;
use domain::{Actor, Role, StructureId};
use macros::app_test;
use testkit::{Client, TestApp};
use world::World;

use crate::feeds::new_api_key;

/// Of which addresses a person tries every query; the plain requests are sent by everybody.
///
/// The feed of Geotrek has nine of ten queries. Where its address names a key of pages, `key_of` of `outputs/src/feed/access.rs` looks at nothing
/// else: one person, without any credentials, tries the queries for all (and the owner's administrator over stored layouts). Where it does not,
/// `authorize` refuses requests without an API key before a handler sees the query: those with one try the queries, and `ask` fails where
/// the plain request of a person without one, who tries other queries, is not refused.
type Queries = &'static [OpenedBy];

const NO_QUERIES: Queries = &[];
const OF_A_PERSON: Queries = &[OpenedBy::Person];
const OF_A_KEY: Queries = &[OpenedBy::Person, OpenedBy::ApiKey];
const OF_ADDRESSES_WITH_KEYS: Queries = &[OpenedBy::Person, OpenedBy::KeyInAddress];

/// The callers: the role, and which queries are tried.
fn people(world: &World) -> Vec<(&'static str, Client, Queries)> {
    let app = &world.app;
    vec![
        ("anonymous", app.anonymous(), OF_ADDRESSES_WITH_KEYS),
        ("the other tenant's API key", app.anonymous().with("x-api-key", &world.key), OF_A_KEY),
        ("the other tenant's reader", app.reader_of(world::B), NO_QUERIES),
        ("the other tenant's agency", app.agency_of(world::B), NO_QUERIES),
        ("the other tenant's editor", app.editor_of(world::B), OF_A_PERSON),
        ("the other tenant's administrator", app.admin_of(world::B), OF_A_PERSON),
    ]
}

/// The requests that a person who tries these queries sends.
fn tried(calls: &[Call], queries: Queries) -> impl Iterator<Item = &Call> {
    calls.iter().filter(move |call| call.is_plain || queries.contains(&call.opened_by()))
}

/// Sends the requests of a phase as one person; returns the markers that came back, with the request that brought each.
async fn ask(world: &World, name: &str, client: &Client, queries: Queries, calls: &[Call]) -> Vec<String> {
    let mut leaks = Vec::new();
    for call in tried(calls, queries) {
        let (mut markers, mut status) = sent(world, client, call).await;
        if status == 429 {
            // The limit of a minute: the next minute has its own.
            world.app.clock().advance_s(60);
            (markers, status) = sent(world, client, call).await;
        }
        // Operations that check a password are delayed after wrong ones in every configuration; their 429 contains only the delay.
        let asked = call.to_string();
        let waits = ["/api/v1/session", "/api/v1/me", "/api/v1/password"].iter().any(|path| asked.contains(path));
        assert!(status != 429 || waits, "{name}: {call}: a rate limit hides the answer");
        let is_without_key = queries != NO_QUERIES && !queries.contains(&OpenedBy::ApiKey);
        assert!(
            !is_without_key || call.opened_by() != OpenedBy::ApiKey || status >= 400,
            "{name}: {call}: opened without an API key, so its queries must be tried too"
        );
        let markers: Vec<String> = markers.into_iter().collect();
        if !markers.is_empty() {
            leaks.push(format!("{name}: {call} ({status}): {}", markers.join(" ")));
        }
    }
    leaks
}

/// Sends one request; returns the markers in its answer and in what was printed for it, and its status.
async fn sent(world: &World, client: &Client, call: &Call) -> (BTreeSet<String>, u16) {
    world.renderer.forget();
    let reply = call.send(client).await;
    let mut found = Found::new(&world.marks);
    found.look(&reply);
    for printed in world.renderer.printed() {
        found.look_into(printed.as_bytes());
    }
    (found.markers, reply.status.as_u16())
}

/// The markers that the owner's people read, and the requests of theirs that the server failed to answer.
pub(crate) async fn read_by_the_owner(world: &World) -> (BTreeSet<String>, Vec<String>) {
    let (mut seen, mut failed) = (BTreeSet::new(), Vec::new());
    let calls = calls::of(world, Phase::Reads);
    // The key in an address reaches other rows than the people do, and an old layout may have some that a filter cannot read.
    let people = [(world.app.admin_of(world::A), OF_ADDRESSES_WITH_KEYS), (world.app.agency_of(world::A), OF_A_PERSON)];
    for (client, queries) in people {
        for call in tried(&calls, queries) {
            let (markers, status) = sent(world, &client, call).await;
            seen.extend(markers);
            if status >= 500 {
                failed.push(format!("{call}: {status}"));
            }
        }
    }
    (seen, failed)
}

/// The markers that the owner's people get from the same requests, and the requests that brought each.
async fn seen_by_the_owner<'a>(world: &World, calls: &'a [Call]) -> BTreeMap<String, Vec<&'a Call>> {
    let app = &world.app;
    let mut seen: BTreeMap<String, Vec<&Call>> = BTreeMap::new();
    for client in [app.admin_of(world::A), app.agency_of(world::A)] {
        for call in tried(calls, OF_A_PERSON) {
            for marker in sent(world, &client, call).await.0 {
                seen.entry(marker).or_default().push(call);
            }
        }
    }
    seen
}

/// The markers that no answer to the owner's people contains any more. They send the plain requests first, then the queries, until each
/// marker was met.
async fn lost_to_the_owner(world: &World, calls: &[Call]) -> BTreeSet<String> {
    let mut lost: BTreeSet<String> = world.marks.difference(&world.secrets).cloned().collect();
    for is_plain in [true, false] {
        for client in [world.app.admin_of(world::A), world.app.agency_of(world::A)] {
            for call in tried(calls, OF_A_PERSON).filter(|call| call.is_plain == is_plain) {
                if lost.is_empty() {
                    return lost;
                }
                let met = sent(world, &client, call).await.0;
                lost.retain(|marker| !met.contains(marker));
            }
        }
    }
    lost
}

#[app_test]
async fn no_operation_returns_data_of_another_tenant(app: TestApp) {
    let world = World::build(&app).await;
    let reads = calls::of(&world, Phase::Reads);

    // The owner gets them: each marker is in a place where it could be read.
    let seen = seen_by_the_owner(&world, &reads).await;
    let unseen: Vec<&String> =
        world.marks.iter().filter(|mark| !seen.contains_key(*mark) && !world.secrets.contains(*mark)).collect();
    assert!(unseen.is_empty(), "markers that no answer to the owner contains: {unseen:#?}");
    let listed: Vec<&String> = world.secrets.iter().filter(|secret| seen.contains_key(*secret)).collect();
    assert!(listed.is_empty(), "a key came back to its owner: {listed:#?}");

    // What a client file holds is in no search, list, history, export or page, not even for the owner's people.
    let of_client_files = seen.iter().filter(|(marker, _)| marker.contains("dossier"));
    let strays: Vec<String> = of_client_files
        .flat_map(|(marker, calls)| calls.iter().map(move |call| (marker, call)))
        .filter(|(_, call)| !call.asks_for_client_files())
        .map(|(marker, call)| format!("{call}: {marker}"))
        .collect();
    assert!(strays.is_empty(), "words of client files elsewhere:\n{}", strays.join("\n"));
    let own_key = world.app.anonymous().with("x-api-key", &new_api_key(&world.app, world::A).await);
    let mut strays = ask(&world, "the owner's API key", &own_key, OF_A_KEY, &reads).await;
    strays.retain(|stray| stray.contains("dossier"));
    assert!(strays.is_empty(), "words of client files in feeds:\n{}", strays.join("\n"));

    let mut leaks = Vec::new();
    for (name, client, queries) in people(&world) {
        leaks.extend(ask(&world, name, &client, queries, &reads).await);
    }
    assert!(leaks.is_empty(), "{} answers name another tenant's records:\n{}", leaks.len(), leaks.join("\n"));
}

#[app_test]
async fn writes_with_identifiers_of_another_tenant_return_and_change_nothing_of_it(app: TestApp) {
    let world = World::build(&app).await;
    let reads = calls::of(&world, Phase::Reads);

    let mut leaks = Vec::new();
    for phase in [Phase::Writes, Phase::Deletions] {
        let calls = calls::of(&world, phase);
        for (name, client, queries) in people(&world) {
            leaks.extend(ask(&world, name, &client, queries, &calls).await);
        }
    }
    // The records that were saved, linked, merged and copied are read again.
    for (name, client, _) in people(&world) {
        leaks.extend(ask(&world, name, &client, NO_QUERIES, &reads).await);
    }
    assert!(leaks.is_empty(), "{} answers name another tenant's records:\n{}", leaks.len(), leaks.join("\n"));

    // Before the writes the owner's people read each marker: `no_operation_returns_data_of_another_tenant` proves it of the same world.
    let lost = lost_to_the_owner(&world, &reads).await;
    assert!(lost.is_empty(), "another tenant's requests changed these texts: {lost:#?}");
}

/// Kinds of records, and where one of them is shown.
const SHOWN_AT: [(Kind, &str, &str); 17] = [
    (Kind::Parcours, "parcours", "/api/v1/parcours"),
    (Kind::Poi, "pois", "/api/v1/pois"),
    (Kind::Media, "medias", "/api/v1/medias"),
    (Kind::TransportLine, "transport-lines", "/api/v1/transport-lines"),
    (Kind::WhiteLabel, "white-labels", "/api/v1/white-labels"),
    (Kind::Structure, "structures", "/api/v1/structures"),
    (Kind::Contact, "contacts", "/api/v1/contacts"),
    (Kind::User, "users", "/api/v1/users"),
    (Kind::Itinerary, "itineraries", "/api/v1/itineraries"),
    (Kind::Vocabulary, "tag", "/api/v1/vocabularies/tag"),
    (Kind::Closure, "closures", "/api/v1/closures"),
    (Kind::ProviderLink, "provider-links", "/api/v1/provider-links"),
    (Kind::SurveyCampaign, "survey-campaigns", "/api/v1/survey-campaigns"),
    (Kind::ImportSource, "import-sources", "/api/v1/import-sources"),
    (Kind::SitSource, "sit-sources", "/api/v1/sit-sources"),
    (Kind::TransportFeed, "transport-feeds", "/api/v1/transport-feeds"),
    (Kind::Translator, "translators", "/api/v1/translators"),
];

#[app_test]
async fn uses_are_hidden_by_the_same_rule_as_records(app: TestApp) {
    assert_eq!(SHOWN_AT.len(), Kind::ALL.len(), "a new kind of record has its line above");
    let world = World::build(&app).await;
    let app = &world.app;
    for (tenant, structure) in [(world::A, 1), (world::B, 2)] {
        for role in [Role::Reader, Role::Editor, Role::Agency, Role::Admin, Role::Superadmin] {
            let client = app.role_of(role, tenant);
            let session = client.get("/api/v1/session").await.expect(200).json();
            let labels = session["white_labels"].as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap());
            let actor = Actor {
                user_id: app.user(role, tenant).await,
                role,
                structure_id: StructureId(structure),
                white_label_ids: labels.map(domain::WhiteLabelId).collect(),
                active_white_label_id: app.white_label(tenant).await,
            };
            for (kind, segment, path) in SHOWN_AT {
                for id in world.ids(segment).unwrap() {
                    let number: i64 = id.parse().unwrap();
                    let seen = store::visible::seen_among(app.store().read(), &actor, kind, &[number]).await.unwrap();
                    let shown = client.get(format!("{path}/{id}")).await.status.as_u16() == 200;
                    assert_eq!(seen.contains(&number), shown, "{role:?} of {tenant}: {path}/{id}");
                }
            }
        }
    }
}
