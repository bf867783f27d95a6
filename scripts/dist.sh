#!/usr/bin/env bash
# dist.sh: everything that is given to operators, into dist/: the binary in a tarball, the Debian package, the container image, what they are made of
# (SBOM of CycloneDX for the crates and for the web app), the licences of all that is inside, and the sums. PROFILE=dev makes all of it of a
# development build, to try the packages.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '%s\n' "· $*" >&2; }
CARGO_AUDITABLE=0.7.7
CARGO_CYCLONEDX=0.5.9
profile=${PROFILE:-release}
target=${CARGO_TARGET_DIR:-$PWD/target}
cache=$target/cache
dist=${DIST:-$PWD/dist}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
machine=$(dpkg --print-architecture)
case $profile in
    release) built=(--release --package jalon) folder=$target/release ;;
    # A development build reads the web app from the checkout: packages need it inside. With --workspace the third-party crates have the features
    # that the tests build them with, so that they are not compiled again.
    dev) built=(--workspace --bin jalon --features jalon/embed-web) folder=$target/debug ;;
    *) echo "PROFILE is release or dev" >&2; exit 2 ;;
esac
tool() { # tool NAME VERSION: its program, built where it is missing
    local root=$cache/$1-$2
    [ -x "$root/bin/$1" ] || node scripts/cargo.mjs "Building $1" install "$1" --version "$2" --locked --debug --root "$root" --target-dir "$cache/build" >&2
    echo "$root/bin"
}

step "tools"
auditable=$(tool cargo-auditable $CARGO_AUDITABLE)
cyclonedx=$(tool cargo-cyclonedx $CARGO_CYCLONEDX)
rm -rf "$dist"
mkdir -p "$dist/licences"

step "the web app"
scripts/web.sh
step "the binary ($profile)"
# With the list of its crates inside: `cargo audit bin` and scanners of images read it.
PATH="$auditable:$PATH" node scripts/cargo.mjs "Building the server" auditable build --locked "${built[@]}"
binary=$folder/jalon
# What operators are given must have the web app and the list of crates inside.
(cd / && JALON_DATA=$(mktemp -d) "$binary" --version >&2)
readelf --sections --wide "$binary" | grep -q '\.dep-v0' || { echo "the binary has no list of its crates" >&2; exit 1; }

step "licences of what is inside"
node scripts/crate-licences.mjs >"$dist/licences/crates.txt"
node scripts/web-licences.mjs >"$dist/licences/web.txt"
cp LICENSE-MIT LICENSE-APACHE "$dist/licences/"
mkdir "$dist/licences/fonts"
cp crates/roadbook/fonts/OFL-* crates/basemap/assets/glyphs/OFL.txt "$dist/licences/fonts/"

step "SBOM"
PATH="$cyclonedx:$PATH" cargo cyclonedx --quiet --format json --spec-version 1.5 --manifest-path crates/jalon/Cargo.toml --override-filename jalon-sbom
mv crates/jalon/jalon-sbom.json "$dist/jalon-$version-crates.cdx.json"
find crates demo -name jalon-sbom.json -delete
(cd web && npm sbom --sbom-format cyclonedx --omit dev --package-lock-only) >"$dist/jalon-$version-web.cdx.json"

step "tarball, package, image"
root=jalon-$version-linux-$machine
mkdir -p "$dist/$root"
install -m 755 "$binary" "$dist/$root/jalon"
strip "$dist/$root/jalon"
cp -r README.md CHANGELOG.md docs/operate deploy "$dist/licences" "$dist/$root/"
tar --create --gzip --file "$dist/$root.tar.gz" --directory "$dist" --owner 0 --group 0 --sort name --mtime "@$(git log -1 --format=%ct)" "$root"
rm -rf "${dist:?}/$root"
scripts/deb.sh "$binary" "$dist" "$version" "$dist/licences" >/dev/null
scripts/image.sh "$binary" "$dist" "$dist/licences" >/dev/null
tar --create --gzip --file "$dist/jalon-$version-licences.tar.gz" --directory "$dist" --owner 0 --group 0 --sort name --mtime "@$(git log -1 --format=%ct)" licences
rm -rf "$dist/licences"
(cd "$dist" && sha256sum -- * >SHA256SUMS)
ls -sh "$dist" >&2
