//! Cycling and walking networks, from their route relations.

use crate::schema::{Kind, Layer};
use extract::Tags;

/// The practice of a network, in drawing order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Practice {
    Hike,
    Mtb,
    Cycle,
}

/// The values of a route relation for its member ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Network {
    pub(crate) practice: Practice,
    /// 0 international, 1 national, 2 regional, 3 local.
    pub(crate) level: u8,
    pub(crate) number: Option<String>,
}

/// Reads a route relation.
pub(crate) fn network(tags: &Tags) -> Option<Network> {
    if !matches!(tags.get("type"), Some("route" | "superroute")) || matches!(tags.get("state"), Some("proposed")) {
        return None;
    }
    let practice = match tags.get("route")? {
        "bicycle" => Practice::Cycle,
        "mtb" => Practice::Mtb,
        "hiking" | "foot" | "walking" => Practice::Hike,
        _ => return None,
    };
    let level = match tags.get("network") {
        Some("icn" | "iwn") => 0,
        Some("ncn" | "nwn") => 1,
        Some("rcn" | "rwn") => 2,
        _ => 3,
    };
    let number = tags.get("ref").map(str::trim).filter(|r| !r.is_empty() && r.chars().count() <= 8).map(str::to_owned);
    Some(Network { practice, level, number })
}

impl Network {
    fn names(&self) -> (&'static str, &'static str) {
        let practice = match self.practice {
            Practice::Hike => "hike",
            Practice::Mtb => "mtb",
            Practice::Cycle => "cycle",
        };
        (practice, ["international", "national", "regional", "local"][usize::from(self.level.min(3))])
    }

    fn min_zoom(&self) -> u8 {
        [7, 8, 10, 11][usize::from(self.level.min(3))]
    }

    /// The coloured band of the network.
    pub(crate) fn drawn(&self) -> Kind {
        let (kind, network) = self.names();
        Kind::new(Layer::Route, self.min_zoom()).with("kind", kind).with("network", network)
    }

    /// The label, where the network has a number.
    pub(crate) fn label(&self) -> Option<Kind> {
        let (kind, network) = self.names();
        let number = self.number.as_deref()?;
        let min_zoom = (self.min_zoom() + 2).max(10);
        Some(Kind::new(Layer::RouteLabel, min_zoom).with("kind", kind).with("network", network).with("ref", number))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::super::tags;
    use super::*;

    #[test]
    fn a_national_walking_network_with_its_number() {
        let found =
            network(&tags(&[("type", "route"), ("route", "hiking"), ("network", "nwn"), ("ref", "GR 11")])).unwrap();
        assert_eq!(found, Network { practice: Practice::Hike, level: 1, number: Some("GR 11".to_owned()) });
    }

    #[test]
    fn a_bus_line_and_a_proposal_are_no_network() {
        assert!(network(&tags(&[("type", "route"), ("route", "bus")])).is_none());
        assert!(network(&tags(&[("type", "route"), ("route", "bicycle"), ("state", "proposed")])).is_none());
    }
}
