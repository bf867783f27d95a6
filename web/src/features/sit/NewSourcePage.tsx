import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button, ButtonLink } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/ui/problem-text'
import { createSource, refresh, sendFile, sendKey, startRun } from './data'
import { faultsOf, Options, type Draft } from './Options'
import classes from './sit.module.css'

export { texts } from './data'

const blank: Draft = { name: '', kind: null, url: null, project: null, selections: null, criteria: null, licence: null, schedule: 'never', notify_email: null }

/** `/settings/pois-sit/sources/new`: a source, made and read at once. */
export function Page() {
  const { t } = useTranslation('sit')
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(blank)
  const [file, setFile] = useState<File | null>(null)
  const [key, setKey] = useState('')
  usePageMeta([{ label: t('resource:group.settings'), link: { to: '/settings' } }, { label: t('source.title'), link: { to: '/settings/pois-sit/sources' } }, { label: t('source.new') }])
  const make = useMutation({
    mutationFn: async ({ kind, ...rest }: Draft) => {
      const made = await createSource(kind === null ? rest : { ...rest, kind })
      const source = file !== null && draft.url === null ? await sendFile(made, file) : made
      if (key !== '' && draft.url !== null) await sendKey(source, key)
      await startRun(source.id)
      return source
    },
    onSuccess: async (source) => {
      await refresh(cache)
      toast({ text: t('source.saved') })
      await navigate({ to: '/settings/pois-sit/sources/$id', params: { id: String(source.id) }, search: { tab: 'log' } as never })
    },
  })
  const faults = faultsOf(make.error)
  const filled = draft.name.trim() !== '' && draft.kind !== null && (draft.url !== null || file !== null)
  return (
    <div className={classes['page']}>
      <PageHeader title={t('source.new')} facts={t('source.lead')} />
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (filled) make.mutate(draft)
        }}
      >
        {make.error && (
          <Banner tone="danger" live="alert">
            {format.labelled(t('source.saveError'), Object.values(faults).join(' ') || problemText(make.error))}
          </Banner>
        )}
        <Options draft={draft} change={(patch) => setDraft({ ...draft, ...patch })} faults={faults} file={file} onFile={setFile} keyWords={key} onKey={setKey} />
        <div className={classes['actions']}>
          <ButtonLink to="/settings/pois-sit/sources">{t('common:cancel')}</ButtonLink>
          <Button type="submit" look="primary" busy={make.isPending} {...(filled ? {} : { disabledReason: t('source.fill'), reasonShown: true })}>
            {t('source.create')}
          </Button>
        </div>
      </form>
    </div>
  )
}
