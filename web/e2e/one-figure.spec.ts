import { spawnSync } from 'node:child_process'
import { expect, type Page, test } from '@playwright/test'
import { signInByApi } from './records'
import { demoUrl } from './servers'

interface Row {
  id: number
  published: boolean
  white_label: { id: number }
  distance_m: number | null
  duration_s: number | null
  ascent_m: number | null
}
interface Figures extends Omit<Row, 'id' | 'published' | 'white_label'> {
  line: [number, number][]
  distance_typed_m: number | null
}

const RAD = Math.PI / 180
/** Metres between two places (haversine, the server's sphere). */
function apart([lonA, latA]: [number, number], [lonB, latB]: [number, number]): number {
  const s =
    Math.sin(((latB - latA) * RAD) / 2) ** 2 + Math.cos(latA * RAD) * Math.cos(latB * RAD) * Math.sin(((lonB - lonA) * RAD) / 2) ** 2
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(s))
}

test('each parcours of the demo has one length, one climb, one time and one state in lists, on sheets, pages and traces', async ({
  page,
}) => {
  await signInByApi(page, 'superadmin')
  const read = async <T>(path: string): Promise<T> => {
    const reply = await page.request.get(`${demoUrl}/api/v1/${path}`)
    expect(reply.status(), path).toBe(200)
    const body: T = await reply.json()
    return body
  }
  const { items } = await read<{ items: Row[] }>('parcours?progress=any&per_page=100')
  expect(items.length).toBeGreaterThan(20)
  let pages = 0
  for (const row of items) {
    const sheet = await read<{ published: boolean; trace: Figures | null }>(`parcours/${row.id}`)
    expect(sheet.published, `${row.id}`).toBe(row.published)
    if (sheet.trace === null) continue
    const trace = await read<Figures>(`parcours/${row.id}/trace`)
    const figuresOf = ({ distance_m, duration_s, ascent_m }: Omit<Row, 'id' | 'published' | 'white_label'>) => ({
      distance_m,
      duration_s,
      ascent_m,
    })
    expect(figuresOf(sheet.trace), `${row.id}`).toEqual(figuresOf(row))
    expect(figuresOf(trace), `${row.id}`).toEqual(figuresOf(row))
    const length = trace.line.reduce((sum, place, index) => sum + (index === 0 ? 0 : apart(trace.line[index - 1] ?? place, place)), 0)
    if (trace.distance_typed_m === null) expect(Math.abs(length - (row.distance_m ?? 0)), `${row.id}`).toBeLessThan(1)
    const public_page = await page.request.get(`${demoUrl}/p/x-${row.id}`)
    if (!public_page.ok() || row.ascent_m === null) continue
    pages += 1
    const climb = new Intl.NumberFormat('fr-FR').format(row.ascent_m).replace(/\s/gu, '\\s')
    const text = (await public_page.text()).replace(/\u202f|&nbsp;|\u00a0/gu, ' ')
    expect(text, `${row.id}`).toMatch(new RegExp(`${climb} m`))
    // The card that a link brings has its figures in words too.
    const length_km = new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(
      (row.distance_m ?? 0) / 1000,
    )
    const card = /og:image:alt" content="([^"]*)"/.exec(text)?.[1]
    expect(card, `${row.id}`).toMatch(new RegExp(`, montée ${climb} m$`))
    if ((row.distance_m ?? 0) >= 1000) expect(card, `${row.id}`).toContain(`, ${length_km} km, `)
  }
  expect(pages, 'published parcours have pages').toBeGreaterThan(5)
})

const writing = { origin: demoUrl, 'if-match': '*' }

async function rows(page: Page): Promise<Row[]> {
  const { items }: { items: Row[] } = await (await page.request.get(`${demoUrl}/api/v1/parcours?progress=any&per_page=100`)).json()
  return items
}

test('the feeds of each white-label of the demo tell the length, climb and time of the list', async ({ page }) => {
  await signInByApi(page, 'superadmin')
  const known = new Map((await rows(page)).map((row) => [row.id, row]))
  const { items: sites }: { items: { id: number }[] } = await (await page.request.get(`${demoUrl}/api/v1/white-labels`)).json()
  let compared = 0
  for (const { id: site } of sites) {
    const address = `${demoUrl}/api/v1/white-labels/${site}/api-key`
    const { key }: { key: string } = await (await page.request.post(address, { headers: writing })).json()
    const ask = async <T>(path: string): Promise<T> => {
      const reply = await page.request.get(demoUrl + path, { headers: { 'x-api-key': key } })
      expect(reply.status(), path).toBe(200)
      const body: T = await reply.json()
      return body
    }
    for (const ours of (await ask<{ items: Row[] }>('/api/public/v1/parcours?per_page=500')).items) {
      const row = known.get(ours.id)
      expect([ours.distance_m, ours.ascent_m, ours.duration_s], `${ours.id}`).toEqual(
        [row?.distance_m, row?.ascent_m, row?.duration_s].map((figure) =>
          figure === null || figure === undefined ? figure : Math.round(figure),
        ),
      )
      compared += 1
    }
    for (const trek of (
      await ask<{ results: { id: number; length_2d: number; ascent: number | null; duration: number }[] }>('/api/v2/trek/?page_size=500')
    ).results) {
      const row = known.get(trek.id)
      expect([Math.round(trek.length_2d), trek.ascent ?? 0], `trek ${trek.id}`).toEqual([
        Math.round(row?.distance_m ?? -1),
        row?.ascent_m ?? 0,
      ])
      // Hours with two decimals, as Geotrek gives them.
      expect(Math.abs(trek.duration * 3600 - (row?.duration_s ?? 0)), `trek ${trek.id}`).toBeLessThan(19)
      compared += 1
    }
    expect((await page.request.delete(address, { headers: writing })).status()).toBe(204)
  }
  expect(compared).toBeGreaterThan(20)
})

test('the roadbook of each parcours of the demo prints the length and the climb of its sheet', async ({ page }) => {
  test.skip(spawnSync('pdftotext', ['-v']).error !== undefined, 'pdftotext (poppler-utils) is missing')
  await signInByApi(page, 'superadmin')
  let books = 0
  for (const { id, distance_m: length, ascent_m: climb } of await rows(page)) {
    if (length === null || climb === null) continue
    const reply = await page.request.post(`${demoUrl}/api/v1/parcours/${id}/roadbook/pdf`, { headers: writing, data: {} })
    expect(reply.status(), `${id}`).toBe(200)
    const text = String(spawnSync('pdftotext', ['-enc', 'UTF-8', '-l', '4', '-', '-'], { input: await reply.body() }).stdout)
    const trip = /Votre voyage\s+\d+\s+(?:.*?)descente/su.exec(text.replaceAll(/\s+/gu, ' '))?.[0] ?? ''
    const words = trip.replaceAll(/(?<=\d) (?=\d{3}\b)/gu, '')
    for (const figure of [Math.round(length / 1000), climb]) expect(words, `${id}`).toMatch(new RegExp(`\\b${figure}\\b`))
    books += 1
  }
  expect(books).toBeGreaterThan(20)
})
