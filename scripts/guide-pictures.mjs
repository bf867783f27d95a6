// The pictures of the guide, taken again from the demo into docs/guide/img. Those of screens that need a service, a source of
// somebody else or a past (imports, SIT, translation, assistant, transport, network watch, journal, account) are taken by hand.
// usage: node scripts/guide-pictures.mjs [part of a picture's name]
import { join } from "node:path";
import { drawn, root, signIn, withDemo } from "./demo-browser.mjs";

const only = process.argv[2] ?? "";
const out = join(root, "docs/guide/img");
/** A screen of 1440 × 900 px, in a picture of 1100 × 688. */
const SCALE = 1100 / 1440;

/** What is pictured: a path, and what is done there before. The ids are those of the demo's records, found by their words. */
async function pictures(request, base) {
  const read = async (path) => (await request.get(`${base}/api/v1/${path}`)).json();
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
  await deleted(request, base, await read("pois?per_page=100"));
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
    historique: {
      path: `/pois/${poi}`,
      before: () => changed(request, base, `pois/${poi}`),
      act: async (page) => {
        await page.getByRole("button", { name: /^Actions|^Autres actions/ }).first().click();
        await page.getByRole("menuitem", { name: "Historique" }).click();
        await page.getByRole("dialog").getByRole("checkbox").nth(1).check();
      },
    },
    medias: { path: "/medias" },
    media: { path: `/medias/${await first("medias")}` },
    lignes: { path: "/lignes" },
    ligne: { path: `/lignes/${await first("transport-lines")}/edit` },
    itineraire: { path: `/settings/itineraires/${await first("itineraries")}` },
    "marque-blanche": { path: `/settings/marques-blanches/${await idOf("white-labels", "Val d’Orsel")}` },
    contacts: { path: "/settings/contacts" },
    utilisateurs: { path: "/settings/users" },
    utilisateur: { path: `/settings/users/${await first("users")}` },
    "types-pratiques": { path: "/settings/types-pratiques" },
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
  };
}

/** Presses a key on the map of the editor, and waits for what it opens. */
async function withKey(page, key, opened) {
  await page.locator(".maplibregl-canvas").focus();
  await page.keyboard.press(key);
  await opened.waitFor({ timeout: 60_000 });
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

await withDemo(18452, async ({ base, browser }) => {
  const look = { locale: "fr-FR", timezoneId: "Europe/Paris", viewport: { width: 1440, height: 900 }, deviceScaleFactor: SCALE, reducedMotion: "reduce" };
  const staff = await browser.newContext({ ...look, extraHTTPHeaders: { origin: base } });
  await signIn(staff, base);
  const all = await pictures(staff.request, base);
  for (const [name, { path, act, before, signedOut }] of Object.entries(all).filter(([name]) => name.includes(only))) {
    await before?.();
    const context = await browser.newContext(look);
    if (!signedOut) await signIn(context, base);
    const page = await context.newPage();
    try {
      await page.goto(base + path, { waitUntil: "networkidle" });
      await drawn(page);
      await act?.(page);
      await page.waitForLoadState("networkidle");
      await drawn(page);
      await page.screenshot({ path: join(out, `${name}.png`) });
      console.log(name);
    } catch (error) {
      process.exitCode = 1;
      console.log(`${name}: ${String(error).split("\n")[0]}`);
    }
    await context.close();
  }
  await staff.close();
});
