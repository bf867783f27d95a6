//! The record that an action is done to, if the person may see it.

use app::record::Resource;
use content::closure::ClosureResource;
use content::contact::ContactResource;
use content::itinerary::ItineraryResource;
use content::media::MediaResource;
use content::poi::PoiResource;
use content::provider_link::ProviderLinkResource;
use content::structure::StructureResource;
use content::survey_campaign::SurveyCampaignResource;
use content::transport_line::TransportLineResource;
use content::vocabulary::TermResource;
use domain::record::Kind;
use domain::{Actor, ParcoursId, WhiteLabelId};
use sources::imports::ImportSourceResource;
use sources::sit::SitSourceResource;
use sources::transit::TransportFeedResource;
use store::impact::Subject;
use store::record::Record as _;
use store::{Connection, StoreError};

use crate::translation::TranslatorResource;
use crate::user::UserResource;
use crate::white_label::WhiteLabelResource;

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
            Ok(header.map(|header| {
                let owner = header.white_label_id;
                Subject { kind, id, owner: Some(owner), is_theirs: actor.works_in(owner) }
            }))
        }
        Kind::Poi => record::<PoiResource>(db, actor, id).await,
        Kind::Media => record::<MediaResource>(db, actor, id).await,
        Kind::TransportLine => record::<TransportLineResource>(db, actor, id).await,
        Kind::WhiteLabel => {
            // Its drafts are not seen in another white-label of its structure.
            let found = record::<WhiteLabelResource>(db, actor, id).await?;
            Ok(found.map(|found| Subject { is_theirs: actor.works_in(WhiteLabelId(id)), ..found }))
        }
        Kind::Structure => record::<StructureResource>(db, actor, id).await,
        Kind::Contact => record::<ContactResource>(db, actor, id).await,
        Kind::User => record::<UserResource>(db, actor, id).await,
        Kind::Itinerary => record::<ItineraryResource>(db, actor, id).await,
        Kind::Vocabulary => record::<TermResource>(db, actor, id).await,
        Kind::Closure => record::<ClosureResource>(db, actor, id).await,
        Kind::ProviderLink => record::<ProviderLinkResource>(db, actor, id).await,
        Kind::SurveyCampaign => record::<SurveyCampaignResource>(db, actor, id).await,
        Kind::ImportSource => record::<ImportSourceResource>(db, actor, id).await,
        Kind::SitSource => record::<SitSourceResource>(db, actor, id).await,
        Kind::TransportFeed => record::<TransportFeedResource>(db, actor, id).await,
        Kind::Translator => record::<TranslatorResource>(db, actor, id).await,
    }
}

async fn record<R: Resource>(db: &impl Connection, actor: &Actor, id: i64) -> Result<Option<Subject>, StoreError> {
    let Some(found) = store::record::load::<R::Record>(db, id).await? else { return Ok(None) };
    let seen = R::sees(db, actor, &found).await?;
    let (owner, is_theirs) = (found.white_label_id, R::is_theirs(actor, &found));
    Ok(seen.then_some(Subject { kind: R::Record::KIND, id, owner, is_theirs }))
}
