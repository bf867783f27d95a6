//! Counts the elements that an SVG drawing draws once its references are followed. A few `use` or `pattern` elements that refer to each
//! other can draw millions of shapes.

use std::collections::HashMap;

use quick_xml::events::BytesStart;

/// The weight of an element, and of a step of a gradient.
const ELEMENT: u64 = 10;
const STEP: u64 = 1;
/// The weight that references may add to that of the file: 5,000 elements.
const MAX_ADDED: u64 = 5_000 * ELEMENT;
/// Paints and masks that an element may have, its own and inherited ones.
const MAX_PAINTS: usize = 50;

/// Elements that draw nothing themselves.
const NOT_DRAWN: [&str; 5] = ["defs", "title", "desc", "linearGradient", "radialGradient"];
/// Elements that are filled, stroked and marked.
const SHAPES: [&str; 10] =
    ["path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "textPath"];
/// Properties that an element inherits from its parent. Those after [`FIRST_MARKER`] are drawn at each point of a line.
const PAINTS: [&str; 6] = ["fill", "stroke", "marker", "marker-start", "marker-mid", "marker-end"];
const FIRST_MARKER: usize = 2;
/// Values of a property that keep the inherited value.
const INHERITING_VALUES: [&str; 4] = ["inherit", "unset", "revert", "revert-layer"];

/// The elements of a drawing, in parts: each element with an `id` begins one, which has the elements inside it that have no `id`. The
/// first part has the elements outside of all others.
#[derive(Debug)]
pub(crate) struct Expanded {
    parts: Vec<Part>,
    /// The part of an `id`, which consists of the parts of all elements with this `id`.
    names: HashMap<String, usize>,
    open: Vec<Open>,
    /// Parts that use another with a mark on its lines: the part, the mark and what is used.
    marked: Vec<(usize, usize, usize)>,
    /// The points of all lines.
    points: u64,
    /// The weight of all elements of the file, without references.
    own: u64,
    /// Whether an element has more paints or masks than [`MAX_PAINTS`].
    has_many_paints: bool,
}

#[derive(Debug, Default)]
struct Part {
    /// The weight of its elements; in [`Expanded::stays_within_limit`], with that of the parts it draws.
    own: u64,
    terms: Vec<Term>,
}

/// Another part that a part draws: the number of times, and a third part whose size multiplies it.
#[derive(Debug, Clone, Copy)]
struct Term {
    part: usize,
    times: u64,
    for_each: Option<usize>,
}

impl Term {
    const fn once(part: usize) -> Self {
        Self { part, times: 1, for_each: None }
    }
}

/// An element that has not ended: its part, the paints that what is inside takes over, as places in [`PAINTS`] and parts, and its masks,
/// which an element directly inside takes over where it says so.
#[derive(Debug, Clone, Default)]
struct Open {
    part: usize,
    paints: Vec<(usize, usize)>,
    masks: Vec<usize>,
}

impl Default for Expanded {
    fn default() -> Self {
        Self {
            parts: vec![Part::default()],
            names: HashMap::new(),
            open: Vec::new(),
            marked: Vec::new(),
            points: 0,
            own: 0,
            has_many_paints: false,
        }
    }
}

impl Expanded {
    /// Adds an element and opens it.
    pub(crate) fn begin(&mut self, element: &BytesStart) {
        let name = element.local_name().as_ref().to_owned();
        let around = self.open.last().cloned().unwrap_or_default();
        let (mut part, mut paints, mut masks) = (around.part, around.paints, Vec::new());
        let (mut used, mut terms, mut points) = (Vec::new(), Vec::new(), 1);
        let properties = properties(element);
        let has_style = properties.iter().any(|property| property.is_of_style);
        for Property { key, value, .. } in &properties {
            match key.as_str() {
                "id" => part = self.identified(around.part, value),
                "href" | "xlink:href" => {
                    let id = value.trim_start().strip_prefix('#').map(short_id);
                    used.extend(id.map(|id| self.named(id)));
                }
                // A point takes two characters at least.
                "d" | "points" => points = value.len() as u64 / 2 + 1,
                key => {
                    let found: Vec<usize> = references(value).map(|id| self.named(id)).collect();
                    let Some(paint) = PAINTS.iter().position(|paint| *paint == key) else {
                        masks.extend(found);
                        if ["clip-path", "mask"].contains(&key) && value.contains("inherit") {
                            masks.extend(&around.masks);
                        }
                        continue;
                    };
                    // A style beside the attribute may take over all the same.
                    if paint < FIRST_MARKER && !has_style && !INHERITING_VALUES.contains(&value.trim()) {
                        paints.retain(|(known, _)| *known != paint);
                    }
                    paints.extend(found.into_iter().map(|part| (paint, part)));
                }
            }
        }
        masks.sort_unstable();
        masks.dedup();
        paints.sort_unstable();
        paints.dedup();
        self.has_many_paints |= paints.len().max(masks.len()) > MAX_PAINTS;
        paints.truncate(MAX_PAINTS);
        masks.truncate(MAX_PAINTS);
        terms.extend(masks.iter().map(|part| Term::once(*part)));
        terms.extend(used.iter().map(|part| Term::once(*part)));
        if name == "use" {
            // What is used takes over the paints of the element that uses it.
            for used in used {
                for (paint, painted) in &paints {
                    if *paint >= FIRST_MARKER {
                        self.marked.push((part, *painted, used));
                    } else {
                        terms.push(Term { part: *painted, times: 1, for_each: Some(used) });
                    }
                }
            }
        } else if SHAPES.contains(&name.as_str()) {
            self.points = self.points.saturating_add(points);
            shape_terms(&paints, points, &mut terms);
        }
        let counts = match name.as_str() {
            "stop" => STEP,
            name if NOT_DRAWN.contains(&name) => 0,
            _ => ELEMENT,
        };
        self.own += counts;
        self.parts[part].own += counts;
        self.parts[part].terms.extend(terms);
        self.open.push(Open { part, paints, masks });
    }

    /// Closes the last opened element.
    pub(crate) fn end(&mut self) {
        self.open.pop();
    }

    /// Whether no references form a cycle, and they add at most [`MAX_ADDED`].
    pub(crate) fn stays_within_limit(mut self) -> bool {
        if self.has_many_paints {
            return false;
        }
        for (part, mark, used) in std::mem::take(&mut self.marked) {
            self.parts[part].terms.push(Term { part: mark, times: self.points, for_each: Some(used) });
        }
        // Topological order: a part is summed once all parts that it draws are. Parts of a cycle never are.
        let mut waits = vec![0_usize; self.parts.len()];
        let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); self.parts.len()];
        for (index, part) in self.parts.iter().enumerate() {
            for term in &part.terms {
                for other in [Some(term.part), term.for_each].into_iter().flatten() {
                    waits[index] += 1;
                    waiting[other].push(index);
                }
            }
        }
        let mut ready: Vec<usize> = (0..waits.len()).filter(|index| waits[*index] == 0).collect();
        let mut done = 0;
        while let Some(index) = ready.pop() {
            done += 1;
            let drawn = self.parts[index].terms.iter().map(|term| {
                // Times its elements, of which each counts ten.
                let each = term.for_each.map_or(1, |other| self.parts[other].own.div_ceil(ELEMENT));
                self.parts[term.part].own.saturating_mul(term.times).saturating_mul(each)
            });
            let drawn = drawn.fold(0, u64::saturating_add);
            let part = &mut self.parts[index];
            part.own = part.own.saturating_add(drawn);
            for user in std::mem::take(&mut waiting[index]) {
                waits[user] -= 1;
                if waits[user] == 0 {
                    ready.push(user);
                }
            }
        }
        done == self.parts.len() && self.parts[0].own <= self.own.saturating_add(MAX_ADDED)
    }

    /// The part of an `id`. Its element may come later in the file.
    fn named(&mut self, id: &str) -> usize {
        if let Some(part) = self.names.get(id) {
            return *part;
        }
        let part = self.add_part();
        self.names.insert(id.to_owned(), part);
        part
    }

    /// Adds a part for an element with an `id`, inside the part `around`.
    fn identified(&mut self, around: usize, id: &str) -> usize {
        let (named, part) = (self.named(short_id(id)), self.add_part());
        for whole in [around, named] {
            self.parts[whole].terms.push(Term::once(part));
        }
        part
    }

    fn add_part(&mut self) -> usize {
        self.parts.push(Part::default());
        self.parts.len() - 1
    }
}

/// What a shape draws by its paints. A mark may take over the other paints at each of its shapes (`context-fill`).
fn shape_terms(paints: &[(usize, usize)], points: u64, terms: &mut Vec<Term>) {
    let is_mark = |(paint, _): &&(usize, usize)| *paint >= FIRST_MARKER;
    for (_, mark) in paints.iter().filter(is_mark) {
        terms.push(Term { part: *mark, times: points, for_each: None });
        let others = paints.iter().filter(|paint| !is_mark(paint));
        terms.extend(others.map(|(_, part)| Term { part: *part, times: points, for_each: Some(*mark) }));
    }
    terms.extend(paints.iter().filter(|paint| !is_mark(paint)).map(|(_, part)| Term::once(*part)));
}

/// An attribute of an element, or a declaration of its style.
#[derive(Debug)]
struct Property {
    key: String,
    value: String,
    is_of_style: bool,
}

fn properties(element: &BytesStart) -> Vec<Property> {
    let mut found = Vec::new();
    for attribute in element.attributes().flatten() {
        let (key, value) = (attribute.key.as_ref(), quick_xml::escape::unescape(&attribute.value).unwrap_or_default());
        if key == "style" {
            let declared = value.split(';').filter_map(|declaration| declaration.split_once(':'));
            found.extend(declared.map(|(name, value)| Property {
                key: name.trim().to_ascii_lowercase(),
                value: value.to_owned(),
                is_of_style: true,
            }));
        } else {
            found.push(Property { key: key.to_owned(), value: value.into_owned(), is_of_style: false });
        }
    }
    found
}

/// The `id` of each `url(#id)`.
fn references(value: &str) -> impl Iterator<Item = &str> {
    value.match_indices('(').filter_map(|(at, _)| {
        let word = at.checked_sub(3).and_then(|from| value.get(from..at));
        let is_url = word.is_some_and(|word| word.eq_ignore_ascii_case("url"));
        let inside = is_url.then(|| value[at + 1..].trim_start())?;
        inside.trim_start_matches(['"', '\'']).trim_start().strip_prefix('#').map(short_id)
    })
}

/// An `id` up to the first sign that a reference may end at. Those that are equal so far count as one: then it does not matter where
/// the reader of drawings ends a reference.
fn short_id(id: &str) -> &str {
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ')' | ';');
    id.trim_start().split(ends).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use quick_xml::Reader;
    use quick_xml::events::Event;

    use super::*;

    fn is_bounded(inside: &str) -> bool {
        let text = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100">{inside}</svg>"#);
        let (mut reader, mut expanded) = (Reader::from_str(&text), Expanded::default());
        loop {
            match reader.read_event() {
                Ok(Event::Start(element)) => expanded.begin(&element),
                Ok(Event::Empty(element)) => {
                    expanded.begin(&element);
                    expanded.end();
                }
                Ok(Event::End(_)) => expanded.end(),
                Ok(Event::Eof) => return expanded.stays_within_limit(),
                Ok(_) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Levels that each draw the one below a number of times, and the last of them.
    fn levels(count: usize, level: impl Fn(usize) -> String) -> String {
        (0..count).map(level).collect()
    }

    #[test]
    fn what_is_drawn_once_or_a_few_times_is_bounded() {
        let many = "<path d='M0 0L9 9'/>".repeat(20_000);
        assert!(is_bounded(&many), "without references the length of the file is the bound");
        let sprite = "<symbol id='s'><path d='M0 0'/></symbol>".to_owned() + &"<use href='#s'/>".repeat(500);
        assert!(is_bounded(&sprite));
        let stops = "<stop offset='1'/>".repeat(5);
        let shaded = format!("<linearGradient id='a'>{stops}</linearGradient>")
            + &"<path d='M0 0' fill='url(#a)'/>".repeat(5_000);
        assert!(is_bounded(&shaded));
        assert!(is_bounded(&format!("<clipPath id='c'><rect/></clipPath><g clip-path='url(#c)'>{many}</g>")));
        assert!(is_bounded(&"<g id='a'><path id='b' d='M0 0'/></g>".repeat(3_000)), "names that come again");
        assert!(is_bounded("<use href='#nowhere'/>"));
    }

    #[test]
    fn levels_that_refer_to_each_other_are_not() {
        let uses = "<g id='a0'><rect/></g>".to_owned()
            + &levels(6, |at| format!("<g id='a{}'>{}</g>", at + 1, format!("<use xlink:href=' #a{at}'/>").repeat(10)));
        assert!(!is_bounded(&uses));
        for by in ["fill='url(#p@)'", "style='Stroke: URL( \"#p@\" )'", "mask='url(#p@)'", "clip-path=\"url('#p@ ')\""]
        {
            let painted = |at: usize| by.replace('@', &at.to_string());
            let nested = levels(6, |at| {
                format!("<pattern id='p{at}'>{}</pattern>", format!("<rect {}/>", painted(at + 1)).repeat(10))
            });
            assert!(!is_bounded(&(nested + "<pattern id='p6'><rect/></pattern>")), "{by}");
            // The same, of the element around.
            let around = levels(6, |at| {
                format!("<pattern id='p{at}'><g {}>{}</g></pattern>", painted(at + 1), "<rect/>".repeat(10))
            });
            let is_taken_over = by.starts_with("fill") || by.starts_with("style");
            assert_eq!(is_bounded(&(around + "<pattern id='p6'><rect/></pattern>")), !is_taken_over, "{by}");
        }
    }

    #[test]
    fn paints_that_are_taken_over_by_what_is_used_and_marks_of_long_lines_count() {
        let shapes = format!("<g id='g'>{}</g>", "<rect/>".repeat(10));
        let used = levels(6, |at| format!("<pattern id='p{at}'><use href='#g' fill='url(#p{})'/></pattern>", at + 1));
        assert!(!is_bounded(&(shapes + &used + "<pattern id='p6'><rect/></pattern>")));
        let line = format!("<polyline points='{}' style='marker-mid:url(#m)'/>", "1 1 ".repeat(5_000));
        assert!(!is_bounded(&(line.clone() + "<marker id='m'><rect/></marker>")));
        assert!(is_bounded(&line));
        let marked = line.replace("marker-mid:url(#m)", "") + "<marker id='m'><rect/></marker>";
        let marked = marked.replace("<polyline", "<polyline id='l'");
        assert!(!is_bounded(&(marked.clone() + "<use href='#l' marker='url(#m)'/>")));
        assert!(is_bounded(&(marked + "<use href='#l'/>")));
    }

    #[test]
    fn what_one_rule_hides_and_another_shows_counts() {
        let nested = |level: &dyn Fn(usize) -> String| levels(6, level) + "<pattern id='p6'><rect/></pattern>";
        for by in [
            "style='fill:url(#p@)' fill='none'",
            "style='fill:url(#p@;fill:none)'",
            "style='fill:url(#p@);Fill:none'",
            "fill='url(#p@)' Fill='none'",
            "fill='url(#p@\n)'",
        ] {
            let level = |at: usize| {
                let painted = by.replace('@', &(at + 1).to_string());
                format!("<pattern id='p{at}'>{}</pattern>", format!("<rect {painted}/>").repeat(10))
            };
            assert!(!is_bounded(&nested(&level)), "{by}");
        }
        for inside in ["Fill='none'", "fill='none' style='fill:inherit'", "style='@;fill:none'"] {
            let level = |at: usize| {
                let shapes = format!("<rect {inside}/>").repeat(10);
                format!("<pattern id='p{at}'><g fill='url(#p{})'>{shapes}</g></pattern>", at + 1)
            };
            assert!(!is_bounded(&nested(&level)), "{inside}");
        }
        let uses = levels(6, |at| format!("<g id='a{}'>{}</g>", at + 1, format!("<use href='#a{at}\n'/>").repeat(10)));
        assert!(!is_bounded(&format!("<g id='a0'><rect/></g>{uses}")));
        let masks = levels(6, |at| {
            let shapes = "<rect mask='inherit'/>".repeat(10);
            format!("<mask id='m{at}'><g mask='url(#m{})'>{shapes}</g></mask>", at + 1)
        });
        assert!(!is_bounded(&(masks + "<mask id='m6'><rect/></mask>")));
    }

    #[test]
    fn very_many_paints_of_one_element_are_refused() {
        let style: String = (0..=MAX_PAINTS).map(|number| format!("fill:url(#p{number});")).collect();
        assert!(!is_bounded(&format!("<rect style='{style}'/>")));
    }

    #[test]
    fn a_symbol_that_is_used_often_with_a_gradient_is_bounded() {
        let stops = "<stop offset='1'/>".repeat(4);
        let symbol =
            format!("<linearGradient id='l'>{stops}</linearGradient><symbol id='s'>{}</symbol>", "<rect/>".repeat(10));
        assert!(is_bounded(&(symbol + &"<use href='#s' fill='url(#l)'/>".repeat(200))));
    }

    #[test]
    fn references_in_a_circle_are_refused() {
        for circle in [
            "<g id='a'><use href='#a'/></g>",
            "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>",
            "<pattern id='a'><rect fill='url(#b)'/></pattern><mask id='b'><rect fill='url(#a)'/></mask>",
        ] {
            assert!(!is_bounded(circle), "{circle}");
        }
    }
}
