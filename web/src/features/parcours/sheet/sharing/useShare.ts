import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '@/i18n'
import { toast, toastError } from '@/ui/feedback/toast'
import { problemText } from '@/records/problem-text'
import { useSheet } from '../context'
import { revoke, share, sharesQuery } from '../queries'

/** Make a share (`null` days: for good); the list follows. */
export function useShare() {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (days: 1 | 7 | 30 | null) => share(parcours.id, days),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: sharesQuery(parcours.id).queryKey })
      toast({ text: t('sharing.made') })
    },
    onError: (error) => toastError(t('error.because', { what: t('error.action'), why: problemText(error) })),
  })
}

/** End a share before its day. */
export function useRevoke() {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => revoke(parcours.id, id),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: sharesQuery(parcours.id).queryKey })
      toast({ text: t('sharing.revoked') })
    },
    onError: (error) => toastError(t('error.because', { what: t('error.action'), why: problemText(error) })),
  })
}
