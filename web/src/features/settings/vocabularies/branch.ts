import type { VocabularyItem } from '@/api/types'
import { textFor } from '@/i18n'
import { treeChoices } from '@/records/form/vocabulary'
import type { Choice } from '@/ui/field/inputs'
import { fold } from '@/ui/text'

/** An item and all items under it, at any depth. */
export function branchOf(items: readonly VocabularyItem[], id: number): ReadonlySet<number> {
  const branch = new Set([id])
  for (let grew = true; grew;) {
    grew = false
    for (const item of items) {
      if (item.parent_id !== null && branch.has(item.parent_id) && !branch.has(item.id)) {
        branch.add(item.id)
        grew = true
      }
    }
  }
  return branch
}

/** The items under one parent, in their order. */
export const siblingsOf = (items: readonly VocabularyItem[], parent: number | null): VocabularyItem[] =>
  items.filter(({ parent_id }) => parent_id === parent).toSorted((a, b) => a.order - b.order)

/** The name of a scale of levels; its code, of one that an organisation made. */
export const nameOfScale = (scale: string): string => textFor(`common:scale.${scale}`) ?? scale

/**
 * What may take the place of an item: all but the item and what is under it, as a tree. A level is named with its scale, « Vert (VTT) »;
 * those of its own scale come first, then each other scale.
 */
export function replacementsOf(items: readonly VocabularyItem[], { id, attributes }: VocabularyItem): Choice[] {
  const under = branchOf(items, id)
  const scaleOf = (of: VocabularyItem['attributes']) => ('scale' in of ? of.scale : undefined)
  const scaleById = new Map(items.map((one) => [String(one.id), scaleOf(one.attributes)]))
  const choices = treeChoices(items.filter((one) => !under.has(one.id)))
  const scales = [scaleOf(attributes), ...choices.map(({ value }) => scaleById.get(value))]
  const placeOf = ({ value }: Choice) => scales.indexOf(scaleById.get(value))
  return choices
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((choice) => {
      const scale = scaleById.get(choice.value)
      return scale === undefined ? choice : { ...choice, label: `${choice.label} (${nameOfScale(scale)})` }
    })
}

/** The shown part of a tree under a search: what matches, and all above it. */
export function matching(
  items: readonly VocabularyItem[],
  search: string,
  nameOf: (item: VocabularyItem) => string,
): readonly VocabularyItem[] {
  const words = fold(search).trim()
  if (words === '') return items
  const kept = new Set<number>()
  for (const item of items) {
    if (!fold(`${nameOf(item)} ${item.code}`).includes(words)) continue
    for (let at: VocabularyItem | undefined = item; at !== undefined && !kept.has(at.id);) {
      kept.add(at.id)
      const above: number | null = at.parent_id
      at = items.find(({ id }) => id === above)
    }
  }
  return items.filter(({ id }) => kept.has(id))
}
