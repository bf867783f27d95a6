// @vitest-environment jsdom
import { beforeAll, describe, expect, it } from 'vitest'
import type { VocabularyItem } from '@/api/types'
import { startTexts } from '@/i18n'
import { branchOf, matching, replacementsOf, siblingsOf } from './branch'

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

beforeAll(() => startTexts('fr', ['common']))

describe('a tree of reference', () => {
  it('knows what stands under an item, so that no circle is offered', () => {
    expect([...branchOf(items, 1)].toSorted((a, b) => a - b)).toEqual([1, 2, 3])
    expect([...branchOf(items, 4)]).toEqual([4])
  })
  it('offers in the place of a level those of its scale first, each with its scale', () => {
    const level = (id: number, fr: string, scale: string) => ({ ...item(id, null, fr), attributes: { scale, rank: 1 } })
    const levels = [level(1, 'Facile', 'general'), level(2, 'Vert', 'vtt'), level(3, 'Bleu', 'vtt'), level(4, 'Vert', 'à-nous')]
    expect(replacementsOf(levels, level(3, 'Bleu', 'vtt'))).toEqual([
      { value: '2', label: 'Vert (VTT)' },
      { value: '1', label: 'Facile (Générale)' },
      { value: '4', label: 'Vert (à-nous)' },
    ])
    expect(replacementsOf(items, item(1, null, 'Vélo'))).toEqual([{ value: '4', label: 'Marche' }])
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
