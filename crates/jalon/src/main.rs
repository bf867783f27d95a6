//! The binary: configuration, command line, wiring, the built web app inside.
fn main() {}
