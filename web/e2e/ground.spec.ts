import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import {
  saveEntry,
  lineOf,
  northOf,
  parcours,
  parcoursId,
  phone,
  photo,
  takeOffline,
  expectWaiting,
  withMicrophone,
  type Trace,
} from './ground'
import { run, signInByApi } from './records'
import { demoUrl } from './servers'

test.use({ ...phone, permissions: ['geolocation', 'microphone'], launchOptions: withMicrophone })

test('a warden takes a parcours, loses the network, records, comes back, and the desk has all of it once', async ({ page, context }) => {
  test.setTimeout(240_000)
  await signInByApi(page, 'editeur')
  const id = await parcoursId(page)
  const line = await lineOf(page, id)
  const [start, along] = [line[0], line[Math.floor(line.length / 3)]]
  if (start === undefined || along === undefined) throw new Error('the parcours has no line')

  await page.goto(`${demoUrl}/terrain/`)
  await expect(page.getByText('Rien n’est encore sur l’appareil.')).toBeVisible()
  await expectAccessible(page)
  await takeOffline(page)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Emporté sur cet appareil' }).click()
  await expect(page.getByText(/(ko|Mo) · emporté le/)).toBeVisible()
  await expectAccessible(page)

  // Without network, the parcours opens after the page is loaded anew, with its map.
  await context.setGeolocation(northOf(start, 5))
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText('Pas de réseau : tout reste sur l’appareil.')).toBeVisible()
  await page.getByRole('link', { name: parcours }).click()
  await expect(page.locator('.map[data-idle]')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('à 6 m près')).toBeVisible()
  await expectAccessible(page, { quiet: false })

  // Along the line and off it.
  await page.getByRole('button', { name: 'Suivre le tracé' }).click()
  await context.setGeolocation(northOf(along, 0))
  await expect(page.locator('.facts')).toContainText('Prochaine étape')
  await offTheLine(page, context, along)
  await context.setGeolocation(northOf(along, 3))
  await expect(page.getByRole('alert').filter({ hasText: 'du tracé' })).toBeHidden()

  await recordAll(page)
  await recordWay(page, context, line)
  await expectWaiting(page, 10)

  // Nothing is lost with the page, nor with its tab.
  await page.reload()
  await expectWaiting(page, 10)
  await page.close()
  const again = await context.newPage()
  await again.goto(`${demoUrl}/terrain/envois`)
  await expectWaiting(again, 10)
  await expect(again.getByRole('list', { name: 'Envois' }).getByRole('listitem').filter({ hasText: 'En attente' })).toHaveCount(10)
  await expectAccessible(again, { quiet: false })

  // The network returns.
  await context.setOffline(false)
  await expect(again.getByRole('list', { name: 'Envoyés aujourd’hui' }).getByRole('listitem')).toHaveCount(10, { timeout: 60_000 })
  await expectWaiting(again, 0)
  await expectAccessible(again)
  await atTheDesk(again, id)
})

/** The alarm rings after 20 s beyond 40 m. */
async function offTheLine(page: Page, context: BrowserContext, from: readonly [number, number, number?]): Promise<void> {
  let metres = 60
  await expect(async () => {
    metres += 1
    await context.setGeolocation(northOf(from, metres))
    await expect(page.getByRole('alert').filter({ hasText: /Vous êtes à \d+\sm du tracé/ })).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 60_000 })
}

/** One of each, in three touches where nothing must be written. */
async function recordAll(page: Page): Promise<void> {
  const acts = page.getByRole('group', { name: 'Relever' })
  const form = page.getByRole('dialog')

  await acts.getByRole('button', { name: 'Lieu' }).click()
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await expect(form.getByText('Donnez un nom à ce lieu.')).toBeVisible()
  await expectAccessible(page, { quiet: false })
  await form.getByRole('textbox', { name: /^Nom du lieu/ }).fill(`Résurgence ${run}`)
  await expect(form.getByText('Donnez un nom à ce lieu.')).toBeHidden()
  // Escape loses nothing that was typed; a browser closes a dialog at the second one in a row, and it is opened again.
  await page.keyboard.press('Escape')
  await expect(form.getByText(/^Rien n’est encore enregistré/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(form.getByRole('textbox', { name: /^Nom du lieu/ })).toHaveValue(`Résurgence ${run}`)
  await saveEntry(page)

  await acts.getByRole('button', { name: 'Signaler' }).click()
  await form.getByText('Arbre tombé').click()
  await saveEntry(page)

  await acts.getByRole('button', { name: 'Remarque' }).click()
  await form.getByRole('combobox', { name: 'Étape' }).selectOption({ index: 1 })
  await form.getByRole('textbox', { name: /^Remarque/ }).fill(`Panneau retourné ${run}`)
  await saveEntry(page)

  // A remark that is spoken: three touches.
  await acts.getByRole('button', { name: 'Remarque' }).click()
  await form.getByRole('button', { name: 'Note vocale' }).click()
  await expect(form.getByRole('button', { name: 'Arrêter la note vocale' })).toBeVisible()
  await page.waitForTimeout(1500)
  await expectAccessible(page, { quiet: false })
  await saveEntry(page)

  // The name of a step is corrected, and its place: the position of the device.
  await page.locator('summary').filter({ hasText: 'Étapes' }).click()
  await page
    .getByRole('button', { name: /^Corriger : / })
    .first()
    .click()
  await form.getByRole('textbox', { name: 'Nom' }).fill(`Halle ${run}`)
  await form.getByText(/^Ma position/).click()
  await expectAccessible(page, { quiet: false })
  await saveEntry(page)

  await acts.getByRole('button', { name: 'C’est juste' }).click()
  await form.getByText('Un tronçon').click()
  await expectAccessible(page, { quiet: false })
  await saveEntry(page)

  await acts.getByRole('button', { name: 'Fermeture' }).click()
  await form.getByText('Coupe de bois').click()
  await form.getByLabel('Dernier jour').fill('2027-01-31')
  await form.getByRole('textbox', { name: 'Précisions' }).fill(`Grumes ${run}`)
  await expectAccessible(page, { quiet: false })
  await saveEntry(page)

  await acts.getByRole('button', { name: 'Équipement' }).click()
  await form.getByText('Usé ou abîmé').click()
  await expectAccessible(page, { quiet: false })
  await saveEntry(page)

  await acts.getByLabel('Photo', { exact: true }).setInputFiles(photo())
  await expect(form.getByRole('img', { name: 'Photo 1' })).toBeVisible()
  await expectAccessible(page, { quiet: false })
  await saveEntry(page)
}

/** The way along the first kilometre of the line, 20 m beside it; the page is killed in its middle. */
async function recordWay(page: Page, context: BrowserContext, line: Trace['line']): Promise<void> {
  const acts = page.getByRole('group', { name: 'Relever' })
  const state = page.getByRole('region', { name: 'Enregistrement du chemin' })
  const walk = async (from: number, to: number) => {
    for (const point of line.slice(from, to)) {
      await context.setGeolocation(northOf(point, 20))
      await page.waitForTimeout(120)
    }
  }
  await acts.getByRole('button', { name: 'Chemin' }).click()
  await expect(state).toBeVisible()
  await walk(0, 25)
  await expect(state).toContainText(/Chemin enregistré\s: [1-9]/)
  const length = async () => Number(/([\d,]+)\s(km|m)/.exec((await state.textContent()) ?? '')?.[1]?.replace(',', '.'))
  const before = await length()
  await page.reload()
  await expect(state).toBeVisible()
  // The last position may come again: nothing is lost, and nothing begins anew.
  expect(await length()).toBeGreaterThanOrEqual(before)
  await walk(25, 50)
  await expectAccessible(page, { quiet: false })
  await state.getByRole('button', { name: 'Terminer' }).click()
  await expect(page.getByRole('dialog').getByText(/points\. Au bureau/)).toBeVisible()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Précisions' }).fill(`Par le haut ${run}`)
  await saveEntry(page)
  await expect(state).toBeHidden()
}

async function atTheDesk(page: Page, id: number): Promise<void> {
  await page.goto(`${demoUrl}/`)
  await expect(page.getByRole('heading', { name: /relevés? de terrain à relire/ })).toBeVisible()
  await page.goto(`${demoUrl}/releves`)
  const items = page.locator('[data-entry]')
  const place = items.filter({ hasText: `Résurgence ${run}` })
  await expect(place).toHaveCount(1)
  await expect(items.filter({ hasText: `Panneau retourné ${run}` })).toHaveCount(1)
  await expect(items.filter({ hasText: 'Arbre tombé' })).not.toHaveCount(0)
  await expect(items.filter({ hasText: 'C’est juste' })).not.toHaveCount(0)
  // The small picture is made by a job.
  await expect(async () => {
    await page.reload()
    await expect(items.getByRole('img', { name: 'Photo 1' }).first()).toBeVisible({ timeout: 3000 })
  }).toPass({ timeout: 30_000 })
  await expectAccessible(page)
  await place.getByRole('button', { name: 'Marquer comme relu' }).click()
  await expect(place).toHaveCount(0)

  // A closure begins with what was seen, and the recorded way is compared with the trace.
  await items
    .filter({ hasText: `Grumes ${run}` })
    .getByRole('link', { name: 'Créer la fermeture' })
    .click()
  await expect(page.getByLabel('Au', { exact: true })).toHaveValue('2027-01-31')
  await expect(page.getByText(`Grumes ${run}`)).toBeVisible()
  await page.goto(`${demoUrl}/releves`)
  await expect(items.filter({ hasText: 'Usé ou abîmé' })).not.toHaveCount(0)
  await items
    .filter({ hasText: `Par le haut ${run}` })
    .getByRole('link', { name: 'Comparer au tracé' })
    .click()
  const compared = page.getByRole('dialog', { name: /Chemin enregistré sur le terrain/ })
  await expect(compared.getByRole('table')).toContainText('%', { timeout: 30_000 })
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/edit-trace$/)

  // What was spoken is heard, and a correction is applied field by field.
  await page.goto(`${demoUrl}/releves`)
  await expect(items.locator('audio')).not.toHaveCount(0)
  const sound = await items.locator('audio').first().getAttribute('src')
  expect((await page.request.get(`${demoUrl}${sound}`)).headers()['content-type']).toBe('audio/webm')
  const correction = items.filter({ hasText: 'Correction' }).first()
  await correction.getByRole('button', { name: 'Relire la correction' }).click()
  await expect(correction.getByRole('checkbox')).toHaveCount(2)
  await correction.getByRole('checkbox', { name: 'Endroit' }).uncheck()
  await expectAccessible(page)
  await correction.getByRole('button', { name: 'Appliquer' }).click()
  await expect(page.getByText('Correction appliquée.')).toBeVisible()
  const { steps }: { steps: { title: { fr?: string } }[] } = await (await page.request.get(`${demoUrl}/api/v1/parcours/${id}`)).json()
  expect(steps[0]?.title.fr).toBe(`Halle ${run}`)

  // What it made waits to be published, and the sheet says that the parcours was surveyed.
  await page.goto(`${demoUrl}/parcours/${id}?tab=reviews`)
  await expect(page.getByText(/^Dernière vérification le/)).toBeVisible()
  const { items: pois }: { items: { published: boolean }[] } = await (
    await page.request.get(`${demoUrl}/api/v1/pois?search=${encodeURIComponent(`Résurgence ${run}`)}`)
  ).json()
  expect(pois.map(({ published }) => published)).toEqual([false])
}

test('an answer that is lost in the middle makes nothing twice', async ({ page, context }) => {
  test.setTimeout(180_000)
  await signInByApi(page, 'editeur')
  const id = await parcoursId(page)
  const [start] = await lineOf(page, id)
  if (start === undefined) throw new Error('the parcours has no line')
  await context.setGeolocation(northOf(start, 2))
  await takeOffline(page)

  // Each kind of request reaches the server once without an answer.
  const lost = new Set<string>()
  const reached: string[] = []
  const wire = await context.newCDPSession(page)
  wire.on('Fetch.requestPaused', ({ requestId, request: { method, url } }) => {
    const kind = `${method} ${url.includes('/uploads') ? 'upload' : 'entry'}`
    const isLost = !lost.has(kind)
    lost.add(kind)
    if (method === 'PUT') reached.push(new URL(url).pathname)
    void (isLost
      ? wire.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
      : wire.send('Fetch.continueResponse', { requestId }))
  })
  await wire.send('Fetch.enable', {
    patterns: ['*/api/v1/uploads*', '*/api/v1/ground/entries/*'].map((urlPattern) => ({ urlPattern, requestStage: 'Response' as const })),
  })
  await page.goto(`${demoUrl}/terrain/parcours/${id}`)
  await expect(page.getByText('à 6 m près')).toBeVisible()
  await page.getByRole('group', { name: 'Relever' }).getByRole('button', { name: 'Lieu' }).click()
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: /^Nom du lieu/ })
    .fill(`Gué ${run}`)
  await page.getByRole('dialog').getByLabel('Ajouter une photo').setInputFiles(photo())
  await expect(page.getByRole('dialog').getByRole('img', { name: 'Photo 1' })).toBeVisible()
  await saveEntry(page)
  await page.getByRole('link', { name: /^Envois/ }).click()
  const sent = page
    .getByRole('list', { name: 'Envoyés aujourd’hui' })
    .getByRole('listitem')
    .filter({ hasText: `Gué ${run}` })
  await expect(async () => {
    const send = page.getByRole('button', { name: 'Envoyer maintenant' })
    if ((await sent.count()) === 0) await send.click()
    await expect(sent).toHaveCount(1, { timeout: 5000 })
  }).toPass({ timeout: 90_000 })
  expect(lost.size, [...lost].join()).toBeGreaterThanOrEqual(3)
  expect(new Set(reached).size).toBe(1)
  expect(reached.length).toBeGreaterThanOrEqual(2)

  const { items }: { items: { media_ids: number[] }[] } = await (
    await page.request.get(`${demoUrl}/api/v1/pois?search=${encodeURIComponent(`Gué ${run}`)}`)
  ).json()
  expect(items).toHaveLength(1)
  expect(items[0]?.media_ids).toHaveLength(1)
})

test('the session that ends leaves the queue, and another person does not see it', async ({ page, context }) => {
  await signInByApi(page, 'editeur')
  const id = await parcoursId(page)
  await takeOffline(page)
  await context.setOffline(true)
  await page.goto(`${demoUrl}/terrain/parcours/${id}`)
  await page.getByRole('button', { name: 'C’est juste' }).click()
  await saveEntry(page)
  await expectWaiting(page, 1)

  await context.clearCookies()
  await context.setOffline(false)
  await expect(page.getByText(/^La session est terminée/).first()).toBeVisible()
  await expectWaiting(page, 1)
  await expect(page.getByRole('link', { name: 'Se reconnecter' }).first()).toHaveAttribute(
    'href',
    `/login?backurl=${encodeURIComponent(`/terrain/parcours/${id}`)}`,
  )
  await expectAccessible(page)

  await signInByApi(page, 'agence')
  await page.goto(`${demoUrl}/terrain/envois`)
  await expect(page.getByText('Rien n’attend.')).toBeVisible()
  await expectWaiting(page, 0)

  // The first person signs in again on the sign-in page, and comes back to what waits.
  await context.clearCookies()
  await page.goto(`${demoUrl}/terrain/envois`)
  await page.getByRole('link', { name: 'Se reconnecter' }).first().click()
  await page.getByLabel('Adresse e-mail').fill('editeur@demo.jalon.example')
  await page.getByLabel('Mot de passe', { exact: true }).fill('balise-jaune-2026')
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(
    page.getByRole('list', { name: 'Envoyés aujourd’hui' }).getByRole('listitem').filter({ hasText: 'C’est juste' }),
  ).toHaveCount(1, { timeout: 30_000 })
})
