// map-frame.mjs [N]: drags and zooms the map of N points of interest (100000), and reads from Chromium's trace how much processor time of the main
// thread scripts took in each frame. Printed twice: without the calls that start in MapLibre (our callbacks inside them are left out too), and
// with them. The server's answers are replaced: the points are spread at random over the demo's region and grouped as the server does
// (cells of 60 px, 300 points at most).
// JALON_URL uses a server that runs already.
import { execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromiumPath } from "../scripts/chromium.mjs";
import { serverBinary, started } from "./server.mjs";

const root = resolve(import.meta.dirname, "..");
const { chromium } = createRequire(join(root, "web/package.json"))("@playwright/test");
const count = Number(process.argv[2] ?? 100_000);
const port = process.env.PORT ?? "18449";
const work = mkdtempSync(join(tmpdir(), "jalon-map-"));
let base = process.env.JALON_URL;
let server;
if (!base) {
  const binary = serverBinary();
  execFileSync(binary, ["demo", "--data", work], { stdio: "ignore" });
  server = spawn(binary, ["serve", "--data", work, "--port", port], { stdio: "ignore" });
  base = `http://localhost:${port}`;
  await started(base, server);
}

/** The same points each time (mulberry32). */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What `GET /api/v1/pois/map` answers over these points, see `store::poi::map`. */
function mapOf(points, bbox, zoom) {
  const [west, south, east, north] = bbox.split(",").map(Number);
  const cell = (360 / (512 * 2 ** zoom)) * 60;
  const cells = new Map();
  const inside = points.filter(([lon, lat]) => lon >= west && lon <= east && lat >= south && lat <= north);
  for (const [lon, lat] of inside) {
    const key = `${Math.floor((lon + 180) / cell)} ${Math.floor((lat + 90) / cell)}`;
    const found = cells.get(key) ?? { count: 0, lon: 0, lat: 0, bbox: [180, 90, -180, -90] };
    found.count += 1;
    found.lon += lon;
    found.lat += lat;
    found.bbox = [Math.min(found.bbox[0], lon), Math.min(found.bbox[1], lat), Math.max(found.bbox[2], lon), Math.max(found.bbox[3], lat)];
    cells.set(key, found);
  }
  if (inside.length > 300) return { clusters: [...cells.values()].slice(0, 2000).map(({ count: many, lon, lat, bbox: box }) => ({ count: many, position: [lon / many, lat / many], bbox: box })), items: [], total: inside.length };
  return { clusters: [], items: inside.map(([lon, lat], id) => ({ id: id + 1, title: { fr: `Point ${id}` }, position: [lon, lat], published: true })), total: inside.length };
}

const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
try {
  const context = await browser.newContext({ locale: "fr-FR", viewport: { width: 1440, height: 900 } });
  const reply = await context.request.post(`${base}/api/v1/session`, { data: { email: "editeur@demo.jalon.example", password: process.env.BENCH_PASSWORD ?? "balise-jaune-2026" }, headers: { origin: base } });
  if (!reply.ok()) throw new Error(`sign-in answered ${reply.status()}`);
  const { map: { bbox: [west, south, east, north] } } = await (await context.request.get(`${base}/payload.json`)).json();
  const next = random(7);
  const points = Array.from({ length: count }, () => [west + next() * (east - west), south + next() * (north - south)]);
  const page = await context.newPage();
  let answered = 0;
  await page.route(/\/api\/v1\/pois\/map/, (route) => {
    const query = new URL(route.request().url()).searchParams;
    answered += 1;
    return route.fulfill({ json: mapOf(points, query.get("bbox"), Number(query.get("zoom"))) });
  });
  await page.goto(`${base}/pois`, { waitUntil: "networkidle" });
  await page.locator("[data-idle]").first().waitFor({ timeout: 60_000 });
  const box = await page.locator(".maplibregl-canvas").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const cdp = await context.newCDPSession(page);

  for (const [name, act] of [
    ["dragged", () => drag(page, x, y)],
    ["zoomed in", () => zoom(page, x, y, -1, 3)],
    ["dragged from nearer", () => drag(page, x, y)],
    ["zoomed in on single points", () => zoom(page, x, y, -1, 6)],
    ["dragged among single points", () => drag(page, x, y)],
    ["rows of the list passed over", () => hover(page)],
    ["zoomed out", () => zoom(page, x, y, 1, 6)],
  ]) {
    const before = answered;
    const frames = framesOf(await traced(page, cdp, async () => {
      await act();
      await page.waitForTimeout(1500);
    }));
    const shown = await page.locator(".maplibregl-marker").count();
    const ours = frames.map(({ ours: ms }) => ms).toSorted((a, b) => a - b);
    const all = frames.map(({ all: ms }) => ms).toSorted((a, b) => a - b);
    const summary = (sorted) => `median ${ms(at(sorted, 0.5))}, 95 % ${ms(at(sorted, 0.95))}, worst ${ms(sorted.at(-1))}`;
    console.log(`${name} (${shown} marks then, ${answered - before} answers, ${frames.length} frames with script): our own ${summary(ours)}; with MapLibre ${summary(all)}`);
  }
} finally {
  await browser.close();
  server?.kill("SIGTERM");
  rmSync(work, { recursive: true, force: true });
}

function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
function ms(value) {
  return `${(value ?? 0).toFixed(1)} ms`;
}

async function drag(page, x, y) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  // There and half of the way back.
  for (let step = 1; step <= 60; step++) {
    const away = step <= 40 ? step : 80 - step;
    await page.mouse.move(x - away * 3, y - away * 2);
    await wait(16);
  }
  await page.mouse.up();
}

async function hover(page) {
  for (const row of (await page.locator("tbody tr").all()).slice(0, 8)) {
    await row.hover();
    await wait(100);
  }
}

async function zoom(page, x, y, way, notches) {
  await page.mouse.move(x, y);
  for (let notch = 0; notch < notches; notch++) {
    await page.mouse.wheel(0, way * 300);
    await wait(500);
  }
}

/** The events of the page's main thread while something is done. */
async function traced(page, cdp, act) {
  const events = [];
  const collect = ({ value }) => events.push(...value);
  cdp.on("Tracing.dataCollected", collect);
  await cdp.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["devtools.timeline", "disabled-by-default-devtools.timeline", "v8"] } });
  // What tracing itself costs at its beginning is not counted.
  await page.mouse.move(720, 20);
  await page.waitForTimeout(1000);
  await page.evaluate(() => console.timeStamp("begin"));
  await act();
  const done = new Promise((resolveDone) => cdp.once("Tracing.tracingComplete", resolveDone));
  await cdp.send("Tracing.end");
  await done;
  cdp.off("Tracing.dataCollected", collect);
  const begin = events.find(({ name, args }) => name === "TimeStamp" && args.data?.message === "begin");
  if (begin === undefined) throw new Error("the trace does not say when it began");
  return events.filter(({ pid, tid, ts }) => pid === begin.pid && tid === begin.tid && ts > begin.ts).sort((a, b) => a.ts - b.ts);
}

/** Script in each frame, by the processor time of the thread: calls that are not inside another, and the microtasks. */
function framesOf(events) {
  const starts = events.filter(({ name, ph }) => name === "AnimationFrame" && ph === "b").map(({ ts }) => ts);
  if (starts.length === 0) throw new Error("no frame in the trace");
  const frames = new Map();
  let frame = 0;
  let busyUntil = 0;
  for (const { name, ph, ts, dur = 0, tdur = 0, args } of events) {
    if (ph !== "X" || !/^(FunctionCall|EvaluateScript|RunMicrotasks)$/.test(name) || ts < Math.max(busyUntil, starts[0])) continue;
    busyUntil = ts + dur;
    while (frame + 1 < starts.length && starts[frame + 1] <= ts) frame += 1;
    const sums = frames.get(frame) ?? { ours: 0, all: 0 };
    sums.all += tdur / 1000;
    if (!/MapCanvas|maplibre/.test(args.data?.url ?? "")) sums.ours += tdur / 1000;
    frames.set(frame, sums);
  }
  return [...frames.values()];
}
