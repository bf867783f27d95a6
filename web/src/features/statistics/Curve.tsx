import { useResizeObserver } from '@mantine/hooks'
import { useState, type Ref } from 'react'
import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'
import { marksUpTo, namedPoints } from './scale'
import classes from './statistics.module.css'

export interface CurvePoint {
  /** The label of the point: « 12 oct. ». */
  name: string
  now: number
  before: number | null
}

const height = 220
const room = { top: 10, right: 12, bottom: 26, left: 48 }
const NAME_PX = 86

/** A curve over the one of the time before. The table beneath it says the same: the drawing is one picture with a name. */
export function Curve({ label, points, ref }: { label: string; points: readonly CurvePoint[]; ref?: Ref<SVGSVGElement> }) {
  const { t } = useTranslation('statistics')
  const [observe, { width: seen }] = useResizeObserver<HTMLDivElement>()
  const [at, setAt] = useState<number | null>(null)
  const width = Math.max(280, Math.round(seen))
  const marks = marksUpTo(Math.max(0, ...points.flatMap(({ now, before }) => [now, before ?? 0])))
  const inner = { width: width - room.left - room.right, height: height - room.top - room.bottom }
  const x = (rank: number) => room.left + (points.length < 2 ? inner.width / 2 : (rank / (points.length - 1)) * inner.width)
  const y = (value: number) => room.top + inner.height * (1 - value / (marks.at(-1) ?? 1))
  const path = (values: readonly (number | null)[]) =>
    values.flatMap((value, rank) => (value === null ? [] : [`${x(rank).toFixed(1)} ${y(value).toFixed(1)}`])).join(' L')
  const now = path(points.map((point) => point.now))
  const before = path(points.map((point) => point.before))
  const pointed = at === null ? undefined : points[at]
  return (
    <div
      ref={observe}
      className={classes['curve']}
      onPointerMove={({ clientX, currentTarget }) => {
        const share = (clientX - currentTarget.getBoundingClientRect().left - room.left) / inner.width
        setAt(Math.min(points.length - 1, Math.max(0, Math.round(share * (points.length - 1)))))
      }}
      onPointerLeave={() => setAt(null)}
    >
      <svg ref={ref} role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {marks.map((mark) => (
          <g key={mark}>
            <line className={classes['gridLine']} x1={room.left} x2={width - room.right} y1={y(mark)} y2={y(mark)} />
            <text className={classes['axis']} x={room.left - 8} y={y(mark) + 4} textAnchor="end">
              {format.number(mark)}
            </text>
          </g>
        ))}
        {namedPoints(points.length, inner.width, NAME_PX).map((rank) => (
          <text
            key={rank}
            className={classes['axis']}
            x={x(rank)}
            y={height - 8}
            textAnchor={rank === 0 ? 'start' : rank === points.length - 1 ? 'end' : 'middle'}
          >
            {points[rank]?.name}
          </text>
        ))}
        {points.length > 1 && <path className={classes['area']} d={`M${x(0)} ${y(0)} L${now} L${x(points.length - 1)} ${y(0)} Z`} />}
        {before !== '' && <path className={classes['lineBefore']} d={`M${before}`} />}
        <path className={classes['lineNow']} d={`M${now}`} />
        {points.length === 1 && <circle className={classes['dot']} cx={x(0)} cy={y(points[0]?.now ?? 0)} r={4} />}
        {pointed !== undefined && at !== null && (
          <>
            <line className={classes['gridLine']} x1={x(at)} x2={x(at)} y1={room.top} y2={room.top + inner.height} />
            <circle className={classes['dot']} cx={x(at)} cy={y(pointed.now)} r={4} />
          </>
        )}
      </svg>
      {pointed !== undefined && at !== null && (
        <p className={classes['tip']} style={x(at) > width / 2 ? { right: width - x(at) + 10 } : { left: x(at) + 10 }} aria-hidden="true">
          {pointed.name}
          <br />
          <strong className="num">{format.number(pointed.now)}</strong>
          {pointed.before !== null && <span className="muted num"> {t('beforeShort', { count: format.number(pointed.before) })}</span>}
        </p>
      )}
    </div>
  )
}
