#!/usr/bin/env bash
# openapi.json and openapi.public.json from the server, the web app's types from them.
set -euo pipefail
cd "$(dirname "$0")/.."
# The same selection as the tests, so that nothing is built twice.
node scripts/cargo.mjs "Building the server and the tests" build --locked --workspace --all-targets
jalon="${CARGO_TARGET_DIR:-target}/debug/jalon"
"$jalon" openapi >openapi.json.new
mv openapi.json.new openapi.json
"$jalon" openapi --public >openapi.public.json.new
mv openapi.public.json.new openapi.public.json
(cd web && npm run --silent gen)
