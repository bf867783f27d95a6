import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { AudioWalkView } from '@/api/types'
import { payload } from '@/api/payload'
import { useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast } from '@/ui/feedback/toast'
import { Segments } from '@/ui/field/inputs'
import { languageName } from '@/records/form/fields'
import { ReadOnlyContext } from '@/records/form/read-only'
import { ResourceForm, SaveButton } from '@/records/form/ResourceForm'
import { useResourceForm } from '@/records/form/useResourceForm'
import { format } from '@/ui/format'
import { CursorProvider } from '@/records/map/cursor'
import { problemText } from '@/records/problem-text'
import { useSheet } from '../context'
import classes from './audio.module.css'
import { BeginCard } from './BeginCard'
import { FindingsCard } from './FindingsCard'
import { MapCard } from './MapCard'
import { saveWalk, walkQuery } from './queries'
import { SimulationCard } from './SimulationCard'
import { SpeechBar } from './SpeechBar'
import { StopsCard } from './StopsCard'
import { VoiceCard } from './VoiceCard'
import { WalkCard } from './WalkCard'
import type { WalkValues } from './walk'

/** The audio walk, one language at a time: the sounds, where they are played, the voice, and a simulation. */
export default function AudioTab() {
  const { t } = useTranslation('audioWalk')
  const { parcours } = useSheet()
  const languages = payload().content_languages
  const [language, setLanguage] = useState(languages[0] ?? 'fr')
  const walk = useQuery(walkQuery(parcours.id, language))
  const choice = languages.length > 1 && (
    <Segments
      label={t('language')}
      value={language}
      onChange={setLanguage}
      choices={languages.map((code) => ({ value: code, label: languageName(code) }))}
    />
  )
  if (walk.isPending) {
    return (
      <Card title={t('stops.title')} aside={choice}>
        <Skeleton height={320} />
      </Card>
    )
  }
  if (walk.isError) {
    return (
      <Banner
        tone="danger"
        live="alert"
        actions={
          <Button size="small" onClick={() => void walk.refetch()}>
            {t('common:retry')}
          </Button>
        }
      >
        {t('because', { what: t('error.read'), why: problemText(walk.error) })}
      </Banner>
    )
  }
  return (
    <CursorProvider>
      <WalkForm key={language} view={walk.data} choice={choice} />
    </CursorProvider>
  )
}

function WalkForm({ view, choice }: { view: AudioWalkView; choice: React.ReactNode }) {
  const { t } = useTranslation('audioWalk')
  const { parcours } = useSheet()
  const { language } = view
  const cache = useQueryClient()
  const me = useMe()
  const [chosen, choose] = useState(0)
  // It is saved whole: a stop that moved says nothing without the others.
  const typed = useRef<() => WalkValues>(() => view.walk)
  const form = useResourceForm<AudioWalkView, WalkValues>({
    kind: `audio-${language}`,
    record: view,
    toValues: (record) => (record ?? view).walk,
    save: (_, version) => saveWalk(parcours.id, language, version ?? view.version, typed.current()),
    onSaved: (saved) => {
      cache.setQueryData(walkQuery(parcours.id, language).queryKey, saved)
      toast({ text: t('saved') })
    },
    reveal: (path) => {
      const index = /^stops\.(\d+)/.exec(path)?.[1]
      if (index !== undefined) choose(Number(index))
    },
  })
  const { store } = form
  useEffect(() => {
    typed.current = () => store.values
  }, [store])
  // A draft of the saved version (the user opened another tab of the sheet) is restored; an older draft is offered.
  const { draft, restoreDraft } = form
  const fresh = draft !== null && draft.version === view.version
  useEffect(() => {
    if (fresh) restoreDraft()
  }, [fresh, restoreDraft])
  return (
    <ReadOnlyContext value={!view.editable}>
      <ResourceForm
        inside
        form={form}
        saveError={t('error.save')}
        fieldLabel={(path) => t(`field.${path.split('.')[0] ?? ''}` as 'field.stops')}
        savedBy={(current: AudioWalkView) => ({
          name: current.updated_by === null ? '' : current.updated_by.id === me.id ? t('yourself') : current.updated_by.name,
          at: current.updated_at ?? '',
        })}
      >
        <div className={classes['bar']}>
          <span className="small muted">
            {view.updated_at === null
              ? t('neverSaved')
              : t('savedAt', { when: format.instant(view.updated_at), by: view.updated_by?.name ?? '' })}
          </span>
          {choice}
          {view.editable && <SaveButton form={form} look="default" />}
        </div>
        <BeginCard view={view} />
        <div className={classes['desk']}>
          <div className={classes['cards']}>
            <StopsCard view={view} chosen={chosen} choose={choose} />
            <WalkCard view={view} />
            <VoiceCard view={view} />
          </div>
          <div className={classes['beside']}>
            <MapCard view={view} chosen={chosen} choose={choose} />
            <SpeechBar view={view} store={store} />
            <SimulationCard view={view} />
            <FindingsCard view={view} choose={choose} />
          </div>
        </div>
      </ResourceForm>
    </ReadOnlyContext>
  )
}
