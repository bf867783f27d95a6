//! SVG for Typst: one `<path>` for each style, with relative coordinates in hundredths of a millimetre; no class, no filter. Text is only in
//! drawings that are used alone: on pages, the template writes it.

use std::fmt::Write as _;

use domain::html::escaped;

/// A place on paper in millimetres.
pub(crate) type Mm = [f64; 2];

/// A picture being drawn.
pub(crate) struct Svg {
    body: String,
    size: Mm,
}

/// Points of one path, shortened on the way.
#[derive(Debug, Default, Clone)]
pub(crate) struct Path {
    d: String,
    at: [i32; 2],
}

/// Hundredths of a millimetre that a point must move to be worth its bytes.
const GRAIN: i32 = 12;

impl Path {
    pub(crate) fn is_empty(&self) -> bool {
        self.d.is_empty()
    }

    /// Adds an open line through points in millimetres.
    pub(crate) fn line(&mut self, points: impl IntoIterator<Item = Mm>) {
        self.add(points, false);
    }

    /// Adds a closed ring through points in millimetres.
    pub(crate) fn ring(&mut self, points: impl IntoIterator<Item = Mm>) {
        self.add(points, true);
    }

    fn add(&mut self, points: impl IntoIterator<Item = Mm>, closed: bool) {
        let mut points = points.into_iter().map(|point| point.map(|mm| (mm * 100.0).round() as i32)).peekable();
        let Some(first) = points.next() else { return };
        let (mut begun, mut last) = (false, first);
        while let Some(point) = points.next() {
            let moved = (point[0] - last[0]).abs().max((point[1] - last[1]).abs());
            // The last point is kept; a closed ring needs no last point.
            if moved < GRAIN && (closed || points.peek().is_some()) {
                continue;
            }
            if begun {
                self.d.push(' ');
            } else {
                let _ = write!(self.d, "M{} {}l", first[0], first[1]);
                begun = true;
            }
            let _ = write!(self.d, "{} {}", point[0] - last[0], point[1] - last[1]);
            last = point;
        }
        if begun && closed {
            self.d.push('z');
        }
        self.at = last;
    }
}

impl Svg {
    pub(crate) fn new(size: Mm) -> Self {
        Self { body: String::new(), size }
    }

    /// Fills a path. Holes wind the other way, as tiles have them: neighbours that overlap then stay filled.
    pub(crate) fn fill(&mut self, path: &Path, colour: &str) {
        if !path.is_empty() {
            let _ = write!(self.body, "<path fill='{colour}' d='{}'/>", path.d);
        }
    }

    /// Draws a path; width in millimetres, dashes too.
    pub(crate) fn stroke(&mut self, path: &Path, colour: &str, width_mm: f64, dash: &str) {
        if path.is_empty() {
            return;
        }
        let dashes = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray='{dash}'") };
        let cap = if dash.is_empty() { "round" } else { "butt" };
        let _ = write!(
            self.body,
            "<path fill='none' stroke='{colour}' stroke-width='{:.0}' stroke-linejoin='round' stroke-linecap='{cap}'{dashes} d='{}'/>",
            width_mm * 100.0,
            path.d
        );
    }

    /// A filled disc; millimetres.
    pub(crate) fn dot(&mut self, at: Mm, radius_mm: f64, colour: &str) {
        let [x, y] = at.map(|mm| mm * 100.0);
        let _ = write!(self.body, "<circle cx='{x:.0}' cy='{y:.0}' r='{:.0}' fill='{colour}'/>", radius_mm * 100.0);
    }

    /// Words around their middle, with a rim of the paper's colour.
    pub(crate) fn text(&mut self, middle: Mm, words: &str, size_pt: f64, colour: &str) {
        // A point is 0.3528 mm; capitals are seven tenths of the size high.
        let (size, [x, y]) = (size_pt * 35.28, middle.map(|mm| mm * 100.0));
        let words = escaped(words);
        let _ = write!(
            self.body,
            "<text x='{x:.0}' y='{:.0}' font-size='{size:.0}' font-family='sans-serif' text-anchor='middle' fill='{colour}' stroke='#fff' stroke-width='50' stroke-linejoin='round' paint-order='stroke'>{words}</text>",
            y + size * 0.35
        );
    }

    /// A filled rectangle over the whole.
    pub(crate) fn ground(&mut self, colour: &str) {
        let [width, height] = self.size.map(|mm| mm * 100.0);
        let _ = write!(self.body, "<rect width='{width:.0}' height='{height:.0}' fill='{colour}'/>");
    }

    pub(crate) fn finish(self) -> String {
        let [width, height] = self.size;
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='{width}mm' height='{height}mm' viewBox='0 0 {:.0} {:.0}'>{}</svg>",
            width * 100.0,
            height * 100.0,
            self.body
        )
    }
}
