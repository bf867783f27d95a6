//! Every changing operation of the contract is either recorded in the journal, or named here with the reason why not. Each is
//! called, and the journal must hold what the tables say.

use std::collections::{BTreeMap, BTreeSet};

use app::audit::operations::{RECORDED, When};
use axum::body::Body;
use axum::http::Method;
use macros::app_test;
use testkit::TestApp;

use crate::audit::events;
use crate::contract::operations;
use crate::matrix::{rows, with_records};

/// Operations that are not recorded, by the reason why.
const NOT_RECORDED: &[(&str, &[&str])] = &[
    (
        "content: its history says who changed what, and the bin who deleted it",
        &[
            "PATCH /api/v1/vocabularies/{kind}/{id}",
            "POST /api/v1/vocabularies/{kind}",
            "PUT /api/v1/vocabularies/{kind}/order",
            "POST /api/v1/vocabularies/{kind}/bulk",
            "PATCH /api/v1/contacts/{id}",
            "POST /api/v1/contacts",
            "PATCH /api/v1/pois/{id}",
            "POST /api/v1/pois",
            "POST /api/v1/pois/bulk",
            "PATCH /api/v1/medias/{id}",
            "POST /api/v1/medias",
            "POST /api/v1/medias/bulk",
            "PUT /api/v1/medias/{id}/file",
            "PUT /api/v1/medias/{id}/poster",
            "PUT /api/v1/medias/{id}/translations/{language}",
            "DELETE /api/v1/medias/{id}/translations/{language}",
            "PATCH /api/v1/transport-lines/{id}",
            "POST /api/v1/transport-lines",
            "POST /api/v1/tables/{kind}",
            "POST /api/v1/transport-feeds/{id}/additions",
            "PATCH /api/v1/itineraries/{id}",
            "POST /api/v1/itineraries",
            "PUT /api/v1/itineraries/{id}/line",
            "PATCH /api/v1/closures/{id}",
            "PATCH /api/v1/survey-campaigns/{id}",
            "POST /api/v1/closures",
            "POST /api/v1/survey-campaigns",
            "PATCH /api/v1/sit-records/{id}",
            "PUT /api/v1/sit-records/{id}/poi",
            "POST /api/v1/sit-records/{id}/poi",
            "DELETE /api/v1/sit-records/{id}/poi",
            "PATCH /api/v1/provider-links/{id}",
            "POST /api/v1/provider-links",
            "POST /api/v1/parcours",
            "POST /api/v1/parcours/bulk",
            "PATCH /api/v1/parcours/{id}",
            "POST /api/v1/parcours/{id}/duplicate",
            "PUT /api/v1/parcours/{id}/trace",
            "POST /api/v1/parcours/{id}/trace/source",
            "POST /api/v1/parcours/{id}/trace/original",
            "POST /api/v1/parcours/{id}/recalculation",
            "PUT /api/v1/parcours/{id}/proposals/{proposal_id}",
            "PUT /api/v1/parcours/{id}/audio/{language}",
            "PUT /api/v1/parcours/{id}/roadbook",
        ],
    ),
    (
        "publication: the history of the record says who published it, where, and when",
        &[
            "POST /api/v1/pois/{id}/publication",
            "DELETE /api/v1/pois/{id}/publication",
            "PUT /api/v1/pois/{id}/white-labels/{white_label_id}",
            "DELETE /api/v1/pois/{id}/white-labels/{white_label_id}",
            "PUT /api/v1/medias/{id}/white-labels/{white_label_id}",
            "DELETE /api/v1/medias/{id}/white-labels/{white_label_id}",
            "POST /api/v1/parcours/{id}/publication",
            "DELETE /api/v1/parcours/{id}/publication",
            "PUT /api/v1/parcours/{id}/white-labels/{white_label_id}",
            "DELETE /api/v1/parcours/{id}/white-labels/{white_label_id}",
        ],
    ),
    (
        "who publishes the way round a closed stretch, and when, is kept with it; the closure has its own history",
        &[
            "PUT /api/v1/parcours/{id}/closures/{closure_id}/detours/{stretch}",
            "DELETE /api/v1/parcours/{id}/closures/{closure_id}/detours/{stretch}",
        ],
    ),
    (
        "who accepted or refused a child of others, and when, is kept with the pair",
        &["PUT /api/v1/parcours/{id}/children/{child_id}"],
    ),
    (
        "a client file says who saved it last, and when; it has no history, so that nothing of a client is kept elsewhere",
        &["POST /api/v1/parcours/{id}/client-files", "PUT /api/v1/parcours/{id}/client-files/{file_id}"],
    ),
    (
        "a share has its own list, with who made it, when, and when it was revoked",
        &["POST /api/v1/parcours/{id}/shares", "DELETE /api/v1/parcours/{id}/shares/{share_id}"],
    ),
    (
        "an entry from the ground says who made it, when, and who reviewed it; what is made from it has a history",
        &["PUT /api/v1/ground/entries/{id}", "PUT /api/v1/ground/entries/{id}/review"],
    ),
    (
        "a run has its own list, with who asked for it and what it did",
        &[
            "POST /api/v1/transport-feeds/{id}/runs",
            "POST /api/v1/transport-runs/{id}/cancellation",
            "POST /api/v1/import-sources/{id}/decisions",
            "POST /api/v1/import-sources/{id}/unlocking",
            "POST /api/v1/import-sources/{id}/runs",
            "POST /api/v1/import-runs/{id}/cancellation",
            "POST /api/v1/import-runs/{id}/retry",
            "POST /api/v1/sit-sources/{id}/runs",
            "POST /api/v1/translation-jobs",
            "POST /api/v1/translation-jobs/estimate",
            "POST /api/v1/translation-jobs/{id}/cancellation",
            "POST /api/v1/translation-jobs/{id}/resumption",
            "POST /api/v1/planner/watch/runs",
            "POST /api/v1/planner/watch/changes/{id}/seen",
            "POST /api/v1/parcours/{id}/audio/{language}/speech",
            "DELETE /api/v1/parcours/{id}/audio/{language}/speech",
            "DELETE /api/v1/roadbook-batches/{id}",
            "POST /api/v1/statistics/installs",
        ],
    ),
    (
        "bytes on their way: what becomes of them is recorded or has a history",
        &[
            "POST /api/v1/uploads",
            "DELETE /api/v1/uploads/{token}",
            "PATCH /api/v1/uploads/{token}",
            "PUT /api/v1/transport-feeds/{id}/file",
            "PUT /api/v1/import-sources/{id}/file",
            "PUT /api/v1/sit-sources/{id}/file",
        ],
    ),
    (
        "it changes nothing: it computes and answers",
        &[
            "POST /api/v1/translators/{id}/test",
            "POST /api/v1/translations",
            "POST /api/v1/assistant/texts",
            "POST /api/v1/white-labels/{id}/assistant/test",
            "POST /api/v1/traces/inspections",
            "POST /api/v1/planner/route",
            "POST /api/v1/planner/alternatives",
            "POST /api/v1/planner/loops",
            "POST /api/v1/planner/matrix",
            "POST /api/v1/planner/isochrone",
            "POST /api/v1/planner/match",
            "POST /api/v1/planner/score",
            "POST /api/v1/planner/analysis",
            "POST /api/v1/parcours/{id}/roadbook/preview",
            "POST /api/v1/parcours/{id}/roadbook/pdf",
            "POST /api/v1/parcours/{id}/presence",
        ],
    ),
    (
        "a person's own preferences, which give no right",
        &[
            "PATCH /api/v1/me",
            "POST /api/v1/me/totp",
            "POST /api/v1/saved-views",
            "DELETE /api/v1/saved-views/{id}",
            "PATCH /api/v1/saved-views/{id}",
        ],
    ),
    (
        "visitors: they have no account, and what they send is kept with what was decided of it",
        &[
            "POST /api/public/v1/reviews",
            "POST /api/public/v1/reviews/{id}/complaints",
            "POST /api/public/v1/field-reports",
            "POST /api/public/v1/field-reports/{token}/photo",
            "POST /api/public/v1/parcours/{id}/reviews",
            "POST /avis/{token}",
            "POST /en/avis/{token}",
            "POST /api/public/v1/parcours/{id}/field-reports",
            "POST /api/public/v1/events",
            "POST /api/v1/parcours/{id}/reviews/{review_id}/decision",
            "POST /api/v1/parcours/{id}/field-reports/{report_id}/decision",
            "DELETE /api/v1/parcours/{id}/field-reports/{report_id}",
        ],
    ),
];

#[test]
fn every_changing_operation_is_recorded_or_has_a_reason_why_not() {
    let contract = serde_json::to_value(api::openapi()).unwrap();
    let all: BTreeSet<String> =
        operations(&contract).into_iter().map(|(verb, path, _)| format!("{verb} {path}")).collect();
    let named: Vec<&str> = RECORDED
        .iter()
        .map(|one| one.operation)
        .chain(NOT_RECORDED.iter().flat_map(|(_, names)| names.iter().copied()))
        .collect();
    let once: BTreeSet<&str> = named.iter().copied().collect();
    assert_eq!(once.len(), named.len(), "an operation is listed twice");
    let stale: Vec<_> = once.iter().filter(|name| !all.contains(**name)).collect();
    let reads = |name: &str| ["GET ", "HEAD ", "OPTIONS "].iter().any(|verb| name.starts_with(verb));
    let without: Vec<_> = all.iter().filter(|name| !reads(name) && !once.contains(name.as_str())).collect();
    assert!(
        stale.is_empty() && without.is_empty(),
        "neither recorded nor with a reason: {without:#?}\nno longer in the contract: {stale:#?}"
    );
}

#[app_test]
async fn each_operation_writes_the_event_that_the_table_lists(app: TestApp) {
    let recorded: BTreeMap<&str, _> = RECORDED.iter().map(|one| (one.operation, one)).collect();
    let superadmin = app.superadmin().with("if-match", "*");
    let (mut wrong, mut tried) = (Vec::new(), BTreeSet::new());
    for row in rows() {
        let operation = format!("{} {}", row.verb, row.path);
        let path = with_records(&app, row.example_path).await;
        let (verb, body) = (Method::from_bytes(row.verb.as_bytes()).unwrap(), row.body.unwrap_or_default());
        // The session of a row before may have been ended by it.
        let before = events(&app).await.len();
        let content_type = row.body.map(|_| "application/json");
        let reply = superadmin.send(verb, &path, content_type, Body::from(body)).await;
        let mut left: Vec<_> = events(&app).await.into_iter().map(|one| one.event).collect();
        left.truncate(left.len() - before);
        if !reply.status.is_success() {
            continue;
        }
        let actions: Vec<_> = left.iter().map(|event| event.action).collect();
        let right = match recorded.get(operation.as_str()) {
            None => actions.is_empty(),
            Some(one) => {
                let known = actions.iter().all(|action| one.actions.contains(action));
                known && (one.when == When::Sometimes || !actions.is_empty())
            }
        };
        if !right {
            wrong.push(format!("{operation}: {} {actions:?}", reply.status));
        }
        tried.insert(operation);
    }
    assert!(wrong.is_empty(), "the journal holds something else than its table says:\n{}", wrong.join("\n"));
    let proven = RECORDED.iter().filter(|one| tried.contains(one.operation)).count();
    assert!(
        proven * 2 > RECORDED.len(),
        "only {proven} of {} recorded operations were called with success",
        RECORDED.len()
    );
}
