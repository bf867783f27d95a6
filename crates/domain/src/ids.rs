//! Identifiers: 64-bit integers, each with a type, so that they cannot be mixed up.

/// Declares the identifier types.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident,)+) => {$(
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
        )]
        #[serde(transparent)]
        #[schema(value_type = i64)]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<i64> for $name {
            fn from(id: i64) -> Self {
                Self(id)
            }
        }

        impl From<$name> for i64 {
            fn from(id: $name) -> Self {
                id.0
            }
        }
    )+};
}

ids! {
    /// A structure: the legal body that owns white-labels and employs users.
    StructureId,
    /// A white-label: the branded site or app that owns content.
    WhiteLabelId,
    /// A person who signs in.
    UserId,
    /// An item of one of the reference lists.
    VocabularyId,
    /// A point of interest.
    PoiId,
    /// An image, a video, a sound, a document or a font.
    MediaId,
    ParcoursId,
    /// A line of public transport.
    TransportLineId,
    ContactId,
    /// A named long-distance way.
    ItineraryId,
    /// A closed area or stretch.
    ClosureId,
}
