import { expect, test, type BrowserContext, type CDPSession, type Page } from '@playwright/test'
import type { Entry } from '../src/ground/queue/entry'
import { phone } from './ground'
import { ownServer, type OwnServer } from './servers'
import { PASSWORD } from './session'

/** The whole is `GROUND_ENTRIES=500 GROUND_PHOTOS=200`: some minutes. */
const ENTRIES = Number(process.env['GROUND_ENTRIES'] ?? 60)
const PHOTOS = Number(process.env['GROUND_PHOTOS'] ?? 24)
/** One answer in this many is lost after its request reached the server. */
const LOST_ONE_IN = 29

test.use(phone)

test('hundreds of entries with photos arrive once each, whatever is cut or killed', async ({ context }) => {
  test.setTimeout(1_200_000)
  const server = await ownServer()
  try {
    const user = await signedInAt(context, server)
    const before = await countOf(context, server, 'medias')
    let page = await opened(context, server)
    // The first visit makes the database; what waits is written into it without network.
    await expect(page.getByRole('link', { name: 'Envois (0)' })).toBeVisible()
    await context.setOffline(true)
    const parcoursId = await madeParcours(context, server)
    const asked = entriesOf(parcoursId)
    await page.evaluate(fill, { name: `jalon-ground-${user}`, entries: asked })
    await page.goto(`${server.url}/terrain/envois`)
    await expect(page.getByRole('link', { name: `Envois (${ENTRIES})` })).toBeVisible({ timeout: 30_000 })

    const counts = { requests: 0, lost: 0, cuts: 0, kills: 0, reloads: 0 }
    await losing(context, page, counts)
    const begun = Date.now()
    await context.setOffline(false)
    /** Waits until this share of them has left. */
    const left = async (share: number) => {
      const most = ENTRIES - Math.round(ENTRIES * share)
      await expect.poll(() => waitingOn(page), { timeout: 600_000, intervals: [20] }).toBeLessThanOrEqual(most)
    }
    const cut = async () => {
      counts.cuts += 1
      await context.setOffline(true)
      await page.waitForTimeout(300)
      await context.setOffline(false)
    }
    const kill = async () => {
      counts.kills += 1
      await server.killed()
    }
    await left(0.1)
    await cut()
    await left(0.2)
    await kill()
    await left(0.3)
    counts.reloads += 1
    await page.reload()
    await left(0.4)
    await cut()
    await left(0.5)
    await kill()
    await left(0.6)
    // The tab dies with its process, as when the phone takes its memory.
    counts.reloads += 1
    const crashed = page.waitForEvent('crash')
    const wire = await context.newCDPSession(page)
    // Nothing answers it.
    wire.send('Page.crash').catch(() => undefined)
    await crashed
    await page.close()
    page = await opened(context, server)
    await losing(context, page, counts)
    await left(0.7)
    await cut()
    await left(0.8)
    await kill()
    await left(0.9)
    await cut()
    await left(1)
    const seconds = (Date.now() - begun) / 1000

    const found = await entriesAt(context, server)
    expect(found.map(({ id }) => id).toSorted()).toEqual(asked.map(({ id }) => id).toSorted())
    const photosAsked = new Map(asked.map(({ id, photos }) => [id, photos.length]))
    expect(found.filter(({ id, media }) => media.length !== photosAsked.get(id))).toEqual([])
    // None is bound twice, and the server has no photo that nothing uses.
    expect(new Set(found.flatMap(({ media }) => media.map(({ id }) => id))).size).toBe(PHOTOS)
    expect((await countOf(context, server, 'medias')) - before).toBe(PHOTOS)
    const places = asked.filter(({ content }) => content.kind === 'poi').length
    expect(await countOf(context, server, 'pois')).toBe(places)
    const figures = { entries: ENTRIES, photos: PHOTOS, seconds, ...counts }
    process.stdout.write(`${JSON.stringify(figures)}\n`)
  } finally {
    await server.stop()
  }
})

async function opened(context: BrowserContext, { url }: OwnServer): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/terrain/`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  return page
}

/** How many wait, in the words of the page. A page that is being loaded says nothing yet. */
const waitingOn = (page: Page): Promise<number> =>
  page
    .getByRole('link', { name: /^Envois \(/ })
    .textContent({ timeout: 5000 })
    .then(
      (words) => Number(/\d+/.exec(words ?? '')?.[0] ?? ENTRIES),
      () => ENTRIES,
    )

/** Loses one answer of some, after the server has acted. */
async function losing(context: BrowserContext, page: Page, counts: { requests: number; lost: number }): Promise<void> {
  const wire: CDPSession = await context.newCDPSession(page)
  wire.on('Fetch.requestPaused', ({ requestId }) => {
    counts.requests += 1
    const isLost = counts.requests % LOST_ONE_IN === 0
    if (isLost) counts.lost += 1
    const answer = isLost
      ? wire.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
      : wire.send('Fetch.continueResponse', { requestId })
    // The page may be gone meanwhile.
    answer.catch(() => undefined)
  })
  await wire.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/v1/*', requestStage: 'Response' }] })
}

const kinds = ['poi', 'equipment', 'photo', 'remark', 'report', 'survey'] as const

/** Entries of several kinds, the photos spread over them. */
function entriesOf(parcoursId: number): Entry[] {
  const start = Date.now() - ENTRIES * 60_000
  return Array.from({ length: ENTRIES }, (_, at): Entry => {
    const hasPhoto = Math.floor(((at + 1) * PHOTOS) / ENTRIES) > Math.floor((at * PHOTOS) / ENTRIES)
    const wanted = kinds[at % kinds.length] ?? 'poi'
    const kind = wanted === 'photo' && !hasPhoto ? 'remark' : wanted
    return {
      id: crypto.randomUUID(),
      content: {
        kind,
        parcours_id: kind === 'poi' && at % 2 === 0 ? null : parcoursId,
        made_at: new Date(start + at * 60_000).toISOString().replace(/\.\d+Z$/, 'Z'),
        position: [1.6 + at / 10_000, 42.6],
        accuracy_m: 6,
        language: 'fr',
        title: kind === 'poi' || kind === 'equipment' ? `Repère ${at}` : '',
        category_id: null,
        report_kind: kind === 'report' ? 'fallen_tree' : null,
        closure_kind: null,
        until: null,
        condition: kind === 'equipment' ? 'worn' : null,
        step_id: null,
        poi_id: null,
        before: null,
        text: `Relevé ${at}`,
        from_m: null,
        to_m: null,
        track: [],
      },
      parcoursName: 'Le tour',
      photos: hasPhoto ? [{ key: crypto.randomUUID(), bytes: 0, uploadUrl: null, mediaId: null }] : [],
      state: 'waiting',
      asked: false,
      refusal: null,
      sentAt: null,
      isTakenIn: false,
    }
  })
}

/** Writes the entries as the page does, each photo another picture. Runs in the page. */
async function fill({ name, entries }: { name: string; entries: Entry[] }): Promise<void> {
  const drawn = new Map<string, Blob>()
  for (const [at, { photos }] of entries.entries()) {
    for (const photo of photos) {
      const canvas = new OffscreenCanvas(1200, 800)
      const pen = canvas.getContext('2d')
      if (pen === null) throw new Error('no canvas')
      for (let row = 0; row < 48; row++) {
        pen.fillStyle = `hsl(${(at * 37 + row * 11) % 360} 60% ${30 + (row % 5) * 10}%)`
        pen.fillRect(0, row * 17, 1200, 17)
      }
      pen.fillStyle = 'white'
      pen.font = '120px sans-serif'
      pen.fillText(String(at), 100, 250)
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })
      photo.bytes = blob.size
      drawn.set(photo.key, blob)
    }
  }
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name)
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error(name)))
  })
  await new Promise<void>((resolve, reject) => {
    const transaction = database.transaction(['entries', 'photos'], 'readwrite')
    entries.forEach((entry) => transaction.objectStore('entries').put(entry))
    drawn.forEach((blob, key) => transaction.objectStore('photos').put(blob, key))
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('aborted')))
  })
  database.close()
}

async function signedInAt(context: BrowserContext, { url }: OwnServer): Promise<number> {
  const reply = await context.request.post(`${url}/api/v1/session`, {
    data: { email: 'editeur@demo.jalon.example', password: PASSWORD },
    headers: { origin: url },
  })
  expect(reply.status()).toBe(200)
  const me: { id: number } = await (await context.request.get(`${url}/api/v1/session`)).json()
  return me.id
}

async function madeParcours(context: BrowserContext, { url }: OwnServer): Promise<number> {
  const reply = await context.request.post(`${url}/api/v1/parcours`, { data: { title: { fr: 'Le tour' } }, headers: { origin: url } })
  expect(reply.status(), await reply.text()).toBe(201)
  const { id }: { id: number } = await reply.json()
  return id
}

async function countOf(context: BrowserContext, { url }: OwnServer, list: string): Promise<number> {
  const { total }: { total: number } = await (await context.request.get(`${url}/api/v1/${list}?per_page=1`)).json()
  return total
}

async function entriesAt(context: BrowserContext, { url }: OwnServer): Promise<{ id: string; media: { id: number }[] }[]> {
  const all: { id: string; media: { id: number }[] }[] = []
  for (let page = 1; ; page++) {
    const { items }: { items: typeof all } = await (
      await context.request.get(`${url}/api/v1/ground/entries?per_page=200&page=${page}`)
    ).json()
    all.push(...items)
    if (items.length < 200) return all
  }
}
