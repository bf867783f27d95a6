#!/usr/bin/env bash
# chaos.sh [short]: builds what the chaos harness runs, and runs it: four minutes of load, or one failure of each kind. See docs/dev/chaos.md.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh chaos
scripts/web.sh
# With the features of the whole workspace, as the tests are built: nothing is compiled twice after them.
node scripts/cargo.mjs "Building the server" build --locked --workspace --bin jalon --example s3_server --example write_region
[ "${1:-}" != short ] || export LOAD_S="${LOAD_S:-45}"
exec node scripts/chaos/run.mjs "$@"
