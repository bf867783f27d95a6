// A picture of each screen (path x 1440/390 px x fr/en) into web/screens, and what axe finds on it.
// usage: node scripts/screens.mjs [part of a screen's name] ; JALON_URL uses a server that runs already.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { campaignMade, drawn, require, root, signIn, withDemo } from "./demo-browser.mjs";

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const only = process.argv[2] ?? "";
const themes = (process.env.THEMES ?? "light").split(",");
const out = join(root, "web/screens");
mkdirSync(out, { recursive: true });
let found = 0;
let base;
let browser;

async function screens() {
  const api = await browser.newContext({ extraHTTPHeaders: { origin: base } });
  await signIn(api, base);
  const list = await (await api.request.get(`${base}/api/v1/parcours?progress=any&per_page=100&owner=mine`)).json();
  const low = list.items.find((row) => row.reliability !== null && row.reliability < 95) ?? list.items[0];
  const recording = await (await api.request.get(`${base}/api/v1/parcours/${low.id}/trace/source`)).body();
  const lived = await withHistory(api.request, recording);
  const empty = await (await api.request.post(`${base}/api/v1/parcours`, { data: { title: { fr: "Un parcours sans tracé", en: "A parcours without a trace" } } })).json();
  const published = list.items.find((row) => row.published) ?? list.items[0];
  const detail = `/parcours/${published.id}`;
  const all = [
    { name: "login", path: "/login", signedOut: true },
    { name: "forgot-password", path: "/login/forgot", signedOut: true },
    { name: "home", path: "/" },
    { name: "parcours", path: "/parcours" },
    { name: "parcours-empty", path: "/parcours?search=introuvable" },
    { name: "parcours-new", path: "/parcours/new" },
    { name: "fiche", path: detail },
    { name: "fiche-informations", path: `${detail}?tab=information` },
    { name: "fiche-vente", path: `${detail}?tab=sales` },
    { name: "fiche-partage", path: `${detail}?tab=sharing` },
    { name: "edit-trace", path: `/parcours/${low.id}/edit-trace` },
    { name: "edit-trace-history", path: `/parcours/${lived}/edit-trace`, act: showHistory },
    { name: "edit-trace-import", path: `/parcours/${low.id}/edit-trace`, act: (page) => dropFile(page, recording) },
    { name: "edit-trace-empty", path: `/parcours/${empty.id}/edit-trace` },
    { name: "fiche-history", path: `/parcours/${lived}`, act: showHistory },
    ...(await catalogue(api.request)),
    { name: "account", path: "/account" },
    { name: "settings", path: "/settings" },
    { name: "bin", path: "/settings/corbeille" },
    { name: "journal", path: "/settings/journal" },
    { name: "jobs", path: "/settings/taches" },
    { name: "status", path: "/settings/etat" },
    { name: "help", path: "/help" },
    { name: "not-found", path: "/nulle-part" },
    { name: "page-publique", path: `/p/parcours-${published.id}`, publicPage: true },
  ];
  await api.close();
  return all;
}

/** List, empty list, creation and first sheet of each resource of the catalogue. */
async function catalogue(request) {
  const resources = [
    { name: "pois", path: "/pois", api: "pois" },
    { name: "medias", path: "/medias", api: "medias" },
    { name: "lignes", path: "/lignes", api: "transport-lines", sheet: (id) => `/lignes/${id}/edit` },
    { name: "fermetures", path: "/fermetures", api: "closures" },
    { name: "campagnes", path: "/campagnes", api: "survey-campaigns" },
    { name: "structures", path: "/settings/structures", api: "structures" },
    { name: "contacts", path: "/settings/contacts", api: "contacts" },
    { name: "users", path: "/settings/users", api: "users" },
    { name: "marques-blanches", path: "/settings/marques-blanches", api: "white-labels" },
    { name: "itineraires", path: "/settings/itineraires", api: "itineraries" },
    ...["balisages marking", "equipements equipment", "tags tag", "niveaux level", "types-pratiques practice_type", "thematiques-parcours parcours_theme", "thematiques-pois poi_theme", "categories-pois poi_category", "types-structures structure_type"]
      .map((pair) => pair.split(" "))
      .map(([name, kind]) => ({ name, path: `/settings/${name}`, api: `vocabularies/${kind}` })),
  ];
  await campaignMade(request, base);
  const screens = [];
  for (const { name, path, api, sheet = (id) => `${path}/${id}` } of resources) {
    const first = await request.get(`${base}/api/v1/${api}?per_page=1`);
    const record = first.ok() ? (await first.json()).items[0] : undefined;
    screens.push({ name, path }, { name: `${name}-empty`, path: `${path}?search=introuvable` }, { name: `${name}-new`, path: `${path}/new` });
    if (record !== undefined) screens.push({ name: `${name}-fiche`, path: sheet(record.id) });
  }
  return screens;
}

/** A parcours saved three times: made, a file brought in, its end cut off. */
async function withHistory(request, recording) {
  const made = await (await request.post(`${base}/api/v1/parcours`, { data: { title: { fr: "Le lac, raccourci", en: "The lake, shorter" } } })).json();
  const at = `${base}/api/v1/parcours/${made.id}/trace`;
  const any = { "if-match": "*" };
  const trace = await (await request.post(`${at}/source?file_name=lac.gpx`, { data: recording, headers: { ...any, "content-type": "application/octet-stream" } })).json();
  const line = trace.line.slice(0, Math.round(trace.line.length * 0.7));
  const steps = [{ kind: "departure", position: line[0] }, { kind: "arrival", position: line.at(-1) }];
  await request.put(at, { data: { mode: "planner", legs: [{ kind: "source", line }], steps }, headers: any });
  return made.id;
}

/** The saves of a record, an old one ticked: it is compared with the one in use. */
async function showHistory(page) {
  const named = { name: /^(Historique|History)$/ };
  const button = page.getByRole("button", named);
  if (!(await button.isVisible())) await page.getByRole("button", { name: /^(Autres actions|Other actions|Plus d|More)/ }).first().click();
  await button.or(page.getByRole("menuitem", named)).first().click();
  await page.getByRole("dialog").getByRole("checkbox").nth(1).check();
  await page.waitForLoadState("networkidle");
}

/** A file on the editor, looked at before it is brought in. */
async function dropFile(page, buffer) {
  await page.locator("input[type=file]").setInputFiles({ name: "sortie.gpx", mimeType: "application/gpx+xml", buffer });
  await page.getByRole("dialog").locator("svg").first().waitFor();
}

await withDemo(18451, async (demo) => {
  ({ base, browser } = demo);
  for (const screen of (await screens()).filter((screen) => screen.name.includes(only))) {
    for (const locale of (process.env.LOCALES ?? "fr,en").split(",")) {
      for (const width of (process.env.WIDTHS ?? "1440,390").split(",").map(Number)) {
        for (const theme of themes) await picture(screen, locale, width, theme);
      }
    }
  }
});
console.log(found === 0 ? "axe: nothing found" : `axe: ${found} findings`);
process.exit(found === 0 ? 0 : 1);

async function picture(screen, locale, width, theme) {
  const context = await browser.newContext({
    locale: locale === "fr" ? "fr-FR" : "en-US",
    timezoneId: "Europe/Paris",
    viewport: { width, height: width === 1440 ? 900 : 844 },
    colorScheme: theme === "dark" ? "dark" : "light",
    hasTouch: width === 390,
    bypassCSP: true,
    reducedMotion: "reduce",
  });
  if (!screen.signedOut && !screen.publicPage) await signIn(context, base);
  const page = await context.newPage();
  const troubles = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  const path = locale === "en" ? `/en${screen.path === "/" ? "" : screen.path}` : screen.path;
  await page.goto(base + path, { waitUntil: "networkidle" });
  await drawn(page);
  if (screen.act) {
    await screen.act(page);
    await drawn(page);
  }
  const file = join(out, `${screen.name}-${locale}-${width}${theme === "dark" ? "-dark" : ""}.png`);
  await page.screenshot({ path: file });
  await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    const result = await window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
    // Markers of a map may overlap: each one is at its place (exception "essential" of WCAG 2.5.8).
    const onMap = (target) => document.querySelector(String(target))?.closest(".maplibregl-marker") != null;
    return result.violations
      .map((violation) => ({ ...violation, nodes: violation.nodes.filter(({ target }) => !(violation.id === "target-size" && onMap(target[0]))) }))
      .filter(({ nodes }) => nodes.length > 0);
  });
  for (const violation of violations) {
    found += 1;
    console.log(`${screen.name} ${locale} ${width} ${theme}: ${violation.impact} ${violation.id} x${violation.nodes.length} ${violation.nodes[0].target.join(" ")}`);
  }
  for (const trouble of troubles.slice(0, 3)) console.log(`${screen.name} ${locale} ${width} ${theme}: console: ${trouble}`);
  await context.close();
}
