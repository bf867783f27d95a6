#!/usr/bin/env bash
# layout.sh: adds a small database of the tables of this version, with one of everything and its files, to crates/api/tests/layouts, where a test upgrades
# it to every later version. Run it on the commit of a release (docs/dev/migrations.md).
set -euo pipefail
cd "$(dirname "$0")/.."
made=${CARGO_TARGET_DIR:-$PWD/target}/tmp/layouts
# What other commits wrote there is not of this version.
rm -rf "$made"
cargo test --locked --quiet --workspace --test it layouts::the_layout_of_this_version
version=$(ls "$made")
for file in jalon.sqlite.gz rows.json.gz sqlite.json postgres.json sqlite-blobs.zip postgres-blobs.zip; do
    [ -f "$made/$version/$file" ] || { echo "layout.sh: the tests did not write $file: both databases must run" >&2; exit 1; }
done
mkdir -p "crates/api/tests/layouts/$version"
cp "$made/$version/"* "crates/api/tests/layouts/$version/"
du -cb "crates/api/tests/layouts/$version/"*
