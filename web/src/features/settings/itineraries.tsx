import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useContext, useRef } from 'react'
import { api, asBytes, ifMatch, unwrap } from '@/api/client'
import type { Itinerary } from '@/api/types'
import { translate, useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { ClosedBadge } from '@/records/badge/record-badges'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { toast } from '@/ui/feedback/toast'
import { SelectField } from '@/records/form/choice-fields'
import { ColorField } from '@/records/form/ColorField'
import { TextField, TranslatedField } from '@/records/form/fields'
import { ReadOnlyContext } from '@/records/form/read-only'
import { format, textOf } from '@/ui/format'
import { blank } from '@/records/list/ResourceList'
import { problemText } from '@/records/problem-text'
import { measure } from '@/records/map/line'
import { nameColumn, textColumn, updatedColumn, useBasicSorts } from '@/records/resource/columns'
import { labelOf, type FieldOf, type ResourceDef } from '@/records/resource/define'
import { pagesOf } from '@/records/resource/pages'
import classes from '@/records/resource/resource.module.css'
import { useCacheRecord } from '@/records/resource/queries'

const base = '/api/v1/itineraries'
const LineEditor = lazy(() => import('./LineEditor'))
const kinds = ['cycle_route', 'river'] as const

const def: ResourceDef<Itinerary> = {
  kind: 'itinerary',
  queryKey: ['itinerary'],
  base,
  path: '/settings/itineraires',
  placeOf: (id) => `/settings/itineraires/${id}`,
  area: 'itineraries',
  group: 'settings',
  may: 'reference.manage',
  abilities: { history: true, uses: true },
  titleOf: ({ name }) => textOf(name),
  list: {
    config: { filterKeys: ['kind'], defaultSort: 'title' },
    useColumns() {
      const { t } = useTranslation('itineraries')
      return [
        nameColumn(def, {
          picture: ({ color }) => <i className={classes['swatch']} {...(color === null ? {} : { style: { background: color } })} />,
        }),
        { key: 'kind', header: labelOf('itineraries', 'kind'), width: '20%', render: ({ kind }) => t(`kind.${kind}`) },
        textColumn('itineraries', 'code', '14%'),
        {
          key: 'length_m',
          header: t('length'),
          width: '120px',
          sort: 'length',
          render: ({ length_m: length }) => (length === 0 ? blank : format.distance(length)),
        },
        updatedColumn(),
      ]
    },
    useFilters() {
      const { t } = useTranslation('itineraries')
      return [
        {
          key: 'kind',
          label: labelOf('itineraries', 'kind'),
          kind: 'many',
          choices: kinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) })),
        },
      ]
    },
    useSorts: () => useBasicSorts(),
  },
  form: {
    toValues: (record) => ({
      name: record?.name ?? {},
      kind: record?.kind ?? 'cycle_route',
      code: record?.code ?? null,
      color: record?.color ?? null,
      description: record?.description ?? {},
    }),
    sections: [
      { key: 'identity', names: ['name', 'kind', 'code', 'color', 'description'], Fields: Identity },
      { key: 'line', names: ['line'], onlySaved: true, Fields: Line },
      { key: 'followers', names: [], onlySaved: true, Fields: Followers },
    ],
    historyValues: ({ kind, line }) => ({
      kind: translate(`itineraries:kind.${kind}`),
      line:
        line === null ? null : translate('itineraries:lineOf', { count: line.coordinates.length, length: format.metres(lengthOf(line)) }),
    }),
  },
}

function Identity({ f }: { f: FieldOf }) {
  const { t } = useTranslation('itineraries')
  return (
    <>
      <TranslatedField {...f('name')} required max={200} />
      <div className={classes['two']}>
        <SelectField {...f('kind')} required choices={kinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))} />
        <TextField {...f('code')} placeholder="V71" />
        <ColorField {...f('color')} />
      </div>
      <TranslatedField {...f('description')} kind="rich" />
    </>
  )
}

/** The line: from a file, or drawn point by point on the map. Saved at once, apart from the form. */
function Line({ record }: { record: Itinerary | null }) {
  const { t } = useTranslation('itineraries')
  const readOnly = useContext(ReadOnlyContext)
  const cacheRecord = useCacheRecord(def)
  const input = useRef<HTMLInputElement>(null)
  const send = useMutation({
    mutationFn: (bytes: Blob) =>
      unwrap(
        api.PUT('/api/v1/itineraries/{id}/line', {
          params: {
            path: { id: record?.id ?? 0 },
            header: ifMatch(record?.version ?? 0),
            ...(bytes instanceof File ? { query: { file_name: bytes.name } } : {}),
          },
          ...asBytes,
          body: bytes,
        }),
      ),
    onSuccess: (saved) => {
      cacheRecord(saved)
      toast({ text: t('resource:entity.itinerary.saved') })
    },
  })
  if (record === null) return null
  return (
    <>
      {send.error && (
        <Banner tone="danger" live="alert">
          {t('resource:because', { what: t('importFailed'), why: problemText(send.error) })}
        </Banner>
      )}
      <p className="small muted">
        {record.line === null
          ? t('noLine')
          : t('lineOf', { count: record.line.coordinates.length, length: format.distance(record.length_m) })}
      </p>
      {!readOnly && (
        <span>
          <Button size="small" busy={send.isPending} onClick={() => input.current?.click()}>
            {t(record.line === null ? 'importLine' : 'replaceLine')}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            accept=".gpx,.kml,.kmz,.geojson,.json"
            onChange={(event) => {
              const [file] = event.target.files ?? []
              if (file !== undefined) send.mutate(file)
              event.target.value = ''
            }}
          />
        </span>
      )}
      <ErrorIsland>
        <Suspense fallback={<Skeleton height={340} />}>
          <LineEditor
            // Another line is looked at whole. A save of other fields leaves what is being drawn.
            key={record.length_m}
            label={t('section.line')}
            line={record.line}
            color={record.color}
            {...(readOnly
              ? {}
              : {
                  busy: send.isPending,
                  onSave: (line) => send.mutate(new Blob([JSON.stringify(line)], { type: 'application/geo+json' })),
                })}
          />
        </Suspense>
      </ErrorIsland>
    </>
  )
}

/** The length of a line in metres, without its gaps. */
const lengthOf = ({ coordinates }: NonNullable<Itinerary['line']>): number =>
  coordinates.reduce((sum, piece) => sum + measure(piece).lengthM, 0)

/** The parcours along it, each with the common length, and the parcours whose sheet names it. */
function Followers({ record }: { record: Itinerary | null }) {
  const { t } = useTranslation('itineraries')
  const id = record?.id ?? 0
  const found = useQuery({
    queryKey: ['itinerary', id, 'parcours', record?.version ?? 0],
    queryFn: () => unwrap(api.GET('/api/v1/itineraries/{id}/parcours', { params: { path: { id } } })),
  })
  if (found.error) return <Banner tone="danger">{problemText(found.error)}</Banner>
  if (found.data === undefined) return <Skeleton height={40} />
  const { items, total } = found.data
  if (total === 0) return <p className="muted">{t('noFollower')}</p>
  return (
    <ul className={classes['followers']}>
      {items.map(({ id: parcours, title, share_m: share, distance_m: distance, linked, closed }) => (
        <li key={parcours}>
          <Link to="/parcours/$id" params={{ id: String(parcours) }}>
            {textOf(title)}
          </Link>
          <span className="small muted">{shareWords(share, distance ?? null)}</span>
          {linked && <Badge>{t('linked')}</Badge>}
          {closed && <ClosedBadge />}
        </li>
      ))}
      {total > items.length && <li className="muted">{t('resource:delete.more', { count: total - items.length })}</li>}
    </ul>
  )
}

/** « sur 12,3 km des 14,9 km » */
function shareWords(share: number, distance: number | null): string {
  if (share === 0) return translate('itineraries:notAlong')
  const length = format.distance(share)
  return distance === null
    ? translate('itineraries:shared', { length })
    : translate('itineraries:sharedOf', { length, all: format.distance(distance) })
}

export const itineraries = pagesOf(def)
