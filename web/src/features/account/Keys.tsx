import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import { meQuery, useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { toastError } from '@/ui/feedback/toast'
import { Switch } from '@/ui/field/inputs'
import { problemText } from '@/records/problem-text'

/** Shortcuts of a single letter, which users of speech input trigger by accident (WCAG 2.1.4). */
export function Keys() {
  const { t } = useTranslation('account')
  const cache = useQueryClient()
  const me = useMe()
  const { mutate, isPending } = useMutation({
    mutationFn: (single_keys: boolean) => unwrap(api.PATCH('/api/v1/me', { body: { single_keys } })),
    onSuccess: (now) => cache.setQueryData(meQuery.queryKey, now),
    onError: (error) => toastError(problemText(error)),
  })
  return (
    <Card title={t('keys.title')}>
      <Switch
        checked={me.single_keys}
        onChange={(checked) => mutate(checked)}
        label={t('keys.single')}
        hint={t('keys.hint')}
        disabled={isPending}
      />
    </Card>
  )
}
