import { expect, test } from '@playwright/test'
import { signedIn } from './records'
import { demoUrl } from './servers'

interface Row {
  id: number
  published: boolean
  distance_m: number | null
  duration_s: number | null
  ascent_m: number | null
}
interface Figures extends Omit<Row, 'id' | 'published'> {
  line: [number, number][]
  distance_typed_m: number | null
}

const RAD = Math.PI / 180
/** Metres between two places (haversine, the server's sphere). */
function apart([lonA, latA]: [number, number], [lonB, latB]: [number, number]): number {
  const s = Math.sin(((latB - latA) * RAD) / 2) ** 2 + Math.cos(latA * RAD) * Math.cos(latB * RAD) * Math.sin(((lonB - lonA) * RAD) / 2) ** 2
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(s))
}

test('each parcours of the demo has one length, one climb, one time and one state in lists, on sheets, pages and traces', async ({ page }) => {
  await signedIn(page, 'superadmin')
  const read = async <T>(path: string): Promise<T> => {
    const reply = await page.request.get(`${demoUrl}/api/v1/${path}`)
    expect(reply.status(), path).toBe(200)
    const body: T = await reply.json()
    return body
  }
  const { items } = await read<{ items: Row[] }>('parcours?per_page=100')
  expect(items.length).toBeGreaterThan(20)
  let pages = 0
  for (const row of items) {
    const sheet = await read<{ published: boolean; trace: Figures | null }>(`parcours/${row.id}`)
    expect(sheet.published, `${row.id}`).toBe(row.published)
    if (sheet.trace === null) continue
    const trace = await read<Figures>(`parcours/${row.id}/trace`)
    const told = ({ distance_m, duration_s, ascent_m }: Omit<Row, 'id' | 'published'>) => ({ distance_m, duration_s, ascent_m })
    expect(told(sheet.trace), `${row.id}`).toEqual(told(row))
    expect(told(trace), `${row.id}`).toEqual(told(row))
    const length = trace.line.reduce((sum, place, index) => sum + (index === 0 ? 0 : apart(trace.line[index - 1] ?? place, place)), 0)
    if (trace.distance_typed_m === null) expect(Math.abs(length - (row.distance_m ?? 0)), `${row.id}`).toBeLessThan(1)
    const public_page = await page.request.get(`${demoUrl}/p/x-${row.id}`)
    if (!public_page.ok() || row.ascent_m === null) continue
    pages += 1
    const climb = new Intl.NumberFormat('fr-FR').format(row.ascent_m).replace(/\s/gu, '\\s?')
    expect((await public_page.text()).replace(/\u202f|&nbsp;|\u00a0/gu, ' '), `${row.id}`).toMatch(new RegExp(`${climb} m`))
  }
  expect(pages, 'published parcours have pages').toBeGreaterThan(5)
})
