#!/usr/bin/env bash
# layout.sh: adds a small database of the tables of this version, with one of everything, to crates/api/tests/layouts, where a test upgrades
# it to every later version. Run it on the last commit before a step of the tables, or on a release.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo test --locked --quiet --workspace --test it layouts::the_layout_of_this_version
made=${CARGO_TARGET_DIR:-$PWD/target}/tmp/layouts
version=$(ls "$made" | sort --numeric-sort | tail -1)
mkdir -p "crates/api/tests/layouts/$version"
cp "$made/$version/"* "crates/api/tests/layouts/$version/"
du -cb "crates/api/tests/layouts/$version/"*
