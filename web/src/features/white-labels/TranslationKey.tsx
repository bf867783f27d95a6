import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ProblemError } from '@/api/problem'
import { callApi } from '@/api/resource'
import type { WhiteLabel } from '@/api/model'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { PasswordInput } from '@/ui/field/inputs'
import { faultText, problemText } from '@/ui/problem-text'
import classes from '@/ui/resource/resource.module.css'

/** The key of the translation service: it goes in and never comes out again. */
export function TranslationKey({ record }: { record: WhiteLabel }) {
  const { t } = useTranslation('whiteLabels')
  const may = useCan('settings.manage')
  const cache = useQueryClient()
  const [asked, setAsked] = useState<'set' | 'drop' | null>(null)
  const isSet = record.translation_key_set
  const settled = (words: string) => {
    setAsked(null)
    toast({ text: words })
    return cache.invalidateQueries({ queryKey: ['white_label'] })
  }
  const path = `/api/v1/white-labels/${record.id}/translation-key`
  const drop = useMutation({ mutationFn: () => callApi('DELETE', path, { version: record.version }), onSuccess: () => settled(t('translation.dropped')) })
  const reason = may ? undefined : t('resource:notAllowed')
  return (
    <div className={classes['stack']}>
      <h3>{t('translation.title')}</h3>
      <p className="small muted">{t(isSet ? 'translation.isSet' : 'translation.none')}</p>
      <span className="row wrap">
        <Button size="small" disabledReason={reason} onClick={() => setAsked('set')}>
          {t(isSet ? 'translation.renew' : 'translation.set')}
        </Button>
        {isSet && (
          <Button size="small" look="ghost" disabledReason={reason} onClick={() => setAsked('drop')}>
            {t('translation.drop')}
          </Button>
        )}
      </span>
      {asked === 'set' && <SetKey title={t(isSet ? 'translation.renew' : 'translation.set')} save={(key) => callApi('PUT', path, { version: record.version, body: { key } })} onClose={() => setAsked(null)} onDone={() => void settled(t('translation.saved'))} />}
      {asked === 'drop' && (
        <ConfirmDialog opened danger onClose={() => setAsked(null)} title={t('translation.drop')} confirm={t('translation.drop')} onConfirm={() => drop.mutateAsync().catch(() => undefined)}>
          <div className={classes['stack']}>
            <Refused error={drop.error} />
            <p>{t('translation.breaks')}</p>
          </div>
        </ConfirmDialog>
      )}
    </div>
  )
}

function SetKey({ title, save, onClose, onDone }: { title: string; save: (key: string) => Promise<unknown>; onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation('whiteLabels')
  const [key, setKey] = useState('')
  const send = useMutation({ mutationFn: () => save(key), onSuccess: onDone })
  const fault = send.error instanceof ProblemError ? send.error.faults[0] : undefined
  const empty = key.trim() === ''
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button look="primary" busy={send.isPending} disabledReason={empty ? t('translation.typeIt') : undefined} onClick={() => send.mutate()}>
            {t('translation.save')}
          </Button>
        </>
      }
    >
      <div className={classes['stack']}>
        {fault === undefined && <Refused error={send.error} />}
        <Field label={t('translation.title')} hint={t('translation.hint')} error={fault === undefined ? undefined : faultText(fault)} required>
          {(wiring) => (
            <PasswordInput
              {...wiring}
              autoComplete="off"
              value={key}
              onChange={setKey}
              data-autofocus
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                // The page around it is a form of its own: this key is not its affair.
                event.preventDefault()
                if (!empty) send.mutate()
              }}
            />
          )}
        </Field>
      </div>
    </Dialog>
  )
}

function Refused({ error }: { error: unknown }) {
  const { t } = useTranslation('whiteLabels')
  return error === null ? null : (
    <Banner tone="danger" live="alert">
      {t('resource:because', { what: t('translation.failed'), why: problemText(error) })}
    </Banner>
  )
}
