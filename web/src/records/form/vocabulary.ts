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

/**
 * One item of each circle: items that are above each other, so that no way from the top of the list leads to them. The server refuses to make
 * one; a database from before that may have some.
 */
export function circleStarts(items: readonly VocabularyItem[]): ReadonlySet<number> {
  const parents = new Map(items.map(({ id, parent_id }) => [id, parent_id]))
  const starts = new Set<number>()
  const seen = new Set<number>()
  for (const { id } of items) {
    const path = new Set<number>()
    let at: number | null = id
    while (at !== null && parents.has(at) && !seen.has(at)) {
      seen.add(at)
      path.add(at)
      at = parents.get(at) ?? null
    }
    if (at !== null && path.has(at)) starts.add(at)
  }
  return starts
}

/** A tree written flat: each after its parent, in the list's own order, with its depth; then each circle, opened at one of its items. */
export function treeChoices(items: readonly VocabularyItem[]): Choice[] {
  const known = new Set(items.map(({ id }) => id))
  const starts = circleStarts(items)
  const under = (parent: number | null) =>
    items
      .filter(({ id, parent_id }) => (parent_id !== null && known.has(parent_id) ? parent_id : null) === parent && !starts.has(id))
      .sort((a, b) => a.order - b.order)
  const choices = (siblings: readonly VocabularyItem[], depth: number): Choice[] =>
    siblings.flatMap((item) => [
      { value: String(item.id), label: textOf(item.label, item.code), depth },
      ...choices(under(item.id), depth + 1),
    ])
  return choices([...under(null), ...items.filter(({ id }) => starts.has(id))], 0)
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
