import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ImportLine, ImportRun } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Badge, type Tone } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { Segments } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { faultText } from '@/records/problem-text'
import { linesQuery } from './data'
import classes from './sit.module.css'

const outcomes = ['created', 'updated', 'refused', 'gone', 'kept'] as const
type Outcome = (typeof outcomes)[number]
const tones: Record<Outcome, Tone> = { created: 'ok', updated: 'info', refused: 'danger', gone: 'warn', kept: 'warn' }
const PER_PAGE = 50

/** The report of a run, record by record: each refusal with its reason. */
export function Lines({ run }: { run: ImportRun }) {
  const { t } = useTranslation('sit')
  const met = outcomes.filter((outcome) => run.counts[outcome] > 0)
  const [only, setOnly] = useState<'all' | Outcome>(met.includes('refused') ? 'refused' : 'all')
  const [page, setPage] = useState(1)
  const { data } = useQuery(linesQuery(run, { outcome: only === 'all' ? undefined : only, page, per_page: PER_PAGE }))
  // A run that failed or was stopped says so above: that nothing changed would be a wrong reason.
  if (met.length === 0 && run.state !== 'running') return run.state === 'done' ? <p className="muted">{t('run.nothing')}</p> : null
  const total = data?.total ?? 0
  const range = {
    from: format.number((page - 1) * PER_PAGE + 1),
    to: format.number(Math.min(page * PER_PAGE, total)),
    total: format.number(total),
  }
  return (
    <>
      {met.length > 1 && (
        <Segments
          label={t('run.filter')}
          value={only}
          onChange={(next) => {
            setOnly(next)
            setPage(1)
          }}
          choices={[
            { value: 'all' as const, label: t('run.everything') },
            ...met.map((value) => ({ value, label: t(`run.count.${value}`) })),
          ]}
        />
      )}
      {data === undefined && <Skeleton height={120} />}
      <ul className={classes['lines']} aria-label={t('run.lines')}>
        {data?.items.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
      {total > PER_PAGE && (
        <div className={classes['actions']}>
          {page > 1 && (
            <Button size="small" onClick={() => setPage(page - 1)}>
              {t('run.previous')}
            </Button>
          )}
          <span className="num">{t('run.range', range)}</span>
          {page * PER_PAGE < total && (
            <Button size="small" onClick={() => setPage(page + 1)}>
              {t('run.next')}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

function Line({ line }: { line: ImportLine }) {
  const { t } = useTranslation('sit')
  const outcome = outcomes.find((one) => one === line.outcome) ?? 'updated'
  return (
    <li className={classes['line']}>
      <p className={classes['facts']}>
        <Badge tone={tones[outcome]}>{t(`run.one.${outcome}`)}</Badge>
        {line.record_id === null ? (
          <strong>{line.title}</strong>
        ) : (
          <Link to="/settings/pois-sit/$lng/$id" params={{ lng: 'fr', id: String(line.record_id) }}>
            {line.title}
          </Link>
        )}
        {line.title !== line.item && <span className="small muted">{t('run.id', { id: line.item })}</span>}
      </p>
      {line.notes.length > 0 && (
        <ul className={classes['notes']}>
          {line.notes.map((note, at) => (
            <li key={at}>{faultText(note)}</li>
          ))}
        </ul>
      )}
    </li>
  )
}
