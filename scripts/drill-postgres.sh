#!/usr/bin/env bash
# drill-postgres.sh: a PostgreSQL with pgBackRest, configured as docs/operate/backup.md says; the demo in it; a backup; a mistake; the loss of
# the whole cluster; the way back to the moment before the mistake. Each step is checked.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '%s\n' "· $*" >&2; }
die() { printf 'drill-postgres: %s\n' "$*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || die "run it as root: it works as the user postgres"
command -v pgbackrest >/dev/null || die "pgbackrest is missing: apt-get install --no-install-recommends pgbackrest"
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
jalon=${JALON_BINARY:-${CARGO_TARGET_DIR:-$PWD/target}/debug/jalon}
[ -x "$jalon" ] || node scripts/cargo.mjs "Building the server" build --locked --workspace --bin jalon
folder=$(mktemp -d)
server=
as_postgres() { runuser -u postgres -- env PATH="$bin:$PATH" "$@"; }
cleanup() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    as_postgres pg_ctl --pgdata "$cluster" --mode immediate stop >/dev/null 2>&1 || true
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap cleanup EXIT
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
cluster=$folder/pg/main port=$(free_port) http=$(free_port)
export DATABASE_URL="postgres://postgres@127.0.0.1:$port/jalon" JALON_BLOBS__SHARED=true JALON_DATA=$folder/data
chmod 755 "$folder"
install -d -o postgres -m 700 "$folder/pg" "$folder/repository" "$folder/log" "$folder/spool" "$folder/lock"

step "a cluster and pgBackRest, with the files of deploy/pgbackrest"
conf=$folder/pg/pgbackrest.conf
sed -e "s#^repo1-path=/var/lib/pgbackrest#repo1-path=$folder/repository#" -e "s#^pg1-path=.*#pg1-path=$cluster#" -e "s#^pg1-port=.*#pg1-port=$port#" \
    -e 's#^repo1-cipher-pass=.*#repo1-cipher-pass=a phrase of the drill#' deploy/pgbackrest/pgbackrest.conf >"$conf"
cat >>"$conf" <<PLACES
pg1-socket-path=$folder/pg
[global:archive-push]
compress-level=1
PLACES
sed -i "s#^\[global\]#[global]\nlog-path=$folder/log\nlock-path=$folder/lock\nspool-path=$folder/spool#" "$conf"
rest() { as_postgres pgbackrest --config "$conf" --stanza jalon "$@"; }
as_postgres initdb --pgdata "$cluster" --auth trust --no-sync >/dev/null
{
    sed "s#pgbackrest --stanza#pgbackrest --config $conf --stanza#" deploy/pgbackrest/postgresql.conf
    printf "port = %s\nunix_socket_directories = '%s'\n" "$port" "$folder/pg"
} >>"$cluster/postgresql.conf"
start() { as_postgres pg_ctl --pgdata "$cluster" --log "$folder/pg/log" --wait start >/dev/null || { cat "$folder/pg/log" >&2; exit 1; }; }
sql() { as_postgres psql --host "$folder/pg" --port "$port" --no-psqlrc --quiet --tuples-only --no-align --dbname "${2:-jalon}" --command "$1"; }
start
sql 'CREATE DATABASE jalon' postgres
rest stanza-create
rest check
serve() {
    "$jalon" serve --port "$http" >"$folder/server.log" 2>&1 &
    server=$!
    for _ in $(seq 300); do
        curl -sf "http://127.0.0.1:$http/readyz" >/dev/null && return
        sleep 0.2
    done
    cat "$folder/server.log" >&2
    return 1
}
stop() { kill "$server"; wait "$server" || true; server=; }
# Every row of every table.
rows() { as_postgres pg_dump --host "$folder/pg" --port "$port" --inserts jalon | grep '^INSERT' | sort | sha256sum; }

step "fill: the demo"
"$jalon" demo >/dev/null
serve
step "a full backup, beside the server"
rest --type=full backup
# pgBackRest counts in seconds: a moment in the second in which the backup ended is before it.
sleep 2
step "work after the backup, which the log alone has"
"$jalon" user create --email apres@exemple.fr --first-name Anne --last-name Martin --structure Après --white-label Après >/dev/null
stop
before=$(rows)
moment=$(sql 'SELECT clock_timestamp()')
sleep 2
step "a mistake: every parcours and all that belongs to one is deleted"
sql 'TRUNCATE parcours CASCADE' 2>/dev/null
[ "$(rows)" != "$before" ] || die "nothing was deleted"
sql 'SELECT pg_switch_wal()' >/dev/null
rest check
step "destroy the cluster"
as_postgres pg_ctl --pgdata "$cluster" --mode immediate stop >/dev/null
rm -rf "$cluster"
step "verify the repository, restore to $moment"
rest verify
install -d -o postgres -m 700 "$cluster"
rest --type=time --target="$moment" --target-action=promote restore
start
for _ in $(seq 100); do
    [ "$(sql 'SELECT pg_is_in_recovery()')" = f ] && break
    sleep 0.3
done
step "compare"
[ "$(rows)" = "$before" ] || die "the database is not that of the moment before the mistake"
"$jalon" blobs verify
serve
"$jalon" doctor
stop
step "drill-postgres: all good"
