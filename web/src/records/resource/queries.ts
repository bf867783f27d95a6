import { keepPreviousData, queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { CatalogueRecord } from '@/api/resource'
import { meKey } from '@/api/signed-in-user'
import { apiOf, type ListDef, type ResourceDef } from './define'

type Row = { id: number; version: number }
type QueryParams = Record<string, string | number | undefined>

export const listOf = <R extends CatalogueRecord, L extends Row>(def: ListDef<R, L>, query: QueryParams) =>
  queryOptions({ queryKey: [...def.queryKey, 'list', query], queryFn: () => apiOf(def).list(query), placeholderData: keepPreviousData })

export const recordOf = <R extends CatalogueRecord, L extends Row>(def: ListDef<R, L>, id: number) =>
  queryOptions({ queryKey: [...def.queryKey, id], queryFn: () => apiOf(def).get(id) })

/**
 * Forgets what is known of a record that is in the bin, by the beginnings of its keys, and asks for all the rest again. Its page is left
 * before: nothing asks the server for it any more.
 */
export async function forgetRecord(cache: QueryClient, ...own: readonly (readonly unknown[])[]): Promise<void> {
  const ofIt = (key: readonly unknown[]) => own.some((parts) => parts.every((part, i) => key[i] === part))
  cache.removeQueries({ predicate: (query) => ofIt(query.queryKey) && !query.isActive() })
  await cache.invalidateQueries({ predicate: ({ queryKey: key }) => !ofIt(key) })
}

/** What a new record begins with, by the query of the address. */
export const prefillOf = <R extends CatalogueRecord, L extends Row>(def: ResourceDef<R, L>, search: Record<string, string>) =>
  queryOptions({ queryKey: [...def.queryKey, 'prefill', search], queryFn: () => def.form.prefill?.(search) ?? Promise.resolve({}) })

/** Writes the server's answer into the cache; lists and counts that depend on it are fetched again when they are shown. */
export function useCacheRecord<R extends CatalogueRecord, L extends Row>(def: ListDef<R, L>): (record: R) => void {
  const cache = useQueryClient()
  return (record) => {
    const { queryKey } = recordOf(def, record.id)
    cache.setQueryData<R>(queryKey, record)
    const own = JSON.stringify(queryKey)
    // The session contains settings of white-labels: it is stale after one of them is saved.
    const isStale = ([first]: readonly unknown[]) => first !== meKey[0] || def.kind === 'white_label'
    void cache.invalidateQueries({ predicate: (query) => JSON.stringify(query.queryKey) !== own && isStale(query.queryKey) })
  }
}
