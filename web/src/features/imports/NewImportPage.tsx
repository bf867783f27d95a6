import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ImportOptions } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Button, ButtonLink } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/ui/problem-text'
import { faultsOf } from './faults'
import classes from './imports.module.css'
import { createSource, refresh, sendFile, startRun } from './imports'
import { How, What, Where, type Draft } from './Options'

export { texts } from './imports'

const blank: Draft = { name: '', kind: null, url: null, host: null, distribute_own: false, force_published: 'keep', force_source_geometry: false, schedule: 'never', notify_email: null }
const steps = ['what', 'where', 'how'] as const

/** `/settings/imports-parcours/new`: three steps, each of which must be filled; then a first look that writes nothing. */
export function Page() {
  const { t } = useTranslation('imports')
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(blank)
  const [file, setFile] = useState<File | null>(null)
  const [at, setAt] = useState(0)
  usePageMeta([{ label: t('resource:group.settings'), link: { to: '/settings' } }, { label: t('title'), link: { to: '/settings/imports-parcours' } }, { label: t('new') }])
  const make = useMutation({
    mutationFn: async ({ kind, ...rest }: Draft) => {
      const values: Partial<ImportOptions> = kind === null ? rest : { ...rest, kind }
      const made = await createSource(values)
      const source = file !== null && draft.url === null ? await sendFile(made, file) : made
      await startRun(source.id, true)
      return source
    },
    onSuccess: async (source) => {
      await refresh(cache)
      toast({ text: t('step.saved') })
      await navigate({ to: '/settings/imports-parcours/$id', params: { id: String(source.id) }, search: { tab: 'mapping' } as never })
    },
  })
  const faults = faultsOf(make.error)
  const filled = { what: draft.name.trim() !== '' && draft.kind !== null, where: (draft.url ?? '').trim() !== '' || (file !== null && draft.kind !== 'geotrek'), how: true }
  const step = steps[at] ?? 'what'
  const part = { draft, faults, change: (patch: Partial<Draft>) => setDraft({ ...draft, ...patch }) }
  const missing = filled[step] ? {} : { disabledReason: t('step.fill'), reasonShown: true }
  return (
    <div className={classes['page']}>
      <PageHeader title={t('new')} facts={t('step.of', { now: at + 1, all: steps.length })} />
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (!filled[step]) return
          if (step === 'how') make.mutate(draft)
          else setAt(at + 1)
        }}
      >
        <ol className={classes['steps']} aria-label={t('step.of', { now: at + 1, all: steps.length })}>
          {steps.map((key, index) => (
            <li key={key} aria-current={index === at ? 'step' : undefined} data-done={index < at || undefined}>
              {t(`step.${key}`)}
            </li>
          ))}
        </ol>
        {make.error && (
          <Banner tone="danger" live="alert">
            {t('step.saveError')} : {Object.values(faults).join(' ') || problemText(make.error)}
          </Banner>
        )}
        <h2>{t(`step.${step}`)}</h2>
        {step === 'what' && <What {...part} />}
        {step === 'where' && <Where {...part} file={file} onFile={setFile} />}
        {step === 'how' && <How {...part} />}
        <div className={classes['actions']}>
          {at === 0 ? <ButtonLink to="/settings/imports-parcours">{t('step.previous')}</ButtonLink> : <Button onClick={() => setAt(at - 1)}>{t('step.previous')}</Button>}
          <Button type="submit" look="primary" busy={make.isPending} {...missing}>
            {t(step === 'how' ? 'step.create' : 'step.next')}
          </Button>
        </div>
      </form>
    </div>
  )
}
