//! How the words of a text are written.

/// How the words of a text are written: decides whether tags and entities are markup or characters like others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextFormat {
    /// Characters that all mean themselves.
    Plain,
    /// HTML: what the editor of long texts writes.
    Html,
}

impl TextFormat {
    /// Whether tags and entities are markup.
    pub const fn is_html(self) -> bool {
        matches!(self, Self::Html)
    }
}
