import { describe, expect, it } from 'vitest'
import type { ClosureOnParcours, Position } from '@/api/types'
import { closedStretches } from './closures'

const closure = (state: ClosureOnParcours['state']): ClosureOnParcours => ({
  id: 1,
  title: {},
  kind: 'works',
  reason: {},
  from: '2026-11-01',
  to: null,
  state,
  stretches: [{ from_m: 100, to_m: 300 }],
})
const line: Position[] = [
  [3, 45],
  [3, 45.01],
]

describe('a closure', () => {
  it('bars its stretch of the line while it holds, and no other day', () => {
    const [first] = closedStretches([closure('now')], line)
    expect(first?.kind).toBe('closed')
    expect(first?.line[0]?.[1]).toBeCloseTo(45.0009, 4)
    expect(first?.line.at(-1)?.[1]).toBeCloseTo(45.0027, 4)
    expect(closedStretches([closure('later')], line)).toEqual([])
  })
})
