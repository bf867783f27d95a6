import { useEffect, useRef, useState } from 'react'
import { api, unwrap } from '@/api/client'
import type { ParcoursRow } from '@/api/types'
import { useTranslation } from '@/i18n'
import { problemText } from '@/records/problem-text'
import { Banner } from '@/ui/feedback/Banner'
import { Field } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { useDebouncedText } from '@/ui/field/useDebouncedText'
import { format, textOf } from '@/ui/format'
import { isFull } from '../database'
import { useGround, useDownloads } from '../ground'
import { BigButton, Heading, ScreenLink } from '../parts'
import { campaignsOnce, downloadParcours } from '../downloads/download'
import { Campaigns } from './Campaigns'

interface Progress {
  name: string
  index: number
  count: number
  bytes: number
}

/** Chooses parcours of the active white-label and downloads them: what is recorded about those of others would be refused. */
export default function DownloadScreen() {
  const { t } = useTranslation('ground')
  const { database, person } = useGround()
  const downloads = useDownloads()
  const [words, setWords] = useState('')
  const [rows, setRows] = useState<ParcoursRow[] | null>(null)
  const [ticked, setTicked] = useState<ReadonlyMap<number, string>>(new Map())
  const [problem, setProblem] = useState<string | null>(null)
  const [progress, setProgress] = useState<Progress | null>(null)
  const [done, setDone] = useState<number | null>(null)
  const stop = useRef<AbortController>(null)
  const search = useDebouncedText(words, setWords, 250)

  useEffect(() => {
    const cancel = new AbortController()
    unwrap(api.GET('/api/v1/parcours', { params: { query: { owner: 'mine', search: words, per_page: 50, sort: 'title' } }, signal: cancel.signal })).then(
      ({ items }) => {
        setRows(items)
        setProblem(null)
      },
      (error: unknown) => cancel.signal.aborted || setProblem(problemText(error)),
    )
    return () => cancel.abort()
  }, [words])
  useEffect(() => () => stop.current?.abort(), [])

  const downloadAll = async () => {
    setProblem(null)
    setDone(null)
    stop.current = new AbortController()
    // Without it the browser may delete what is stored when the device has little room.
    await navigator.storage?.persist?.()
    let index = 0
    const campaigns = campaignsOnce()
    try {
      for (const [id, name] of ticked) {
        index += 1
        const step = { name, index, count: ticked.size, bytes: 0 }
        setProgress(step)
        await downloadParcours(id, {
          store: database.downloads,
          userId: person.id,
          signal: stop.current.signal,
          campaigns,
          onBytes: (bytes) => setProgress({ ...step, bytes }),
        })
        setTicked((before) => new Map([...before].filter(([one]) => one !== id)))
      }
      setDone(index)
    } catch (error) {
      if (!stop.current.signal.aborted) setProblem(isFull(error) ? t('full') : problemText(error))
    } finally {
      setProgress(null)
    }
  }
  const toggle = (id: number, name: string) =>
    setTicked((before) => {
      const after = new Map(before)
      if (!after.delete(id)) after.set(id, name)
      return after
    })
  const there = new Set(downloads?.map(({ id }) => id))

  return (
    <>
      <Heading>{t('download.title')}</Heading>
      <p>{t('download.what')}</p>
      <Campaigns onChoose={(parcours) => setTicked((before) => new Map([...before, ...parcours.map(({ id, name }) => [id, name] as const)]))} />
      <ScreenLink to={{ screen: 'download-area' }} look="plain">
        {t('area.title')}
      </ScreenLink>
      <Field label={t('download.search')}>
        {(wiring) => <TextInput {...wiring} {...search} type="search" />}
      </Field>
      {problem !== null && (
        <Banner tone="danger" live="alert">
          {problem}
        </Banner>
      )}
      {rows?.length === 0 && <p role="status">{t('download.none')}</p>}
      <ul className="cards" aria-label={t('download.title')}>
        {rows?.map(({ id, title, distance_m, white_label }) => {
          const name = textOf(title)
          return (
            <li key={id}>
              <label className="chip wide">
                <input type="checkbox" checked={ticked.has(id)} onChange={() => toggle(id, name)} />
                <span>
                  {name}
                  <small>
                    {[distance_m == null ? '' : format.km(distance_m), white_label.name, there.has(id) ? t('download.there') : ''].filter(Boolean).join(' · ')}
                  </small>
                </span>
              </label>
            </li>
          )
        })}
      </ul>
      <div className="foot">
        <p role="status">
          {progress !== null &&
            t('download.progress', { name: progress.name, index: progress.index, of: progress.count, bytes: format.bytes(progress.bytes) })}
          {done !== null && t('download.done', { count: done })}
        </p>
        {progress === null ? (
          <BigButton look="primary" aria-disabled={ticked.size === 0 || undefined} onClick={() => ticked.size > 0 && void downloadAll()}>
            {t('download.go', { count: ticked.size })}
          </BigButton>
        ) : (
          <BigButton onClick={() => stop.current?.abort()}>{t('download.stop')}</BigButton>
        )}
        <ScreenLink to={{ screen: 'home' }} look="plain">
          {t('downloads.title')}
        </ScreenLink>
      </div>
    </>
  )
}
