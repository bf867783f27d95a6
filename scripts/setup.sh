#!/usr/bin/env bash
# Installs what the server (`server`), the server and the web app (`build`), testing (`test`) or the chaos harness (`chaos`) needs and is missing; says in one sentence what it cannot install.
set -euo pipefail
cd "$(dirname "$0")/.."
want=${1:-build}

say() { printf '%s\n' "$*" >&2; }
need() { command -v "$1" >/dev/null || { say "Jalon needs $2. Install it, then run this again."; exit 1; }; }

need cargo "Rust 1.94 or newer (cargo is not on the PATH)"
need node "Node.js 20.19 or newer (node is not on the PATH)"
need npm "npm (it comes with Node.js)"
node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' ||
    { say "Jalon needs Node.js 20.19 or newer; this is $(node -v)."; exit 1; }

apt_updated=
install() { # install PACKAGE... for REASON: through apt where we may
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "Installing $* …"
        [ -n "$apt_updated" ] || { apt-get update -qq >/dev/null 2>&1 || true; apt_updated=1; }
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
    else
        return 1
    fi
}

command -v cc >/dev/null || install gcc libc6-dev || say "A C compiler is missing (package gcc): the bundled SQLite needs it."

# Where several checkouts build into one folder, cargo takes another's binaries for this one's if its sources are older,
# and those look for the web app and the shared data where they were built.
built=${CARGO_TARGET_DIR:-target}
if [ "$(cat "$built/checkout" 2>/dev/null)" != "$PWD" ]; then
    [ ! -d "$built" ] || find crates demo -name '*.rs' -not -path '*/target/*' -exec touch {} +
    mkdir -p "$built"
    pwd >"$built/checkout"
fi

[ "$want" != server ] || exit 0

# Only when the lock file changed since the last time. Not `npm ci`: it asks the lock file for optional packages of
# platforms that knip's parser declares and the registry does not have.
stamp=web/node_modules/.installed
lock_sum=$(sha256sum web/package-lock.json | cut -d' ' -f1)
if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$lock_sum" ]; then
    say "Installing the web app's packages …"
    (cd web && npm install --no-save --no-audit --no-fund --loglevel=error >/dev/null)
    echo "$lock_sum" >"$stamp"
fi

[ "$want" = test ] || [ "$want" = chaos ] || exit 0

find_postgres() { command -v postgres >/dev/null || ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1; }
find_postgres || install postgresql || say "PostgreSQL is missing (package postgresql): the tests that need it will be skipped."
if [ "$want" = chaos ]; then
    find_postgres || { say "PostgreSQL is missing (package postgresql) and cannot be installed here: the chaos harness runs on it."; exit 1; }
    command -v haproxy >/dev/null || install haproxy || true
    command -v haproxy >/dev/null || { say "HAProxy is missing (package haproxy) and cannot be installed here: the chaos harness puts it in front of two nodes."; exit 1; }
    exit 0
fi
find_chromium() { command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; }
# The headless shell draws with less processor time than Chromium; the journeys take it where it is there (scripts/chromium.mjs).
command -v chromium-headless-shell >/dev/null || install chromium-headless-shell || find_chromium || install chromium ||
    say "Chromium is missing (package chromium-headless-shell or chromium): the browser journeys will be skipped."
command -v strace >/dev/null || install strace || say "strace is missing (package strace): how often a commit is written to the disk will not be counted."
find_pdf_tools() { command -v qpdf >/dev/null && command -v pdftotext >/dev/null && command -v zbarimg >/dev/null; }
find_gis_tools() { command -v ogrinfo >/dev/null && command -v gpsbabel >/dev/null; }
find_gis_tools || install gdal-bin gpsbabel || say "GDAL or GPSBabel are missing (packages gdal-bin, gpsbabel): what they make of GPX, KML and GeoJSON files will not be asked."
find_pdf_tools || install qpdf poppler-utils zbar-tools || say "PDF readers are missing (packages qpdf, poppler-utils, zbar-tools): what they say of roadbooks will not be asked."
