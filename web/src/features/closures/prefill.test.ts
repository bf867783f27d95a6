// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { prefill } from './prefill'

const report = { id: 3, kind: 'closed', text: 'Barrière au pont.', language: 'fr', position: [4.004, 47.0001], at_m: 300 as number | null }
const answers: Record<string, unknown> = {
  '/api/v1/parcours/7': { title: { fr: 'Tour du lac' } },
  '/api/v1/parcours/7/trace': {
    line: [
      [4, 47],
      [4.01, 47],
    ],
  },
}

beforeEach(() => {
  answers['/api/v1/parcours/7/field-reports/3'] = report
  vi.stubGlobal('fetch', (address: string | Request) => {
    const { pathname } = new URL(typeof address === 'string' ? address : address.url, 'http://localhost')
    const answer = answers[pathname]
    return Promise.resolve(
      new Response(JSON.stringify(answer ?? {}), {
        status: answer === undefined ? 404 : 200,
        headers: { 'content-type': 'application/json' },
      }),
    )
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

it('begins on the day that it is where the report is answered', async () => {
  vi.useFakeTimers({ now: new Date('2026-05-02T01:30:00Z'), toFake: ['Date'] })
  vi.stubEnv('TZ', 'America/Martinique')
  expect((await prefill({ parcours: '7', report: '3' }))['from']).toBe('2026-05-01')
  vi.stubEnv('TZ', 'Pacific/Noumea')
  expect((await prefill({ parcours: '7', report: '3' }))['from']).toBe('2026-05-02')
})

it('begins a closure with the place, the parcours and the words of a field report', async () => {
  const begun = await prefill({ parcours: '7', report: '3' })
  expect(begun).toMatchObject({ report_id: 3, title: { fr: 'Passage fermé – Tour du lac' }, reason: { fr: 'Barrière au pont.' } })
  const [shape] = begun['geometry'] as { type: string; coordinates: [number, number][] }[]
  expect(shape?.type).toBe('LineString')
  // 300 m along the line are 4.00395 degrees east; the stretch goes 50 m to either side.
  expect(shape?.coordinates[0]?.[0]).toBeCloseTo(4.0033, 3)
  expect(shape?.coordinates.at(-1)?.[0]).toBeCloseTo(4.0046, 3)
})

it('closes a small area where the report lies off the line, and leaves the place open where none was given', async () => {
  answers['/api/v1/parcours/7/field-reports/3'] = { ...report, at_m: null }
  const [shape] = (await prefill({ parcours: '7', report: '3' }))['geometry'] as { type: string }[]
  expect(shape?.type).toBe('Polygon')
  answers['/api/v1/parcours/7/field-reports/3'] = { ...report, at_m: null, position: null }
  expect((await prefill({ parcours: '7', report: '3' }))['geometry']).toEqual([])
  expect(await prefill({})).toEqual({})
})

it('begins a closure with the stretch, the reason and the days of an entry of the ground', async () => {
  const entry = {
    id: 'one',
    parcours: { id: 7, title: { fr: 'Tour du lac' } },
    closure_kind: 'forestry',
    text: 'Grumes sur le chemin.',
    language: 'fr',
    until: '2026-06-30',
    from_m: 200,
    to_m: 400,
    made_at: '2026-05-02T12:00:00Z',
  }
  answers['/api/v1/ground/entries'] = { items: [entry], total: 1 }
  const begun = await prefill({ releve: 'one' })
  expect(begun).toMatchObject({
    title: { fr: 'Coupe de bois – Tour du lac' },
    kind: 'forestry',
    reason: { fr: 'Grumes sur le chemin.' },
    from: '2026-05-02',
    to: '2026-06-30',
  })
  const [shape] = begun['geometry'] as { coordinates: [number, number][] }[]
  expect(shape?.coordinates[0]?.[0]).toBeCloseTo(4.0026, 3)
  expect(shape?.coordinates.at(-1)?.[0]).toBeCloseTo(4.0053, 3)
  answers['/api/v1/ground/entries'] = { items: [{ ...entry, closure_kind: null }], total: 1 }
  expect(await prefill({ releve: 'one' })).toEqual({})
})
