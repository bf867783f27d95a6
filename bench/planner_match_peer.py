"""Valhalla's `trace_route` in process, for `bench/planner-match`: one JSON object a track with the mean processor time."""
import json, pathlib, re, sys, time, valhalla

BUDGET_S, ROUNDS = 0.5, 5

def main(config, folder):
    actor = valhalla.Actor(config)
    labels = {row["file"]: row for row in json.load(open(f"{folder}/truth_andorra.json"))}
    for path in sorted(pathlib.Path(folder).glob("*.gpx")):
        points = re.findall(r'<trkpt lat="([^"]+)" lon="([^"]+)"', path.read_text())
        question = json.dumps({
            "shape": [{"lat": float(lat), "lon": float(lon)} for lat, lon in points], "shape_match": "map_snap",
            "costing": labels.get(path.name, {}).get("profile", "bicycle"), "directions_options": {"language": "fr-FR"}})
        rounds, refused, begun, started = 0, None, time.perf_counter(), time.process_time()
        while rounds < ROUNDS or time.perf_counter() - begun < BUDGET_S:
            try:
                actor.trace_route(question)
            except Exception as error:
                refused = str(error)
            rounds += 1
        match_ms = (time.process_time() - started) / rounds * 1e3
        # The engine writes a log of its own to standard output: a line that starts with a brace is ours.
        print("\n" + json.dumps({"file": path.name, "match_ms": match_ms, "refused": refused}), flush=True)

main(*sys.argv[1:])
