//! Rows are read by the names of their columns.

use macros::app_test;
use store::StoreError;
use store::server::named_text;
use teststore::TestStore;

#[app_test]
async fn a_column_that_a_statement_does_not_give_is_a_fault_and_not_an_empty_value(test: TestStore) {
    let read = async |sql: &str, column: &str| named_text(test.store.read(), sql, column).await;
    assert_eq!(read("SELECT 'a' AS title, 'b' AS words", "words").await.unwrap().as_deref(), Some("b"));
    assert_eq!(read("SELECT 'a' AS title, CAST(NULL AS TEXT) AS words", "words").await.unwrap(), None);
    assert!(matches!(read("SELECT 'a' AS title", "words").await, Err(StoreError::Database(_))));
}

#[app_test]
async fn a_name_that_two_columns_have_is_a_fault(test: TestStore) {
    let sql = "SELECT 'a' AS title, 'b' AS title, 'c' AS words";
    let read = async |column: &str| named_text(test.store.read(), sql, column).await;
    assert!(matches!(read("title").await, Err(StoreError::Database(_))));
    assert_eq!(read("words").await.unwrap().as_deref(), Some("c"));
}
