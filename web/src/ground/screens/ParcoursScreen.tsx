import IconBarrierBlock from '@tabler/icons-react/dist/esm/icons/IconBarrierBlock.mjs'
import IconChecks from '@tabler/icons-react/dist/esm/icons/IconChecks.mjs'
import IconCurrentLocation from '@tabler/icons-react/dist/esm/icons/IconCurrentLocation.mjs'
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs'
import IconMapPin from '@tabler/icons-react/dist/esm/icons/IconMapPin.mjs'
import IconMessage from '@tabler/icons-react/dist/esm/icons/IconMessage.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconSignRight from '@tabler/icons-react/dist/esm/icons/IconSignRight.mjs'
import { lazy, memo, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { GroundKind, LngLat } from '@/api/types'
import { currentLocale, useTranslation } from '@/i18n'
import type { Box } from '@/offline/tiles'
import { measure } from '@/records/map/line'
import { stepLabels } from '@/records/parcours/step-labels'
import { problemText } from '@/records/problem-text'
import { Banner } from '@/ui/feedback/Banner'
import { calendarToday, format, textOf } from '@/ui/format'
import { isFull } from '../database'
import { useEntries, useGround, useTaken } from '../ground'
import type { MapMark } from '../map/GroundMap'
import { BigButton, CameraButton, Heading, ScreenLink, Sure, useAsking } from '../parts'
import { compress } from '../photo/compress'
import { nextStep } from '../position/follow'
import { prepareSound } from '../position/ring'
import { useFollow, type Followed } from '../position/useFollow'
import { usePosition, type Positioning } from '../position/usePosition'
import { useScreenAwake } from '../position/useScreenAwake'
import { instantOf, type Entry } from '../queue/entry'
import type { Assigned } from '../taken/assigned'
import { isIn } from '../taken/area'
import type { Taken } from '../taken/taken'
import { lengthOf, type Recording } from '../track/recording'
import { useRecording } from '../track/useRecording'
import { correctionOf, newDraft, stretchAround, type Draft, type Target } from './draft'

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

/** Whether a taken parcours passes through an area. */
const passes = ({ area, parts }: Taken, box: Box): boolean => area === undefined && parts.line.some(([lon, lat]) => isIn(box, [lon, lat]))

/** A taken parcours or area on the map, with the user's position and the actions. */
export function ParcoursScreen({ taken }: { taken: Taken }) {
  const { t } = useTranslation('ground')
  const { person, database } = useGround()
  const { parts, area } = taken
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
  const all = useTaken()
  const inside = useMemo(() => (area === undefined ? [] : (all ?? []).filter((one) => passes(one, area))), [all, area])
  const lines = useMemo(() => inside.map((one) => one.parts.line), [inside])
  const own = useMemo(() => (entries ?? []).filter((entry) => isOf(taken, entry)), [entries, taken])
  const key = own.map(({ id }) => id).join()
  // Read anew only when an entry comes or goes: the map draws its marks again each time.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const marks = useMemo(() => marksOf(taken, own), [taken, key])
  const recording = useRecording(taken.id, fix)
  const isRecording = recording?.parcoursId === taken.id
  useScreenAwake(follow || isRecording)
  // Preloads the script of the form.
  useEffect(() => void readForm(), [])

  const open = (kind: GroundKind) => {
    const blank = newDraft(kind, taken, fix, centre)
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
      await database.recording.start({ id: crypto.randomUUID(), parcoursId: taken.id, parcoursName: name, startedAt })
      setAnnouncement(t('track.begun'))
    } catch (error) {
      setProblem(t(isFull(error) ? 'full' : 'notStored'))
    }
  }
  const drop = async () => {
    await database.recording.drop()
    setAnnouncement(t('track.dropped'))
  }
  const latestFix = useRef(fix)
  useEffect(() => {
    latestFix.current = fix
  })
  const correct = useCallback(
    (target: Target) => {
      setHere(latestFix.current?.position ?? null)
      setDraft(correctionOf(target, taken))
    },
    [taken],
  )
  const finish = ({ id, startedAt, points }: Recording) =>
    setDraft({ ...newDraft('track', taken, null, null), id, madeAt: startedAt, track: points })
  const photograph = async (files: FileList | null) => {
    setProblem(null)
    const place = newDraft('photo', taken, fix, centre)
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
      <Where taken={taken} positioning={positioning} followed={followed} follow={follow} />
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
      <Facts taken={taken} inside={inside} own={own} onCorrect={person.mayRecord ? correct : undefined} />
      {draft !== null && (
        <Suspense>
          <EntryForm
            key={draft.id}
            initial={draft}
            taken={taken}
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

/** The track that is being recorded: its length and its end; on the screen of another parcours a link to its own. */
function RecordingState({
  recording: { parcoursId, parcoursName, points, problem },
  isHere,
  onFinish,
  onDrop,
}: {
  recording: Recording
  isHere: boolean
  onFinish: () => void
  onDrop: () => void
}) {
  const { t } = useTranslation('ground')
  const { asking, ask, ref, cancel } = useAsking()
  const lengthM = useMemo(() => lengthOf(points), [points])
  if (!isHere)
    return (
      <Banner tone="warn" live="status">
        <p>{t('track.elsewhere', { name: parcoursName })}</p>
        <ScreenLink to={{ screen: 'parcours', id: parcoursId }} look="plain">
          {parcoursName}
        </ScreenLink>
      </Banner>
    )
  return (
    <section className="row" aria-label={t('track.title')}>
      {problem !== null && (
        <Banner tone="danger" live="alert">
          <p>{t(problem)}</p>
          <p>{t('track.inMemory')}</p>
        </Banner>
      )}
      <p>{t('track.recorded', { distance: format.distance(lengthM) })}</p>
      {asking ? (
        <Sure question={t('track.dropSure')} yes={t('track.drop')} onYes={onDrop} onCancel={cancel} />
      ) : (
        <>
          <BigButton look="primary" aria-disabled={points.length < 2 || undefined} onClick={() => points.length > 1 && onFinish()}>
            {t('track.finish')}
          </BigButton>
          <BigButton ref={ref} onClick={ask}>
            {t('track.drop')}
          </BigButton>
        </>
      )}
    </section>
  )
}

/** Where the person is, in words. The distance is not announced at each position, the alarm is. */
function Where({ taken, positioning, followed, follow }: { taken: Taken; positioning: Positioning; followed: Followed; follow: boolean }) {
  const { t } = useTranslation('ground')
  const { fix, problem } = positioning
  const { onLine, isOff } = followed
  const next = onLine === null ? null : nextStep(taken.parts.steps, onLine.atM)
  return (
    <>
      <div role="alert">{follow && isOff && onLine !== null && <Banner tone="danger">{t('follow.off', { distance: format.metres(onLine.offsetM) })}</Banner>}</div>
      {problem !== null && fix === null && (
        <Banner tone="warn" live="status">
          {t(`follow.${problem}`)}
        </Banner>
      )}
      {fix !== null && (
        <dl className="facts">
          <dt>{t('follow.accuracy')}</dt>
          <dd>{t('follow.within', { accuracy: format.metres(fix.accuracyM) })}</dd>
          {onLine !== null && (
            <>
              <dt>{t('follow.toLine')}</dt>
              <dd>{format.distance(onLine.offsetM)}</dd>
              <dt>{t('follow.at')}</dt>
              <dd>{format.km(onLine.atM)}</dd>
            </>
          )}
          {next !== null && (
            <>
              <dt>{t('follow.next')}</dt>
              <dd>{t('follow.nextIn', { step: textOf(next.step.title), distance: format.distance(next.inM) })}</dd>
            </>
          )}
        </dl>
      )}
    </>
  )
}

/** What the map shows, in words. Hundreds of rows: they are not rendered at each position. */
const Facts = memo(function Facts({
  taken,
  inside,
  own,
  onCorrect,
}: {
  taken: Taken
  /** The parcours in an area. */
  inside: readonly Taken[]
  own: readonly Entry[]
  /** Opens the form that corrects a step or a place; absent for readers. */
  onCorrect: ((target: Target) => void) | undefined
}) {
  const language = currentLocale()
  const { t } = useTranslation('ground')
  const { steps, pois, reports, closures } = taken.parts
  const labels = stepLabels(steps)
  return (
    <div className="lists">
      <FactList title={t('list.parcours')}>
        {inside.map(({ id, parts }) => (
          <li key={id}>
            <ScreenLink to={{ screen: 'parcours', id }}>{textOf(parts.title)}</ScreenLink>
          </li>
        ))}
      </FactList>
      <FactList title={t('list.closures')}>
        {closures.map(({ id, title, from, to, stretches }) => (
          <li key={id}>
            {textOf(title)}
            <small>
              {to == null ? t('closures:since', { from: format.day(from) }) : t('closures:between', { from: format.day(from), to: format.day(to) })}
              {stretches.map(({ from_m, to_m }) => ` · ${t('list.stretch', { from: format.km(from_m), to: format.km(to_m) })}`)}
            </small>
          </li>
        ))}
      </FactList>
      <FactList title={t('list.reports')}>
        {reports.map(({ id, kind, text, at_m, sent_at }) => (
          <li key={id}>
            {t(`reviews:reports.kind.${kind}`)}
            <small>{[at_m == null ? '' : format.km(at_m), format.day(sent_at), text].filter(Boolean).join(' · ')}</small>
          </li>
        ))}
      </FactList>
      <FactList title={t('list.steps')}>
        {steps.map((step, index) => (
          <li key={step.id}>
            {labels[index]}. {textOf(step.title)}
            {step.at_m != null && <small>{format.km(step.at_m)}</small>}
            {onCorrect !== undefined && (
              <BigButton
                aria-label={t('correct.of', { name: `${labels[index] ?? ''}. ${textOf(step.title, '')}` })}
                onClick={() =>
                  onCorrect({
                    kind: 'step',
                    id: step.id,
                    title: step.title[language] ?? '',
                    text: step.description[language] ?? '',
                    position: [step.position[0], step.position[1]],
                  })
                }
              >
                {t('correct.button')}
              </BigButton>
            )}
          </li>
        ))}
      </FactList>
      <FactList title={t(taken.area === undefined ? 'list.pois' : 'list.poisOfArea')}>
        {pois.map(({ id, title, description, location, mine }) => (
          <li key={id}>
            {textOf(title)}
            {onCorrect !== undefined && mine === true && (
              <BigButton
                aria-label={t('correct.of', { name: textOf(title) })}
                onClick={() =>
                  onCorrect({ kind: 'poi', id, title: title[language] ?? '', text: description?.[language] ?? '', position: location })
                }
              >
                {t('correct.button')}
              </BigButton>
            )}
          </li>
        ))}
      </FactList>
      <FactList title={t('list.own')}>
        {own.map((entry) => (
          <li key={entry.id}>
            {t(`kind.${entry.content.kind}`)}
            <small>{[entry.content.title, entry.content.text, format.time(entry.content.made_at), t(`state.${entry.state}`)].filter(Boolean).join(' · ')}</small>
          </li>
        ))}
      </FactList>
      <PhotoStrip taken={taken} />
    </div>
  )
})

function PhotoStrip({ taken }: { taken: Taken }) {
  const { t } = useTranslation('ground')
  const shown = taken.parts.pictures.filter(({ thumb_url }) => thumb_url !== null)
  if (shown.length === 0) return null
  return (
    <details>
      <summary>{t('list.photos', { count: shown.length })}</summary>
      <ul className="photos">
        {shown.map(({ id, thumb_url, alt, legend, file_name }) => (
          <li key={id}>
            <img src={thumb_url ?? undefined} alt={textOf(alt, textOf(legend, file_name))} loading="lazy" />
          </li>
        ))}
      </ul>
    </details>
  )
}

function FactList({ title, children }: { title: string; children: React.ReactElement[] }) {
  if (children.length === 0) return null
  return (
    <details>
      <summary>
        {title} <span className="count">{children.length}</span>
      </summary>
      <ul>{children}</ul>
    </details>
  )
}

/** Whether an entry is about a parcours, or lies in an area without being about one. */
function isOf({ id, area }: Taken, { content: { parcours_id, position } }: Entry): boolean {
  return area === undefined ? parcours_id === id : parcours_id === null && position !== null && isIn(area, position)
}

function marksOf({ parts }: Taken, own: readonly Entry[]): MapMark[] {
  const labels = stepLabels(parts.steps)
  return [
    ...parts.pois.map(({ location }): MapMark => ({ kind: 'poi', position: location, text: '' })),
    ...parts.steps.map(({ position }, index): MapMark => ({ kind: 'step', position: [position[0], position[1]], text: labels[index] ?? '' })),
    ...parts.reports.flatMap(({ position }): MapMark[] => (position === null ? [] : [{ kind: 'report', position, text: '!' }])),
    ...own.flatMap(({ content }): MapMark[] => (content.position === null ? [] : [{ kind: 'entry', position: content.position, text: '+' }])),
  ]
}
