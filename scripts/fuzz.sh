#!/usr/bin/env bash
# Each fuzz target for SECONDS (default 60).
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-fuzz >/dev/null || { echo "cargo-fuzz is missing: cargo install cargo-fuzz (and a nightly toolchain)." >&2; exit 1; }
for crate in crates/trace crates/planner crates/terrain crates/media; do
    for target in $(cd "$crate" && cargo fuzz list); do
        (cd "$crate" && cargo +nightly fuzz run "$target" -- -max_total_time="${SECONDS_EACH:-60}")
    done
done
