# Sourced by the benches: where things are, a server of their own on a free port, cleaned up at the end.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tools=${JALON_SHARED:-$root/../shared}/tools
target=${CARGO_TARGET_DIR:-$root/target}
jalon=${JALON_BINARY:-$target/release/jalon}
[ -x "$jalon" ] || { echo "Build the release binary first: make release" >&2; exit 1; }
work=$(mktemp -d)
server=
stop() { [ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"; }
trap stop EXIT

serve() { # serve DATA PORT
    # With PostgreSQL the folder of blobs must be declared shared; this is its only server.
    JALON_BLOBS__SHARED=true "$jalon" serve --data "$1" --port "$2" >"$work/server.log" 2>&1 &
    server=$!
    for _ in $(seq 200); do
        curl -sf "http://127.0.0.1:$2/health" >/dev/null && return
        sleep 0.05
    done
    cat "$work/server.log" >&2
    exit 1
}

sign_in() { # sign_in PORT -> the cookie
    curl -sf -D - -o /dev/null -H 'Content-Type: application/json' \
        -d "{\"email\":\"${BENCH_EMAIL:-superadmin@demo.jalon.example}\",\"password\":\"${BENCH_PASSWORD:-balise-jaune-2026}\"}" \
        "http://127.0.0.1:$1/api/v1/session" | tr -d '\r' | sed -n 's/^[Ss]et-[Cc]ookie: \(authToken=[^;]*\).*/\1/p'
}

settled() { # settled PID: waits until the work that a server begins on its own initiative after its start is done (two minutes at most)
    local before=-1 now quiet=0
    for _ in $(seq 120); do
        now=$(awk '{print $14 + $15}' "/proc/$1/stat")
        if [ "$before" -ge 0 ] && [ $((now - before)) -le 2 ]; then quiet=$((quiet + 1)); else quiet=0; fi
        [ "$quiet" -ge 3 ] && return
        before=$now
        sleep 1
    done
    echo "The server was still at work in the background after two minutes." >&2
}
