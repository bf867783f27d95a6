#!/usr/bin/env bash
# deb.sh BINARY OUT [VERSION] [LICENCES]: the Debian package of a binary that is built, by debhelper with the files of deploy/debian.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { echo "usage: scripts/deb.sh BINARY OUT [VERSION] [LICENCES]" >&2; exit 2; }
binary=$(realpath "$1") out=$2
version=${3:-$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)}
for tool in dh dpkg-buildpackage help2man; do
    command -v $tool >/dev/null || { echo "$tool is missing: apt-get install debhelper dpkg-dev help2man" >&2; exit 1; }
done
mkdir -p "$out"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tree=$folder/jalon
mkdir -p "$tree"
cp -r deploy/debian "$tree/debian"
install -m 755 "$binary" "$tree/jalon"
cp -r docs/operate "$tree/operate"
cp CHANGELOG.md "$tree/"
printf '%s\n' operate >"$tree/debian/jalon.docs"
if [ -n "${4:-}" ]; then
    cp -r "$4" "$tree/licences"
    echo licences >>"$tree/debian/jalon.docs"
fi
# The date of the commit: the same sources give the same package.
date=$(git log -1 --format=%cD 2>/dev/null || date -R)
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(date -d "$date" +%s)
cat >"$tree/debian/changelog" <<CHANGES
jalon ($version) unstable; urgency=medium

  * What changed for users is in changelog.gz.

 -- The Jalon contributors <support@jalon.example>  $date
CHANGES
(cd "$tree" && dpkg-buildpackage --build=binary --unsigned-changes --unsigned-buildinfo >"$folder/log" 2>&1) || { cat "$folder/log" >&2; exit 1; }
cp "$folder"/jalon_*.deb "$out/"
ls "$out"/jalon_"$version"_*.deb
