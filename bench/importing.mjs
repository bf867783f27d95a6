// Measures an import of routes or of SIT records: a first run that is killed (SIGKILL) half-way and resumed, then a second run with nothing changed.
// Prints speed and memory; fails where an item is missing or imported twice. Environment: JALON_BINARY, CARGO_TARGET_DIR, JALON_DATABASE_URL, PORT.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { serverBinary, signedIn, started } from "./server.mjs";

const root = resolve(import.meta.dirname, "..");
const binary = serverBinary();

/** The real samples. */
export const shared = join(process.env.JALON_SHARED ?? join(root, "../shared"), "data");

/** An identifier of a thing by its number. */
export const uuid = (number) => `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`;

const seconds = (from) => Number(((performance.now() - from) / 1000).toFixed(1));

/** The highest memory so far, MB: all resident pages (`all`), and the anonymous ones (`own`), without the mapped files of program and database. */
class Memory {
  most = { all: 0, own: 0 };
  look(pid) {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const mb = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024);
    this.most = { all: Math.max(this.most.all, mb("VmHWM")), own: Math.max(this.most.own, mb("RssAnon")) };
    return { all: mb("VmRSS"), own: mb("RssAnon") };
  }
}

/**
 * Measures one kind of source. `stub` serves `count` things; `sources` is where sources are kept, `source(url)` the one to make, `body` what a
 * run is asked with, `here(source)` the list that must hold everything afterwards.
 */
export async function measure({ count, stub, sources, source, body, here }) {
  const port = process.env.PORT ?? "18449";
  const base = `http://127.0.0.1:${port}`;
  const work = mkdtempSync(join(tmpdir(), "jalon-bench-"));
  const memory = new Memory();
  let server;
  let cookie = "";
  async function start() {
    const env = { ...process.env, JALON_BLOBS__SHARED: "true", JALON_IMPORTS__PRIVATE_ADDRESSES: "true", JALON_IMPORTS__PAUSE_MS: process.env.PAUSE_MS ?? "0" };
    server = spawn(binary, ["serve", "--data", work, "--port", port], { stdio: "ignore", env });
    await started(base, server);
  }
  async function call(method, path, sent) {
    const headers = { cookie, origin: base, ...(sent ? { "content-type": "application/json" } : {}) };
    const reply = await fetch(base + path, { method, headers, body: sent && JSON.stringify(sent) });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return reply.status === 204 ? null : reply.json();
  }
  async function ended(run, until = () => false) {
    for (;;) {
      const now = await call("GET", `/api/v1/import-runs/${run.id}`);
      memory.look(server.pid);
      if (now.state !== "running" || until(now)) return now;
      await wait(100);
    }
  }
  try {
    await once(stub.listen(0, "127.0.0.1"), "listening");
    execFileSync(binary, ["demo", "--people-only", "--data", work], { stdio: "ignore" });
    await start();
    cookie = (await signedIn(base, "editeur@demo.jalon.example")).Cookie;
    const made = await call("POST", sources, source(`http://127.0.0.1:${stub.address().port}/`));
    const runs = `${sources}/${made.id}/runs`;
    const idle = memory.look(server.pid);

    let from = performance.now();
    const run = await call("POST", runs, body);
    const half = await ended(run, ({ done }) => done >= count / 2);
    const firstS = seconds(from);
    const gone = once(server, "exit");
    server.kill("SIGKILL");
    await gone;
    await start();
    from = performance.now();
    const done = await ended(run);
    const restS = seconds(from);
    const wholeS = firstS + restS;
    const rate = Math.round((done.done - half.done) / restS);
    console.log(`first run: ${half.done} in ${firstS} s, killed, the rest in ${restS} s (${rate} a second; ${wholeS.toFixed(1)} s in all); ${JSON.stringify(done.counts)}, ${done.state}`);
    console.log(`memory: ${idle.all} MB idle (${idle.own} of its own), ${memory.most.all} MB at most while importing (${memory.most.own} of its own)`);
    const list = await call("GET", here(made));
    console.log(`here: ${list.total}${list.total_capped ? "+" : ""} of ${count}`);
    if (done.counts.created !== count || done.counts.refused !== 0) throw new Error("a gap, or a double");

    from = performance.now();
    const again = await ended(await call("POST", runs, body));
    const againS = seconds(from);
    console.log(`second run: ${againS} s, ${((againS / wholeS) * 100).toFixed(1)} % of the first; ${JSON.stringify(again.counts)}, ${again.state}`);
    if (again.counts.created + again.counts.updated !== 0) throw new Error("the second run wrote something");
  } finally {
    server?.kill("SIGTERM");
    stub.close();
    rmSync(work, { recursive: true, force: true });
  }
}
