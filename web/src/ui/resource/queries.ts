import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { CatalogueRecord } from '@/api/resource'
import { apiOf, type ListDef } from './define'

type Row = { id: number; version: number }
type Asked = Record<string, string | number | undefined>

export const listOf = <R extends CatalogueRecord, L extends Row>(def: ListDef<R, L>, asked: Asked) =>
  queryOptions({ queryKey: [...def.queryKey, 'list', asked], queryFn: () => apiOf(def).list(asked), placeholderData: keepPreviousData })

export const recordOf = <R extends CatalogueRecord, L extends Row>(def: ListDef<R, L>, id: number) =>
  queryOptions({ queryKey: [...def.queryKey, id], queryFn: () => apiOf(def).get(id) })

/** Write what the server answered into the cache; what is made of it elsewhere is asked for again when shown. */
export function useTake<R extends CatalogueRecord, L extends Row>(def: ListDef<R, L>): (record: R) => void {
  const cache = useQueryClient()
  return (record) => {
    const { queryKey } = recordOf(def, record.id)
    cache.setQueryData<R>(queryKey, record)
    const own = JSON.stringify(queryKey)
    void cache.invalidateQueries({ predicate: (query) => JSON.stringify(query.queryKey) !== own && query.queryKey[0] !== 'me' })
  }
}
