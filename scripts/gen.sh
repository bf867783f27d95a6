#!/usr/bin/env bash
# openapi.json from the server, the web app's types from openapi.json.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo run --quiet --package jalon -- openapi >openapi.json.new
mv openapi.json.new openapi.json
(cd web && npm run --silent gen)
