import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ifMatch, unwrap } from '@/api/client'
import type { WhiteLabel } from '@/api/types'
import { isStale } from '@/api/problem'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { copyText } from '@/ui/copy'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { toast, toastError } from '@/ui/feedback/toast'
import { TextInput } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import classes from '@/records/resource/resource.module.css'

/** The key of the API: shown once when it is made, known afterwards by its first letters alone. */
export function ApiKey({ record }: { record: WhiteLabel }) {
  const { t } = useTranslation('whiteLabels')
  const may = useCan('settings.manage')
  const cache = useQueryClient()
  const [dialog, setDialog] = useState<'make' | 'drop' | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const params = { path: { id: record.id }, header: ifMatch(record.version) }
  const renew = () => cache.invalidateQueries({ queryKey: ['white_label'] })
  const settled = () => {
    setDialog(null)
    return renew()
  }
  const failed = async (error: unknown) => {
    const why = isStale(error) ? t('resource:keyStale') : problemText(error)
    toastError(t('resource:because', { what: t('key.failed'), why }))
    // The last version is fetched: over the one that is shown the server would refuse again.
    if (isStale(error)) await renew()
  }
  const make = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/white-labels/{id}/api-key', { params })),
    onSuccess: ({ key }) => {
      setShown(key)
      return settled()
    },
    onError: failed,
  })
  const drop = useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/v1/white-labels/{id}/api-key', { params })),
    onSuccess: () => {
      toast({ text: t('key.dropped') })
      return settled()
    },
    onError: failed,
  })
  const { api_key: key } = record
  const reason = may ? undefined : t('resource:notAllowed')
  return (
    <div className={classes['stack']}>
      <h3>{t('key.title')}</h3>
      <p className="small muted">
        {key === null ? t('key.none') : t('key.known', { prefix: key.prefix, when: format.day(key.created_at) })}
      </p>
      <span className="row wrap">
        <Button
          size="small"
          busy={make.isPending}
          disabledReason={reason}
          onClick={() => (key === null ? make.mutate() : setDialog('make'))}
        >
          {t(key === null ? 'key.make' : 'key.renew')}
        </Button>
        {key !== null && (
          <Button size="small" look="ghost" disabledReason={reason} onClick={() => setDialog('drop')}>
            {t('key.drop')}
          </Button>
        )}
      </span>
      {dialog !== null && (
        <ConfirmDialog
          opened
          danger
          onClose={() => setDialog(null)}
          title={t(dialog === 'make' ? 'key.renew' : 'key.drop')}
          confirm={t(dialog === 'make' ? 'key.renew' : 'key.drop')}
          onConfirm={() => (dialog === 'make' ? make : drop).mutateAsync().catch(() => undefined)}
        >
          <p>{t('key.breaks')}</p>
        </ConfirmDialog>
      )}
      {shown !== null && (
        <Dialog
          opened
          mustAnswer
          onClose={() => setShown(null)}
          title={t('key.title')}
          actions={
            <Button look="primary" onClick={() => setShown(null)}>
              {t('key.kept')}
            </Button>
          }
        >
          <div className={classes['stack']}>
            <Banner tone="warn">{t('key.once')}</Banner>
            <TextInput
              value={shown}
              onChange={() => undefined}
              readOnly
              aria-label={t('key.title')}
              onFocus={(event) => event.target.select()}
            />
            <Button onClick={() => void copyText(shown, { done: t('key.copied'), failed: t('key.notCopied') })}>{t('key.copy')}</Button>
          </div>
        </Dialog>
      )}
    </div>
  )
}
