import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { QueryParams } from '@/api/resource'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { format, textOf } from '@/ui/format'
import type { StatisticsBy, BreakdownRow } from '@/api/types'
import { CsvLink } from './CsvLink'
import { Delta } from './Delta'
import { useNames } from './names'
import { breakdownQuery, type Kind } from './statistics'
import classes from './statistics.module.css'

interface BreakdownProps {
  by: StatisticsBy
  query: QueryParams
  kind: Kind
  change: (change: Record<string, string | undefined>) => void
}

/** The figures by group: a table, each row with its bar. */
export function Breakdown({ by, query, kind, change }: BreakdownProps) {
  const { t } = useTranslation('statistics')
  const { data: rows } = useQuery(breakdownQuery(query, by, kind))
  const mayExport = useCan('content.export')
  const names = useNames()
  const title = t(`by.${by}`)
  const most = Math.max(1, ...(rows ?? []).map(({ counts }) => counts.total))
  const nameOf = (row: BreakdownRow): string => {
    if (by === 'parcours') return textOf(row.title, t('gone', { id: row.key }))
    if (by === 'white_label') return row.name ?? row.key
    if (by === 'referrer') return row.key === '*' ? t('otherSites') : row.key
    return names[by](row.key)
  }
  return (
    <Card title={title} flush aside={mayExport ? <CsvLink query={{ ...query, kind }} by={by} title={title} /> : undefined}>
      {rows === undefined && <Skeleton height={160} />}
      {rows !== undefined && rows.length === 0 && <p className={classes['nothing']}>{t('nothing')}</p>}
      {rows !== undefined && rows.length > 0 && (
        <table className={classes['table']}>
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{title}</th>
              <th scope="col">{t(`kinds.${by === 'referrer' ? 'view' : kind}`)}</th>
              <th scope="col">{t('before')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row">
                  <RowName by={by} row={row} name={nameOf(row)} change={change} />
                  <span className={classes['bar']} aria-hidden="true">
                    <span style={{ width: `${(row.counts.total / most) * 100}%` }} />
                  </span>
                </th>
                <td className="num">{format.number(row.counts.total)}</td>
                <td>
                  <Delta now={row.counts.total} before={row.total_before} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {by === 'referrer' && <p className={classes['small']}>{t('referrerNote')}</p>}
    </Card>
  )
}

/** A name that narrows everything to it, where there is a filter for it. */
function RowName({
  by,
  row,
  name,
  change,
}: {
  by: StatisticsBy
  row: BreakdownRow
  name: string
  change: BreakdownProps['change']
}): ReactNode {
  const { t } = useTranslation('statistics')
  if (by === 'referrer') return <span className={classes['name']}>{name}</span>
  const narrow = (
    <button type="button" className={classes['name']} title={t('narrow', { name })} onClick={() => change({ [by]: row.key })}>
      {name}
    </button>
  )
  if (by !== 'parcours' || row.title === null) return narrow
  return (
    <>
      {narrow}
      <Link to="/parcours/$id" params={{ id: row.key }} className={`${classes['open']} small`} aria-label={t('openSheet', { name })}>
        {t('sheet')}
      </Link>
    </>
  )
}
