import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api, unwrap } from '@/api/client'
import { meQuery, useMe } from '@/api/session'
import { toastError } from '@/ui/feedback/toast'
import { problemText } from '@/records/problem-text'

/** The simplified or the advanced view, stored for the user: shown at once, reverted when the server refuses. */
export function useAdvanced(): [boolean, (advanced: boolean) => void] {
  const me = useMe()
  const cache = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (advanced: boolean) => unwrap(api.PATCH('/api/v1/me', { body: { advanced_view: advanced } })),
    onMutate: (advanced) => cache.setQueryData(meQuery.queryKey, (known) => known && { ...known, advanced_view: advanced }),
    onSuccess: (known) => void cache.setQueryData(meQuery.queryKey, known),
    onError: (error, advanced) => {
      cache.setQueryData(meQuery.queryKey, (known) => known && { ...known, advanced_view: !advanced })
      toastError(problemText(error))
    },
  })
  const set = useCallback((advanced: boolean) => mutate(advanced), [mutate])
  return [me.advanced_view, set]
}
