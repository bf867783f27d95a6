#!/usr/bin/env bash
# security.sh [EXAMPLES]: the checks from outside. The crates (licences, bans, sources, known faults), the web app's packages against
# their lock file, the statements of new migrations (squawk), and every operation of the contract asked by a visitor, a reader and an editor with what
# schemathesis makes up: no answer of 5xx, none that the contract does not describe. EXAMPLES is the largest number of requests for each
# operation and each person (default 12); 0 leaves the server out, which is what CI does.
set -euo pipefail
cd "$(dirname "$0")/.."
examples=${1:-12}
step() { printf '%s\n' "· $*" >&2; }

SCHEMATHESIS=4.32.5
CARGO_DENY=0.20.2
SQUAWK=2.70.0
target=${CARGO_TARGET_DIR:-$PWD/target}
cache=$target/cache
mkdir -p "$cache"

step "crates"
deny=$cache/cargo-deny-$CARGO_DENY/bin/cargo-deny
[ -x "$deny" ] || node scripts/cargo.mjs "Building cargo-deny" install cargo-deny --version $CARGO_DENY --locked --root "$cache/cargo-deny-$CARGO_DENY" --target-dir "$cache/build"
"$deny" --locked --log-level error check licenses bans sources
if curl --silent --fail --head --connect-timeout 3 --max-time 10 https://github.com/RustSec/advisory-db >/dev/null; then
    "$deny" --locked --log-level error check advisories
else
    step "NOT CHECKED: the advisory database (github.com/RustSec/advisory-db) cannot be reached from here"
fi

step "packages of the web app"
node scripts/locked-packages.mjs

step "migrations"
squawk=$cache/squawk-$SQUAWK/bin/squawk
if [ ! -x "$squawk" ]; then
    python3 -m venv "$cache/squawk-$SQUAWK"
    # The wheel holds the program: nothing else is fetched.
    "$cache/squawk-$SQUAWK/bin/python" -m pip install --quiet --no-deps --only-binary :all: "squawk-cli==$SQUAWK"
fi
python3 scripts/lint_migrations.py "$squawk"

[ "$examples" != 0 ] || { step "security: all good; the server was left out"; exit 0; }

step "server"
node scripts/cargo.mjs "Building the server" build --locked --workspace --bin jalon
jalon=$target/debug/jalon
python=$cache/schemathesis-$SCHEMATHESIS/bin/python
if [ ! -x "$cache/schemathesis-$SCHEMATHESIS/bin/st" ]; then
    python3 -m venv "$cache/schemathesis-$SCHEMATHESIS"
    "$python" -m pip install --quiet "schemathesis==$SCHEMATHESIS"
fi
PATH="$cache/schemathesis-$SCHEMATHESIS/bin:$PATH" "$python" scripts/schemathesis.py "$jalon" "$examples"
step "security: all good"
