#!/usr/bin/env bash
# load.sh [N]: the peer's load over N synthetic parcours (default 20000).
. "$(dirname "$0")/common.sh"
count=${1:-20000} port=${PORT:-18441}
[ -f "$tools/load/bench.py" ] || { echo "The load driver is not there ($tools/load): nothing measured." >&2; exit 0; }
command -v wrk >/dev/null || { echo "wrk is missing (package wrk): nothing measured." >&2; exit 0; }
data=$work/data
"$jalon" demo --data "$data" --parcours "$count" >/dev/null
serve "$data" "$port"
cookie=$(sign_in "$port")
api=http://127.0.0.1:$port/api/v1
# Identifiers of parcours that this account may edit, and words that are in their titles.
for page in $(seq 1 40); do
    curl -sf -H "Cookie: $cookie" "$api/parcours?owner=mine&progress=any&sort=title&per_page=100&page=$page"
done | grep -o '"id":[0-9]*,"title"' | grep -o '[0-9]*' | sort -un >"$work/ids"
printf '%s\n' lac col crete tour sentier foret belvedere vallee moulin chapelle >"$work/terms"
cat >"$work/target.env" <<ENV
NAME=jalon
BASE=http://127.0.0.1:$port
IDS=$work/ids
TERMS=$work/terms
HEADERS=Cookie: $cookie|If-Match: *
LIST_PATH=/api/v1/parcours?search={q}&published=true&sort=-updated_at&per_page=25&page=1
LIST_PLAIN_PATH=/api/v1/parcours?published=true&sort=-updated_at&per_page=25&page={page}
DETAIL_PATH=/api/v1/parcours/{id}
UPDATE_PATH=/api/v1/parcours/{id}
UPDATE_METHOD=PATCH
UPDATE_BODY={"title":{"fr":"Le tour du lac, version {n}"}}
LIST_TOTAL=total
LIST_ROWS=items
PID=$server
ENV
settled "$server"
python3 "$tools/load/bench.py" "$work/target.env" --out "$work/load.json" --conns "${CONNS:-1,16}"
cp "$work/load.json" "$root/bench/load-$count.json"
