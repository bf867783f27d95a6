// The machines of the harness: PostgreSQL, an S3 server (or three of Garage), HAProxy and two nodes, each a process that can be killed and started
// again.
import { execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, statfsSync, symlinkSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startGarage } from "../garage.mjs";
import { query, send, wait, within } from "./tools.mjs";

/** A process with a log, which may be killed and started again. */
class Process {
  /** The numbers of its processes that were killed. */
  killed = [];

  constructor(name, log, start) {
    Object.assign(this, { name, log, begin: start, child: undefined, isWanted: false });
  }

  start() {
    const out = openSync(this.log, "a");
    const [program, args, options] = this.begin();
    this.isWanted = true;
    const child = spawn(program, args, { stdio: ["ignore", out, out], ...options });
    this.child = child;
    child.on("exit", (code, signal) => {
      if (this.child === child && this.isWanted) this.diedAlone = `${this.name} ended by itself (${signal ?? code})`;
    });
    child.on("error", (error) => (this.diedAlone = `${this.name} cannot be started: ${error.message}`));
  }

  /** Sends a signal and waits until the process has ended. */
  async end(signal, seconds = 40) {
    this.isWanted = false;
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    if (signal === "SIGKILL") this.killed.push(child.pid);
    const ended = await within(seconds, () => child.exitCode !== null || child.signalCode !== null, 20);
    if (!ended) {
      child.kill("SIGKILL");
      this.diedAlone = `${this.name} did not end within ${seconds} s after ${signal}`;
    }
  }
}

function postgresPrograms() {
  const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql").sort((a, b) => b - a) : [];
  const found = versions.map((version) => `/usr/lib/postgresql/${version}/bin`).find((folder) => existsSync(join(folder, "initdb")));
  if (!found) throw new Error("PostgreSQL is missing (package postgresql).");
  return found;
}

/** Prepares the region of the demo in a data folder, without the demo's parcours and pictures. */
async function smallRegion(regionBinary, binary, data) {
  const run = promisify(execFile);
  mkdirSync(data, { recursive: true });
  const { stdout } = await run(regionBinary, [join(data, "demo")], { cwd: data });
  const [extract, dem] = stdout.trim().split("\n");
  await run(binary, ["network", "build", extract, "--dem", dem, "--data", data], { cwd: data, env: { PATH: process.env.PATH } });
}

/** The user who runs PostgreSQL, which refuses to run as root. */
function unprivileged() {
  if (process.getuid() !== 0) return {};
  const line = readFileSync("/etc/passwd", "utf8").split("\n").map((one) => one.split(":"));
  const [, , uid, gid] = line.find(([name]) => name === "postgres") ?? line.find(([name]) => name === "nobody");
  return { uid: Number(uid), gid: Number(gid) };
}

/** Where the files of a run are: in memory for the short form, where there is room. What a process wrote is there after its end, in memory as on a disk. */
function base(isShort) {
  const memory = "/dev/shm";
  if (!isShort || !existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 2 << 30 ? memory : tmpdir();
}

/** An address of the database that can be moved to another server; connections to the one before are cut, as a proxy does. */
async function movable(port, target) {
  const open = new Set();
  const front = net.createServer((client) => {
    const server = net.connect(target, "127.0.0.1");
    const cut = () => {
      client.destroy();
      server.destroy();
      open.delete(cut);
    };
    open.add(cut);
    for (const one of [client, server]) one.on("error", cut).on("close", cut);
    client.pipe(server).pipe(client);
  });
  await new Promise((resolve) => front.listen(port, "127.0.0.1", resolve));
  front.unref();
  const move = (to) => {
    target = to;
    for (const cut of open) cut();
  };
  return { port, move };
}

/** All machines, on ports from `port` on. Nothing runs yet but what `prepare` needs. */
export async function build({ root, binary, previous, s3Binary, regionBinary, port, plant, drainS, garageProgram, isShort, failover }) {
  const folder = mkdtempSync(join(base(isShort), "jalon-chaos-"));
  chmodSync(folder, 0o755);
  const at = (postgres) => `postgres://jalon@127.0.0.1:${postgres}/jalon`;
  const ports = { public: port, a: port + 1, b: port + 2, postgres: port + 3, s3: port + 4, mail: port + 5, services: port + 6, statistics: port + 7 };
  const log = (name) => join(folder, `${name}.log`);
  let url = at(ports.postgres);

  // The region of the demo, for both nodes, while PostgreSQL is made.
  const prepared = isShort ? smallRegion(regionBinary, binary, join(folder, "a")) : undefined;

  const programs = postgresPrograms();
  const owner = unprivileged();
  const cluster = join(folder, "postgres");
  mkdirSync(cluster);
  if (owner.uid !== undefined) chownSync(cluster, owner.uid, owner.gid);
  execFileSync(join(programs, "initdb"), ["--username=jalon", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--pgdata", cluster], { ...owner, cwd: folder, env: { LC_ALL: "C", PATH: process.env.PATH }, stdio: "ignore" });
  const settings = ["max_connections=60", "shared_buffers=64MB", "log_min_messages=fatal"];
  // A database that acknowledges commits before they are in its log: the harness has to find what is lost.
  if (plant === "lost-write") settings.push("synchronous_commit=off", "wal_buffers=64MB");
  const asOwner = (data) => ({ ...owner, cwd: data, env: { LC_ALL: "C", PATH: process.env.PATH } });
  const server = (name, data, own, more) =>
    new Process(name, log(name.toLowerCase()), () => [
      join(programs, "postgres"),
      ["-D", data, "-h", "127.0.0.1", "-k", "", "-p", String(own), ...[...settings, ...more].flatMap((setting) => ["-c", setting])],
      asOwner(data),
    ]);
  const synchronous = failover && failover !== "async" ? ["synchronous_standby_names=replica"] : [];
  const postgres = server("PostgreSQL", cluster, ports.postgres, synchronous);
  const replica = failover ? server("replica", join(folder, "replica-data"), port + 8, ["cluster_name=replica"]) : undefined;
  /** A copy of the database that follows it. */
  async function startReplica() {
    const data = join(folder, "replica-data");
    mkdirSync(data, { mode: 0o700 });
    if (owner.uid !== undefined) chownSync(data, owner.uid, owner.gid);
    execFileSync(join(programs, "pg_basebackup"), ["-h", "127.0.0.1", "-p", String(ports.postgres), "-U", "jalon", "-R", "-X", "stream", "-c", "fast", "-D", data], asOwner(data));
    replica.start();
    const follows = () => query(at(port + 8).replace(/jalon$/, "postgres"), "SELECT 1 FROM pg_stat_wal_receiver WHERE status = 'streaming'").then((rows) => rows.length === 1, () => false);
    if (!(await within(30, follows))) throw new Error(`the replica does not follow: ${readFileSync(replica.log, "utf8")}`);
  }
  // The nodes know one address of the database, which is moved to the replica.
  const address = failover === "moved" ? await movable(port + 9, ports.postgres) : undefined;
  const isDatabaseUp = () => query(url.replace(/jalon$/, "postgres"), "SELECT 1").then(() => true, () => false);

  // Garage's own servers are behind HAProxy, on the port that the one S3 server has else.
  const garage = garageProgram ? await startGarage(garageProgram, folder, port + 10) : undefined;
  const s3 = garage
    ? undefined
    : new Process("the S3 server", log("s3"), () => [s3Binary, [String(ports.s3), join(folder, "s3")], {}]);
  const access = garage ?? { region: "us-east-1", key: "GK0123456789", secret: "a secret of the tests", bucket: "jalon" };

  const key = execFileSync(binary, ["key", "new"], { encoding: "utf8", cwd: folder }).match(/[0-9a-f]{64}/)[0];
  const environment = (name) => ({
    PATH: process.env.PATH,
    JALON_DATA: join(folder, name),
    DATABASE_URL: address ? at(address.port) : url,
    JALON_SERVER_KEY: key,
    JALON_PUBLIC_URL: `http://127.0.0.1:${ports.public}`,
    JALON_TRUSTED_PROXIES: "127.0.0.1",
    JALON_BLOBS__URL: `s3://${access.bucket}/chaos`,
    JALON_BLOBS__ENDPOINT: `http://127.0.0.1:${ports.s3}`,
    JALON_BLOBS__REGION: access.region,
    JALON_BLOBS__ACCESS_KEY_ID: access.key,
    JALON_BLOBS__SECRET_ACCESS_KEY: access.secret,
    JALON_MAIL__SMTP_URL: `smtp://127.0.0.1:${ports.mail}`,
    JALON_MAIL__FROM: "jalon@chaos.example",
    JALON_SERVICES__PRIVATE_ADDRESSES: "true",
    JALON_VOICES__ESPEAK: "",
    JALON_VOICES__OPENAI_URL: `http://127.0.0.1:${ports.services}`,
    JALON_IMPORTS__PRIVATE_ADDRESSES: "true",
    JALON_IMPORTS__PAUSE_MS: "0",
    JALON_FEEDBACK__PER_HOUR: "0",
    JALON_PUBLIC_REQUESTS_A_MINUTE: "0",
    JALON_HTTP__DRAIN_S: String(drainS),
    JALON_LOG: "info",
  });
  const node = (name) => {
    mkdirSync(join(folder, name), { recursive: true });
    const made = new Process(`node ${name}`, log(name), () => [made.binary, ["serve", "--port", String(ports[name])], { env: environment(name), cwd: folder }]);
    return Object.assign(made, { id: name, port: ports[name], binary: previous ?? binary });
  };
  const nodes = [node("a"), node("b")];

  // A node that is killed gets no requests after a quarter of a second; a request whose connection is refused goes to the other one.
  const proxyFile = join(folder, "haproxy.cfg");
  writeFileSync(
    proxyFile,
    `global
    maxconn 2000
defaults
    mode http
    option forwardfor
    option http-server-close
    option redispatch 1
    retries 3
    retry-on conn-failure
    timeout connect 1s
    timeout check 5s
    timeout client 60s
    timeout server 60s
frontend public
    bind 127.0.0.1:${ports.public}
    default_backend jalon
backend jalon
    balance roundrobin
    option httpchk GET /readyz
    http-check expect status 200
    default-server check inter 250ms fall 1 rise 1
${nodes.map((one) => `    server ${one.id} 127.0.0.1:${one.port}`).join("\n")}
${garage ? `frontend s3
    bind 127.0.0.1:${ports.s3}
    default_backend garage
backend garage
    balance roundrobin
    option httpchk GET /health
    http-check expect status 200
    default-server check inter 250ms fall 1 rise 1
${garage.servers.map((one) => `    server s${one.at} ${one.address} port ${one.health}`).join("\n")}
` : ""}`,
  );
  const proxy = new Process("HAProxy", log("haproxy"), () => ["haproxy", ["-f", proxyFile], {}]);

  const place = { folder, ports, postgres, s3, garage, nodes, proxy, environment, log, isDatabaseUp };
  // While a command is waited for, the movable address does not answer.
  const runAs = (program, name, ...args) => execFileSync(program, args, { env: { ...environment(name), DATABASE_URL: url }, cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 64 << 20 });
  const isReady = async (one) => (await send(one.port, "GET", "/readyz", { timeout: 3_000 })).status === 200;
  Object.defineProperty(place, "url", { get: () => url });
  return Object.assign(place, {
    failover,
    /** The servers of PostgreSQL that send its log to the replica: their numbers. */
    senders: async () => (await query(url, "SELECT pid FROM pg_stat_replication")).map(([pid]) => Number(pid)),
    /** The replica becomes the database; what is started from now on uses it. */
    promote() {
      const data = join(folder, "replica-data");
      execFileSync(join(programs, "pg_ctl"), ["promote", "-w", "-D", data], { ...asOwner(data), stdio: "ignore" });
      url = at(port + 8);
      address?.move(port + 8);
    },
    /** A command of the binary, with the settings of a node. */
    run: (name, ...args) => runAs(binary, name, ...args),
    /** Gives a node the other binary: the previous version's or this one's. It takes effect when the node is started again. */
    changeVersion(one) {
      one.binary = one.binary === binary ? previous : binary;
      return one.binary === binary ? "this version" : "the previous version";
    },
    isUpgrade: previous !== undefined,
    /** Whether a node says that it is ready. */
    isReady,
    /** Starts everything and fills the demo. */
    async start() {
      postgres.start();
      if (!(await within(30, isDatabaseUp))) throw new Error(`PostgreSQL does not start: ${readFileSync(postgres.log, "utf8")}`);
      // Before the first commit, which waits for a synchronous replica.
      if (replica) await startReplica();
      await query(url.replace(/jalon$/, "postgres"), "CREATE DATABASE jalon");
      proxy.start();
      s3?.start();
      if (s3) await within(10, async () => (await send(ports.s3, "GET", "/")).status !== 0);
      runAs(previous ?? binary, "a", "demo", ...(isShort ? ["--people-only"] : []));
      await prepared;
      // Both nodes use the region of the demo, which no server writes to.
      const region = join(folder, "a", "region");
      if (existsSync(region)) symlinkSync(region, join(folder, "b", "region"));
      for (const one of nodes) one.start();
      for (const one of nodes) {
        if (!(await within(90, () => isReady(one)))) throw new Error(`${one.name} does not start: ${readFileSync(one.log, "utf8").slice(-3000)}`);
      }
      if (!(await within(20, async () => (await send(ports.public, "GET", "/livez")).status === 200))) throw new Error(`HAProxy does not answer: ${readFileSync(proxy.log, "utf8")}`);
      // What is acknowledged from now on stays in the memory of PostgreSQL until it is killed.
      if (plant === "lost-write") for (const [pid] of await query(url, "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'")) process.kill(Number(pid), "SIGSTOP");
    },
    /** Processes that ended although this program did not end them. */
    get deaths() {
      return [postgres, replica, s3, proxy, ...nodes].map((one) => one?.diedAlone).filter(Boolean);
    },
    async stop({ keep }) {
      await Promise.all(nodes.map((one) => one.end("SIGTERM", 35)));
      await proxy.end("SIGKILL");
      await s3?.end("SIGKILL");
      garage?.stop();
      await Promise.all([postgres, replica].map((one) => one?.end("SIGQUIT")));
      if (keep) console.log(`Kept: ${folder}`);
      else rmSync(folder, { recursive: true, force: true });
    },
    /** When the harness itself is stopped: nothing of it stays. */
    abandon() {
      for (const one of [proxy, s3, ...nodes]) one?.child?.kill("SIGKILL");
      garage?.stop();
      for (const one of [postgres, replica]) one?.child?.kill("SIGQUIT");
      if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
    },
    wait,
  });
}
