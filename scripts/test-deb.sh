#!/usr/bin/env bash
# test-deb.sh [PACKAGE]: installs, uses, upgrades, removes and purges the Debian package in a Debian of its own, which systemd boots
# (mmdebstrap, systemd-nspawn). Nothing is installed on this machine but these two. Without PACKAGE one is made of the debug binary.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '%s\n' "· $*" >&2; }
die() { printf 'test-deb: %s\n' "$*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || die "systemd-nspawn needs root: sudo scripts/test-deb.sh"
for tool in mmdebstrap systemd-nspawn nsenter; do
    command -v $tool >/dev/null || die "$tool is missing: apt-get install mmdebstrap systemd-container"
done
work=$(mktemp -d)
root=$work/root
nspawn=
leader=
cleanup() {
    # The first process of the Debian ends all others in it; killed alone, systemd-nspawn leaves it running.
    [ -z "$leader" ] || kill -KILL "$leader" 2>/dev/null || true
    [ -z "$nspawn" ] || { kill -KILL "$nspawn" 2>/dev/null || true; wait "$nspawn" 2>/dev/null || true; }
    rm -rf "$work"
}
trap cleanup EXIT

binary=${JALON_BINARY:-${CARGO_TARGET_DIR:-$PWD/target}/debug/jalon}
[ $# -gt 0 ] || { step "the package"; scripts/deb.sh "$binary" "$work" >/dev/null; }
first=${1:-$(ls "$work"/jalon_*.deb)}
version=$(dpkg-deb --field "$first" Version)
step "the package with a higher version, and another line in its configuration"
mkdir "$work/newer" "$work/unpacked"
dpkg-deb --raw-extract "$first" "$work/unpacked"
sed -i "s/^Version: .*/Version: $version+newer/" "$work/unpacked/DEBIAN/control"
echo '# A key of the newer version.' >>"$work/unpacked/etc/jalon/jalon.toml"
dpkg-deb -Zgzip -z1 --root-owner-group --build "$work/unpacked" "$work/newer/jalon.deb" >/dev/null

step "a Debian"
# Everything the package may want is there, so that apt needs no network: curl asks, runuser is in util-linux.
suite=$(. /etc/os-release; echo "$VERSION_CODENAME")
with=systemd-sysv,dbus,ca-certificates,espeak-ng,curl,libgcc-s1,apt
cache=${CARGO_TARGET_DIR:-$PWD/target}/cache/debian-$suite-$(echo "$with" | sha256sum | cut -c1-8).tar
if [ ! -f "$cache" ]; then
    mkdir -p "$(dirname "$cache")"
    mmdebstrap --quiet --format=tar --variant=minbase --include="$with" "$suite" "$cache.part" && mv "$cache.part" "$cache"
fi
mkdir "$root"
tar --extract --file "$cache" --directory "$root" --exclude='./dev/*'
cp "$first" "$root/root/jalon.deb"
cp "$work/newer/jalon.deb" "$root/root/newer.deb"
step "boot it, without a network"
SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 systemd-nspawn --quiet --boot --directory "$root" --register=no --keep-unit --private-network \
    --machine="jalon-$$" >"$work/boot.log" 2>&1 </dev/null &
nspawn=$!
inside() { nsenter --target "$leader" --mount --uts --ipc --net --pid --cgroup -- env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"; }
for _ in $(seq 100); do
    sleep 0.3
    leader=$(pgrep --parent "$nspawn" | head -1) || continue
    case $(inside systemctl is-system-running 2>/dev/null || true) in running | degraded) break ;; esac
done
inside systemctl is-system-running >/dev/null 2>&1 || inside systemctl --failed >&2 || { cat "$work/boot.log" >&2; exit 1; }
jalon() { inside runuser -u jalon -- jalon "$@"; }
status() { inside curl --silent --output /dev/null --write-out '%{http_code}' "http://127.0.0.1:8080$1"; }
show() { inside systemctl show --value --property="$1" "$2"; }
# Where the operator and the new version changed the configuration, dpkg asks; here nobody answers, and the operator's stays.
install() { inside env DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --option Dpkg::Options::=--force-confold "$1" >"$work/apt.log" 2>&1 || { cat "$work/apt.log" >&2; inside journalctl --no-pager --lines 40 --unit jalon >&2; exit 1; }; }
expect() { [ "$2" = "$3" ] || { inside journalctl --no-pager --lines 40 --unit jalon >&2 || true; die "$1: \"$2\" instead of \"$3\""; }; }

step "apt install"
install /root/jalon.deb
grep -q 'sudo -u jalon jalon doctor' "$work/apt.log" || die "the hint is missing"
expect "the service" "$(show ActiveState jalon.service)/$(show UnitFileState jalon.service)" active/enabled
expect "its user" "$(show User jalon.service)" jalon
expect "the timer" "$(show ActiveState jalon-backup.timer)/$(show UnitFileState jalon-backup.timer)" active/enabled
# Ready as soon as apt returns: the server reports to systemd when it takes requests.
expect "/readyz" "$(status /readyz)" 200
expect "the web app" "$(inside curl --silent http://127.0.0.1:8080/ | grep -c '<div id="root"' || true)" 1
expect "configuration" "$(inside stat --format '%U:%G %a' /etc/jalon/jalon.toml)" "root:jalon 640"
expect "data folder" "$(inside stat --format '%U:%G %a' /var/lib/jalon)" "jalon:jalon 700"
expect "database" "$(inside stat --format '%U:%G %a' /var/lib/jalon/jalon.sqlite)" "jalon:jalon 600"
expect "folder of backups" "$(inside stat --format '%U:%G %a' /var/backups/jalon)" "jalon:jalon 700"
expect "shell of the user" "$(inside getent passwd jalon | cut -d: -f6-)" "/var/lib/jalon:/usr/sbin/nologin"
jalon health --ready >/dev/null
step "jalon doctor"
jalon doctor | tee "$work/doctor" >&2
grep -q '^data folder   /var/lib/jalon$' "$work/doctor" || die "commands do not read /etc/jalon/jalon.toml"
if inside jalon doctor >"$work/as-root" 2>&1; then die "root may write in the data folder"; fi
grep -q 'sudo -u jalon jalon' "$work/as-root" || die "what root reads does not say how to run it"
inside journalctl --unit jalon --output cat >"$work/journal"
grep -q 'Jalon is at' "$work/journal" || die "nothing in the journal"

step "the sandbox"
inside systemd-analyze verify jalon.service jalon-backup.service jalon-backup.timer >"$work/verified" 2>&1 || true
# This Debian has no program man, which systemd asks for the page.
if grep -v "Command 'man " "$work/verified" | grep -i jalon >&2; then die "systemd finds a fault in the units"; fi
for unit in jalon jalon-backup; do
    inside systemd-analyze security --no-pager $unit.service | tail -1 >&2
    inside systemd-analyze security --no-pager --threshold=20 $unit.service >/dev/null || die "$unit.service is exposed at 2.0 or more"
done
pid=$(show MainPID jalon.service)
expect "capabilities" "$(inside sed -n 's/^CapBnd:\t//p' "/proc/$pid/status")" 0000000000000000
expect "no new privileges" "$(inside sed -n 's/^NoNewPrivs:\t//p' "/proc/$pid/status")" 1
expect "filter of system calls" "$(inside sed -n 's/^Seccomp:\t//p' "/proc/$pid/status")" 2

step "work under the sandbox: the demo, its network and map, a printed roadbook, a voice"
inside systemctl stop jalon
jalon demo >/dev/null
inside systemctl start jalon
inside curl --silent http://127.0.0.1:8080/readyz >"$work/ready"
expect "the region" "$(grep -o '"network":"[a-z]*","tiles":"[a-z]*"' "$work/ready")" '"network":"ok","tiles":"ok"'
inside curl --silent http://127.0.0.1:8080/sitemap.xml >"$work/sitemap"
page=$(grep -o '/p/[a-z0-9-]*' "$work/sitemap" | sed -n 1p)
[ -n "$page" ] || die "no public page"
expect "a roadbook" "$(inside curl --silent "http://127.0.0.1:8080$page/roadbook.pdf" | head -c 5)" "%PDF-"
inside curl --silent --fail --output /dev/null --cookie-jar /root/cookies --header 'content-type: application/json' \
    --data '{"email":"superadmin@demo.jalon.example","password":"balise-jaune-2026"}' http://127.0.0.1:8080/api/v1/session
inside curl --silent --cookie /root/cookies 'http://127.0.0.1:8080/api/v1/voices?language=fr' >"$work/voices"
grep -q espeak "$work/voices" || { cat "$work/voices" >&2; die "espeak-ng does not run under the sandbox"; }

step "a backup"
inside systemctl start jalon-backup.service
backup=$(inside ls /var/backups/jalon)
expect "the place of backups in jalon doctor" "$(jalon doctor | grep -c '^backups *ok: 1 in /var/backups/jalon')" 1
expect "its mode" "$(inside stat --format '%U %a' "/var/backups/jalon/$backup")" "jalon 600"
jalon backup verify "/var/backups/jalon/$backup" >&2

step "upgrade to $version+newer"
inside sed -i 's/^#contact = .*/contact = "aide@exemple.fr"/' /etc/jalon/jalon.toml
install /root/newer.deb
expect "version" "$(inside dpkg-query --show --showformat '${Version}' jalon)" "$version+newer"
[ "$(show MainPID jalon.service)" != "$pid" ] || die "the server was not started again"
expect "/readyz" "$(status /readyz)" 200
expect "the configuration stays" "$(inside grep -c '^contact = "aide@exemple.fr"' /etc/jalon/jalon.toml)" 1
expect "the new one is beside it" "$(inside grep -c 'A key of the newer version' /etc/jalon/jalon.toml.dpkg-dist)" 1
expect "mode of the configuration" "$(inside stat --format '%U:%G %a' /etc/jalon/jalon.toml)" "root:jalon 640"
expect "the page stays" "$(status "$page")" 200

step "a configuration that cannot be used: restarting fails and says why"
inside sed -i 's/^#port = 8080/prot = 8080/' /etc/jalon/jalon.toml
if inside systemctl restart jalon 2>/dev/null; then die "it started"; fi
inside journalctl --unit jalon --output cat >"$work/journal"
grep -q 'unknown field: found `prot`' "$work/journal" || die "the journal does not name the key"
inside sed -i 's/^prot = 8080/#port = 8080/' /etc/jalon/jalon.toml
inside systemctl restart jalon

step "a stop within 30 s, without a failure"
begun=$(date +%s)
inside systemctl stop jalon
expect "result of the stop" "$(show Result jalon.service)" success
[ $(($(date +%s) - begun)) -lt 30 ] || die "the stop takes too long"
inside systemctl start jalon

step "remove: the data stays"
inside env DEBIAN_FRONTEND=noninteractive apt-get remove --yes --quiet jalon >"$work/apt.log" 2>&1 || { cat "$work/apt.log" >&2; exit 1; }
expect "the server" "$(status /livez || true)" 000
for path in /var/lib/jalon/jalon.sqlite /var/lib/jalon/server.key /etc/jalon/jalon.toml "/var/backups/jalon/$backup"; do
    inside test -e "$path" || die "$path is gone"
done
step "install it again: the data is used again"
install /root/newer.deb
expect "the page" "$(status "$page")" 200
step "purge: nothing is left but the backups, which are root's"
inside env DEBIAN_FRONTEND=noninteractive apt-get purge --yes --quiet jalon >"$work/apt.log" 2>&1 || { cat "$work/apt.log" >&2; exit 1; }
for path in /var/lib/jalon /etc/jalon /usr/bin/jalon /lib/systemd/system/jalon.service /etc/systemd/system/multi-user.target.wants/jalon.service /etc/systemd/system/timers.target.wants/jalon-backup.timer; do
    if inside test -e "$path" || inside test -L "$path"; then die "$path is left"; fi
done
if inside getent passwd jalon || inside getent group jalon; then die "the user is left"; fi
expect "the backup" "$(inside stat --format '%U %a' "/var/backups/jalon/$backup")" "root 600"
expect "failed units" "$(inside systemctl --failed --no-legend --plain | grep -c jalon || true)" 0
step "test-deb: all good"
