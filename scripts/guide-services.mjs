// What the pictures of the guide need beside the demo: servers of others (Geotrek, Apidae, DeepL, a voice), and records that come
// from them. All are made here, nothing is fetched.
import { readFileSync, mkdtempSync, writeFileSync, chmodSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { require, root } from "./demo-browser.mjs";
import { RATE, wav } from "./wav.mjs";

/** A module of the browser journeys, which are TypeScript. */
async function journeyModule(name) {
  const ts = require("typescript");
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(readFileSync(join(root, "web/e2e", name), "utf8"), { compilerOptions: options });
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`);
}

const fr = (words) => ({ fr: words, en: "" });
const trek = (id, name, teaser, description) => ({
  id,
  uuid: `8d1f6a52-0000-4000-8000-00000000000${id}`,
  name: fr(name),
  description_teaser: fr(teaser),
  description: fr(`<p>${description}</p>`),
  ambiance: fr("<p>Le vallon garde la mémoire des bergers.</p>"),
  advice: fr("<p>Rien à boire en chemin.</p>"),
  practice: 4,
  difficulty: 2,
  themes: [1, 2],
  labels: [1],
  networks: [1],
  route: 1,
  duration: 3,
  departure: fr("Brévine, la halle"),
  arrival: fr("Brévine, la halle"),
  attachments: [],
  geometry: id === 3 ? null : { type: "LineString", coordinates: Array.from({ length: 60 }, (_, at) => [3.08 + at / 2000 + id / 100, 44.9 + Math.sin(at / 9) / 300, 500 + at]) },
});

/** Items of which only the number is read. */
const numbered = (count) => Array.from({ length: count }, (_, id) => ({ id: id + 1 }));

const poi = (id, name, type) => ({
  id,
  uuid: `poi-${id}`,
  name: fr(name),
  description: fr("<p>À voir en passant.</p>"),
  type_label: fr(type),
  attachments: [],
  geometry: { type: "Point", coordinates: [3.09 + id / 500, 44.9] },
});

const GEOTREK = {
  poi: [poi(1, "Le moulin du haut", "Petit patrimoine"), poi(2, "Le lac des Bergers", "Lac"), poi(3, "Le four banal", "Vie d’autrefois")],
  poi_type: numbered(3),
  touristiccontent: numbered(8),
  informationdesk: numbered(2),
  service: numbered(4),
  source: numbered(1),
  city: numbered(5),
  signage: numbered(42),
  infrastructure: numbered(11),
  portal: numbered(1),
  structure: numbered(1),
  touristicevent: [],
  sensitivearea: [],
  trek: [
    trek(1, "Boucle du pic des Trois Bergers", "Un point de vue en retrait de la chaîne.", "On monte par le chemin des estives."),
    trek(2, "Le vallon des moulins", "Six moulins au bord de l’eau.", "On suit le bief d’un moulin à l’autre."),
    trek(3, "Le sentier perdu", "Un sentier sans tracé.", "Son tracé manque."),
  ],
  trek_practice: [{ id: 4, name: fr("Pédestre") }],
  trek_difficulty: [{ id: 2, label: fr("Facile") }],
  theme: [{ id: 1, label: fr("Pastoralisme") }, { id: 2, label: fr("Faune") }],
  label: [{ id: 1, name: fr("Chien autorisé") }],
  trek_network: [{ id: 1, label: fr("GR de pays") }],
  trek_route: [{ id: 1, route: fr("Boucle") }],
};

const tourist = (id, name, type, position) => ({
  id,
  type,
  state: "PUBLISHED",
  nom: { libelleFr: name },
  presentation: { descriptifDetaille: { libelleFr: "Une table au bord de l’eau." }, typologiesPromoSitra: [{ id: 1599, libelleFr: "Accueil Vélo" }] },
  localisation: { adresse: { adresse1: "1 rue du Lac", codePostal: "48000", commune: { nom: "Brévine" } }, geolocalisation: { geoJson: { type: "Point", coordinates: position } } },
  informations: { moyensCommunication: [{ type: { id: 201 }, coordonnees: { fr: "04 66 00 00 00" } }] },
  ouverture: { periodeEnClair: { libelleFr: "D’avril à octobre, tous les jours sauf le lundi." } },
  gestion: { dateModification: "2026-10-02T10:00:00.000+0000", membreProprietaire: { nom: "Office de tourisme du Val d’Orsel" } },
});

/** What the translation service answers to these texts of the picture; to others, the text itself. */
const ENGLISH = {
  "Les crêtes de Brévine": "The ridges of Brévine",
  "Une journée sur les crêtes, au-dessus du lac de Brève, avec le four de Brévine à mi-chemin.": "A day on the ridges above lac de Brève, with the oven of Brévine halfway.",
};

/** Starts the servers of others, at one address. */
export async function startServices(position) {
  const objects = [
    tourist(1, "Auberge du Lac", "RESTAURATION", position),
    tourist(2, "Cave des Prés", "DEGUSTATION", [position[0] + 0.01, position[1]]),
  ];
  const json = (reply, body) => reply.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  const server = createServer((request, reply) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const list = /\/api\/v2\/(\w+)\//.exec(pathname)?.[1];
    if (list) {
      const results = GEOTREK[list];
      return results ? json(reply, { count: results.length, next: null, previous: null, results }) : reply.writeHead(404).end();
    }
    if (pathname.startsWith("/v2/")) {
      let body = "";
      request.on("data", (part) => (body += part));
      request.on("end", () => {
        const { text = [] } = body ? JSON.parse(body) : {};
        json(reply, { translations: text.map((one) => ({ detected_source_language: "FR", text: ENGLISH[one.replaceAll(/<[^>]+>/g, "")] ?? one })) });
      });
      return undefined;
    }
    return json(reply, { numFound: objects.length, objetsTouristiques: objects });
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

/** A program in the place of espeak-ng that answers some seconds of silence. */
export function silentVoice() {
  const folder = mkdtempSync(join(tmpdir(), "jalon-voice-"));
  // Six seconds.
  writeFileSync(join(folder, "voice.wav"), wav(new Int16Array(RATE * 6).fill(257)));
  const program = join(folder, "espeak");
  writeFileSync(program, `#!/bin/sh\n[ "$1" = --version ] && exit 0\ncase "$1" in --voices=*) exit 0;; esac\ncat > /dev/null\ncat ${folder}/voice.wav\n`);
  chmodSync(program, 0o755);
  return { program, folder };
}

/** Calls the API with JSON; anything but success stops the script with the answer. */
export function caller(request, base) {
  return async (method, path, data, headers = {}) => {
    const reply = await request.fetch(`${base}/api/${path}`, { method, data, headers: { origin: base, "if-match": "*", ...headers } });
    if (!reply.ok()) throw new Error(`${method} ${path}: ${reply.status()} ${await reply.text()}`);
    return reply.status() === 204 ? undefined : reply.json().catch(() => undefined);
  };
}

/** Asks again until an answer is as wanted; 30 seconds at most. */
export async function until(ask, wanted) {
  for (let attempt = 0; attempt < 150; attempt++) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    await wait(200);
  }
  throw new Error("what the picture waits for does not come");
}

/** A Geotrek source, tried once without writing. */
export async function importTried(call, services) {
  const { id } = await call("POST", "v1/import-sources", { name: "Parc naturel des Estives", kind: "geotrek", url: `${services}/`, takes_pois: true });
  await call("POST", `v1/import-sources/${id}/runs`, { dry: true });
  await until(() => call("GET", `v1/import-runs?source=${id}`), ({ items }) => items[0]?.state === "done");
  return id;
}

/** A source of tourist records, read once, and one of its records as a POI. */
export async function touristRecord(call, services) {
  const { id } = await call("POST", "v1/sit-sources", { name: "Apidae du Val d’Orsel", kind: "apidae", url: services, project: "12" });
  await call("PUT", `v1/sit-sources/${id}/credential`, { key: "la-cle" });
  await call("POST", `v1/sit-sources/${id}/runs`);
  const { items } = await until(() => call("GET", "v1/sit-records?search=auberge"), ({ items }) => items.length > 0);
  return items[0].id;
}

/** A timetable whose line 12 stops at both ends of a stretch. */
export async function feedOfLines(call, [from, to]) {
  const { zipOf } = await journeyModule("zip.ts");
  const stop = (id, name, [lon, lat]) => `${id},${name},${lat},${lon}\n`;
  const file = zipOf({
    "agency.txt": "agency_id,agency_name\nC,Cars du Val d’Orsel\n",
    "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type,route_color\nR12,C,12,Montpezel – Brévine,3,0B6E4F\nR112,C,112,Montpezel – Chantemerle,3,\n",
    "stops.txt": `stop_id,stop_name,stop_lat,stop_lon\n${stop("A", "Montpezel (la halle)", from)}${stop("B", "Brévine (le four)", to)}`,
    "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,0,1,20260101,20271231\n",
    "trips.txt": "route_id,service_id,trip_id,trip_headsign,bikes_allowed\nR12,W,T1,Brévine,1\nR12,W,T2,Montpezel,2\nR112,W,T3,Chantemerle,0\n",
    "stop_times.txt": "trip_id,departure_time,stop_id,stop_sequence\nT1,08:00:00,A,1\nT1,08:40:00,B,2\nT2,17:30:00,B,1\nT2,18:10:00,A,2\nT3,09:00:00,A,1\nT3,09:30:00,B,2\n",
  });
  const { id } = await call("POST", "v1/transport-feeds", { name: "Cars du Val d’Orsel" });
  await call("PUT", `v1/transport-feeds/${id}/file?file_name=gtfs.zip`, file, { "content-type": "application/octet-stream" });
  await call("POST", `v1/transport-feeds/${id}/runs`);
  await until(() => call("GET", `v1/transport-feeds/${id}/runs`), ({ items }) => items[0]?.state === "done");
  return id;
}

/** A parcours in French alone, and a translation service for it. */
export async function untranslated(call, services) {
  const [title, summary] = Object.keys(ENGLISH);
  const translator = await call("POST", "v1/translators", { name: "DeepL", base_url: services, is_default: true, protected: ["lac de Brève"] });
  await call("PUT", `v1/translators/${translator.id}/key`, { key: "279a2e9d-83b3-c416-7e2d-f721593e42a0" });
  return (await call("POST", "v1/parcours", { title: { fr: title }, summary: { fr: summary } })).id;
}

/** Two reviews that their authors confirmed, and a report. */
export async function reviewed(call, base, data, parcours_id, position) {
  const review = (author, rating, title, text) =>
    call("POST", "public/v1/reviews", { parcours_id, author, rating, title, text, email: `${author === "Léa" ? "lea" : "paul"}@exemple.fr`, language: "fr", walked_on: "2026-10-12" });
  await review("Léa", 5, "Superbe", "Balisage net et belle vue sur le lac. Nous l’avons fait en famille, pique-nique au belvédère.");
  await review("Paul", 2, "Trop de voitures", "La petite route du hameau est très passante le dimanche.");
  await call("POST", "public/v1/field-reports", { parcours_id, kind: "marking", text: "Le poteau du carrefour est couché.", position, language: "fr" });
  const outbox = join(data, "outbox");
  const mails = () => readdirSync(outbox, { withFileTypes: true }).map(({ name }) => readFileSync(join(outbox, name), "utf8"));
  const links = await until(
    () => [...new Set(mails().flatMap((mail) => plain(mail).match(/\/avis\/[\w-]+/g) ?? []))],
    (links) => links.length >= 2,
  );
  for (const link of links) await fetch(base + link, { method: "POST", headers: { origin: base } });
}

/** A mail with its quoted-printable or base64 body as text. */
function plain(mail) {
  const [head, ...rest] = mail.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  return /transfer-encoding: base64/i.test(head) ? Buffer.from(body, "base64").toString("utf8") : body.replaceAll("=\r\n", "").replaceAll("=3D", "=");
}

/** An audio walk of four stops along a line, read by the voice. */
export async function audioWalk(call, id, line) {
  const stories = [
    ["La filature", "Ici tournaient deux cents métiers. [pause 1s] Écoutez la rivière : elle les faisait tous marcher."],
    ["Le pont des lavandières", "Le linge se battait sur ces pierres."],
    ["La place", "Le marché se tient ici depuis 1412."],
    ["La chapelle", "Poussez la porte, elle est ouverte."],
  ];
  const stops = stories.map(([title, text], at) => ({ title, position: line[Math.floor(((at + 1) * line.length) / 5)].slice(0, 2), story: { text, transcript: "", media_id: null } }));
  await call("PUT", `v1/parcours/${id}/audio/fr`, { enabled: true, stops });
  await call("POST", `v1/parcours/${id}/audio/fr/speech`);
}

/** What the screen of the network watch shows after a new map: made up for two parcours of the demo, whose network stays. */
export async function networkReplaced(page, call) {
  const { items } = await call("GET", "v1/parcours?per_page=50&sort=title");
  const chosen = ["La boucle de Chantemerle", "Remonter l’Orsel"].map((start) => items.find(({ title }) => title.fr.startsWith(start)));
  const score = (percent) => ({ percent, state: percent < 95 ? "low" : "ok", data_date: null });
  const changes = [];
  for (const [rank, { id, title, white_label }] of chosen.entries()) {
    const { line } = await call("GET", `v1/parcours/${id}/trace`);
    const part = (from, to) => line.slice(Math.floor(line.length * from), Math.floor(line.length * to)).map(([lon, lat]) => [lon, lat]);
    const stretch = (from_km, length_m, cause, was, geometry) =>
      ({ from_km, to_km: from_km + length_m / 1000, length_m, cause, was, max_offset_m: 60, geometry, ways_left: [], ways_used: [], way_id: null, edit_url: null });
    changes.push({
      id: rank + 1,
      run_id: 1,
      parcours: { id, title, white_label },
      mine: true,
      editable: true,
      guidance: rank === 0 ? "lost" : "gained",
      before: score(rank === 0 ? 97.1 : 88),
      after: score(rank === 0 ? 92.4 : 97.8),
      stretches: [stretch(2.56, 1700, "no_way", null, part(0.12, 0.22)), stretch(14.91, 852, "now_on_way", "no_way", part(0.7, 0.76))],
      at: "2026-11-21T17:01:12Z",
      seen: null,
    });
  }
  const counts = { lost: 1, gained: 1, better: 0, worse: 0 };
  const network = (data_date) => ({ engine: "jalon", data_date, checksum: null });
  const run = { id: 1, state: "done", forced: false, asked_by: null, before: network("2025-11-14"), after: network("2026-11-14"), total: 29, scored: 29, failed: 0, counts, started_at: "2026-11-21T17:00:00Z", finished_at: "2026-11-21T17:02:00Z" };
  await page.route("**/api/v1/planner/watch", (route) => route.fulfill({ json: { run, waiting: counts, may_run: false } }));
  await page.route("**/api/v1/planner/watch/changes?**", (route) => route.fulfill({ json: { items: changes, total: changes.length, total_capped: false, counts } }));
}

/** Acts that the journal shows beside the sign-ins. */
export async function journalled(request, call, base) {
  const session = (email, password) => request.fetch(`${base}/api/v1/session`, { method: "POST", data: { email, password }, headers: { origin: base, cookie: "" } });
  await session("editeur@demo.jalon.example", "un mot de passe oublié");
  const { items } = await call("GET", "v1/users?search=lecteur&per_page=1");
  if (items.length > 0) await call("PATCH", `v1/users/${items[0].id}`, { role: "editor" });
  const [poi] = (await call("GET", "v1/pois?per_page=1")).items;
  await call("DELETE", `v1/pois/${poi.id}?force=true`);
}
