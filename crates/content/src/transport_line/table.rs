//! Lines of public transport as a table.

use app::App;
use app::record::table::{MAX_ROWS, TableResource};
use domain::Actor;
use domain::audit::ExportedList;

use super::list::LineQuery;
use super::{TransportLineError, TransportLineResource};

impl TableResource for TransportLineResource {
    type Query = LineQuery;
    const LIST: ExportedList = ExportedList::TransportLines;

    /// The lines of the active white-label that a filter leaves, by name.
    async fn ids(app: &App, actor: &Actor, query: LineQuery) -> Result<Vec<i64>, TransportLineError> {
        let mut filter = query.filter(actor)?;
        filter.owner = filter.owner.or_mine();
        Ok(store::transport_line::ids(app.store.read(), &filter, MAX_ROWS as u64 + 1).await?)
    }
}
