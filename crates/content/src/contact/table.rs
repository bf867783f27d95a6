//! Contacts as a table: people's addresses leave and change only through those who manage them.

use app::App;
use app::record::no_such_sort;
use app::record::table::{MAX_ROWS, TableResource};
use domain::Actor;
use domain::audit::ExportedList;
use store::Page;

use super::list::ContactQuery;
use super::{ContactError, ContactResource};

impl TableResource for ContactResource {
    type Query = ContactQuery;
    const LIST: ExportedList = ExportedList::Contacts;

    /// The contacts that a filter leaves, by name.
    async fn ids(app: &App, actor: &Actor, query: ContactQuery) -> Result<Vec<i64>, ContactError> {
        let filter = query.filter(actor)?;
        let mut ids: Vec<i64> = Vec::new();
        for page in 1.. {
            let found = store::contact::list(app.store.read(), &filter, "title", Page::new(page, PAGE)).await?;
            let (records, _) = found.ok_or_else(no_such_sort)?;
            ids.extend(records.iter().map(|record| record.id));
            if (records.len() as u64) < PAGE || ids.len() > MAX_ROWS {
                break;
            }
        }
        Ok(ids)
    }
}

/// Contacts read at once.
const PAGE: u64 = 200;
