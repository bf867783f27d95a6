import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { api, unwrap } from '@/api/client'
import { useTranslation } from '@/i18n'
import type { Box } from '@/offline/tiles'
import { problemText } from '@/records/problem-text'
import { Banner } from '@/ui/feedback/Banner'
import { Field } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { format, textOf } from '@/ui/format'
import { isFull } from '../database'
import { useGround, useDownloads } from '../ground'
import { BigButton, Heading, ScreenLink } from '../parts'
import { usePosition } from '../position/usePosition'
import { boxAround, boxOf } from '../downloads/area'
import { campaignsOnce, downloadArea, downloadParcours, weighArea } from '../downloads/download'

const GroundMap = lazy(() => import('../map/GroundMap'))

/** The radii to choose from around the person, kilometres. */
const radii = [2, 5, 10] as const
/** The radius around the person that the map shows first, metres. */
const FIRST_M = 4000
/** An area with more parcours than this is refused as too large. */
const MOST_PARCOURS = 100

interface Chosen {
  box: Box
  parcours: { id: number; name: string }[]
  bytes: number
}

const none: never[] = []

/** Chooses an area on the map or around the person, and stores its map, places and parcours for use without network. */
export default function AreaScreen() {
  const { t } = useTranslation('ground')
  const { database, person } = useGround()
  const { fix, problem: noPosition } = usePosition()
  const downloads = useDownloads()
  const [seen, setSeen] = useState<Box | null>(null)
  const [radius, setRadius] = useState<(typeof radii)[number]>(5)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [name, setName] = useState('')
  const [isNameless, setNameless] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [progress, setProgress] = useState<string | null>(null)
  const [done, setDone] = useState<number | null>(null)
  const stop = useRef<AbortController>(null)
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => () => stop.current?.abort(), [])
  // The map opens around the person, else around their stored parcours. It is computed once: the map must not move while it is used.
  const isRead = downloads !== undefined && (fix !== null || noPosition !== null)
  const first = useMemo(
    () => (fix === null ? boxOf((downloads ?? []).flatMap(({ parts }) => parts.line)) : boxAround(fix.position, FIRST_M)),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [isRead],
  )

  const choose = async (box: Box) => {
    setProblem(null)
    setDone(null)
    setChosen(null)
    try {
      const [bytes, { items, total }] = await Promise.all([
        weighArea(box),
        unwrap(api.GET('/api/v1/parcours', { params: { query: { owner: 'mine', bbox: box.join(), per_page: MOST_PARCOURS, sort: 'title' } } })),
      ])
      if (bytes === null || total > MOST_PARCOURS) setProblem(t('area.tooLarge'))
      else setChosen({ box, bytes, parcours: items.map(({ id, title }) => ({ id, name: textOf(title) })) })
    } catch (error) {
      setProblem(problemText(error))
    }
  }
  const downloadAll = async ({ box, parcours }: Chosen) => {
    setNameless(name.trim() === '')
    if (name.trim() === '') {
      field.current?.querySelector('input')?.focus()
      return
    }
    setProblem(null)
    const { signal } = (stop.current = new AbortController())
    const all = parcours.length + 1
    const campaigns = campaignsOnce()
    const context = (of: string, index: number) => ({
      store: database.downloads,
      userId: person.id,
      signal,
      campaigns,
      onBytes: (bytes: number) => setProgress(t('download.progress', { name: of, index, of: all, bytes: format.bytes(bytes) })),
    })
    setProgress(t('download.progress', { name, index: 1, of: all, bytes: format.bytes(0) }))
    // Without persistence the browser may delete stored data when the device has little space.
    await navigator.storage?.persist?.()
    try {
      // The id of an area is negative: ids of parcours are positive.
      await downloadArea(-Math.floor(Date.now() / 1000), box, name.trim(), context(name, 1))
      for (const [index, one] of parcours.entries()) await downloadParcours(one.id, context(one.name, index + 2))
      setDone(parcours.length)
      setChosen(null)
      setName('')
    } catch (error) {
      if (!signal.aborted) setProblem(isFull(error) ? t('full') : problemText(error))
    } finally {
      setProgress(null)
    }
  }

  return (
    <>
      <Heading>{t('area.title')}</Heading>
      <p>{t('area.what')}</p>
      <section className="stage" aria-label={t('area.map')}>
        {isRead && (
          <Suspense fallback={<p className="map">{t('map.loading')}</p>}>
            <GroundMap
              label={t('area.map')}
              parts={null}
              area={first}
              marks={none}
              fix={fix}
              track={none}
              follow={false}
              onBox={setSeen}
            />
          </Suspense>
        )}
      </section>
      <BigButton aria-disabled={seen === null || undefined} onClick={() => seen !== null && void choose(seen)}>
        {t('area.seen')}
      </BigButton>
      <fieldset className="chips short">
        <legend>{t('area.around')}</legend>
        {radii.map((km) => (
          <label key={km} className="chip">
            <input type="radio" name="radius" checked={radius === km} onChange={() => setRadius(km)} />
            <span>{t('area.radius', { km })}</span>
          </label>
        ))}
      </fieldset>
      <BigButton aria-disabled={fix === null || undefined} onClick={() => fix !== null && void choose(boxAround(fix.position, radius * 1000))}>
        {t('area.aroundMe')}
      </BigButton>
      {fix === null && <p className="quiet">{t(noPosition === null ? 'area.noPosition' : `follow.${noPosition}`)}</p>}
      {problem !== null && (
        <Banner tone="danger" live="alert">
          {problem}
        </Banner>
      )}
      <p role="status">
        {progress ??
          (chosen !== null
            ? t('area.weight', { count: chosen.parcours.length, bytes: format.bytes(chosen.bytes) })
            : done !== null
              ? t('area.done', { count: done })
              : '')}
      </p>
      {chosen !== null && (
        <div ref={field}>
          <Field label={t('area.name')} required error={isNameless && name.trim() === '' ? t('area.nameless') : undefined}>
            {(wiring) => <TextInput {...wiring} value={name} maxLength={100} onChange={setName} />}
          </Field>
        </div>
      )}
      {progress !== null ? (
        <BigButton onClick={() => stop.current?.abort()}>{t('download.stop')}</BigButton>
      ) : (
        chosen !== null && (
          <BigButton look="primary" onClick={() => void downloadAll(chosen)}>
            {t('area.go')}
          </BigButton>
        )
      )}
      <ScreenLink to={{ screen: 'home' }} look="plain">
        {t('downloads.title')}
      </ScreenLink>
    </>
  )
}
