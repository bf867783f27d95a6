// What was acknowledged is compared with what is there. Each check is a row of the table: what, how many, the bound, what was found.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pictureName, trekName } from "./stubs.mjs";
import { forEach, json, namesInZip, send, sha256 } from "./tools.mjs";

/** The hourly jobs and schedules: they always wait. */
const FOREVER = ["trace_check", "campaign_mails", "erase_expired", "transport_refresh", "import_refresh", "sit_refresh", "blob_sweep"];
const SHOWN = 12;

class Table {
  rows = [];

  /** `faults`: a list of sentences; more than `most` of them break the bound. */
  row(name, count, faults, { most = 0, note = "" } = {}) {
    this.rows.push({ name, count, found: faults.length, most, note, faults, isOk: faults.length <= most });
  }

  /** A measured figure with an upper bound; one that is only shown needs to be measured. */
  figure(name, count, found, most, unit, { isShownOnly = false } = {}) {
    const isWithin = found <= most;
    const note = isShownOnly && !isWithin ? "beyond the bound; the short form does not judge times" : "";
    this.rows.push({ name, count, found: `${found} ${unit}`, most: `${most} ${unit}`, note, faults: [], isOk: count > 0 && (isWithin || isShownOnly) });
  }

  print() {
    const cells = [["what", "of", "found", "bound", "", ""], ...this.rows.map((row) => [row.name, String(row.count), String(row.found), String(row.most), row.isOk ? "ok" : "BROKEN", row.note])];
    const width = [0, 1, 2, 3, 4].map((at) => Math.max(...cells.map((line) => line[at].length)));
    for (const line of cells) console.log(line.map((cell, at) => (at === 0 || at > 3 ? cell.padEnd(width[at] ?? 0) : cell.padStart(width[at]))).join("  ").trimEnd());
    for (const { name, faults, isOk } of this.rows) {
      if (!isOk) for (const fault of faults.slice(0, SHOWN)) console.log(`  ${name}: ${fault}`);
    }
  }

  get isOk() {
    return this.rows.every((row) => row.isOk);
  }
}

/** The last attempt that was acknowledged, and what may be there instead: later ones whose outcome is not known. */
function allowed(attempts) {
  const last = attempts.findLastIndex((attempt) => attempt.state === "acknowledged");
  const later = attempts.slice(last + 1).filter((attempt) => attempt.state === "unknown");
  return { last: attempts[last]?.value, values: [attempts[last]?.value, ...later.map((attempt) => attempt.value)].filter(Boolean) };
}

/** Waits until no unfinished job is left; returns those that are left if none of them changes for this many seconds. */
export async function settled(world, seconds) {
  const names = FOREVER.map((name) => `'${name}'`).join(", ");
  const left = () => world.sql(`SELECT id, kind, state, attempts, COALESCE(reason, '') FROM job WHERE state IN ('waiting', 'running') AND kind NOT IN (${names}) ORDER BY id`);
  let until = Date.now() + seconds * 1000;
  let before = "";
  for (;;) {
    const rows = await left();
    const now = JSON.stringify(rows);
    if (now !== before) until = Date.now() + seconds * 1000;
    before = now;
    if (rows.length === 0 || Date.now() > until) return rows;
    await new Promise((wake) => setTimeout(wake, 500));
  }
}

export async function check(world, { services, mail, left, plant }) {
  const table = new Table();
  const session = await world.signedIn();
  const get = async (path, most = 5) => {
    for (let tries = 0; ; tries++) {
      const answer = await send(world.place.ports.public, "GET", path, { headers: { cookie: session.cookie, "x-forwarded-for": session.address } });
      if ((answer.status > 0 && answer.status < 500) || tries === most) return answer;
    }
  };
  const all = async (path) => {
    const items = [];
    for (let page = 1; ; page++) {
      const answer = json(await get(`${path}&per_page=100&page=${page}`));
      items.push(...(answer.items ?? []));
      if ((answer.items ?? []).length < 100) return items;
    }
  };

  // Acknowledged writes.
  const lost = [];
  let acknowledged = 0;
  for (const { id, attempts } of world.acked.saves) {
    const shown = json(await get(`/api/v1/parcours/${id}`));
    const { last, values } = allowed(attempts);
    if (last && !values.includes(shown.subtitle?.fr)) lost.push(`parcours ${id} has "${shown.subtitle?.fr}", acknowledged was "${last}"`);
    const saved = attempts.filter((attempt) => attempt.state === "acknowledged");
    acknowledged += saved.length;
    await forEach(saved, async ({ value, version }) => {
      const revision = json(await get(`/api/v1/parcours/${id}/revisions/${version}`));
      if (revision.parcours?.subtitle?.fr !== value) lost.push(`version ${version} of parcours ${id} is not "${value}"`);
    });
  }
  table.row("saves: acknowledged, lost", acknowledged, lost);
  const titles = new Map();
  for (const item of await all("/api/v1/parcours?progress=any&search=Cr%C3%A9ation")) titles.set(item.title.fr, [...(titles.get(item.title.fr) ?? []), item.id]);
  const creates = world.acked.creates;
  table.row("creates: acknowledged, lost", creates.filter((one) => one.id).length, creates.filter((one) => one.id && !titles.get(one.title)?.includes(one.id)).map((one) => `${one.title} (${one.id})`));
  table.row("creates: made twice", creates.length, creates.filter((one) => (titles.get(one.title) ?? []).length > 1).map((one) => one.title));
  const wrong = [];
  for (const { ids, attempts } of world.acked.bulks) {
    const { last, values } = allowed(attempts);
    for (const id of ids) {
      const { copyright } = json(await get(`/api/v1/parcours/${id}`));
      if (last && !values.includes(copyright)) wrong.push(`parcours ${id} has "${copyright}", acknowledged was "${last}"`);
    }
  }
  table.row("changes at once: acknowledged, lost", world.acked.bulks.flatMap((one) => one.attempts).filter((one) => one.state === "acknowledged").length, wrong);

  // Uploads, and what is made of them.
  const medias = await all("/api/v1/medias?search=chaos");
  const named = new Map();
  for (const media of medias) named.set(media.file_name, [...(named.get(media.file_name) ?? []), media]);
  if (plant === "lost-file") execFileSync("sh", ["-c", 'rm -f "$(find "$1" -type f -path "*/media/*" | head -1)"', "sh", join(world.place.folder, "s3", "jalon")]);
  const uploads = world.acked.uploads;
  const faults = { lost: [], twice: [], sizes: [] };
  await forEach(uploads, async (upload) => {
    const found = named.get(upload.name) ?? [];
    if (found.length > 1) faults.twice.push(upload.name);
    if (!upload.media) {
      faults.lost.push(`${upload.name} was not done within the time`);
      return;
    }
    const media = json(await get(`/api/v1/medias/${upload.media}`));
    if (media.state !== "ready") faults.sizes.push(`${upload.name} is ${media.state}`);
    const bytes = media.url ? (await get(media.url)).body : Buffer.alloc(0);
    if (sha256(bytes) !== upload.sha256) faults.lost.push(`${upload.name} has other bytes than were sent`);
    for (const url of [media.thumb_url, media.file_url].filter(Boolean)) {
      const { status } = await get(url);
      if (status !== 200) faults.sizes.push(`${upload.name}: ${url} is ${status}`);
    }
  });
  table.row("uploads in pieces: lost or with other bytes", uploads.length, faults.lost);
  table.row("uploads: made into two media", uploads.length, faults.twice);
  table.row("sizes of pictures: missing", uploads.length, faults.sizes);

  // Roadbooks.
  const books = [];
  for (const batch of world.acked.batches) {
    const { state, printed } = batch.state ?? {};
    if (state !== "done" || printed !== batch.wanted) {
      books.push(`batch ${batch.id} is ${state}, ${printed} of ${batch.wanted} printed: ${JSON.stringify(batch.state?.refused)}`);
      continue;
    }
    const file = await get(`/api/v1/roadbook-batches/${batch.id}/file`);
    const names = new Set(namesInZip(file.body));
    if (file.status !== 200 || names.size !== batch.wanted) books.push(`the file of batch ${batch.id} is ${file.status} with ${names.size} of ${batch.wanted}`);
  }
  table.row("roadbook batches: lost or not whole", world.acked.batches.length, books);

  // What is paid.
  const unfinished = [];
  for (const { id, ids, state } of world.acked.translations) {
    if (state?.state !== "done") unfinished.push(`translation ${id} is ${state?.state} ${JSON.stringify(state?.failure)}`);
    else await forEach(ids, async (one) => {
      if (!json(await get(`/api/v1/parcours/${one}`)).description?.en) unfinished.push(`parcours ${one} of translation ${id} has no English`);
    });
  }
  table.row("translations: lost", world.acked.translations.length, unfinished);
  const unread = [];
  await forEach(world.acked.voices, async ({ id, state }) => {
    if (state?.job?.state !== "done") unread.push(`the reading of parcours ${id} is ${state?.job?.state} ${JSON.stringify(state?.job?.failure)}`);
    for (const { url, story } of state?.sounds ?? []) {
      const { status } = url ? await get(url) : { status: "missing" };
      if (status !== 200) unread.push(`the sound "${story}" of parcours ${id} is ${status}`);
    }
  });
  table.row("readings aloud: lost", world.acked.voices.length, unread);
  for (const [name, calls] of [["sentences paid twice", services.sentences], ["texts read aloud twice", services.readings]]) {
    if (plant === "paid-twice") {
      const quiet = calls.subjects.find(([, [first]]) => !world.inFlight(first.from, first.to ?? first.from));
      if (quiet) calls.begin(quiet[0]);
    }
    const [twice, inFlight] = [[], []];
    for (const [subject, list] of calls.subjects) {
      for (let at = 1; at < list.length; at++) {
        const before = list[at - 1];
        const until = before.to ?? before.from + 1_000;
        (world.inFlight(before.from, until) ? inFlight : twice).push(`"${subject}" at ${new Date(before.from).toISOString()} and ${new Date(list[at].from).toISOString()}`);
      }
    }
    table.row(name, calls.subjects.length, twice, { note: `${inFlight.length} more were under way at a kill` });
  }

  // Imports.
  const imported = new Map();
  for (const item of await all(`/api/v1/parcours?progress=any&search=${encodeURIComponent("Itinéraire numéro")}`)) imported.set(item.title.fr, (imported.get(item.title.fr) ?? 0) + 1);
  const missing = [];
  const again = [];
  for (const { id, number, treks, state } of world.acked.imports) {
    if (state?.state !== "done") missing.push(`run ${id} is ${state?.state} ${JSON.stringify(state?.failure)}`);
    for (let trek = 1; trek <= treks; trek++) {
      const count = imported.get(trekName(number, trek)) ?? 0;
      if (state?.state === "done" && count === 0) missing.push(trekName(number, trek));
      if (count > 1) again.push(`${trekName(number, trek)}: ${count}`);
      const pictures = (named.get(pictureName(number, trek)) ?? []).length;
      if (state?.state === "done" && pictures === 0) missing.push(pictureName(number, trek));
      if (pictures > 1) again.push(`${pictureName(number, trek)}: ${pictures}`);
    }
  }
  table.row("imported routes and pictures: lost", world.acked.imports.reduce((sum, one) => sum + one.treks * 2, 0), missing);
  table.row("imported routes and pictures: made twice", imported.size, again);

  // Mails.
  const received = new Map();
  for (const one of mail.mails) received.set(one.to, [...(received.get(one.to) ?? []), one]);
  const reviews = world.acked.reviews;
  table.row("mails: lost", reviews.filter((one) => one.isAcked).length, reviews.filter((one) => one.isAcked && !received.has(one.email)).map((one) => one.email), { note: `the mail server refused ${mail.refused} connections` });
  const [twice, inFlight] = [[], []];
  for (const [to, list] of received) {
    for (let at = 1; at < list.length; at++) (world.inFlight(list[at - 1].from, list[at - 1].at) ? inFlight : twice).push(`${to} at ${list.map((one) => new Date(one.at).toISOString()).join(" and ")}`);
  }
  table.row("mails: sent twice", mail.mails.length, twice, { note: `${inFlight.length} more were under way at a kill` });

  // Jobs.
  table.row("jobs: not ended", Number((await world.sql("SELECT COUNT(*) FROM job"))[0][0]), left.map((row) => row.join(" ")));
  const dead = await world.sql("SELECT id, kind, attempts, COALESCE(reason, '') FROM job WHERE state = 'dead'");
  table.row("jobs: given up", 0, dead.map((row) => row.join(" ")));

  // Requests.
  const judged = { cut: [], away: [], failed: [] };
  for (const trouble of world.troubles) judged[world.judge(trouble)].push(trouble);
  const groups = (wanted) => (trouble) => (trouble.group === "public reads") === wanted;
  // One of each kind first, so that a table of a few lines shows them all.
  const seen = {};
  for (const trouble of judged.failed) {
    const kind = `${trouble.group} ${trouble.method} ${trouble.status} ${trouble.code}`;
    trouble.rank = seen[kind] = (seen[kind] ?? 0) + 1;
  }
  judged.failed.sort((a, b) => a.rank - b.rank);
  const words = (trouble) => `${new Date(trouble.sentAt).toISOString()} ${trouble.group} ${trouble.method} ${trouble.path} ${trouble.node ? `at node ${trouble.node}` : ""}: ${trouble.status} ${trouble.code ?? trouble.error ?? ""} ${trouble.request ?? ""}`;
  const note = (wanted) => `${judged.cut.filter(groups(wanted)).length} more were cut by a kill, ${judged.away.filter(groups(wanted)).length} came while the database or the bucket was away`;
  const asked = Object.entries(world.counts).filter(([name]) => name.startsWith("asked: "));
  const reads = world.counts["asked: public reads"] ?? 0;
  table.row("public reads: failed", reads, judged.failed.filter(groups(true)).map(words), { note: note(true) });
  table.row("other requests: failed", asked.reduce((sum, [, count]) => sum + count, 0) - reads, judged.failed.filter(groups(false)).map(words), { note: note(false) });

  // Staleness between nodes: the last stale answer was asked for so long after the change was acknowledged.
  for (const [kind, name] of [["session", "ended sessions"], ["publication", "publications"], ["list", "lists"]]) {
    const found = world.staleness[kind];
    table.figure(`${name}: longest stale`, found.length, Math.max(0, ...found), 1_000, "ms", { isShownOnly: world.isShort });
  }

  // Files. Leftovers of runs that were killed are orphans; nothing that is needed may be missing, before and after they are deleted.
  const blobs = (...args) => {
    try {
      return world.place.run("a", "blobs", ...args);
    } catch (error) {
      return `${error.stdout}${error.stderr}`;
    }
  };
  const verified = (words) => /(\d+) of (\d+) blobs are missing/.exec(words) ?? [words, "?", "0"];
  const before = blobs("verify");
  table.row("files: missing", Number(verified(before)[2]), verified(before)[1] === "0" ? [] : before.split("\n").filter((line) => line.startsWith("missing")).concat(before.split("\n").slice(-2)));
  if (world.place.s3) {
    // As if eight days had passed since each file was written.
    execFileSync("find", [join(world.place.folder, "s3"), "-type", "f", "-exec", "touch", "-d", "8 days ago", "{}", "+"]);
    const orphans = blobs("sweep", "--delete", "--all");
    const [, count] = /(\d+) orphans deleted/.exec(orphans) ?? [];
    const more = blobs("sweep");
    const after = blobs("verify");
    const rest = [];
    if (count === undefined) rest.push(orphans);
    if (!/^0 orphans/m.test(more)) rest.push(more);
    if (verified(after)[1] !== "0") rest.push(after);
    for (const upload of uploads.filter((one) => one.media)) {
      const media = json(await get(`/api/v1/medias/${upload.media}`));
      if ((await get(media.url)).status !== 200) rest.push(`${upload.name} was deleted with the orphans`);
    }
    table.row("files: orphans left after the sweep, or needed ones deleted", Number(count ?? 0), rest, { note: "of: orphans found and deleted" });
  }

  // The logs.
  const panics = world.place.nodes.flatMap((node) => readFileSync(node.log, "utf8").split("\n").filter((line) => /panicked/.test(line)));
  table.row("panics in the logs", world.place.nodes.length, panics);
  table.row("processes that ended by themselves", world.failures.length, world.place.deaths);
  table.row("other findings", 0, world.findings);
  return table;
}
