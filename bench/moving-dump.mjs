// Moving in from the database of a Geotrek: a dump in plain text with treks of 600 points in Lambert-93, points of interest and a media folder of
// photos that differ. Imports all of it, and again with nothing changed.
// node bench/moving-dump.mjs [treks] [points of interest] [photos]. Prints how long it took, how much memory, and what came.
// JALON_BINARY, CARGO_TARGET_DIR, PHOTO (bench/photos.mjs) choose. SQLite; needs /usr/bin/time and room for the photos twice.
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { photos } from "./photos.mjs";
import { serverBinary } from "./server.mjs";

const binary = serverBinary();
const [treks, pois, pictures] = [2_000, 10_000, 20_000].map((usual, at) => Number(process.argv[2 + at] ?? usual));
const POINTS = 600;
const work = mkdtempSync(join(tmpdir(), "jalon-moving-dump-"));

/** A point (1) or a line (2) with heights, as PostGIS writes it. */
function geometry(kind, points) {
  const bytes = Buffer.alloc((kind === 2 ? 13 : 9) + points.length * 24);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(0xa0000000 + kind, 1);
  bytes.writeUInt32LE(2154, 5);
  if (kind === 2) bytes.writeUInt32LE(points.length, 9);
  points.flat().forEach((number, at) => bytes.writeDoubleLE(number, bytes.length - points.length * 24 + at * 8));
  return bytes.toString("hex").toUpperCase();
}
function line(number) {
  const [x, y] = [900_000 + (number % 50) * 1_500 + ((number * 7) % 13) * 20, 6_400_000 + Math.floor(number / 50) * 1_500];
  const at = (step) => [x + 400 * Math.sin(step / 40 + number) + step * 2.5, y + 300 * Math.cos(step / 33 + number * 2) + step * 0.7 * ((number % 5) - 2), 1_000 + 100 * Math.sin(step / 50)];
  return Array.from({ length: POINTS }, (_, step) => at(step));
}

const dump = join(work, "geotrek.sql");
const file = openSync(dump, "w");
function table(name, columns, rows) {
  writeSync(file, `COPY public.${name} (${columns}) FROM stdin;\n`);
  for (const row of rows) writeSync(file, `${row.join("\t")}\n`);
  writeSync(file, "\\.\n\n");
}
const numbers = (many, from = 1) => Array.from({ length: many }, (_, at) => from + at);
const text = `<p>${"Du parking, monter par le sentier balisé jusqu’au col, puis suivre la crête. ".repeat(12)}</p>`;
const poi = (number) => 1_000_000 + number;
table("core_topology", "id, deleted, kind, uuid, geom, geom_3d", (function* () {
  for (const number of numbers(treks)) {
    const shape = geometry(2, line(number));
    yield [number, "f", "TREK", `trek-${number}`, shape, shape];
  }
  for (const number of numbers(pois)) {
    const [x, y, z] = line(1 + (number % treks))[(number * 37) % POINTS];
    const shape = geometry(1, [[x + 50, y + 30, z]]);
    yield [poi(number), "f", "POI", `poi-${number}`, shape, shape];
  }
})());
table("trekking_trek", "topo_object_id, published, name, description, practice_id", numbers(treks).map((number) => [number, "t", `Boucle ${number}`, text, 1]));
table("trekking_practice", "id, name", [[1, "Pédestre"]]);
table("trekking_poitype", "id, label", [[1, "Faune"]]);
table("trekking_poi", "topo_object_id, published, name, description, type_id", numbers(pois).map((number) => [poi(number), "t", `Lieu ${number}`, "<p>À voir.</p>", 1]));
table("django_content_type", "id, app_label, model", [[1, "trekking", "trek"], [2, "trekking", "poi"]]);
// Half of the photos are of points of interest, one each; the others are of treks.
const ofPois = Math.min(pois, Math.floor(pictures / 2));
const owner = (number) => (number <= ofPois ? [poi(number), 2] : [1 + ((number - ofPois) % treks), 1]);
table("common_attachment", "id, object_id, content_type_id, attachment_file, legend, is_image", numbers(pictures).map((number) => [number, ...owner(number), `p/${number}.jpg`, `Vue ${number}`, "t"]));
closeSync(file);
const media = join(work, "media/p");
mkdirSync(media, { recursive: true });
const picture = photos(work);
for (const number of numbers(pictures)) writeFileSync(join(media, `${number}.jpg`), picture(number));

const data = join(work, "data");
function jalon(...words) {
  const done = spawnSync("/usr/bin/time", ["-f", "%e s, %U+%S s of processor, %M KB", binary, "--data", data, ...words], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${words.join(" ")}: ${done.stdout}${done.stderr}`);
  return `${done.stdout.trim()}\n${done.stderr.trim()}`;
}
try {
  jalon("user", "create", "--email", "chef@parc.example", "--first-name", "Ana", "--last-name", "Roux", "--role", "admin", "--structure", "Parc", "--white-label", "Parc", "--password", "balise-jaune-2026");
  console.log(`${treks} treks of ${POINTS} points, ${pois} points of interest, ${pictures} photos`);
  for (const what of ["first", "again"]) console.log(`-- ${what}\n${jalon("migrate-from", "geotrek", dump, "--media", join(work, "media"), "--publish")}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
