#!/usr/bin/env bash
# All benches in turn, on a release build.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --locked --quiet --release --package jalon
bench/trace.sh
bench/start.sh
bench/import.sh "${FILES:-200}"
bench/load.sh "${ROWS:-20000}"
node bench/first-load.mjs
node bench/draw.mjs
node bench/lighthouse.mjs
