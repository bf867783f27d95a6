//! How places are written in the contract of the API: tuples of numbers.

use std::borrow::Cow;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{
    Array, ArrayBuilder, ArrayItems, KnownFormat, ObjectBuilder, OneOfBuilder, Schema, SchemaFormat, Type,
};
use utoipa::{PartialSchema, ToSchema};

use crate::Position;

/// Degrees east and north, as `[f64; 2]` is written. Only describes: no value has this type.
#[derive(Debug, Clone, Copy)]
pub enum Place {}

/// West, south, east, north in degrees, as `[f64; 4]` is written. Only describes: no value has this type.
#[derive(Debug, Clone, Copy)]
pub enum BoundingBox {}

/// A fixed number of numbers.
fn numbers(count: usize, description: &str) -> Array {
    let number = || {
        let kind = ObjectBuilder::new().schema_type(Type::Number);
        Schema::Object(kind.format(Some(SchemaFormat::KnownFormat(KnownFormat::Double))).build())
    };
    ArrayBuilder::new()
        .prefix_items((0..count).map(|_| number()))
        .items(ArrayItems::False)
        .min_items(Some(count))
        .max_items(Some(count))
        .description(Some(description))
        .build()
}

impl PartialSchema for Position {
    fn schema() -> RefOr<Schema> {
        let either = OneOfBuilder::new().description(Some("A position of GeoJSON."));
        let flat = either.item(Schema::Array(numbers(2, "Degrees east and north.")));
        flat.item(Schema::Array(numbers(3, "Degrees east and north, metres above the sea."))).into()
    }
}

impl ToSchema for Position {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Position")
    }
}

impl PartialSchema for Place {
    fn schema() -> RefOr<Schema> {
        RefOr::T(Schema::Array(numbers(2, "Degrees east and north.")))
    }
}

impl ToSchema for Place {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Place")
    }
}

impl PartialSchema for BoundingBox {
    fn schema() -> RefOr<Schema> {
        RefOr::T(Schema::Array(numbers(4, "West, south, east, north in degrees.")))
    }
}

impl ToSchema for BoundingBox {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("BoundingBox")
    }
}
