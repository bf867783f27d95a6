// A picture of each step of the journey on the ground, at 390 px in both languages, into web/screens/terrain.
// usage: node scripts/ground-pictures.mjs ; OUT names another folder, JALON_URL uses a server that runs already.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { drawn, root, signIn, withDemo } from "./demo-browser.mjs";

const out = process.env.OUT ?? join(root, "web/screens/terrain");
mkdirSync(out, { recursive: true });
const title = "Gravel des trois bourgs";

await withDemo(18451, async ({ base, browser }) => {
  for (const locale of (process.env.LOCALES ?? "fr,en").split(",")) await journey(base, browser, locale);
});

/** The words of the interface, from the texts themselves. */
async function wordsOf(locale) {
  const { readFileSync } = await import("node:fs");
  const read = (area) => JSON.parse(readFileSync(join(root, `web/src/i18n/${locale}/${area}.json`), "utf8"));
  return { ground: read("ground"), reviews: read("reviews"), closures: read("closures") };
}

async function journey(base, browser, locale) {
  const { ground: t, reviews, closures } = await wordsOf(locale);
  const context = await browser.newContext({
    locale: locale === "fr" ? "fr-FR" : "en-GB",
    timezoneId: "Europe/Paris",
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    reducedMotion: "reduce",
    permissions: ["geolocation"],
  });
  await context.addCookies([{ name: "locale", value: locale, url: base }]);
  await signIn(context, base);
  const { items } = await (await context.request.get(`${base}/api/v1/parcours?owner=mine&search=${encodeURIComponent(title)}`)).json();
  const { line } = await (await context.request.get(`${base}/api/v1/parcours/${items[0].id}/trace`)).json();
  const [lon, lat] = line[Math.floor(line.length / 3)];
  await context.setGeolocation({ longitude: lon, latitude: lat, accuracy: 6 });
  const page = await context.newPage();
  let step = 0;
  /** The whole page, or what is seen of a form. */
  const picture = async (name, fullPage = true) => {
    step += 1;
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(out, `${String(step).padStart(2, "0")}-${name}-${locale}.png`), fullPage });
  };
  const button = (name) => page.getByRole("button", { name, exact: true });
  const dialog = page.getByRole("dialog");
  const save = async () => {
    await dialog.getByRole("button", { name: t.form.save, exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
  };

  await page.goto(`${base}/terrain/`);
  await page.getByText(t.downloads.none).waitFor();
  await picture("nothing-taken");
  await page.getByRole("link", { name: t.download.open }).click();
  await page.getByRole("checkbox").first().waitFor();
  await picture("take");
  await page.getByRole("link", { name: t.area.title }).click();
  await page.locator(".map[data-idle]").waitFor({ timeout: 30_000 });
  await button(t.area.aroundMe).click();
  await page.getByLabel(t.area.name).fill(locale === "fr" ? "Autour du bourg" : "Around the village");
  await picture("area");
  await button(t.area.go).click();
  await page.getByText(/sont sur l’appareil|are on the device/).waitFor({ timeout: 120_000 });
  await page.getByRole("link", { name: t.downloads.title }).click();
  await page.locator(".card").first().waitFor();
  await picture("taken");
  await page.locator(".card a").filter({ hasText: /bourg|village/i }).last().waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await context.setOffline(true);
  await page.goto(`${base}/terrain/parcours/${items[0].id}`);
  await page.locator(".map[data-idle]").waitFor({ timeout: 30_000 });
  await picture("parcours");
  await button(t.follow.button).click();
  await drawn(page);
  await picture("follow", false);
  for (const kind of ["poi", "report", "closure", "equipment", "remark", "survey"]) {
    await button(t.act[kind]).click();
    await dialog.waitFor();
    await picture(`form-${kind}`, false);
    if (kind === "poi") {
      await dialog.getByRole("button", { name: t.form.save, exact: true }).click();
      await picture("form-poi-missing", false);
      await dialog.getByRole("textbox").first().fill(locale === "fr" ? "Résurgence" : "Spring");
    }
    if (kind === "report") await dialog.getByText(reviews.reports.kind.fallen_tree).click();
    if (kind === "closure") await dialog.getByText(closures.kind.forestry).click();
    if (kind === "equipment") await dialog.getByText(t.condition.worn).click();
    if (kind === "remark") await dialog.getByRole("textbox").first().fill(locale === "fr" ? "Panneau retourné" : "The sign is turned round");
    await save();
  }
  await button(t.act.track).click();
  await page.getByRole("region", { name: t.track.title }).waitFor();
  await picture("track", false);
  await button(t.track.drop).click();
  await picture("track-drop", false);
  await button(t.track.drop).last().click();
  for (const summary of await page.locator("summary").all()) await summary.click();
  await picture("lists");
  await page.getByRole("link", { name: t.queue.short.replace("{{count}}", "6") }).click();
  await page.locator(".card").first().waitFor();
  await picture("queue");
  await context.setOffline(false);
  await page.getByText(t.queue.nothing).waitFor({ timeout: 60_000 });
  await picture("sent");
  await page.goto(`${base}/terrain/`);
  await page.locator(".card a").first().waitFor();
  const area = page.locator('.card a[href*="/zone/"]');
  await area.click();
  await page.locator(".map[data-idle]").waitFor({ timeout: 30_000 });
  await picture("area-opened");
  await context.clearCookies();
  await context.addCookies([{ name: "locale", value: locale, url: base }]);
  await page.goto(`${base}/terrain/`);
  await page.getByText(t.signedOut).first().waitFor();
  await picture("signed-out");
  await context.close();
}
