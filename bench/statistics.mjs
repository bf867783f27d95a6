// Events: how many a second are answered once they are written, one to a request and twenty to a request; then the server is
// killed (-9) in the middle, started again, and every event that was answered must be in the sums.
// node bench/statistics.mjs [seconds]; JALON_DATABASE_URL chooses the database. Where other work is on the machine, the processor time of a
// thousand events says more than their number: that of the server, and with POSTMASTER=PID that of PostgreSQL.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ofDatabase, ofProcess } from "./processor.mjs";
import { serverBinary, signedIn, started } from "./server.mjs";

const seconds = Number(process.argv[2] ?? 10);
const connections = 64;
const binary = serverBinary();
const port = process.env.PORT ?? "18447";
const base = `http://127.0.0.1:${port}`;
const work = mkdtempSync(join(tmpdir(), "jalon-bench-"));
const agent = new Agent({ keepAlive: true, maxSockets: connections });

let server;
async function start() {
  const env = { ...process.env, JALON_BLOBS__SHARED: "true", JALON_STATISTICS__EVENTS_PER_MINUTE: "0" };
  server = spawn(binary, ["serve", "--data", work, "--port", port], { stdio: "ignore", env });
  await started(base, server);
}

async function end(signal) {
  const gone = once(server, "exit");
  server.kill(signal);
  await gone;
}

/** Processor time so far, ms: of the server; of PostgreSQL. */
const processorTime = () => [ofProcess(server.pid), ofDatabase()];

/** Sends events; true once they are said to be kept. */
const send = (body) =>
  new Promise((done) => {
    const headers = { "content-type": "text/plain", "content-length": Buffer.byteLength(body), "user-agent": "Mozilla/5.0 Firefox/128.0" };
    const asked = request(`${base}/api/public/v1/events`, { method: "POST", agent, headers }, (reply) => {
      reply.resume();
      reply.on("end", () => done(reply.statusCode === 200));
      reply.on("error", () => done(false));
    });
    asked.on("error", () => done(false));
    asked.end(body);
  });

const asked = async (cookie, path) => (await fetch(base + path, { headers: { cookie } })).json();
const total = async (cookie) => (await asked(cookie, "/api/v1/statistics?source=api")).totals.total;

/** Sends for a while over all connections; gives how many events were answered, and how long each answer took. */
async function load(ids, perRequest, forMs) {
  const until = Date.now() + forMs;
  const took = [];
  let kept = 0;
  let at = 0;
  const sender = async () => {
    while (Date.now() < until) {
      const events = Array.from({ length: perRequest }, () => ({ kind: "view", source: "api", parcours_id: ids[at++ % ids.length], language: "fr" }));
      const started = performance.now();
      if (!(await send(JSON.stringify({ events })))) return;
      took.push(performance.now() - started);
      kept += perRequest;
    }
  };
  await Promise.all(Array.from({ length: connections }, sender));
  took.sort((one, other) => one - other);
  return { kept, p50: took[Math.floor(took.length * 0.5)], p99: took[Math.floor(took.length * 0.99)] };
}

try {
  execFileSync(binary, ["demo", "--data", work], { stdio: "ignore" });
  await start();
  let cookie = (await signedIn(base)).Cookie;
  const { items } = await asked(cookie, "/api/v1/parcours?progress=any&published=true&per_page=200");
  const tried = await Promise.all(items.map(async ({ id }) => ((await send(JSON.stringify({ events: [{ kind: "view", source: "api", parcours_id: id }] }))) ? id : null)));
  const ids = tried.filter((id) => id !== null);
  let known = await total(cookie);
  for (const perRequest of [1, 20]) {
    const before = processorTime();
    const { kept, p50, p99 } = await load(ids, perRequest, seconds * 1000);
    const [own, database] = processorTime().map((ms, at) => ((ms - before[at]) / kept) * 1000);
    const now = await total(cookie);
    console.log(`${perRequest} to a request: ${Math.round(kept / seconds)} events a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; answered ${kept}, counted ${now - known}; a thousand: ${own.toFixed(1)} ms of the server, ${database.toFixed(1)} ms of PostgreSQL`);
    if (now - known !== kept) process.exitCode = 1;
    known = now;
  }
  for (let round = 1; round <= 5; round++) {
    const sending = load(ids, 1, 60_000);
    await wait(400 + round * 137);
    await end("SIGKILL");
    const { kept } = await sending;
    await start();
    cookie = (await signedIn(base)).Cookie;
    const now = await total(cookie);
    // What was written and not yet answered may be there too: one event a connection at most.
    const more = now - known - kept;
    console.log(`killed after ${kept} answers: ${more < 0 ? `${-more} LOST` : "none lost"}, ${Math.max(0, more)} written without an answer`);
    if (more < 0 || more > connections) process.exitCode = 1;
    known = now;
  }
  await end("SIGTERM");
} finally {
  server?.kill("SIGKILL");
  agent.destroy();
  rmSync(work, { recursive: true, force: true });
}
