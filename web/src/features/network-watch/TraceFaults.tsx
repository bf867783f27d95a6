import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FaultyTrace, TraceFault } from '@/api/types'
import { useTranslation } from '@/i18n'
import { format, textOf } from '@/ui/format'
import classes from './network-watch.module.css'
import { faultsQuery } from './watch'

/** Traces that an older version of the server stored in another way than a save does today; renders nothing when there are none. */
export function TraceFaults({ owner }: { owner: string | undefined }) {
  const { t } = useTranslation('watch')
  const { data } = useQuery(faultsQuery(owner))
  if (data === undefined || data.total === 0) return null
  return (
    <section className={classes['faults']} aria-labelledby="trace-faults">
      <h2 id="trace-faults">{t('faults.title', { count: data.total, number: format.number(data.total) })}</h2>
      <p className="small muted">{t('faults.lead')}</p>
      <ul className={classes['list']}>
        {data.items.map((row) => (
          <Row key={row.parcours.id} row={row} />
        ))}
      </ul>
      {data.total > data.items.length && <p className="small muted">{t('faults.more', { shown: format.number(data.items.length) })}</p>}
    </section>
  )
}

function Row({ row: { parcours, editable, faults } }: { row: FaultyTrace }) {
  const { t } = useTranslation('watch')
  const id = String(parcours.id)
  return (
    <li className={classes['fault']}>
      {editable ? (
        <Link to="/parcours/$id/edit-trace" params={{ id }}>
          {textOf(parcours.title)}
        </Link>
      ) : (
        <Link to="/parcours/$id" params={{ id }}>
          {textOf(parcours.title)}
        </Link>
      )}
      {!editable && <span className="small muted">{t('notYours', { owner: parcours.white_label.name })}</span>}
      <ul className="small">
        {faults.map((fault) => (
          <li key={fault.kind === 'other_length' ? fault.kind : `${fault.kind}-${fault.step_id}`}>{sentence(fault, t)}</li>
        ))}
      </ul>
    </li>
  )
}

function sentence(fault: TraceFault, t: ReturnType<typeof useTranslation<'watch'>>['t']): string {
  if (fault.kind === 'other_length')
    return t('faults.otherLength', { sheet: format.distance(fault.sheet_m), line: format.distance(fault.line_m) })
  const title = textOf(fault.title)
  if (fault.kind === 'step_off_line') return t('faults.stepOffLine', { title, distance: format.distance(fault.metres) })
  return t(fault.kind === 'step_not_at_end' ? 'faults.stepNotAtEnd' : 'faults.stepOutOfOrder', { title })
}
