import type { QueryClient } from '@tanstack/react-query'
import type { CatalogueRecord } from '@/api/resource'
import { listQuery, readListState } from '@/ui/list/list-state'
import type { ResourceDef } from './define'
import { ListPage } from './ListPage'
import { listOf, recordOf } from './queries'
import { NewPage, RecordPage } from './RecordPage'

interface Load {
  queryClient: QueryClient
  params: Record<string, string>
  search: Record<string, string>
}

const none = () => []

/** The three pages of a resource, as the router takes them. */
export function pagesOf<R extends CatalogueRecord, L extends { id: number; version: number }>(def: ResourceDef<R, L>) {
  const texts = ['resource', def.area]
  const { useColumns, useFilters = none, useSorts = none, useBulk = none } = def.list
  const List = () => <ListPage def={def} all={useColumns()} filters={useFilters()} sorts={useSorts()} bulk={useBulk()} />
  return {
    list: {
      Page: List,
      texts,
      load: ({ queryClient, search }: Load) => queryClient.ensureQueryData(listOf(def, listQuery(readListState(search, def.list.config)))),
    },
    record: {
      Page: () => <RecordPage def={def} />,
      texts,
      load: ({ queryClient, params }: Load) => queryClient.ensureQueryData(recordOf(def, Number(params['id']))),
    },
    create: { Page: () => <NewPage def={def} />, texts },
  }
}
