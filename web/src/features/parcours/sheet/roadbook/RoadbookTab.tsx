import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '@/i18n'
import type { Roadbook } from '@/api/types'
import { useCan, useMe } from '@/api/session'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { closeToast, toast } from '@/ui/feedback/toast'
import { LanguageSwitch } from '@/records/form/fields'
import { ReadOnlyContext } from '@/records/form/read-only'
import { ResourceForm, SaveButton } from '@/records/form/ResourceForm'
import { useResourceForm } from '@/records/form/useResourceForm'
import { problemText } from '@/records/problem-text'
import { useSheet } from '../context'
import { ClientFileEditor } from './client-files/ClientFileEditor'
import { ClientFilesCard } from './client-files/ClientFilesCard'
import { useOpenClientFile } from './client-files/useOpenClientFile'
import { Download } from './Download'
import { LayoutCard } from './LayoutCard'
import { PagesCard } from './PagesCard'
import { Preview } from './Preview'
import { roadbookQuery, saveRoadbook } from './queries'
import classes from './roadbook.module.css'
import { SaveNote } from './SaveNote'
import { StaysCard } from './StaysCard'
import { TripCard } from './TripCard'
import { atTheirNights, toSettings, toValues, type RoadbookValues } from './values'
import { VouchersCard } from './VouchersCard'

/** The roadbook of a parcours: clients, pages, layout, travellers, nights and vouchers. */
export default function RoadbookTab() {
  const { t } = useTranslation('roadbook')
  const { parcours } = useSheet()
  const roadbook = useQuery(roadbookQuery(parcours.id))
  if (roadbook.isPending) {
    return (
      <Card title={t('pages.title')}>
        <Skeleton height={320} />
      </Card>
    )
  }
  if (roadbook.isError) {
    return (
      <Banner
        tone="danger"
        live="alert"
        actions={
          <Button size="small" onClick={() => void roadbook.refetch()}>
            {t('common:retry')}
          </Button>
        }
      >
        {t('because', { what: t('error.read'), why: problemText(roadbook.error) })}
      </Banner>
    )
  }
  // Other white-labels do not see that there are clients.
  if (roadbook.data.locked_reason === 'not_yours') return <RoadbookForm roadbook={roadbook.data} />
  return <WithClientFiles roadbook={roadbook.data} />
}

/** The clients above the roadbook they share, or the one that is opened in its place. */
function WithClientFiles({ roadbook }: { roadbook: Roadbook }) {
  const agency = useCan('agency.fields')
  const { opened, open } = useOpenClientFile()
  const [left, setLeft] = useState(false)
  const back = () => {
    setLeft(true)
    open(null)
  }
  // Users without the right to add files may still open one by its address.
  if (opened !== null && (opened !== 'new' || agency))
    return <ClientFileEditor which={opened} model={roadbook.settings} onBack={back} onCreated={(id) => open(id, true)} />
  return (
    <>
      <ClientFilesCard focused={left} onOpen={open} />
      <RoadbookForm roadbook={roadbook} />
    </>
  )
}

function RoadbookForm({ roadbook }: { roadbook: Roadbook }) {
  const { t } = useTranslation('roadbook')
  const { parcours } = useSheet()
  const cache = useQueryClient()
  const me = useMe()
  // What another white-label is shown: what its own people alone may see is not there.
  const theirs = roadbook.locked_reason === 'not_yours'
  const done = useRef<number | null>(null)
  // It is saved whole: a page that moved says nothing without the others.
  const typed = useRef<() => RoadbookValues>(() => toValues(roadbook.settings, parcours.steps))
  const form = useResourceForm<Roadbook, RoadbookValues>({
    kind: 'roadbook',
    record: roadbook,
    toValues: (record) => toValues((record ?? roadbook).settings, parcours.steps),
    save: async (_, version) => {
      // The message of the save before says nothing about this one.
      if (done.current !== null) closeToast(done.current)
      const values = typed.current()
      try {
        return await saveRoadbook(parcours.id, version ?? roadbook.version, toSettings(values))
      } catch (error) {
        throw atTheirNights(error, values.stays)
      }
    },
    onSaved: (saved) => {
      cache.setQueryData(roadbookQuery(parcours.id).queryKey, saved)
      done.current = toast({ text: t('saved') })
    },
  })
  const { store } = form
  useEffect(() => {
    typed.current = () => store.values
  }, [store])
  // A draft of the saved version (the user opened another tab of the sheet) is restored; an older draft is offered.
  const { draft, restoreDraft } = form
  const fresh = draft !== null && draft.version === roadbook.version
  useEffect(() => {
    if (fresh) restoreDraft()
  }, [fresh, restoreDraft])
  return (
    <ReadOnlyContext value={!roadbook.editable}>
      <ResourceForm
        inside
        form={form}
        saveError={t('error.save')}
        fieldLabel={(path) => t(`field.${path.split('.')[0] ?? ''}` as 'field.pages')}
        savedBy={(current: Roadbook) => ({
          name: current.updated_by === null ? '' : current.updated_by.id === me.id ? t('yourself') : current.updated_by.name,
          at: current.updated_at ?? '',
        })}
      >
        {theirs && <Banner tone="lock">{t('theirs')}</Banner>}
        <div className={classes['bar']}>
          <SaveNote form={form} saved={roadbook} never={t('neverSaved')} />
          <LanguageSwitch />
          {!theirs && <Download store={form.store} />}
          {roadbook.editable && <SaveButton form={form} look="default" />}
        </div>
        <div className={classes['desk']}>
          <div className={classes['cards']}>
            <PagesCard />
            <LayoutCard />
            {!theirs && <TripCard />}
            {!theirs && <StaysCard />}
            {!theirs && <VouchersCard />}
          </div>
          {!theirs && (
            <div className={classes['preview']}>
              <Preview store={form.store} settingsOf={toSettings} />
            </div>
          )}
        </div>
      </ResourceForm>
    </ReadOnlyContext>
  )
}
