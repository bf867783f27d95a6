#!/usr/bin/env bash
# trace.sh: one GPX of 200,000 points, read and measured.
. "$(dirname "$0")/common.sh"
node "$root/bench/make-gpx.mjs" "$work/gpx" 1 199999
ls -la "$work/gpx"
time "$jalon" trace inspect --json "$work"/gpx/*.gpx
