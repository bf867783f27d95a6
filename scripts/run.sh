#!/usr/bin/env bash
# run.sh BINARY DATA PORT: a demo database the first time, then the server.
# JALON_OSM=<file.osm.pbf> prepares that region instead of the demo's own map.
set -euo pipefail
jalon=$1 data=$2 port=$3
if [ -n "${JALON_OSM:-}" ]; then
    if [ ! -f "$data/region/network.jnet" ] || [ "$JALON_OSM" -nt "$data/region/network.jnet" ]; then
        "$jalon" network build "$JALON_OSM" ${JALON_DEM:+--dem "$JALON_DEM"} --data "$data"
    fi
    [ -f "$data/jalon.sqlite" ] || [ -n "${DATABASE_URL:-}" ] || "$jalon" demo --people-only --data "$data"
elif [ ! -f "$data/jalon.sqlite" ] && [ -z "${DATABASE_URL:-}" ]; then
    "$jalon" demo --data "$data"
fi
# Over PostgreSQL the folder of blobs must be declared shared: here it is that of the only server.
export JALON_BLOBS__SHARED="${JALON_BLOBS__SHARED:-true}"
exec "$jalon" serve --port "$port" --data "$data"
