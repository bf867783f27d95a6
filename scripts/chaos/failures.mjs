// Kills nodes, the database and the bucket, one after the other, in an order that the seed gives; or only stops nodes, each of which starts
// again with the other of two versions.
import { wait, within } from "./tools.mjs";

const UPGRADES = ["change a", "change b"];
const FAILURES = ["kill a", "kill b", "stop a", "stop b", "database crash", "database restart", "bucket", "kill a", "kill b"];
/** One of each kind. */
const SHORT = ["kill a", "kill b", "stop a", "database crash", "bucket"];

function shuffled(random, list) {
  const rest = [...list];
  const out = [];
  while (rest.length > 0) out.push(...rest.splice(Math.floor(random.next() * rest.length), 1));
  return out;
}

/** Makes failures until `until`, in the short form one of each kind; waits after each until both nodes are ready again. */
export async function fail(world, random, until, say) {
  const { place } = world;
  let left = world.isShort ? shuffled(random, SHORT) : [];
  while (world.isShort || Date.now() < until) {
    await wait(world.isShort ? random.between(1_500, 3_000) : random.between(1_500, 4_500));
    if (world.isShort ? left.length === 0 : Date.now() >= until) return;
    if (left.length === 0) left = shuffled(random, place.isUpgrade ? UPGRADES : FAILURES);
    const [kind, id] = left.pop().split(" ");
    const failure = { at: Date.now(), backAt: undefined };
    world.failures.push(failure);
    const down = world.isShort ? random.between(200, 1_200) : random.between(200, 2_500);
    if (kind === "kill" || kind === "stop" || kind === "change") {
      const node = place.nodes.find((one) => one.id === id);
      Object.assign(failure, { what: "node", id, how: kind === "kill" ? "SIGKILL" : "SIGTERM" });
      await node.end(failure.how, 30);
      failure.tookMs = Date.now() - failure.at;
      if (world.isShort && kind === "kill") await world.forgetUploadsOf(node);
      if (kind === "change") failure.to = place.changeVersion(node);
      await wait(down);
      node.start();
    } else if (kind === "database") {
      Object.assign(failure, { what: "database", how: id });
      await place.postgres.end(id === "crash" ? "SIGQUIT" : "SIGINT", 30);
      failure.tookMs = Date.now() - failure.at;
      await wait(down);
      place.postgres.start();
      await within(60, place.isDatabaseUp, 50);
      failure.backAt = Date.now();
    } else if (place.garage) {
      // Two of three answer for all: this failure explains no failed request.
      const server = random.pick(place.garage.servers);
      Object.assign(failure, { what: "storage server", id: String(server.at), how: "SIGKILL" });
      place.garage.kill(server);
      await wait(down);
      place.garage.start(server);
      failure.backAt = Date.now();
      // Two of three must agree: the next one is killed only once this one is connected again.
      await place.garage.isWhole();
    } else {
      Object.assign(failure, { what: "bucket", how: "SIGKILL" });
      await place.s3.end("SIGKILL");
      failure.tookMs = Date.now() - failure.at;
      await wait(down);
      place.s3.start();
      failure.backAt = Date.now();
    }
    const ready = await within(90, async () => (await Promise.all(place.nodes.map(place.isReady))).every(Boolean));
    failure.readyAt = Date.now();
    failure.backAt ??= failure.readyAt;
    if (!ready) world.findings.push(`after "${kind} ${id ?? ""}" a node was not ready within 90 s`);
    say(`${failure.what} ${failure.id ?? ""} ${failure.how}${failure.to ? `, ${failure.to}` : ""}: away ${((failure.backAt - failure.at) / 1000).toFixed(1)} s, all ready after ${((failure.readyAt - failure.at) / 1000).toFixed(1)} s`);
  }
}

/**
 * The database is lost for good and its replica takes its place, as docs/operate says: the network between both stalls, the database is killed, the
 * replica is promoted, and the nodes are started again with its address, or go on where their address of the database is moved. Then some more load.
 */
export async function failOver(world, say) {
  const { place } = world;
  await wait(10_000);
  const failure = { what: "database", how: "failover", at: Date.now(), backAt: undefined };
  world.failures.push(failure);
  // Stopped, they send nothing: what is acknowledged from here on is nowhere but in the database that is about to be lost.
  for (const pid of await place.senders()) process.kill(pid, "SIGSTOP");
  await wait(2_000);
  const since = () => ((Date.now() - failure.at - 2_000) / 1000).toFixed(1);
  await place.postgres.end("SIGQUIT", 30);
  say(`the database is gone (${since()} s)`);
  place.promote();
  say(`the replica is promoted (${since()} s)`);
  // All at once: none of them works without the database.
  const restart = async (node) => {
    const stop = { what: "node", id: node.id, how: "SIGTERM", at: Date.now(), backAt: undefined };
    world.failures.push(stop);
    await node.end(stop.how, 35);
    say(`${node.name} has ended (${since()} s)`);
    node.start();
    if (!(await within(90, () => place.isReady(node)))) world.findings.push(`${node.name} was not ready within 90 s over the replica`);
    stop.backAt = Date.now();
    say(`${node.name} is ready over the replica (${since()} s)`);
  };
  if (place.failover === "moved") {
    const answers = async () => (await Promise.all(place.nodes.map(place.isReady))).every(Boolean);
    if (!(await within(90, answers, 50))) world.findings.push("the nodes were not ready within 90 s over the replica");
    say(`both nodes are ready over the replica (${since()} s)`);
  } else {
    await Promise.all(place.nodes.map(restart));
  }
  failure.backAt = failure.readyAt = Date.now();
  await wait(10_000);
}

/**
 * For the short form: what a killed process left is free at once, not after a minute when its leases run out; and once the load is over,
 * what waits for another try is tried at once.
 */
export async function passTime(world) {
  while (!world.isSettled) {
    await wait(500);
    const dead = world.place.nodes.flatMap((node) => node.killed).join("|");
    const statements = [];
    if (dead) statements.push(`UPDATE job SET lease_until = 0 WHERE state = 'running' AND lease_until > 0 AND node ~ ':(${dead})(\\D|$)'`);
    if (world.over) statements.push("UPDATE job SET run_after = 0 WHERE state = 'waiting' AND run_after > 0 AND reason IS NOT NULL");
    // The database may be away.
    for (const sql of statements) await world.sql(sql).catch(() => {});
  }
}

/** The mail server refuses for a while, again and again. */
export async function refuseMails(world, mail, random, until, refusalMs) {
  while (Date.now() < until) {
    await wait(random.between(4_000, 12_000));
    if (Date.now() >= until || world.over) break;
    mail.refuses = true;
    await wait(Math.max(0, Math.min(refusalMs, until - Date.now())));
    mail.refuses = false;
  }
  mail.refuses = false;
}
