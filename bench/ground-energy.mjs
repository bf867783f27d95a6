// What an hour of `/terrain` costs a device: processor time and wake-ups of the browser's processes while a parcours that was taken along is on a
// screen of 390 px and a position comes each second. No battery is measured: on the same device less processor time and fewer wake-ups are less
// energy, and that is all that the figures say.
// usage: node bench/ground-energy.mjs [MINUTES [SITUATION …]]: minutes for each situation (5), and words of their names (all).
//        JALON_URL uses a server that runs already, JALON_BINARY names the binary; CHROME names the browser.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromiumPath } from "../scripts/chromium.mjs";
import { require, signIn, withDemo } from "../scripts/demo-browser.mjs";
const { chromium } = require("@playwright/test");

const minutes = Number(process.argv[2] ?? 5);
const wanted = process.argv.slice(3);
const title = "Gravel des trois bourgs";
/** A person who walks, metres a second. */
const PACE = 1.2;
/** The time that a page has after it was opened before it is measured, seconds. */
const SETTLE_S = 15;

/** In the page: what ran since it was opened. */
function count() {
  const ran = { frames: 0, timers: 0, positions: 0, hidden: false };
  window.ran = ran;
  const wrap = (name, counted) => {
    const real = window[name];
    window[name] = (act, ...rest) => real.call(window, typeof act === "function" ? (...args) => ((ran[counted] += 1), act(...args)) : act, ...rest);
  };
  wrap("requestAnimationFrame", "frames");
  wrap("setTimeout", "timers");
  wrap("setInterval", "timers");
  const watch = navigator.geolocation.watchPosition.bind(navigator.geolocation);
  navigator.geolocation.watchPosition = (found, ...rest) => watch((...args) => ((ran.positions += 1), found(...args)), ...rest);
}

const button = (page, name) => page.getByRole("button", { name, exact: true });
const opened = async (page, { base, id }) => {
  await page.goto(`${base}/terrain/parcours/${id}`);
  await page.locator(".map[data-idle]").waitFor({ timeout: 60_000 });
  await page.locator(".facts").waitFor();
};
/** The window is minimised: to the page its screen is off. */
const hide = async (page) => {
  const cdp = await page.context().newCDPSession(page);
  const { windowId } = await cdp.send("Browser.getWindowForTarget");
  await cdp.send("Browser.setWindowBounds", { windowId, bounds: { windowState: "minimized" } });
  await page.waitForFunction(() => document.visibilityState === "hidden", null, { polling: 200, timeout: 10_000 });
};

const situations = {
  "an empty page": { moves: false, open: (page, { base }) => page.goto(`${base}/health`) },
  "an empty page that asks for positions": {
    moves: true,
    open: async (page, { base }) => {
      await page.goto(`${base}/health`);
      await page.evaluate(() => navigator.geolocation.watchPosition(() => undefined, undefined, { enableHighAccuracy: true }));
    },
  },
  "in the hand, no position comes": { moves: false, open: opened },
  "in the hand, walking": { moves: true, open: opened },
  "following, map shown": {
    moves: true,
    open: async (page, at) => {
      await opened(page, at);
      await button(page, "Suivre le tracé").click();
    },
  },
  "following, screen off": {
    moves: true,
    open: async (page, at) => {
      await opened(page, at);
      await button(page, "Suivre le tracé").click();
      await hide(page);
    },
  },
  "recording the way": {
    moves: true,
    open: async (page, at) => {
      await opened(page, at);
      await button(page, "Chemin").click();
    },
    close: async (page) => {
      await button(page, "Abandonner").click();
      await button(page, "Abandonner").click();
    },
  },
};

/** Times that the threads of a process went to sleep and were woken. */
const wakeUps = (pid) =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    try {
      return sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8"))?.[1] ?? 0);
    } catch {
      return sum;
    }
  }, 0);

async function measured(browserCdp, cdp, page) {
  const { processInfo } = await browserCdp.send("SystemInfo.getProcessInfo");
  const { metrics } = await cdp.send("Performance.getMetrics");
  const metric = (name) => metrics.find((one) => one.name === name)?.value ?? 0;
  return {
    at: performance.now() / 1000,
    processes: new Map(processInfo.map(({ id, type, cpuTime }) => [id, { type, cpuTime, woken: wakeUps(id) }])),
    task: metric("TaskDuration"),
    script: metric("ScriptDuration"),
    ran: await page.evaluate(() => ({ ...window.ran, hidden: document.visibilityState === "hidden" })),
  };
}

/** A browser as a person has it: a driver's own pages count as shown even where their window is minimised. */
async function withBrowser(work) {
  const profile = mkdtempSync(join(tmpdir(), "jalon-energy-"));
  const args = ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const own = spawn(chromiumPath(), [...args, `--user-data-dir=${profile}`, "--remote-debugging-port=0", "--window-size=390,844", "about:blank"], { stdio: "ignore" });
  try {
    const port = join(profile, "DevToolsActivePort");
    for (let attempt = 0; attempt < 200 && !existsSync(port); attempt++) await wait(50);
    await wait(200);
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${readFileSync(port, "utf8").split("\n")[0]}`, { noDefaults: true });
    await work(browser);
    await browser.close();
  } finally {
    own.kill("SIGTERM");
    await wait(1000);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

await withDemo(18457, ({ base }) => withBrowser(async (browser) => {
  const context = browser.contexts()[0];
  await context.grantPermissions(["geolocation"], { origin: base });
  await context.addCookies([{ name: "locale", value: "fr", url: base }]);
  await signIn(context, base);
  const { items } = await (await context.request.get(`${base}/api/v1/parcours?owner=mine&search=${encodeURIComponent(title)}`)).json();
  const id = items[0].id;
  const { line } = await (await context.request.get(`${base}/api/v1/parcours/${id}/trace`)).json();
  const walk = walker(line);
  await context.setGeolocation(walk(0));
  await context.addInitScript(count);
  const taking = await context.newPage();
  await taking.goto(`${base}/terrain/emporter`);
  await taking.getByRole("searchbox").fill(title);
  await taking.waitForFunction(() => document.querySelectorAll("input[type=checkbox]").length === 1);
  await taking.getByRole("checkbox").check();
  await button(taking, "Emporter 1 parcours").click();
  await taking.getByText("est sur l’appareil").waitFor({ timeout: 120_000 });
  await taking.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await taking.close();
  const browserCdp = await browser.newBrowserCDPSession();

  console.log(`${minutes} min each; for an hour: processor time in seconds (page, drawing, browser and network), wake-ups of all their threads, and what ran in the page`);
  for (const [name, { moves, open, close }] of Object.entries(situations)) {
    if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 1, mobile: true });
    await context.setGeolocation(walk(0));
    await open(page, { base, id });
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    let second = 0;
    const play = async (seconds) => {
      const begun = performance.now();
      for (let one = 1; one <= seconds; one++) {
        second += 1;
        if (moves) await context.setGeolocation(walk(second));
        await wait(Math.max(0, begun + one * 1000 - performance.now()));
      }
    };
    await play(SETTLE_S);
    const before = await measured(browserCdp, cdp, page);
    await play(minutes * 60);
    const after = await measured(browserCdp, cdp, page);
    report(name, before, after);
    await close?.(page);
    await page.close();
    // The process of the page ends.
    await wait(1000);
  }
}));

function report(name, before, after) {
  const hours = (after.at - before.at) / 3600;
  const sums = { renderer: [0, 0], GPU: [0, 0], browser: [0, 0] };
  for (const [pid, { type, cpuTime, woken }] of after.processes) {
    const was = before.processes.get(pid) ?? { cpuTime: 0, woken: 0 };
    const sum = sums[type] ?? sums.browser;
    sum[0] += cpuTime - was.cpuTime;
    sum[1] += woken - was.woken;
  }
  const each = (value) => Math.round(value / hours).toLocaleString("en");
  const all = Object.values(sums).reduce(([cpu, woken], [one, other]) => [cpu + one, woken + other], [0, 0]);
  const ran = (what) => each(after.ran[what] - before.ran[what]);
  console.log(
    `${name}${after.ran.hidden ? " (hidden)" : ""}: ${each(all[0])} s (page ${each(sums.renderer[0])}, drawing ${each(sums.GPU[0])}, browser ${each(sums.browser[0])}); ` +
      `main thread ${each(after.task - before.task)} s, of it script ${each(after.script - before.script)} s; ` +
      `woken ${each(all[1])} times; frames ${ran("frames")}, timers ${ran("timers")}, positions ${ran("positions")}`,
  );
}

/** Where the person is on the line, by the seconds since the departure. */
function walker(line) {
  const degree = 111_195;
  const along = [0];
  for (let index = 1; index < line.length; index++) {
    const [[lon, lat], [west, south]] = [line[index], line[index - 1]];
    along.push(along[index - 1] + Math.hypot((lon - west) * degree * Math.cos((lat * Math.PI) / 180), (lat - south) * degree));
  }
  return (second) => {
    const at = (second * PACE) % along.at(-1);
    const next = Math.max(1, along.findIndex((metres) => metres > at));
    const share = (at - along[next - 1]) / (along[next] - along[next - 1]);
    const [from, to] = [line[next - 1], line[next]];
    // The device is a metre or two beside, as a phone is.
    const drift = Math.sin(second) * 1.5e-5;
    return { longitude: from[0] + (to[0] - from[0]) * share, latitude: from[1] + (to[1] - from[1]) * share + drift, accuracy: 6 };
  };
}
