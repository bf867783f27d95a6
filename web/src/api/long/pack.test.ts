import { describe, expect, it } from 'vitest'
import type { Position } from '../types'
import { pack, unpack } from './pack'

const line = (count: number): Position[] =>
  Array.from({ length: count }, (_, at): Position => (at % 2 === 0 ? [at / 1000, 45] : [at / 1000, 45, at]))

describe('long lines', () => {
  it('come back as they were, elevations known or not', () => {
    const value = { name: 'x', legs: [{ kind: 'source', line: line(300) }], gaps: [{ line: line(3) }], none: null }
    expect(unpack(pack(value))).toEqual(value)
  })

  it('that are the same are one array', () => {
    const packed = pack({ line: line(400), planned_line: line(400), source_line: line(399) })
    expect(packed.lines).toHaveLength(2)
    const back = unpack(packed) as { line: unknown; planned_line: unknown; source_line: unknown }
    expect(back.line).toBe(back.planned_line)
    expect(back.line).not.toBe(back.source_line)
  })

  it('leave short ones and other arrays where they are', () => {
    const value = { line: line(20), numbers: Array.from({ length: 500 }, (_, at) => at), names: Array.from({ length: 500 }, () => 'a') }
    expect(pack(value)).toEqual({ value, lines: [] })
  })
})
