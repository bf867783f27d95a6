//! POIs as a table.

use app::App;
use app::record::table::{MAX_ROWS, TableResource};
use domain::Actor;
use domain::audit::ExportedList;
use domain::record::table::Column;
use domain::white_label::CustomOn;
use domain::white_label::custom::columns;
use store::{Connection, StoreError};

use super::list::PoiQuery;
use super::{PoiError, PoiResource};
use crate::custom;

impl TableResource for PoiResource {
    type Query = PoiQuery;
    const LIST: ExportedList = ExportedList::Pois;

    async fn own_columns(db: &impl Connection, actor: &Actor) -> Result<Vec<Column>, StoreError> {
        Ok(columns(&custom::fields_of(db, actor.active_white_label_id).await?, CustomOn::Poi))
    }

    /// The POIs of the active white-label that a filter leaves, the last saved first.
    async fn ids(app: &App, actor: &Actor, query: PoiQuery) -> Result<Vec<i64>, PoiError> {
        let mut filter = query.filter(app, actor).await?;
        filter.owner = filter.owner.or_mine();
        Ok(store::poi::ids(app.store.read(), &filter, MAX_ROWS as u64 + 1).await?)
    }
}
