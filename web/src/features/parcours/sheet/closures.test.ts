import { describe, expect, it } from 'vitest'
import type { ClosureOnParcours, Position } from '@/api/model'
import { momentOf } from '@/ui/closure/moment'
import { closedStretches } from './closures'

const closure = (from: string, to: string | null): ClosureOnParcours => ({ id: 1, title: {}, reason: {}, from, to, stretches: [{ from_m: 100, to_m: 300 }] })
const line: Position[] = [[3, 45], [3, 45.01]]

describe('a closure', () => {
  it('holds on its first and on its last day, and without an end for good', () => {
    expect(momentOf(closure('2026-11-21', '2026-11-21'), '2026-11-21')).toBe('now')
    expect(momentOf(closure('2026-11-22', null), '2026-11-21')).toBe('later')
    expect(momentOf(closure('2026-11-01', '2026-11-20'), '2026-11-21')).toBe('past')
    expect(momentOf(closure('2026-11-01', null), '2099-01-01')).toBe('now')
  })
  it('bars its stretch of the line while it holds, and no other day', () => {
    const [first] = closedStretches([closure('2026-11-01', null)], line, '2026-11-21')
    expect(first?.kind).toBe('closed')
    expect(first?.line[0]?.[1]).toBeCloseTo(45.0009, 4)
    expect(first?.line.at(-1)?.[1]).toBeCloseTo(45.0027, 4)
    expect(closedStretches([closure('2026-12-01', null)], line, '2026-11-21')).toEqual([])
  })
})
