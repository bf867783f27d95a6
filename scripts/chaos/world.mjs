// What the workers of the harness share: sessions, requests that are recorded, failures that were made, and which of the failed
// requests a failure explains.
import { json, query, send, wait } from "./tools.mjs";

const ACCOUNT = { email: "superadmin@demo.jalon.example", password: "balise-jaune-2026" };
/** How long after the end of an outage of the database nodes may still answer 503: their probe is asked once a second. */
const AFTER_DATABASE_MS = 2_500;
/** The same for the bucket: a request to it is tried for 10 s. */
const AFTER_BUCKET_MS = 12_000;
/** The same in the short form, which runs on busy machines: it judges what is lost or done twice. */
const AFTER_SHORT_MS = 20_000;
/** Between the moment that a signal is sent and the moment that the harness sees a connection cut. */
const SLACK_MS = 250;

export class World {
  constructor(place, random, isShort) {
    Object.assign(this, { place, random, isShort, over: false, isSettled: false, failures: [], troubles: [], counts: {}, findings: [], staleness: { session: [], publication: [], list: [] } });
    this.addresses = 0;
    this.acked = { saves: [], creates: [], bulks: [], uploads: [], batches: [], translations: [], voices: [], imports: [], reviews: [] };
  }

  /** An address of a client in the networks for documentation: limits count each worker apart. */
  address() {
    this.addresses += 1;
    return `203.0.${113 + Math.floor(this.addresses / 250)}.${(this.addresses % 250) + 1}`;
  }

  /** Ends the claims of a killed node on uploads: it had the only request for each of them. */
  async forgetUploadsOf(node) {
    const cut = this.acked.uploads.filter((upload) => upload.cutBy === node);
    for (const upload of cut) upload.cutBy = undefined;
    const tokens = cut.map((upload) => `'${upload.token}'`).join(", ");
    if (tokens) await this.sql(`UPDATE upload SET finishing_until = 0 WHERE media_id IS NULL AND token IN (${tokens})`);
  }

  /** A number from the running number of a kind: unique in a run. */
  next(kind) {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    return this.counts[kind];
  }

  /**
   * Sends a request through HAProxy, or to one node (`to`), and records it. `fine`: statuses that are as they should be; others are
   * judged at the end.
   */
  async ask(group, method, path, { to, fine = [], headers = {}, body, timeout } = {}) {
    const port = to ? to.port : this.place.ports.public;
    const answer = await send(port, method, path, { headers, body, timeout });
    answer.isFine = (answer.status >= 200 && answer.status < 400) || fine.includes(answer.status);
    this.next(`asked: ${group}`);
    if (!answer.isFine) {
      const { code, request_id: request } = json(answer);
      const { status, error, sentAt, endedAt } = answer;
      this.troubles.push({ group, method, path, status, code, error, request, sentAt, endedAt, node: to?.id });
    }
    return answer;
  }

  /** A person's session, for JSON requests. `undefined` where one could not be opened. */
  async signIn({ to, group = "sign-in" } = {}) {
    const address = this.address();
    const headers = { "content-type": "application/json", "x-forwarded-for": address };
    // One account signs in for all: a try whose answer was cut counts as a failure, and the account waits for a while.
    const answer = await this.ask(group, "POST", "/api/v1/session", { to, headers, fine: [429], body: JSON.stringify(ACCOUNT) });
    if (answer.status !== 200) return undefined;
    const cookie = answer.headers["set-cookie"].map((one) => one.split(";")[0]).join("; ");
    return new Session(this, cookie, address);
  }

  /** The same, tried until it succeeds. One after the other: tries at the same time count as failures until they are judged. */
  signedIn() {
    const next = async () => {
      for (;;) {
        const session = await this.signIn();
        if (session) return session;
        await wait(500);
      }
    };
    this.turn = (this.turn ?? Promise.resolve()).then(next);
    return this.turn;
  }

  /** What explains a failed request: `cut` by a kill, `away` while something was away; else `failed`. */
  judge({ status, code, sentAt, endedAt, node }) {
    const during = (failure, after = SLACK_MS) => failure.at - SLACK_MS <= endedAt && (failure.backAt ?? Infinity) + after >= sentAt;
    // On a busy machine it takes a moment until a process that was killed has ended.
    const happened = (failure) => failure.at - SLACK_MS <= endedAt && failure.at + (failure.tookMs ?? 0) + SLACK_MS >= sentAt;
    const nodes = this.failures.filter((failure) => failure.what === "node" && (!node || failure.id === node));
    if ([0, 502, 504].includes(status) && nodes.some((failure) => failure.how === "SIGKILL" && happened(failure))) return "cut";
    // Who asks one node alone knows that it is down.
    if (status === 0 && node && nodes.some((failure) => during(failure))) return "away";
    // Three servers of Garage on a busy machine may take longer to do without one of them than a request is tried for.
    const ofBucket = this.isShort ? ["bucket", "storage server"] : ["bucket"];
    const [database, bucket] = [["database"], ofBucket].map((kinds) => this.failures.filter((failure) => kinds.includes(failure.what)));
    if (status === 503 && (code === undefined || code === "database/unavailable") && database.some((failure) => during(failure, this.isShort ? AFTER_SHORT_MS : AFTER_DATABASE_MS))) return "away";
    if (status === 503 && code === "storage/unavailable" && bucket.some((failure) => during(failure, this.isShort ? AFTER_SHORT_MS : AFTER_BUCKET_MS))) return "away";
    return "failed";
  }

  /** Whether work between two moments was under way when a node was killed, or the database or the bucket ended. */
  inFlight(from, to) {
    return this.failures.some(({ what, how, at, tookMs = 0 }) => (["database", "bucket"].includes(what) || (what === "node" && how === "SIGKILL")) && at + tookMs >= from - SLACK_MS && at <= to + 2_000);
  }

  sql(text) {
    return query(this.place.url, text);
  }
}

export class Session {
  constructor(world, cookie, address) {
    Object.assign(this, { world, cookie, address });
  }

  /** Sends JSON, or bytes; anything that is not `fine` is recorded. */
  ask(group, method, path, { body, headers = {}, ...more } = {}) {
    const isBytes = Buffer.isBuffer(body);
    const all = { cookie: this.cookie, "x-forwarded-for": this.address, ...headers };
    if (body !== undefined && !isBytes) all["content-type"] = "application/json";
    const sent = body === undefined || isBytes ? body : JSON.stringify(body);
    if (sent !== undefined) all["content-length"] = Buffer.byteLength(sent);
    return this.world.ask(group, method, path, { ...more, headers: all, body: sent });
  }

  /** Repeats a request until the answer is a success; `undefined` after a number of seconds. */
  async insist(group, method, path, options = {}, seconds = 60) {
    const until = Date.now() + seconds * 1000;
    while (Date.now() < until) {
      const answer = await this.ask(group, method, path, options);
      if (answer.status >= 200 && answer.status < 300) return answer;
      await wait(200);
    }
    return undefined;
  }
}
