// SIT POIs: a DATAtourisme flux of a number of objects (the real samples, each with a separate identifier and place) served as a ZIP.
// node bench/sit.mjs [objects]; what is measured, and what chooses the binary and the database: bench/importing.mjs.
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { measure, shared, uuid } from "./importing.mjs";

const count = Number(process.argv[2] ?? 50_000);
const objects = join(shared, "sit/datatourisme/flux-2020-a/objects");
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

await measure({
  count,
  stub,
  sources: "/api/v1/sit-sources",
  source: (url) => ({ name: "Le flux", kind: "datatourisme", url: `${url}flux.zip` }),
  here: ({ id }) => `/api/v1/sit-records?source=${id}&per_page=1`,
});
