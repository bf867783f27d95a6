//! Every kind at once: the one list of which type keeps which kind. What uses it is above all kinds.

/// Does the same with the type of a kind; parcours have a separate storage and a separate arm.
macro_rules! for_kind {
    ($kind:expr, $R:ident => $do:expr, parcours => $parcours:expr) => {
        match $kind {
            domain::record::Kind::Parcours => $parcours,
            domain::record::Kind::Poi => {
                type $R = crate::poi::Pois;
                $do
            }
            domain::record::Kind::Media => {
                type $R = crate::media::Medias;
                $do
            }
            domain::record::Kind::TransportLine => {
                type $R = crate::transport_line::TransportLines;
                $do
            }
            domain::record::Kind::WhiteLabel => {
                type $R = crate::white_label::WhiteLabels;
                $do
            }
            domain::record::Kind::Itinerary => {
                type $R = crate::itinerary::Itineraries;
                $do
            }
            domain::record::Kind::Structure => {
                type $R = crate::structure::Structures;
                $do
            }
            domain::record::Kind::Contact => {
                type $R = crate::contact::Contacts;
                $do
            }
            domain::record::Kind::Vocabulary => {
                type $R = crate::vocabulary::Terms;
                $do
            }
            domain::record::Kind::Closure => {
                type $R = crate::closure::Closures;
                $do
            }
            domain::record::Kind::ProviderLink => {
                type $R = crate::provider_link::ProviderLinks;
                $do
            }
            domain::record::Kind::SurveyCampaign => {
                type $R = crate::survey_campaign::SurveyCampaigns;
                $do
            }
            domain::record::Kind::ImportSource => {
                type $R = crate::imports::ImportSources;
                $do
            }
            domain::record::Kind::SitSource => {
                type $R = crate::sit::SitSources;
                $do
            }
            domain::record::Kind::TransportFeed => {
                type $R = crate::transit::TransportFeeds;
                $do
            }
            domain::record::Kind::Translator => {
                type $R = crate::translation::Translators;
                $do
            }
            domain::record::Kind::User => {
                type $R = crate::user::Users;
                $do
            }
        }
    };
}
pub(crate) use for_kind;
