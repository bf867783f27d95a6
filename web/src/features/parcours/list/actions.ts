import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, unwrap } from '@/api/client'
import type { ParcoursRow } from '@/api/types'
import { translate } from '@/i18n'
import { toast, toastError } from '@/ui/feedback/toast'
import { problemText } from '@/records/problem-text'

const path = (row: ParcoursRow) => ({ params: { path: { id: row.id }, header: ifMatch(row.version) } })

/** The actions on one row; each reports its result and renews the list. */
export function useRowActions() {
  const client = useQueryClient()
  const renew = () => client.invalidateQueries({ queryKey: ['parcours'] })
  const failed = (words: string) => (error: unknown) => {
    toastError(`${words} ${problemText(error)}`)
    void renew()
  }
  const publication = useMutation({
    mutationFn: ({ row, publish }: { row: ParcoursRow; publish: boolean }) =>
      unwrap(
        publish ? api.POST('/api/v1/parcours/{id}/publication', path(row)) : api.DELETE('/api/v1/parcours/{id}/publication', path(row)),
      ),
    onSuccess: (_, { publish }) => {
      toast({ text: translate(publish ? 'parcours:done.published' : 'parcours:done.unpublished') })
      return renew()
    },
    onError: failed(translate('parcours:failed.save')),
  })
  return { publication }
}
