import { expect, it } from 'vitest'
import { marksOf } from './points'

const box = [2.9, 44.4, 3, 44.5] as const

it('a cluster of one record has no id: it is a cluster, with a key of its own, and not the page of a record', () => {
  const clusters = [1, 1, 3].map((count, n) => ({
    position: [3 + n, 44.5] as [number, number],
    count,
    bbox: [...box] as [number, number, number, number],
  }))
  const marks = marksOf([{ id: 7, title: 'Tour du lac', at: [1, 44] }], clusters, 9)
  expect(marks.map(({ kind }) => kind)).toEqual(['cluster', 'cluster', 'cluster', 'pin'])
  expect(new Set(marks.map(({ key }) => key)).size).toBe(4)
})
