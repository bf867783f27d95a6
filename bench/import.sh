#!/usr/bin/env bash
# import.sh [FILES]: GPX files of 2,000 points over the demo region, imported without and with matching.
. "$(dirname "$0")/common.sh"
files=${1:-1000}
node "$root/bench/make-gpx.mjs" "$work/gpx" "$files" 2000
for mode in --no-match ""; do
    data=$work/data$mode
    "$jalon" demo --data "$data" >/dev/null
    start=$(date +%s.%N)
    # shellcheck disable=SC2086
    find "$work/gpx" -name '*.gpx' -print0 | xargs -0 "$jalon" parcours import --data "$data" $mode --json >"$work/out"
    end=$(date +%s.%N)
    made=$(grep -c '"id":' "$work/out" || true)
    awk -v n="$made" -v s="$start" -v e="$end" -v m="${mode:-with matching}" \
        'BEGIN { printf "import %s: %d files in %.1f s, %.0f a second\n", m, n, e - s, n / (e - s) }'
done
