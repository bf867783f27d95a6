import { describe, expect, it } from 'vitest'
import { ensureTexts, textFor } from '@/i18n'
import { diffWords } from '@/records/history/diff-words'
import { differences } from './history/diff'
import { lacksOf, wholeCount } from './missing'
import { periodFaults } from './periods'
import { essentialsFor, scalesFor } from './scales'
import { moved } from '@/ui/list/order'
import { stepLabels } from '@/records/parcours/step-labels'
import { moveRefusal } from './step-order'
import { readTab, tabFields, tabKeys, tabOf } from './tabs'
import { aParcours, aStep } from '../../../../test/parcours'
import { glyphOf, ribbonOf } from './trace-view'
import { toValues } from './values'
import { isFilled, isShown } from './visibility'

const simple = (own: Parameters<typeof aParcours>[0] = {}, faults: string[] = [], dirty: string[] = []) => ({
  advanced: false,
  values: toValues(aParcours(own)),
  faults,
  dirty,
})

describe('the simplified view', () => {
  it('hides what is empty and not part of it', () => {
    for (const field of ['subtitle', 'copyright', 'display_priority', 'bike_carriage', 'relation', 'availability', 'deposit_percent'])
      expect(isShown(field, simple()), field).toBe(false)
    for (const field of ['title', 'summary', 'description', 'practice_type_id', 'level_id', 'steps'])
      expect(isShown(field, simple()), field).toBe(true)
  })

  it('never hides a field that is filled, at fault, or being emptied', () => {
    expect(isShown('subtitle', simple({ subtitle: { en: 'By the shore' } }))).toBe(true)
    expect(isShown('deposit_percent', simple({ deposit_percent: 0 }))).toBe(true)
    expect(isShown('availability', simple({ availability: [{ from: '2026-05-01', to: '2026-09-30' }] }))).toBe(true)
    expect(isShown('relation', simple({ relation: 'child' }))).toBe(true)
    expect(isShown('booking_url', simple({}, ['booking_url']))).toBe(true)
    expect(isShown('availability', simple({}, ['availability.0.to']))).toBe(true)
    expect(isShown('copyright', simple({}, [], ['copyright']))).toBe(true)
  })

  it('shows everything in the advanced view', () => {
    expect(isShown('copyright', { ...simple(), advanced: true })).toBe(true)
  })

  it('takes blanks inside a text or a list for nothing', () => {
    expect(isFilled({ fr: '', en: null })).toBe(false)
    expect(isFilled({ fr: ' x' })).toBe(true)
    expect(isFilled([])).toBe(false)
  })
})

describe('periods', () => {
  it('accepts both dates in order, one day included', () => {
    expect(
      periodFaults([
        { from: '2026-05-01', to: '2026-09-30' },
        { from: '2026-12-01', to: '2026-12-01' },
      ]),
    ).toEqual([])
  })
  it('tells each wrong end', () => {
    const faults = periodFaults([
      { from: null, to: null },
      { from: '2026-05-01', to: null },
      { from: null, to: '2026-05-01' },
      { from: '2026-05-02', to: '2026-05-01' },
    ])
    expect(faults.map(({ code, field }) => [code, field])).toEqual([
      ['parcours/availability-date-required', '/availability/0/from'],
      ['parcours/availability-both-dates', '/availability/1/to'],
      ['parcours/availability-both-dates', '/availability/2/from'],
      ['parcours/availability-order', '/availability/3/to'],
    ])
  })
})

describe('what is missing', () => {
  const languages = ['fr', 'en']
  it('lists every lack of an empty sheet, by field', () => {
    const lacks = lacksOf(toValues(aParcours()), false, languages)
    expect(lacks).toHaveLength(wholeCount(languages))
    expect(lacks.at(-1)).toEqual({ key: 'trace', language: null, path: null })
  })
  it('takes markup without words for nothing', () => {
    const values = toValues(
      aParcours({
        title: { fr: 'a', en: 'a' },
        summary: { fr: 'a', en: 'a' },
        description: { fr: '<p>Oui</p>', en: '<p> </p>' },
        practice_type_id: 1,
        level_id: 2,
      }),
    )
    expect(lacksOf(values, true, languages)).toEqual([{ key: 'description', language: 'en', path: 'description.en' }])
  })
})

describe('tabs', () => {
  it('has the seven tabs of a parcours, each at its address', async () => {
    await ensureTexts('sheet')
    expect(tabKeys.map((key) => textFor(`sheet:tab.${key}`))).toEqual([
      'Itinéraire',
      'Informations',
      'Vente',
      'Carnet de voyage',
      'Balade audio',
      'Partage',
      'Notes et avis',
    ])
    expect(tabKeys.map((key) => readTab(key))).toEqual(tabKeys)
  })
  it('knows where each field of the form stands', () => {
    const placed = Object.values(tabFields).flat()
    expect([...placed].sort()).toEqual(Object.keys(toValues(aParcours())).sort())
    expect(tabOf('availability.0.to')).toBe('information')
    expect(tabOf('price_includes.fr')).toBe('sales')
    expect(tabOf('steps.2.title.fr')).toBe('itinerary')
    expect(readTab('nowhere')).toBe('itinerary')
    expect(readTab('sales')).toBe('sales')
  })
})

describe('the order of steps', () => {
  const steps = [
    aStep({ id: 1, kind: 'departure' }),
    aStep({ id: 2, kind: 'waypoint' }),
    aStep({ id: 3 }),
    aStep({ id: 4, kind: 'night' }),
    aStep({ id: 5, kind: 'arrival' }),
  ]
  it('labels ends by letters and the others by their rank, as the editor does', () => {
    expect(stepLabels(steps)).toEqual(['D', '1', '2', '3', 'A'])
  })
  it('moves one step and leaves the ends where they are', () => {
    expect(moved(steps, 1, 3).map(({ id }) => id)).toEqual([1, 3, 4, 2, 5])
    expect(moveRefusal(steps, 1, 2, false)).toBeUndefined()
    expect(moveRefusal(steps, 1, 0, false)).toBe('end')
    expect(moveRefusal(steps, 3, 4, false)).toBe('end')
    expect(moveRefusal(steps, 0, 1, false)).toBe('end')
  })
  it('follows the line where there is one: only steps at one place, or without one, change places', () => {
    const placed = [0, 400, 400, 900].map((at_m, index) => aStep({ id: index + 1, kind: index === 0 ? 'departure' : 'step', at_m }))
    expect(moveRefusal(placed, 1, 2, true)).toBeUndefined()
    expect(moveRefusal(placed, 2, 3, true)).toBe('line')
    expect(moveRefusal(placed, 1, 3, true)).toBe('line')
    expect(moveRefusal(placed, 1, 0, true)).toBe('end')
    expect(moveRefusal(placed, 2, 3, false)).toBeUndefined()
    const unplaced = [...placed.slice(0, 3), aStep({ id: 4, at_m: null })]
    expect(moveRefusal(unplaced, 2, 3, true)).toBeUndefined()
  })
})

const item = (id: number, code: string, parent_id: number | null, attributes: Record<string, unknown>) => ({
  id,
  version: 1,
  code,
  parent_id,
  label: {},
  description: {},
  icon: null,
  color: null,
  order: id,
  attributes,
})

describe('the scales of difficulty', () => {
  const levels = [
    item(1, 'easy', null, { scale: 'general', default_for: ['*'] }),
    item(2, 'ffr', null, { scale: 'ffr-effort', default_for: ['pedestre'] }),
    item(3, 'green', null, { scale: 'vtt', default_for: ['vtt'] }),
  ]
  const practices = [item(1, 'pedestre', null, {}), item(2, 'randonnee', 1, {})]
  it('come near with the practice or one above it, or once filled', () => {
    expect(scalesFor(levels, practices, 2, () => false)).toEqual({ near: ['ffr-effort'], others: ['vtt'] })
    expect(scalesFor(levels, practices, 2, (scale) => scale === 'vtt').others).toEqual([])
    expect(scalesFor(levels, practices, null, () => false).near).toEqual(['ffr-effort', 'vtt'])
  })
})

describe('the drawing of a trace', () => {
  it('fits its glyph in the box, north up', () => {
    const path = glyphOf([
      [2, 45],
      [2.1, 45],
      [2.1, 45.2],
    ])
    const numbers = (path?.match(/[\d.]+/g) ?? []).map(Number)
    expect(numbers.every((n) => n >= 0 && n <= 40)).toBe(true)
    expect(numbers[1]).toBeGreaterThan(numbers.at(-1) ?? 40)
    expect(glyphOf([])).toBeNull()
  })
  it('draws judged gaps as off the network, the others as not judged', () => {
    const gap = { max_offset_m: 3, points: 1, line: [], fix: null, way_id: null }
    const reliability = {
      percent: 90,
      not_calculable: null,
      judged_m: 900,
      on_network_m: 800,
      hole_m: 100,
      outside_m: 0,
      sigma_m: 4,
      tolerance_m: 15,
      p95_offset_m: null,
      remarks: [],
      gaps: [
        { ...gap, cause: 'no_way' as const, judged: true, from_m: 100, to_m: 200, length_m: 100 },
        { ...gap, cause: 'recording_hole' as const, judged: false, from_m: 500, to_m: 600, length_m: 100 },
      ],
    }
    expect(ribbonOf({ reliability, mode: 'planner' })).toEqual([
      { from: 0.1, to: 0.2, kind: 'off_network' },
      { from: 0.5, to: 0.6, kind: 'unjudged' },
    ])
    expect(ribbonOf({ reliability, mode: 'source' })).toEqual([])
  })
})

describe('comparing two saves', () => {
  it('strikes and underlines words', () => {
    expect(diffWords('Traversez la passerelle rénovée puis montez', 'Traversez le pont puis montez')).toEqual([
      { kind: 'same', text: 'Traversez ' },
      { kind: 'out', text: 'la passerelle rénovée ' },
      { kind: 'in', text: 'le pont ' },
      { kind: 'same', text: 'puis montez' },
    ])
    expect(diffWords('', 'neuf')).toEqual([{ kind: 'in', text: 'neuf' }])
  })
  it('names the fields that differ, with publication', () => {
    const before = aParcours({ title: { fr: 'Lac' } })
    const after = aParcours({ title: { fr: 'Le lac', en: '' }, published: true, version: 4 })
    expect(differences(before, after).map(({ field }) => field)).toEqual(['title', 'published'])
  })
})

it('offers the essential equipment of a practice, until it is chosen', () => {
  const practices = [item(1, 'code-1', null, {}), item(2, 'code-2', 1, {}), item(3, 'code-3', null, {})]
  const equipment = [
    item(10, 'code-10', null, { for: ['*'], required: true }),
    item(11, 'code-11', null, { for: ['code-1'], required: true }),
    item(12, 'code-12', null, { for: ['code-3'], required: true }),
    item(13, 'code-13', null, { for: ['*'] }),
  ]
  const offered = (practice: number | null, chosen: number[] = []) =>
    essentialsFor(equipment, practices, practice, chosen).map(({ id }) => id)
  expect(offered(2)).toEqual([10, 11])
  expect(offered(2, [10])).toEqual([11])
  expect(offered(3)).toEqual([10, 12])
  expect(offered(null)).toEqual([])
})
