import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import {
  deviceCalls,
  saveEntry,
  lineOf,
  northOf,
  parcours,
  parcoursId,
  phone,
  photo,
  fakeDevice,
  takeOffline,
  expectWaiting,
} from './ground'
import { run, signInByApi } from './records'
import { demoUrl } from './servers'

/** What the device itself does or refuses: sound, vibration, the screen, its room, two tabs. */

test.use({ ...phone, permissions: ['geolocation'] })

test('off the line for 20 s it sounds and vibrates, and the screen stays awake while the line is followed', async ({ page }) => {
  test.setTimeout(180_000)
  await signInByApi(page, 'editeur')
  const id = await parcoursId(page)
  const line = await lineOf(page, id)
  await takeOffline(page)
  await fakeDevice(page)
  await page.goto(`${demoUrl}/terrain/parcours/${id}`)
  await expect(page.locator('.map[data-idle]')).toBeVisible({ timeout: 30_000 })
  const begun = Date.now()
  /** A position each second of the recording, so far from the line. */
  const walk = async (fromS: number, toS: number, metres: number) => {
    for (let second = fromS; second <= toS; second++) {
      const point = line[Math.floor(second / 4)]
      if (point === undefined) throw new Error('the line is too short')
      const { longitude, latitude } = northOf(point, metres)
      await page.evaluate(([lon, lat, at]) => window.calls.position(lon, lat, at, 6), [longitude, latitude, begun + second * 1000] as const)
      await page.waitForTimeout(20)
    }
  }
  const alert = page.getByRole('alert').filter({ hasText: /du tracé/ })

  // Without following, nothing rings.
  await walk(0, 30, 400)
  expect(await deviceCalls(page)).toMatchObject({ vibrations: [], tones: [], asked: 0 })

  await page.getByRole('button', { name: 'Suivre le tracé' }).click()
  await expect.poll(async () => (await deviceCalls(page)).held).toBe(1)
  await walk(31, 40, 0)
  await walk(41, 60, 400)
  expect(await deviceCalls(page)).toMatchObject({ vibrations: [], tones: [] })
  await expect(alert).toBeHidden()
  await walk(61, 62, 400)
  await expect(alert).toBeVisible()
  await expect.poll(() => deviceCalls(page)).toMatchObject({ vibrations: [[400, 200, 400, 200, 400]], tones: [880, 660] })
  // It rings again each minute, and no more once the person is back.
  await walk(63, 122, 400)
  expect((await deviceCalls(page)).vibrations).toHaveLength(2)
  await walk(123, 125, 0)
  await expect(alert).toBeHidden()
  await walk(126, 140, 400)
  expect((await deviceCalls(page)).vibrations).toHaveLength(2)

  // A page that was hidden asks again; one that no longer follows lets the screen go.
  const shown = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      window.calls.isHidden = hidden
      document.dispatchEvent(new Event('visibilitychange'))
    }, isHidden)
  await shown(true)
  expect(await deviceCalls(page)).toMatchObject({ asked: 1, held: 0 })
  await shown(false)
  await expect.poll(() => deviceCalls(page)).toMatchObject({ asked: 2, held: 1 })
  await page.getByRole('button', { name: 'Suivre le tracé' }).click()
  await expect.poll(() => deviceCalls(page)).toMatchObject({ asked: 2, held: 0 })
})

/** The device has no room for what is put into a cache, or into the named store, until it is given back. */
const fill = (page: Page, what: 'caches' | 'photos' | 'recording') =>
  page.evaluate((full) => {
    const own = (of: object, name: string) => Object.getOwnPropertyDescriptor(of, name)?.value
    const before = {
      caches: own(Cache.prototype, 'put'),
      put: own(IDBObjectStore.prototype, 'put'),
      add: own(IDBObjectStore.prototype, 'add'),
    }
    const quota = () => new DOMException('full', 'QuotaExceededError')
    const refusing = (write: typeof IDBObjectStore.prototype.put) =>
      function (this: IDBObjectStore, value: unknown, key?: IDBValidKey) {
        const request = key === undefined ? write.call(this, value) : write.call(this, value, key)
        if (this.name === full) {
          // As browsers do: the request fails, and its transaction is aborted for this reason.
          const { transaction } = this
          Object.defineProperty(transaction, 'error', { get: quota })
          request.addEventListener('success', () => transaction.abort())
        }
        return request
      }
    if (full === 'caches') Cache.prototype.put = () => Promise.reject(quota())
    else {
      IDBObjectStore.prototype.put = refusing(before.put)
      IDBObjectStore.prototype.add = refusing(before.add)
    }
    Object.assign(window, {
      emptied: () => {
        Cache.prototype.put = before.caches
        IDBObjectStore.prototype.put = before.put
        IDBObjectStore.prototype.add = before.add
      },
    })
  }, what)
const emptied = (page: Page) => page.evaluate('window.emptied()')

test('a device without room says so, keeps what is there, and loses nothing of a form', async ({ page, context }) => {
  test.setTimeout(180_000)
  await signInByApi(page, 'editeur')
  const id = await parcoursId(page)
  const [start] = await lineOf(page, id)
  if (start === undefined) throw new Error('the parcours has no line')
  await takeOffline(page)
  const isFull = page.getByRole('alert').filter({ hasText: 'L’appareil n’a plus de place.' })

  // Another parcours does not fit; the first one stays, whole.
  await page.getByRole('link', { name: 'Emporté sur cet appareil' }).click()
  const first = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: parcours }) })
  const words = await first.getByText(/emporté le/).textContent()
  const weight = /[\d,]+\s(ko|Mo)/.exec(words ?? '')?.[0] ?? 'no weight'
  await page.getByRole('link', { name: 'Emporter un parcours ou une zone' }).click()
  await expect(page.getByRole('checkbox').nth(1)).toBeVisible()
  await fill(page, 'caches')
  await page
    .getByRole('checkbox')
    .and(page.locator(`:not(li:has-text("${parcours}") *)`))
    .first()
    .check()
  await page.getByRole('button', { name: 'Emporter 1 parcours' }).click()
  await expect(isFull).toBeVisible()
  await page.getByRole('link', { name: 'Emporté sur cet appareil' }).click()
  await expect(first.getByText(weight)).toBeVisible()
  // Nor does an update of the first one.
  await first.getByRole('button', { name: `Actualiser ${parcours}` }).click()
  await expect(isFull).toBeVisible()
  await expect(first.getByText(weight)).toBeVisible()
  await expect(first.getByRole('button', { name: `Actualiser ${parcours}` })).toHaveText('Reprendre')
  await emptied(page)
  await context.setGeolocation(northOf(start, 3))
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('link', { name: parcours }).click()
  await expect(page.locator('.map[data-idle]')).toBeVisible({ timeout: 30_000 })

  // The device refuses to store the photo of a place: the form keeps what was typed, and is saved once there is room.
  await expect(page.getByText('à 6 m près')).toBeVisible()
  await fill(page, 'photos')
  await page.getByRole('group', { name: 'Relever' }).getByRole('button', { name: 'Lieu' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: /^Nom du lieu/ }).fill(`Abri ${run}`)
  await form.getByLabel('Ajouter une photo').setInputFiles(photo())
  await expect(form.getByRole('img', { name: 'Photo 1' })).toBeVisible()
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await expect(isFull).toBeVisible()
  await expect(form.getByRole('textbox', { name: /^Nom du lieu/ })).toHaveValue(`Abri ${run}`)
  await expect(form.getByRole('img', { name: 'Photo 1' })).toBeVisible()
  await emptied(page)
  await saveEntry(page)
  await expectWaiting(page, 1)
})

test('a way that finds no room goes on in the page, says so, and is written once there is room', async ({ page, context }) => {
  test.setTimeout(180_000)
  await signInByApi(page, 'editeur')
  const id = await parcoursId(page)
  const [start] = await lineOf(page, id)
  if (start === undefined) throw new Error('the parcours has no line')
  const walkTo = (metres: number) => context.setGeolocation(northOf(start, metres))
  await walkTo(0)
  await takeOffline(page)
  await page.goto(`${demoUrl}/terrain/parcours/${id}`)
  await expect(page.getByText('à 6 m près')).toBeVisible()
  const state = page.getByRole('region', { name: 'Enregistrement du chemin' })
  const length = (words: RegExp) => expect(state.getByText(words)).toBeVisible()
  const isFull = state.getByRole('alert').filter({ hasText: 'L’appareil n’a plus de place.' })
  await page.getByRole('button', { name: 'Chemin', exact: true }).click()
  await length(/: 0\sm$/)
  await walkTo(20)
  await length(/: 20\sm$/)
  await expect(isFull).toBeHidden()

  await fill(page, 'recording')
  for (const metres of [40, 60, 80]) {
    await walkTo(metres)
    await length(new RegExp(`: ${metres}\\sm$`))
  }
  await expect(isFull).toBeVisible()
  await expect(isFull).toContainText('gardez-la ouverte')
  await expectAccessible(page, { quiet: false })
  await emptied(page)
  await walkTo(100)
  await length(/: 100\sm$/)
  await expect(isFull).toBeHidden()

  // All of it is on the device.
  await page.reload()
  await length(/: 100\sm$/)
  await state.getByRole('button', { name: 'Terminer' }).click()
  await expect(page.getByRole('dialog').getByText(/100\sm, 6 points/)).toBeVisible()
  await saveEntry(page)
  await expectWaiting(page, 0)
})

test('two tabs that send at once send each entry once', async ({ page, context }) => {
  test.setTimeout(180_000)
  await signInByApi(page, 'editeur')
  const id = await parcoursId(page)
  const [start] = await lineOf(page, id)
  if (start === undefined) throw new Error('the parcours has no line')
  await context.setGeolocation(northOf(start, 2))
  await takeOffline(page)
  await context.setOffline(true)
  await page.goto(`${demoUrl}/terrain/parcours/${id}`)
  await expect(page.getByText('à 6 m près')).toBeVisible()
  for (let count = 1; count <= 6; count++) {
    await page.getByRole('button', { name: 'C’est juste' }).click()
    await saveEntry(page)
    await expectWaiting(page, count)
  }
  const other = await context.newPage()
  await other.goto(`${demoUrl}/terrain/parcours/${id}`)
  await expectWaiting(other, 6)

  const asked: string[] = []
  context.on('request', (request) => request.method() === 'PUT' && asked.push(new URL(request.url()).pathname))
  // Slow answers: the second tab begins while the first one sends, and confirms one more entry meanwhile.
  await context.route('**/api/v1/ground/entries/*', async (route) => {
    await new Promise((wake) => setTimeout(wake, 400))
    await route.continue()
  })
  await context.setOffline(false)
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  await other.getByRole('button', { name: 'C’est juste' }).click()
  await saveEntry(other)
  await expectWaiting(page, 0)
  await expectWaiting(other, 0)
  expect(asked).toHaveLength(7)
  expect(new Set(asked).size).toBe(7)
})

test('an area is taken along with its parcours, opens without network, and a place is recorded in it', async ({ page, context }) => {
  test.setTimeout(180_000)
  await signInByApi(page, 'editeur')
  const [start] = await lineOf(page, await parcoursId(page))
  if (start === undefined) throw new Error('the parcours has no line')
  await context.setGeolocation(northOf(start, 2))
  await page.goto(`${demoUrl}/terrain/emporter`)
  await page.getByRole('link', { name: 'Emporter une zone' }).click()
  await expect(page.locator('.map[data-idle]')).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page, { quiet: false })

  // The map by keyboard: farther it is too large, around the person it is not.
  const state = page.getByRole('status').filter({ hasText: /dans cette zone/ })
  await page
    .getByRole('region', { name: /Carte de la zone$/ })
    .locator('canvas')
    .focus()
  for (let press = 0; press < 6; press++) {
    await page.keyboard.press('Minus')
    await page.waitForTimeout(400)
  }
  await page.getByRole('button', { name: 'Prendre ce que montre la carte' }).press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'trop grande' })).toBeVisible()
  await page.getByText('2 km', { exact: true }).click()
  await page.getByRole('button', { name: 'Prendre autour de moi' }).press('Enter')
  await expect(state).toHaveText(/^[1-9]\d* parcours dans cette zone\. Carte\s: environ [\d,]+\s(ko|Mo)\.$/)
  const count = Number.parseInt((await state.textContent()) ?? '', 10)
  await page.getByRole('button', { name: 'Emporter cette zone' }).click()
  await expect(page.getByText('Donnez un nom à cette zone.')).toBeVisible()
  await page.getByLabel('Nom de la zone').fill(`Autour du bourg ${run}`)
  await expectAccessible(page, { quiet: false })
  let campaigns = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/v1/survey-campaigns') campaigns += 1
  })
  await page.getByRole('button', { name: 'Emporter cette zone' }).click()
  await expect(page.getByText(`La zone et ${count} parcours sont sur l’appareil.`)).toBeVisible({ timeout: 120_000 })
  // Asked for once, whatever the number of parcours.
  expect(campaigns).toBe(1)
  await page.getByRole('link', { name: 'Emporté sur cet appareil' }).click()
  const cards = page.getByRole('main').getByRole('listitem')
  await expect(cards).toHaveCount(count + 1)
  const card = cards.filter({ hasText: 'Autour du bourg' })
  await expect(card.getByText(/^Zone · [\d,]+\s(ko|Mo) · emporté le/)).toBeVisible()
  // More places than are taken: the card says how many are there.
  const left = card.getByText(/^\d+ lieux? sur 4\s321 sont sur l’appareil\.$/)
  const places = /\/api\/v1\/pois\?.*bbox=/
  await page.route(places, async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ response: reply, json: { ...(await reply.json()), total: 4321 } })
  })
  const refreshed = async () => {
    await card.getByRole('button', { name: /^Actualiser/ }).click()
    await expect(card.getByRole('status')).not.toHaveText('')
    await expect(card.getByRole('status')).toHaveText('', { timeout: 30_000 })
    await expect(card.getByRole('alert')).toHaveCount(0)
  }
  await refreshed()
  await expect(left).toBeVisible()
  await page.unroute(places)
  await refreshed()
  await expect(left).toBeHidden()

  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await context.setOffline(true)
  await page.reload()
  await card.getByRole('link').click()
  await expect(page.locator('.map[data-idle]')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('à 6 m près')).toBeVisible()
  await expect(page.locator('details').filter({ hasText: 'Parcours de la zone' }).locator('.count')).toHaveText(String(count))
  const acts = page.getByRole('group', { name: 'Relever' })
  await expect(acts.locator('.big')).toHaveText(['Lieu', 'Équipement', 'Photo'])
  await expectAccessible(page, { quiet: false })
  await acts.getByRole('button', { name: 'Lieu' }).click()
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: /^Nom du lieu/ })
    .fill(`Fontaine ${run}`)
  await saveEntry(page)
  await acts.getByLabel('Photo', { exact: true }).setInputFiles(photo())
  await saveEntry(page)
  await expect(page.locator('details').filter({ hasText: 'Mes relevés' }).locator('.count')).toHaveText('2')
  await context.setOffline(false)
  await expectWaiting(page, 0)
  const { items }: { items: unknown[] } = await (
    await page.request.get(`${demoUrl}/api/v1/pois?search=${encodeURIComponent(`Fontaine ${run}`)}`)
  ).json()
  expect(items).toHaveLength(1)

  // Removed with its map; the parcours stay.
  await page.getByRole('link', { name: 'Sur l’appareil', exact: true }).click()
  await card.getByRole('button', { name: /^Retirer/ }).click()
  await card.getByRole('button', { name: 'Retirer', exact: true }).click()
  await expect(cards).toHaveCount(count)
  const kept = await page.evaluate(async () => (await caches.keys()).filter((name) => /--/.test(name)))
  expect(kept).toEqual([])
})

test('a photo whose upload gets no answer is cut after a minute, and goes on in the same upload', async ({ page, context }) => {
  test.setTimeout(180_000)
  await signInByApi(page, 'editeur')
  const id = await parcoursId(page)
  const [start] = await lineOf(page, id)
  if (start === undefined) throw new Error('the parcours has no line')
  await context.setGeolocation(northOf(start, 2))
  await takeOffline(page)
  await page.clock.install()
  await page.goto(`${demoUrl}/terrain/parcours/${id}`)
  await expect(page.getByText('à 6 m près')).toBeVisible()
  const asked = { POST: 0, PATCH: 0 }
  await page.route(/\/api\/v1\/uploads/, async (route) => {
    const method = route.request().method()
    if (method === 'POST') asked.POST += 1
    if (method === 'PATCH') asked.PATCH += 1
    // The first piece is taken and never answered.
    if (method !== 'PATCH' || asked.PATCH > 1) await route.continue()
  })
  await page.getByRole('group', { name: 'Relever' }).getByLabel('Photo', { exact: true }).setInputFiles(photo())
  await saveEntry(page)
  await expect.poll(() => asked.PATCH).toBe(1)
  await page.clock.fastForward(50_000)
  await expect(page.getByText('Le serveur ne répond pas.')).toBeHidden()
  await page.clock.fastForward(10_000)
  await expect(page.getByText('Le serveur ne répond pas.')).toBeVisible()
  await page.clock.fastForward(5000)
  await expectWaiting(page, 0)
  expect(asked).toEqual({ POST: 1, PATCH: 2 })
})

test('with the keyboard, what has the focus is seen above the buttons at the foot, and a question gives it back', async ({ page }) => {
  await signInByApi(page, 'editeur')
  await page.goto(`${demoUrl}/terrain/emporter`)
  await expect(page.getByRole('checkbox').nth(7)).toBeVisible()
  await page.getByRole('searchbox').focus()
  const foot = page.locator('.foot')
  for (let at = 0; at < 8; at++) {
    await page.keyboard.press('Tab')
    const row = page.getByRole('checkbox').nth(at)
    await expect(row).toBeFocused()
    const [box, top] = [await row.boundingBox(), (await foot.boundingBox())?.y]
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(top ?? 0)
  }

  await takeOffline(page)
  await page.getByRole('link', { name: 'Emporté sur cet appareil' }).click()
  const remove = page.getByRole('button', { name: `Retirer ${parcours}` })
  await remove.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('group', { name: /^Retirer « / }).getByRole('button', { name: 'Annuler' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(remove).toBeFocused()
})
