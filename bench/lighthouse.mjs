// Lighthouse on /login, /parcours and a public page (all four categories there): medians of RUNS (5), on the release build, over the demo.
// usage: node bench/lighthouse.mjs [PATH …] ; `public` stands for the public page the sitemap names first; PRESET=desktop (default) or mobile; JALON_URL uses a server that runs already.
// Lighthouse is heavy and only measured with here: it is installed once into the user's cache, never with the app.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { chromiumPath } from "../scripts/chromium.mjs";
import { serverBinary, signedIn, started } from "./server.mjs";

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "jalon/lighthouse");
const program = join(cache, "node_modules/.bin/lighthouse");
if (!existsSync(program)) {
  mkdirSync(cache, { recursive: true });
  execFileSync("npm", ["install", "--prefix", cache, "--no-audit", "--no-fund", "--loglevel=error", "lighthouse@12.8.2"], { stdio: "ignore" });
}
const runs = Number(process.env.RUNS ?? 5);
const preset = process.env.PRESET ?? "desktop";
const port = process.env.PORT ?? "18444";
const work = mkdtempSync(join(tmpdir(), "jalon-lighthouse-"));
let base = process.env.JALON_URL;
let server;
if (!base) {
  const binary = serverBinary();
  execFileSync(binary, ["demo", "--data", work], { stdio: "ignore" });
  server = spawn(binary, ["serve", "--data", work, "--port", port], { stdio: "ignore" });
  base = `http://localhost:${port}`;
  await started(base, server);
}
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

try {
  const headers = join(work, "headers.json");
  writeFileSync(headers, JSON.stringify(await signedIn(base, "editeur@demo.jalon.example")));
  const sitemap = await (await fetch(`${base}/sitemap.xml`)).text();
  const publicPage = /<loc>[^<]*?(\/p\/[^<]+)<\/loc>/.exec(sitemap)?.[1] ?? "/p/none-0";
  const asked = process.argv.length > 2 ? process.argv.slice(2) : ["/login", "/parcours", "public"];
  for (const path of asked.map((path) => (path === "public" ? publicPage : path))) {
    const results = [];
    const isPublic = /^(\/en)?\/p\//.test(path);
    const categories = ["performance", "accessibility", ...(isPublic ? ["best-practices", "seo"] : [])];
    for (let run = 0; run < runs; run++) {
      const file = join(work, "report.json");
      const flags = [`--output-path=${file}`, "--output=json", "--quiet", `--only-categories=${categories}`];
      if (preset === "desktop") flags.push("--preset=desktop");
      if (path !== "/login" && !isPublic) flags.push(`--extra-headers=${headers}`);
      flags.push("--chrome-flags=--headless --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --disable-quic");
      execFileSync(program, [base + path, ...flags], { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, CHROME_PATH: chromiumPath() } });
      results.push(JSON.parse(readFileSync(file, "utf8")));
    }
    const score = (name) => median(results.map(({ categories }) => Math.round(categories[name].score * 100)));
    const ms = (name) => Math.round(median(results.map(({ audits }) => audits[name].numericValue)));
    const judged = Object.values(results[0].categories).filter(({ id }) => id !== "performance");
    const lacks = [...new Set(results.flatMap(({ categories, audits }) => judged.flatMap(({ id }) => categories[id].auditRefs).filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1).map(({ id }) => id)))];
    console.log(`${path} (${preset}): ${categories.map((name) => `${name} ${score(name)}`).join(", ")}${lacks.length ? ` (${lacks.join(", ")})` : ""}; first contentful paint ${ms("first-contentful-paint")} ms, largest ${ms("largest-contentful-paint")} ms, blocking ${ms("total-blocking-time")} ms, shift ${median(results.map(({ audits }) => audits["cumulative-layout-shift"].numericValue)).toFixed(3)}`);
  }
} finally {
  server?.kill();
  rmSync(work, { recursive: true, force: true });
}
