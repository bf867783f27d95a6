import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconWalk from '@tabler/icons-react/dist/esm/icons/IconWalk.mjs'
import type { SurveyCampaign } from '@/api/types'
import { translate, useTranslation } from '@/i18n'
import { SwitchField } from '@/records/form/choice-fields'
import { DateField } from '@/records/form/DateField'
import { TextAreaField, TextField } from '@/records/form/fields'
import { blank } from '@/records/list/ResourceList'
import { nameColumn, updatedColumn, useBasicSorts } from '@/records/resource/columns'
import type { FieldOf, ResourceDef } from '@/records/resource/define'
import { pagesOf } from '@/records/resource/pages'
import formClasses from '@/records/resource/resource.module.css'
import { Badge } from '@/ui/badge/Badge'
import { calendarToday, format } from '@/ui/format'
import classes from './campaigns.module.css'
import { Coverage } from './Coverage'
import { PeopleField } from './PeopleField'
import { prefill } from './prefill'
import { stateOf } from './state'
import { StretchesField } from './StretchesField'

/** Campaigns of surveys: what is to be checked on the ground, by whom, until when. */
const def: ResourceDef<SurveyCampaign> = {
  kind: 'survey_campaign',
  queryKey: ['survey_campaign'],
  base: '/api/v1/survey-campaigns',
  path: '/campagnes',
  placeOf: (id) => `/campagnes/${id}`,
  area: 'campaigns',
  group: 'contents',
  may: 'content.write',
  abilities: { history: true, uses: false },
  titleOf: ({ name }) => name,
  list: {
    config: { filterKeys: ['closed'], defaultSort: 'due_on' },
    useColumns() {
      const { t } = useTranslation('campaigns')
      return [
        nameColumn(def, { name: 'name' }),
        { key: 'state', header: t('state.title'), width: '150px', render: (campaign) => <State campaign={campaign} /> },
        {
          key: 'progress',
          header: t('progress'),
          width: '17%',
          render: (campaign) => (campaign.length_m === 0 ? blank : <Surveyed campaign={campaign} />),
        },
        {
          key: 'due_on',
          header: t('due'),
          width: '124px',
          sort: 'due_on',
          render: ({ due_on: due }) => (due === null ? blank : <Due day={format.day(due)} />),
        },
        { key: 'people', header: t('people'), width: '96px', phone: 'hidden', render: ({ people }) => format.number(people.length) },
        { key: 'white_label', header: t('owner'), width: '13%', phone: 'hidden', render: ({ white_label }) => white_label.name },
        updatedColumn(),
      ]
    },
    useFilters() {
      const { t } = useTranslation('campaigns')
      return [
        {
          key: 'closed',
          label: t('state.title'),
          kind: 'one',
          choices: [
            { value: 'false', label: t('filter.open') },
            { value: 'true', label: t('filter.closed') },
          ],
        },
      ]
    },
    useSorts() {
      const { t } = useTranslation('campaigns')
      return [{ value: 'due_on', label: t('sort.due') }, ...useBasicSorts()]
    },
  },
  form: {
    plain: true,
    toValues: (record) => ({
      name: record?.name ?? '',
      instructions: record?.instructions ?? '',
      starts_on: record?.starts_on ?? calendarToday(),
      due_on: record?.due_on ?? null,
      user_ids: record?.user_ids ?? [],
      // A person who left the campaign surveys none of its stretches.
      stretches: (record?.stretches ?? []).map((one) => (record?.user_ids.includes(one.user_id ?? 0) ? one : { ...one, user_id: null })),
      closed: record?.closed ?? false,
    }),
    prefill,
    sections: [
      { key: 'coverage', names: [], onlySaved: true, Fields: Coverage },
      { key: 'identity', names: ['name', 'instructions', 'starts_on', 'due_on', 'user_ids', 'closed'], Fields: Identity },
      { key: 'stretches', names: ['stretches'], Fields: StretchesField },
    ],
    valueWords: (path, value) => {
      if ((path === 'starts_on' || path === 'due_on') && typeof value === 'string') return format.day(value)
      return path === 'stretches' && Array.isArray(value) ? translate('campaigns:stretchCount', { count: value.length }) : undefined
    },
    Facts: ({ record }) => (
      <>
        <State campaign={record} />
        <Surveyed campaign={record} />
        {record.due_on !== null && <span className="muted">{translate('campaigns:until', { day: format.day(record.due_on) })}</span>}
      </>
    ),
  },
}

const looks = {
  open: ['info', IconWalk],
  later: ['neutral', IconCalendar],
  overdue: ['warn', IconAlertTriangle],
  done: ['ok', IconCircleCheck],
  closed: ['neutral', IconLock],
} as const

function State({ campaign }: { campaign: SurveyCampaign }) {
  const { t } = useTranslation('campaigns')
  const state = stateOf(campaign, calendarToday())
  const [tone, icon] = looks[state]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`state.${state}`)}
    </Badge>
  )
}

/** The last day. A phone has no heading above it, and says what day it is. */
function Due({ day }: { day: string }) {
  const { t } = useTranslation('campaigns')
  return (
    <>
      <span className={classes['deskOnly']}>{day}</span>
      <span className={classes['phoneOnly']}>{t('until', { day })}</span>
    </>
  )
}

/** « 12 km sur 40 km (30 %) » */
function Surveyed({ campaign: { length_m: all, surveyed_m: done } }: { campaign: SurveyCampaign }) {
  const { t } = useTranslation('campaigns')
  if (all === 0) return <span className="faint">–</span>
  return (
    <span className="num">
      {t('progressOf', { done: format.km(done), all: format.km(all) })}{' '}
      <span className="muted">({format.percent((100 * done) / all, 0)})</span>
    </span>
  )
}

function Identity({ record, f }: { record: SurveyCampaign | null; f: FieldOf }) {
  const { t } = useTranslation('campaigns')
  return (
    <>
      <TextField {...f('name')} required max={120} />
      <TextAreaField {...f('instructions')} hint={t('instructionsHint')} />
      <div className={formClasses['two']}>
        <DateField {...f('starts_on')} required hint={t('startsHint')} />
        <DateField {...f('due_on')} />
      </div>
      <PeopleField {...f('user_ids')} hint={t('peopleHint')} />
      {/* One that begins is not over. */}
      {record !== null && <SwitchField {...f('closed')} hint={t('closedHint')} />}
    </>
  )
}

export const campaigns = pagesOf(def)
