// start.mjs BINARY DATA PORT: ready = health 200, first tile and first planned line answered.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const [binary, data, port] = process.argv.slice(2);
const base = `http://127.0.0.1:${port}`;
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const times = [];
const rests = [];
let cookie = "";
let points = "";

async function answer(path, init) {
  for (;;) {
    try {
      return await fetch(base + path, init);
    } catch {
      await wait(2);
    }
  }
}

for (let run = 0; run < 6; run++) {
  const startedAt = performance.now();
  const server = spawn(binary, ["serve", "--data", data, "--port", port], { stdio: "ignore" });
  let health = await answer("/health");
  while (!health.ok) health = await answer("/health");
  const payload = run === 0 ? await (await answer("/payload.json")).json() : globalThis.payload;
  globalThis.payload = payload;
  const [west, south, east, north] = payload.map.bbox;
  const [lon, lat] = [(west + east) / 2, (south + north) / 2];
  const zoom = 12;
  const x = Math.floor(((lon + 180) / 360) * 2 ** zoom);
  const rad = (lat * Math.PI) / 180;
  const y = Math.floor(((1 - Math.log(Math.tan(rad) + 1 / Math.cos(rad)) / Math.PI) / 2) * 2 ** zoom);
  const tile = await answer(`/map/tiles/${zoom}/${x}/${y}.mvt`);
  await tile.arrayBuffer();
  if (run === 0) {
    const login = await answer("/api/v1/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "superadmin@demo.jalon.example", password: process.env.BENCH_PASSWORD ?? "balise-jaune-2026" }),
    });
    cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    // Two places on a line of the demo: the planner refuses what is outside of its region.
    const shown = await (await answer(`/api/v1/parcours/map?bbox=${payload.map.bbox}&zoom=14`, { headers: { cookie } })).json();
    const line = shown.items.find((item) => item.line?.length > 4)?.line ?? [];
    points = JSON.stringify([line[0], line[4]].map((place) => place?.slice(0, 2)));
  }
  const route = await answer("/api/v1/planner/route", {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify({ points: JSON.parse(process.env.BENCH_POINTS ?? points), profile: "hiking" }),
  });
  const took = performance.now() - startedAt;
  if (run > 0) times.push(took); // the first run warms the page cache and signs in
  await route.text();
  if (!health.ok || !tile.ok || !route.ok) {
    server.kill("SIGKILL");
    throw new Error(`tile ${tile.status}, planner ${route.status}: nothing to measure`);
  }
  await wait(3000);
  const pss = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/smaps_rollup`, "utf8"));
  rests.push(Number(pss?.[1] ?? 0) / 1024);
  console.error(`run ${run}: ${took.toFixed(0)} ms, tile ${tile.status}, planner ${route.status}`);
  server.kill("SIGTERM");
  await new Promise((resolve) => server.on("close", resolve));
}
console.log(`ready (health, tile, planned line): median ${median(times).toFixed(0)} ms; at rest ${median(rests).toFixed(0)} MB (PSS)`);
