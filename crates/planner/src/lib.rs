//! The route planner: network from an OSM extract, profiles, paths, matching, reliability, instructions, elevation.
