#!/usr/bin/env bash
# Everything that is judged without running the program. Warnings are errors.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '%s\n' "· $*" >&2; }

scripts/setup.sh server
# The web application is checked beside the compiler, which keeps one core busy for most of its time. Its packages are fetched there too.
web_log=$(mktemp)
trap 'rm -f "$web_log"' EXIT
(
    scripts/setup.sh build
    cd web
    step "formatting, types, lints (web)"
    npm run --silent format:check >/dev/null || { echo "Run npm run format in web." >&2; exit 1; }
    # The linter reports type errors too: the types are read once (decision 0079).
    npm run --silent lint
) >"$web_log" 2>&1 &
web=$!

step "formatting (Rust)"; cargo fmt --all --check
if [ -n "${RUSTC_WORKSPACE_WRAPPER:-}" ]; then
    # .ci/run names the linter as the compiler of the workspace's crates: what is linted here is what the tests run.
    step "lints (Rust), while the tests are built"; node scripts/cargo.mjs "  compiled" build --locked --workspace --all-targets
else
    step "lints (Rust)"; node scripts/cargo.mjs "  compiled" clippy --locked --workspace --all-targets -- -D warnings
fi
wait $web || { cat "$web_log" >&2; exit 1; }
cat "$web_log" >&2
if grep -rnE ' as (never|any)\b' web/src --include='*.ts' --include='*.tsx' --exclude='*.test.*' --exclude='*.d.ts' | grep -vE ':[0-9]+: *(//|\*)'; then
    echo "A cast to never or any hides what the types know: routes, search parameters and answers are typed." >&2
    exit 1
fi
step "words of comments"
# Words that allude to a thing instead of naming it: reported, listed, shown or logged in place of "told"; the user, the caller or the server in place of "whoever",
# "somebody" and "nobody"; automatically, alone or separately in place of "by itself"; "seconds after which" in place of "after so many seconds"; "no longer" in place of
# "no more"; the noun in place of "those of" at the beginning.
if git grep -nIP '(//[/!]?|^ *\*|/\*\*) (.*\b([Tt]old|[Ww]hoever|[Ss]omebody|(?<!:)[Nn]obody(?!@)|by (itself|themselves)|so many (?!that\b)\w+|(is|works?|holds?|has it) no more(?= *[.,;:)]))\b|(That|Those) of\b)' -- 'crates/*.rs' 'demo/*.rs' 'web/src/*.ts' 'web/src/*.tsx' 'web/e2e/*.ts' 'web/test/*.ts' 'scripts/*.mjs' 'bench/*.mjs' ':!web/src/api/*.d.ts'; then
    echo "A comment names the thing (CONTRIBUTING.md, Words)." >&2
    exit 1
fi
# The same for the documents of developers and operators. The glossary and CONTRIBUTING.md quote such words, and the coverage of the specification the names of tests.
if git grep -nIP '(?<!")\b([Tt]old|[Ww]hoever|[Ss]omebody|[Nn]obody(?!@)|by (itself|themselves)|so many (?!that\b)\w+|(is|works?|holds?|has it) no more(?= *[.,;:)]))\b' -- README.md ARCHITECTURE.md SECURITY.md CONTRIBUTING.md 'docs/dev/*.md' 'docs/operate/*.md' 'docs/decisions/*.md' bench/README.md ':!docs/dev/glossary.md' ':!docs/dev/specification-coverage.md'; then
    echo "A document names the thing (CONTRIBUTING.md, Words)." >&2
    exit 1
fi
step "generated files"; scripts/gen.sh
if ! git diff --quiet -- openapi.json openapi.public.json web/src/api; then
    echo "openapi.json, openapi.public.json or web/src/api is not what the server says: run 'make gen' and commit it." >&2
    git --no-pager diff --stat -- openapi.json openapi.public.json web/src/api >&2
    exit 1
fi
echo "check: all good" >&2
