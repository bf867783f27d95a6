//! From OpenStreetMap tags to [`Attributes`]: kinds, access and one-way rules.
//!
//! Sources: wiki.openstreetmap.org, pages Key:highway, Key:access, Key:oneway, Key:cycleway, Key:barrier,
//! OSM tags for routing/Access restrictions (its table for France).

mod season;

use crate::attributes::{Access, Attributes, flag, network};
use routing::{Surface, WayKind};

/// Looks a tag up.
pub(crate) type Tags<'a> = &'a dyn Fn(&str) -> Option<&'a str>;

/// The attributes of a way that a walker or rider can or could travel, `None` for everything else.
pub(crate) fn attributes(tags: Tags) -> Option<Attributes> {
    let kind = kind(tags)?;
    let is_one_way = one_way(tags, kind);
    Some(Attributes {
        kind,
        surface: surface(tags("surface")),
        tracktype: tags("tracktype").and_then(|v| v.strip_prefix("grade")).and_then(digit).unwrap_or(0).min(5),
        sac_scale: sac_scale(tags("sac_scale")),
        mtb_scale: tags("mtb:scale").and_then(digit).map_or(0, |d| d.min(6) + 1),
        flags: flags(tags) | if is_road_tunnel(tags, kind) { flag::ROAD_TUNNEL } else { 0 },
        networks: signed(tags),
        foot: foot(tags, kind),
        bike: bike(tags, kind, is_one_way),
        ferry_kmh: 0,
        smoothness: smoothness(tags("smoothness")),
        maxspeed_kmh: maxspeed_kmh(tags("maxspeed")),
        closed_months: season::closed_months(tags),
    })
}

fn kind(tags: Tags) -> Option<WayKind> {
    if let Some(highway) = tags("highway") {
        return highway_kind(highway);
    }
    if tags("route") == Some("ferry") {
        return Some(WayKind::Ferry);
    }
    (tags("man_made") == Some("pier") && tags("area") != Some("yes")).then_some(WayKind::Footway)
}

fn highway_kind(highway: &str) -> Option<WayKind> {
    Some(match highway {
        "motorway" | "motorway_link" => WayKind::Motorway,
        "trunk" | "trunk_link" => WayKind::Trunk,
        "primary" | "primary_link" => WayKind::Primary,
        "secondary" | "secondary_link" => WayKind::Secondary,
        "tertiary" | "tertiary_link" => WayKind::Tertiary,
        "unclassified" => WayKind::Unclassified,
        "residential" => WayKind::Residential,
        "living_street" => WayKind::LivingStreet,
        "service" => WayKind::Service,
        "track" => WayKind::Track,
        "path" => WayKind::Path,
        "footway" => WayKind::Footway,
        "pedestrian" => WayKind::Pedestrian,
        "cycleway" => WayKind::Cycleway,
        "bridleway" => WayKind::Bridleway,
        "steps" => WayKind::Steps,
        "via_ferrata" => WayKind::ViaFerrata,
        "road" => WayKind::Other,
        // Planned, being built, gone, inside a building, or a race track: nothing to follow outside.
        _ => return None,
    })
}

fn flags(tags: Tags) -> u8 {
    let said = |key: &str| tags(key).is_some_and(|v| v != "no");
    let lane = ["cycleway", "cycleway:left", "cycleway:right", "cycleway:both"].iter().any(|key| {
        tags(key).is_some_and(|v| matches!(v, "lane" | "track" | "opposite_lane" | "opposite_track" | "share_busway"))
    });
    let mut bits = 0;
    for (is_set, bit) in [
        (said("bridge"), flag::BRIDGE),
        (said("tunnel"), flag::TUNNEL),
        (said("ford"), flag::FORD),
        (matches!(tags("junction"), Some("roundabout" | "circular")), flag::ROUNDABOUT),
        (lane, flag::CYCLE_LANE),
    ] {
        bits |= if is_set { bit } else { 0 };
    }
    bits
}

/// Whether a way is a tunnel of a busy road where no tag says that people walk.
fn is_road_tunnel(tags: Tags, kind: WayKind) -> bool {
    let is_busy = matches!(kind, WayKind::Trunk | WayKind::Primary | WayKind::Secondary | WayKind::Tertiary);
    let has_pavement = ["sidewalk", "sidewalk:both", "sidewalk:left", "sidewalk:right"]
        .iter()
        .any(|key| tags(key).is_some_and(|value| !matches!(value, "no" | "none")));
    let is_signed = tags("foot").and_then(access_value).is_some_and(Access::is_allowed);
    is_busy && tags("tunnel") == Some("yes") && !has_pavement && !is_signed
}

fn surface(value: Option<&str>) -> Surface {
    let Some(value) = value else { return Surface::Unknown };
    match value.split([':', ';']).next().unwrap_or_default() {
        "asphalt" | "paved" | "concrete" | "chipseal" | "tartan" | "acrylic" => Surface::Paved,
        "paving_stones" | "bricks" | "brick" | "wood" | "metal" | "tiles" | "metal_grid" => Surface::PavingStones,
        "sett" | "cobblestone" | "unhewn_cobblestone" | "grass_paver" | "stone" => Surface::Cobblestone,
        "compacted" | "fine_gravel" => Surface::Compacted,
        "gravel" | "pebblestone" => Surface::Gravel,
        "ground" | "dirt" | "earth" | "grass" | "unpaved" | "woodchips" | "clay" => Surface::Ground,
        "rock" | "bare_rock" | "scree" | "rocks" => Surface::Rock,
        "sand" | "mud" | "snow" | "ice" => Surface::Soft,
        _ => Surface::Unknown,
    }
}

fn smoothness(value: Option<&str>) -> u8 {
    const GRADES: [&str; 8] =
        ["excellent", "good", "intermediate", "bad", "very_bad", "horrible", "very_horrible", "impassable"];
    value.and_then(|v| GRADES.iter().position(|grade| *grade == v)).map_or(0, |i| i as u8 + 1)
}

/// In km/h; miles are distinguished, words ("FR:urban") say nothing here.
fn maxspeed_kmh(value: Option<&str>) -> u8 {
    let Some(value) = value else { return 0 };
    let digits: String = value.trim().chars().take_while(char::is_ascii_digit).collect();
    let number: f64 = digits.parse().unwrap_or_default();
    (if value.contains("mph") { number * 1.609 } else { number }).min(250.0) as u8
}

/// Signed networks named on the way itself (`lcn=yes`, `rwn=yes` …); most are relations.
fn signed(tags: Tags) -> u8 {
    let is = |key: &str| tags(key).is_some_and(|v| v != "no");
    let mut bits = 0;
    for (keys, bit) in [
        (&["lcn", "rcn", "ncn", "icn"][..], network::CYCLE),
        (&["ncn", "icn"], network::LONG_CYCLE),
        (&["lwn", "rwn", "nwn", "iwn"], network::HIKING),
        (&["nwn", "iwn"], network::LONG_HIKING),
    ] {
        bits |= if keys.iter().any(|key| is(key)) { bit } else { 0 };
    }
    bits
}

fn sac_scale(value: Option<&str>) -> u8 {
    match value {
        Some("strolling" | "hiking") => 1,
        Some("mountain_hiking") => 2,
        Some("demanding_mountain_hiking") => 3,
        Some("alpine_hiking") => 4,
        Some("demanding_alpine_hiking") => 5,
        Some("difficult_alpine_hiking") => 6,
        _ => 0,
    }
}

fn digit(value: &str) -> Option<u8> {
    value.chars().next().and_then(|c| c.to_digit(10)).map(|d| d as u8)
}

/// One access value; `None` for a value that is not known here.
fn access_value(value: &str) -> Option<Access> {
    Some(match value {
        "yes" | "permissive" | "official" | "unknown" | "discouraged" | "allowed" | "permit" => Access::Yes,
        "designated" => Access::Designated,
        "destination" | "customers" | "residents" | "visitors" => Access::Destination,
        "dismount" => Access::Dismount,
        "use_sidepath" | "optional_sidepath" => Access::Sidepath,
        "no" | "private" | "agricultural" | "forestry" | "military" | "delivery" | "emergency" | "employees"
        | "restricted" => Access::No,
        _ => return None,
    })
}

/// The value of the most specific key that is tagged and understood.
fn first_access(tags: Tags, keys: &[&str]) -> Option<Access> {
    keys.iter().find_map(|key| tags(key).and_then(access_value))
}

fn foot(tags: Tags, kind: WayKind) -> [Access; 2] {
    let is_motorroad = kind == WayKind::Motorway || tags("motorroad") == Some("yes");
    let by_default = match kind {
        _ if is_motorroad => Access::No,
        WayKind::ViaFerrata => Access::No,
        WayKind::Footway | WayKind::Pedestrian | WayKind::Steps => Access::Designated,
        _ => Access::Yes,
    };
    let own = tags("foot").and_then(access_value);
    let both = if kind == WayKind::Motorway {
        Access::No
    } else {
        own.or_else(|| if is_motorroad { None } else { first_access(tags, &["access"]) }).unwrap_or(by_default)
    };
    let mut directed = [both; 2];
    let one_way = tags("oneway:foot").or_else(|| tags("foot:backward").filter(|v| *v == "no").map(|_| "yes"));
    match one_way {
        Some("yes" | "1") => directed[1] = Access::No,
        Some("-1") => directed[0] = Access::No,
        _ => {}
    }
    directed
}

fn bike_default(tags: Tags, kind: WayKind) -> Access {
    if kind == WayKind::Motorway || tags("motorroad") == Some("yes") {
        return Access::No;
    }
    match kind {
        WayKind::Cycleway => Access::Designated,
        // On a pavement or up steps the rider walks: allowed, slow.
        WayKind::Footway | WayKind::Steps | WayKind::Pedestrian => Access::Dismount,
        WayKind::ViaFerrata => Access::No,
        _ => Access::Yes,
    }
}

/// Which way traffic may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OneWay {
    Both,
    Along,
    Against,
}

fn one_way_value(value: &str) -> Option<OneWay> {
    match value {
        "yes" | "true" | "1" => Some(OneWay::Along),
        "-1" | "reverse" => Some(OneWay::Against),
        "no" | "false" | "0" | "reversible" | "alternating" => Some(OneWay::Both),
        _ => None,
    }
}

fn one_way(tags: Tags, kind: WayKind) -> OneWay {
    let implied = matches!(tags("junction"), Some("roundabout" | "circular")) || kind == WayKind::Motorway;
    let by_default = if implied { OneWay::Along } else { OneWay::Both };
    tags("oneway").and_then(one_way_value).unwrap_or(by_default)
}

/// Does a cycle lane or a sign let bikes ride against the one-way?
fn bikes_may_go_against(tags: Tags) -> bool {
    let opposite = |key: &str| tags(key).is_some_and(|v| v.starts_with("opposite"));
    let lane_back = |key: &str| tags(key).is_some_and(|v| matches!(v, "no" | "-1"));
    tags("oneway:bicycle").and_then(one_way_value) == Some(OneWay::Both)
        || ["cycleway", "cycleway:left", "cycleway:right", "cycleway:both"].iter().any(|key| opposite(key))
        || ["cycleway:left:oneway", "cycleway:right:oneway", "cycleway:both:oneway"].iter().any(|key| lane_back(key))
        || tags("bicycle:backward").and_then(access_value).is_some_and(Access::is_allowed)
}

fn bike(tags: Tags, kind: WayKind, traffic: OneWay) -> [Access; 2] {
    let own = tags("bicycle").and_then(access_value);
    let is_motorroad = tags("motorroad") == Some("yes");
    // Foot keys of foot ways do not speak of bikes, but `access=no` does, and a motorway is never ridden.
    let both = if kind == WayKind::Motorway {
        Access::No
    } else {
        let general = || if is_motorroad { None } else { first_access(tags, &["vehicle", "access"]) };
        // "Everybody may" on a foot way does not turn a pavement into a cycleway.
        let weaker = |said: Access| match bike_default(tags, kind) {
            Access::Dismount if said.is_allowed() => Access::Dismount,
            _ => said,
        };
        own.or_else(|| general().map(weaker)).unwrap_or_else(|| bike_default(tags, kind))
    };
    let both = if kind == WayKind::Steps && both.is_allowed() { Access::Dismount } else { both };
    let mut directed = [both; 2];
    let own_way = tags("oneway:bicycle").and_then(one_way_value).filter(|w| *w != OneWay::Both);
    let traffic = own_way.unwrap_or(traffic);
    let may_go_against = own_way.is_none() && bikes_may_go_against(tags);
    match traffic {
        OneWay::Along if !may_go_against => directed[1] = Access::No,
        OneWay::Against if !may_go_against => directed[0] = Access::No,
        _ => {}
    }
    if tags("bicycle:backward") == Some("no") {
        directed[1] = Access::No;
    }
    if tags("bicycle:forward") == Some("no") {
        directed[0] = Access::No;
    }
    directed
}

/// What a barrier on a node lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Barrier {
    pub stops_foot: bool,
    pub stops_bike: bool,
    /// Passable, but one gets off, opens or lifts.
    pub slows_bike: bool,
}

impl Barrier {
    pub(crate) fn to_byte(self) -> u8 {
        u8::from(self.stops_foot) | u8::from(self.stops_bike) << 1 | u8::from(self.slows_bike) << 2
    }

    pub(crate) fn from_byte(byte: u8) -> Self {
        Self { stops_foot: byte & 1 != 0, stops_bike: byte & 2 != 0, slows_bike: byte & 4 != 0 }
    }
}

/// Barriers where a rider gets off, opens or lifts.
const SLOWING: &[&str] = &[
    "stile",
    "kissing_gate",
    "full-height_turnstile",
    "turnstile",
    "horse_stile",
    "debris",
    "log",
    "jersey_barrier",
    "gate",
    "lift_gate",
    "swing_gate",
    "cycle_barrier",
    "motorcycle_barrier",
    "chain",
    "sally_port",
    "spikes",
    "wicket_gate",
    "hampshire_gate",
];

/// The barrier of a node's tags, `None` where it has none that matters.
pub(crate) fn barrier(tags: Tags) -> Option<Barrier> {
    let kind = tags("barrier");
    let is_ford = tags("ford").is_some_and(|v| v != "no") || tags("highway") == Some("ford");
    // Access tags alone say nothing of the road: `bicycle=no` on a crossing is about those who cross.
    if kind.is_none() && !is_ford {
        return None;
    }
    let is_wall = matches!(kind, Some("fence" | "wall" | "hedge" | "city_wall" | "retaining_wall" | "ditch"));
    let slows_bike = is_ford || kind.is_some_and(|k| SLOWING.contains(&k));
    let is_locked = tags("locked") == Some("yes");
    let foot = first_access(tags, &["foot", "access"]).map_or(is_wall || is_locked, |a| !a.is_allowed());
    let bike = first_access(tags, &["bicycle", "vehicle", "access"]).map_or(is_wall || is_locked, |a| !a.is_allowed());
    let found = Barrier { stops_foot: foot, stops_bike: bike, slows_bike };
    (found != Barrier::default()).then_some(found)
}

#[cfg(test)]
mod tests;
