//! Why a file could not be read: a stable code, the line, and one English sentence.

use std::fmt;

/// The most bytes a file may have, before and after decompression: 20 MB.
pub const MAX_BYTES: usize = 20 * 1024 * 1024;
/// The most points a file may have.
pub const MAX_POINTS: usize = 200_000;

/// What a file is instead of a trace; [`NotATrace::as_str`] is a stable word for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotATrace {
    /// A picture (JPEG, PNG, GIF, WebP, TIFF).
    Image,
    /// An archive (TAR, gzip, 7z, RAR, a ZIP without KML): what is inside must be taken out first.
    Archive,
    Pdf,
    /// An office document.
    Office,
    WebPage,
    /// An XML file of another kind.
    OtherXml,
    /// A JSON file that is not GeoJSON.
    OtherJson,
    /// A text that is neither XML nor JSON.
    Text,
    /// Something else.
    Unknown,
}

impl NotATrace {
    /// Every kind; the interface has a text for each.
    pub const ALL: [Self; 9] = [
        Self::Image,
        Self::Archive,
        Self::Pdf,
        Self::Office,
        Self::WebPage,
        Self::OtherXml,
        Self::OtherJson,
        Self::Text,
        Self::Unknown,
    ];

    /// The stable word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Archive => "archive",
            Self::Pdf => "pdf",
            Self::Office => "office",
            Self::WebPage => "web_page",
            Self::OtherXml => "other_xml",
            Self::OtherJson => "other_json",
            Self::Text => "text",
            Self::Unknown => "unknown",
        }
    }

    const fn in_words(self) -> &'static str {
        match self {
            Self::Image => "a picture",
            Self::Archive => "an archive: take the trace out of it first",
            Self::Pdf => "a PDF document",
            Self::Office => "an office document",
            Self::WebPage => "a web page",
            Self::OtherXml => "an XML file of another kind",
            Self::OtherJson => "a JSON file that is not GeoJSON",
            Self::Text => "a text",
            Self::Unknown => "a file of an unknown kind",
        }
    }
}

/// Why a file could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadErrorKind {
    /// The file has no byte, or only blanks.
    Empty,
    /// The bytes are no trace format.
    NotATrace(NotATrace),
    /// More than [`MAX_BYTES`].
    TooLarge {
        /// How many it has, or at least has.
        bytes: usize,
    },
    /// More than [`MAX_POINTS`].
    TooManyPoints,
    /// The file's structure is broken.
    Malformed {
        /// The fault, in English, from the parser: for logs and details.
        detail: String,
    },
    /// The file is valid but has no line.
    NoLine {
        /// How many waypoints it has instead.
        waypoints: usize,
    },
    /// No point has coordinates that are numbers, or all are at exactly 0, 0.
    NoValidPoint,
    /// Only one place is left: no line.
    OnePoint,
    /// Coordinates outside the world, too many to be left out: often a projected system.
    OutOfWorld,
    /// The file declares entities, which are never expanded.
    Entities,
    /// The archive inflates beyond reason.
    ZipBomb,
}

impl ReadErrorKind {
    /// Every code [`ReadError::code`] can give; the interface has a text for each.
    pub const CODES: [&'static str; 11] = [
        "trace/empty",
        "trace/not-a-trace",
        "trace/too-large",
        "trace/too-many-points",
        "trace/malformed",
        "trace/no-line",
        "trace/no-valid-point",
        "trace/one-point",
        "trace/out-of-world",
        "trace/entities",
        "trace/zip-bomb",
    ];
}

/// A file that could not be read: why, and at which line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// What is wrong with it.
    pub kind: ReadErrorKind,
    /// The line it concerns, from 1, where there is one.
    pub line: Option<usize>,
}

impl ReadError {
    pub(crate) const fn new(kind: ReadErrorKind) -> Self {
        Self { kind, line: None }
    }

    pub(crate) const fn at(kind: ReadErrorKind, line: usize) -> Self {
        Self { kind, line: Some(line) }
    }

    pub(crate) fn malformed(detail: impl Into<String>, line: Option<usize>) -> Self {
        Self { kind: ReadErrorKind::Malformed { detail: detail.into() }, line }
    }

    /// The stable code that the interface translates.
    pub const fn code(&self) -> &'static str {
        let index = match self.kind {
            ReadErrorKind::Empty => 0,
            ReadErrorKind::NotATrace(_) => 1,
            ReadErrorKind::TooLarge { .. } => 2,
            ReadErrorKind::TooManyPoints => 3,
            ReadErrorKind::Malformed { .. } => 4,
            ReadErrorKind::NoLine { .. } => 5,
            ReadErrorKind::NoValidPoint => 6,
            ReadErrorKind::OnePoint => 7,
            ReadErrorKind::OutOfWorld => 8,
            ReadErrorKind::Entities => 9,
            ReadErrorKind::ZipBomb => 10,
        };
        ReadErrorKind::CODES[index]
    }

    /// The parameters of the sentence, for a translation: name and value, `line` among them.
    pub fn params(&self) -> Vec<(&'static str, String)> {
        let mut params = match &self.kind {
            ReadErrorKind::NotATrace(found) => vec![("found", found.as_str().to_owned())],
            ReadErrorKind::TooLarge { bytes } => {
                vec![("bytes", bytes.to_string()), ("max_bytes", MAX_BYTES.to_string())]
            }
            ReadErrorKind::TooManyPoints => vec![("max_points", MAX_POINTS.to_string())],
            ReadErrorKind::Malformed { detail } => vec![("detail", detail.clone())],
            ReadErrorKind::NoLine { waypoints } => vec![("waypoints", waypoints.to_string())],
            _ => Vec::new(),
        };
        params.extend(self.line.map(|line| ("line", line.to_string())));
        params
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        match &self.kind {
            ReadErrorKind::Empty => f.write_str("the file is empty"),
            ReadErrorKind::NotATrace(found) => write!(f, "this is not a trace but {}", found.in_words()),
            ReadErrorKind::TooLarge { .. } => {
                write!(f, "the file is larger than {} MB", MAX_BYTES / (1024 * 1024))
            }
            ReadErrorKind::TooManyPoints => write!(f, "the trace has more than {MAX_POINTS} points"),
            ReadErrorKind::Malformed { detail } => write!(f, "the file is damaged: {detail}"),
            ReadErrorKind::NoLine { waypoints: 0 } => f.write_str("the file holds no line"),
            ReadErrorKind::NoLine { waypoints } => {
                write!(f, "the file holds no line, only separate points ({waypoints})")
            }
            ReadErrorKind::NoValidPoint => f.write_str("no point has a valid position"),
            ReadErrorKind::OnePoint => f.write_str("the trace has only one point: a line needs two different ones"),
            ReadErrorKind::OutOfWorld => f.write_str(
                "coordinates lie outside the world: latitude goes from -90 to 90, longitude from -180 to 180",
            ),
            ReadErrorKind::Entities => f.write_str("the file declares XML entities, which are refused"),
            ReadErrorKind::ZipBomb => f.write_str("the archive inflates beyond reason"),
        }
    }
}

impl std::error::Error for ReadError {}
