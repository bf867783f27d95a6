//! Media: the library, its files, what is made of them.

mod bulk;
mod bytes;
mod files;
pub mod intake;
mod list;
mod own;
mod refusal;
mod single;
mod table;
mod view;
pub mod work;

use app::App;
use app::extract::Editor;
use app::problem::Code;
use app::record::owned::{locked, ownerships};
use app::record::{Head, RecordError, Resource, record_changes};
use app::routes;
pub use bytes::{bytes_for_page, for_page, shown_key};
use domain::media::MediaSheet;
use domain::{Actor, Capability};
pub use intake::{Scratch, checksum, receive};
pub use intake::{take_bytes, take_file};
pub(crate) use refusal::refused;
pub use single::single_size;
use store::media::Medias;
use store::record::Stored;
use store::{Connection, StoreError};
use utoipa_axum::router::OpenApiRouter;
pub use view::MediaView;
pub use view::{address, file_address, fitting, original_address, translated_address};
pub use work::variant_key;

/// Errors of a media.
pub type MediaError = RecordError<MediaResource>;

/// The resource of media.
#[derive(Debug)]
pub struct MediaResource;

impl Resource for MediaResource {
    type Record = Medias;
    type Sheet = MediaSheet;
    type View = MediaView;
    const PATH: &'static str = "/api/v1/medias";
    const NOT_FOUND: &'static str = "media/not-found";
    const NOT_YOURS: &'static str = "media/not-yours";
    const IN_USE: &'static str = "media/in-use";
    const OWN_CODES: &'static [Code] = &refusal::CODES;

    async fn sees(db: &impl Connection, actor: &Actor, record: &Stored<MediaSheet>) -> Result<bool, StoreError> {
        store::media::is_seen(db, actor, record).await
    }

    async fn views(
        _app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<MediaSheet>>,
    ) -> Result<Vec<MediaView>, StoreError> {
        let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
        let owners = ownerships::<Self>(db, actor, &records).await?;
        let mut made = store::media::made_of(db, &ids).await?;
        let mut duplicates = store::media::duplicates(db, &ids).await?;
        let uses = store::visible::media_uses(db, actor, &ids).await?;
        let view = |(record, ownership): (Stored<MediaSheet>, _)| {
            let id = record.id;
            let head = Head::of(&record, locked::<Self>(actor, &record, Capability::ContentWrite));
            let theirs = record.white_label_id.is_some_and(|owner| actor.works_in(owner));
            let mut view = MediaView::of(head, ownership, record.sheet, made.remove(&id).unwrap_or_default());
            if !theirs {
                view.hide_place();
            }
            view.duplicates = duplicates.remove(&id).unwrap_or_default();
            view.uses_total = uses.get(&id).copied().unwrap_or(0);
            view
        };
        Ok(records.into_iter().zip(owners).map(view).collect())
    }
}

record_changes! {
    MediaResource, MediaSheet, MediaView, MediaError;
    noun: "a media file", tag: "medias", base: "/api/v1/medias", params: [],
    change: (Editor, "content.write"), delete: (Editor, "content.write"),
    show_media, update_media, delete_media, list_media_uses, list_media_revisions, show_media_revision, restore_media_revision,
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    changes()
        .routes(routes!(list::list_medias, files::create_media))
        .routes(routes!(bulk::change_many_medias))
        .routes(routes!(bulk::undo_media_bulk))
        .routes(routes!(own::link_media, own::unlink_media))
        .routes(routes!(files::replace_media_file))
        .routes(routes!(files::put_media_poster))
        .routes(routes!(files::translate_media, files::untranslate_media))
        .routes(routes!(bytes::download_media))
}
