// Lighthouse on /login and /parcours: medians of RUNS (5), on the release build, over the demo.
// usage: node bench/lighthouse.mjs ; PRESET=desktop (default) or mobile; JALON_URL uses a server that runs already.
// Lighthouse is heavy and only measured with here: it is installed once into the user's cache, never with the app.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const root = resolve(import.meta.dirname, "..");
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "jalon/lighthouse");
const program = join(cache, "node_modules/.bin/lighthouse");
if (!existsSync(program)) {
  mkdirSync(cache, { recursive: true });
  execFileSync("npm", ["install", "--prefix", cache, "--no-audit", "--no-fund", "--loglevel=error", "lighthouse@12.8.2"], { stdio: "ignore" });
}
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const binary = process.env.JALON_BINARY ?? join(target, "release/jalon");
const runs = Number(process.env.RUNS ?? 5);
const preset = process.env.PRESET ?? "desktop";
const port = process.env.PORT ?? "18444";
const work = mkdtempSync(join(tmpdir(), "jalon-lighthouse-"));
let base = process.env.JALON_URL;
let server;
if (!base) {
  execFileSync(binary, ["demo", "--data", work], { stdio: "ignore" });
  server = spawn(binary, ["serve", "--data", work, "--port", port], { stdio: "ignore" });
  base = `http://localhost:${port}`;
  for (let attempt = 0; attempt < 200 && !(await fetch(`${base}/health`).catch(() => null))?.ok; attempt++) await wait(50);
}
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

try {
  const reply = await fetch(`${base}/api/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "editeur@demo.jalon.example", password: "balise-jaune-2026" }),
  });
  if (!reply.ok) throw new Error(`sign-in answered ${reply.status}`);
  const headers = join(work, "headers.json");
  writeFileSync(headers, JSON.stringify({ Cookie: reply.headers.get("set-cookie").split(";")[0] }));
  for (const path of ["/login", "/parcours"]) {
    const results = [];
    for (let run = 0; run < runs; run++) {
      const file = join(work, "report.json");
      const flags = [`--output-path=${file}`, "--output=json", "--quiet", "--only-categories=performance,accessibility"];
      if (preset === "desktop") flags.push("--preset=desktop");
      if (path !== "/login") flags.push(`--extra-headers=${headers}`);
      flags.push("--chrome-flags=--headless --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --disable-quic");
      execFileSync(program, [base + path, ...flags], { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, CHROME_PATH: process.env.CHROME ?? "/usr/bin/chromium" } });
      results.push(JSON.parse(readFileSync(file, "utf8")));
    }
    const score = (name) => median(results.map(({ categories }) => Math.round(categories[name].score * 100)));
    const ms = (name) => Math.round(median(results.map(({ audits }) => audits[name].numericValue)));
    const lacks = [...new Set(results.flatMap(({ categories, audits }) => categories.accessibility.auditRefs.filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1).map(({ id }) => id)))];
    console.log(`${path} (${preset}): performance ${score("performance")}, accessibility ${score("accessibility")}${lacks.length ? ` (${lacks.join(", ")})` : ""}; first contentful paint ${ms("first-contentful-paint")} ms, largest ${ms("largest-contentful-paint")} ms, blocking ${ms("total-blocking-time")} ms, shift ${median(results.map(({ audits }) => audits["cumulative-layout-shift"].numericValue)).toFixed(3)}`);
  }
} finally {
  server?.kill();
  rmSync(work, { recursive: true, force: true });
}
