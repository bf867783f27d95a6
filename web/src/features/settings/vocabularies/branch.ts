import type { VocabularyItem } from '@/api/types'

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

/** The shown part of a tree under a search: what matches, and all above it. */
export function matching(
  items: readonly VocabularyItem[],
  search: string,
  nameOf: (item: VocabularyItem) => string,
): readonly VocabularyItem[] {
  const words = fold(search)
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

/** Without accents or capitals: « Équipé » is found by « equipe ». */
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
