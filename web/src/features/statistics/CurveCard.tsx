import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import { useRef } from 'react'
import type { QueryParams } from '@/api/resource'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { toastError } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import type { Statistics } from '@/api/types'
import { CsvLink } from './CsvLink'
import { Curve, type CurvePoint } from './Curve'
import { savePng } from './png'
import type { Kind } from './statistics'
import classes from './statistics.module.css'

/** The label of a point: « 12 oct. », « oct. 2026 ». The server's days have no hour. */
export function pointName(day: string, bucket: Statistics['bucket']): string {
  const options: Intl.DateTimeFormatOptions = bucket === 'month' ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' }
  return format.dayWith(day, options)
}

/** The counts over the period, and over the period before. */
export function CurveCard({ data, kind, query }: { data: Statistics; kind: Kind; query: QueryParams }) {
  const { t } = useTranslation('statistics')
  const drawing = useRef<SVGSVGElement>(null)
  const mayExport = useCan('content.export')
  const title = t(`kinds.${kind}`)
  const label = t('chart.label', { kind: title, from: format.day(data.period.from), to: format.day(data.period.to) })
  const points: CurvePoint[] = data.points.map(({ from, counts, before }) => ({
    name: pointName(from, data.bucket),
    now: counts[kind],
    before: before === null ? null : before[kind],
  }))
  const save = () => {
    if (drawing.current === null) return
    savePng(drawing.current, label, `statistiques-${kind}-${data.period.from}-${data.period.to}.png`).catch((error: unknown) =>
      toastError(problemText(error)),
    )
  }
  const aside = (
    <>
      <button type="button" className={classes['take']} aria-label={t('chart.pngOf')} title={t('chart.pngOf')} onClick={save}>
        <IconPhoto size={16} stroke={1.75} aria-hidden />
        PNG
      </button>
      {mayExport && <CsvLink query={query} by="day" title={title} />}
    </>
  )
  return (
    <Card title={title} aside={aside}>
      <p className={classes['legend']}>
        <span data-line="now">{t('chart.now')}</span>
        <span data-line="before">{t('chart.before')}</span>
      </p>
      <Curve label={label} points={points} ref={drawing} />
      <Figures points={points} bucket={data.bucket} caption={label} />
    </Card>
  )
}

/** The same as a table, for screen readers and for exact figures. */
function Figures({ points, bucket, caption }: { points: readonly CurvePoint[]; bucket: Statistics['bucket']; caption: string }) {
  const { t } = useTranslation('statistics')
  return (
    <details className={classes['figures']}>
      <summary>{t('chart.table')}</summary>
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label={caption}>
        <table className={classes['table']}>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{t(`chart.${bucket}`)}</th>
              <th scope="col">{t('chart.now')}</th>
              <th scope="col">{t('chart.before')}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ name, now, before }, rank) => (
              <tr key={`${rank} ${name}`}>
                <th scope="row">{name}</th>
                <td className="num">{format.number(now)}</td>
                <td className="num">{before === null ? '–' : format.number(before)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
