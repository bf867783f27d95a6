#!/usr/bin/env bash
# Each fuzz target for SECONDS_EACH (default 60). A target fails on a panic and, where it reads what others wrote, when it takes
# longer than the length of its input allows.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v cargo-fuzz >/dev/null; then
    echo "cargo-fuzz is missing (cargo install cargo-fuzz, and a nightly toolchain): running the same readers over generated inputs." >&2
    exec cargo test -p timing -- --nocapture
fi
for crate in crates/domain crates/extract crates/feeds crates/media crates/planner crates/terrain crates/trace; do
    for target in $(cd "$crate" && cargo fuzz list); do
        (cd "$crate" && cargo +nightly fuzz run "$target" -- -max_total_time="${SECONDS_EACH:-60}")
    done
done
