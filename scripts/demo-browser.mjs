// A server over the demo and a browser, for the scripts that take pictures.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

export const root = resolve(import.meta.dirname, "..");
export const require = createRequire(join(root, "web/package.json"));
const { chromium } = require("@playwright/test");

const account = { email: "superadmin@demo.jalon.example", password: "balise-jaune-2026" };

/** Runs `work({ base, browser, data })` over a new demo served on `port` with these settings; JALON_URL uses a server that runs
 * already, over the data of JALON_DATA. */
export async function withDemo(port, work, settings = {}) {
  const data = mkdtempSync(join(tmpdir(), "jalon-pictures-"));
  let base = process.env.JALON_URL;
  let server;
  let browser;
  try {
    if (!base) {
      const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
      const binary = process.env.JALON_BINARY ?? join(target, "debug/jalon");
      if (!process.env.JALON_BINARY) execFileSync("make", ["--no-print-directory", "web", "server"], { cwd: root, stdio: "inherit" });
      execFileSync(binary, ["demo", "--data", data], { stdio: "ignore" });
      server = spawn(binary, ["serve", "--data", data, "--port", String(port)], { env: { ...process.env, ...settings }, stdio: "ignore" });
      base = `http://localhost:${port}`;
      for (let attempt = 0; attempt < 200 && !(await fetch(`${base}/health`).catch(() => null))?.ok; attempt++) await wait(50);
    }
    browser = await chromium.launch({
      executablePath: process.env.CHROME ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    await work({ base, browser, data: process.env.JALON_DATA ?? data });
  } finally {
    await browser?.close();
    server?.kill("SIGTERM");
    rmSync(data, { recursive: true, force: true });
  }
}

/** Opens a session of the demo's superadministrator in a browser context. */
export async function signIn(context, base) {
  await context.request.post(`${base}/api/v1/session`, { data: account, headers: { origin: base } });
}

/** Waits until the maps of the page have drawn what they were given. */
export async function drawn(page) {
  // The line of a parcours is drawn before its map is there.
  await page.waitForFunction(() => document.querySelector("[data-line=true]") === null, null, { timeout: 20_000 }).catch(() => undefined);
  if ((await page.locator(".maplibregl-map").count()) === 0) return;
  await page.locator("[data-idle]").first().waitFor({ timeout: 20_000 }).catch(() => undefined);
  await wait(300);
}
