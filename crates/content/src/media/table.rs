//! The texts of media as a table: no files.

use app::App;
use app::record::table::{MAX_ROWS, TableResource};
use domain::Actor;
use domain::audit::ExportedList;

use super::list::MediaQuery;
use super::{MediaError, MediaResource};

impl TableResource for MediaResource {
    type Query = MediaQuery;
    const LIST: ExportedList = ExportedList::Medias;
    // The part of a picture that is shown is chosen on the picture.
    const LEFT_OUT: &'static [&'static str] = &["focal", "crop"];
    const MAKES: bool = false;

    /// The media of the active white-label that a filter leaves, the last saved first.
    async fn ids(app: &App, actor: &Actor, query: MediaQuery) -> Result<Vec<i64>, MediaError> {
        let mut filter = query.filter(actor)?;
        filter.owner = filter.owner.or_mine();
        Ok(store::media::ids(app.store.read(), &filter, MAX_ROWS as u64 + 1).await?)
    }
}
