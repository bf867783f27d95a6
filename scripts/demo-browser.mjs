// A server over the demo and a browser, for the scripts that take pictures.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromiumPath } from "./chromium.mjs";

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
      executablePath: chromiumPath(),
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

/** A campaign of surveys over three parcours, of which one was surveyed and one in part. Gives its number. */
export async function campaignMade(request, base) {
  const sent = async (verb, path, data) => (await request.fetch(`${base}/api/v1/${path}`, { method: verb, data, headers: { origin: base } })).json();
  const { items: people } = await sent("GET", "survey-campaigns/people");
  const { items } = await sent("GET", "parcours?owner=mine&progress=any&per_page=50&sort=title");
  const [first, second, third] = items.filter(({ distance_m: length }) => length > 4_000).map(({ id }) => id);
  const day = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const [one, other] = people.map(({ id }) => id);
  const stretches = [
    { parcours_id: first, user_id: one },
    { parcours_id: second },
    { parcours_id: third, from_m: 1_000, to_m: 3_500, user_id: other },
  ];
  const campaign = { name: "Récolement d’automne", instructions: "Balisage, passerelles, arbres tombés.", starts_on: day(-20), due_on: day(30), user_ids: [one, other], stretches };
  const { id } = await sent("POST", "survey-campaigns", campaign);
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  for (const survey of [{ parcours_id: first }, { parcours_id: second, from_m: 0, to_m: 2_600 }])
    await sent("PUT", `ground/entries/${crypto.randomUUID()}`, { kind: "survey", made_at: now, sent_at: now, language: "fr", ...survey });
  return id;
}

/** Waits until the maps of the page have drawn what they were given. */
export async function drawn(page) {
  // The line of a parcours is drawn before its map is there.
  await page.waitForFunction(() => document.querySelector("[data-line=true]") === null, null, { timeout: 20_000 }).catch(() => undefined);
  if ((await page.locator(".maplibregl-map").count()) === 0) return;
  await page.locator("[data-idle]").first().waitFor({ timeout: 20_000 }).catch(() => undefined);
  await wait(300);
}
