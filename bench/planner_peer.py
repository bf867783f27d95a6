"""Valhalla in process, for `bench/planner`: the pairs through the packaged Actor, times and answers as one JSON object."""
import csv, json, sys, time, valhalla

def main(config, pairs, costing):
    rows = list(csv.DictReader(open(pairs)))
    questions = [json.dumps({
        "locations": [{"lat": float(r["from_lat"]), "lon": float(r["from_lon"])}, {"lat": float(r["to_lat"]), "lon": float(r["to_lon"])}],
        "costing": costing, "language": "fr-FR"}) for r in rows]
    actor = valhalla.Actor(config)
    times, routes = [], []
    before = 0.0
    for turn in range(2):
        for row, question in zip(rows, questions):
            started = time.perf_counter()
            try:
                answer = actor.route(question)
            except Exception:
                answer = None
            took = (time.perf_counter() - started) * 1e6
            if turn:
                times.append(took)
                if answer:
                    summary = (json.loads(answer) if isinstance(answer, str) else answer)["trip"]["summary"]
                    routes.append([row["id"], round(summary["length"] * 1000), round(summary["time"], 1)])
    times.sort()
    at = lambda share: times[int((len(times) - 1) * share)]
    print(json.dumps({"engine": "valhalla", "costing": costing, "over": "process", "routes": routes,
        "times": {"asked": len(times), "refused": len(times) - len(routes), "p50_us": at(.5), "p95_us": at(.95), "p99_us": at(.99)}}))

main(*sys.argv[1:])
