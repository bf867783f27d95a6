#!/usr/bin/env bash
# The files of deploy/ against the programs and schemas that read them: Compose and Kubernetes (schemas from PyPI), Caddy, HAProxy and systemd (the
# distribution's programs), and the alert rules against promtool where it is installed. Nothing is started.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '%s\n' "· $*" >&2; }
for tool in caddy haproxy openssl systemd-analyze python3; do
    command -v $tool >/dev/null || { echo "$tool is missing: apt-get install --no-install-recommends caddy haproxy openssl systemd python3-venv" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step "Compose and Kubernetes"
KUBERNETES_VALIDATE=1.37.0
COMPOSE_SPEC=0.2.1
schemas=${CARGO_TARGET_DIR:-$PWD/target}/cache/deploy-schemas-$KUBERNETES_VALIDATE-$COMPOSE_SPEC
if [ ! -f "$schemas/installed" ]; then
    python3 -m venv --clear "$schemas"
    "$schemas/bin/python" -m pip install --quiet "kubernetes-validate==$KUBERNETES_VALIDATE" "compose-spec==$COMPOSE_SPEC"
    touch "$schemas/installed"
fi
"$schemas/bin/python" scripts/check-deploy.py
sh -n deploy/compose/first-time.sh

step "Caddy"
for file in deploy/caddy/Caddyfile deploy/compose/Caddyfile; do
    SITE_ADDRESS=parcours.example.fr HOME=$work caddy validate --adapter caddyfile --config "$file" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    caddy fmt "$file" | diff "$file" - >&2
done

step "HAProxy"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=parcours.example.fr -keyout "$work/key" -out "$work/certificate" 2>/dev/null
cat "$work/certificate" "$work/key" >"$work/parcours.pem"
sed "s#/etc/haproxy/parcours.pem#$work/parcours.pem#" deploy/haproxy/haproxy.cfg >"$work/haproxy.cfg"
haproxy -c -q -f "$work/haproxy.cfg"

step "Prometheus"
if command -v promtool >/dev/null; then
    promtool check rules docs/operate/prometheus/alerts.yml
else
    echo "promtool is missing (package prometheus): the alert rules are not checked" >&2
fi

step "systemd"
for unit in deploy/debian/*.service; do
    systemd-analyze security --offline=true --threshold=20 --no-pager "./$unit" | tail -1
done
# The programs need not be here.
systemd-analyze verify deploy/pgbackrest/*.timer deploy/debian/*.timer 2>&1 | { ! grep -v -i -E 'is not executable|^$' >&2; }
step "deploy: all good"
