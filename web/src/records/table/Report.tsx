import { useState } from 'react'
import type { TableCell, TableFault, TableReport, TableRow } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Words } from '@/records/history/Words'
import { faultText } from '@/records/problem-text'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { Segments } from '@/ui/field/inputs'
import { format, textOf } from '@/ui/format'
import classes from './table.module.css'

/** Rows that are drawn at once. */
const AT_ONCE = 100
/** Texts longer than this are compared word by word. */
const LONG = 60

const parts = ['changed', 'created', 'unchanged', 'conflicts', 'refused'] as const
type Part = (typeof parts)[number]
type LabelOf = (column: string) => string | undefined
type Shown = 'all' | 'refused' | 'conflict'

/** « 12 fiches modifiées, 3 lignes refusées »: the counts that are not zero. */
export function useSummary(): (report: TableReport, among?: readonly Part[]) => string {
  const { t } = useTranslation('table')
  return (report, among = parts) => {
    const counted = among.filter((part) => report[part] > 0)
    return format.list((counted.length === 0 ? among.slice(0, 1) : counted).map((part) => t(`summary.${part}`, { count: report[part] })))
  }
}

/** What a table would do, or did: counts, then each row with the cells that change. */
export function Report({ report, labelOf = () => undefined }: { report: TableReport; labelOf?: LabelOf | undefined }) {
  const { t } = useTranslation('table')
  const summary = useSummary()
  const [shown, setShown] = useState<Shown>('all')
  const [drawn, setDrawn] = useState(AT_ONCE)
  const rows = shown === 'all' ? report.items : report.items.filter(({ outcome }) => outcome === shown)
  const choose = (next: Shown) => {
    setShown(next)
    setDrawn(AT_ONCE)
  }
  return (
    <section className={classes['report']}>
      <p role="status" className={classes['summary']}>
        {summary(report)}
      </p>
      {report.notes && (
        <Banner tone="warn">
          <Notes notes={report.notes} />
        </Banner>
      )}
      {report.columns.length > 0 && (
        <div className={classes['columns']}>
          <h3>{t('columns')}</h3>
          <Faults faults={report.columns} />
        </div>
      )}
      {(report.refused > 0 || report.conflicts > 0) && (
        <Segments
          label={t('show')}
          value={shown}
          onChange={choose}
          choices={[
            { value: 'all', label: t('all') },
            { value: 'refused', label: t('onlyRefused') },
            { value: 'conflict', label: t('onlyConflicts') },
          ]}
        />
      )}
      {rows.length === 0 ? (
        <p className="muted">{t('none')}</p>
      ) : (
        <ol className={classes['rows']}>
          {rows.slice(0, drawn).map((row) => (
            <Row key={row.row} row={row} labelOf={labelOf} />
          ))}
        </ol>
      )}
      {rows.length > drawn && <Button onClick={() => setDrawn(drawn + AT_ONCE)}>{t('more')}</Button>}
    </section>
  )
}

function Row({ row: { row, title, outcome, cells, faults }, labelOf }: { row: TableRow; labelOf: LabelOf }) {
  const { t } = useTranslation('table')
  const name = textOf(title)
  return (
    <li className={classes['row']}>
      <p className={classes['head']}>
        <span className={classes['number']}>{t('row', { row })}</span>
        {name !== '' && <strong>{name}</strong>}
        <span className={classes['outcome']} data-outcome={outcome}>
          {t(`outcome.${outcome}`)}
        </span>
      </p>
      <Faults faults={faults} />
      {cells.length > 0 && (
        <dl className={classes['cells']}>
          {cells.map((cell) => (
            <div key={cell.column}>
              <dt>
                {labelOf(cell.column)} <code>{cell.column}</code>
              </dt>
              <dd>{outcome === 'created' ? cell.after : <Difference cell={cell} />}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}

/** The old value struck, the new one beside it; of long texts, the words that differ. */
function Difference({ cell: { before, after } }: { cell: TableCell }) {
  const { t } = useTranslation('table')
  if (before.length > LONG && after !== '') return <Words before={before} after={after} />
  const empty = <em>{t('empty')}</em>
  return (
    <>
      {before === '' ? empty : <del>{before}</del>} → {after === '' ? empty : <ins>{after}</ins>}
    </>
  )
}

/** What is said of the whole table: a single note is a paragraph. */
function Notes({ notes }: { notes: readonly TableFault[] }) {
  const [first, ...others] = notes
  return first !== undefined && others.length === 0 ? (
    <p>
      <FaultWords fault={first} />
    </p>
  ) : (
    <Faults faults={notes} />
  )
}

function Faults({ faults }: { faults: readonly TableFault[] }) {
  if (faults.length === 0) return null
  return (
    <ul className={classes['faults']}>
      {faults.map((fault) => (
        <li key={`${fault.column ?? ''} ${fault.code}`}>
          <FaultWords fault={fault} />
        </li>
      ))}
    </ul>
  )
}

function FaultWords({ fault: { column, code, params } }: { fault: TableFault }) {
  return (
    <>
      {column !== null && column !== undefined && (
        <>
          <code>{column}</code>
          {format.colon()}
        </>
      )}
      {faultText({ code, params })}
    </>
  )
}
