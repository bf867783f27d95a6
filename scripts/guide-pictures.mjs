// The pictures of the guide, taken again into docs/guide/img from a new demo; what screens show of others comes from
// guide-services.mjs.
// usage: node scripts/guide-pictures.mjs [parts of pictures’ names]
import { rmSync } from "node:fs";
import { join } from "node:path";
import { campaignMade, drawn, root, signIn, withDemo } from "./demo-browser.mjs";
import { audioWalk, caller, feedOfLines, importTried, journalled, networkReplaced, reviewed, silentVoice, startServices, touristRecord, untranslated } from "./guide-services.mjs";

const only = process.argv.slice(2);
const out = join(root, "docs/guide/img");
/** A screen of 1440 × 900 px, in a picture of 1100 × 688. */
const SCALE = 1100 / 1440;

/** The pictures to take: a path, and the actions before the picture. The ids are those of the demo's records, found by title. */
async function pictures({ request, base, data, services }) {
  const call = caller(request, base);
  const read = (path) => call("GET", `v1/${path}`);
  const idOf = async (list, words) => {
    const { items } = await read(`${list}${list.includes("?") ? "&" : "?"}search=${encodeURIComponent(words)}&per_page=1`);
    if (items.length === 0) throw new Error(`the demo has no « ${words} » in ${list}`);
    return items[0].id;
  };
  const parcours = (words) => idOf("parcours?progress=any", words);
  const first = async (list) => (await read(`${list}?per_page=1`)).items[0].id;
  const [lake, gravel, towers, loop, stay] = await Promise.all(
    ["Le tour du lac de Brève", "Gravel des trois bourgs", "Remonter l’Orsel", "La boucle de Chantemerle", "Grande traversée du Val d’Orsel en 4 jours"].map(parcours),
  );
  const poi = await idOf("pois", "belvédère");
  const { line } = await read(`parcours/${lake}/trace`);
  const [halle, four] = [line[0], line[Math.floor(line.length / 2)]].map(([lon, lat]) => [lon, lat]);
  await deleted(request, base, await read("pois?per_page=100"));
  let made;
  const provider = () => (made ??= call("POST", "v1/provider-links", { name: "Hôtel du Pont", address: "1 place du Pont, Brévine", location: halle, website: "https://hotel-du-pont.example" }));
  const edited = (id, act) => ({ path: `/parcours/${id}/edit-trace`, act });
  return {
    login: { path: "/login", signedOut: true },
    home: { path: "/" },
    reglages: { path: "/settings" },
    parcours: { path: "/parcours" },
    "edit-trace": edited(lake),
    guidage: edited(towers, async (page) => {
      await page.getByRole("tab", { name: "Guidage" }).click();
      await page.getByRole("list", { name: "Instructions dans l’ordre du parcours" }).getByRole("button").nth(1).click();
    }),
    "autres-chemins": edited(towers, (page) => withKey(page, "p", page.getByRole("region", { name: "Autres chemins" }).getByRole("listitem").first())),
    "eviter-un-chemin": edited(loop, async (page) => {
      const panel = page.getByRole("region", { name: "Éviter ce chemin" });
      await withKey(page, "e", panel);
      await panel.getByLabel("Du km").fill("2");
      await panel.getByLabel("Au km").fill("3,5");
      await panel.getByRole("button", { name: /^Éviter ces/ }).click();
      await panel.getByRole("listitem").first().waitFor();
    }),
    boucle: edited(gravel, async (page) => {
      const panel = page.getByRole("region", { name: "Boucle depuis ici" });
      await withKey(page, "b", panel);
      await panel.getByLabel("Longueur").fill("30");
      await panel.getByRole("button", { name: "Chercher des boucles" }).click();
      await panel.getByRole("listitem").first().waitFor({ timeout: 60_000 });
    }),
    fiche: { path: `/parcours/${loop}?tab=information` },
    passeport: { path: `/parcours/${lake}` },
    "fermeture-parcours": { path: `/parcours/${loop}` },
    "carnet-de-voyage": {
      path: `/parcours/${stay}?tab=roadbook`,
      act: (page) => page.getByRole("img", { name: /^Page 1/ }).first().waitFor({ timeout: 30_000 }),
    },
    "page-publique": { path: `/p/x-${loop}`, signedOut: true },
    pois: { path: "/pois" },
    poi: { path: `/pois/${poi}` },
    tableau: { path: "/pois", act: tableRead },
    historique: {
      path: `/pois/${poi}`,
      before: () => changed(request, base, `pois/${poi}`),
      act: async (page) => {
        await page.getByRole("button", { name: /^Actions|^Autres actions/ }).first().click();
        await page.getByRole("menuitem", { name: "Historique" }).click();
        await page.getByRole("dialog").getByRole("checkbox").nth(1).check();
      },
    },
    jetons: {
      path: "/account",
      before: () => tokenMade(call),
      act: async (page) => {
        await page.getByRole("button", { name: "Créer un jeton" }).click();
        await page.getByLabel(/^Nom du jeton/).fill("Assistant du poste de travail");
        await page.getByRole("heading", { name: "Jetons pour un assistant" }).evaluate((heading) => heading.scrollIntoView());
      },
    },
    propositions: { path: `/parcours/${gravel}`, before: () => proposed(request, call, base, gravel) },
    "terrain-emportes": { path: "/terrain/emporter", ground: halle, act: takenAlong },
    "terrain-carte": { path: "/terrain/emporter", ground: halle, act: onTheGround },
    "terrain-zone": { path: "/terrain/emporter", ground: halle, act: areaOpened },
    "terrain-signaler": {
      path: "/terrain/emporter",
      ground: halle,
      act: async (page) => {
        await onTheGround(page);
        await page.getByRole("button", { name: "Signaler" }).click();
        await page.getByRole("dialog").getByText("Arbre tombé").click();
      },
    },
    "terrain-envois": {
      path: "/terrain/emporter",
      ground: halle,
      act: async (page) => {
        await onTheGround(page);
        await page.context().setOffline(true);
        await page.getByRole("button", { name: "C’est juste" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Enregistrer" }).click();
        await page.getByRole("link", { name: /^Envois/ }).click();
        await page.getByText("En attente").waitFor();
      },
    },
    releves: { path: "/releves", before: () => recordedOnGround(call, lake, halle) },
    campagne: lazy(async () => `/campagnes/${await campaignMade(request, base)}`),
    medias: { path: "/medias" },
    media: { path: `/medias/${await first("medias")}` },
    lignes: { path: "/lignes" },
    ligne: { path: `/lignes/${await first("transport-lines")}/edit` },
    itineraire: { path: `/settings/itineraires/${await first("itineraries")}` },
    "marque-blanche": { path: `/settings/marques-blanches/${await idOf("white-labels", "Val d’Orsel")}` },
    contacts: { path: "/settings/contacts", before: () => contactsMade(call) },
    utilisateurs: { path: "/settings/users" },
    utilisateur: { path: `/settings/users/${await first("users")}` },
    "types-pratiques": { path: "/settings/types-pratiques" },
    "une-pratique": { path: `/settings/types-pratiques/${(await read("vocabularies/practice_type")).items.find(({ code }) => code === "itinerance-velo").id}` },
    niveau: { path: `/settings/niveaux/${await first("vocabularies/level")}` },
    corbeille: { path: "/settings/corbeille" },
    recherche: {
      path: "/",
      act: async (page) => {
        await page.keyboard.press("Control+k");
        await page.keyboard.type("lac", { delay: 50 });
        await page.getByRole("option").first().waitFor();
      },
    },
    fermetures: { path: "/fermetures" },
    statistiques: { path: "/analytics" },
    imports: lazy(async () => `/settings/imports-parcours/${await importTried(call, services)}`),
    demenagement: lazy(async () => `/settings/demenagement/${await importTried(call, services)}`),
    "pois-sit": {
      ...lazy(async () => `/settings/pois-sit/fr/${await touristRecord(call, services)}`),
      act: async (page) => {
        await page.getByLabel("Nom · Ici").fill("L’Auberge au bord du lac");
        await page.getByRole("button", { name: "Enregistrer les corrections" }).click();
        await page.getByRole("button", { name: "Créer un POI" }).click();
        await page.getByText("Cette fiche est le POI").waitFor();
        await closeToast(page);
      },
    },
    "flux-de-transport": {
      ...lazy(async () => `/lignes/search/${await feedOfLines(call, [halle, four])}`),
      act: async (page) => {
        await page.getByLabel("Nom, code, exploitant ou arrêt").fill("12");
        const found = page.getByRole("list", { name: "Lignes trouvées" });
        const line12 = found.getByRole("listitem").filter({ hasText: "Montpezel – Brévine" });
        await found.getByRole("listitem").nth(1).filter({ hasText: "Chantemerle" }).waitFor();
        await line12.getByText("Arrêts et horaires").click();
        await line12.getByText(/17\s*h\s*30/).first().waitFor();
        await page.getByRole("checkbox", { name: /^Choisir la ligne 12 / }).check();
      },
    },
    traduire: {
      ...lazy(async () => `/parcours/${await untranslated(call, services)}?tab=information`),
      act: async (page) => {
        await page.getByRole("button", { name: "Traduire la fiche" }).click();
        await page.getByRole("dialog").getByText("The ridges of Brévine").waitFor();
      },
    },
    assistant: {
      path: `/parcours/${lake}?tab=information`,
      act: async (page) => {
        await page.getByRole("button", { name: "Assistant : Description (français)" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Écrire", exact: true }).click();
        await page.getByText("Écrit par Jalon avec les faits du parcours.").waitFor();
      },
    },
    avis: { path: `/parcours/${lake}?tab=reviews`, before: () => reviewed(call, base, data, lake, halle) },
    "balade-audio": {
      path: `/parcours/${lake}?tab=audio`,
      before: () => audioWalk(call, lake, line),
      act: async (page) => {
        await page.getByText("4 textes lus.").waitFor({ timeout: 30_000 });
        await page.getByText("La filature").first().click();
      },
    },
    "lien-prestataire": lazy(async () => `/marque-blanche-prestataire/${(await provider()).id}`),
    "page-prestataire": { ...lazy(async () => new URL((await provider()).url).pathname), signedOut: true },
    "veille-reseau": {
      path: "/settings/veille-reseau",
      prepare: (page) => networkReplaced(page, call),
      act: (page) => page.getByRole("button", { name: /^Tronçon A : / }).first().waitFor({ timeout: 60_000 }),
    },
    widget: {
      path: "/widget",
      act: async (page) => {
        await page.getByRole("radio", { name: /^Une carte/ }).check();
        for (const _ of [1, 2]) await page.getByRole("button", { name: "Continuer" }).click();
        await page.frameLocator('iframe[title="Aperçu du widget"]').getByRole("button", { name: /^Gravel des trois bourgs/ }).click();
        await page.waitForTimeout(3_000);
      },
    },
    taches: { path: "/settings/taches", before: () => call("POST", "v1/roadbook-batches", { filter: {} }) },
    etat: { path: "/settings/etat" },
    journal: { path: "/settings/journal", before: () => journalled(request, call, base) },
    "mon-compte": { path: "/account" },
    "double-authentification": {
      path: "/account",
      act: async (page) => {
        await page.getByRole("button", { name: "Activer la double authentification" }).click();
        await page.getByRole("img", { name: "Code QR de la double authentification" }).waitFor();
      },
    },
  };
}

/** A picture whose path is known once its records are made. */
function lazy(path) {
  return { find: path };
}

async function closeToast(page) {
  const close = page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Fermer" });
  while ((await close.count()) > 0) await close.first().click();
}

/** Presses a key on the map of the editor, and waits for what it opens. */
async function withKey(page, key, opened) {
  await page.locator(".maplibregl-canvas").focus();
  await page.keyboard.press(key);
  await opened.waitFor({ timeout: 60_000 });
}

/** Takes a parcours along on the page of the ground, and goes back to what was taken. */
async function takenAlong(page) {
  await page.getByRole("searchbox").fill("Le tour du lac de Brève");
  await page.getByRole("checkbox", { name: "Le tour du lac de Brève" }).check();
  await page.getByRole("button", { name: "Emporter 1 parcours" }).click();
  await page.getByText("1 parcours est sur l’appareil.").waitFor({ timeout: 60_000 });
  await page.getByRole("link", { name: "Emporté sur cet appareil" }).click();
  await page.getByText(/emporté le/).waitFor();
}

/** Takes what is around the person along as an area, and opens it. */
async function areaOpened(page) {
  await page.getByRole("link", { name: "Emporter une zone" }).click();
  await page.locator(".map[data-idle]").waitFor({ timeout: 30_000 });
  await page.getByText("2 km", { exact: true }).click();
  await page.getByRole("button", { name: "Prendre autour de moi" }).click();
  await page.getByLabel("Nom de la zone").fill("Autour de Brévine");
  await page.getByRole("button", { name: "Emporter cette zone" }).click();
  await page.getByText(/^La zone et \d+ parcours sont sur l’appareil\.$/).waitFor({ timeout: 120_000 });
  await page.getByRole("link", { name: "Emporté sur cet appareil" }).click();
  await page.getByRole("link", { name: "Autour de Brévine" }).click();
  await page.getByText("à 6 m près").waitFor();
  await page.locator(".map[data-idle]").waitFor({ timeout: 30_000 });
}

/** Opens the parcours that was taken along, at its departure. */
async function onTheGround(page) {
  await takenAlong(page);
  await page.getByRole("link", { name: "Le tour du lac de Brève" }).click();
  await page.getByText("à 6 m près").waitFor();
  await page.locator(".map[data-idle]").waitFor({ timeout: 30_000 });
}

/** What a warden recorded, for the list at the desk. */
async function recordedOnGround(call, parcours_id, position) {
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const entries = [
    { kind: "poi", title: "Source du Loup", text: "Eau claire, banc de bois." },
    { kind: "report", report_kind: "fallen_tree", text: "Un hêtre en travers du chemin." },
    { kind: "survey", text: "" },
  ];
  for (const entry of entries)
    await call("PUT", `v1/ground/entries/${crypto.randomUUID()}`, { parcours_id, position, accuracy_m: 6, made_at: now, sent_at: now, language: "fr", ...entry });
}

/** Exports the POIs as a table, corrects two rows, and shows the differences. */
async function tableRead(page) {
  await page.getByRole("button", { name: "Tableau" }).click();
  const csv = await page.getByRole("menuitem", { name: "Exporter en tableau (CSV)" }).getAttribute("href");
  const [head, first, second, third] = (await (await page.request.get(new URL(csv, page.url()).href)).text()).split("\r\n");
  const names = head.split(";");
  const edited = (row, changes) => row.split(";").map((cell, at) => changes[names[at]] ?? cell).join(";");
  const rows = [head, edited(first, { phone: "04 75 22 10 06", flags_must_see: "oui" }), edited(second, { address_city: "Brévine" }), edited(third, { email: "accueil(at)val-orsel" })];
  await page.getByRole("menuitem", { name: "Importer un tableau" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator("input[type=file]").setInputFiles({ name: "pois.csv", mimeType: "text/csv", buffer: Buffer.from(rows.join("\r\n")) });
  await dialog.getByRole("button", { name: /^Écrire/ }).waitFor();
}

/** Makes the contacts of a tourist office. */
/** A personal token of the person who is signed in. */
const tokenMade = async (call) =>
  (await call("POST", "v1/me/tokens", { name: "Assistant de Claire", propose: true, days: 90, password: "balise-jaune-2026" })).token;

/** What an assistant proposes for a parcours. */
async function proposed(request, call, base, id) {
  const headers = { authorization: `Bearer ${await tokenMade(call)}`, accept: "application/json, text/event-stream", origin: base };
  const tool = async (name, args) => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: { id, ...args } } };
    const reply = await request.fetch(`${base}/mcp`, { method: "POST", data: message, headers });
    if (!reply.ok() || (await reply.json()).result?.isError) throw new Error(`${name}: ${await reply.text()}`);
  };
  await tool("propose_text", { field: "subtitle", language: "fr", text: "Trois bourgs, deux forêts, et des chemins qui roulent", note: "Le sous-titre ne disait rien des forêts traversées." });
  await tool("propose_step", { kind: "advice", title: { fr: "Point d’eau sous la halle" }, position: await placeOf(call, id), note: "Il n’y en a pas d’autre avant l’arrivée." });
}

/** A place on the line of a parcours. */
const placeOf = async (call, id) => (await call("GET", `v1/parcours/${id}/trace`)).line[200].slice(0, 2);

async function contactsMade(call) {
  const people = [
    ["Maud", "Ferrand", "Accueil", "04 75 22 10 06"],
    ["Joël", "Tissot", "Sentiers et balisage", "04 75 22 10 12"],
    ["Inès", "Vauthier", "Hébergements", "06 12 34 56 78"],
  ];
  for (const [first_name, last_name, task, phone] of people) {
    await call("POST", "v1/contacts", { first_name, last_name, function: task, email: `${last_name.toLowerCase()}@val-orsel.example`, phone });
  }
}

/** Deletes two records, so that the bin has something to show. */
async function deleted(request, base, { items }) {
  for (const { id } of items.filter(({ editable }) => editable !== false).slice(-2)) {
    await request.delete(`${base}/api/v1/pois/${id}`, { headers: { origin: base, "if-match": "*" } });
  }
}

/** Saves a record once more, so that its history has two saves to compare. */
async function changed(request, base, path) {
  const record = await (await request.get(`${base}/api/v1/${path}`)).json();
  const title = { ...record.title, fr: `${record.title.fr} (rénové)` };
  await request.patch(`${base}/api/v1/${path}`, { data: { title }, headers: { origin: base, "if-match": "*" } });
}

/** A telephone at a place. */
const phoneAt = ([longitude, latitude]) => ({
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 1,
  permissions: ["geolocation"],
  geolocation: { longitude, latitude, accuracy: 6 },
});

const voice = silentVoice();
const settings = { JALON_IMPORTS__PRIVATE_ADDRESSES: "true", JALON_IMPORTS__PAUSE_MS: "0", JALON_SERVICES__PRIVATE_ADDRESSES: "true", JALON_VOICES__ESPEAK: voice.program };
const work = async ({ base, browser, data }) => {
  const look = { locale: "fr-FR", timezoneId: "Europe/Paris", viewport: { width: 1440, height: 900 }, deviceScaleFactor: SCALE, reducedMotion: "reduce" };
  const staff = await browser.newContext({ ...look, extraHTTPHeaders: { origin: base } });
  await signIn(staff, base);
  const services = await startServices([3.112, 44.894]);
  const all = await pictures({ request: staff.request, base, data, services: services.url });
  const storageState = await staff.storageState();
  for (const [name, { path, find, act, before, prepare, signedOut, ground }] of Object.entries(all).filter(([name]) => only.length === 0 || only.some((part) => name.includes(part)))) {
    const context = await browser.newContext({ ...look, ...(signedOut ? {} : { storageState }), ...(ground && phoneAt(ground)) });
    try {
      await before?.();
      const page = await context.newPage();
      await prepare?.(page);
      await page.goto(base + (path ?? (await find())), { waitUntil: "networkidle" });
      await drawn(page);
      await act?.(page);
      // A map in a frame may go on loading: the picture shows what is drawn after 10 s.
      await page.waitForLoadState("networkidle", { timeout: 10_000 }).catch(() => undefined);
      await drawn(page);
      await page.screenshot({ path: join(out, `${name}.png`) });
      console.log(name);
    } catch (error) {
      process.exitCode = 1;
      console.log(`${name}: ${String(error).split("\n")[0]}`);
    }
    await context.close();
  }
  services.stop();
  await staff.close();
};
await withDemo(18452, work, settings).finally(() => rmSync(voice.folder, { recursive: true, force: true }));
