"""Where this engine and Valhalla part, pair by pair: `planner_outliers.py VALHALLA.json PAIRS.csv PROFILE ANSWERS.jsonl`.

ANSWERS are those of `GEOMETRY=1 race agree NETWORK PROFILE PAIRS`. Both lines are laid on Valhalla's own edges (`trace_attributes`);
what only one of them uses is summed by kind, so that each outlier says in a line what either takes and the other leaves."""
import csv, json, sys
from collections import Counter

import valhalla

DRAW = {"hiking": ("pedestrian", "distance", 0.10), "touring": ("bicycle", "time", 0.20)}
SAC = {1: "T1", 2: "T2", 3: "T3", 4: "T4", 5: "T5", 6: "T6"}


def kind(edge):
    """What a way is, in a word or two."""
    sac = edge.get("sac_scale", 0)
    road, use = edge.get("road_class", ""), edge.get("use", "road")
    word = use if use not in ("road", "living_street") else road.replace("_", " ")
    return ("tunnel, " if edge.get("tunnel") else "") + word + (f" {SAC[sac]}" if sac in SAC else "")


def edges(actor, shape):
    """Metres by way and by kind of what a line lies on: walkers may nearly everywhere; else as a bicycle."""
    for costing in ("pedestrian", "bicycle"):
        try:
            return laid(actor, shape, costing)
        except valhalla.ValhallaError:
            continue
    return None


def laid(actor, shape, costing):
    question = {"shape": shape, "costing": costing, "shape_match": "walk_or_snap", "units": "kilometers",
                "filters": {"action": "include", "attributes": ["edge.way_id", "edge.length", "edge.road_class", "edge.use", "edge.sac_scale", "edge.tunnel"]}}
    answer = actor.trace_attributes(json.dumps(question))
    answer = json.loads(answer) if isinstance(answer, str) else answer
    return [(e["way_id"], e["length"] * 1000, kind(e)) for e in answer["edges"]]


def decoded(text):
    points, index, lat, lon = [], 0, 0, 0
    while index < len(text):
        both = []
        for _ in range(2):
            shift = value = 0
            while True:
                byte = ord(text[index]) - 63
                index += 1
                value |= (byte & 31) << shift
                shift += 5
                if byte < 32:
                    break
            both.append(~(value >> 1) if value & 1 else value >> 1)
        lat, lon = lat + both[0], lon + both[1]
        points.append({"lat": lat / 1e6, "lon": lon / 1e6})
    return points


def apart(mine, other):
    """Metres by kind of what the other does not use."""
    known, sums = {way for way, _, _ in other}, Counter()
    for way, metres, word in mine:
        if way not in known:
            sums[word] += metres
    return sums


def why(ours, theirs):
    """The difference in a few words, the first that fits."""
    def metres(sums, *words):
        return sum(m for word, m in sums.items() if any(w in word for w in words))

    main = ("primary", "trunk", "secondary")
    if max(sum(ours.values()), sum(theirs.values())) < 500:
        return "the same ways: speeds and slopes"
    if metres(theirs, "tunnel") > 500:
        return "its road tunnel"
    if metres(theirs, *main) > metres(ours, *main) + 500:
        return "its main road, our small ways"
    if metres(ours, *main) > metres(theirs, *main) + 500:
        return "our main road, its small ways"
    if metres(ours, "T2", "T3") > 200:
        return "a T2 path that it refuses"
    return "small ways against small ways"


def told(sums):
    return ", ".join(f"{metres / 1000:.1f} km {word}" for word, metres in sums.most_common(3) if metres >= 200) or "bits"


def main(config, pairs, profile, answers):
    costing, what, within = DRAW[profile]
    actor = valhalla.Actor(config)
    rows = list(csv.DictReader(open(pairs)))
    print(f"| pair | {what} | why | ours | only ours | the peer's | only the peer's |\n| --- | --- | --- | --- | --- | --- | --- |")
    for row, own in zip(rows, map(json.loads, open(answers))):
        if "error" in own:
            continue
        question = {"locations": [{"lat": float(row["from_lat"]), "lon": float(row["from_lon"])}, {"lat": float(row["to_lat"]), "lon": float(row["to_lon"])}], "costing": costing}
        trip = actor.route(json.dumps(question))
        trip = (json.loads(trip) if isinstance(trip, str) else trip)["trip"]
        peer_km, peer_s = trip["summary"]["length"], trip["summary"]["time"]
        ratio = own["distance_m"] / 1000 / peer_km if what == "distance" else own["duration_s"] / peer_s
        if abs(ratio - 1) <= within:
            continue
        line = [{"lat": p[1], "lon": p[0]} for p in own["geometry"]]
        both = edges(actor, line), edges(actor, [p for leg in trip["legs"] for p in decoded(leg["shape"])])
        ours, theirs = (apart(*both), apart(*both[::-1])) if None not in both else (Counter(), Counter())
        shown = (lambda km, s: f"{km:.1f} km") if what == "distance" else (lambda km, s: f"{s / 60:.0f} min, {km:.1f} km")
        print(f"| {row['id']} | × {ratio:.2f} | {why(ours, theirs)} | {shown(own['distance_m'] / 1000, own['duration_s'])} | {told(ours)} | {shown(peer_km, peer_s)} | {told(theirs)} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
