// The server that a bench measures: its binary, the wait until it answers, a session.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const root = resolve(import.meta.dirname, "..");

/** The binary of the server: JALON_BINARY, else that of the release build, else that of the development build. */
export function serverBinary() {
  const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const found = process.env.JALON_BINARY ?? [join(target, "release/jalon"), join(target, "debug/jalon")].find((path) => existsSync(path));
  if (found === undefined) throw new Error("There is no binary of the server: build it first (make release), or name it in JALON_BINARY.");
  return found;
}

/** Waits until a server answers at `path`; `server` is its process. */
export async function started(base, server, { path = "/health", seconds = 60 } = {}) {
  const end = performance.now() + seconds * 1000;
  while (!(await fetch(`${base}${path}`).catch(() => null))?.ok) {
    if (server.exitCode !== null || server.signalCode !== null) throw new Error(`The server ended (${server.exitCode ?? server.signalCode}) before it answered at ${base}${path}.`);
    if (performance.now() > end) throw new Error(`The server does not answer at ${base}${path} within ${seconds} seconds.`);
    await wait(50);
  }
}

/** The header of the session of an account of the demo. */
export async function signedIn(base, email = "superadmin@demo.jalon.example") {
  const reply = await fetch(`${base}/api/v1/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password: process.env.BENCH_PASSWORD ?? "balise-jaune-2026" }),
  });
  if (!reply.ok) throw new Error(`${email} cannot sign in: ${reply.status} ${await reply.text()}`);
  return { Cookie: reply.headers.getSetCookie()[0].split(";")[0] };
}
