#!/usr/bin/env bash
# dev.sh BINARY DATA PORT: the server with the demo data, and Vite in front of it.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/run.sh "$@" &
server=$!
trap 'kill $server 2>/dev/null' EXIT
cd web && npm run --silent dev
