import { describe, expect, it } from 'vitest'
import { queryOf, daysOf, readFilters } from './filter-state'
import { percentMore } from './percent'
import { marksUpTo, namedPoints } from './scale'

const now = new Date('2026-11-21T20:00:00Z')

describe('what the address asks for', () => {
  it('is the last thirty days of the active white-label unless another one is chosen', () => {
    const choice = readFilters({}, 7, now)
    expect(choice).toMatchObject({ period: '30', kind: 'view', whiteLabel: 7, days: { from: '2026-10-23', to: '2026-11-21' } })
    expect(daysOf(choice.days)).toBe(30)
    expect(queryOf(choice)).toMatchObject({ white_label_id: 7, from: '2026-10-23' })
  })

  it('is days of one’s own, or all white-labels', () => {
    const choice = readFilters({ from: '2026-02-01', to: '2026-02-28', white_label: '0', parcours: '12', country: 'unknown' }, 7, now)
    expect(choice).toMatchObject({ period: 'own', whiteLabel: 0, parcours: 12 })
    expect(queryOf(choice)).toEqual({
      from: '2026-02-01',
      to: '2026-02-28',
      white_label_id: undefined,
      source: undefined,
      country: 'unknown',
      language: undefined,
      parcours_id: 12,
    })
  })

  it('is the usual where it says nonsense', () => {
    const choice = readFilters(
      { from: '2026-03-01', to: '2026-02-01', period: 'always', kind: 'sales', parcours: '-3', white_label: 'x' },
      7,
      now,
    )
    expect(choice).toMatchObject({ period: '30', kind: 'view', parcours: undefined, whiteLabel: 7 })
  })
})

describe('a chart', () => {
  it('has whole marks that reach the greatest value', () => {
    expect(marksUpTo(0)).toEqual([0, 1])
    expect(marksUpTo(3)).toEqual([0, 1, 2, 3])
    expect(marksUpTo(97)).toEqual([0, 50, 100])
    for (const greatest of [1, 7, 12, 999, 12_345, 1_000_000]) {
      const marks = marksUpTo(greatest)
      expect(marks.at(-1)).toBeGreaterThanOrEqual(greatest)
      expect(marks.length).toBeLessThanOrEqual(6)
    }
  })

  it('names as many points as fit', () => {
    expect(namedPoints(30, 600, 86)).toEqual([0, 5, 10, 15, 20, 25])
    expect(namedPoints(1, 600, 86)).toEqual([0])
  })

  it('says nothing of more or less where there was nothing', () => {
    expect([percentMore(3, 0), percentMore(3, 2), percentMore(1, 2), percentMore(2, 2)]).toEqual([null, 50, -50, 0])
  })
})
