import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { startHostSite } from './host-site'
import { searchField, signInByApi } from './records'
import { demoUrl } from './servers'

// The user agent of the tests' browser is that of a program, and programs are not counted.
test.use({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' })

test.describe.configure({ timeout: 180_000 })

let site: Awaited<ReturnType<typeof startHostSite>>
test.beforeAll(async () => {
  site = await startHostSite()
})
test.afterAll(() => site.stop())

/** Allows one of the two origins of the host site; returns the id of the white-label. */
async function allowHostSite(page: Page): Promise<number> {
  await signInByApi(page, 'superadmin')
  const { active_white_label_id: id }: { active_white_label_id: number } = await (
    await page.request.get(`${demoUrl}/api/v1/session`)
  ).json()
  const reply = await page.request.patch(`${demoUrl}/api/v1/white-labels/${id}`, {
    data: { allowed_origins: [site.allowed] },
    headers: { origin: demoUrl, 'if-match': '*' },
  })
  expect(reply.status(), await reply.text()).toBe(200)
  return id
}

/** The embed code that the screen generates for these choices. */
async function embedCode(
  page: Page,
  show: string,
  choose: () => Promise<void> = () => Promise.resolve(),
  kind = 'Script',
): Promise<string> {
  await page.goto(`${demoUrl}/widget`)
  await page.getByRole('radio', { name: show }).check()
  await choose()
  await page.getByRole('button', { name: 'Continuer' }).click()
  await page.getByRole('button', { name: 'Continuer' }).click()
  await page.getByText(kind, { exact: true }).click()
  return page.getByRole('textbox', { name: 'Code à coller dans la page' }).inputValue()
}

test('the code is made in three steps and seen as it is chosen, on both widths', async ({ page }) => {
  await allowHostSite(page)
  await page.goto(demoUrl)
  await page.getByRole('navigation', { name: 'Navigation principale' }).getByRole('link', { name: 'Widget' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Widget' })).toBeVisible()
  await page.getByRole('button', { name: 'Continuer' }).click()
  await expect(page.getByText('Remplissez tous les champs pour continuer.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('radio', { name: /^Une liste/ }).check()
  const preview = page.frameLocator('iframe[title="Aperçu du widget"]')
  await expect(preview.getByRole('link', { name: /nouvel onglet/ }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Continuer' }).click()
  await page.getByRole('button', { name: 'Continuer' }).click()
  const written = page.getByRole('textbox', { name: 'Code à coller dans la page' })
  await expect(written).toHaveValue(/^<script type="module" src="[^"]+\/widget\/v1\.js"><\/script>\n<jalon-widget /)
  await expect(page.getByText(site.allowed, { exact: true })).toBeVisible()
  await expectAccessible(page, { quiet: false })
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(page, { quiet: false })
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.getByRole('button', { name: '2 Apparence' }).click()
  const height = page.getByLabel(/^Hauteur/)
  await height.fill('12')
  await page.getByRole('button', { name: 'Continuer' }).click()
  await expect(page.getByText('Donnez une hauteur de 200 à 2000 pixels.')).toBeVisible()
  await height.fill('480')
  await page.getByLabel(/^Langue \*/).selectOption('en')
  await page.getByRole('textbox', { name: /^Couleur/ }).fill('#14507A')
  await page.getByRole('button', { name: 'Continuer' }).click()
  await expect(written).toHaveValue(
    /<jalon-widget key="w\d+-[0-9a-f]{32}" show="list" lang="en" color="#14507a" height="480"><\/jalon-widget>$/,
  )
  await expect(preview.getByRole('link', { name: /new tab/ }).first()).toBeVisible()
})

test('a page of another site shows a list, by keyboard too, untouched by its styles and without a trace', async ({ page, browser }) => {
  await allowHostSite(page)
  site.show(await embedCode(page, 'Une liste'))
  const reader = await browser.newContext({ locale: 'fr-FR' })
  const town = await reader.newPage()
  await town.goto(site.allowed)
  const cards = town.locator('jalon-widget .card')
  await expect(cards).toHaveCount(12)
  const first = cards.first().getByRole('link')
  await expect(first).toBeVisible()
  const looks = await first.evaluate((link) => ({
    color: getComputedStyle(link).color,
    size: getComputedStyle(link).fontSize,
    transform: getComputedStyle(link).textTransform,
  }))
  expect(looks).toEqual({ color: 'rgb(20, 80, 122)', size: '16px', transform: 'none' })
  const more = town.getByRole('button', { name: 'Afficher plus de parcours' })
  await more.focus()
  await town.keyboard.press('Enter')
  await expect(cards.nth(12).getByRole('link')).toBeFocused()
  await expectAccessible(town)
  expect(await reader.cookies()).toEqual([])
  expect(await town.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
  await town.setViewportSize({ width: 390, height: 844 })
  expect(await town.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await reader.close()
})

test('one parcours is shown with its map, and is counted', async ({ page, browser }) => {
  await allowHostSite(page)
  const written = await embedCode(page, 'Un parcours', async () => {
    await searchField(page, /^Parcours/).fill('Grande traversée du Val')
    // A white-label is chosen from a list of the browser's own, whose options are hidden.
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /^Grande traversée du Val d’Orsel en 4 jours/ })
      .click()
  })
  site.show(written)
  const id = Number(/parcours="(\d+)"/.exec(written)?.[1])
  const counted = async (): Promise<number> =>
    (await (await page.request.get(`${demoUrl}/api/v1/statistics?parcours_id=${id}`)).json()).totals.widget_view
  const before = await counted()
  const reader = await browser.newContext({ locale: 'fr-FR' })
  const town = await reader.newPage()
  await town.goto(site.allowed)
  await expect(town.locator('jalon-widget').getByRole('link', { name: 'Voir la fiche' })).toBeVisible()
  // At the usual height of 600 pixels its figures and its map are in sight without scrolling.
  const top = async (of: string) => (await town.locator(of).first().boundingBox())?.y ?? 0
  const start = await top('jalon-widget')
  expect((await top('jalon-widget .facts')) - start).toBeLessThan(400)
  expect((await top('jalon-widget .map')) - start).toBeLessThan(400)
  await town.locator('jalon-widget .map').scrollIntoViewIfNeeded()
  await expect(town.locator('jalon-widget .map')).toHaveAttribute('data-idle', '')
  await expectAccessible(town)
  await expect.poll(counted).toBeGreaterThan(before)
  await reader.close()
})

test('a map is shown with the names of its parcours, and the chosen one is shown below', async ({ page, browser }) => {
  await allowHostSite(page)
  site.show(await embedCode(page, 'Une carte'))
  const town = await (await browser.newContext({ locale: 'fr-FR' })).newPage()
  await town.goto(site.allowed)
  const widget = town.locator('jalon-widget')
  await expect(widget.locator('.map')).toHaveAttribute('data-idle', '')
  const name = widget.locator('.names button').nth(2)
  await name.focus()
  await town.keyboard.press('Enter')
  await expect(name).toHaveAttribute('aria-pressed', 'true')
  await expect(widget.locator('.chosen').getByRole('link')).toContainText((await name.locator('.name').textContent()) ?? '?')
  await expectAccessible(town)
  await town.context().close()
})

test('a site that is not allowed gets a sentence, with the script and with the frame', async ({ page, browser }) => {
  await allowHostSite(page)
  const town = await (await browser.newContext({ locale: 'fr-FR' })).newPage()
  site.show(await embedCode(page, 'Une liste'))
  const refused = town.waitForResponse((reply) => reply.url().includes('/api/public/v1/parcours'))
  await town.goto(site.other)
  expect((await refused).status()).toBe(403)
  await expect(town.locator('jalon-widget').getByRole('alert')).toContainText(`Le site ${site.other} n’est pas autorisé`)
  await expectAccessible(town)
  site.show(await embedCode(page, 'Une liste', undefined, 'Cadre (iframe)'))
  await town.goto(site.other)
  await expect(town.frameLocator('iframe').getByRole('alert')).toContainText(site.other)
  await town.goto(site.allowed)
  await expect(town.frameLocator('iframe').locator('.card')).toHaveCount(12)
  await expectAccessible(town)
  await town.context().close()
})

test('Geotrek’s own widget is given an address that carries the key, and its site is allowed in the same step', async ({
  page,
  browser,
}) => {
  await allowHostSite(page)
  const written = await embedCode(page, 'Une carte', undefined, 'Widget Geotrek')
  expect(written).toMatch(/<grw-app api="[^"]+\/k\/w\d+-[0-9a-f]{32}\/api\/v2\/" languages="fr" /)
  expect(written).toMatch(/ url-layer="https?:\/\/[^"]*\{z\}\/\{x\}\/\{y\}\.(svg|png)"/)
  await expectAccessible(page, { quiet: false })
  await page.getByLabel('Site où vous collez ce code').fill('mairie')
  await page.getByRole('button', { name: 'Autoriser ce site' }).click()
  await expect(page.getByText('Donnez l’adresse du site, par exemple https://www.mairie.fr.')).toBeVisible()
  await page.getByLabel('Site où vous collez ce code').fill('www.village.example/randos')
  await page.keyboard.press('Enter')
  await expect(page.getByText('https://www.village.example est autorisé.')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'https://www.village.example' })).toBeVisible()

  // The page of an allowed site reads the list, and another one the reason why not.
  const api = /api="([^"]+)"/.exec(written)?.[1] ?? ''
  const reader = await (await browser.newContext()).newPage()
  await reader.goto(site.allowed)
  const read = (url: string) =>
    reader.evaluate(async (address) => {
      const reply = await fetch(address)
      return { status: reply.status, body: await reply.json() }
    }, url)
  const list = await read(`${api}trek/?language=fr&page_size=1`)
  expect(list.status).toBe(200)
  expect(list.body.count).toBeGreaterThan(0)
  await reader.goto(site.other)
  const refused = await read(`${api}trek/`)
  expect(refused.status).toBe(403)
  expect(refused.body.detail).toContain(site.other)
})
