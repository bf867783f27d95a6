//! The journal's rows: written once, erased when their time is over, limited where any visitor can cause them.

use domain::audit::{Action, Detail, Event, On, Outcome, Who};
use domain::{Instant, StructureId, UserId};
use macros::app_test;
use sea_orm::ConnectionTrait as _;
use store::audit::{AuditFilter, REFUSALS_A_DAY, REFUSALS_A_MINUTE, erase_before, list, record, record_refusal};
use store::{Connection as _, Store};
use teststore::{NOW, TestStore};

fn event(at: Instant, outcome: Outcome, network: &str) -> Event {
    Event {
        at,
        who: Who { user: Some(UserId(1)), structure: Some(StructureId(1)) },
        network: Some(network.to_owned()),
        action: Action::SignIn,
        on: On::NOTHING,
        outcome,
        detail: Detail::None,
        request_id: "0011223344556677".to_owned(),
    }
}

async fn kept(store: &Store, event: Event) {
    let tx = store.begin().await.unwrap();
    record(&tx, event).await.unwrap();
    tx.commit().await.unwrap();
}

async fn refuse(store: &Store, at: Instant, network: &str) {
    let tx = store.begin().await.unwrap();
    record_refusal(&tx, event(at, Outcome::Refused, network)).await.unwrap();
    tx.commit().await.unwrap();
}

async fn all(store: &Store) -> Vec<Action> {
    let found = list(store.read(), &AuditFilter::default(), None, 1_000).await.unwrap();
    found.into_iter().map(|one| one.event.action).collect()
}

/// Runs a statement in a separate transaction; true when the database accepted it.
async fn accepted(store: &Store, sql: &str) -> bool {
    let tx = store.begin().await.unwrap();
    let done = tx.executor().execute_unprepared(sql).await.is_ok();
    if done {
        tx.commit().await.unwrap();
    }
    done
}

#[app_test]
async fn an_event_can_neither_be_changed_nor_deleted(test: TestStore) {
    kept(&test.store, event(NOW, Outcome::Done, "203.0.113.0/24")).await;
    assert!(!accepted(&test.store, "UPDATE audit_event SET actor_id = 2").await);
    assert!(!accepted(&test.store, "DELETE FROM audit_event").await);
    let emptied = accepted(&test.store, "TRUNCATE audit_event").await;
    assert!(!emptied, "SQLite knows no such statement, PostgreSQL has a trigger against it");
    assert_eq!(all(&test.store).await, [Action::SignIn]);
}

#[app_test]
async fn what_is_over_its_time_is_erased_and_nothing_else(test: TestStore) {
    kept(&test.store, event(NOW.plus_s(-100), Outcome::Done, "203.0.113.0/24")).await;
    kept(&test.store, event(NOW, Outcome::Done, "203.0.113.0/24")).await;
    let tx = test.store.begin().await.unwrap();
    assert!(!erase_before(&tx, NOW).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(all(&test.store).await.len(), 1);
    assert!(!accepted(&test.store, "DELETE FROM audit_event").await, "the one that is left is still protected");
}

#[app_test]
async fn an_event_of_a_transaction_that_is_dropped_is_not_there(test: TestStore) {
    let tx = test.store.begin().await.unwrap();
    record(&tx, event(NOW, Outcome::Done, "203.0.113.0/24")).await.unwrap();
    drop(tx);
    assert!(all(&test.store).await.is_empty());
}

#[app_test]
async fn a_network_that_is_refused_again_and_again_fills_a_few_rows_a_minute(test: TestStore) {
    for _ in 0..40 {
        refuse(&test.store, NOW, "203.0.113.0/24").await;
    }
    let found = all(&test.store).await;
    assert_eq!(found.len() as i64, REFUSALS_A_MINUTE);
    assert_eq!(found[0], Action::JournalLimited, "the last one says that more are left out");
    refuse(&test.store, NOW, "198.51.100.0/24").await;
    refuse(&test.store, NOW.plus_s(60), "203.0.113.0/24").await;
    assert_eq!(all(&test.store).await.len() as i64, REFUSALS_A_MINUTE + 2, "another network, another minute");
    kept(&test.store, event(NOW, Outcome::Done, "203.0.113.0/24")).await;
    assert_eq!(all(&test.store).await[0], Action::SignIn, "what was done is always recorded");
}

#[app_test]
async fn all_networks_together_fill_a_bounded_number_of_rows_a_day(test: TestStore) {
    let tx = test.store.begin().await.unwrap();
    let values = format!(
        "INSERT INTO audit_event (at, network, action, outcome, request_id)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {})
         SELECT {}, 'net' || i, 'access', 'refused', '' FROM n",
        REFUSALS_A_DAY - 2,
        NOW.0
    );
    tx.executor().execute_unprepared(&values).await.unwrap();
    tx.commit().await.unwrap();
    for at in 0..5 {
        refuse(&test.store, NOW.plus_s(at * 60), "203.0.113.0/24").await;
    }
    let filter = AuditFilter { outcomes: vec![Outcome::Refused, Outcome::Throttled], ..AuditFilter::default() };
    let latest = list(test.store.read(), &filter, None, 3).await.unwrap();
    let actions: Vec<_> = latest.iter().map(|one| one.event.action).collect();
    assert_eq!(actions, [Action::JournalLimited, Action::SignIn, Action::Access]);
    assert_eq!(latest[0].event.network, None, "it speaks of all networks");
}

#[app_test]
async fn the_list_is_walked_backwards_and_narrowed(test: TestStore) {
    for second in 0..5 {
        kept(&test.store, event(NOW.plus_s(second), Outcome::Done, "203.0.113.0/24")).await;
    }
    let elsewhere = Who { user: Some(UserId(999)), structure: Some(StructureId(2)) };
    kept(&test.store, Event { who: elsewhere, ..event(NOW, Outcome::Failed, "203.0.113.0/24") }).await;
    let everything = AuditFilter::default();
    let first = list(test.store.read(), &everything, None, 4).await.unwrap();
    let rest = list(test.store.read(), &everything, Some(first[3].id), 4).await.unwrap();
    assert_eq!((first.len(), rest.len()), (4, 2));
    assert!(first[3].id > rest[0].id);
    assert_eq!((first[0].actor_name.as_deref(), first[0].actor_gone), (None, true), "nobody has this number");
    assert!(first[1].actor_name.is_some());
    let of_one = AuditFilter { structure: Some(StructureId(2)), ..AuditFilter::default() };
    assert_eq!(list(test.store.read(), &of_one, None, 10).await.unwrap().len(), 1);
    let narrow = AuditFilter {
        from: Some(NOW.plus_s(1)),
        to: Some(NOW.plus_s(3)),
        actor: Some(UserId(1)),
        actions: vec![Action::SignIn],
        outcomes: vec![Outcome::Done],
        ..AuditFilter::default()
    };
    assert_eq!(list(test.store.read(), &narrow, None, 10).await.unwrap().len(), 2);
}
