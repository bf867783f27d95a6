//! TestApp, actors, builders: what the tests of store and api stand on.
