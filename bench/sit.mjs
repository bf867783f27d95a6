// SIT POIs: a DATAtourisme flux of so many objects (the real samples, each with an identifier and a place of its own) served as a ZIP; a
// first run, a run killed (-9) in the middle and gone on with, a second run with nothing changed; how fast, how much memory, nothing twice.
// node bench/sit.mjs [objects]; JALON_DATABASE_URL chooses the database, JALON_SHARED the samples.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { crc32, deflateRawSync } from "node:zlib";

const count = Number(process.argv[2] ?? 50_000);
const root = resolve(import.meta.dirname, "..");
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const binary = process.env.JALON_BINARY ?? [join(target, "release/jalon"), join(target, "debug/jalon")].find((path) => existsSync(path));
const objects = join(process.env.JALON_SHARED ?? join(root, "../shared"), "data/sit/datatourisme/flux-2020-a/objects");
const port = process.env.PORT ?? "18450";
const base = `http://127.0.0.1:${port}`;
const work = mkdtempSync(join(tmpdir(), "jalon-bench-"));

const samples = readdirSync(objects, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));

/** A ZIP of more entries than 65,535 would need its longer form; a flux of 50,000 does not. */
function zip(files) {
  const [parts, list] = [[], []];
  let at = 0;
  for (const [name, text] of files) {
    const [bytes, called] = [Buffer.from(text), Buffer.from(name)];
    const [packed, sum] = [deflateRawSync(bytes, { level: 6 }), crc32(bytes)];
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0), head.writeUInt16LE(20, 4), head.writeUInt16LE(8, 8), head.writeUInt32LE(sum, 14);
    head.writeUInt32LE(packed.length, 18), head.writeUInt32LE(bytes.length, 22), head.writeUInt16LE(called.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0), entry.writeUInt16LE(20, 4), entry.writeUInt16LE(20, 6), entry.writeUInt16LE(8, 10), entry.writeUInt32LE(sum, 16);
    entry.writeUInt32LE(packed.length, 20), entry.writeUInt32LE(bytes.length, 24), entry.writeUInt16LE(called.length, 28), entry.writeUInt32LE(at, 42);
    parts.push(head, called, packed), list.push(entry, called);
    at += head.length + called.length + packed.length;
  }
  const index = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0), end.writeUInt16LE(files.length, 8), end.writeUInt16LE(files.length, 10), end.writeUInt32LE(index.length, 12), end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, index, end]);
}
const uuid = (number) => `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`;
const files = [];
const lines = [];
let raw = 0;
for (let number = 1; number <= count; number++) {
  const file = `${number % 10}/99-${uuid(number)}.json`;
  const text = samples[number % samples.length]
    .replace(/("schema:latitude":\s*")[^"]*/, (_, head) => head + (42 + (number % 700) * 0.01))
    .replace(/("schema:longitude":\s*")[^"]*/, (_, head) => head + Math.floor(number / 700) * 0.1);
  raw += text.length;
  files.push([`objects/${file}`, text]);
  lines.push({ label: `Lieu ${number}`, lastUpdateDatatourisme: "2026-01-01T00:00:00Z", file });
}
files.unshift(["index.json", JSON.stringify(lines)]);
const flux = zip(files);
files.length = 0;
console.log(`flux: ${count} objects, ${(raw / 1e6).toFixed(0)} MB, ${(flux.length / 1e6).toFixed(0)} MB packed`);
const stub = createServer((_, reply) => reply.writeHead(200, { "content-type": "application/zip" }).end(flux));

let server;
async function start() {
  const env = { ...process.env, JALON_IMPORTS__PRIVATE_ADDRESSES: "true", JALON_IMPORTS__PAUSE_MS: "0" };
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
  const source = await call("POST", "/api/v1/sit-sources", { name: "Le flux", kind: "datatourisme", url: `http://127.0.0.1:${stub.address().port}/flux.zip` });
  const runs = `/api/v1/sit-sources/${source.id}/runs`;
  const idleMb = memoryMb("VmRSS");

  let from = performance.now();
  const run = await call("POST", runs);
  const half = await ended(run, ({ done }) => done >= count / 2);
  const firstS = seconds(from);
  const firstMb = memoryMb("VmHWM");
  const gone = once(server, "exit");
  server.kill("SIGKILL");
  await gone;
  await start();
  from = performance.now();
  const done = await ended(run);
  const restS = seconds(from);
  console.log(`first run: ${half.done} in ${firstS} s, killed, the rest in ${restS} s (${(firstS + restS).toFixed(1)} s in all); ${JSON.stringify(done.counts)}, ${done.state}`);
  console.log(`memory: ${idleMb} MB idle, ${Math.max(firstMb, memoryMb("VmHWM"))} MB at most while importing`);
  const list = await call("GET", `/api/v1/sit-records?source=${source.id}&per_page=1`);
  console.log(`here: ${list.total}${list.total_capped ? "+" : ""} of ${count}`);
  if (done.counts.created !== count || done.counts.refused !== 0) throw new Error("a gap, or a double");

  from = performance.now();
  const again = await ended(await call("POST", runs));
  console.log(`second run: ${seconds(from)} s; ${JSON.stringify(again.counts)}, ${again.state}`);
  if (again.counts.created + again.counts.updated !== 0) throw new Error("the second run wrote something");
} finally {
  server?.kill("SIGTERM");
  stub.close();
  rmSync(work, { recursive: true, force: true });
}
