// The demo's server, built and started again when a source of it changes, and Vite in front of it (http://localhost:5173).
// usage: node scripts/dev.mjs BINARY DATA PORT
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
/** How long after a change nothing else may change before the build begins: editors save several files at once. */
const QUIET_MS = 150;
/** How long a server that is asked to stop may take before it is killed. */
const STOP_MS = 3_000;
const children = new Set();

function start(command, args, cwd = root) {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  children.add(child);
  child.ended = new Promise((resolve) => child.on("close", resolve)).finally(() => children.delete(child));
  return child;
}

async function stop(child) {
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await child.ended;
  clearTimeout(late);
}

const startServer = () => start(join(root, "scripts/run.sh"), process.argv.slice(2));
let server = startServer();
const vite = start("npm", ["run", "--silent", "dev"], join(root, "web"));

let changed = false;
let building = false;
/** One build at a time; what changes meanwhile is built afterwards. The server that runs stays until the new one is there. */
async function rebuild() {
  if (building) return;
  building = true;
  while (changed) {
    changed = false;
    const startedAt = Date.now();
    const code = await start("node", ["scripts/cargo.mjs", "Building the server", "build", "--locked", "--workspace", "--bin", "jalon"]).ended;
    if (changed) continue;
    if (code !== 0) {
      console.error("It does not compile: the server from before goes on.");
      continue;
    }
    await stop(server);
    server = startServer();
    console.error(`A new server is started, ${Math.round((Date.now() - startedAt) / 100) / 10} s after the change.`);
  }
  building = false;
}

let wait;
for (const folder of ["crates", "demo"]) {
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (/(^|\/)(tests|examples)\//.test(file ?? "")) return;
    changed = true;
    clearTimeout(wait);
    wait = setTimeout(rebuild, QUIET_MS);
  });
}

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, async () => {
    await Promise.all([...children].map(stop));
    process.exit(0);
  });
}
await vite.ended;
await stop(server);
process.exit(1);
