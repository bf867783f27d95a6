// Route imports: a stub that serves so many treks of the real sample's shape (its first trek, a line of 120 points of its own), a first
// run, a run killed (-9) in the middle and gone on with, a second run with nothing changed; how fast, how much memory, nothing twice.
// node bench/imports.mjs [treks]; JALON_DATABASE_URL chooses the database, JALON_SHARED the samples.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const count = Number(process.argv[2] ?? 10_000);
const root = resolve(import.meta.dirname, "..");
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const binary = process.env.JALON_BINARY ?? [join(target, "release/jalon"), join(target, "debug/jalon")].find((path) => existsSync(path));
const samples = join(process.env.JALON_SHARED ?? join(root, "../shared"), "data/imports/geotrek-v2");
const port = process.env.PORT ?? "18449";
const base = `http://127.0.0.1:${port}`;
const work = mkdtempSync(join(tmpdir(), "jalon-bench-"));

const sample = JSON.parse(readFileSync(join(samples, "trek.json"), "utf8")).results[0];
const uuid = (number) => `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`;
function trek(number) {
  const [west, south] = [(number % 100) * 0.05, 42 + Math.floor(number / 100) * 0.03];
  const coordinates = Array.from({ length: 120 }, (_, at) => [west + at * 0.0003, south + Math.sin(at / 9) * 0.002, 500 + at]);
  return { ...sample, id: number, uuid: uuid(number), name: { fr: `Boucle ${number}`, en: `Loop ${number}` }, attachments: [], points_reference: null, geometry: { type: "LineString", coordinates } };
}
const stub = createServer((request, reply) => {
  const { pathname, searchParams: asked } = new URL(request.url, "http://stub");
  const [page, size] = [Number(asked.get("page") ?? 1), Number(asked.get("page_size") ?? 10)];
  const list = pathname.split("/").at(-2);
  reply.setHeader("content-type", "application/json");
  if (list !== "trek") {
    const file = join(samples, `${{ theme: "trek_theme", label: "trek_label" }[list] ?? list}.json`);
    return existsSync(file) ? reply.end(readFileSync(file)) : reply.writeHead(404).end();
  }
  // A real server that is asked for what changed since a day, where nothing did.
  const all = asked.has("updated_after") ? 0 : count;
  const numbers = Array.from({ length: Math.max(0, Math.min(size, all - (page - 1) * size)) }, (_, at) => (page - 1) * size + at + 1);
  const results = numbers.map((number) => (asked.has("fields") ? { uuid: uuid(number), id: number } : trek(number)));
  return reply.end(JSON.stringify({ count: all, next: page * size < all ? `?page=${page + 1}` : null, previous: null, results }));
});

let server;
async function start() {
  const env = { ...process.env, JALON_IMPORTS__PRIVATE_ADDRESSES: "true", JALON_IMPORTS__PAUSE_MS: process.env.PAUSE_MS ?? "0" };
  server = spawn(binary, ["serve", "--data", work, "--port", port], { stdio: "ignore", env });
  for (let attempt = 0; attempt < 400; attempt++) {
    if ((await fetch(`${base}/health`).catch(() => null))?.ok) return;
    await wait(50);
  }
  throw new Error("the server does not answer");
}
const memoryMb = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]) / 1024);

let cookie = "";
async function call(method, path, body) {
  const headers = { cookie, origin: base, ...(body ? { "content-type": "application/json" } : {}) };
  const reply = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  cookie ||= reply.headers.get("set-cookie")?.split(";")[0] ?? "";
  return reply.status === 204 ? null : reply.json();
}
async function ended(run, until = () => false) {
  for (;;) {
    const now = await call("GET", `/api/v1/import-runs/${run.id}`);
    if (now.state !== "running" || until(now)) return now;
    await wait(100);
  }
}
const seconds = (from) => Number(((performance.now() - from) / 1000).toFixed(1));

try {
  await once(stub.listen(0, "127.0.0.1"), "listening");
  execFileSync(binary, ["demo", "--people-only", "--data", work], { stdio: "ignore" });
  await start();
  await call("POST", "/api/v1/session", { email: "editeur@demo.jalon.example", password: "balise-jaune-2026" });
  const source = await call("POST", "/api/v1/import-sources", { name: "Le parc", kind: "geotrek", url: `http://127.0.0.1:${stub.address().port}/` });
  const runs = `/api/v1/import-sources/${source.id}/runs`;
  const idleMb = memoryMb("VmRSS");

  let from = performance.now();
  const run = await call("POST", runs, {});
  const half = await ended(run, ({ done }) => done >= count / 2);
  const firstS = seconds(from);
  const gone = once(server, "exit");
  server.kill("SIGKILL");
  await gone;
  await start();
  from = performance.now();
  const done = await ended(run);
  const restS = seconds(from);
  const peakMb = memoryMb("VmHWM");
  const rate = Math.round((done.done - half.done) / restS);
  console.log(`first run: ${half.done} in ${firstS} s, killed, the rest in ${restS} s (${rate} a second); ${JSON.stringify(done.counts)}, ${done.state}`);
  console.log(`memory: ${idleMb} MB idle, ${peakMb} MB at most while importing`);

  const list = await call("GET", "/api/v1/parcours?search=Boucle&per_page=1");
  console.log(`here: ${list.total}${list.total_capped ? "+" : ""} of ${count}`);
  if (done.counts.created !== count || done.counts.refused !== 0) throw new Error("a gap, or a double");

  from = performance.now();
  const again = await ended(await call("POST", runs, {}));
  const againS = seconds(from);
  const whole = firstS + restS;
  console.log(`second run: ${againS} s, ${((againS / whole) * 100).toFixed(1)} % of the first; ${JSON.stringify(again.counts)}, ${again.state}`);
  if (again.counts.created + again.counts.updated !== 0) throw new Error("the second run wrote something");
} finally {
  server?.kill("SIGTERM");
  stub.close();
  rmSync(work, { recursive: true, force: true });
}
