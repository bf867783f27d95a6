import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '@/i18n'
import { problemText } from '@/records/problem-text'
import { Banner } from '@/ui/feedback/Banner'
import { format, textOf } from '@/ui/format'
import { isFull } from '../database'
import { useGround, useOnline, useDownloads } from '../ground'
import { BigButton, Heading, ScreenLink, Sure, useAsking } from '../parts'
import type { Download, DownloadParts } from '../downloads/types'

/** Loaded when a download is brought up to date or removed: the first screen does not need it. */
const loadDownload = () => import('../downloads/download')

/** The downloads. */
export function HomeScreen() {
  const { t } = useTranslation('ground')
  const downloads = useDownloads()
  const [removed, setRemoved] = useState('')
  return (
    <>
      <Heading>{t('title')}</Heading>
      <ScreenLink to={{ screen: 'download' }} look="primary" icon={<IconDownload size={26} stroke={1.75} aria-hidden />}>
        {t('download.open')}
      </ScreenLink>
      <h2>{t('downloads.title')}</h2>
      <p role="status" className="announcement">
        {removed}
      </p>
      {downloads?.length === 0 && <p>{t('downloads.none')}</p>}
      <ul className="cards">
        {downloads?.map((one) => (
          <DownloadCard key={one.id} download={one} onRemoved={(name) => setRemoved(t('downloads.removed', { name }))} />
        ))}
      </ul>
      <Room key={downloads?.map(({ at }) => at).join()} />
    </>
  )
}

function DownloadCard({ download, onRemoved }: { download: Download; onRemoved: (name: string) => void }) {
  const { t } = useTranslation('ground')
  const { database, person } = useGround()
  const online = useOnline()
  const [bytes, setBytes] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { asking, ask, ref, cancel } = useAsking()
  const card = useRef<HTMLLIElement>(null)
  const name = textOf(download.parts.title)

  const refresh = async () => {
    setProblem(null)
    setBytes(0)
    try {
      const { downloadParcours } = await loadDownload()
      await downloadParcours(download.id, { store: database.downloads, userId: person.id, signal: new AbortController().signal, onBytes: setBytes })
    } catch (error) {
      setProblem(isFull(error) ? t('full') : problemText(error))
    } finally {
      setBytes(null)
    }
  }
  const remove = async () => {
    setProblem(null)
    // Read before: the card is gone afterwards.
    const next = card.current?.nextElementSibling ?? card.current?.previousElementSibling
    try {
      await (await loadDownload()).removeDownload(download.id, { store: database.downloads, userId: person.id })
    } catch (error) {
      setProblem(problemText(error))
      cancel()
      return
    }
    onRemoved(name)
    const place = next?.querySelector<HTMLElement>('h3 a') ?? document.querySelector('h1')
    place?.focus()
  }
  return (
    <li ref={card} className="card">
      <h3>
        <ScreenLink to={{ screen: 'parcours', id: download.id }}>{name}</ScreenLink>
      </h3>
      <p>
        {download.area !== undefined && `${t('area.kind')} · `}
        {download.parts.distance_m !== null && `${format.km(download.parts.distance_m)} · `}
        {format.bytes(download.bytes)} · {t('downloads.on', { date: format.instant(download.at) })}
      </p>
      <NotDownloaded parts={download.parts} />
      {!download.complete && bytes === null && <p className="fault">{t('downloads.incomplete')}</p>}
      <p role="status">{bytes === null ? '' : t('download.weighing', { bytes: format.bytes(bytes) })}</p>
      {problem !== null && (
        <Banner tone="danger" live="alert">
          {problem}
        </Banner>
      )}
      {asking ? (
        <Sure question={t('downloads.removeSure', { name })} yes={t('downloads.remove')} onYes={() => void remove()} onCancel={cancel} />
      ) : (
        <div className="row">
          {online && (
            <BigButton aria-label={t('downloads.refreshOf', { name })} aria-disabled={bytes !== null || undefined} onClick={() => bytes === null && void refresh()}>
              {t(download.complete ? 'downloads.refresh' : 'downloads.resume')}
            </BigButton>
          )}
          <BigButton ref={ref} aria-label={t('downloads.removeOf', { name })} onClick={ask}>
            {t('downloads.remove')}
          </BigButton>
        </div>
      )}
    </li>
  )
}

/** How many of the places and of the open reports are on the device, where that is not all of them. */
function NotDownloaded({ parts: { pois, poisInAll, reports, reportsInAll } }: { parts: DownloadParts }) {
  const { t } = useTranslation('ground')
  const words = (some: number, all: number) => ({ some: format.number(some), all: format.number(all) })
  return (
    <>
      {poisInAll !== undefined && <p>{t(poisInAll.isMore ? 'downloads.placesOfMore' : 'downloads.placesOf', words(pois.length, poisInAll.total))}</p>}
      {reportsInAll !== undefined && <p>{t('downloads.reportsOf', words(reports.length, reportsInAll))}</p>}
    </>
  )
}

/** What the browser gives this page to store in, and whether it may take it back. */
function Room() {
  const { t } = useTranslation('ground')
  const [room, setRoom] = useState<{ usage: number; quota: number; isKept: boolean } | null>(null)
  useEffect(() => {
    if (!('storage' in navigator)) return
    void Promise.all([navigator.storage.estimate(), navigator.storage.persisted()]).then(([{ usage = 0, quota = 0 }, isKept]) =>
      setRoom({ usage, quota, isKept }),
    )
  }, [])
  if (room === null) return null
  return (
    <p className="quiet">
      {t('room.used', { used: format.bytes(room.usage), quota: format.bytes(room.quota) })} {t(room.isKept ? 'room.kept' : 'room.notKept')}
    </p>
  )
}
