#!/usr/bin/env bash
# image.sh BINARY OUT [LICENCES]: a container image of a binary that is built, without any base image, as an archive for `podman load` and
# `docker load`. It holds the binary, the libraries of this Debian that it is linked with, and the certificates of authorities: no
# shell, no package manager. Made by buildah, without a service and without a network.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { echo "usage: scripts/image.sh BINARY OUT [LICENCES]" >&2; exit 2; }
binary=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2") licences=${3:-}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
[ "$(id -u)" = 0 ] || { echo "files of the image have owners: run it as root, or with \`buildah unshare\`" >&2; exit 1; }
command -v buildah >/dev/null || { echo "buildah is missing: apt-get install --no-install-recommends buildah" >&2; exit 1; }
[ -d /usr/share/ca-certificates/mozilla ] || { echo "ca-certificates is missing" >&2; exit 1; }
user=65532
folder=$(mktemp -d)
store=(--root "$folder/store" --runroot "$folder/run" --storage-driver vfs)
trap 'rm -rf "$folder"' EXIT
files=$folder/files
doc=$files/usr/share/doc

install -D -m 755 "$binary" "$files/usr/bin/jalon"
strip "$files/usr/bin/jalon" 2>/dev/null || true
ldd "$binary" | grep -o '/[^ ]*' | while read -r library; do
    install -D -m 755 "$(realpath "$library")" "$files$library"
    # By its name alone: the database of packages has /lib where the file is in /usr/lib.
    package=$(dpkg-query --search "*/$(basename "$(realpath "$library")")" | head -1 | cut -d: -f1)
    install -D -m 644 "/usr/share/doc/$package/copyright" "$doc/$package/copyright"
done
# The authorities of the package, not those that were added to this machine.
mkdir -p "$files/etc/ssl/certs"
cat /usr/share/ca-certificates/mozilla/*.crt >"$files/etc/ssl/certs/ca-certificates.crt"
install -D -m 644 /usr/share/doc/ca-certificates/copyright "$doc/ca-certificates/copyright"
install -D -m 644 -t "$doc/jalon" LICENSE-MIT LICENSE-APACHE
[ -z "$licences" ] || cp -r "$licences" "$doc/jalon/licences"
printf 'root:x:0:0::/:/nonexistent\njalon:x:%s:%s::/data:/nonexistent\n' $user $user >"$files/etc/passwd"
printf 'root:x:0:\njalon:x:%s:\n' $user >"$files/etc/group"
printf 'hosts: files dns\n' >"$files/etc/nsswitch.conf"
mkdir -m 1777 "$files/tmp"
mkdir -m 700 "$files/data" "$files/data/region"
chown $user:$user "$files/data" "$files/data/region"

export BUILDAH_FORMAT=docker BUILDAH_ISOLATION=chroot
container=$(buildah "${store[@]}" from scratch)
# Not `buildah copy`, which gives everything to root.
cp -a "$files/." "$(buildah "${store[@]}" mount "$container")/"
buildah "${store[@]}" umount "$container" >/dev/null
# The format of Docker: the one of OCI has no place for a health check.
buildah "${store[@]}" config \
    --user $user:$user --workingdir /data --volume /data --port 8080 --stop-signal SIGTERM \
    --env JALON_DATA=/data --env JALON_BIND=0.0.0.0 --env JALON_VOICES__ESPEAK= \
    --entrypoint '["/usr/bin/jalon"]' --cmd serve \
    --healthcheck 'CMD /usr/bin/jalon health' --healthcheck-interval 10s --healthcheck-timeout 5s \
    --healthcheck-start-period 60s --healthcheck-retries 3 \
    --label org.opencontainers.image.title=Jalon \
    --label org.opencontainers.image.description="The back-office of cycling and hiking routes" \
    --label org.opencontainers.image.version="$version" \
    --label org.opencontainers.image.revision="$(git rev-parse HEAD 2>/dev/null || true)" \
    --label org.opencontainers.image.licenses="MIT OR Apache-2.0" \
    "$container"
archive=$out/jalon-$version-image-$(dpkg --print-architecture).tar
rm -f "$archive"
buildah "${store[@]}" commit --quiet --format docker --timestamp "$(git log -1 --format=%ct 2>/dev/null || echo 0)" "$container" \
    "docker-archive:$archive:localhost/jalon:$version" >/dev/null
echo "$archive"
