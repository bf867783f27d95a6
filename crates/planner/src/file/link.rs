//! A link: the stretch of a way between two junctions, travelled in either direction by two arcs.

/// The word of a stored link that names its attributes.
pub(crate) const ATTRIBUTES_WORD: usize = 5;
/// Words of a stored link.
pub(crate) const LINK_WORDS: usize = 14;
/// Distance between the stored heights of a link in metres; a link's own step is what divides it evenly, and no longer.
pub(crate) const HEIGHT_STEP_M: f64 = 20.0;
/// Stored where no height is known.
pub(crate) const VOID_HEIGHT: i16 = i16::MIN;
/// A half turn of a stored bearing.
const HALF_TURN: u16 = 0x8000;
/// A stored link.
pub(crate) type LinkRow = [u32; LINK_WORDS];

/// What a link's words say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Link {
    /// Junctions at the first and the last shape point.
    pub ends: [u32; 2],
    pub shape_start: u32,
    pub shape_count: u32,
    pub length_cm: u32,
    pub attributes: u32,
    /// Index of the name, `u32::MAX` without one.
    pub name: u32,
    /// Climb and drop in decimetres, along the shape.
    pub ascent_dm: u16,
    pub descent_dm: u16,
    pub way_id: i64,
    /// The arcs of the base states: along and against the shape.
    pub arcs: [u32; 2],
    /// Compass directions, 65536 to the turn: leaving the first point, and arriving at the last.
    pub bearings: [u16; 2],
    /// Index of the first of its heights.
    pub heights: u32,
}

impl Link {
    pub(crate) fn to_row(self) -> LinkRow {
        let way = self.way_id as u64;
        [
            self.ends[0],
            self.ends[1],
            self.shape_start,
            self.shape_count,
            self.length_cm,
            self.attributes,
            self.name,
            u32::from(self.ascent_dm) << 16 | u32::from(self.descent_dm),
            way as u32,
            (way >> 32) as u32,
            self.arcs[0],
            self.arcs[1],
            u32::from(self.bearings[0]) << 16 | u32::from(self.bearings[1]),
            self.heights,
        ]
    }

    pub(crate) fn from_row(row: &LinkRow) -> Self {
        Self {
            ends: [row[0], row[1]],
            shape_start: row[2],
            shape_count: row[3],
            length_cm: row[4],
            attributes: row[5],
            name: row[6],
            ascent_dm: (row[7] >> 16) as u16,
            descent_dm: row[7] as u16,
            way_id: (u64::from(row[8]) | u64::from(row[9]) << 32) as i64,
            arcs: [row[10], row[11]],
            bearings: [(row[12] >> 16) as u16, row[12] as u16],
            heights: row[13],
        }
    }

    pub(crate) fn length_m(&self) -> f64 {
        f64::from(self.length_cm) / 100.0
    }

    /// How many heights are stored along it, both ends included.
    pub(crate) fn height_count(&self) -> usize {
        (self.length_m() / HEIGHT_STEP_M).ceil().max(1.0) as usize + 1
    }

    /// Direction of travel when one sets out along or against the shape.
    pub(crate) fn departure(&self, is_backward: bool) -> u16 {
        if is_backward { self.bearings[1].wrapping_add(HALF_TURN) } else { self.bearings[0] }
    }

    /// Direction of travel when one comes to its end along or against the shape.
    pub(crate) fn arrival(&self, is_backward: bool) -> u16 {
        if is_backward { self.bearings[0].wrapping_add(HALF_TURN) } else { self.bearings[1] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_survives_its_words() {
        let link = Link {
            ends: [1, 2],
            shape_start: 3,
            shape_count: 4,
            length_cm: 5,
            attributes: 6,
            name: 7,
            ascent_dm: 8,
            descent_dm: 9,
            way_id: -10,
            arcs: [11, 12],
            bearings: [13, 60_000],
            heights: 14,
        };
        assert_eq!(Link::from_row(&link.to_row()), link);
    }
}
