import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { problemText } from '@/records/problem-text'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { Progress } from '@/ui/feedback/Progress'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { Segments } from '@/ui/field/inputs'
import { NumberBox } from '@/ui/field/NumberBox'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import classes from './attach.module.css'
import { byName, byPlace, byTable, indexOf, type Kind, type Match } from './match'
import { chosenQuery, placesQuery, titlesQuery } from './queries'
import { MAX_PHOTOS, photoOf, type Chosen } from './records'
import { Results } from './Results'
import type { How } from './Row'
import { pairsOf } from './rows'
import { TableFields, type Table } from './TableFields'
import { useWriting } from './useWriting'
import { WritingCard } from './WritingCard'

export const texts = ['attach', 'resource']

export const load = ({ queryClient, search }: { queryClient: QueryClient; search: Record<string, string> }) =>
  queryClient.ensureQueryData(chosenQuery(search))

/** Farther away a photo does not show the record, metres. */
const MAX_DISTANCE_M = 2000
const DEFAULT_DISTANCE_M = 100
/** Files named in the sentence about the lines of a table that name no chosen file. */
const NAMED = 5

/** `/medias/rattacher?ids=12,14`: media files are attached to the records that they show. */
export function Page() {
  const { t } = useTranslation('attach')
  const search = useSearch({ strict: false })
  const { data: chosen, error } = useQuery(chosenQuery(search))
  usePageMeta([
    { label: t('resource:group.contents') },
    { label: t('resource:entity.media.many'), link: { to: '/medias' } },
    { label: t('title') },
  ])
  return (
    <div className={classes['page']}>
      <PageHeader title={t('title')} facts={chosen && <span>{t('photos', { count: chosen.mediaFiles.length })}</span>} />
      <div className={classes['body']}>
        {error && (
          <Banner tone="danger" live="alert">
            {problemText(error)}
          </Banner>
        )}
        {chosen === undefined ? (
          !error && <Skeleton height={220} />
        ) : chosen.mediaFiles.length === 0 ? (
          <EmptyState
            title={t('empty.title')}
            text={t('empty.text')}
            actions={
              <ButtonLink look="primary" to="/medias">
                {t('empty.library')}
              </ButtonLink>
            }
          />
        ) : (
          <Attach chosen={chosen} />
        )}
      </div>
    </div>
  )
}

function Attach({ chosen: { mediaFiles, total } }: { chosen: Chosen }) {
  const { t } = useTranslation('attach')
  const may = useCan('content.write')
  const [kind, setKind] = useState<Kind>('poi')
  const [how, setHow] = useState<How>('name')
  const [distance, setDistance] = useState<number | null>(DEFAULT_DISTANCE_M)
  const [withinM] = useDebouncedValue(distance, 400)
  const [table, setTable] = useState<Table | null>(null)
  const writing = useWriting()
  const { run } = writing
  const written = useMemo(() => new Set(run?.does === 'attach' && run.kind === kind ? pairsOf(run.outcomes) : []), [run, kind])
  const isInRange = (value: number | null): value is number => value !== null && value >= 1 && value <= MAX_DISTANCE_M
  const found = useMatches({ kind, how, withinM: isInRange(withinM) ? withinM : null, table, mediaFiles })
  return (
    <>
      {!may && <Banner tone="lock">{t('resource:notAllowed')}</Banner>}
      {total > mediaFiles.length && total > MAX_PHOTOS && <Banner tone="warn">{t('tooMany', { total, max: MAX_PHOTOS })}</Banner>}
      <Card title={t('search')}>
        <fieldset className={classes['fields']} disabled={writing.isRunning}>
          <div className={classes['choice']}>
            <span aria-hidden>{t('kind.label')}</span>
            <Segments
              label={t('kind.label')}
              value={kind}
              onChange={setKind}
              choices={(['poi', 'parcours'] as const).map((value) => ({ value, label: t(`kind.${value}`) }))}
            />
          </div>
          <div className={classes['choice']}>
            <span aria-hidden>{t('by.label')}</span>
            <Segments
              label={t('by.label')}
              value={how}
              onChange={(next) => {
                setHow(next)
                // The field of the table is empty when it is shown again.
                setTable(null)
              }}
              choices={(['name', 'place', 'table'] as const).map((value) => ({ value, label: t(`by.${value}`) }))}
            />
          </div>
          <p className="small muted">{t(how === 'table' ? 'hint.table' : (`hint.${how}.${kind}` as const))}</p>
          {how === 'place' && (
            <div className={classes['distance']}>
              <NumberBox
                label={t('distance')}
                error={isInRange(distance) ? undefined : t('distanceFault', { max: MAX_DISTANCE_M })}
                value={distance}
                onChange={setDistance}
                onUnreadable={() => setDistance(null)}
                unit="m"
              />
            </div>
          )}
          {how === 'table' && <TableFields table={table} onChange={setTable} />}
        </fieldset>
      </Card>
      {run !== null && <WritingCard run={run} onStop={writing.stop} onUndo={writing.undo} />}
      {found.error !== null && (
        <Banner
          tone="danger"
          live="alert"
          actions={
            <Button size="small" onClick={found.retry}>
              {t('common:retry')}
            </Button>
          }
        >
          {problemText(found.error)}
        </Banner>
      )}
      {found.isReading && (
        <Progress total={found.progress?.total ?? null} done={found.progress?.done ?? 0}>
          {found.progress === null ? t('readingFirst') : t(how === 'place' ? 'readingPlaces' : 'reading', { ...found.progress })}
        </Progress>
      )}
      {found.notes.map((note) => (
        <Banner key={note} tone="warn">
          {note}
        </Banner>
      ))}
      {found.matches !== null && may && (
        <Results
          // Other matches begin with no choice made by hand.
          key={`${kind} ${how} ${table?.name} ${table?.columns.file} ${table?.columns.record}`}
          kind={kind}
          how={how}
          withinM={withinM ?? DEFAULT_DISTANCE_M}
          matches={found.matches}
          mediaFiles={mediaFiles}
          written={written}
          isBusy={writing.isRunning}
          onWrite={(tasks) => writing.attach(kind, tasks)}
        />
      )}
    </>
  )
}

interface Found {
  /** `null` while records are read, and while something is still to be chosen. */
  matches: Match[] | null
  /** What was not compared, in sentences. */
  notes: string[]
  isReading: boolean
  progress: { done: number; total: number } | null
  error: unknown
  retry: () => void
}

interface MatchOptions {
  kind: Kind
  how: How
  withinM: number | null
  table: Table | null
  mediaFiles: Chosen['mediaFiles']
}

/** The matches of the media files, once the records that they are compared with are read. */
function useMatches({ kind, how, withinM, table, mediaFiles }: MatchOptions): Found {
  const { t } = useTranslation('attach')
  const [progress, setProgress] = useState<Found['progress']>(null)
  const photos = useMemo(() => mediaFiles.map(photoOf), [mediaFiles])
  const onRead = (done: number, total: number) => setProgress({ done, total })
  const isByPlace = how === 'place'
  const titles = useQuery({ ...titlesQuery(kind, onRead), enabled: !isByPlace && (how === 'name' || table !== null) })
  const places = useQuery({ ...placesQuery(kind, photos, withinM ?? 0, onRead), enabled: isByPlace && withinM !== null })
  const query = isByPlace ? places : titles
  const { matches, notes } = useMemo((): Pick<Found, 'matches' | 'notes'> => {
    if (isByPlace) {
      if (places.data === undefined || withinM === null) return { matches: null, notes: [] }
      const { records, compared } = places.data
      const found = byPlace(photos, records, withinM, (id) => compared.has(id))
      const left = found.filter(({ lack }) => lack === 'compared').length
      return { matches: found, notes: left === 0 ? [] : [t('cutPlaces', { count: left })] }
    }
    if (titles.data === undefined || (how === 'table' && table === null)) return { matches: null, notes: [] }
    const { records, total } = titles.data
    const index = indexOf(records)
    const cut = total > records.length ? [t('cut', { max: records.length, total })] : []
    if (table === null || how === 'name') return { matches: byName(photos, kind, index), notes: cut }
    const { matches: named, unknown } = byTable(photos, table.rows, table.columns, index)
    if (unknown.length === 0) return { matches: named, notes: cut }
    const first = unknown
      .slice(0, NAMED)
      .map(({ file }) => file)
      .join(', ')
    const names = unknown.length > NAMED ? t('table.unknownMore', { names: first }) : first
    return { matches: named, notes: [...cut, t('table.unknown', { count: unknown.length, names })] }
  }, [isByPlace, how, kind, table, withinM, photos, places.data, titles.data, t])
  return {
    matches,
    notes,
    isReading: query.isFetching && matches === null,
    progress,
    error: query.error,
    retry: () => void query.refetch(),
  }
}
