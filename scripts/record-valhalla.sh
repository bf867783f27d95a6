#!/usr/bin/env bash
# Records anew what a real Valhalla server answers to the questions of the tests: `scripts/record-valhalla.sh`.
#   PEER     a Python >= 3.12 with pyvalhalla==3.9.1     default: python3.12
#   EXTRACT  the extract, DEM the folder of elevation tiles; or URL, a server that runs already
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=crates/connect/tests/valhalla/recorded
data=${JALON_SHARED:-$PWD/../shared}/data
if [ -z "${URL:-}" ]; then
    peer=${PEER:-python3.12}
    "$peer" -c 'import valhalla' || { echo "Valhalla is missing: $peer cannot import it (pip install pyvalhalla==3.9.1)." >&2; exit 1; }
    valhalla=$("$peer" -c 'import valhalla, os; print(os.path.dirname(valhalla.__file__))')
    work=$(mktemp -d)
    service=
    trap '[ -z "$service" ] || kill "$service" 2>/dev/null || true; rm -rf "$work"' EXIT
    mkdir -p "$work/tiles" "$work/hgt"
    "$peer" bench/planner_dem.py "${DEM:-$data/dem}" "$work/hgt"
    "$(dirname "$(command -v "$peer")")/valhalla_build_config" --mjolnir-tile-dir "$work/tiles" --mjolnir-tile-extract "" \
        --mjolnir-admin "$work/admins.sqlite" --mjolnir-timezone "" --additional-data-elevation "$work/hgt" \
        --httpd-service-listen tcp://127.0.0.1:18003 >"$work/config.json"
    sed -i "s#ipc:///tmp/#ipc://$work/#g; s#\"type\": \"std_out\"#\"type\": \"\"#" "$work/config.json"
    "$valhalla/bin/valhalla_build_admins" -c "$work/config.json" "${EXTRACT:-$data/osm/andorra.osm.pbf}" >/dev/null 2>&1
    "$valhalla/bin/valhalla_build_tiles" -c "$work/config.json" "${EXTRACT:-$data/osm/andorra.osm.pbf}" >/dev/null 2>&1
    "$valhalla/bin/valhalla_service" "$work/config.json" 1 >/dev/null 2>&1 &
    service=$!
    URL=http://127.0.0.1:18003
    for _ in $(seq 100); do curl -sf "$URL/status" >/dev/null && break; sleep 0.1; done
fi
cargo run --locked -q -p connect --example record_valhalla -- "$URL" "$folder"
