//! The rules of each profile: a data file of `profiles/`, applied once to each attribute set.

use crate::attributes::{Access, Attributes, flag, network};
use routing::{Level, Preferences, Profile, Surface, WayKind};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::LazyLock};

/// The traveller whose access tags count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mode {
    Foot,
    Bike,
}

/// Factors of signed networks.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Networks {
    cycle: f64,
    long_cycle: f64,
    mtb: f64,
    hiking: f64,
    long_hiking: f64,
}

/// Seconds that a turn costs a rider, where there is a choice of ways.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TurnCosts {
    /// From 45° on.
    pub turn: f64,
    /// From 110° on.
    pub sharp: f64,
    /// In addition, when the turn is to the left: across the traffic.
    pub left: f64,
    /// Turning round on the spot.
    pub back: f64,
}

/// One profile's data file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rules {
    pub mode: Mode,
    pub flat_kmh: f64,
    pub max_kmh: f64,
    push_kmh: f64,
    /// Metres an hour up and down (DIN 33466); only where `slope_speed` is empty.
    pub ascent_mh: Option<f64>,
    pub descent_mh: Option<f64>,
    way: BTreeMap<WayKind, f64>,
    surface: BTreeMap<Surface, (f64, f64)>,
    tracktype: Vec<(f64, f64)>,
    /// Factor and speed limit by `smoothness`, from excellent on; a value that is not listed is closed.
    smoothness: Vec<(f64, f64)>,
    /// Factor on roads by speed limit in km/h, from that limit on; a cycle lane halves what is above 1.
    traffic: Vec<(u8, f64)>,
    ford: f64,
    /// Along a river or a canal.
    waterside: f64,
    sac_scale: Vec<f64>,
    mtb_scale: Vec<f64>,
    networks: Networks,
    pub turn_s: TurnCosts,
    cycle_lane: f64,
    dismount: f64,
    destination: f64,
    sidepath: f64,
    barrier_s: f64,
    board_s: f64,
    ferry_kmh: f64,
    /// Share of climbs and drops that counts when ways are compared (times always count them in full).
    pub climb_weight: f64,
    /// Additional seconds for each metre of climb, for users who prefer gentle ways.
    #[serde(skip)]
    pub climb_toll_s: f64,
    slope_speed: Vec<(f64, f64)>,
    /// `slope_speed` at every whole per cent, worked out once.
    #[serde(skip)]
    slope_table: Vec<f64>,
}

/// Slopes of the table, in per cent.
const SLOPES: std::ops::RangeInclusive<i32> = -40..=40;

/// The speed and cost of an attribute set in one direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pace {
    /// Speed on the flat.
    pub kmh: f64,
    /// The cost of a second in the search.
    pub factor: f64,
    /// Seconds added once for a link.
    pub once_s: f64,
    /// False for steps, pushing and ferries: their speed does not depend on the slope.
    pub minds_slope: bool,
}

impl Rules {
    /// The rules of a profile, as built into the program.
    pub(crate) fn of(profile: Profile) -> &'static Self {
        static ALL: LazyLock<[Rules; 8]> = LazyLock::new(|| {
            [
                include_str!("../profiles/touring.json"),
                include_str!("../profiles/road.json"),
                include_str!("../profiles/gravel.json"),
                include_str!("../profiles/mtb.json"),
                include_str!("../profiles/ebike.json"),
                include_str!("../profiles/hiking.json"),
                include_str!("../profiles/family.json"),
                include_str!("../profiles/waterway.json"),
            ]
            .map(|text| Rules::read(text).expect("the profiles built into the program are read by a test"))
        });
        &ALL[profile as usize]
    }

    /// Read a profile's data file.
    pub(crate) fn read(text: &str) -> Result<Self, serde_json::Error> {
        let mut rules: Self = serde_json::from_str(text)?;
        rules.slope_table = SLOPES.map(|percent| rules.share_between(f64::from(percent) / 100.0)).collect();
        Ok(rules)
    }

    /// The hardest grade of `sac_scale` that the profile accepts, 0 for none.
    pub(crate) fn hardest_sac_scale(&self) -> usize {
        self.sac_scale.len()
    }

    /// Seconds on a ferry whose duration is unknown, boarding included.
    pub(crate) fn ferry_s(&self, length_m: f64) -> f64 {
        self.board_s + length_m * 3.6 / self.ferry_kmh
    }

    /// These rules adjusted to preferences: only factors change, never closed ways or speeds.
    pub(crate) fn with_preferences(&self, wanted: Preferences) -> Self {
        let mut adjusted = self.clone();
        let networks = &mut adjusted.networks;
        for factor in [
            &mut networks.cycle,
            &mut networks.long_cycle,
            &mut networks.mtb,
            &mut networks.hiking,
            &mut networks.long_hiking,
        ] {
            // A factor of 1 and more means no preference: it is not changed.
            if *factor < 1.0 {
                *factor = by_level(wanted.signed, factor.sqrt(), *factor, *factor * 0.7);
            }
        }
        for (_, factor) in &mut adjusted.traffic {
            *factor = factor.powf(by_level(wanted.quiet, 0.4, 1.0, 1.6));
        }
        for kind in [WayKind::Trunk, WayKind::Primary, WayKind::Secondary] {
            if let Some(factor) = adjusted.way.get_mut(&kind) {
                *factor *= by_level(wanted.quiet, 0.8, 1.0, 1.5);
            }
        }
        adjusted.climb_weight *= by_level(wanted.gentle, 0.4, 1.0, 1.0);
        // About what a metre takes: climbs count twice. Heavier slopes would make descents dearer to a rider, too.
        adjusted.climb_toll_s = by_level(wanted.gentle, 0.0, 0.0, if self.mode == Mode::Foot { 10.0 } else { 6.0 });
        let unpaved = by_level(wanted.paved, 0.75, 1.0, 1.7);
        for (surface, (factor, _)) in &mut adjusted.surface {
            if !matches!(surface, Surface::Unknown | Surface::Paved | Surface::PavingStones | Surface::Cobblestone) {
                *factor *= unpaved;
            }
        }
        for (factor, _) in adjusted.tracktype.iter_mut().skip(1) {
            *factor *= unpaved;
        }
        adjusted
    }

    pub(crate) fn access(&self, set: &Attributes, is_backward: bool) -> Access {
        let both = if self.mode == Mode::Foot { set.foot } else { set.bike };
        both[usize::from(is_backward)]
    }

    /// The pace on such a way, `None` where it is closed to the profile.
    pub(crate) fn pace(&self, set: &Attributes, is_backward: bool) -> Option<Pace> {
        let access = self.access(set, is_backward);
        let mut factor = *self.way.get(&set.kind)?;
        if set.kind == WayKind::Ferry {
            let kmh = if set.ferry_kmh > 0 { f64::from(set.ferry_kmh) } else { self.ferry_kmh };
            return access.is_allowed().then_some(Pace { kmh, factor, once_s: self.board_s, minds_slope: false });
        }
        let mut kmh = self.max_kmh;
        let mut apply = |(by, limit): (f64, f64)| {
            factor *= by;
            kmh = kmh.min(limit);
        };
        if set.surface != Surface::Unknown {
            apply(*self.surface.get(&set.surface)?);
        } else if set.tracktype > 0 {
            apply(*self.tracktype.get(usize::from(set.tracktype) - 1)?);
        } else {
            apply(*self.surface.get(&set.likely_surface())?);
        }
        if set.smoothness > 0 {
            apply(*self.smoothness.get(usize::from(set.smoothness) - 1)?);
        }
        let flagged = |bit: u8, by: f64| if set.has(bit) { by } else { 1.0 };
        factor *= self.traffic_factor(set) * flagged(flag::FORD, self.ford) * flagged(flag::WATERSIDE, self.waterside);
        factor *= grade(&self.sac_scale, set.sac_scale)? * grade(&self.mtb_scale, set.mtb_scale)?;
        factor *= match access {
            Access::No => return None,
            Access::Destination => self.destination,
            Access::Dismount => self.dismount,
            Access::Sidepath => self.sidepath,
            // A footway signed for bikes is a cycleway as well as a path.
            Access::Designated
                if self.mode == Mode::Bike
                    && matches!(set.kind, WayKind::Footway | WayKind::Path | WayKind::Pedestrian) =>
            {
                0.7
            }
            Access::Yes | Access::Designated => 1.0,
        };
        factor *= self.network_factor(set) * if set.has(flag::CYCLE_LANE) { self.cycle_lane } else { 1.0 };
        let pushes = self.mode == Mode::Bike && access == Access::Dismount;
        let kmh = if pushes { self.push_kmh } else { self.flat_kmh.min(kmh) };
        Some(Pace { kmh, factor, once_s: 0.0, minds_slope: !pushes })
    }

    fn traffic_factor(&self, set: &Attributes) -> f64 {
        let factor = self.traffic.iter().rev().find(|(from, _)| set.maxspeed_kmh >= *from).map_or(1.0, |(_, f)| *f);
        if set.has(flag::CYCLE_LANE) { factor.midpoint(1.0) } else { factor }
    }

    fn network_factor(&self, set: &Attributes) -> f64 {
        let on = |bit: u8, factor: f64| if set.networks & bit != 0 { factor } else { 1.0 };
        on(network::CYCLE, self.networks.cycle)
            .min(on(network::MTB, self.networks.mtb))
            .min(on(network::HIKING, self.networks.hiking))
            .min(on(network::LONG_CYCLE, self.networks.long_cycle))
            .min(on(network::LONG_HIKING, self.networks.long_hiking))
    }

    /// Seconds for a node at which a rider has to get off or open a gate.
    pub(crate) fn barrier_s(&self) -> f64 {
        self.barrier_s
    }

    /// Share of the flat speed on a slope (0.05 = 5 % up).
    pub(crate) fn slope_share(&self, slope: f64) -> f64 {
        let last = self.slope_table.len() - 1;
        let place = (slope * 100.0 - f64::from(*SLOPES.start())).clamp(0.0, last as f64);
        let low = (place as usize).min(last - 1);
        let (a, b) = (self.slope_table[low], self.slope_table[low + 1]);
        a + (b - a) * (place - low as f64)
    }

    /// Seconds for a length on one slope, by bike.
    pub(crate) fn ridden_s(&self, pace: &Pace, length_m: f64, slope: f64) -> f64 {
        // Never faster than the profile's largest speed, at any slope.
        let kmh = (pace.kmh * self.slope_share(slope)).min(self.max_kmh);
        length_m * 3.6 / kmh
    }

    /// Share of the flat speed on a slope, interpolated in `slope_speed`; fills the table that is asked.
    fn share_between(&self, slope: f64) -> f64 {
        let table = &self.slope_speed;
        let after = table.partition_point(|(s, _)| *s < slope);
        match (after.checked_sub(1).and_then(|i| table.get(i)), table.get(after)) {
            (Some((s0, v0)), Some((s1, v1))) => v0 + (v1 - v0) * (slope - s0) / (s1 - s0),
            (Some((_, v)), None) | (None, Some((_, v))) => *v,
            (None, None) => 1.0,
        }
    }

    /// Seconds for a length at a pace with a climb and a drop.
    pub(crate) fn seconds(&self, pace: &Pace, length_m: f64, ascent_m: f64, descent_m: f64) -> f64 {
        let flat_s = length_m / (pace.kmh / 3.6);
        if !pace.minds_slope {
            return flat_s + pace.once_s;
        }
        if let (Some(up), Some(down)) = (self.ascent_mh, self.descent_mh) {
            let vertical_s = (ascent_m / up + descent_m / down) * 3600.0;
            return flat_s.max(vertical_s) + flat_s.min(vertical_s) / 2.0;
        }
        // Never faster than the profile's largest speed, at any slope.
        let share_of = |slope: f64| self.slope_share(slope).min(self.max_kmh / pace.kmh);
        let total = (ascent_m + descent_m).min(length_m);
        if total <= 0.0 || length_m <= 0.0 {
            return flat_s + pace.once_s;
        }
        // A link that climbs and drops is computed as a climbing part and a dropping part.
        let up_share = ascent_m / (ascent_m + descent_m);
        let slope = total / length_m;
        flat_s * (up_share / share_of(slope) + (1.0 - up_share) / share_of(-slope)) + pace.once_s
    }
}

/// One of three values, by the level of a preference.
pub(crate) fn by_level<T>(level: Level, less: T, usual: T, more: T) -> T {
    match level {
        Level::Less => less,
        Level::Usual => usual,
        Level::More => more,
    }
}

/// The factor of a grade: 1 where the grade is unknown, `None` beyond the list.
fn grade(factors: &[f64], grade: u8) -> Option<f64> {
    if grade == 0 { Some(1.0) } else { factors.get(usize::from(grade) - 1).copied() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(kind: WayKind) -> Attributes {
        Attributes {
            kind,
            surface: Surface::Unknown,
            tracktype: 0,
            sac_scale: 0,
            mtb_scale: 0,
            flags: 0,
            networks: 0,
            foot: [Access::Yes; 2],
            bike: [Access::Yes; 2],
            ferry_kmh: 0,
            smoothness: 0,
            maxspeed_kmh: 0,
            closed_months: 0,
        }
    }

    #[test]
    fn every_profile_file_is_read_and_names_every_surface() {
        for profile in Profile::ALL {
            let rules = Rules::of(profile);
            for surface in Surface::ALL {
                assert!(rules.surface.contains_key(surface), "{profile}: {surface:?}");
            }
            assert!(rules.tracktype.len() <= 5 && rules.traffic.is_sorted_by(|a, b| a.0 < b.0));
            assert!(!rules.way.contains_key(&WayKind::Motorway) && !rules.way.contains_key(&WayKind::ViaFerrata));
            assert!(rules.slope_speed.is_sorted_by(|a, b| a.0 < b.0));
            assert_eq!(profile.as_str().parse(), Ok(profile));
        }
        assert!("car".parse::<Profile>().is_err());
    }

    #[test]
    fn a_road_bike_pays_for_gravel() {
        let gravel = Attributes { surface: Surface::Gravel, ..set(WayKind::Track) };
        let road = Rules::of(Profile::Road);
        let paved = road.pace(&set(WayKind::Tertiary), false).expect("allowed");
        assert!(road.pace(&gravel, false).expect("allowed").factor >= 8.0 * paved.factor);
    }

    #[test]
    fn closed_ways_and_hard_grades_have_no_pace() {
        let closed = Attributes { bike: [Access::No; 2], ..set(WayKind::Track) };
        assert!(Rules::of(Profile::Mtb).pace(&closed, false).is_none());
        assert!(Rules::of(Profile::Hiking).pace(&closed, false).is_some());
        let hard = Attributes { sac_scale: 6, ..set(WayKind::Path) };
        assert!(Rules::of(Profile::Hiking).pace(&hard, false).is_none());
        assert!(Rules::of(Profile::Touring).pace(&set(WayKind::Motorway), false).is_none());
    }

    #[test]
    fn preferences_open_no_way_and_change_no_speed() {
        let all = [Level::Less, Level::Usual, Level::More];
        for (profile, level) in Profile::ALL.into_iter().flat_map(|p| all.map(|level| (p, level))) {
            let (usual, wanted) =
                (Rules::of(profile), Preferences { signed: level, quiet: level, gentle: level, paved: level });
            let adjusted = usual.with_preferences(wanted);
            for kind in WayKind::ALL {
                for surface in Surface::ALL {
                    let way =
                        Attributes { surface: *surface, networks: network::CYCLE, maxspeed_kmh: 90, ..set(*kind) };
                    let (before, after) = (usual.pace(&way, false), adjusted.pace(&way, false));
                    assert_eq!(before.map(|p| p.kmh), after.map(|p| p.kmh), "{profile} {kind:?} {surface:?}");
                    assert!(after.is_none_or(|p| p.factor.is_finite() && p.factor > 0.0));
                    assert!(level != Level::Usual || before == after);
                }
            }
        }
    }

    #[test]
    fn walking_time_is_din_33466() {
        let hiking = Rules::of(Profile::Hiking);
        let pace = hiking.pace(&set(WayKind::Path), false).expect("allowed");
        // 8 km = 2 h, 600 m up = 2 h, 500 m down = 1 h: 3 h + half of 2 h.
        assert!((hiking.seconds(&pace, 8000.0, 600.0, 500.0) - 4.0 * 3600.0).abs() < 1e-6);
    }

    #[test]
    fn riding_uphill_is_slower_than_down() {
        for profile in Profile::ALL.into_iter().filter(|p| Rules::of(*p).mode == Mode::Bike) {
            let rules = Rules::of(profile);
            let pace = rules.pace(&set(WayKind::Tertiary), false).expect("allowed");
            let (up, flat, down) = (
                rules.seconds(&pace, 1000.0, 60.0, 0.0),
                rules.seconds(&pace, 1000.0, 0.0, 0.0),
                rules.seconds(&pace, 1000.0, 0.0, 60.0),
            );
            assert!(up > flat && flat > down, "{profile}: {up} {flat} {down}");
            assert!(1000.0 / down * 3.6 <= rules.max_kmh + 1e-9);
        }
    }
}
