import { useQuery } from '@tanstack/react-query'
import { useCan } from '@/api/session'
import type { Choice } from '@/ui/field/inputs'
import { sourcesQuery } from './data'

/** The sources a list may be narrowed to; only users who may import see them. */
export function useSources(): readonly Choice[] {
  const may = useCan('content.import')
  const { data } = useQuery({ ...sourcesQuery, enabled: may })
  return (data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
}
