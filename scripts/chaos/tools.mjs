// What the parts of the chaos harness share: a seeded generator, requests with their times, a PostgreSQL query, pictures, tones.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { RATE, wav } from "../wav.mjs";

export { wait };
const exec = promisify(execFile);

/** Random numbers from a seed (mulberry32): the same seed gives the same plan of failures. */
export function generator(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, between: (low, high) => low + next() * (high - low), pick: (list) => list[Math.floor(next() * list.length)] };
}

export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/**
 * Sends a request on a connection of its own and never throws: `{status, headers, body, sentAt, endedAt}`, with status 0 and `error`
 * where the connection was refused or cut.
 */
export function send(port, method, path, { headers = {}, body, timeout = 30_000 } = {}) {
  const sentAt = Date.now();
  return new Promise((resolve) => {
    const failed = (error) => resolve({ status: 0, error: error.code ?? error.message, headers: {}, body: Buffer.alloc(0), sentAt, endedAt: Date.now() });
    const request = http.request({ host: "127.0.0.1", port, method, path, headers, agent: false, timeout }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () =>
        answer.complete
          ? resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts), sentAt, endedAt: Date.now() })
          : failed(new Error("cut in the answer")),
      );
      answer.on("error", failed);
      return undefined;
    });
    request.on("timeout", () => request.destroy(new Error(`no answer in ${timeout / 1000} s`)));
    request.on("error", failed);
    request.end(body);
  });
}

/** The JSON of an answer; an empty object where it has none. */
export function json(answer) {
  try {
    return JSON.parse(answer.body.toString("utf8"));
  } catch {
    return {};
  }
}

/** Rows of a query, each a list of texts. */
export async function query(url, sql) {
  const { stdout } = await exec("psql", [url, "-qAt", "-F", "\u001f", "-c", sql], { maxBuffer: 64 << 20, env: { ...process.env, PGCONNECT_TIMEOUT: "2" } });
  return stdout.split("\n").filter((line) => line !== "").map((line) => line.split("\u001f"));
}

/** Whether something becomes true within a number of seconds. */
export async function within(seconds, ask, every = 100) {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    if (await ask()) return true;
    if (Date.now() > until) return false;
    await wait(every);
  }
}

/** Does the same with each of a list, several at once; what each gives is in the order of the list. */
export async function forEach(list, work, atOnce = 6) {
  const [found, rest] = [[], [...list.entries()]];
  const worker = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) found[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return found;
}

/** A grey JPEG: two tables with one code each, and for each square of 8 pixels two bits. */
export function greyJpeg(width, height) {
  const part = (marker, ...bytes) => Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255, ...bytes]);
  const one = (table) => part(0xc4, table, 1, ...Array(15).fill(0), 0);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    part(0xe0, ...Buffer.from("JFIF\0"), 1, 1, 0, 0, 1, 0, 1, 0, 0),
    part(0xdb, 0, ...Array(64).fill(1)),
    part(0xc0, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0),
    one(0x00),
    one(0x10),
    part(0xda, 1, 1, 0, 0, 63, 0),
    Buffer.alloc(Math.ceil((Math.ceil(width / 8) * Math.ceil(height / 8)) / 4)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** A JPEG with a comment of its own: other bytes, the same picture. */
export function ownJpeg(jpeg, words) {
  const comment = Buffer.from(words, "utf8");
  const head = Buffer.from([0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(comment.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, comment, jpeg.subarray(2)]);
}

/** A tone of a number of seconds, as WAV. */
export function tone(seconds) {
  return wav(Int16Array.from({ length: RATE * seconds }, (_, at) => Math.round(Math.sin(at / 12) * 9_000)));
}

/** The names of the files in a ZIP archive, from its central directory. */
export function namesInZip(bytes) {
  const names = [];
  let at = bytes.indexOf(Buffer.from("PK\u0001\u0002", "latin1"));
  while (at >= 0 && bytes.readUInt32LE(at) === 0x02014b50) {
    const [name, extra, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place));
    names.push(bytes.toString("utf8", at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
    if (at + 4 > bytes.length) break;
  }
  return names;
}
