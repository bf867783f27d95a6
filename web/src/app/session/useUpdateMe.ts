import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import type { MePatch } from '@/api/types'
import { meQuery } from '@/api/session'
import { toastError } from '@/ui/feedback/toast'
import { problemText } from '@/records/problem-text'

/** Change one's own settings; another white-label brings other content. */
export function useUpdateMe() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (patch: MePatch) => unwrap(api.PATCH('/api/v1/me', { body: patch })),
    onSuccess: async (me, patch) => {
      cache.setQueryData(meQuery.queryKey, me)
      if (patch.active_white_label_id !== undefined) await cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
    },
    onError: (error) => toastError(problemText(error)),
  })
}
