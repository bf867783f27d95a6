#!/usr/bin/env bash
# bench/roadbook.sh [N]: what a 20-page A5 roadbook (12 photos, 6 maps, 60 steps) costs, beside WeasyPrint on as rich a document; then N
# (500) in a row through the pool. WeasyPrint comes from the Python registry into the build folder; without it that line is left out.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
count=${1:-500}
cd "$root"
nice -n 19 cargo build --locked --release -q -p roadbook --examples --bin roadbook-worker
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$target/release/examples/sample" "$work/book" 5 12 11 0 short | sed -n 1p
measure=$target/release/examples/measure
for _ in 1 2 3; do "$measure" cold "$work/book"; done
"$measure" warm "$work/book" 10
venv=$target/weasyprint
if [ -x "$venv/bin/weasyprint" ] || { python3 -m venv "$venv" && "$venv/bin/pip" install -q weasyprint; } 2>/dev/null; then
    "$measure" parts "$work/book" "$work/parts"
    cp crates/roadbook/fonts/*.ttf "$work/parts/"
    for _ in 1 2 3; do "$venv/bin/python" bench/roadbook_peer.py "$work/parts" "$work/peer.pdf"; done
else
    echo "WeasyPrint is not to be had: not compared."
fi
"$measure" many "$work/book" "$target/release/roadbook-worker" "$count"
