#!/usr/bin/env bash
# test-s3.sh: the tests of blobs, uploads, media and roadbooks on a real distributed S3 store: three Garage servers on this machine, of which one
# after the other is killed meanwhile. Then the short form of make chaos on the same store.
set -euo pipefail
cd "$(dirname "$0")/.."
GARAGE_VERSION=2.5.0
port=${PORT:-18480}
target=${CARGO_TARGET_DIR:-$PWD/target}
garage=${GARAGE:-$target/cache/garage-$GARAGE_VERSION/bin/garage}
if [ ! -x "$garage" ]; then
    echo "· Garage $GARAGE_VERSION from the registry, once (about 400 crates)" >&2
    CARGO_PROFILE_DEV_DEBUG=0 node scripts/cargo.mjs "Building Garage" install garage --version $GARAGE_VERSION --locked --debug --no-default-features --features bundled-libs,lmdb \
        --root "$target/cache/garage-$GARAGE_VERSION" --target-dir "$target/cache/build"
fi
echo "· the tests, on three servers" >&2
node scripts/cargo.mjs "Building the tests" build --locked --workspace --tests
node scripts/with-garage.mjs "$garage" "$port" cargo test --locked --quiet --workspace --test it -- blobs:: bucket::
GARAGE=$garage scripts/chaos.sh short
