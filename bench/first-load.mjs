// Brotli bytes of script that a first load of each page asks for (the map's own chunk apart), from the built files; then
// of each settings screen what it asks for beyond what all of them share.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromiumPath } from "../scripts/chromium.mjs";
import { serverBinary, started } from "./server.mjs";

const root = resolve(import.meta.dirname, "..");
const { chromium } = createRequire(join(root, "web/package.json"))("@playwright/test");
const binary = serverBinary();
const port = process.env.PORT ?? "18443";
const work = mkdtempSync(join(tmpdir(), "jalon-bench-"));
const { execFileSync } = await import("node:child_process");
execFileSync(binary, ["demo", "--data", work], { stdio: "ignore" });
const server = spawn(binary, ["serve", "--data", work, "--port", port], { stdio: "ignore" });
const base = `http://localhost:${port}`;
await started(base, server);

const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
try {
  const context = await browser.newContext({ locale: "fr-FR", viewport: { width: 1440, height: 900 } });
  const signIn = async (email) => {
    const reply = await context.request.post(`${base}/api/v1/session`, {
      data: { email, password: process.env.BENCH_PASSWORD ?? "balise-jaune-2026" },
      headers: { origin: base },
    });
    if (!reply.ok()) throw new Error(`sign-in answered ${reply.status()}`);
  };
  const scriptsOf = async (path) => {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send("Network.enable");
    await cdp.send("Network.setCacheDisabled", { cacheDisabled: true });
    const scripts = new Map();
    cdp.on("Network.responseReceived", ({ requestId, response }) => scripts.set(requestId, { url: response.url, encoding: response.headers["content-encoding"] ?? response.headers["Content-Encoding"] ?? "none", bytes: 0 }));
    cdp.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
      const script = scripts.get(requestId);
      if (script) script.bytes += encodedDataLength; // of the body alone
    });
    await page.goto(base + path, { waitUntil: "networkidle" });
    await page.close();
    return [...scripts.values()].filter((script) => /\.m?js(\?|$)/.test(script.url));
  };
  const ofTheMap = (script) => /MapCanvas|maplibre|worker/i.test(script.url);
  const sum = (list) => list.reduce((total, script) => total + script.bytes, 0);
  for (const path of ["/login", "/parcours"]) {
    if (path !== "/login") await signIn("editeur@demo.jalon.example");
    const all = await scriptsOf(path);
    const map = all.filter(ofTheMap);
    console.log(`${path}: ${((sum(all) - sum(map)) / 1000).toFixed(1)} kB of script in ${all.length - map.length} files (${[...new Set(all.map((script) => script.encoding))].join(", ")}); the map apart: ${(sum(map) / 1000).toFixed(1)} kB`);
  }
  await signIn("superadmin@demo.jalon.example");
  const areas = ["structures", "contacts", "users", "marques-blanches", "itineraires", "balisages", "types-pratiques", "corbeille"];
  const screens = ["/settings", ...areas.flatMap((area) => (area === "corbeille" ? [`/settings/${area}`] : [`/settings/${area}`, `/settings/${area}/1`]))];
  const asked = new Map();
  for (const path of screens) asked.set(path, (await scriptsOf(path)).filter((script) => !ofTheMap(script)));
  const shared = (script) => [...asked.values()].every((scripts) => scripts.some(({ url }) => url === script.url));
  console.log(`shared by all settings screens: ${(sum(asked.get("/settings").filter(shared)) / 1000).toFixed(1)} kB`);
  for (const [path, scripts] of asked) console.log(`${path}: ${(sum(scripts.filter((script) => !shared(script))) / 1000).toFixed(1)} kB beyond it`);
} finally {
  await browser.close();
  server.kill("SIGTERM");
  rmSync(work, { recursive: true, force: true });
}
