// Runs a command with JALON_TEST_S3 set to three Garage servers on this machine, one of which is killed and started again all the time.
// usage: node scripts/with-garage.mjs GARAGE PORT COMMAND …
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startGarage } from "./garage.mjs";

const [program, port, command, ...words] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "jalon-garage-"));
const garage = await startGarage(program, folder, Number(port));
let kills = 0;
try {
  const addresses = garage.servers.map((server) => server.address).join(",");
  const env = { ...process.env, JALON_TEST_S3: `${addresses} ${garage.region} ${garage.bucket} ${garage.key} ${garage.secret}` };
  const child = spawn(command, words, { stdio: "inherit", env });
  const ended = new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
  for (let at = 0; child.exitCode === null; at++) {
    // Two of three must agree: the next server is killed only once the last one is connected again.
    await Promise.race([ended, garage.isWhole().then(() => wait(2_000))]);
    if (child.exitCode !== null) break;
    const server = garage.servers[at % 3];
    garage.kill(server);
    kills += 1;
    await wait(2_000);
    garage.start(server);
  }
  process.exitCode = await ended;
} finally {
  garage.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${kills} times a Garage server was killed meanwhile`);
