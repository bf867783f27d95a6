//! The only room that knows SQL: entities, migrations, queries, search; and blobs.
