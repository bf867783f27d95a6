import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ifMatch, unwrap } from '@/api/client'
import { ProblemError } from '@/api/problem'
import type { GroundEntry, LngLat } from '@/api/types'
import { useTranslation } from '@/i18n'
import { wordsOfHtml } from '@/records/form/plain-value'
import { Words } from '@/records/history/Words'
import { distanceM } from '@/records/map/geo'
import { problemText } from '@/records/problem-text'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast, toastError } from '@/ui/feedback/toast'
import { Checkbox } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { asHtml, hasMarks, proposedIn, type CorrectedField, type Present } from './correction'
import classes from './EntryItem.module.css'
import { entriesKey } from './queries'

/** What a correction of the ground changes, field by field, beside what is there now; what is ticked is saved. */
export function Correction({ entry, onApplied }: { entry: GroundEntry; onApplied: () => void }) {
  const { t } = useTranslation('groundEntries')
  const [opened, setOpened] = useState(false)
  const { before, step_id } = entry
  return (
    <>
      <p>{t(`correction.of.${step_id == null ? 'poi' : 'step'}`, { name: before?.title ?? '' })}</p>
      {opened ? (
        <Fields entry={entry} onApplied={onApplied} />
      ) : (
        <div className={classes['buttons']}>
          <Button size="small" onClick={() => setOpened(true)}>
            {t('correction.open')}
          </Button>
        </div>
      )}
    </>
  )
}

function Fields({ entry, onApplied }: { entry: GroundEntry; onApplied: () => void }) {
  const { t } = useTranslation('groundEntries')
  const cache = useQueryClient()
  const answer = useQuery({ queryKey: [...entriesKey, 'present', entry.id], queryFn: () => readPresent(entry), staleTime: 0 })
  const [refused, setRefused] = useState<ReadonlySet<CorrectedField>>(new Set())
  const present = answer.data
  const proposed = present == null ? [] : proposedIn(entry, present)
  const taken = proposed.filter(({ field, isChanged }) => isChanged === refused.has(field))
  const apply = useMutation({
    mutationFn: async () => {
      if (present == null) return
      await present.save(new Set(taken.map(({ field }) => field)))
    },
    onSuccess: async () => {
      toast({ text: t('correction.applied') })
      onApplied()
      await Promise.all(['parcours', 'poi'].map((kind) => cache.invalidateQueries({ queryKey: [kind] })))
    },
    onError: (error) => {
      toastError(problemText(error))
      void answer.refetch()
    },
  })
  if (answer.isPending) return <Skeleton height={60} />
  if (answer.error !== null) return <Banner tone="danger">{problemText(answer.error)}</Banner>
  if (present == null) return <Banner tone="warn">{t('correction.gone')}</Banner>
  const toggle = (field: CorrectedField) =>
    setRefused((now) => new Set(now.has(field) ? [...now].filter((one) => one !== field) : [...now, field]))
  return (
    <div className={classes['correction']}>
      {proposed.map(({ field, isChanged }) => (
        <div key={field}>
          <Checkbox checked={isChanged === refused.has(field)} onChange={() => toggle(field)} label={t(`correction.field.${field}`)} />
          <Change entry={entry} present={present} field={field} isChanged={isChanged} />
        </div>
      ))}
      <Button
        size="small"
        look="primary"
        busy={apply.isPending}
        disabledReason={taken.length === 0 ? t('correction.nothing') : undefined}
        onClick={() => apply.mutate()}
      >
        {t('correction.apply')}
      </Button>
    </div>
  )
}

function Change({ entry, present, field, isChanged }: { entry: GroundEntry; present: Present; field: CorrectedField; isChanged: boolean }) {
  const { t } = useTranslation('groundEntries')
  const { before, language } = entry
  if (field === 'position') {
    if (entry.position === null) return null
    return (
      <p>
        {t('correction.moved', { distance: format.distance(distanceM(present.position, entry.position)) })}
        {isChanged &&
          before?.position != null &&
          ` ${t('correction.changed')} ${before.position.map((degrees) => degrees.toFixed(5)).join(', ')}`}
      </p>
    )
  }
  return (
    <>
      <p lang={language}>
        <Words before={present[field]} after={entry[field]} />
      </p>
      {isChanged && (
        <p className="small">
          {t('correction.changed')} <q lang={language}>{before?.[field] ?? ''}</q>
        </p>
      )}
      {field === 'text' && present.hasMarks && <p className="small">{t('correction.marks')}</p>}
    </>
  )
}

/** What is corrected as it is now; null where it is gone. */
async function readPresent(entry: GroundEntry): Promise<(Present & { save: Save }) | null> {
  try {
    return await (entry.poi_id == null ? readStep(entry) : readPoi(entry, entry.poi_id))
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return null
    throw error
  }
}

/** Saves the chosen fields, if what is corrected was not saved since it was read. */
type Save = (chosen: ReadonlySet<CorrectedField>) => Promise<unknown>

async function readPoi({ language, title, text, position }: GroundEntry, id: number) {
  const poi = await unwrap(api.GET('/api/v1/pois/{id}', { params: { path: { id } } }))
  if (poi.location === null) return null
  const html = poi.description[language] ?? ''
  const save: Save = (chosen) => {
    const body = {
      ...(chosen.has('title') && { title: { [language]: title } }),
      ...(chosen.has('text') && { description: { [language]: asHtml(text) } }),
      ...(chosen.has('position') && { location: position }),
    }
    return unwrap(api.PATCH('/api/v1/pois/{id}', { params: { path: { id }, header: ifMatch(poi.version) }, body }))
  }
  return { title: poi.title[language] ?? '', text: wordsOfHtml(html), position: poi.location, hasMarks: hasMarks(html), save }
}

async function readStep({ step_id, parcours, language, title, text, position }: GroundEntry) {
  if (parcours === null) return null
  const path = { id: parcours.id }
  const { steps, version } = await unwrap(api.GET('/api/v1/parcours/{id}', { params: { path } }))
  const step = steps.find(({ id }) => id === step_id)
  if (step === undefined) return null
  const save: Save = (chosen) => {
    const corrected = {
      ...step,
      ...(chosen.has('title') && { title: { ...step.title, [language]: title } }),
      ...(chosen.has('text') && { description: { ...step.description, [language]: text } }),
      ...(chosen.has('position') && position !== null && { position, at_m: null }),
    }
    const body = { steps: steps.map((one) => ({ line_ids: [], ...(one === step ? corrected : one) })) }
    return unwrap(api.PATCH('/api/v1/parcours/{id}', { params: { path, header: ifMatch(version) }, body }))
  }
  const there: LngLat = [step.position[0], step.position[1]]
  return { title: step.title[language] ?? '', text: step.description[language] ?? '', position: there, hasMarks: false, save }
}
