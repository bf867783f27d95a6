import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import type { CatalogueRecord } from '@/api/resource'
import { listQuery, readListState } from '@/ui/list/list-state'
import type { ResourceDef } from './define'
import { listOf, recordOf } from './queries'

interface Load {
  queryClient: QueryClient
  params: Record<string, string>
  search: Record<string, string>
}

const none = () => []

/** The three pages of a resource, as the router takes them: a list does not bring what a form needs, nor the other way round. */
export function pagesOf<R extends CatalogueRecord, L extends { id: number; version: number }>(def: ResourceDef<R, L>) {
  const texts = ['resource', 'history', def.area]
  const { useColumns, useFilters = none, useSorts = none, useBulk = none } = def.list
  return {
    list: async () => {
      const { ListPage } = await import('./ListPage')
      return {
        Page: () => <ListPage def={def} all={useColumns()} filters={useFilters()} sorts={useSorts()} bulk={useBulk()} />,
        texts,
        load: ({ queryClient, search }: Load) => queryClient.ensureQueryData(listOf(def, listQuery(readListState(search, def.list.config), def.list.config))),
      }
    },
    record: async () => {
      const { RecordPage } = await import('./RecordPage')
      return { Page: () => <RecordPage def={def} />, texts, load: ({ queryClient, params }: Load) => queryClient.ensureQueryData(recordOf(def, Number(params['id']))) }
    },
    create: async () => {
      const { NewPage } = await import('./RecordPage')
      const load = async () => {
        // What is made otherwise (a media, of its file) is made from its list.
        if (def.abilities.create === false) throw redirect({ to: def.path })
      }
      return { Page: () => <NewPage def={def} />, texts, load }
    },
  }
}
