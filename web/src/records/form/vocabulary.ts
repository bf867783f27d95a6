import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { api, unwrap } from '@/api/client'
import type { VocabularyItem, VocabularyKind } from '@/api/types'
import type { Choice } from '@/ui/field/inputs'
import { currentLocale } from '@/i18n'
import { textOf } from '@/ui/format'

/** One of the eight reference lists. */
export const vocabularyQuery = (kind: VocabularyKind) =>
  queryOptions({
    queryKey: ['vocabulary', kind],
    queryFn: () => unwrap(api.GET('/api/v1/vocabularies/{kind}', { params: { path: { kind } } })).then(({ items }) => items),
    staleTime: 5 * 60_000,
  })

/** The same list with how many use each item: for the page that keeps it. */
export const vocabularyUsesQuery = (kind: VocabularyKind) =>
  queryOptions({
    queryKey: ['vocabulary', kind, 'uses'],
    queryFn: () =>
      unwrap(api.GET('/api/v1/vocabularies/{kind}', { params: { path: { kind }, query: { with_uses: true } } })).then(({ items }) => items),
  })

/** A tree written flat: each after its parent, in the list's own order, with its depth. */
export function treeChoices(items: readonly VocabularyItem[]): Choice[] {
  const known = new Set(items.map(({ id }) => id))
  const below = (parent: number | null, depth: number, above: ReadonlySet<number>): Choice[] =>
    items
      .filter(({ id, parent_id }) => (parent_id !== null && known.has(parent_id) ? parent_id : null) === parent && !above.has(id))
      .sort((a, b) => a.order - b.order)
      .flatMap((item) => [
        { value: String(item.id), label: textOf(item.label, item.code), depth },
        ...below(item.id, depth + 1, new Set([...above, item.id])),
      ])
  return below(null, 0, new Set())
}

const nothing: VocabularyItem[] = []
const all = () => true

/** The choices of a reference list, and the name of any of its items. */
export function useVocabulary(kind: VocabularyKind, keep: (item: VocabularyItem) => boolean = all) {
  const items = useQuery(vocabularyQuery(kind)).data ?? nothing
  // The same function while the list is the same: columns are made with it.
  const nameOf = useCallback(
    (id: number | null | undefined) => {
      const found = items.find((item) => item.id === id)
      return found === undefined ? undefined : textOf(found.label, found.code)
    },
    [items],
  )
  const locale = currentLocale()
  // The labels are in the language now shown.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const choices = useMemo(() => treeChoices(items.filter(keep)), [items, keep, locale])
  return { items, choices, nameOf }
}
