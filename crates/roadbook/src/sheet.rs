//! The paper: sizes in millimetres and how large text is set on it.

use serde::Serialize;

use crate::data::Format;

/// A sheet, its margins and what goes on it.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Sheet {
    pub(crate) a4: bool,
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// 5 mm more than outside, for staples or a ring binder.
    pub(crate) inside: f64,
    /// What home printers can reach.
    pub(crate) outside: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
    /// Beyond the cut.
    pub(crate) bleed: f64,
    /// Text sizes against A5's.
    pub(crate) zoom: f64,
    /// Slips on a page.
    pub(crate) slips: usize,
}

impl Sheet {
    pub(crate) const fn of(format: Format, bleed: bool) -> Self {
        let bleed = if bleed { 3.0 } else { 0.0 };
        match format {
            Format::A5 => Self {
                a4: false,
                width: 148.0,
                height: 210.0,
                inside: 15.0,
                outside: 10.0,
                top: 11.0,
                bottom: 14.0,
                bleed,
                zoom: 1.0,
                slips: 3,
            },
            Format::A4 => Self {
                a4: true,
                width: 210.0,
                height: 297.0,
                inside: 22.0,
                outside: 16.0,
                top: 15.0,
                bottom: 18.0,
                bleed,
                zoom: 1.13,
                slips: 4,
            },
        }
    }

    /// The card that goes with a link: ten pixels to the millimetre.
    pub(crate) const fn card() -> Self {
        Self {
            a4: false,
            width: 120.0,
            height: 63.0,
            inside: 0.0,
            outside: 0.0,
            top: 0.0,
            bottom: 0.0,
            bleed: 0.0,
            zoom: 1.0,
            slips: 0,
        }
    }

    pub(crate) fn text_width(&self) -> f64 {
        self.width - self.inside - self.outside
    }

    pub(crate) fn text_height(&self) -> f64 {
        self.height - self.top - self.bottom
    }

    /// Characters of names on the cover: twenty usual ones on A5. `cover.typ` makes room for as many.
    pub(crate) const fn cover_names(&self) -> usize {
        if self.a4 { 800 } else { 500 }
    }

    /// Characters of names on a slip, whose height is fixed. `slip` in `end.typ` sets as many smaller until they fit.
    pub(crate) const fn slip_names(&self) -> usize {
        if self.a4 { 300 } else { 160 }
    }

    /// Height of a day's map: what its title, figures and introduction leave of the page. On A4 the profile follows on
    /// the same page.
    pub(crate) fn day_map_height(&self, intro_chars: usize, two_lines: bool) -> f64 {
        if self.a4 {
            return 146.0;
        }
        let lines = intro_chars.div_ceil(82) as f64;
        let title = if two_lines { 7.0 } else { 0.0 };
        (self.text_height() - 41.0 - title - lines * 4.9 - if lines > 0.0 { 6.0 } else { 0.0 }).clamp(80.0, 140.0)
    }

    /// Height of the whole trip's map.
    pub(crate) fn overview_height(&self) -> f64 {
        if self.a4 { 232.0 } else { 166.0 }
    }
}
