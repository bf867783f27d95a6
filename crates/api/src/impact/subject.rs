//! The record that an action is done to, if the person may see it.

use domain::record::Kind;
use domain::{Actor, ParcoursId};
use store::closure::Closures;
use store::contact::Contacts;
use store::impact::Subject;
use store::imports::ImportSources;
use store::itinerary::Itineraries;
use store::media::Medias;
use store::poi::Pois;
use store::provider_link::ProviderLinks;
use store::sit::SitSources;
use store::structure::Structures;
use store::transit::TransportFeeds;
use store::translation::Translators;
use store::transport_line::TransportLines;
use store::user::Users;
use store::vocabulary::Terms;
use store::white_label::WhiteLabels;
use store::{Connection, StoreError};

use crate::record::Resource;

/// The record of a kind and a number, if the person may read it.
pub(crate) async fn seen(
    db: &impl Connection,
    actor: &Actor,
    kind: Kind,
    id: i64,
) -> Result<Option<Subject>, StoreError> {
    match kind {
        Kind::Parcours => {
            let header = store::parcours::header(db, ParcoursId(id), actor).await?;
            Ok(header.map(|header| Subject { kind, id, owner: Some(header.white_label_id) }))
        }
        Kind::Poi => record::<Pois>(db, actor, id).await,
        Kind::Media => record::<Medias>(db, actor, id).await,
        Kind::TransportLine => record::<TransportLines>(db, actor, id).await,
        Kind::WhiteLabel => record::<WhiteLabels>(db, actor, id).await,
        Kind::Structure => record::<Structures>(db, actor, id).await,
        Kind::Contact => record::<Contacts>(db, actor, id).await,
        Kind::User => record::<Users>(db, actor, id).await,
        Kind::Itinerary => record::<Itineraries>(db, actor, id).await,
        Kind::Vocabulary => record::<Terms>(db, actor, id).await,
        Kind::Closure => record::<Closures>(db, actor, id).await,
        Kind::ProviderLink => record::<ProviderLinks>(db, actor, id).await,
        Kind::ImportSource => record::<ImportSources>(db, actor, id).await,
        Kind::SitSource => record::<SitSources>(db, actor, id).await,
        Kind::TransportFeed => record::<TransportFeeds>(db, actor, id).await,
        Kind::Translator => record::<Translators>(db, actor, id).await,
    }
}

async fn record<R: Resource>(db: &impl Connection, actor: &Actor, id: i64) -> Result<Option<Subject>, StoreError> {
    let Some(found) = store::record::load::<R>(db, id).await? else { return Ok(None) };
    let seen = R::sees(db, actor, &found).await?;
    Ok(seen.then_some(Subject { kind: R::KIND, id, owner: found.white_label_id }))
}
