// Kills nodes, the database and the bucket, one after the other, in an order that the seed gives; or only stops nodes, each of which starts
// again with the other of two versions.
import { wait, within } from "./tools.mjs";

const UPGRADES = ["change a", "change b"];
const FAILURES = ["kill a", "kill b", "stop a", "stop b", "database crash", "database restart", "bucket", "kill a", "kill b"];

function shuffled(random, list) {
  const rest = [...list];
  const out = [];
  while (rest.length > 0) out.push(...rest.splice(Math.floor(random.next() * rest.length), 1));
  return out;
}

/** Makes failures until `until`, and waits after each until both nodes are ready again. */
export async function fail(world, random, until, say) {
  const { place } = world;
  let left = [];
  while (Date.now() < until) {
    await wait(random.between(1_500, 4_500));
    if (Date.now() >= until) return;
    if (left.length === 0) left = shuffled(random, place.isUpgrade ? UPGRADES : FAILURES);
    const [kind, id] = left.pop().split(" ");
    const failure = { at: Date.now(), backAt: undefined };
    world.failures.push(failure);
    const down = random.between(200, 2_500);
    if (kind === "kill" || kind === "stop" || kind === "change") {
      const node = place.nodes.find((one) => one.id === id);
      Object.assign(failure, { what: "node", id, how: kind === "kill" ? "SIGKILL" : "SIGTERM" });
      await node.end(failure.how, 30);
      failure.tookMs = Date.now() - failure.at;
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

/** The mail server refuses for a while, again and again. */
export async function refuseMails(mail, random, until, refusalMs) {
  while (Date.now() < until) {
    await wait(random.between(4_000, 12_000));
    if (Date.now() >= until) break;
    mail.refuses = true;
    await wait(Math.max(0, Math.min(refusalMs, until - Date.now())));
    mail.refuses = false;
  }
  mail.refuses = false;
}
