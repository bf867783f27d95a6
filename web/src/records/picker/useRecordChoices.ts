import type { OptionsFilter } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { resourceApi, type RecordsPath } from '@/api/resource'
import { recordName } from './record-name'

/** The list in which records are searched. */
export interface Source {
  base: RecordsPath
  queryKey: readonly string[]
  /** Never offered: the record itself. */
  without?: number | undefined
  query?: Record<string, string>
}

/** The records of some ids. */
const keptQuery = ({ base, queryKey, query = {} }: Source, ids: readonly number[]) =>
  queryOptions({
    queryKey: [...queryKey, 'list', 'kept', query, ids],
    queryFn: () => resourceApi<{ id: number }>(base).list({ ...query, ids: ids.join(','), per_page: 100 }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

/** The names of records by their ids, once they are known. */
export function useRecordNames(source: Source, ids: readonly number[]): (id: number) => string | undefined {
  const items = useQuery(keptQuery(source, ids)).data?.items ?? []
  return (id) => items.filter((item) => item.id === id).map(recordName)[0]
}

/** The records of a resource that a search finds, and the ones already chosen. */
export function useRecordChoices({ base, queryKey, without, query = {} }: Source, chosen: readonly number[]) {
  const [search, setSearch] = useState('')
  const [words] = useDebouncedValue(search, 200)
  const found = useQuery({
    queryKey: [...queryKey, 'list', 'pick', query, words],
    queryFn: () => resourceApi<{ id: number }>(base).list({ ...query, search: words === '' ? undefined : words, per_page: 25 }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  const items = (found.data?.items ?? []).filter(({ id }) => id !== without)
  const missing = chosen.filter((id) => !items.some((item) => item.id === id))
  const kept = useQuery(keptQuery({ base, queryKey, query }, missing))
  const all = [...items, ...(kept.data?.items.filter(({ id }) => id !== without && !items.some((item) => item.id === id)) ?? [])]
  const isTyped = search.trim() !== '' && !all.some((item) => chosen.includes(item.id) && recordName(item) === search)
  const first = items[0]
  const isSettled = words === search && !found.isPlaceholderData && !found.isPending
  const mayTake = isTyped && isSettled && first !== undefined && !chosen.includes(first.id)
  // The server has searched. What is chosen is left out where nothing was found: it is not what was looked for.
  const filter: OptionsFilter = ({ options }) => (isTyped && items.length === 0 ? [] : options)
  return {
    search,
    setSearch,
    /** Whether the records are those of the words that are typed now, no longer of earlier ones. */
    isSettled,
    /** Whether Enter takes the first record: it was found by the typed words, and is not chosen yet. */
    mayTake,
    /** The name of that record, and how many were found. */
    found: { count: items.length, name: mayTake ? recordName(first) : undefined },
    /** The records that are listed; the names of the chosen ones are known from `data`. */
    filter,
    nameOf: (id: number) => all.filter((item) => item.id === id).map(recordName)[0],
    data: all.map((item) => ({ value: String(item.id), label: recordName(item) })),
  }
}
