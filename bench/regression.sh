#!/usr/bin/env bash
# Compares the server that was just built with the one that the last run on this machine left: processor time of each request, in turn
# (bench/pair.mjs). Ends with 1 where a request takes more than 15 % longer, unless a commit since then says so and why, as its last line:
#   Slower: save (each change is written to the journal too)
set -euo pipefail
cd "$(dirname "$0")/.."
built=${1:?usage: bench/regression.sh BINARY} kept=$(dirname "$1")/../measured
commit=$(cat "$kept/commit" 2>/dev/null || true)
if [ -z "$commit" ] || ! "$kept/jalon" --version >/dev/null 2>&1; then
    echo "Processor time: no server of an earlier run to compare with."
elif ! git merge-base --is-ancestor "$commit" HEAD 2>/dev/null; then
    echo "Processor time: the server of the earlier run is of $commit, which is not before this commit: not compared."
else
    echo "Processor time beside ${commit:0:8}:"
    slower=$(git log --format='%(trailers:key=Slower,valueonly)' "$commit..HEAD" | sed 's/ *(.*//' | grep . | paste -sd, || true)
    SLOWER=$slower ROWS=2000 TIMES=10 NAMES='list with search,list without,detail,save,quick search,map,session' \
        node bench/pair.mjs "$kept/jalon" "$built" 45
fi
mkdir -p "$kept"
cp "$built" "$kept/jalon"
git rev-parse HEAD >"$kept/commit"
