import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { payload } from '@/api/payload'
import type { TranslationJob } from '@/api/model'
import { callApi } from '@/api/resource'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { toastError } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { SelectInput } from '@/ui/field/inputs'
import { languageName } from '@/ui/form/fields'
import { problemText } from '@/ui/problem-text'
import classes from './translation.module.css'

type Wanted = { ids: number[] } | { filter: Record<string, string> } | Record<string, never>

/** « Traduire » over the ticked rows. */
export default function TranslateMany({ kind, target }: { kind: 'parcours' | 'poi' | 'media'; target: Wanted }) {
  const { t } = useTranslation('translation')
  const may = useCan('content.write')
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-disabled={!may || undefined} onClick={() => (may ? setOpen(true) : toastError(t('resource:notAllowed')))}>
        {t('many')}
      </button>
      {open && <AskMany kind={kind} wanted={target} onClose={() => setOpen(false)} />}
    </>
  )
}

/** From which language into which; then a job begins, which is looked at on a page of its own. */
export function AskMany({ kind, wanted, onClose }: { kind: 'parcours' | 'poi' | 'media'; wanted: Wanted; onClose: () => void }) {
  const { t } = useTranslation('translation')
  const navigate = useNavigate()
  const cache = useQueryClient()
  const languages = payload().content_languages
  const [source, setSource] = useState(languages[0] ?? 'fr')
  const [target, setTarget] = useState(languages[1] ?? 'en')
  const start = useMutation({
    mutationFn: () => callApi<TranslationJob>('POST', '/api/v1/translation-jobs', { body: { kind, source, target, ...wanted } }),
    onSuccess: async (job) => {
      await cache.invalidateQueries({ queryKey: ['translation'] })
      onClose()
      await navigate({ to: '/settings/traductions', search: { job: String(job.id) } as never })
    },
  })
  const choices = languages.map((code) => ({ value: code, label: languageName(code) }))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('ids' in wanted || 'filter' in wanted ? 'manyTitle' : 'jobs.all')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button look="primary" busy={start.isPending} disabledReason={source === target ? t('errors:translation/same-language') : undefined} onClick={() => start.mutate()}>
            {t('start')}
          </Button>
        </>
      }
    >
      <div className={classes['dialog']}>
        {start.error && (
          <Banner tone="danger" live="alert">
            {problemText(start.error)}
          </Banner>
        )}
        <p>{t('manyText')}</p>
        <div className={classes['pair']}>
          <Field label={t('from')}>{(wiring) => <SelectInput {...wiring} value={source} onChange={(code) => code !== null && setSource(code)} choices={choices} />}</Field>
          <Field label={t('into')}>{(wiring) => <SelectInput {...wiring} value={target} onChange={(code) => code !== null && setTarget(code)} choices={choices} />}</Field>
        </div>
      </div>
    </Dialog>
  )
}
