// Moving in from a Geotrek: a stub serves treks with lines of 200 points, points of interest and pictures that differ, as `jalon migrate-from
// geotrek` asks for them. The server is killed (-9) in the middle and goes on; then a second run, with nothing changed.
// node bench/moving.mjs [treks] [points of interest] [pictures]. Prints the duration, the memory, and how many of the served items were imported.
// JALON_BINARY, CARGO_TARGET_DIR, PORT, PHOTO (bench/photos.mjs) choose; PAUSE_MS is `[imports] pause_ms` (its own default where it is not set). SQLite; needs python3.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { photos } from "./photos.mjs";
import { serverBinary, started } from "./server.mjs";

const binary = serverBinary();
const [treks, pois, pictures] = [2_000, 10_000, 20_000].map((usual, at) => Number(process.argv[2 + at] ?? usual));
const desks = 20;
const port = process.env.PORT ?? "18451";
const base = `http://127.0.0.1:${port}`;
const work = mkdtempSync(join(tmpdir(), "jalon-moving-"));

// Half of the pictures are of points of interest, one each; the others are of treks.
const ofPois = Math.min(pois, Math.floor(pictures / 2));
const perTrek = Math.ceil((pictures - ofPois) / treks);
const perTrekPois = Math.ceil(pois / treks);

const picture = photos(work);

const uuid = (kind, number) => `${String(number).padStart(8, "0")}-000${kind}-4000-8000-000000000000`;
const attached = (from, many) => Array.from({ length: many }, (_, at) => from + at).filter((number) => number <= pictures)
  .map((number) => ({ type: "image", url: `http://127.0.0.1:${stub.address().port}/media/${number}.jpg`, legend: `Photo ${number}`, author: "Parc", license: "CC BY 4.0" }));
/** Where a trek begins: apart from the others, as in a park of some hundred kilometres. */
const start = (number) => [3 + (number % 50) * 0.04, 45 + Math.floor(number / 50) * 0.03];
function trek(number) {
  const [west, south] = start(number);
  // A way that turns: nothing of it is straight.
  const coordinates = Array.from({ length: 200 }, (_, at) => [west + Math.sin(at / 32 + number) * 0.012 + at * 0.00002, south + Math.cos(at / 32) * 0.008 + Math.sin(at / 3) * 0.0003, 400 + Math.round(80 * Math.sin(at / 20))]);
  return {
    id: number, uuid: uuid(1, number), name: { fr: `Boucle ${number}`, en: `Loop ${number}` }, description_teaser: { fr: "<p>Une boucle.</p>" },
    description: { fr: `<p>${"Suivre le chemin jusqu’au prochain croisement, puis tourner à droite. ".repeat(12)}</p>` }, practice: 4, difficulty: 2, themes: [1],
    labels: [], networks: [], route: 1, duration: 2.5, departure: { fr: "Le village" }, arrival: { fr: "Le village" }, information_desks: [1 + (number % desks)],
    attachments: attached(ofPois + 1 + (number - 1) * perTrek, perTrek), geometry: { type: "LineString", coordinates },
  };
}
function poi(number) {
  const [west, south] = start(1 + Math.floor((number - 1) / perTrekPois));
  return {
    id: number, uuid: uuid(2, number), name: { fr: `Lieu ${number}`, en: `Place ${number}` }, description: { fr: `<p>À voir : le lieu numéro ${number}.</p>` },
    type_label: { fr: "Petit patrimoine" }, attachments: number <= ofPois ? attached(number, 1) : [],
    geometry: { type: "Point", coordinates: [west + (number % perTrekPois) * 0.001, south + 0.001] },
  };
}
const desk = (number) => ({ id: number, name: { fr: `Bureau ${number}` }, email: `bureau${number}@parc.example`, phone: "03 86 11 11 11", type: { label: { fr: "Office de tourisme" } } });
const names = { trek_practice: [{ id: 4, name: { fr: "Pédestre" } }], trek_difficulty: [{ id: 2, label: { fr: "Facile" } }], theme: [{ id: 1, label: { fr: "Faune et flore" } }], trek_route: [{ id: 1, route: { fr: "Boucle" } }] };
let asked = 0;
const stub = createServer((request, reply) => {
  asked += 1;
  const { pathname, searchParams } = new URL(request.url, "http://stub");
  const file = /^\/media\/(\d+)\.jpg$/.exec(pathname);
  if (file) return reply.writeHead(200, { "content-type": "image/jpeg" }).end(picture(file[1]));
  const [page, size] = [Number(searchParams.get("page") ?? 1), Number(searchParams.get("page_size") ?? 10)];
  const list = pathname.split("/").at(-2);
  const known = { trek: [treks, trek, 1], poi: [pois, poi, 2], informationdesk: [desks, desk, 3] }[list];
  reply.setHeader("content-type", "application/json");
  if (known === undefined) {
    const results = names[list];
    return results === undefined ? reply.writeHead(404).end() : reply.end(JSON.stringify({ count: results.length, next: null, results }));
  }
  const [of, make, kind] = known;
  const along = searchParams.get("trek");
  // A real server that is asked for what changed since a day, where nothing did.
  const first = along === null ? 1 : 1 + (Number(along) - 1) * perTrekPois;
  const all = searchParams.has("updated_after") ? 0 : along === null ? of : Math.max(0, Math.min(perTrekPois, of - first + 1));
  const numbers = Array.from({ length: Math.max(0, Math.min(size, all - (page - 1) * size)) }, (_, at) => first + (page - 1) * size + at);
  const results = numbers.map((number) => (searchParams.has("fields") ? { uuid: uuid(kind, number), id: number } : make(number)));
  return reply.end(JSON.stringify({ count: all, next: page * size < all ? `?page=${page + 1}` : null, previous: null, results }));
});

const env = { ...process.env, JALON_IMPORTS__PRIVATE_ADDRESSES: "true", ...(process.env.PAUSE_MS ? { JALON_IMPORTS__PAUSE_MS: process.env.PAUSE_MS } : {}) };
let server;
let most = 0;
async function serve() {
  server = spawn(binary, ["serve", "--data", work, "--port", port], { stdio: "ignore", env });
  await started(base, server, { path: "/livez" });
}
const look = () => {
  const found = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"));
  most = Math.max(most, Math.round(Number(found?.[1] ?? 0) / 1024));
};
const query = (sql) => Number(execFileSync("python3", ["-c", `import sqlite3, sys; print(sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True).execute(sys.argv[2]).fetchone()[0])`, join(work, "jalon.sqlite"), sql]));
/** Asks for a run and follows it, as the operator does; `meanwhile` is called twice a second. */
async function move(meanwhile = async () => {}) {
  const command = spawn(binary, ["migrate-from", "geotrek", `http://127.0.0.1:${stub.address().port}`, "--json", "--data", work], { stdio: ["ignore", "pipe", "inherit"], env });
  let said = "";
  command.stdout.on("data", (part) => (said += part));
  let code = null;
  command.on("close", (ended) => (code = ended));
  while (code === null) {
    await wait(500);
    await meanwhile();
  }
  if (code !== 0) throw new Error(`the move failed: ${said}`);
  return JSON.parse(said);
}
const minutes = (from) => ((performance.now() - from) / 60_000).toFixed(1);

try {
  stub.listen(0, "127.0.0.1");
  await once(stub, "listening");
  execFileSync(binary, ["demo", "--people-only", "--data", work], { stdio: "ignore", env });
  await serve();
  const before = { contacts: query("SELECT COUNT(*) FROM contact"), pois: query("SELECT COUNT(*) FROM poi"), parcours: query("SELECT COUNT(*) FROM parcours"), media: query("SELECT COUNT(*) FROM media") };
  let from = performance.now();
  let said = from;
  let killed = false;
  const first = await move(async () => {
    look();
    if (performance.now() - said > 60_000) {
      said = performance.now();
      console.error(`${minutes(from)} min: ${query("SELECT COUNT(*) FROM media")} pictures, ${query("SELECT COUNT(*) FROM poi")} points of interest, ${most} MB at most`);
    }
    if (!killed && query("SELECT COUNT(*) FROM media") - before.media >= pictures / 2) {
      killed = true;
      const gone = once(server, "exit");
      server.kill("SIGKILL");
      await gone;
      console.error(`killed after ${minutes(from)} min`);
      await serve();
    }
  });
  console.log(`first run: ${minutes(from)} min, killed once: ${killed}; ${asked} requests; ${most} MB at most; ${JSON.stringify(first.counts)}`);
  const wanted = { parcours: treks, pois, media: pictures, contacts: desks };
  const tables = { parcours: "parcours", pois: "poi", media: "media", contacts: "contact" };
  for (const [what, many] of Object.entries(wanted)) {
    const here = query(`SELECT COUNT(*) FROM ${tables[what]}`) - before[what];
    console.log(`${what}: ${here} of ${many}`);
    if (here !== many) process.exitCode = 1;
  }
  from = performance.now();
  asked = 0;
  const again = await move(async () => look());
  console.log(`second run: ${minutes(from)} min, ${asked} requests; ${JSON.stringify(again.counts)}`);
  if (again.counts.created + again.counts.updated + again.counts.pois + again.counts.contacts !== 0) process.exitCode = 1;
} finally {
  const gone = server && once(server, "exit");
  server?.kill("SIGTERM");
  await gone;
  stub.close();
  stub.closeAllConnections();
  rmSync(work, { recursive: true, force: true });
}
