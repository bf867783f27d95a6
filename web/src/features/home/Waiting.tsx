import type { Icon } from '@tabler/icons-react'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconClipboardCheck from '@tabler/icons-react/dist/esm/icons/IconClipboardCheck.mjs'
import IconEyeCheck from '@tabler/icons-react/dist/esm/icons/IconEyeCheck.mjs'
import IconListCheck from '@tabler/icons-react/dist/esm/icons/IconListCheck.mjs'
import IconMessage2 from '@tabler/icons-react/dist/esm/icons/IconMessage2.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconRouteOff from '@tabler/icons-react/dist/esm/icons/IconRouteOff.mjs'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import IconSitemap from '@tabler/icons-react/dist/esm/icons/IconSitemap.mjs'
import IconTool from '@tabler/icons-react/dist/esm/icons/IconTool.mjs'
import { useQuery } from '@tanstack/react-query'
import { payload } from '@/api/payload'
import { useTranslation } from '@/i18n'
import type { CountedList, GroundEntries, ParcoursRow, Waiting as WaitingLists } from '@/api/types'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { Count } from '@/ui/badge/Badge'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { format, textOf } from '@/ui/format'
import { entriesQuery } from '@/records/ground/queries'
import { problemText } from '@/records/problem-text'
import classes from './home.module.css'
import { dashboardQuery, firstChanged, firstOf } from './queries'

interface Task {
  key: Exclude<keyof WaitingLists, 'no_english' | 'no_photo' | 'not_for_app'>
  icon: Icon
  tone: 'warn' | 'info'
  /** Which of them are named; the watch has an order of its own. */
  sort: string
}

/** Most pressing first. */
const tasks: readonly Task[] = [
  { key: 'lost_guidance', icon: IconRouteOff, tone: 'warn', sort: '' },
  { key: 'field_reports', icon: IconAlertTriangle, tone: 'warn', sort: '-updated_at' },
  { key: 'children', icon: IconSitemap, tone: 'info', sort: '-updated_at' },
  { key: 'reviews', icon: IconMessage2, tone: 'info', sort: '-updated_at' },
  { key: 'low_reliability', icon: IconRoute, tone: 'warn', sort: 'reliability' },
  { key: 'to_fix', icon: IconTool, tone: 'warn', sort: '-updated_at' },
  { key: 'to_review', icon: IconEyeCheck, tone: 'info', sort: '-updated_at' },
  { key: 'incomplete', icon: IconListCheck, tone: 'info', sort: '-updated_at' },
  { key: 'drafts', icon: IconSend, tone: 'info', sort: '-updated_at' },
]

/** The waiting tasks; each line leads to the list it counts. */
export function Waiting() {
  const { t } = useTranslation('home')
  const { data, error } = useQuery(dashboardQuery)
  const fromGround = useQuery(entriesQuery({ view: 'waiting', page: 1 })).data
  const onGround = (fromGround?.total ?? 0) > 0
  const open =
    data === undefined
      ? []
      : tasks.flatMap((task) => {
          const list = data.waiting[task.key]
          return list.count > 0 ? [{ task, list }] : []
        })
  const count = open.length + (onGround ? 1 : 0)
  return (
    <Card
      flush
      title={
        <>
          {t('waiting.title')} {count > 0 && <Count>{count}</Count>}
        </>
      }
    >
      {error && (
        <div className={classes['pad']}>
          <Banner tone="danger" live="alert">
            {problemText(error)}
          </Banner>
        </div>
      )}
      {data !== undefined && count === 0 && <p className={classes['quiet']}>{t('waiting.nothing')}</p>}
      <ul>
        {fromGround !== undefined && onGround && <GroundLine entries={fromGround} />}
        {data !== undefined && open.map(({ task, list }) => <TaskLine key={task.key} task={task} list={list} />)}
        {data === undefined &&
          !error &&
          [0, 1, 2].map((i) => (
            <li key={i} className={classes['task']} aria-hidden="true">
              <Skeleton height={38} width={38} radius="var(--r-2)" />
              <div className={classes['taskText']}>
                <Skeleton width="40%" />
                <span className={classes['gap']} />
                <Skeleton width="70%" height={9} />
              </div>
            </li>
          ))}
      </ul>
    </Card>
  )
}

/** What came from the ground and was not reviewed. */
function GroundLine({ entries: { total, items } }: { entries: GroundEntries }) {
  const { t } = useTranslation('home')
  const names = [...new Set(items.map(({ by }) => by.name))].slice(0, 2)
  return (
    <li className={classes['task']}>
      <span className={classes['taskIcon']} data-tone="info">
        <IconClipboardCheck size={20} stroke={1.75} aria-hidden />
      </span>
      <div className={classes['taskText']}>
        <h3>{t('waiting.ground.title', { count: total, total: format.number(total) })}</h3>
        <p className="small muted">{t('waiting.ground.text', { names: format.list(names) })}</p>
      </div>
      <ButtonLink size="small" to="/releves">
        {t('waiting.ground.see')}
      </ButtonLink>
    </li>
  )
}

function TaskLine({ task: { key: name, icon: Mark, tone, sort }, list }: { task: Task; list: CountedList }) {
  const { t } = useTranslation('home')
  const watched = name === 'lost_guidance'
  const listed = useQuery({ ...firstOf(list.query, sort), enabled: !watched }).data?.items ?? []
  const changed = useQuery({ ...firstChanged(list.query), enabled: watched }).data?.items ?? []
  const nameOf = (row: ParcoursRow) =>
    name === 'low_reliability' && row.reliability !== null ? `${textOf(row.title)} (${format.percent(row.reliability)})` : textOf(row.title)
  const first = watched ? changed.map(({ parcours }) => textOf(parcours.title)) : listed.map(nameOf)
  return (
    <li className={classes['task']}>
      <span className={classes['taskIcon']} data-tone={tone}>
        <Mark size={20} stroke={1.75} aria-hidden />
      </span>
      <div className={classes['taskText']}>
        <h3>{t(`waiting.${name}.title`, { count: list.count, total: format.number(list.count) })}</h3>
        <p className="small muted">
          {t(`waiting.${name}.text`, { threshold: payload().reliability_threshold })} {first.join(', ')}
          {first.length > 0 && list.count > first.length && '…'}
        </p>
      </div>
      <ButtonLink
        size="small"
        to={watched ? '/settings/veille-reseau' : '/parcours'}
        search={Object.fromEntries(new URLSearchParams(list.query))}
      >
        {t(`waiting.${name}.see`)}
      </ButtonLink>
    </li>
  )
}
