#!/usr/bin/env bash
# Tries certificates on demand with the real Caddy (Debian's package) and its own authority: the domain of a published white-label
# gets one, any other name does not. `scripts/caddy-ask.sh [BINARY]`; without Caddy it says so and ends well.
set -euo pipefail
[ $# -eq 0 ] || JALON_BINARY=$(realpath "$1")
cd "$(dirname "$0")/.."
binary=${JALON_BINARY:-${CARGO_TARGET_DIR:-$PWD/target}/debug/jalon}
for tool in caddy curl openssl python3; do
  command -v "$tool" > /dev/null || { echo "skipped: $tool is not installed"; exit 0; }
done
work=$(mktemp -d)
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
jalon_port=$(free_port) tls_port=$(free_port) admin_port=$(free_port)
stop() {
  for pid in "${caddy_pid:-}" "${jalon_pid:-}"; do [ -z "$pid" ] || { kill "$pid" 2> /dev/null || true; wait "$pid" 2> /dev/null || true; }; done
  rm -rf "$work"
}
trap stop EXIT

export JALON_DATA="$work/data" JALON_PUBLIC_URL="http://localhost:$jalon_port" JALON_MAP_DOMAIN=carte.localhost JALON_LOG=warn
"$binary" user create --email ask@essais.example --first-name Ada --last-name Essai --role superadmin --structure Essai \
  --white-label Essai --password 'un-Mot-de-passe-42' > /dev/null
"$binary" serve --port "$jalon_port" > "$work/jalon.log" 2>&1 &
jalon_pid=$!
base="http://localhost:$jalon_port"
for _ in $(seq 600); do curl -sf "$base/livez" > /dev/null 2>&1 && break; sleep 0.1; done

json=(-H "content-type: application/json" -H "origin: $base" -b "$work/cookies" -c "$work/cookies")
curl -sf "${json[@]}" -d '{"email":"ask@essais.example","password":"un-Mot-de-passe-42"}' "$base/api/v1/session" > /dev/null
# The sheet is patched under its version.
etag=$(curl -sf "${json[@]}" -D - -o /dev/null "$base/api/v1/white-labels/1" | tr -d '\r' | sed -n 's/^etag: //Ip')
curl -sf "${json[@]}" -X PATCH -H "if-match: $etag" -H "content-type: application/merge-patch+json" \
  -d '{"domain":"https://essai.carte.localhost","published":true}' "$base/api/v1/white-labels/1" > /dev/null

cat > "$work/Caddyfile" <<CADDY
{
	admin localhost:$admin_port
	storage file_system $work/caddy
	local_certs
	skip_install_trust
	auto_https disable_redirects
	on_demand_tls {
		ask http://127.0.0.1:$jalon_port/certificates/ask
	}
}
https://:$tls_port {
	tls {
		on_demand
	}
	reverse_proxy 127.0.0.1:$jalon_port {
		# Without the port of this try, which a site at 443 does not have.
		header_up Host {host}
	}
}
CADDY
HOME="$work" XDG_DATA_HOME="$work" XDG_CONFIG_HOME="$work" caddy run --config "$work/Caddyfile" --adapter caddyfile > "$work/caddy.log" 2>&1 &
caddy_pid=$!
for _ in $(seq 200); do curl -s -o /dev/null "http://localhost:$admin_port/config/" && break; sleep 0.1; done

answer() {
  curl -sk -o /dev/null -w '%{http_code}' --max-time 20 --resolve "$1:$tls_port:127.0.0.1" "https://$1:$tls_port/" || true
}
failed=0
expect() {
  if [ "$2" = "$3" ]; then echo "good: $1 ($2)"; else echo "FAILED: $1: $2 instead of $3"; failed=1; fi
}
expect "the home page of the white-label's own domain" "$(answer essai.carte.localhost)" 200
subject=$(openssl s_client -connect "127.0.0.1:$tls_port" -servername essai.carte.localhost < /dev/null 2> /dev/null \
  | openssl x509 -noout -ext subjectAltName 2> /dev/null | grep -c 'DNS:essai.carte.localhost' || true)
expect "its certificate has its name" "$subject" 1
expect "a name of no white-label gets no certificate" "$(answer autre.carte.localhost)" 000
[ "$failed" = 0 ] || { tail -n 20 "$work/caddy.log"; tail -n 20 "$work/jalon.log"; exit 1; }
