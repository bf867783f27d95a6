// Interaction to next paint (Event Timing, as browsers report it) on a page of 100 rows of the list of parcours, with the processor slowed
// CPU (6) times: rows are ticked, all of them, a row's menu is opened and closed, filters and columns are opened, words are typed, pages turned.
// The worst of each kind over RUNS, and the worst of all, which is the page's interaction to next paint.
// On a machine with other work the processor time of the page's main thread for each act says more than the clock: it is printed too.
// usage: node bench/interaction.mjs [RUNS [URL …]]: several URLs (two builds served side by side) are measured in turn.
import { execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromiumPath } from "../scripts/chromium.mjs";
import { serverBinary, started } from "./server.mjs";

const root = resolve(import.meta.dirname, "..");
const { chromium } = createRequire(join(root, "web/package.json"))("@playwright/test");
const runs = Number(process.argv[2] ?? 5);
let bases = process.argv.slice(3);
const slower = Number(process.env.CPU ?? 6);
const work = mkdtempSync(join(tmpdir(), "jalon-interaction-"));
let server;
if (bases.length === 0) {
  const binary = serverBinary();
  const port = process.env.PORT ?? "18453";
  execFileSync(binary, ["demo", "--data", work, "--parcours", "400"], { stdio: "ignore" });
  server = spawn(binary, ["serve", "--data", work, "--port", port], { stdio: "ignore" });
  bases = [`http://localhost:${port}`];
  await started(bases[0], server);
}

/** In the page: each interaction's longest event, from the press to the paint that shows what it did. */
function watch() {
  const seen = new Map();
  window.interactions = { take: () => { const all = [...seen.values()]; seen.clear(); return all; } };
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, name, processingStart, processingEnd, startTime } of list.getEntries()) {
      if (!interactionId) continue;
      const before = seen.get(interactionId);
      if (before === undefined || before.duration < duration) seen.set(interactionId, { duration, name, waited: processingStart - startTime, worked: processingEnd - processingStart });
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
}

const acts = {
  "a row ticked": async (page) => {
    for (const index of [2, 3, 4]) await page.locator("tbody input[type=checkbox]").nth(index).click();
  },
  "all ticked and unticked": async (page) => {
    const all = page.locator("thead input[type=checkbox]");
    await all.click();
    await page.waitForTimeout(600);
    await all.click();
  },
  "a row's menu": async (page) => {
    for (const index of [1, 5]) {
      await page.locator("tbody [aria-haspopup=menu]").nth(index).click();
      await page.getByRole("menu").waitFor();
      await page.waitForTimeout(600);
      await page.keyboard.press("Escape");
      await page.waitForTimeout(600);
    }
  },
  "filters opened": async (page) => {
    await page.getByRole("search").getByRole("button", { name: "Filtrer" }).click();
    await page.waitForTimeout(900);
    await page.keyboard.press("Escape");
  },
  "columns opened": async (page) => {
    await page.getByRole("button", { name: "Colonnes" }).click();
    await page.waitForTimeout(900);
    await page.keyboard.press("Escape");
  },
  "words typed": async (page) => {
    await page.getByRole("searchbox").first().click();
    await page.keyboard.type("tour", { delay: 150 });
    await page.waitForTimeout(1200);
    for (let n = 0; n < 4; n++) await page.keyboard.press("Backspace", { delay: 80 });
    await page.waitForTimeout(1200);
  },
  "another order": async (page) => {
    await page.locator("thead button").first().click();
  },
};

const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
try {
  const taken = new Map(bases.map((base) => [base, new Map()]));
  const times = new Map(bases.map((base) => [base, new Map()]));
  for (let run = 0; run < runs; run++) {
    for (const base of run % 2 === 0 ? bases : bases.toReversed()) {
      const context = await browser.newContext({ locale: "fr-FR", viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
      const reply = await context.request.post(`${base}/api/v1/session`, { data: { email: "editeur@demo.jalon.example", password: process.env.BENCH_PASSWORD ?? "balise-jaune-2026" }, headers: { origin: base } });
      if (!reply.ok()) throw new Error(`sign-in answered ${reply.status()}`);
      const page = await context.newPage();
      await page.addInitScript(watch);
      await page.goto(`${base}/parcours?per_page=100&progress=any`, { waitUntil: "networkidle" });
      await page.locator("tbody tr").nth(99).waitFor();
      await page.waitForTimeout(1500);
      // Menus and dialogs are fetched at the first movement.
      await page.mouse.move(600, 400);
      await page.waitForTimeout(800);
      const cdp = await context.newCDPSession(page);
      await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
      const worked = async () => (await cdp.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
      await cdp.send("Emulation.setCPUThrottlingRate", { rate: slower });
      for (const [name, act] of Object.entries(acts)) {
        await page.evaluate(() => window.interactions.take());
        const before = await worked();
        await act(page);
        await page.waitForTimeout(1500);
        const ms = (await worked()) - before;
        times.get(base).set(name, [...(times.get(base).get(name) ?? []), ms]);
        const list = await page.evaluate(() => window.interactions.take());
        const all = taken.get(base);
        all.set(name, [...(all.get(name) ?? []), ...list]);
      }
      await context.close();
    }
  }
  for (const [base, kinds] of taken) {
    const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
    const worst = (list) => Math.max(0, ...list.map(({ duration }) => duration));
    for (const [name, list] of kinds) {
      const slowest = list.toSorted((a, b) => b.duration - a.duration)[0];
      console.log(`${base} ${name}: median ${median(list.map(({ duration }) => duration))} ms, worst ${worst(list)} ms of ${list.length}${slowest ? ` (${slowest.name}: waited ${Math.round(slowest.waited)}, worked ${Math.round(slowest.worked)})` : ""}; processor time of the act ${Math.round(median(times.get(base).get(name)))} ms`);
    }
    console.log(`${base}: interaction to next paint ${worst([...kinds.values()].flat())} ms with the processor slowed ${slower} times`);
  }
} finally {
  await browser.close();
  server?.kill("SIGTERM");
  rmSync(work, { recursive: true, force: true });
}
