//! The content that an API key gives access to (decision 0018).

use app::App;
use domain::ParcoursId;
use domain::parcours::passport::{Channel, ChannelState, Lack, bits_of};
use domain::white_label::{WhiteLabelKind, WhiteLabelSheet};
use store::StoreError;
use store::feed::{self as rows, ParcoursFeed, PoiFeed};

use super::access::PublicKey;
use super::facts::Facts;

/// The clients a feed is for: they decide which of the sheet's two switches applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Our own applications and partner white-labels.
    Ours,
    /// Other applications: the dialects and open data.
    Others,
}

impl Audience {
    /// The lacks that bar a parcours from a white-label's readers. A widget is a piece of the white-label's own site on another
    /// page: only its own passport counts.
    fn barred(self, key: &PublicKey) -> i64 {
        let channel = match (self, key.sheet.kind) {
            (Self::Ours, _) if key.of_pages => return bits_of(Channel::Widget, ChannelState::Missing),
            (Self::Others, _) => Channel::OpenData,
            (Self::Ours, WhiteLabelKind::App) => Channel::App,
            (Self::Ours, _) => Channel::WhiteLabel,
        };
        let switch = match self {
            Self::Ours => Lack::DistributeOwn,
            Self::Others => Lack::DistributePartners,
        };
        bits_of(channel, ChannelState::Missing) | switch.bit()
    }
}

/// The parcours a key reaches.
pub fn parcours(key: &PublicKey, facts: &Facts, audience: Audience) -> ParcoursFeed {
    // For the white-label of the key, its sheet in `key` is used: a preview contains the settings that would be published.
    let is_open = |sheet: &WhiteLabelSheet| sheet.published && sheet.flags.distribute_parcours;
    let closed = facts.white_labels.iter();
    let closed = closed.filter(|one| !is_open(if one.id == key.id { &key.sheet } else { &one.sheet }));
    let choice = &key.sheet.parcours_filter;
    let practices = (!choice.practice_type_ids.is_empty()).then(|| facts.with_those_under(&choice.practice_type_ids));
    ParcoursFeed {
        white_label: key.id,
        unlisted: closed.map(|one| one.id).collect(),
        barred: audience.barred(key),
        practices: practices.into_iter().collect(),
        is_loop: choice.is_loop,
        ratings: (key.sheet.rating_min, key.sheet.rating_max),
        ..ParcoursFeed::default()
    }
}

/// The parcours of a number, if the key reaches it, alone or under its parent.
pub async fn one(
    app: &App,
    key: &PublicKey,
    facts: &Facts,
    audience: Audience,
    id: i64,
) -> Result<Option<ParcoursId>, StoreError> {
    let feed = ParcoursFeed { ids: Some(vec![id]), under_parents: true, ..parcours(key, facts, audience) };
    Ok(rows::parcours(app.store.read(), &feed, (0, 1)).await?.0.first().copied())
}

/// The POIs a key reaches.
pub fn pois(key: &PublicKey, facts: &Facts) -> PoiFeed {
    let choice = &key.sheet.poi_filter;
    let terms = [&choice.category_ids, &choice.theme_ids].into_iter().filter(|ids| !ids.is_empty());
    let terms = terms.map(|ids| facts.with_those_under(ids));
    PoiFeed { white_label: key.id, unlisted: facts.without_pois(), terms: terms.collect(), ..PoiFeed::default() }
}
