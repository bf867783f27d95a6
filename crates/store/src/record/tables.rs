//! The tables of all kinds, by their names.

use domain::record::Kind;

/// The table of a kind's rows, as SQL writes it.
pub(crate) const fn table_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Parcours => "parcours",
        Kind::Poi => "poi",
        Kind::Media => "media",
        Kind::TransportLine => "transport_line",
        Kind::WhiteLabel => "white_label",
        Kind::Structure => "structure",
        Kind::Contact => "contact",
        Kind::User => "\"user\"",
        Kind::Itinerary => "itinerary",
        Kind::Vocabulary => "vocabulary",
        Kind::Closure => "closure",
        Kind::ProviderLink => "provider_link",
        Kind::SurveyCampaign => "survey_campaign",
        Kind::ImportSource => "import_source",
        Kind::SitSource => "sit_source",
        Kind::TransportFeed => "transport_feed",
        Kind::Translator => "translator",
    }
}

/// The column of the owner of a kind of record; `None` for kinds without owner.
pub(crate) const fn owner_column(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Parcours
        | Kind::Poi
        | Kind::Media
        | Kind::TransportLine
        | Kind::Closure
        | Kind::ProviderLink
        | Kind::SurveyCampaign
        | Kind::ImportSource
        | Kind::SitSource
        | Kind::TransportFeed => Some("white_label_id"),
        Kind::WhiteLabel | Kind::Contact | Kind::User => Some("structure_id"),
        Kind::Structure => Some("id"),
        Kind::Itinerary | Kind::Vocabulary | Kind::Translator => None,
    }
}
