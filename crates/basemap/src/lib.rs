//! The map under the trace: vector tiles, glyphs and style made from the same OSM extract.
