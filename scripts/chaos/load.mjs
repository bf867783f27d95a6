// The mixed load: each worker does one kind of work until the load is over, finishes what it began, and notes what was acknowledged.
import { json, ownJpeg, sha256, wait, within } from "./tools.mjs";

/** How long a worker waits for work that it began, in seconds. */
const WORK_TIMEOUT_S = 150;

const title = (words) => ({ title: { fr: words } });

/** A new parcours; tried until one is acknowledged. */
async function parcours(session, sheet, group = "creates") {
  const answer = await session.insist(group, "POST", "/api/v1/parcours", { body: sheet });
  if (!answer) throw new Error("no parcours could be made");
  return json(answer).id;
}

/** Saves its own parcours with If-Match, and creates others. */
export async function editor(world, number) {
  const session = await world.signedIn();
  const own = [];
  for (let at = 0; at < 4; at++) own.push({ id: await parcours(session, title(`Atelier ${number}-${at}`)), attempts: [] });
  world.acked.saves.push(...own);
  while (!world.over) {
    const one = own[world.next(`editor ${number}`) % own.length];
    const path = `/api/v1/parcours/${one.id}`;
    const shown = await session.ask("editors' reads", "GET", path);
    if (shown.status === 200) {
      const attempt = { value: `Valeur ${number}-${world.next("save")}`, state: "unknown" };
      one.attempts.push(attempt);
      const saved = await session.ask("saves", "PATCH", path, { body: { subtitle: { fr: attempt.value } }, headers: { "if-match": shown.headers.etag }, fine: [412] });
      if (saved.status === 200) Object.assign(attempt, { state: "acknowledged", version: json(saved).version });
      if (saved.status === 412) attempt.state = "refused";
    }
    if (world.next(`editor ${number} turn`) % 4 === 0) {
      const words = `Création ${world.next("create")}`;
      const made = await session.ask("creates", "POST", "/api/v1/parcours", { body: title(words) });
      world.acked.creates.push({ title: words, id: made.status === 201 ? json(made).id : undefined });
    }
    await wait(60);
  }
}

/** Changes several parcours at once. */
export async function bulk(world) {
  const session = await world.signedIn();
  const ids = [];
  for (let at = 0; at < 4; at++) ids.push(await parcours(session, title(`Ensemble ${at}`)));
  const own = { ids, attempts: [] };
  world.acked.bulks.push(own);
  while (!world.over) {
    const attempt = { value: `Droits ${world.next("bulk")}`, state: "unknown" };
    own.attempts.push(attempt);
    const done = await session.ask("bulk", "POST", "/api/v1/parcours/bulk", { body: { ids, action: "set_copyright", value: attempt.value, dry_run: false } });
    if (done.status === 200) {
      attempt.state = "acknowledged";
      const { applied } = json(done);
      if (applied !== ids.length) world.findings.push(`a change of ${ids.length} parcours at once was applied to ${applied}: ${done.body.toString().slice(0, 300)}`);
    }
    await wait(400);
  }
}

/** Sends pictures in pieces, each piece to the other node than the one before. */
export async function uploader(world, number, picture) {
  const session = await world.signedIn();
  const { nodes } = world.place;
  while (!world.over) {
    const name = `chaos-upload-${world.next("upload")}.jpg`;
    const bytes = ownJpeg(picture, name);
    let turn = world.next("piece");
    const other = () => nodes[++turn % nodes.length];
    const tus = { "tus-resumable": "1.0.0" };
    const metadata = `filename ${Buffer.from(name).toString("base64")}`;
    const announced = await session.ask("uploads", "POST", "/api/v1/uploads", { to: other(), headers: { ...tus, "upload-length": String(bytes.length), "upload-metadata": metadata } });
    if (announced.status !== 201) {
      await wait(200);
      continue;
    }
    const place = announced.headers.location;
    // `cutBy`: the node that was killed while it had a request for it.
    const upload = { name, sha256: sha256(bytes), began: Date.now(), media: undefined, token: place.split("/").pop(), cutBy: undefined };
    const ask = async (method, fine, options) => {
      const node = other();
      const answer = await session.ask("uploads", method, place, { to: node, fine, ...options });
      if (answer.status === 0 && answer.error !== "ECONNREFUSED") upload.cutBy = node;
      return answer;
    };
    world.acked.uploads.push(upload);
    const piece = Math.ceil(bytes.length / 5);
    let offset = 0;
    await within(WORK_TIMEOUT_S, async () => {
      if (offset === undefined) {
        const known = await ask("HEAD", [], { headers: tus });
        if (known.status !== 200) return false;
        offset = Number(known.headers["upload-offset"]);
      }
      if (offset < bytes.length) {
        const headers = { ...tus, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
        const sent = await ask("PATCH", [409, 423], { headers, body: bytes.subarray(offset, offset + piece) });
        offset = sent.status === 204 ? Number(sent.headers["upload-offset"]) : undefined;
        return false;
      }
      const state = json(await ask("GET", [], {}));
      if (state.state === "refused") world.findings.push(`an upload was refused: ${JSON.stringify(state.problem)}`);
      upload.media = state.media_id ?? undefined;
      return state.state === "done" || state.state === "refused";
    }, 60);
    upload.tookMs = Date.now() - upload.began;
    await wait(1_500);
  }
}

/** Asks for batches of roadbooks, and takes them away. */
export async function printer(world) {
  const session = await world.signedIn();
  const ids = [];
  for (let at = 0; at < 3; at++) ids.push(await parcours(session, { title: { fr: `Carnet ${at}` }, summary: { fr: "Un carnet." } }));
  while (!world.over) {
    const asked = await session.ask("roadbook batches", "POST", "/api/v1/roadbook-batches", { body: { filter: { ids: ids.join(","), progress: "any" } } });
    if (asked.status === 201) {
      const batch = { id: json(asked).id, began: Date.now(), wanted: ids.length };
      world.acked.batches.push(batch);
      await within(WORK_TIMEOUT_S, async () => {
        batch.state = json(await session.ask("roadbook batches", "GET", `/api/v1/roadbook-batches/${batch.id}`));
        return ["done", "cancelled"].includes(batch.state.state);
      }, 250);
      batch.tookMs = Date.now() - batch.began;
    }
    await wait(500);
  }
}

/** Has parcours translated whose sentences no other one has. */
export async function translator(world) {
  const session = await world.signedIn();
  while (!world.over) {
    const ids = [];
    for (let at = 0; at < 3; at++) {
      const sentences = Array.from({ length: 5 }, () => `La phrase numéro ${world.next("sentence")} parle du chemin.`);
      ids.push(await parcours(session, { title: { fr: `Traduction ${world.next("translated")}` }, description: { fr: `<p>${sentences.join(" ")}</p>` } }));
    }
    const asked = await session.ask("translations", "POST", "/api/v1/translation-jobs", { body: { kind: "parcours", ids, source: "fr", target: "en" } });
    if (asked.status === 202) {
      const job = { id: json(asked).id, ids, began: Date.now() };
      world.acked.translations.push(job);
      await within(WORK_TIMEOUT_S, async () => {
        job.state = json(await session.ask("translations", "GET", `/api/v1/translation-jobs/${job.id}`));
        return ["done", "cancelled", "paused"].includes(job.state.state);
      }, 200);
      job.tookMs = Date.now() - job.began;
    }
    await wait(200);
  }
}

/** Has audio walks read whose texts no other one has. */
export async function speaker(world) {
  const session = await world.signedIn();
  while (!world.over) {
    const id = await parcours(session, title(`Balade ${world.next("walk")}`));
    const text = (words) => ({ text: `${words} ${world.next("text")} de la balade.`, transcript: "", media_id: null });
    const walk = { enabled: true, engine: "openai", voice: "alloy", intro: text("Voici le début"), outro: text("Voici la fin"), stops: [{ title: "Le pont", position: [3.1, 44.5], story: text("Voici le pont") }] };
    const path = `/api/v1/parcours/${id}/audio/fr`;
    if (!(await session.insist("voices", "PUT", path, { body: walk, headers: { "if-match": "*" } }))) continue;
    const asked = await session.ask("voices", "POST", `${path}/speech`, {});
    if (asked.status === 202) {
      const job = { id, began: Date.now(), texts: [walk.intro, walk.outro, walk.stops[0].story].map((story) => story.text) };
      world.acked.voices.push(job);
      await within(WORK_TIMEOUT_S, async () => {
        job.state = json(await session.ask("voices", "GET", path));
        return ["done", "failed", "cancelled"].includes(job.state.job?.state);
      }, 200);
      job.tookMs = Date.now() - job.began;
    }
    await wait(200);
  }
}

/** Imports sources that no other run has. */
export async function importer(world, services) {
  const session = await world.signedIn();
  while (!world.over) {
    const number = world.next("source");
    const url = `http://127.0.0.1:${world.place.ports.services}/source/${number}/`;
    const made = await session.insist("imports", "POST", "/api/v1/import-sources", { body: { name: `Parc ${number}`, kind: "geotrek", url } });
    if (!made) continue;
    const { id } = json(made);
    const begun = await session.ask("imports", "POST", `/api/v1/import-sources/${id}/runs`, { body: { dry: false } });
    if (begun.status === 202) {
      const run = { id: json(begun).id, number, treks: services.sources.treks, began: Date.now() };
      world.acked.imports.push(run);
      await within(WORK_TIMEOUT_S, async () => {
        run.state = json(await session.ask("imports", "GET", `/api/v1/import-runs/${run.id}`));
        return ["done", "failed", "cancelled"].includes(run.state.state);
      }, 250);
      run.tookMs = Date.now() - run.began;
    }
    await wait(500);
  }
}

/** Leaves reviews: each is confirmed by one mail. */
export async function reviewer(world, parcoursId) {
  const headers = { "content-type": "application/json", "x-forwarded-for": world.address() };
  while (!world.over) {
    const email = `visiteur-${world.next("review")}@exemple.fr`;
    const body = { parcours_id: parcoursId, author: "Léa", rating: 4, title: "Bien", text: "Une belle balade, bien balisée.", email, language: "fr" };
    const given = await world.ask("reviews", "POST", "/api/public/v1/reviews", { headers, body: JSON.stringify(body) });
    world.acked.reviews.push({ email, isAcked: given.status === 202 });
    await wait(700);
  }
}

/** Reads public pages and data. */
export async function reader(world, paths) {
  const headers = { "x-forwarded-for": world.address() };
  while (!world.over) {
    await world.ask("public reads", "GET", world.random.pick(paths), { headers });
    await wait(40);
  }
}

/**
 * After a change that was acknowledged at one node, asks the other one until it shows the change. What counts is the moment at which
 * the last stale answer was asked for: a slow machine does not make an answer stale.
 */
async function staleness(world, kind, changedAt, isFresh) {
  let stale = 0;
  const until = Date.now() + 15_000;
  while (Date.now() < until) {
    const { answer, fresh } = await isFresh();
    if (fresh === undefined) return; // a failure in between: no measurement
    if (fresh) {
      world.staleness[kind].push(stale);
      return;
    }
    stale = Math.max(0, answer.sentAt - changedAt);
    await wait(30);
  }
  world.findings.push(`${kind}: the other node did not show a change within 15 s`);
}

const inTurn = (world, kind) => (world.next(kind) % 2 ? world.place.nodes : [...world.place.nodes].reverse());

/** Signs in at one node, works at the other, ends the session at the first. */
export async function leaver(world) {
  while (!world.over) {
    const [here, there] = inTurn(world, "leaver");
    const session = await world.signIn({ to: here });
    if (session) {
      const known = await session.ask("sessions", "GET", "/api/v1/session", { to: there });
      const ended = await session.ask("sessions", "DELETE", "/api/v1/session", { to: here });
      if (known.status === 200 && ended.isFine) {
        await staleness(world, "session", ended.endedAt, async () => {
          const answer = await session.ask("sessions", "GET", "/api/v1/session", { to: there, fine: [401] });
          return { answer, fresh: answer.status === 401 ? true : answer.status === 200 ? false : undefined };
        });
      }
    }
    await wait(400);
  }
}

/** Publishes and unpublishes at one node, and reads at the other. */
export async function publisher(world) {
  const session = await world.signedIn();
  const id = await parcours(session, { title: { fr: "Publication" }, summary: { fr: "Une page." } });
  const path = `/api/v1/parcours/${id}/publication`;
  const headers = { "if-match": "*" };
  const first = await session.insist("publications", "POST", path, { headers, body: {} });
  const shares = json(await session.insist("publications", "GET", `/api/v1/parcours/${id}/shares`));
  const page = new URL(shares.permanent?.url ?? json(first).public_url ?? `/p/${id}`, "http://x").pathname;
  world.publicPage = page;
  let isPublic = true;
  while (!world.over) {
    const [here, there] = inTurn(world, "publisher");
    const wanted = !isPublic;
    const changed = await session.ask("publications", wanted ? "POST" : "DELETE", path, { to: here, headers, body: wanted ? {} : undefined });
    if (changed.isFine) {
      isPublic = wanted;
      await staleness(world, "publication", changed.endedAt, async () => {
        const answer = await world.ask("pages of publications", "GET", page, { to: there, headers: { "x-forwarded-for": session.address }, fine: [404, 410] });
        const shown = answer.status >= 200 && answer.status < 400;
        return { answer, fresh: answer.isFine ? shown === wanted : undefined };
      });
    } else {
      // It may be written nevertheless.
      const now = await session.insist("publications", "GET", `/api/v1/parcours/${id}`);
      if (now) isPublic = json(now).published;
    }
    await wait(300);
  }
}

/** Renames at one node, and searches at the other. */
export async function searcher(world) {
  const session = await world.signedIn();
  const id = await parcours(session, title("Liste 0"));
  while (!world.over) {
    const [here, there] = inTurn(world, "searcher");
    const words = `Recherche r${world.next("search")}x`;
    const list = `/api/v1/parcours?progress=any&per_page=5&search=${encodeURIComponent(words)}`;
    // Asked before, so that the other node remembers an answer.
    await session.ask("lists", "GET", list, { to: there });
    const saved = await session.ask("lists", "PATCH", `/api/v1/parcours/${id}`, { to: here, body: title(words), headers: { "if-match": "*" } });
    if (saved.status === 200) {
      await staleness(world, "list", saved.endedAt, async () => {
        const answer = await session.ask("lists", "GET", list, { to: there });
        return { answer, fresh: answer.status === 200 ? json(answer).items.some((item) => item.id === id && item.title.fr === words) : undefined };
      });
    }
    await wait(300);
  }
}
