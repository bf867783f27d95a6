#!/bin/sh
# The bucket and its key in a new Garage. Once, before the first `docker compose up`.
set -eu
cd "$(dirname "$0")"
. ./.env
garage() { docker compose exec -T garage /garage "$@"; }
docker compose up --detach garage
until garage status >/dev/null 2>&1; do sleep 1; done
garage layout assign --zone here --capacity 10G "$(garage node id --quiet | cut -d@ -f1)"
garage layout apply --version 1
garage bucket create jalon
garage key import --yes -n jalon "$S3_KEY_ID" "$S3_KEY_SECRET"
garage bucket allow --read --write jalon --key jalon
