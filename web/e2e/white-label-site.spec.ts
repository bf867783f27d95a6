import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { chromiumPath, launchArgs } from './chromium'
import { png } from './png'
import { saveChanges, signInByApi } from './records'
import { demoUrl } from './servers'

test.describe.configure({ timeout: 180_000 })

interface WhiteLabel {
  id: number
  slug: string
  name: string
  domain: string
  colors: object
  fonts: object
  logo_media_id: number | null
}

const font = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2'),
)
const asks = { origin: demoUrl, 'if-match': '*' }

async function read(page: Page): Promise<WhiteLabel> {
  const list: { items: WhiteLabel[] } = await (await page.request.get(`${demoUrl}/api/v1/white-labels`)).json()
  const found = list.items.find(({ slug }) => slug === 'val-d-orsel')
  if (found === undefined) throw new Error('the demo has no Val d’Orsel')
  return found
}

async function change(page: Page, id: number, data: object): Promise<void> {
  const reply = await page.request.patch(`${demoUrl}/api/v1/white-labels/${id}`, { data, headers: asks })
  expect(reply.status(), await reply.text()).toBe(200)
}

async function sent(page: Page, name: string, data: Buffer): Promise<number> {
  const reply = await page.request.post(`${demoUrl}/api/v1/medias?file_name=${name}`, {
    data,
    headers: { ...asks, 'content-type': 'application/octet-stream' },
  })
  expect(reply.status(), await reply.text()).toBe(201)
  const { id }: { id: number } = await reply.json()
  return id
}

/** A published parcours of a white-label, by its page. */
async function pageOf(page: Page, whiteLabel: number): Promise<string> {
  const list: { items: { id: number; published: boolean; white_label: { id: number } }[] } = await (
    await page.request.get(`${demoUrl}/api/v1/parcours?progress=any&per_page=100`)
  ).json()
  const found = list.items.find((row) => row.published && row.white_label.id === whiteLabel)
  if (found === undefined) throw new Error('it has published nothing')
  return `/p/x-${found.id}`
}

const barOf = (page: Page) =>
  page.locator('header.top').evaluate((bar) => ({ ground: getComputedStyle(bar).backgroundColor, text: getComputedStyle(bar).color }))
const isWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

test('a look is set on the sheet, seen on the public page before it is saved, and worn by the site afterwards', async ({ page }) => {
  await signInByApi(page, 'superadmin')
  const before = await read(page)
  const parcours = await pageOf(page, before.id)
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [...launchArgs, `--host-resolver-rules=MAP *.carte.localhost localhost:${new URL(demoUrl).port}`],
  })
  try {
    const text = await sent(page, 'police.woff2', font)
    await change(page, before.id, { fonts: { title_media_id: text, text_media_id: text } })
    await page.goto(`${demoUrl}/settings/marques-blanches/${before.id}`)
    const preview = page.frameLocator('iframe[title^="La page publique"]')
    await expect(preview.locator('h1')).toHaveText(before.name)
    await page.getByRole('textbox', { name: /^Primaire/ }).fill('#F6C445')
    await page.getByRole('textbox', { name: /^Secondaire/ }).fill('#7A1F3D')
    await page.getByLabel(/Fichier.*Logo du site/).setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png(640, 160) })
    // Yellow bears black; the name is what the logo says.
    await expect(preview.locator('header.top')).toHaveCSS('background-color', 'rgb(246, 196, 69)')
    await expect(preview.locator('header.top')).toHaveCSS('color', 'rgb(0, 0, 0)')
    await expect(preview.locator('header.top img')).toHaveAttribute('alt', before.name)
    await expect(preview.locator('header.top')).not.toContainText(before.name)
    expect((await preview.locator('header.top img').boundingBox())?.height ?? 99).toBeLessThanOrEqual(48)
    expect(await preview.locator('body').evaluate(() => document.fonts.check('20px brand-title'))).toBe(true)
    await page.getByRole('radio', { name: 'Parcours', exact: true }).check()
    // Whichever was saved last: it may have no trace, so that its title alone is sure.
    await expect(preview.locator('h1')).not.toHaveText(before.name)
    await expectAccessible(page, { quiet: false })

    // Nothing of it is public yet.
    const visitor = await browser.newPage({ locale: 'fr-FR' })
    await visitor.goto(`${demoUrl}${parcours}`)
    expect((await barOf(visitor)).ground).not.toBe('rgb(246, 196, 69)')
    await saveChanges(page)
    await expect(page.getByText('Marque blanche sauvegardée !')).toBeVisible()

    const home = before.domain.replace('https:', 'http:')
    for (const [address, lang] of [
      [`${demoUrl}${parcours}`, 'fr'],
      [`${demoUrl}/en${parcours}`, 'en'],
      [`${home}/`, 'fr'],
      [`${home}/en/`, 'en'],
    ]) {
      await visitor.setViewportSize({ width: 1440, height: 900 })
      await visitor.goto(address ?? '')
      await expect(visitor.locator('html')).toHaveAttribute('lang', lang ?? '')
      expect(await barOf(visitor)).toEqual({ ground: 'rgb(246, 196, 69)', text: 'rgb(0, 0, 0)' })
      await expect(visitor.getByRole('img', { name: before.name, exact: true })).toBeVisible()
      await expectAccessible(visitor, { quiet: false })
      await visitor.setViewportSize({ width: 390, height: 844 })
      expect(await isWide(visitor), address).toBe(false)
      await expectAccessible(visitor, { quiet: false })
    }
    // From the home page a reader goes to a parcours of the same site.
    await visitor.goto(`${home}/`)
    await visitor.locator('.nearby a').first().click()
    await expect(visitor.locator('.figures, h1').first()).toBeVisible()
    expect(new URL(visitor.url()).host).toBe(new URL(home).host)
  } finally {
    await browser.close()
    await change(page, before.id, { colors: before.colors, fonts: before.fonts, logo_media_id: before.logo_media_id })
  }
})
