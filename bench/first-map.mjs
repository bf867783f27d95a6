// The first map of a page, opened by its address with an empty cache: when document, scripts, answers, style and tiles have come, when
// the line is seen, and when the map has drawn everything (its own idle mark, `data-idle`). Medians over RUNS.
// usage: node bench/first-map.mjs [RUNS [URL …]]: several URLs (two builds served side by side, on the same demo) are opened in turn.
// Without a URL the release binary serves a demo of its own. PAGES=sheet,list,editor,public; WIDTH=390 for a phone; CPU=6 slows the processor.
import { execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromiumPath } from "../scripts/chromium.mjs";
import { serverBinary, started } from "./server.mjs";

const root = resolve(import.meta.dirname, "..");
const { chromium } = createRequire(join(root, "web/package.json"))("@playwright/test");
const runs = Number(process.argv[2] ?? 7);
let bases = process.argv.slice(3);
const wanted = (process.env.PAGES ?? "sheet,list,editor,public").split(",");
const width = Number(process.env.WIDTH ?? 1440);
const slower = Number(process.env.CPU ?? 1);
const work = mkdtempSync(join(tmpdir(), "jalon-first-map-"));
let server;
if (bases.length === 0) {
  const binary = serverBinary();
  const port = process.env.PORT ?? "18452";
  execFileSync(binary, ["demo", "--data", work], { stdio: "ignore" });
  server = spawn(binary, ["serve", "--data", work, "--port", port], { stdio: "ignore" });
  bases = [`http://localhost:${port}`];
  await started(bases[0], server);
}

/** In the page: when the line is first in the document and painted, and when the map was idle for good (it is idle on its plain ground too). */
function watch() {
  const seen = { line: null, idle: null, shift: 0 };
  window.firstMap = seen;
  const look = () => {
    if (seen.line === null && document.querySelector("[data-line], #map > .shape") !== null) {
      seen.line = Infinity;
      // A task after the frame: what was put into the document has been painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => (seen.line = performance.now());
        port2.postMessage(null);
      });
    }
    if (document.querySelector("[data-idle]") === null) seen.idle = null;
    else seen.idle ??= performance.now();
  };
  // The map of the public page is fetched when it is seen.
  document.addEventListener("DOMContentLoaded", () => document.getElementById("map")?.scrollIntoView({ block: "center" }));
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributeFilter: ["data-idle", "data-line"] });
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => (seen.shift += entry.hadRecentInput ? 0 : entry.value))).observe({ type: "layout-shift", buffered: true });
}

/** In the page: when each part had come, in milliseconds after the address was opened. */
function marks() {
  const entries = performance.getEntriesByType("resource");
  const of = (pattern, last = false) => {
    const found = entries.filter(({ name }) => pattern.test(name));
    if (found.length === 0) return null;
    return last ? Math.max(...found.map(({ responseEnd }) => responseEnd)) : Math.min(...found.map(({ responseEnd }) => responseEnd));
  };
  const asked = (pattern) => entries.find(({ name }) => pattern.test(name))?.startTime ?? null;
  return {
    document: performance.getEntriesByType("navigation")[0].responseEnd,
    script: of(/(base|page)[^/]*\.js/),
    session: of(/\/api\/v1\/session$/),
    record: of(/\/api\/v1\/parcours(\/\d+)?(\?|$)/),
    trace: of(/\/api\/v1\/parcours\/(\d+\/trace|map)(\?|$)/),
    "map script": of(/(maplibre|engine|MapCanvas)[^/]*\.m?js/),
    "style asked": asked(/\/map\/style-/),
    style: of(/\/map\/style-/),
    "first tile": of(/\/map\/tiles\//),
    "last tile": of(/\/map\/(tiles|relief|glyphs|sprite)/, true),
    "first paint": performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null,
    line: window.firstMap.line,
    idle: window.firstMap.idle,
    shift: window.firstMap.shift,
  };
}

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
try {
  const states = new Map();
  for (const base of bases) {
    const context = await browser.newContext();
    const reply = await context.request.post(`${base}/api/v1/session`, { data: { email: "editeur@demo.jalon.example", password: process.env.BENCH_PASSWORD ?? "balise-jaune-2026" }, headers: { origin: base } });
    if (!reply.ok()) throw new Error(`sign-in answered ${reply.status()}`);
    const { items } = await (await context.request.get(`${base}/api/v1/parcours?sort=title&per_page=50`)).json();
    const { id } = items.find(({ distance_m, mine }) => mine && distance_m > 5000) ?? items[0];
    const sitemap = await (await context.request.get(`${base}/sitemap.xml`)).text();
    const shown = /<loc>[^<]*?(\/p\/[^<]+)<\/loc>/.exec(sitemap)?.[1];
    states.set(base, { storage: await context.storageState(), paths: { sheet: `/parcours/${id}`, list: "/parcours", editor: `/parcours/${id}/edit-trace`, public: shown } });
    await context.close();
  }
  for (const name of wanted) {
    const taken = new Map(bases.map((base) => [base, []]));
    for (let run = 0; run < runs; run++) {
      for (const base of run % 2 === 0 ? bases : bases.toReversed()) {
        const { storage, paths } = states.get(base);
        const context = await browser.newContext({ storageState: storage, locale: "fr-FR", viewport: { width, height: 900 } });
        const page = await context.newPage();
        await page.addInitScript(watch);
        if (slower > 1) await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: slower });
        await page.goto(base + paths[name], { waitUntil: "commit" });
        await page.waitForFunction(() => window.firstMap?.idle != null && performance.now() - window.firstMap.idle > 1500 && performance.getEntriesByType("resource").some(({ name }) => name.includes("/map/style-")), undefined, { polling: 100, timeout: 60_000 });
        taken.get(base).push(await page.evaluate(marks));
        await context.close();
      }
    }
    for (const [base, all] of taken) {
      const text = Object.keys(all[0]).flatMap((key) => {
        const values = all.map((one) => one[key]).filter((value) => value !== null && Number.isFinite(value));
        if (values.length === 0) return [];
        return [`${key} ${key === "shift" ? median(values).toFixed(4) : Math.round(median(values))}`];
      });
      const idle = all.map((one) => one.idle).toSorted((a, b) => a - b);
      const first = (values) => values.toSorted((a, b) => a - b)[0];
      console.log(`${name}${bases.length > 1 ? ` (${base})` : ""}, median of ${all.length}, ms: ${text.join(", ")} (idle ${Math.round(idle[0])} to ${Math.round(idle.at(-1))}; line from ${Math.round(first(all.map(({ line }) => line ?? NaN)))})`);
    }
  }
} finally {
  await browser.close();
  server?.kill("SIGTERM");
  rmSync(work, { recursive: true, force: true });
}
