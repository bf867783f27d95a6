import IconBarrierBlock from '@tabler/icons-react/dist/esm/icons/IconBarrierBlock.mjs'
import IconChecks from '@tabler/icons-react/dist/esm/icons/IconChecks.mjs'
import IconCurrentLocation from '@tabler/icons-react/dist/esm/icons/IconCurrentLocation.mjs'
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs'
import IconMapPin from '@tabler/icons-react/dist/esm/icons/IconMapPin.mjs'
import IconMessage from '@tabler/icons-react/dist/esm/icons/IconMessage.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconSignRight from '@tabler/icons-react/dist/esm/icons/IconSignRight.mjs'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { GroundKind, LngLat } from '@/api/types'
import { useTranslation } from '@/i18n'
import type { Box } from '@/offline/tiles'
import { measure } from '@/records/map/line'
import { stepLabels } from '@/records/parcours/step-labels'
import { problemText } from '@/records/problem-text'
import { Banner } from '@/ui/feedback/Banner'
import { calendarToday, format, textOf } from '@/ui/format'
import { isFull } from '../database'
import { useEntries, useGround, useDownloads } from '../ground'
import type { MapMark } from '../map/GroundMap'
import { BigButton, CameraButton, Heading } from '../parts'
import { compress } from '../photo/compress'
import { prepareSound } from '../position/ring'
import { useFollow } from '../position/useFollow'
import { usePosition } from '../position/usePosition'
import { useScreenAwake } from '../position/useScreenAwake'
import { instantOf, type Entry } from '../queue/entry'
import type { Assigned } from '../downloads/assigned'
import { isIn } from '../downloads/area'
import type { Download } from '../downloads/types'
import type { Recording } from '../track/recording'
import { useRecording } from '../track/useRecording'
import { correctionOf, newDraft, stretchAround, type Draft, type Target } from './draft'
import { Facts } from './Facts'
import { RecordingState } from './RecordingState'
import { Where } from './Where'

const GroundMap = lazy(() => import('../map/GroundMap'))
const readForm = () => import('./EntryForm')
const EntryForm = lazy(readForm)

const acts = [
  { kind: 'poi', icon: IconMapPin },
  { kind: 'report', icon: IconFlag },
  { kind: 'closure', icon: IconBarrierBlock },
  { kind: 'equipment', icon: IconSignRight },
  { kind: 'remark', icon: IconMessage },
  { kind: 'survey', icon: IconChecks },
] as const satisfies readonly { kind: GroundKind; icon: unknown }[]

/** Kinds of entry that need no parcours; photos are added separately. */
const isOfArea = (kind: GroundKind): boolean => kind === 'poi' || kind === 'equipment'

const noTrack: LngLat[] = []

/** Whether a downloaded parcours passes through an area. */
const passes = ({ area, parts }: Download, box: Box): boolean => area === undefined && parts.line.some(([lon, lat]) => isIn(box, [lon, lat]))

/** A downloaded parcours or area on the map, with the user's position and the actions. */
export function ParcoursScreen({ download }: { download: Download }) {
  const { t } = useTranslation('ground')
  const { person, database } = useGround()
  const { parts, area } = download
  const isArea = area !== undefined
  const name = textOf(parts.title)
  const positioning = usePosition()
  const { fix } = positioning
  const line = useMemo(() => measure(parts.line), [parts.line])
  const [follow, setFollow] = useState(false)
  /** The map moves with the person until it is moved by hand. */
  const [centred, setCentred] = useState(false)
  const followed = useFollow(line, fix, follow)
  const [centre, setCentre] = useState<LngLat | null>(null)
  const [draft, setDraft] = useState<Draft | null>(null)
  /** Where the person was when the form opened: what they chose stays while they move. */
  const [here, setHere] = useState<LngLat | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const entries = useEntries()
  const all = useDownloads()
  const inside = useMemo(() => (area === undefined ? [] : (all ?? []).filter((one) => passes(one, area))), [all, area])
  const lines = useMemo(() => inside.map((one) => one.parts.line), [inside])
  const own = useMemo(() => (entries ?? []).filter((entry) => isOf(download, entry)), [entries, download])
  const key = own.map(({ id }) => id).join()
  // Read anew only when an entry comes or goes: the map draws its marks again each time.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const marks = useMemo(() => marksOf(download, own), [download, key])
  const recording = useRecording(download.id, fix)
  const isRecording = recording?.parcoursId === download.id
  useScreenAwake(follow || isRecording)
  // Preloads the script of the form.
  useEffect(() => void readForm(), [])

  const open = (kind: GroundKind) => {
    const blank = newDraft(kind, download, fix, centre)
    const { onLine } = followed
    const [assigned, ...others] = parts.assigned ?? []
    if (kind === 'closure' && onLine !== null) setDraft({ ...blank, stretch: stretchAround(onLine.atM, line.lengthM) })
    // The assigned stretch is the default.
    else if (kind === 'survey' && assigned !== undefined && others.length === 0) setDraft({ ...blank, stretch: assigned.stretch })
    else setDraft(blank)
  }
  const record = async () => {
    setProblem(null)
    try {
      const startedAt = instantOf(new Date())
      await database.recording.start({ id: crypto.randomUUID(), parcoursId: download.id, parcoursName: name, startedAt })
      setAnnouncement(t('track.begun'))
    } catch (error) {
      setProblem(t(isFull(error) ? 'full' : 'notStored'))
    }
  }
  const drop = async () => {
    setProblem(null)
    try {
      await database.recording.drop()
      setAnnouncement(t('track.dropped'))
    } catch (error) {
      setProblem(problemText(error))
    }
  }
  const latestFix = useRef(fix)
  useEffect(() => {
    latestFix.current = fix
  })
  const correct = useCallback(
    (target: Target) => {
      setHere(latestFix.current?.position ?? null)
      setDraft(correctionOf(target, download))
    },
    [download],
  )
  const finish = ({ id, startedAt, points }: Recording) =>
    setDraft({ ...newDraft('track', download, null, null), id, madeAt: startedAt, track: points })
  const photograph = async (files: FileList | null) => {
    setProblem(null)
    const place = newDraft('photo', download, fix, centre)
    try {
      const blobs = await Promise.all(Array.from(files ?? [], (file) => compress(file)))
      if (blobs.length > 0) setDraft({ ...place, photos: blobs.map((blob) => ({ key: crypto.randomUUID(), blob })) })
    } catch (error) {
      setProblem(problemText(error))
    }
  }
  return (
    <>
      <Heading>{name}</Heading>
      <ToSurvey assigned={parts.assigned ?? []} />
      {problem !== null && (
        <Banner tone="danger" live="alert">
          {problem}
        </Banner>
      )}
      <section className="stage" aria-label={t('map.label', { name })}>
        <Suspense fallback={<p className="map">{t('map.loading')}</p>}>
          <GroundMap
            label={t('map.label', { name })}
            parts={parts}
            area={area}
            others={lines}
            marks={marks}
            fix={fix}
            track={isRecording ? recording.points : noTrack}
            follow={centred}
            onMoveByHand={() => setCentred(false)}
            onCentre={setCentre}
          />
        </Suspense>
      </section>
      {recording !== null && (
        <RecordingState recording={recording} isHere={isRecording} onFinish={() => finish(recording)} onDrop={() => void drop()} />
      )}
      <div className="row">
        <BigButton
          look={follow ? 'primary' : 'plain'}
          aria-pressed={follow}
          icon={<IconCurrentLocation size={26} stroke={1.75} aria-hidden />}
          onClick={() => {
            prepareSound()
            setFollow(!follow)
            setCentred(!follow)
          }}
        >
          {t(isArea ? 'area.follow' : 'follow.button')}
        </BigButton>
        {follow && !centred && <BigButton onClick={() => setCentred(true)}>{t('follow.centre')}</BigButton>}
      </div>
      <Where download={download} positioning={positioning} followed={followed} follow={follow} />
      {person.mayRecord ? (
        <div className="acts" role="group" aria-label={t('acts')}>
          {acts
            .filter(({ kind }) => !isArea || isOfArea(kind))
            .map(({ kind, icon: Icon }) => (
              <BigButton key={kind} icon={<Icon size={26} stroke={1.75} aria-hidden />} onClick={() => open(kind)}>
                {t(`act.${kind}`)}
              </BigButton>
            ))}
          {!isArea && (
            <BigButton
              icon={<IconRoute size={26} stroke={1.75} aria-hidden />}
              aria-pressed={isRecording}
              aria-disabled={(recording !== null && !isRecording) || undefined}
              onClick={() => (recording === null ? void record() : isRecording && recording.points.length > 1 && finish(recording))}
            >
              {t('act.track')}
            </BigButton>
          )}
          <CameraButton label={t('act.photo')} onFiles={(files) => void photograph(files)} />
        </div>
      ) : (
        <p>{t('mayNotRecord')}</p>
      )}
      <p role="status" className="announcement">
        {announcement}
      </p>
      <Facts download={download} inside={inside} own={own} onCorrect={person.mayRecord ? correct : undefined} />
      {draft !== null && (
        <Suspense>
          <EntryForm
            key={draft.id}
            initial={draft}
            download={download}
            onLine={followed.onLine}
            here={here}
            centre={centre}
            onClose={(saved) => {
              setDraft(null)
              if (saved) setAnnouncement(t('stored', { time: format.time(new Date()) }))
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** The stretches assigned to this person in survey campaigns. */
function ToSurvey({ assigned }: { assigned: readonly Assigned[] }) {
  const { t } = useTranslation('ground')
  return (
    <ul className="toSurvey" aria-label={t('campaign.title')}>
      {assigned.map(({ campaign, instructions, dueOn, stretch }, at) => (
        <li key={`${at} ${campaign}`}>
          <strong>
            {stretch === null ? t('campaign.whole') : t('campaign.stretch', { from: format.km(stretch.fromM), to: format.km(stretch.toM) })}
            {dueOn !== null && ` ${t(dueOn < calendarToday() ? 'campaign.untilLate' : 'campaign.until', { day: format.day(dueOn) })}`}
          </strong>{' '}
          ({campaign}){instructions !== null && instructions !== '' && <p>{instructions}</p>}
        </li>
      ))}
    </ul>
  )
}

/** Whether an entry is about a parcours, or lies in an area without being about one. */
function isOf({ id, area }: Download, { content: { parcours_id, position } }: Entry): boolean {
  return area === undefined ? parcours_id === id : parcours_id === null && position !== null && isIn(area, position)
}

function marksOf({ parts }: Download, own: readonly Entry[]): MapMark[] {
  const labels = stepLabels(parts.steps)
  return [
    ...parts.pois.map(({ location }): MapMark => ({ kind: 'poi', position: location, text: '' })),
    ...parts.steps.map(({ position }, index): MapMark => ({ kind: 'step', position: [position[0], position[1]], text: labels[index] ?? '' })),
    ...parts.reports.flatMap(({ position }): MapMark[] => (position === null ? [] : [{ kind: 'report', position, text: '!' }])),
    ...own.flatMap(({ content }): MapMark[] => (content.position === null ? [] : [{ kind: 'entry', position: content.position, text: '+' }])),
  ]
}
