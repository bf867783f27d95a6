#!/usr/bin/env bash
# drill.sh: a backup of the demo beside a server that runs, the loss of everything, and the way back. Each step is checked.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '%s\n' "· $*" >&2; }
jalon=${JALON_BINARY:-${CARGO_TARGET_DIR:-$PWD/target}/debug/jalon}
[ -x "$jalon" ] || node scripts/cargo.mjs "Building the server" build --locked --workspace --bin jalon
folder=$(mktemp -d)
server=
cleanup() { [ -z "$server" ] || kill "$server" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$folder"; }
trap cleanup EXIT
cd "$folder"
# A sum of every row of every table, whatever the pages of the file look like.
rows() {
    python3 - "$1" <<'PYTHON'
import hashlib, sqlite3, sys
database, total = sqlite3.connect(sys.argv[1]), hashlib.sha256()
database.text_factory = bytes
tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name")
for (table,) in tables.fetchall():
    for row in sorted(map(repr, database.execute(f'SELECT * FROM "{table.decode()}"'))):
        total.update(f"{table} {row}\n".encode())
print(total.hexdigest())
PYTHON
}
serve() {
    "$jalon" serve --data "$1" --port 18461 >"$folder/log" 2>&1 &
    server=$!
    for _ in $(seq 300); do
        curl -sf http://127.0.0.1:18461/readyz >/dev/null && return
        sleep 0.2
    done
    cat "$folder/log" >&2
    return 1
}
stop() { kill "$server"; wait "$server" || true; server=; }

step "fill: the demo"
"$jalon" demo --data there >/dev/null
serve there
step "back up, beside the server"
"$jalon" backup create --data there --to backups --keep 3
stop
backup=$(ls -d backups/jalon-*)
before=$(rows there/jalon.sqlite)
cp there/server.key key
(cd there/blobs && find . -type f ! -path './roadbook/*' ! -path './card/*' ! -path './check/*' ! -path './web/*' -exec sha256sum {} + | sort) >blobs-before
step "destroy"
rm -rf there
step "verify and restore"
"$jalon" backup verify "$backup"
"$jalon" backup restore --from "$backup" --data back
install -m 600 key back/server.key
step "compare"
# The server writes its background work (jobs, checks of traces) between the copy and its stop: the copy itself is compared.
mkdir copy && tar -xzf "$backup" -C copy jalon.sqlite
[ "$(rows copy/jalon.sqlite)" = "$(rows back/jalon.sqlite)" ]
(cd back/blobs && find . -type f -exec sha256sum {} + | sort) >blobs-after
diff blobs-before blobs-after >&2
"$jalon" blobs verify --data back
serve back
"$jalon" doctor --data back
stop
[ "$before" = "$(rows back/jalon.sqlite)" ] || step "the database differs only by what the server did after the copy"
step "drill: all good"
