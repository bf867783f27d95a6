// Two nodes of the real binary on one PostgreSQL and one bucket, behind HAProxy, under mixed load, while nodes, the database and the bucket are
// killed at random; or, with UPGRADE_FROM, stopped and started with the other of two versions. Afterwards what was acknowledged is compared with what
// is there. Exit code 1 where a bound is broken.
// usage: node scripts/chaos/run.mjs [short]   settings by environment: LOAD_S=240 SEED=… PORT=18460 PLANT=… KEEP=1 UPGRADE_FROM=… GARAGE=… (see
// docs/dev/chaos.md)
import { existsSync } from "node:fs";
import { join } from "node:path";
import { check, settled } from "./check.mjs";
import { fail, failOver, passTime, refuseMails } from "./failures.mjs";
import * as load from "./load.mjs";
import { build } from "./place.mjs";
import { startMailServer, startServices } from "./stubs.mjs";
import { forEach, generator, greyJpeg, json, ownJpeg, send, wait, within } from "./tools.mjs";
import { World } from "./world.mjs";

const PLANTS = ["lost-write", "lost-mail", "lost-file", "paid-twice"];
const number = (name, usual) => Number(process.env[name] || usual);
const [seconds, seed, port] = [number("LOAD_S", 240), number("SEED", Date.now() % 1_000_000), number("PORT", 18_460)];
const plant = process.env.PLANT || undefined;
if (plant && !PLANTS.includes(plant)) {
  console.error(`PLANT is one of ${PLANTS.join(", ")}`);
  process.exit(2);
}
// One failure of each kind, and no waits for time to pass: for the tests of each change.
const isShort = (process.argv[2] === "short" || Boolean(process.env.FAILOVER)) && !process.env.UPGRADE_FROM;
const root = new URL("../..", import.meta.url).pathname;
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const binary = process.env.JALON_BINARY ?? join(target, "debug/jalon");
const s3Binary = process.env.S3_BINARY ?? join(target, "debug/examples/s3_server");
const regionBinary = process.env.REGION_BINARY ?? join(target, "debug/examples/write_region");
const previous = process.env.UPGRADE_FROM || undefined;
const failover = process.env.FAILOVER || undefined;
if (failover && !["sync", "async", "moved"].includes(failover)) {
  console.error("FAILOVER is sync, async or moved");
  process.exit(2);
}
for (const program of [binary, s3Binary, previous ?? binary, isShort ? regionBinary : binary]) {
  if (!existsSync(program)) {
    console.error(`${program} is not built: run make chaos.`);
    process.exit(2);
  }
}

const startedAt = Date.now();
const say = (words) => console.log(`${((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${words}`);
const random = generator(seed);
console.log(`seed ${seed}, ${failover ? `a failover to a replica (${failover})` : isShort ? "one failure of each kind" : `load ${seconds} s`}${plant ? `, planted fault: ${plant}` : ""}${previous ? ", two versions" : ""}`);

const place = await build({ root, binary, previous, s3Binary, regionBinary, port, plant, isShort, failover, drainS: 2, garageProgram: process.env.GARAGE || undefined });
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    place.abandon();
    process.exit(130);
  });
}

async function picture(session) {
  const { items } = JSON.parse((await session.ask("set-up", "GET", "/api/v1/medias?kind=image&min_width=1200&per_page=1")).body);
  const shown = JSON.parse((await session.ask("set-up", "GET", `/api/v1/medias/${items[0].id}`)).body);
  return (await session.ask("set-up", "GET", shown.url)).body;
}

/** The content of the short form: a picture, and parcours of it that are public. */
async function smallContent(session) {
  // With a comment as long as a picture, so that its pieces are not all small.
  const bytes = ownJpeg(greyJpeg(1280, 960), "·".repeat(30_000));
  const tus = { "tus-resumable": "1.0.0" };
  const announced = await session.insist("set-up", "POST", "/api/v1/uploads", { headers: { ...tus, "upload-length": String(bytes.length), "upload-metadata": `filename ${Buffer.from("vue.jpg").toString("base64")}` } });
  const upload = announced.headers.location;
  await session.ask("set-up", "PATCH", upload, { headers: { ...tus, "upload-offset": "0", "content-type": "application/offset+octet-stream" }, body: bytes });
  let state;
  const isMade = await within(60, async () => {
    state = json(await session.ask("set-up", "GET", upload));
    return state.media_id && json(await session.ask("set-up", "GET", `/api/v1/medias/${state.media_id}`)).state === "ready";
  });
  if (!isMade) throw new Error(`the first picture is not made: ${JSON.stringify(state)}`);
  await forEach(["Le lac", "La crête", "Le bois"], async (name) => {
    const sheet = { title: { fr: name, en: name }, summary: { fr: "Une boucle." }, media_ids: [state.media_id] };
    const made = json(await session.insist("set-up", "POST", "/api/v1/parcours", { body: sheet }));
    await session.insist("set-up", "POST", `/api/v1/parcours/${made.id}/publication`, { headers: { "if-match": "*" }, body: {} });
  });
}

/** Addresses that visitors read: pages, the public list, pictures. */
async function publicPaths(session) {
  const map = (await send(place.ports.public, "GET", "/sitemap.xml")).body.toString();
  const pages = [...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => new URL(url).pathname).slice(0, 20);
  const page = (await send(place.ports.public, "GET", pages[0])).body.toString();
  const pictures = [...new Set([...page.matchAll(/\/media\/[\w./-]+/g)].map(([path]) => path))].slice(0, 5);
  const paths = [...pages, ...pictures, "/", "/payload.json", "/sitemap.xml"];
  const fine = [];
  for (const path of paths) if ((await send(place.ports.public, "GET", path, { headers: { "x-forwarded-for": session.address } })).status < 400) fine.push(path);
  return fine;
}

let isOk = false;
let mail;
let services;
try {
  const world = new World(place, random, isShort);
  mail = await startMailServer(place.ports.mail, random);
  await place.start();
  say("PostgreSQL, bucket, two nodes and HAProxy are up");
  const session = await world.signedIn();
  if (isShort) await smallContent(session);
  const jpeg = await picture(session);
  services = await startServices(place.ports.services, jpeg, random);
  await session.insist("set-up", "POST", "/api/v1/translators", { body: { name: "LibreTranslate", service: "libretranslate", base_url: `http://127.0.0.1:${place.ports.services}`, is_default: true } });
  const paths = await publicPaths(session);
  const shown = JSON.parse((await session.ask("set-up", "GET", "/api/v1/parcours?published=true&per_page=1")).body).items[0].id;
  say(`load: a picture of ${jpeg.length} bytes, ${paths.length} public addresses`);

  const workers = [
    load.editor(world, 1),
    load.editor(world, 2),
    load.bulk(world),
    load.uploader(world, 1, jpeg),
    load.uploader(world, 2, jpeg),
    load.printer(world),
    load.translator(world),
    load.translator(world),
    load.speaker(world),
    load.importer(world, services),
    load.reviewer(world, shown),
    load.leaver(world),
    load.publisher(world),
    load.searcher(world),
    ...Array.from({ length: 3 }, () => load.reader(world, paths)),
  ];
  const until = Date.now() + seconds * 1000;
  const chaos = generator(seed + 1);
  // No failure on purpose but the changes of version: nothing else explains a request that fails.
  const refusals = previous ? Promise.resolve() : refuseMails(world, mail, generator(seed + 2), until, isShort ? 3_000 : Math.min(10_000, seconds * 250));
  if (plant === "lost-mail") setTimeout(() => (mail.forgetNext = true), isShort ? 5_000 : seconds * 500);
  // A worker that fails ends the run: it is a fault of the harness or of the server, and both are to be seen.
  const failing = Promise.all(workers).then(() => wait(seconds * 1000));
  const passing = isShort ? passTime(world) : undefined;
  const failures = failover ? failOver(world, say) : fail(world, chaos, until, say);
  // On a slow machine the failures may be over before there is something of each kind to compare.
  const hasAll = () => Object.values(world.acked).every((list) => list.length > 0) && Object.values(world.staleness).every((list) => list.length > 0);
  const enough = async () => {
    await failures;
    if (!(await within(90, hasAll))) world.findings.push("within 90 s after the failures not every kind of work was acknowledged once");
  };
  await Promise.race([failing, isShort ? enough() : Promise.all([failures, refusals])]);
  world.over = true;
  mail.refuses = false;
  say(`load over after ${world.failures.length} failures; waiting for what was begun`);
  await Promise.all(workers);
  const left = await settled(world, 180);
  world.isSettled = true;
  await passing;
  say("comparing what was acknowledged with what is there");
  const table = await check(world, { services, mail, left, plant });
  const slowest = (list) => (list.length ? (Math.max(...list.map((one) => one.tookMs ?? 0)) / 1000).toFixed(1) : "-");
  const { uploads, batches, translations, voices, imports } = world.acked;
  console.log();
  table.print();
  console.log(`\nfailures: ${["SIGKILL", "SIGTERM"].map((how) => `${world.failures.filter((one) => one.what === "node" && one.how === how).length} nodes by ${how}`).join(", ")}, ${world.failures.filter((one) => one.what === "database").length} of the database, ${world.failures.filter((one) => one.what === "bucket").length} of the bucket, ${world.failures.filter((one) => one.what === "storage server").length} of Garage's servers`);
  console.log(`slowest from request to result: upload ${slowest(uploads)} s, batch ${slowest(batches)} s, translation ${slowest(translations)} s, reading ${slowest(voices)} s, import ${slowest(imports)} s`);
  isOk = table.isOk;
  console.log(isOk ? "chaos: all bounds hold" : `chaos: a bound is broken (SEED=${seed} repeats the failures)`);
} finally {
  mail?.stop();
  services?.stop();
  await place.stop({ keep: process.env.KEEP === "1" });
}
process.exit(isOk ? 0 : 1);
