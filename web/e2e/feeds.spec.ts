import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { signInByApi } from './records'
import { demoUrl } from './servers'
import { unzip } from './zip'

/** The white-label that owns the parcours with a public page that was saved last, and the number of that parcours. */
async function owner(page: Page): Promise<{ white_label: number; parcours: number }> {
  const map = await (await page.request.get(`${demoUrl}/sitemap.xml`)).text()
  for (const [, number] of map.matchAll(/<loc>[^<]*?\/p\/[^<]*-(\d+)<\/loc>/g)) {
    const { white_label, distribute_own }: { white_label: { id: number }; distribute_own: boolean } = await (
      await page.request.get(`${demoUrl}/api/v1/parcours/${number}`)
    ).json()
    if (distribute_own) return { white_label: white_label.id, parcours: Number(number) }
  }
  throw new Error('the demo distributes nothing')
}

test('a key opens the feeds of its white-label, a pack with its map among them, until it is revoked', async ({ page }) => {
  await signInByApi(page, 'superadmin')
  const { white_label, parcours } = await owner(page)
  await page.goto(`${demoUrl}/settings/marques-blanches/${white_label}`)
  await page.getByRole('button', { name: /^(Créer une clé|Remplacer la clé)$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Clé d’API' })
  const key = await dialog.getByRole('textbox').inputValue()
  await dialog.getByRole('button', { name: 'J’ai copié la clé' }).click()

  const ask = (path: string) => page.request.get(demoUrl + path, { headers: { 'x-api-key': key } })
  const { total, items }: { total: number; items: { id: number }[] } = await (await ask('/api/public/v1/parcours?per_page=500')).json()
  expect(total).toBe(items.length)
  const trek: { count: number; results: { id: number }[] } = await (await ask('/api/v2/trek/?page_size=1000')).json()
  expect(trek.results).toHaveLength(trek.count)
  expect(items.map(({ id }) => id)).toContain(parcours)

  const reply = await ask(`/api/public/v1/parcours/${parcours}/pack.zip?language=fr`)
  expect(reply.status()).toBe(200)
  const entries = unzip(await reply.body())
  const manifest: { files: { name: string; bytes: number }[] } = JSON.parse(String(entries.get('pack.json')))
  for (const { name, bytes } of manifest.files) expect(entries.get(name)?.length, name).toBe(bytes)
  const sheet: { id: number; line: number[][]; media: { url: string }[] } = JSON.parse(String(entries.get('parcours.json')))
  expect(sheet.id).toBe(parcours)
  for (const { url } of sheet.media) expect(entries.has(url) || url.startsWith('http'), url).toBe(true)
  const style: { sources: Record<string, { tiles?: string[] }> } = JSON.parse(String(entries.get('map/style-light.json')))
  expect(Object.values(style.sources).flatMap(({ tiles = [] }) => tiles)).toEqual(['tiles/{z}/{x}/{y}.mvt'])
  const tiles = [...entries].filter(([name]) => /^map\/tiles\/14\/\d+\/\d+\.mvt$/.test(name))
  expect(tiles.length).toBeGreaterThan(3)
  // A vector tile begins with a layer: field 3, length-delimited.
  for (const [name, bytes] of tiles) expect(bytes[0], name).toBe(0x1a)
  const known = await page.request.get(`${demoUrl}/api/public/v1/parcours/${parcours}/pack.zip?language=fr`, {
    headers: { 'x-api-key': key, 'if-none-match': reply.headers()['etag'] ?? '' },
  })
  expect(known.status()).toBe(304)

  await page.getByRole('button', { name: 'Révoquer la clé' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Révoquer la clé' }).click()
  await expect(page.getByText('Aucune clé : l’API publique de ce site est fermée.')).toBeVisible()
  const closed = await ask('/api/public/v1/parcours')
  expect([closed.status(), await closed.text()]).toEqual([401, expect.stringContaining('d’aucune marque blanche')])
})

for (const width of [1440, 390]) {
  test(`the public API is documented on a page that is open to everyone, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${demoUrl}/api/docs`)
    await expect(page.getByRole('link', { name: '/api/public/v1/parcours/{id}/pack.zip' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'GET /api/public/v1/parcours/{id}/pack.zip' })).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)

    // A question is tried from the page; the file it names is there; the same in English.
    const tried = page.locator('details').filter({ has: page.locator('form[data-path="/api/public/v1/parcours"]') })
    await tried.locator('summary').click()
    await tried.getByRole('button', { name: 'Envoyer' }).click()
    await expect(tried.getByRole('status')).toHaveText('Saisissez d’abord une clé d’API.')
    await page.locator('#key').fill('une-autre-cle')
    await tried.getByRole('button', { name: 'Envoyer' }).click()
    await expect(tried.getByRole('status')).toHaveText(/^GET \/api\/public\/v1\/parcours.* : 401$/)
    await expect(tried.getByRole('region', { name: 'Réponse' })).toContainText('d’aucune marque blanche')
    await expectAccessible(page)
    expect((await page.request.get(`${demoUrl}/api/docs/openapi.json`)).status()).toBe(200)
    await page.getByRole('link', { name: 'English' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Jalon’s public API' })).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  })
}
