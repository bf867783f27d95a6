// Route imports: a stub that serves a number of treks of the real sample's shape (its first trek, each with a separate line of 120 points).
// node bench/imports.mjs [treks]; what is measured, and what chooses the binary and the database: bench/importing.mjs.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { measure, shared, uuid } from "./importing.mjs";

const count = Number(process.argv[2] ?? 10_000);
const samples = join(shared, "imports/geotrek-v2");
const sample = JSON.parse(readFileSync(join(samples, "trek.json"), "utf8")).results[0];
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

await measure({
  count,
  stub,
  sources: "/api/v1/import-sources",
  source: (url) => ({ name: "Le parc", kind: "geotrek", url }),
  body: {},
  here: () => "/api/v1/parcours?search=Boucle&per_page=1",
});
