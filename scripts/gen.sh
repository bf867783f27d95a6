#!/usr/bin/env bash
# openapi.json from the server, the web app's types from openapi.json.
set -euo pipefail
cd "$(dirname "$0")/.."
# The same selection as the tests, so that nothing is built twice.
cargo build --locked --quiet --workspace --all-targets
"${CARGO_TARGET_DIR:-target}/debug/jalon" openapi >openapi.json.new
mv openapi.json.new openapi.json
(cd web && npm run --silent gen)
