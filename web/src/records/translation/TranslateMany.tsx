import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { payload } from '@/api/payload'
import { api, unwrap } from '@/api/client'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { toastError } from '@/ui/feedback/toast'
import { Field } from '@/ui/field/Field'
import { SelectInput } from '@/ui/field/inputs'
import { languageName } from '@/records/form/fields'
import { problemText } from '@/records/problem-text'
import classes from './translation.module.css'

type Wanted = { ids: number[] } | { filter: Record<string, string> } | Record<string, never>

/** Whether a service translates for the white-label. */
const serviceQuery = queryOptions({
  queryKey: ['translation', 'service'],
  queryFn: () => unwrap(api.GET('/api/v1/translation-jobs', { params: { query: { page: 1, per_page: 1 } } })),
  staleTime: 60_000,
})

/** « Traduire » over the ticked rows. */
export default function TranslateMany({ kind, target }: { kind: 'parcours' | 'poi' | 'media'; target: () => Wanted }) {
  const { t } = useTranslation('translation')
  const may = useCan('content.write')
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const { data: service } = useQuery({ ...serviceQuery, enabled: may })
  const reason = !may ? t('resource:notAllowed') : service?.translates === false ? t('noService') : undefined
  const reasonId = useId()
  return (
    <>
      <button
        type="button"
        aria-disabled={reason !== undefined || undefined}
        title={reason}
        aria-describedby={reason === undefined ? undefined : reasonId}
        onClick={() => (reason === undefined ? setWanted(target()) : toastError(reason))}
      >
        {t('many')}
      </button>
      {reason !== undefined && (
        <span id={reasonId} className="visually-hidden">
          {reason}
        </span>
      )}
      {wanted !== null && <AskMany kind={kind} wanted={wanted} onClose={() => setWanted(null)} />}
    </>
  )
}

/** Asks for the source and target languages; then a job begins, which has a separate page. */
export function AskMany({ kind, wanted, onClose }: { kind: 'parcours' | 'poi' | 'media'; wanted: Wanted; onClose: () => void }) {
  const { t } = useTranslation('translation')
  const navigate = useNavigate()
  const cache = useQueryClient()
  const languages = payload().content_languages
  const [source, setSource] = useState(languages[0] ?? 'fr')
  const [target, setTarget] = useState(languages[1] ?? 'en')
  const start = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/translation-jobs', { body: { kind, source, target, ...wanted } })),
    onSuccess: async (job) => {
      await cache.invalidateQueries({ queryKey: ['translation'] })
      onClose()
      await navigate({ to: '/settings/traductions', search: { job: String(job.id) } })
    },
  })
  // What it would cost is counted before anything is sent.
  const estimate = useQuery({
    queryKey: ['translation', 'estimate', kind, source, target, wanted],
    queryFn: () => unwrap(api.POST('/api/v1/translation-jobs/estimate', { body: { kind, source, target, ...wanted } })),
    enabled: source !== target,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const cost = source === target ? undefined : estimate.data
  const reason =
    source === target
      ? t('errors:translation/same-language')
      : estimate.error
        ? problemText(estimate.error)
        : cost === undefined
          ? t('estimate.counting')
          : cost.texts === 0
            ? t('estimate.nothing')
            : undefined
  const choices = languages.map((code) => ({ value: code, label: languageName(code) }))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('ids' in wanted || 'filter' in wanted ? 'manyTitle' : 'jobs.all')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button look="primary" busy={start.isPending} disabledReason={reason} onClick={() => start.mutate()}>
            {t('start')}
          </Button>
        </>
      }
    >
      <div className={classes['dialog']}>
        {(start.error ?? estimate.error) && (
          <Banner tone="danger" live="alert">
            {problemText(start.error ?? estimate.error)}
          </Banner>
        )}
        <p>{t('manyText')}</p>
        <div className={classes['pair']}>
          <Field label={t('from')}>
            {(wiring) => <SelectInput {...wiring} value={source} onChange={(code) => code !== null && setSource(code)} choices={choices} />}
          </Field>
          <Field label={t('into')}>
            {(wiring) => <SelectInput {...wiring} value={target} onChange={(code) => code !== null && setTarget(code)} choices={choices} />}
          </Field>
        </div>
        {source !== target && !estimate.error && (
          <p role="status" className="small">
            {cost === undefined
              ? t('estimate.counting')
              : cost.texts === 0
                ? t('estimate.nothing')
                : cost.characters === 0
                  ? t('estimate.known', { count: cost.texts })
                  : `${t('estimate.texts', { count: cost.texts })} ${t('estimate.characters', { count: cost.characters })}`}
          </p>
        )}
      </div>
    </Dialog>
  )
}
