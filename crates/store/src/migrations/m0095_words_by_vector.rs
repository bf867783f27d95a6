//! The words of records on PostgreSQL are found by an index of `tsvector`, as those of parcours are, and no longer by trigrams.

use sea_orm_migration::prelude::*;

use super::run_script;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Indexes are made concurrently, which no transaction may do.
    fn use_transaction(&self) -> Option<bool> {
        Some(false)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run_script(manager, UP).await
    }
}

// The vector is made of the column `words`, which servers of the version before write and read too; these use the indexes of trigrams, which
// a later step removes. A lexeme has at most 2,046 bytes, and a vector 1 MB: longer words are cut to 200 letters. An index that a server
// began and did not finish is made again. ANALYZE reads how many rows have each word: without it PostgreSQL expects as many for every word.
pub(super) const UP: &str = r"
postgres: CREATE OR REPLACE FUNCTION word_vector(words TEXT) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
postgres:   SELECT array_to_tsvector(array_remove(string_to_array(
postgres:     CASE WHEN octet_length(words) <= 2000 THEN words ELSE regexp_replace(left(words, 100000), '(\S{200})\S+', '\1', 'g') END,
postgres:     ' '), ''))
postgres: $$;

postgres: DROP INDEX CONCURRENTLY IF EXISTS poi_search_by_word;
postgres: CREATE INDEX CONCURRENTLY poi_search_by_word ON poi_search USING gin (word_vector(words)) WITH (fastupdate = off);
postgres: ANALYZE poi_search;
postgres: DROP INDEX CONCURRENTLY IF EXISTS media_search_by_word;
postgres: CREATE INDEX CONCURRENTLY media_search_by_word ON media_search USING gin (word_vector(words)) WITH (fastupdate = off);
postgres: ANALYZE media_search;
postgres: DROP INDEX CONCURRENTLY IF EXISTS contact_search_by_word;
postgres: CREATE INDEX CONCURRENTLY contact_search_by_word ON contact_search USING gin (word_vector(words)) WITH (fastupdate = off);
postgres: ANALYZE contact_search;
postgres: DROP INDEX CONCURRENTLY IF EXISTS structure_search_by_word;
postgres: CREATE INDEX CONCURRENTLY structure_search_by_word ON structure_search USING gin (word_vector(words)) WITH (fastupdate = off);
postgres: ANALYZE structure_search;
postgres: DROP INDEX CONCURRENTLY IF EXISTS white_label_search_by_word;
postgres: CREATE INDEX CONCURRENTLY white_label_search_by_word ON white_label_search USING gin (word_vector(words)) WITH (fastupdate = off);
postgres: ANALYZE white_label_search;
postgres: DROP INDEX CONCURRENTLY IF EXISTS user_search_by_word;
postgres: CREATE INDEX CONCURRENTLY user_search_by_word ON user_search USING gin (word_vector(words)) WITH (fastupdate = off);
postgres: ANALYZE user_search;
postgres: DROP INDEX CONCURRENTLY IF EXISTS itinerary_search_by_word;
postgres: CREATE INDEX CONCURRENTLY itinerary_search_by_word ON itinerary_search USING gin (word_vector(words)) WITH (fastupdate = off);
postgres: ANALYZE itinerary_search;
postgres: DROP INDEX CONCURRENTLY IF EXISTS transport_line_search_by_word;
postgres: CREATE INDEX CONCURRENTLY transport_line_search_by_word ON transport_line_search USING gin (word_vector(words)) WITH (fastupdate = off);
postgres: ANALYZE transport_line_search;
postgres: DROP INDEX CONCURRENTLY IF EXISTS sit_record_search_by_word;
postgres: CREATE INDEX CONCURRENTLY sit_record_search_by_word ON sit_record_search USING gin (word_vector(words)) WITH (fastupdate = off);
postgres: ANALYZE sit_record_search;
";
