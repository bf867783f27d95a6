#!/usr/bin/env bash
# start.sh: from exec to health 200, a tile and a planned line; memory at rest. Five runs, medians.
. "$(dirname "$0")/common.sh"
port=${PORT:-18442} data=$work/data
"$jalon" demo --data "$data" >/dev/null
node "$root/bench/start.mjs" "$jalon" "$data" "$port"
