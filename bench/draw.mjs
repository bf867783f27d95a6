// A file of POINTS points dropped on the editor: how long until it is read, measured and drawn on the map, until it is
// imported (planned and scored), and how long the page was deaf meanwhile. usage: node bench/draw.mjs [POINTS [TIMES]]
// JALON_URL uses a server that runs already; else the release binary serves a demo of its own.
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
const [points, times] = [Number(process.argv[2] ?? 199_999), Number(process.argv[3] ?? 3)];
const port = process.env.PORT ?? "18444";
const work = mkdtempSync(join(tmpdir(), "jalon-bench-"));
let base = process.env.JALON_URL;
let server;
if (!base) {
  const binary = serverBinary();
  execFileSync(binary, ["demo", "--data", join(work, "data")], { stdio: "ignore" });
  server = spawn(binary, ["serve", "--data", join(work, "data"), "--port", port], { stdio: "ignore" });
  base = `http://localhost:${port}`;
  await started(base, server);
}

/** In the page: long tasks, and the moment the map has drawn everything it was given. */
function watch() {
  const seen = { tasks: [], at: null };
  window.bench = {
    begin() {
      seen.tasks.length = 0;
      seen.at = null;
      return performance.now();
    },
    end: () => ({ at: seen.at, tasks: seen.tasks.map(Math.round) }),
  };
  new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask" });
  new MutationObserver((changes) => {
    if (changes.some(({ target }) => target.hasAttribute("data-idle"))) seen.at = performance.now();
  }).observe(document, { subtree: true, attributeFilter: ["data-idle"] });
}

const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
try {
  execFileSync("node", [join(root, "bench/make-gpx.mjs"), join(work, "gpx"), "1", String(points)]);
  const context = await browser.newContext({ locale: "fr-FR", viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  const origin = { origin: base };
  const signed = await context.request.post(`${base}/api/v1/session`, { data: { email: "editeur@demo.jalon.example", password: process.env.BENCH_PASSWORD ?? "balise-jaune-2026" }, headers: origin });
  if (!signed.ok()) throw new Error(`sign-in answered ${signed.status()}`);
  await context.addInitScript(watch);
  const runs = [];
  for (let run = 0; run < times; run++) {
    const made = await (await context.request.post(`${base}/api/v1/parcours`, { data: { title: { fr: `Mesure ${run}` } }, headers: origin })).json();
    const page = await context.newPage();
    await page.goto(`${base}/parcours/${made.id}/edit-trace`, { waitUntil: "networkidle" });
    await wait(2500);
    const answers = async () => {
      const before = Date.now();
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));
      return Date.now() - before;
    };
    // The map is still when it has drawn what it was given; half a second without more is the end.
    const settled = async () => {
      await page.locator(".maplibregl-map").first().waitFor();
      await page.waitForFunction(() => performance.now() - (window.bench.end().at ?? Infinity) > 500, undefined, { polling: 50, timeout: 120_000 });
      return page.evaluate(() => window.bench.end());
    };
    const begun = await page.evaluate(() => window.bench.begin());
    await page.locator("input[type=file]").setInputFiles(join(work, "gpx/00000.gpx"));
    const go = page.getByRole("button", { name: "Importer ce tracé" });
    await go.waitFor({ timeout: 120_000 });
    const measuredMs = (await page.evaluate(() => performance.now())) - begun;
    const drawn = await settled();
    const afterDrop = await answers();
    const pressed = await page.evaluate(() => window.bench.begin());
    await go.click();
    await page.getByRole("dialog").waitFor({ state: "detached", timeout: 120_000 });
    const planned = await settled();
    const afterImport = await answers();
    runs.push({ measuredMs, drawn: drawn.at - begun, longest: Math.max(0, ...drawn.tasks), planned: planned.at - pressed, longestPlanned: Math.max(0, ...planned.tasks), afterDrop, afterImport });
    console.log(JSON.stringify({ ...runs.at(-1), tasks: drawn.tasks, tasksImport: planned.tasks }));
    await page.close();
  }
  const of = (key) => Math.round(median(runs.map((run) => run[key])));
  console.log(`${points} points, median of ${times}: figures shown after ${of("measuredMs")} ms, line on the map after ${of("drawn")} ms (longest task ${of("longest")} ms, then answers in ${of("afterDrop")} ms); imported and planned ${of("planned")} ms after the press (longest task ${of("longestPlanned")} ms, then answers in ${of("afterImport")} ms)`);
} finally {
  await browser.close();
  server?.kill("SIGTERM");
  rmSync(work, { recursive: true, force: true });
}
