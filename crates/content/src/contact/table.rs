//! Contacts as a table: people's addresses leave and change only through those who manage them.

use app::App;
use app::record::table::{MAX_ROWS, TableResource};
use domain::Actor;
use domain::audit::ExportedList;

use super::list::ContactQuery;
use super::{ContactError, ContactResource};

impl TableResource for ContactResource {
    type Query = ContactQuery;
    const LIST: ExportedList = ExportedList::Contacts;

    /// The contacts that a filter leaves, by name.
    async fn ids(app: &App, actor: &Actor, query: ContactQuery) -> Result<Vec<i64>, ContactError> {
        let filter = query.filter(actor)?;
        Ok(store::contact::ids(app.store.read(), &filter, MAX_ROWS as u64 + 1).await?)
    }
}
