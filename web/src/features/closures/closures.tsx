import IconBarrierBlock from '@tabler/icons-react/dist/esm/icons/IconBarrierBlock.mjs'
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, unwrap } from '@/api/client'
import type { Closure } from '@/api/types'
import { textFor, translate, useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { SelectField } from '@/records/form/choice-fields'
import { DateField } from '@/records/form/DateField'
import { TranslatedField } from '@/records/form/fields'
import { format, textOf } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { nameColumn, updatedColumn, useBasicSorts } from '@/records/resource/columns'
import { labelOf, type FieldOf, type ResourceDef } from '@/records/resource/define'
import { pagesOf } from '@/records/resource/pages'
import classes from '@/records/resource/resource.module.css'
import { lengthOf } from '@/records/shape/shape'
import { GeometryField, pointsOf, type Geometry } from './GeometryField'
import { prefill } from './prefill'
import { AnsweredReport } from './report'

const base = '/api/v1/closures'
const kinds = ['works', 'weather', 'hunting', 'forestry', 'protection', 'event', 'other'] as const satisfies readonly Closure['kind'][]

const def: ResourceDef<Closure> = {
  kind: 'closure',
  queryKey: ['closure'],
  base,
  path: '/fermetures',
  placeOf: (id) => `/fermetures/${id}`,
  area: 'closures',
  group: 'contents',
  may: 'content.write',
  abilities: { history: true, uses: true },
  titleOf: ({ title }) => textOf(title),
  list: {
    config: { filterKeys: ['kind', 'state'], defaultSort: '-updated_at' },
    useColumns() {
      const { t } = useTranslation('closures')
      return [
        nameColumn(def, { name: 'title', facts: ({ reason }) => textOf(reason, '') }),
        { key: 'state', header: t('state'), width: '124px', render: (closure) => <StateBadge closure={closure} /> },
        { key: 'dates', header: t('dates'), width: '19%', render: (closure) => <Dates closure={closure} />, sort: 'from' },
        {
          key: 'kind',
          header: labelOf('closures', 'kind'),
          width: '11%',
          phone: 'hidden',
          render: ({ kind }) => t(`kind.${kind}`),
        },
        {
          key: 'reached',
          header: t('section.reached'),
          width: '96px',
          phone: 'hidden',
          render: ({ parcours_total }) => format.number(parcours_total),
        },
        { key: 'white_label', header: t('owner'), width: '13%', phone: 'hidden', render: ({ white_label }) => white_label.name },
        updatedColumn(),
      ]
    },
    useFilters() {
      const { t } = useTranslation('closures')
      return [
        {
          key: 'state',
          label: t('state'),
          kind: 'one',
          choices: (['now', 'later', 'past'] as const).map((value) => ({ value, label: t(`moment.${value}`) })),
        },
        {
          key: 'kind',
          label: labelOf('closures', 'kind'),
          kind: 'many',
          choices: kinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) })),
        },
      ]
    },
    useSorts() {
      const { t } = useTranslation('closures')
      return [{ value: '-from', label: t('sort.from') }, ...useBasicSorts()]
    },
  },
  form: {
    toValues: (record) => ({
      title: record?.title ?? {},
      kind: record?.kind ?? 'works',
      reason: record?.reason ?? {},
      from: record?.from.slice(0, 10) ?? null,
      to: record?.to?.slice(0, 10) ?? null,
      // In an array, so that the form compares and merges the geometry as one value and not field by field.
      geometry: record?.geometry ? [record.geometry] : [],
      report_id: record?.report_id ?? null,
    }),
    prefill,
    toBody({ geometry, ...patch }) {
      if (!Array.isArray(geometry)) return patch
      const [drawn = null]: readonly unknown[] = geometry
      return { ...patch, geometry: drawn }
    },
    sections: [
      { key: 'identity', names: ['title', 'kind', 'reason'], Fields: Identity },
      { key: 'dates', names: ['from', 'to'], Fields: Period },
      { key: 'place', names: ['geometry'], Fields: GeometryField },
      { key: 'reached', names: [], onlySaved: true, Fields: AffectedParcours },
    ],
    valueWords: (path, value) => {
      if (path === 'kind' && typeof value === 'string') return textFor(`closures:kind.${value}`)
      if ((path === 'from' || path === 'to') && typeof value === 'string') return format.day(value)
      return path === 'geometry' && Array.isArray(value) ? shapeWords(value) : undefined
    },
    Facts: ({ record }) => (
      <>
        <StateBadge closure={record} />
        <Dates closure={record} />
      </>
    ),
  },
}

const looks = { now: ['danger', IconBarrierBlock], later: ['warn', IconCalendar], past: ['neutral', IconCircleCheck] } as const

/** The state of a closure today: now, later or past. */
function StateBadge({ closure: { state } }: { closure: Closure }) {
  const { t } = useTranslation('closures')
  const [tone, icon] = looks[state]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`moment.${state}`)}
    </Badge>
  )
}

const isGeometry = (value: unknown): value is Geometry =>
  typeof value === 'object' && value !== null && 'type' in value && 'coordinates' in value

/** « 5 points, 1,2 km »: a drawing in words, where there is no map. */
function shapeWords([geometry]: readonly unknown[]): string | undefined {
  if (!isGeometry(geometry)) return undefined
  const points = pointsOf(geometry)
  return translate('shape.count', {
    count: points.length,
    length: format.distance(lengthOf(points, geometry.type === 'Polygon' ? 'area' : 'line')),
  })
}

function Dates({ closure: { from, to } }: { closure: Closure }) {
  const { t } = useTranslation('closures')
  return <span>{to === null ? t('since', { from: format.day(from) }) : t('between', { from: format.day(from), to: format.day(to) })}</span>
}

function Identity({ record, f }: { record: Closure | null; f: FieldOf }) {
  const { t } = useTranslation('closures')
  return (
    <>
      <AnsweredReport record={record} />
      <TranslatedField {...f('title')} required max={200} />
      <SelectField {...f('kind')} required choices={kinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))} />
      <TranslatedField {...f('reason')} kind="lines" max={2000} hint={t('reasonHint')} />
    </>
  )
}

function Period({ f }: { f: FieldOf }) {
  const { t } = useTranslation('closures')
  return (
    <div className={classes['two']}>
      <DateField {...f('from')} required />
      <DateField {...f('to')} hint={t('toHint')} />
    </div>
  )
}

/** The parcours that the closure crosses, and on which stretches. */
function AffectedParcours({ record }: { record: Closure | null }) {
  const { t } = useTranslation('closures')
  const id = record?.id ?? 0
  const found = useQuery({
    queryKey: ['closure', id, 'parcours', record?.version ?? 0],
    queryFn: () => unwrap(api.GET('/api/v1/closures/{id}/parcours', { params: { path: { id } } })).then(({ items }) => items),
  })
  if (found.error) return <Banner tone="danger">{problemText(found.error)}</Banner>
  if (found.data === undefined) return <Skeleton height={40} />
  if (found.data.length === 0) return <p className="muted">{t('reachesNone')}</p>
  return (
    <ul className={classes['stack']}>
      {found.data.map(({ id: parcours, title, stretches }) => (
        <li key={parcours}>
          <Link to="/parcours/$id" params={{ id: String(parcours) }}>
            {textOf(title)}
          </Link>{' '}
          <span className="small muted">
            {format.list(stretches.map(({ from_m, to_m }) => t('stretch', { from: format.km(from_m), to: format.km(to_m) })))}
          </span>
        </li>
      ))}
    </ul>
  )
}

export const closures = pagesOf(def)
