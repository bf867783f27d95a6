#!/usr/bin/env bash
# Each fuzz target for SECONDS_EACH (default 60). A target fails on a panic and, where it reads what others wrote, when it takes
# longer than the length of its input allows. See fuzz/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v cargo-fuzz >/dev/null; then
    echo "cargo-fuzz is missing (cargo install cargo-fuzz, and a nightly toolchain): running the same readers over generated inputs." >&2
    exec cargo test -p timing -- --nocapture
fi
for target in $(cargo fuzz list --fuzz-dir fuzz); do
    seeds=()
    [ "$target" != trace_read ] || seeds=(crates/trace/tests/fixtures)
    mkdir -p "fuzz/corpus/$target"
    cargo +nightly fuzz run --fuzz-dir fuzz "$target" "fuzz/corpus/$target" "${seeds[@]}" -- \
        -max_total_time="${SECONDS_EACH:-60}" -max_len=65536 -rss_limit_mb=2048 -timeout=20 -print_final_stats=1
done
