import { brotliCompressSync } from 'node:zlib'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { startProxy } from './proxy'
import { signInByApi } from './records'
import { demoUrl } from './servers'

/** Bytes of script that a page may cost before its map, packed as the server packs them. */
const MOST_SCRIPT_BYTES = 60_000

/** Paths of public pages of the demo, the last saved first. */
async function publicPages(page: Page): Promise<string[]> {
  const map = await (await page.request.get(`${demoUrl}/sitemap.xml`)).text()
  return [...map.matchAll(/<loc>[^<]*?(\/p\/[^<]+)<\/loc>/g)].flatMap(([, path]) => (path === undefined ? [] : [path]))
}

/** The address of a public page with a line, a profile, a picture and steps. */
async function richPage(page: Page): Promise<string> {
  for (const path of await publicPages(page)) {
    const html = await (await page.request.get(demoUrl + path)).text()
    if (['id="map"', 'class="profile"', 'class="cover"', 'class="steps"'].every((part) => html.includes(part))) return path
  }
  throw new Error('the demo has no such page')
}

const drawn = (page: Page) => expect(page.locator('#map.live[data-idle]')).toBeVisible({ timeout: 30_000 })

test('a page that was opened once opens again without a network: map, profile, steps, picture', async ({ page }) => {
  const path = await richPage(page)
  const { url, cut } = await startProxy(demoUrl)
  await page.goto(url + path)
  await expect(page.getByText('Cette page est gardée sur cet appareil')).toBeVisible({ timeout: 45_000 })
  const steps = await page.locator('.steps li').allInnerTexts()
  await cut()

  const failed: string[] = []
  page.on('requestfailed', (request) => failed.push(new URL(request.url()).pathname))
  await page.goto(url + path)
  await expect(page.getByText('Pas de réseau')).toBeVisible()
  expect(await page.locator('.steps li').allInnerTexts()).toEqual(steps)
  expect(
    await page.locator('.cover img').evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(300)
  await page.locator('#map').scrollIntoViewIfNeeded()
  await drawn(page)
  await page.locator('svg.profile').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('#profile-reading')).toHaveText(/km \d/)
  // A look closer needs other tiles: they are there too.
  await page.getByRole('button', { name: 'Zoomer', exact: true }).click()
  await page.locator('#map').evaluate((map) => map.removeAttribute('data-idle'))
  await page.getByRole('button', { name: 'Zoomer', exact: true }).click()
  await drawn(page)
  expect(failed.filter((path) => !path.startsWith('/api/') && path !== '/public-page/files.json' && !path.startsWith('/p/'))).toEqual([])

  // Offline, a page that was never opened is not available, and the service worker puts no page in its place.
  await expect(page.goto(`${url}/p/jamais-ouvert-999999`)).rejects.toThrow(/ERR_/)
})

test('a printed page has the map as it was seen, and the line over squares of the map where it was not', async ({ page }) => {
  const path = await richPage(page)
  const squares: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/map/squares/')) squares.push(request.url())
  })
  await page.goto(demoUrl + path, { waitUntil: 'load' })
  expect(squares, 'a reader on a screen loads none').toEqual([])
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('#emporter'), 'nothing stands under it on paper').toBeHidden()
  await expect(page.locator('#map .shape')).toBeVisible()
  const ground = page.locator('#map .ground img')
  expect(await ground.count()).toBeGreaterThan(1)
  await expect
    .poll(() => ground.evaluateAll((all) => all.every((one) => one instanceof HTMLImageElement && one.complete && one.naturalWidth > 0)))
    .toBe(true)
  await page.emulateMedia({ media: 'screen' })
  await page.locator('#map').scrollIntoViewIfNeeded()
  await drawn(page)
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  const printed = page.locator('#map .printed')
  await expect(printed).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(printed).toBeVisible()
  await expect(page.locator('#map .shape')).toBeHidden()
  await expect(page.locator('#map .ground')).toBeHidden()
  await expect(printed, 'no part of the line is cut off').toHaveCSS('object-fit', 'contain')
  // More than one colour: the ground is there, not an empty canvas.
  const colours = await printed.evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = 60
    canvas.height = 40
    const pen = canvas.getContext('2d')
    pen?.drawImage(image, 0, 0, 60, 40)
    const { data } = pen?.getImageData(0, 0, 60, 40) ?? { data: new Uint8ClampedArray() }
    return new Set(Array.from({ length: data.length / 4 }, (_, at) => `${data[4 * at]} ${data[4 * at + 1]} ${data[4 * at + 2]}`)).size
  })
  expect(colours).toBeGreaterThan(20)
})

test('on paper a button is words, with a space before its address', async ({ page }) => {
  await page.goto(demoUrl + (await richPage(page)))
  await page.emulateMedia({ media: 'print' })
  const looks = await page.evaluate(() => {
    const list = document.createElement('ul')
    list.className = 'around'
    list.innerHTML = '<li><p><a class="button primary" href="https://car.example/">Réserver</a></p></li>'
    document.querySelector('main')?.append(list)
    const button = list.querySelector('a') ?? list
    const { display, borderTopWidth } = getComputedStyle(button)
    return { display, borderTopWidth, address: getComputedStyle(button, '::after').content.slice(0, 3) }
  })
  expect(looks).toEqual({ display: 'inline', borderTopWidth: '0px', address: '" (' })
})

test('a word of any length stays within the page', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto(demoUrl + (await richPage(page)))
  const beyond = await page.evaluate(() => {
    for (const text of document.querySelectorAll('h1, h3, .subtitle, .lead, .prose p, figcaption, .tags li'))
      text.textContent = 'x'.repeat(150)
    return document.documentElement.scrollWidth - document.documentElement.clientWidth
  })
  expect(beyond).toBe(0)
})

test('a page that was taken back is forgotten by the browser too', async ({ page }) => {
  const path = await richPage(page)
  const { url, cut } = await startProxy(demoUrl)
  await page.goto(url + path)
  await expect(page.getByText('Cette page est gardée sur cet appareil')).toBeVisible({ timeout: 45_000 })
  const kept = () => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('page-parcours-')))
  expect(await kept()).toHaveLength(1)
  await signInByApi(page, 'superadmin')
  const publication = `${demoUrl}/api/v1/parcours/${/\d+$/.exec(path)?.[0]}/publication`
  const headers = { 'If-Match': '*', origin: demoUrl }
  expect((await page.request.delete(publication, { headers })).status()).toBe(200)
  try {
    expect((await page.goto(url + path))?.status()).toBe(404)
    await expect.poll(kept).toEqual([])
  } finally {
    expect((await page.request.post(publication, { headers })).status()).toBe(200)
    await cut()
  }
})

test('a page costs little script before its map', async ({ page }) => {
  const path = await richPage(page)
  const scripts = new Map<string, number>()
  page.on('response', async (reply) => {
    const { pathname } = new URL(reply.url())
    if (/\.m?js$/.test(pathname) && reply.ok()) scripts.set(pathname, brotliCompressSync(await reply.body()).length)
  })
  await page.goto(demoUrl + path)
  await page.locator('#map').scrollIntoViewIfNeeded()
  await drawn(page)
  const worker = await (await page.request.get(`${demoUrl}/public-page/worker.js`)).body()
  scripts.set('/public-page/worker.js', brotliCompressSync(worker).length)
  const ofMap = (path: string) => /\/chunks\/map(libre)?-/.test(path)
  expect([...scripts.keys()].some(ofMap)).toBe(true)
  const before = [...scripts].filter(([path]) => !ofMap(path))
  expect(before.length).toBeGreaterThan(1)
  expect(before.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(MOST_SCRIPT_BYTES)
})

test('a link to the page brings a picture', async ({ page }) => {
  const path = await richPage(page)
  await page.goto(demoUrl + path)
  const content = (name: string) => page.locator(`meta[property="${name}"]`).getAttribute('content')
  expect([await content('og:image:width'), await content('og:image:height')]).toEqual(['1200', '630'])
  expect(await content('og:image:alt')).toContain(await page.locator('h1').innerText())
  const { pathname, search } = new URL((await content('og:image')) ?? '')
  const reply = await page.request.get(demoUrl + pathname + search)
  expect(reply.headers()['content-type']).toBe('image/jpeg')
  const size = await page.evaluate(async (address) => {
    const image = new Image()
    image.src = address
    await image.decode()
    return [image.naturalWidth, image.naturalHeight]
  }, pathname + search)
  expect(size).toEqual([1200, 630])
  const again = await page.request.get(demoUrl + pathname, { headers: { 'If-None-Match': reply.headers()['etag'] ?? '' } })
  expect(again.status()).toBe(304)
})

for (const [language, prefix] of [
  ['French', ''],
  ['English', '/en'],
] as const) {
  for (const width of [1440, 390]) {
    test(`axe finds nothing on the page in ${language} at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(demoUrl + prefix + (await richPage(page)))
      await expectAccessible(page)
    })
  }
}

test('a page whose audience is measured asks first, and loads nothing of others before an answer', async ({ page }) => {
  await signInByApi(page, 'superadmin')
  const labels = await (await page.request.get(`${demoUrl}/api/v1/white-labels?search=Sentes`)).json()
  const { id }: { id: number } = labels.items[0]
  let path: string | undefined
  for (const one of await publicPages(page)) {
    if (/ · Sentes[^<]*<\/title>/.test(await (await page.request.get(demoUrl + one)).text())) path = one
  }
  const set = async (web: string | null) => {
    const reply = await page.request.patch(`${demoUrl}/api/v1/white-labels/${id}`, {
      data: { analytics: { web } },
      headers: { 'If-Match': '*', origin: demoUrl },
    })
    expect(reply.status(), await reply.text()).toBe(200)
  }
  const loaded: string[] = []
  await page.route(/google/, (route) => {
    loaded.push(route.request().url())
    return route.fulfill({ contentType: 'text/javascript', body: 'window.measured = dataLayer.length' })
  })
  await set('G-ABCDEF1234')
  try {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${demoUrl}${path}`)
      const question = page.getByRole('region', { name: 'Mesure d’audience' })
      await expect(question).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Tab')
      await question.getByRole('button', { name: 'Refuser' }).focus()
      await page.keyboard.press('Enter')
      await expect(question).toBeHidden()
      await page.reload()
      await expect(question).toBeHidden()
      expect(loaded).toEqual([])
      await page.evaluate(() => localStorage.clear())
    }
    await page.reload()
    await page.getByRole('button', { name: 'Accepter' }).click()
    await expect.poll(() => loaded).toEqual(['https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234'])
    await expect.poll(() => page.evaluate(() => 'measured' in window && window.measured)).toBe(2)
    await page.getByRole('button', { name: 'Mesure d’audience : changer mon choix' }).click()
    await expect(page.getByRole('button', { name: 'Accepter' })).toBeFocused()
  } finally {
    await set(null)
  }
})
