//! Layers of a GeoPackage (OGC 12-128r19), whose tables were read.

use serde_json::{Map, Value};

use super::layers::{Features, Layer};
use super::route::Refused;
use super::shape::Shape;
use super::systems::system_of;

/// The lines and points of layers as a collection of features in degrees.
#[derive(Debug, Default)]
pub struct GeoPackageFeatures(Features);

impl GeoPackageFeatures {
    /// Adds a layer: its coordinate system as well-known text, where the file says it, and its features as geometry (2.1.3 of the standard) and columns.
    /// `name` is given where there are several layers, whose features may have the same numbers.
    pub fn add(
        &mut self,
        name: Option<&str>,
        system: Option<&str>,
        rows: impl IntoIterator<Item = (Option<Vec<u8>>, Map<String, Value>)>,
    ) -> Result<(), Refused> {
        let mut layer = Layer::new(name, system.map(system_of).transpose()?);
        for (geometry, properties) in rows {
            let shape = geometry.as_deref().and_then(shape_of);
            layer.add(&mut self.0, shape.as_ref(), properties)?;
        }
        Ok(())
    }

    /// All of them as GeoJSON; a file without any is refused.
    pub fn finish(self) -> Result<String, Refused> {
        self.0.finish()
    }
}

/// The shape behind the header, whose flags say how long it is: eight bytes, and a box of none, two, three or four axes.
fn shape_of(bytes: &[u8]) -> Option<Shape> {
    let head = bytes.strip_prefix(b"GP")?;
    let bounds = match (head.get(1)? >> 1) & 0b111 {
        0 => 0,
        1 => 32,
        2 | 3 => 48,
        4 => 64,
        _ => return None,
    };
    Shape::read(bytes.get(8 + bounds..)?).map(|(shape, _)| shape)
}
