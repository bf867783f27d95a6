#!/usr/bin/env bash
# test-image.sh [ARCHIVE]: starts the container image as an operator would (podman, read-only, without capabilities), asks it, stops it.
# Without ARCHIVE one is made of the debug binary.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '%s\n' "· $*" >&2; }
die() { printf 'test-image: %s\n' "$*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || die "run it as root: sudo scripts/test-image.sh"
for tool in podman runc nsenter curl; do
    command -v $tool >/dev/null || die "$tool is missing: apt-get install --no-install-recommends podman conmon runc util-linux curl"
done
work=$(mktemp -d)
pod() { podman --root "$work/store" --runroot "$work/run" --tmpdir "$work/tmp" --storage-driver vfs --cgroup-manager cgroupfs --runtime runc "$@" 2> >(grep -v 'systemd connection' >&2); }
cleanup() {
    pod rm --force --all --time 0 >/dev/null || true
    umount "$work"/store/* 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT

[ $# -gt 0 ] || step "the image"
archive=${1:-$(scripts/image.sh "${JALON_BINARY:-${CARGO_TARGET_DIR:-$PWD/target}/debug/jalon}" "$work/out")}
step "load it, look at it"
image=$(pod load --quiet --input "$archive" | sed 's/^Loaded image: //')
field() { pod image inspect --format "$1" "$image"; }
expect() { [ "$2" = "$3" ] || { pod logs jalon >&2 || true; die "$1: \"$2\" instead of \"$3\""; }; }
expect "user" "$(field '{{.Config.User}}')" 65532:65532
expect "command" "$(field '{{.Config.Entrypoint}} {{.Config.Cmd}}')" "[/usr/bin/jalon] [serve]"
expect "volume" "$(field '{{json .Config.Volumes}}')" '{"/data":{}}'
expect "health check" "$(field '{{json .HealthCheck.Test}}')" '["CMD","/usr/bin/jalon","health"]'
[ -n "$(field '{{index .Config.Labels "org.opencontainers.image.version"}}')" ] || die "no version"
mounted=$(pod image mount "$image")
expect "programs" "$(cd "$mounted" && find . -type f -perm /111 ! -name '*.so*' | sort | tr '\n' ' ')" "./usr/bin/jalon "
expect "files of others than root" "$(cd "$mounted" && find . ! -user 0 | tr "\n" " ")" "./data ./data/region "
[ -s "$mounted/usr/share/doc/libc6/copyright" ] || die "licences are missing"
du -sh "$mounted" | sed 's/\t.*/ in all/' >&2
pod image unmount "$image" >/dev/null

# This machine's own bounds may be lower than podman's usual ones. The health check is asked here: without systemd no timer does.
run() {
    pod run --detach --name jalon --network none --read-only --tmpfs /tmp --cap-drop all --security-opt no-new-privileges --pids-limit 0 \
        --ulimit nofile=4096:4096 --ulimit nproc=2048:2048 --health-interval disable --volume "$work/data:/data" "$image" >/dev/null
    for _ in $(seq 150); do
        pod exec jalon /usr/bin/jalon health --ready >/dev/null 2>&1 && return
        sleep 0.4
    done
    pod logs jalon >&2
    die "it is not ready"
}
asked() { nsenter --target "$(pod inspect --format '{{.State.Pid}}' jalon)" --net curl --silent "http://127.0.0.1:8080$1"; }
step "start it, read-only, without capabilities"
install -d -o 65532 -g 65532 -m 700 "$work/data"
run
pod healthcheck run jalon || die "the health check fails beside a server that runs"
expect "its user" "$(stat --format %u "/proc/$(pod inspect --format '{{.State.Pid}}' jalon)")" 65532
expect "the web app" "$(asked / | grep -c '<div id="root"' || true)" 1
expect "/readyz" "$(asked /readyz | grep -o '"database":"[a-z]*","schema":"[a-z]*","replica":"[a-z]*","blobs":"[a-z]*"')" '"database":"ok","schema":"ok","replica":"none","blobs":"ok"'
step "jalon doctor"
pod exec jalon /usr/bin/jalon doctor >&2
step "work in it: the demo, a printed roadbook"
pod stop jalon --time 30 >/dev/null
pod rm jalon >/dev/null
pod run --rm --no-healthcheck --network none --read-only --tmpfs /tmp --cap-drop all --pids-limit 0 --ulimit nofile=4096:4096 --ulimit nproc=2048:2048 \
    --volume "$work/data:/data" "$image" demo >/dev/null
run
asked /sitemap.xml >"$work/sitemap"
page=$(grep -o '/p/[a-z0-9-]*' "$work/sitemap" | sed -n 1p)
[ -n "$page" ] || die "no public page"
expect "a roadbook" "$(asked "$page/roadbook.pdf" | head -c 5)" "%PDF-"
# podman makes the places of its own mounts, /var/tmp among them.
expect "files outside of the volume" "$(pod diff jalon | grep -v -E ' /((data|dev|etc|proc|run|sys|tmp)(/.*)?|var|var/tmp)$' || true)" ""
step "a backup in it"
pod exec jalon /usr/bin/jalon backup create --to /data/backups --keep 3 >&2
step "a health check fails where nothing listens"
if pod exec --env JALON_PORT=8099 jalon /usr/bin/jalon health >/dev/null 2>&1; then die "nothing listens there, and the check is good"; fi
step "stop it"
begun=$(date +%s)
pod stop --time 30 jalon >/dev/null
expect "its code" "$(pod inspect --format '{{.State.ExitCode}}' jalon)" 0
[ $(($(date +%s) - begun)) -lt 30 ] || die "the stop takes too long"
step "test-image: all good"
