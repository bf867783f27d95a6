// Three Garage servers on this machine, with one bucket: a real distributed S3 store for tests (see docs/dev/chaos.md).
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const REGION = "garage";
const BUCKET = "jalon";
const KEY = "GK0123456789abcdef01234567";
const SECRET = "0123456789abcdef".repeat(4);

/**
 * Starts three servers with three copies of each object, on ports from `port` on (three for each), their data below `folder`. The third port
 * of each answers `GET /health` with 200 while it reaches enough of the others.
 * One of them may be killed: two answer for three. Without the time-outs below Garage waits 300 s for another server.
 */
export async function startGarage(program, folder, port) {
  const servers = [0, 1, 2].map((at) => {
    const place = join(folder, `garage-${at}`);
    mkdirSync(place, { recursive: true });
    const [s3, rpc, health] = [0, 1, 2].map((one) => port + 3 * at + one);
    const file = join(place, "garage.toml");
    writeFileSync(
      file,
      `metadata_dir = "${place}/meta"
data_dir = "${place}/data"
db_engine = "lmdb"
replication_factor = 3
rpc_bind_addr = "127.0.0.1:${rpc}"
rpc_public_addr = "127.0.0.1:${rpc}"
rpc_secret = "${"ab".repeat(32)}"
rpc_timeout_msec = 3000
rpc_ping_timeout_msec = 3000
[s3_api]
s3_region = "${REGION}"
api_bind_addr = "127.0.0.1:${s3}"
[admin]
api_bind_addr = "127.0.0.1:${health}"
`,
    );
    return { at, file, place, address: `127.0.0.1:${s3}`, health, child: undefined };
  });
  const command = (server, ...words) => execFileSync(program, ["-c", server.file, ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  const start = (server) => {
    const log = openSync(join(server.place, "log"), "a");
    server.child = spawn(program, ["-c", server.file, "server"], { stdio: ["ignore", log, log], env: { ...process.env, RUST_LOG: "garage=info" } });
  };
  const kill = (server) => {
    server.child?.kill("SIGKILL");
    server.child = undefined;
  };
  const stop = () => servers.forEach(kill);
  try {
    servers.forEach(start);
    for (const server of servers) await until(() => (server.id = command(server, "node", "id", "--quiet")));
    const [first, ...others] = servers;
    for (const other of others) await until(() => command(first, "node", "connect", other.id));
    for (const server of servers) await until(() => command(first, "layout", "assign", "--zone", `z${server.at}`, "--capacity", "1G", server.id.split("@")[0]));
    command(first, "layout", "apply", "--version", "1");
    await until(() => command(first, "bucket", "create", BUCKET));
    command(first, "key", "import", "--yes", "-n", "jalon", KEY, SECRET);
    command(first, "bucket", "allow", "--read", "--write", BUCKET, "--key", "jalon");
  } catch (error) {
    stop();
    throw error;
  }
  /** Waits until each server is connected to both others: after a start this takes Garage up to half a minute. */
  const isWhole = () =>
    until(() => {
      for (const server of servers) {
        const [healthy] = command(server, "status").split(/FAILED NODES/);
        if ((healthy.match(/^[0-9a-f]{16}/gm) ?? []).length < 3) throw new Error(`${server.address} is not connected to both others`);
      }
    }, 120);
  return { servers, start, kill, isWhole, stop, region: REGION, bucket: BUCKET, key: KEY, secret: SECRET };
}

/** Tries every half second until it does not throw. */
async function until(work, most = 60) {
  for (let tries = 0; ; tries++) {
    try {
      return work();
    } catch (error) {
      if (tries === most) throw new Error(`${error.message}\n${error.stderr ?? ""}`);
    }
    await new Promise((wake) => setTimeout(wake, 500));
  }
}
