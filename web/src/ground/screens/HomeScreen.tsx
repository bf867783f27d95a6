import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useEffect, useState } from 'react'
import { useTranslation } from '@/i18n'
import { problemText } from '@/records/problem-text'
import { Banner } from '@/ui/feedback/Banner'
import { format, textOf } from '@/ui/format'
import { isFull } from '../database'
import { useGround, useOnline, useTaken } from '../ground'
import { BigButton, Heading, ScreenLink, Sure, useAsking } from '../parts'
import type { Download, DownloadParts } from '../downloads/types'

/** Loaded when a parcours is taken, brought up to date or removed: the first screen does not need it. */
const loadTake = () => import('../downloads/download')

/** What was taken along. */
export function HomeScreen() {
  const { t } = useTranslation('ground')
  const taken = useTaken()
  return (
    <>
      <Heading>{t('title')}</Heading>
      <ScreenLink to={{ screen: 'take' }} look="primary" icon={<IconDownload size={26} stroke={1.75} aria-hidden />}>
        {t('take.open')}
      </ScreenLink>
      <h2>{t('taken.title')}</h2>
      {taken?.length === 0 && <p>{t('taken.none')}</p>}
      <ul className="cards">
        {taken?.map((one) => (
          <TakenCard key={one.id} taken={one} />
        ))}
      </ul>
      <Room key={taken?.map(({ at }) => at).join()} />
    </>
  )
}

function TakenCard({ taken }: { taken: Download }) {
  const { t } = useTranslation('ground')
  const { database, person } = useGround()
  const online = useOnline()
  const [bytes, setBytes] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { asking, ask, ref, cancel } = useAsking()
  const name = textOf(taken.parts.title)

  const refresh = async () => {
    setProblem(null)
    setBytes(0)
    try {
      const { take } = await loadTake()
      await take(taken.id, { store: database.taken, userId: person.id, signal: new AbortController().signal, onBytes: setBytes })
    } catch (error) {
      setProblem(isFull(error) ? t('full') : problemText(error))
    } finally {
      setBytes(null)
    }
  }
  const leave = async () => (await loadTake()).leaveBehind(taken.id, { store: database.taken, userId: person.id })
  return (
    <li className="card">
      <h3>
        <ScreenLink to={{ screen: 'parcours', id: taken.id }}>{name}</ScreenLink>
      </h3>
      <p>
        {taken.area !== undefined && `${t('area.kind')} · `}
        {taken.parts.distance_m !== null && `${format.km(taken.parts.distance_m)} · `}
        {format.bytes(taken.bytes)} · {t('taken.on', { date: format.instant(taken.at) })}
      </p>
      <NotTaken parts={taken.parts} />
      {!taken.complete && bytes === null && <p className="fault">{t('taken.incomplete')}</p>}
      <p role="status">{bytes === null ? '' : t('take.weighing', { bytes: format.bytes(bytes) })}</p>
      {problem !== null && (
        <Banner tone="danger" live="alert">
          {problem}
        </Banner>
      )}
      {asking ? (
        <Sure question={t('taken.removeSure', { name })} yes={t('taken.remove')} onYes={() => void leave()} onCancel={cancel} />
      ) : (
        <div className="row">
          {online && (
            <BigButton aria-label={t('taken.refreshOf', { name })} aria-disabled={bytes !== null || undefined} onClick={() => bytes === null && void refresh()}>
              {t(taken.complete ? 'taken.refresh' : 'taken.resume')}
            </BigButton>
          )}
          <BigButton ref={ref} aria-label={t('taken.removeOf', { name })} onClick={ask}>
            {t('taken.remove')}
          </BigButton>
        </div>
      )}
    </li>
  )
}

/** How many of the places and of the open reports are on the device, where that is not all of them. */
function NotTaken({ parts: { pois, poisInAll, reports, reportsInAll } }: { parts: DownloadParts }) {
  const { t } = useTranslation('ground')
  const words = (some: number, all: number) => ({ some: format.number(some), all: format.number(all) })
  return (
    <>
      {poisInAll !== undefined && <p>{t(poisInAll.isMore ? 'taken.placesOfMore' : 'taken.placesOf', words(pois.length, poisInAll.total))}</p>}
      {reportsInAll !== undefined && <p>{t('taken.reportsOf', words(reports.length, reportsInAll))}</p>}
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
