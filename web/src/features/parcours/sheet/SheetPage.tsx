import { useSuspenseQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { ensureTexts, useTranslation } from '@/i18n'
import type { Parcours } from '@/api/types'
import { useMe } from '@/api/session'
import { LanguagesProvider } from '@/records/form/fields'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { ReadOnlyContext } from '@/records/form/read-only'
import { ResourceForm } from '@/records/form/ResourceForm'
import { format, textOf } from '@/ui/format'
import { usePageMeta } from '@/ui/page-meta'
import { Aside } from './aside/Aside'
import { WaitingChildren } from './ChildRequests'
import { SheetProvider, type Sheet } from './context'
import { SheetHeader } from './header/SheetHeader'
import { InformationTab } from './information/InformationTab'
import { ItineraryTab } from './itinerary/ItineraryTab'
import { useFieldLabel } from './labels'
import { saveErrorOf } from './save-error'
import { LockedBanner } from './LockedBanner'
import { Proposals } from './Proposals'
import { parcoursQuery, traceQuery } from './queries'
import { SalesTab } from './sales/SalesTab'
import { SaveBar } from './SaveBar'
import { SharingTab } from './sharing/SharingTab'
import classes from './sheet.module.css'
import { readTab, wideTabs, type TabKey } from './tabs'
import { useAdvanced } from './useAdvanced'
import { useGoTo, useOpenTab, useSheetForm, useCacheRecord } from './useSheetForm'
import { useValueWords } from './useValueWords'

/** Its form and its preview are loaded when the tab is opened. */
const RoadbookTab = lazy(async () => {
  const [part] = await Promise.all([import('./roadbook/RoadbookTab'), ensureTexts('roadbook')])
  return part
})
/** It comes with its map and its player. */
const AudioTab = lazy(async () => {
  const [part] = await Promise.all([import('./audio/AudioTab'), ensureTexts('audioWalk')])
  return part
})
/** Most parcours have none yet. */
const ReviewsTab = lazy(async () => {
  const [part] = await Promise.all([import('./reviews/ReviewsTab'), ensureTexts('reviews', 'groundEntries', 'closures')])
  return part
})
const tabs: Record<TabKey, React.ComponentType> = {
  itinerary: ItineraryTab,
  information: InformationTab,
  sales: SalesTab,
  roadbook: RoadbookTab,
  audio: AudioTab,
  sharing: SharingTab,
  reviews: ReviewsTab,
}

/** The sheet of one parcours. */
export function SheetPage({ id }: { id: number }) {
  const parcours = useSuspenseQuery(parcoursQuery(id)).data
  return (
    <LanguagesProvider>
      <SheetOf key={id} parcours={parcours} />
    </LanguagesProvider>
  )
}

function SheetOf({ parcours }: { parcours: Parcours }) {
  const { t } = useTranslation('sheet')
  const { id } = parcours
  const tab = readTab(useSearch({ from: '/signed-in/parcours/$id' })['tab'])
  const form = useSheetForm(parcours)
  const trace = useQuery(traceQuery(id, parcours.trace?.revision ?? null)).data
  const [advanced, setAdvanced] = useAdvanced()
  const goTo = useGoTo()
  const openTab = useOpenTab()
  const cacheRecord = useCacheRecord(id)
  const me = useMe()
  const fieldLabel = useFieldLabel()
  const valueWords = useValueWords()
  const title = textOf(parcours.title)
  usePageMeta([{ label: t('crumb.contents') }, { label: t('crumb.parcours'), link: { to: '/parcours' } }, { label: title }])
  const sheet = useMemo<Sheet>(
    () => ({ parcours, form, trace, advanced, setAdvanced, goTo, openTab: (key) => void openTab(key), cacheRecord }),
    [parcours, form, trace, advanced, setAdvanced, goTo, openTab, cacheRecord],
  )
  const Tab = tabs[tab]
  return (
    <SheetProvider value={sheet}>
      <ReadOnlyContext value={!parcours.editable}>
        <div className={classes['page']}>
          <SheetHeader tab={tab} />
          <div className={classes['body']}>
            <ResourceForm
              form={form}
              texts={{ kind: 'parcours', id, version: parcours.version }}
              saveError={t(saveErrorOf(form.problem))}
              fieldLabel={fieldLabel}
              fieldValue={valueWords}
              savedBy={(current: Parcours) => ({
                name: current.updated_by?.id === me.id ? t('yourself') : (current.updated_by?.name ?? t('someone')),
                at: current.updated_at,
              })}
            >
              {!parcours.editable && <LockedBanner />}
              <WaitingChildren />
              <Proposals />
              <div className={classes['columns']} data-wide={wideTabs.includes(tab) || undefined}>
                <div className={classes['content']} key={tab}>
                  <Suspense fallback={<Skeleton height={320} />}>
                    <Tab />
                  </Suspense>
                </div>
                {!wideTabs.includes(tab) && <Aside tab={tab} />}
              </div>
            </ResourceForm>
            <p className={classes['foot']}>
              {t('foot', { when: format.instant(parcours.updated_at), by: parcours.updated_by?.name ?? t('someone'), id })}
            </p>
          </div>
          {parcours.editable && <SaveBar />}
        </div>
      </ReadOnlyContext>
    </SheetProvider>
  )
}
