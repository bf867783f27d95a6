"""How far this engine agrees with Valhalla on the seeded pairs: `planner_agree.py VALHALLA.json PAIRS.csv PROFILE RACE NETWORK`.

Valhalla refuses paths of T2 and harder; where nothing else leads to a place, its answer begins or ends somewhere else, up to
kilometres away. So the share is told three times: as asked, on the pairs that both answer where they were asked, and with every
pair moved to where Valhalla's answer begins and ends."""
import csv, json, math, os, subprocess, sys, tempfile
import valhalla
from planner_outliers import DRAW, decoded

MOVED_M = 150.0


def metres(p, q):
    return math.hypot((p[0] - q[0]) * 111_320 * math.cos(math.radians(p[1])), (p[1] - q[1]) * 111_320)


def agreeing(race, network, profile, pairs, peer, what, within):
    """Numbers of the pairs that agree, and of those that were answered."""
    told = subprocess.run([race, "agree", network, profile, pairs], capture_output=True, text=True, check=True).stdout
    own = [line for line in map(json.loads, told.splitlines()) if "error" not in line]
    field = "distance_m" if what == "distance" else "duration_s"
    return {line["id"] for line in own if abs(line[field] / peer[line["id"]][field] - 1) <= within}, {line["id"] for line in own}


def main(config, pairs, profile, race, network):
    costing, what, within = DRAW[profile]
    actor, peer, moved, rows = valhalla.Actor(config), {}, set(), list(csv.DictReader(open(pairs)))
    for index, row in enumerate(rows):
        ends = [(float(row[f"{end}_lon"]), float(row[f"{end}_lat"])) for end in ("from", "to")]
        answer = actor.route(json.dumps({"locations": [{"lat": lat, "lon": lon} for lon, lat in ends], "costing": costing}))
        trip = (json.loads(answer) if isinstance(answer, str) else answer)["trip"]
        line = decoded(trip["legs"][0]["shape"])
        peer[index] = {"distance_m": trip["summary"]["length"] * 1000, "duration_s": trip["summary"]["time"]}
        for end, asked, point in zip(("from", "to"), ends, (line[0], line[-1])):
            if metres(asked, (point["lon"], point["lat"])) > MOVED_M:
                moved.add(index)
                row[f"{end}_lon"], row[f"{end}_lat"] = point["lon"], point["lat"]
    with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    as_asked, answered = agreeing(race, network, profile, pairs, peer, what, within)
    same, same_answered = agreeing(race, network, profile, file.name, peer, what, within)
    os.unlink(file.name)
    there = answered - moved
    share = lambda good, of: f"{len(good)} of {of}: {100 * len(good) / of:.1f} %"
    print(f"{profile}, {what} within {within:.0%}: as asked {share(as_asked, len(rows))}; the peer begins or ends more than {MOVED_M:.0f} m "
          f"from where it was asked on {len(moved)}; on the others {share(as_asked & there, len(there))}; "
          f"all, from where to where the peer goes {share(same, len(same_answered))}")


if __name__ == "__main__":
    main(*sys.argv[1:])
