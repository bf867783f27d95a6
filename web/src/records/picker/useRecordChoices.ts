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
  const items = found.data?.items ?? []
  const missing = chosen.filter((id) => !items.some((item) => item.id === id))
  const kept = useQuery(keptQuery({ base, queryKey, query }, missing))
  const all = [...items, ...(kept.data?.items.filter(({ id }) => !items.some((item) => item.id === id)) ?? [])].filter(
    ({ id }) => id !== without,
  )
  return {
    search,
    setSearch,
    data: all.map((item) => ({ value: String(item.id), label: recordName(item) })),
    nameOf: (id: number) => all.filter((item) => item.id === id).map(recordName)[0],
  }
}
