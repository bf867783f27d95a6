#!/usr/bin/env bash
# Builds the web app when a source is newer than what was built.
set -euo pipefail
cd "$(dirname "$0")/../web"
if [ -f dist/index.html ] && [ -z "$(find src public index.html package-lock.json vite.config.ts chunks.ts vite.public.config.ts vite.widget.config.ts vite.ground.config.ts -newer dist/index.html -print -quit 2>/dev/null)" ]; then
    exit 0
fi
echo "Building the web app …" >&2
npm run --silent build
