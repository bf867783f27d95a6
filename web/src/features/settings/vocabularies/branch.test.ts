// @vitest-environment jsdom
import { beforeAll, describe, expect, it } from 'vitest'
import type { VocabularyItem } from '@/api/types'
import { startTexts } from '@/i18n'
import { circleStarts, treeChoices } from '@/records/form/vocabulary'
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
    levels.push(level(5, 'Difficile', 'general'))
    expect(replacementsOf(levels, level(3, 'Bleu', 'vtt'))).toEqual([
      { value: '2', label: 'Vert (VTT)', depth: 0 },
      { value: '1', label: 'Facile (Générale)', depth: 0 },
      { value: '5', label: 'Difficile (Générale)', depth: 0 },
      { value: '4', label: 'Vert (à-nous)', depth: 0 },
    ])
  })
  it('offers in the place of an item the rest of the tree, in its order, without what is under the item', () => {
    const labels = (of: VocabularyItem) => replacementsOf(items, of).map(({ label, depth }) => [label, depth])
    expect(labels(item(1, null, 'Vélo', 2))).toEqual([['Marche', 0]])
    expect(labels(item(4, null, 'Marche', 1))).toEqual([
      ['Vélo', 0],
      ['Équipé', 1],
      ['VTT', 2],
    ])
    expect(labels(item(3, 2, 'VTT'))).toEqual([
      ['Marche', 0],
      ['Vélo', 0],
      ['Équipé', 1],
    ])
  })
  it('shows items that are above each other, and what is under them', () => {
    const circle = [...items, item(8, 7, 'Dessous'), item(5, 6, 'Un'), item(6, 7, 'Deux'), item(7, 5, 'Trois')]
    expect([...circleStarts(circle)]).toEqual([7])
    expect([...circleStarts(items)]).toEqual([])
    expect([...circleStarts([item(1, 1, 'Seul')])]).toEqual([1])
    expect(treeChoices(circle).map(({ label, depth }) => [label, depth])).toEqual([
      ['Marche', 0],
      ['Vélo', 0],
      ['Équipé', 1],
      ['VTT', 2],
      ['Trois', 0],
      ['Deux', 1],
      ['Un', 2],
      ['Dessous', 1],
    ])
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
