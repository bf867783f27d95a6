import type { Icon } from '@tabler/icons-react'
import IconEyeCheck from '@tabler/icons-react/dist/esm/icons/IconEyeCheck.mjs'
import IconListCheck from '@tabler/icons-react/dist/esm/icons/IconListCheck.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconTool from '@tabler/icons-react/dist/esm/icons/IconTool.mjs'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '@/i18n'
import type { ParcoursList, ParcoursRow } from '@/api/model'
import { ButtonLink } from '@/ui/button/Button'
import { Count } from '@/ui/badge/Badge'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { format, textOf } from '@/ui/format'
import { problemText } from '@/ui/problem-text'
import classes from './home.module.css'
import { incompleteQuery, lowQuery, toFixQuery, toReviewQuery } from './queries'

interface Task {
  key: 'low' | 'toFix' | 'toReview' | 'incomplete'
  icon: Icon
  tone: 'warn' | 'info'
  list: ParcoursList
  search: Record<string, string>
}

const named = (key: Task['key'], { items, total }: ParcoursList) => {
  const names = items.map((row) => nameOf(key, row)).join(', ')
  return total > items.length ? `${names}…` : names
}
const nameOf = (key: Task['key'], row: ParcoursRow) => (key === 'low' && row.reliability !== null ? `${textOf(row.title)} (${format.percent(row.reliability)})` : textOf(row.title))

/** What waits, most pressing first; each line leads to the very list. */
export function Waiting() {
  const { t } = useTranslation('home')
  const [low, toFix, toReview, incomplete] = [useQuery(lowQuery), useQuery(toFixQuery), useQuery(toReviewQuery), useQuery(incompleteQuery)]
  const parts = [low, toFix, toReview, incomplete]
  const failed = parts.find(({ error }) => error !== null)
  const task = (key: Task['key'], icon: Icon, tone: Task['tone'], list: ParcoursList | undefined, search: Record<string, string>): Task[] => (list === undefined || list.total === 0 ? [] : [{ key, icon, tone, list, search }])
  const tasks = [
    ...task('low', IconRoute, 'warn', low.data, { reliability_below: '95', owner: 'mine' }),
    ...task('toFix', IconTool, 'warn', toFix.data, { progress: 'to_fix', owner: 'mine' }),
    ...task('toReview', IconEyeCheck, 'info', toReview.data, { progress: 'to_review', owner: 'mine' }),
    ...task('incomplete', IconListCheck, 'info', incomplete.data, { incomplete: 'true', owner: 'mine' }),
  ]
  const pending = parts.some(({ isPending }) => isPending)
  return (
    <Card
      flush
      title={
        <>
          {t('waiting.title')} {tasks.length > 0 && <Count>{tasks.length}</Count>}
        </>
      }
    >
      {failed && (
        <div className={classes['pad']}>
          <Banner tone="danger" live="alert">
            {problemText(failed.error)}
          </Banner>
        </div>
      )}
      {!failed && !pending && tasks.length === 0 && <p className={classes['quiet']}>{t('waiting.nothing')}</p>}
      <ul>
        {tasks.map(({ key, icon: Mark, tone, list, search }) => (
          <li key={key} className={classes['task']}>
            <span className={classes['taskIcon']} data-tone={tone}>
              <Mark size={20} stroke={1.75} aria-hidden />
            </span>
            <div className={classes['taskText']}>
              <h3>{t(`waiting.${key}.title`, { count: list.total, total: format.number(list.total) })}</h3>
              <p className="small muted">
                {t(`waiting.${key}.text`)} {named(key, list)}
              </p>
            </div>
            <ButtonLink size="small" to="/parcours" search={search as never}>
              {t(`waiting.${key}.see`)}
            </ButtonLink>
          </li>
        ))}
        {pending && tasks.length === 0 && [0, 1, 2].map((i) => (
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
