import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import type { CatalogueRecord } from '@/api/resource'
import { requireCapability } from '@/api/session'
import { listQuery, readListState } from '@/records/list/list-state'
import type { ResourceDef, ResourceInTwo } from './define'
import { listOf, prefillOf, recordOf } from './queries'

interface Load {
  queryClient: QueryClient
  params: Record<string, string>
  search: Record<string, string>
}

const none = () => []

/** The three pages of a resource, as the router takes them: a list does not bring what a form needs, nor the other way round. */
export function pagesOf<R extends CatalogueRecord, L extends { id: number; version: number }>(
  def: ResourceDef<R, L> | ResourceInTwo<R, L>,
) {
  const whole = async (): Promise<ResourceDef<R, L>> => ('form' in def ? def : { ...def, form: await def.readForm() })
  const texts = ['resource', 'history', def.area]
  const { useColumns, useFilters = none, useSorts = none, useBulk = none } = def.list
  return {
    list: async () => {
      const { ListPage } = await import('./ListPage')
      return {
        Page: () => <ListPage def={def} all={useColumns()} filters={useFilters()} sorts={useSorts()} bulk={useBulk()} />,
        texts,
        load: ({ queryClient, search }: Load) =>
          queryClient.ensureQueryData(listOf(def, listQuery(readListState(search, def.list.config), def.list.config))),
      }
    },
    record: async () => {
      const [{ RecordPage }, all] = await Promise.all([import('./RecordPage'), whole()])
      return {
        Page: () => <RecordPage def={all} />,
        texts,
        load: ({ queryClient, params }: Load) => queryClient.ensureQueryData(recordOf(def, Number(params['id']))),
      }
    },
    create: async () => {
      const [{ NewPage }, all] = await Promise.all([import('./RecordPage'), whole()])
      const load = async ({ queryClient, search }: Load) => {
        // Records created otherwise (a media file, from its upload) are created from their list.
        if (def.abilities.create === false) throw redirect({ to: def.path })
        await requireCapability(queryClient, def.mayMake ?? def.may)
        await queryClient.ensureQueryData(prefillOf(all, search))
      }
      return { Page: () => <NewPage def={all} />, texts, load }
    },
  }
}
