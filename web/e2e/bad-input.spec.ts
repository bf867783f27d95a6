import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { demoUrl } from './servers'
import { PASSWORD, signIn } from './session'

async function newParcours(page: Page, title: string): Promise<number> {
  await page.goto(demoUrl)
  await signIn(page)
  const reply = await page.request.post(`${demoUrl}/api/v1/parcours`, { data: { title: { fr: title } }, headers: { origin: demoUrl } })
  const { id }: { id: number } = await reply.json()
  return id
}

const gpx = (body: string, head = '') =>
  `<?xml version="1.0"?>${head}<gpx version="1.1" creator="essai" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${body}</trkseg></trk></gpx>`
const point = (lat: number, lon: number) => `<trkpt lat="${lat}" lon="${lon}"/>`
/** XML entities, each ten times the one before: expanded, a billion letters (« billion laughs »). */
const entities = `<!DOCTYPE gpx [<!ENTITY a "a">${['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'.charAt(at)};`.repeat(10)}">`).join('')}]>`

const files = [
  {
    name: 'photo.gpx',
    content: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70, ...Array.from({ length: 2000 }, (_, at) => (at * 7) % 256)]),
    says: /n’est pas une trace|abîmé|aucune trace/,
  },
  { name: 'bombe.gpx', content: Buffer.from(gpx('&j;', entities)), says: /définit des entités XML \(ligne \d+\).*par sécurité/ },
  { name: 'vide.gpx', content: Buffer.from(''), says: /Le fichier est vide/ },
  { name: 'un-point.gpx', content: Buffer.from(gpx(point(44.9, 3.1))), says: /n’a qu’un point/ },
  { name: 'lune.gpx', content: Buffer.from(gpx(point(95, 3.1) + point(96, 3.2))), says: /coordonnées impossibles \(ligne \d+\)/ },
  { name: 'coupe.gpx', content: Buffer.from(gpx(point(44.9, 3.1)).slice(0, 60)), says: /abîmé|aucune trace|n’est pas une trace/ },
] as const

test('each file that is no trace is refused in words, and the trace stays', async ({ page }) => {
  const id = await newParcours(page, 'Fichiers refusés')
  await page.goto(`${demoUrl}/parcours/${id}/edit-trace`)
  for (const { name, content, says } of files) {
    await test.step(name, async () => {
      await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/gpx+xml', buffer: content })
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('alert')).toContainText(says)
      await expect(dialog.getByRole('button', { name: 'Importer ce tracé' })).toHaveCount(0)
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    })
  }
  const kept = await page.request.get(`${demoUrl}/api/v1/parcours/${id}/trace`)
  expect(kept.status(), 'nothing was half-written').toBe(404)
})

test('a file beyond the limit is refused before it is sent', async ({ page }) => {
  const id = await newParcours(page, 'Fichier trop lourd')
  await page.goto(`${demoUrl}/parcours/${id}/edit-trace`)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'enorme.gpx', mimeType: 'application/gpx+xml', buffer: Buffer.alloc(23_000_000, 32) })
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText(/fait 23\sMo\s; la limite est de 21\sMo/)
  expect(sent.filter((url) => url.includes('/traces/'))).toEqual([])
})

test('pieces that are apart ask a question; a trace outside the map is reported as not calculable', async ({ page }) => {
  const id = await newParcours(page, 'Deux morceaux')
  await page.goto(`${demoUrl}/parcours/${id}/edit-trace`)
  const two = gpx(`${point(44.9, 3.1)}${point(44.901, 3.101)}</trkseg><trkseg>${point(44.92, 3.12)}${point(44.921, 3.121)}`)
  await page.locator('input[type=file]').setInputFiles({ name: 'deux.gpx', mimeType: 'application/gpx+xml', buffer: Buffer.from(two) })
  const go = page.getByRole('button', { name: 'Importer ce tracé' })
  await expect(go).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page)
  await page.getByRole('radio', { name: /premier/ }).check()
  await go.click()
  await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: 30_000 })

  const far = gpx(Array.from({ length: 60 }, (_, at) => point(64 + at / 5000, -21)).join(''))
  await page.locator('input[type=file]').setInputFiles({ name: 'islande.gpx', mimeType: 'application/gpx+xml', buffer: Buffer.from(far) })
  await go.click()
  await expect(page.getByText(/Non calculable.: 100.% de la trace est hors de la carte/)).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page)
})

test('a revoked link, and one that never was, say so', async ({ page, browser }) => {
  const id = await newParcours(page, 'Lien révoqué')
  await page.goto(`${demoUrl}/parcours/${id}?tab=sharing`)
  await page.getByRole('button', { name: 'Créer un lien temporaire' }).click()
  const link = page.getByRole('textbox', { name: /^Lien temporaire valable/ })
  await expect(link).toHaveValue(/\/s\//)
  const path = new URL(await link.inputValue()).pathname
  const visitor = await (await browser.newContext({ locale: 'fr-FR' })).newPage()
  expect((await visitor.goto(demoUrl + path))?.status()).toBe(200)
  await expect(visitor.getByRole('heading', { level: 1, name: 'Lien révoqué' })).toBeVisible()
  await expectAccessible(visitor)

  await page.getByRole('button', { name: 'Révoquer' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Révoquer' }).click()
  await expect(link).toHaveCount(0)
  expect((await visitor.goto(demoUrl + path))?.status()).toBe(410)
  await expect(visitor.getByRole('heading', { level: 1, name: 'Ce lien n’est plus valable' })).toBeVisible()
  await expectAccessible(visitor)
  expect((await visitor.goto(`${demoUrl}/s/rien-de-tel`))?.status()).toBe(404)
  await expectAccessible(visitor)
  await visitor.context().close()
})

test('a blocked account gets the reason, and cannot sign in', async ({ page }) => {
  await page.goto(`${demoUrl}/parcours`)
  await page.getByLabel('Adresse e-mail').fill('bloque@demo.jalon.example')
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('alert')).toContainText('Ce compte est bloqué')
  await expectAccessible(page)
  await page.goto(`${demoUrl}/parcours`)
  await expect(page).toHaveURL(/\/login/)
})

for (const elsewhere of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
  test(`after sign-in, ${elsewhere} is not where one goes`, async ({ page }) => {
    await page.goto(`${demoUrl}/login?backurl=${encodeURIComponent(elsewhere)}`)
    await page.getByLabel('Adresse e-mail').fill('editeur@demo.jalon.example')
    await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Se connecter' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).not.toHaveURL(/login/)
    expect(new URL(page.url()).origin).toBe(new URL(demoUrl).origin)
    expect(new URL(page.url()).pathname).toBe('/')
  })
}
