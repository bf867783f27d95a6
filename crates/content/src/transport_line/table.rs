//! Lines of public transport as a table.

use app::App;
use app::record::no_such_sort;
use app::record::table::{MAX_ROWS, TableResource};
use domain::Actor;
use domain::audit::ExportedList;
use store::Page;
use store::poi::Owner;

use super::list::LineQuery;
use super::{TransportLineError, TransportLineResource};

impl TableResource for TransportLineResource {
    type Query = LineQuery;
    const LIST: ExportedList = ExportedList::TransportLines;

    /// The lines of the active white-label that a filter leaves, by name.
    async fn ids(app: &App, actor: &Actor, query: LineQuery) -> Result<Vec<i64>, TransportLineError> {
        let mut filter = query.filter(actor)?;
        if filter.owner == Owner::All {
            filter.owner = Owner::Mine;
        }
        let mut ids: Vec<i64> = Vec::new();
        for page in 1.. {
            let found = store::transport_line::list(app.store.read(), &filter, "title", Page::new(page, PAGE)).await?;
            let (records, _) = found.ok_or_else(no_such_sort)?;
            ids.extend(records.iter().map(|record| record.id));
            if (records.len() as u64) < PAGE || ids.len() > MAX_ROWS {
                break;
            }
        }
        Ok(ids)
    }
}

/// Lines read at once.
const PAGE: u64 = 200;
