import { describe, expect, it } from 'vitest'
import type { VocabularyItem } from '@/api/types'
import { branchOf, matching, siblingsOf } from './branch'

const item = (id: number, parent_id: number | null, fr: string, order = id): VocabularyItem => ({
  id,
  version: 1,
  code: `c${id}`,
  parent_id,
  label: { fr },
  description: {},
  icon: null,
  color: null,
  order,
  attributes: {},
})
const items = [item(1, null, 'Vélo', 2), item(2, 1, 'Équipé'), item(3, 2, 'VTT'), item(4, null, 'Marche', 1)]

describe('a tree of reference', () => {
  it('knows what stands under an item, so that no circle is offered', () => {
    expect([...branchOf(items, 1)].toSorted((a, b) => a - b)).toEqual([1, 2, 3])
    expect([...branchOf(items, 4)]).toEqual([4])
  })
  it('gives siblings in their order', () => {
    expect(siblingsOf(items, null).map(({ id }) => id)).toEqual([4, 1])
  })
  it('keeps what is above a match, whatever accents', () => {
    expect(matching(items, 'vtt', ({ label }) => label['fr'] ?? '').map(({ id }) => id)).toEqual([1, 2, 3])
    expect(matching(items, 'equipe', ({ label }) => label['fr'] ?? '').map(({ id }) => id)).toEqual([1, 2])
    expect(matching(items, 'rien', ({ label }) => label['fr'] ?? '')).toEqual([])
  })
})
