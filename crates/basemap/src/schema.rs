//! The layers of our tiles: what the tiler writes and the style may read. `docs/dev/basemap.md` explains each field.

use std::sync::Arc;

/// First zoom with tiles.
pub const MIN_ZOOM: u8 = 5;
/// Last zoom with tiles; the map draws deeper zooms from these.
pub const MAX_ZOOM: u8 = 14;

/// A layer of the tiles, in the order they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The ground the extract covers: one polygon.
    Coverage,
    /// Forest, meadow, rock, housing, …
    Landcover,
    /// Lines of one height.
    Contour,
    /// Lakes, wide rivers, the sea.
    Water,
    /// Rivers and streams to draw.
    Waterway,
    /// National and regional parks, reserves.
    Protected,
    /// Building outlines.
    Building,
    /// Cycling and walking networks, one line a kind and level.
    Route,
    /// Roads, tracks, paths to draw.
    Road,
    /// Railways, lifts, cliffs, ferries, piers.
    Line,
    /// Administrative borders.
    Boundary,
    /// The ground outside the extract: one polygon with holes, drawn as a veil.
    Outside,
    /// Rivers joined by name, for labels.
    WaterwayLabel,
    /// Roads joined by name and number, for labels and shields.
    RoadLabel,
    /// Networks joined by number, for labels.
    RouteLabel,
    /// Names of lakes, parks, woods.
    AreaLabel,
    /// Peaks, springs, huts, services.
    Poi,
    /// Towns, villages, hamlets.
    Place,
}

impl Layer {
    /// Every layer, in order.
    pub const ALL: [Self; 18] = [
        Self::Coverage,
        Self::Landcover,
        Self::Contour,
        Self::Water,
        Self::Waterway,
        Self::Protected,
        Self::Building,
        Self::Route,
        Self::Road,
        Self::Line,
        Self::Boundary,
        Self::Outside,
        Self::WaterwayLabel,
        Self::RoadLabel,
        Self::RouteLabel,
        Self::AreaLabel,
        Self::Poi,
        Self::Place,
    ];

    /// The layer's name in the tiles.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Coverage => "coverage",
            Self::Landcover => "landcover",
            Self::Contour => "contour",
            Self::Water => "water",
            Self::Waterway => "waterway",
            Self::Protected => "protected",
            Self::Building => "building",
            Self::Route => "route",
            Self::Road => "road",
            Self::Line => "line",
            Self::Boundary => "boundary",
            Self::Outside => "outside",
            Self::WaterwayLabel => "waterway_label",
            Self::RoadLabel => "road_label",
            Self::RouteLabel => "route_label",
            Self::AreaLabel => "area_label",
            Self::Poi => "poi",
            Self::Place => "place",
        }
    }

    /// The fields a feature of this layer may have.
    pub const fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Coverage | Self::Outside | Self::Building => &[],
            Self::Landcover | Self::Protected => &["class"],
            Self::Contour => &["ele"],
            Self::Water | Self::Waterway => &["class", "intermittent", "tunnel"],
            Self::Route => &["kind", "network"],
            Self::Road => {
                &["class", "link", "bridge", "tunnel", "oneway", "unpaved", "grade", "sac", "bike", "private"]
            }
            Self::Line => &["class", "service", "tunnel", "bridge"],
            Self::Boundary => &["level"],
            Self::WaterwayLabel | Self::AreaLabel => &["class", "name", "name_fr", "name_en"],
            Self::RoadLabel => &["class", "name", "ref"],
            Self::RouteLabel => &["kind", "network", "ref"],
            Self::Poi => &["class", "name", "name_fr", "name_en", "ele", "rank"],
            Self::Place => &["class", "name", "name_fr", "name_en", "capital", "rank"],
        }
    }
}

/// A field's value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Text(String),
    Int(i64),
    Yes,
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

/// The fields of one feature; many features share one set.
pub(crate) type Fields = Vec<(&'static str, Value)>;

/// What a feature is, without where.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Kind {
    pub(crate) layer: Layer,
    pub(crate) min_zoom: u8,
    pub(crate) fields: Fields,
}

impl Kind {
    pub(crate) fn new(layer: Layer, min_zoom: u8) -> Self {
        Self { layer, min_zoom, fields: Vec::new() }
    }

    pub(crate) fn class(layer: Layer, min_zoom: u8, class: &str) -> Self {
        Self::new(layer, min_zoom).with("class", class)
    }

    #[must_use]
    pub(crate) fn with(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.fields.push((key, value.into()));
        self
    }

    #[must_use]
    pub(crate) fn flag(mut self, key: &'static str, set: bool) -> Self {
        if set {
            self.fields.push((key, Value::Yes));
        }
        self
    }

    #[must_use]
    pub(crate) fn text(mut self, key: &'static str, value: Option<&str>) -> Self {
        if let Some(value) = value.map(str::trim).filter(|v| !v.is_empty()) {
            self.fields.push((key, value.into()));
        }
        self
    }

    /// The local name, and the French and English ones where they differ.
    #[must_use]
    pub(crate) fn names(mut self, tags: &extract::Tags) -> Self {
        let local = tags.get("name");
        self = self.text("name", local.or_else(|| tags.get("name:fr")));
        for (key, tag) in [("name_fr", "name:fr"), ("name_en", "name:en")] {
            self = self.text(key, tags.get(tag).filter(|name| Some(*name) != local));
        }
        self
    }
}

/// A feature's kind, shared.
pub(crate) type SharedKind = Arc<Kind>;
