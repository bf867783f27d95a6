import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { ImportOptions } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { addressFault } from '@/ui/form/address'
import { Steps } from '@/ui/form/Steps'
import { format } from '@/ui/format'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { faultText, problemText } from '@/ui/problem-text'
import { faultsOf } from './faults'
import classes from './imports.module.css'
import { createSource, refresh, sendFile, startRun } from './imports'
import { How, What, Where, type Draft } from './Options'

export { texts } from './imports'

/** What the server would refuse of the addresses: told at their step. */
function addressFaults({ url, host }: Draft): { url?: string; host?: string } {
  const [ofUrl, ofHost] = [addressFault(url), addressFault(host)]
  const elsewhere = url !== null && host !== null && ofUrl === undefined && ofHost === undefined && !url.startsWith(host)
  return {
    ...(ofUrl && { url: faultText({ code: ofUrl, params: {} }) }),
    ...(elsewhere && { url: faultText({ code: 'validation/url-host', params: { host } }) }),
    ...(ofHost && { host: faultText({ code: ofHost, params: {} }) }),
  }
}

const blank: Draft = { name: '', kind: null, url: null, host: null, distribute_own: false, force_published: 'keep', force_source_geometry: false, schedule: 'never', notify_email: null }

/** `/settings/imports-parcours/new`: three steps, each of which must be filled; then a first look that writes nothing. */
export function Page() {
  const { t } = useTranslation('imports')
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(blank)
  const [file, setFile] = useState<File | null>(null)
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
  const [asked, setAsked] = useState(false)
  const wrong = addressFaults(draft)
  const faults = { ...faultsOf(make.error), ...(asked ? wrong : {}) }
  const part = { draft, faults, change: (patch: Partial<Draft>) => setDraft({ ...draft, ...patch }) }
  const hasOrigin = (draft.url ?? '').trim() !== '' || (file !== null && draft.kind !== 'geotrek')
  const step = (key: 'what' | 'where' | 'how', incomplete: boolean, content: ReactNode) => ({ title: t(`step.${key}`), incomplete, content })
  return (
    <div className={classes['page']}>
      <PageHeader title={t('new')} facts={t('lead')} />
      <div className={classes['new']}>
        <Card>
          {make.error && (
            <Banner tone="danger" live="alert">
              {format.labelled(t('step.saveError'), Object.values(faults).join(' ') || problemText(make.error))}
            </Banner>
          )}
          <Steps
            steps={[
              step('what', draft.name.trim() === '' || draft.kind === null, <What {...part} />),
              { ...step('where', !hasOrigin, <Where {...part} file={file} onFile={setFile} />), wrong: Object.keys(wrong).length, refuse: () => setAsked(true) },
              step('how', false, <How {...part} />),
            ]}
            onLast={() => make.mutate(draft)}
            last={
              <Button type="submit" look="primary" busy={make.isPending}>
                {t('step.create')}
              </Button>
            }
          />
        </Card>
      </div>
    </div>
  )
}
