// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest'
import type { Photo } from './match'
import { cellsOf, MAX_PHOTOS, readMedia, readPlaces, readTitles } from './records'

let requests: URL[]
let answer: (url: URL) => object

beforeEach(() => {
  requests = []
  vi.stubGlobal('fetch', (input: unknown) => {
    const url = new URL(input instanceof Request ? input.url : String(input), window.location.origin)
    requests.push(url)
    return Promise.resolve(Response.json(answer(url)))
  })
})

const { signal } = new AbortController()
const photo = (id: number, ...place: [number, number]): Photo => ({ id, fileName: `${id}.jpg`, place })
const page = (count: number, total: number) => ({
  items: Array.from({ length: count }, (_, id) => ({
    id: id + 1,
    title: { fr: `Fiche ${id}` },
    location: [3, 45],
    file_name: `${id}.jpg`,
  })),
  total,
})

it('asks once for the photos of one cell, with the distance around them', () => {
  const cells = cellsOf([photo(1, 3.001, 45.001), photo(2, 3.011, 45.001), photo(3, 3.5, 45)], 111.195)
  expect(cells.map(({ photoIds }) => photoIds)).toEqual([[1, 2], [3]])
  const [west, south, east, north] = cells[0]?.box ?? []
  expect([south, north]).toEqual([expect.closeTo(45), expect.closeTo(45.002)])
  expect(west).toBeCloseTo(3.001 - 0.001 / Math.SQRT1_2, 4)
  expect(east).toBeCloseTo(3.011 + 0.001 / Math.SQRT1_2, 4)
})

it('reads at most 5,000 titles, 200 a page, of the own white-label', async () => {
  answer = () => page(200, 8200)
  const { records, total } = await readTitles('parcours', () => undefined, signal)
  expect([records.length, total, requests.length]).toEqual([5000, 8200, 25])
  expect(requests[24]?.search).toBe('?owner=mine&progress=any&sort=title&page=25&per_page=200')
})

it('looks around at most 100 places, and says which photos were not compared', async () => {
  answer = () => page(1, 1)
  const photos = Array.from({ length: 150 }, (_, at) => photo(at, at / 10, 45))
  const { compared } = await readPlaces('poi', photos, 100, () => undefined, signal)
  expect([requests.length, compared.size, compared.has(99), compared.has(100)]).toEqual([100, 100, true, false])
})

it('takes the lines of parcours from the map, and nothing where it has clusters', async () => {
  answer = ({ searchParams }) =>
    searchParams.get('bbox')?.startsWith('2.99')
      ? { items: [{ id: 7, title: { fr: 'Tour' }, start: [3, 45], line: null }], clusters: [], total: 1 }
      : { items: [], clusters: [{ count: 300 }], total: 300 }
  const { records, compared } = await readPlaces('parcours', [photo(1, 3, 45), photo(2, 4, 45)], 100, () => undefined, signal)
  expect(records).toEqual([{ id: 7, title: { fr: 'Tour' }, line: [[3, 45]] }])
  expect([...compared]).toEqual([1])
})

it('takes the media of the filters, or of the ids, at most 500; none without either', async () => {
  answer = () => page(200, 1200)
  expect((await readMedia({ kind: 'image' })).mediaFiles).toHaveLength(MAX_PHOTOS)
  expect(requests).toHaveLength(3)
  expect(requests[0]?.search).toBe('?owner=all&kind=image&sort=title&page=1&per_page=200')
  const ids = Array.from({ length: 600 }, (_, at) => at + 1).join(',')
  expect((await readMedia({ ids })).total).toBe(600)
  expect(requests).toHaveLength(6)
  expect(await readMedia({})).toEqual({ mediaFiles: [], total: 0 })
})
