"""The table of `bench/planner-match`: time, the peer's time, reliability and truth, track by track."""
import json, statistics, sys

def rows(path):
    return [json.loads(line) for line in open(path) if line.startswith("{")]

own, peer = {}, {row["file"]: row for row in rows(sys.argv[2])}
for row in rows(sys.argv[1]):
    own.setdefault(row["file"], []).append(row)
errors, wrong, ratios, sums = [], 0, [], [0.0, 0.0, 0.0]
print(f"{'track':<34}{'km':>7}{'ms':>9}{'peer ms':>9}{'times':>7}{'index':>8}{'truth':>8}")
for name, runs in own.items():
    row, ms = runs[0], sum(run["match_ms"] for run in runs) / len(runs)
    other = peer.get(name, {}).get("match_ms")
    sums = [sums[0] + row["length_m"], sums[1] + ms, sums[2] + (other or 0)]
    if other:
        ratios.append(other / ms)
    if row["truth"] is not None and row["reliability"] is not None:
        errors.append(abs(row["truth"] - row["reliability"]))
        wrong += row["passes_95"] != (row["reliability"] >= 95)
    show = lambda value, digits: "-" if value is None else f"{value:.{digits}f}"
    print(f"{name:<34}{row['length_m'] / 1e3:>7.1f}{ms:>9.2f}{show(other, 1):>9}{show(other and other / ms, 1):>7}"
          f"{show(row['reliability'], 1):>8}{show(row['truth'], 1):>8}")
print(f"{sums[1] / sums[0] * 1e3:.3f} ms a km; mean error {statistics.mean(errors):.2f} points, {wrong} of {len(errors)} on the wrong side of 95")
if ratios:
    print(f"{statistics.median(ratios):.1f} times as fast as trace_route in the median, {sums[2] / sums[1]:.1f} over all, {min(ratios):.1f} at least")
