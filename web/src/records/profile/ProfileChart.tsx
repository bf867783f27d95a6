import { useComputedColorScheme } from '@mantine/core'
import { useResizeObserver } from '@mantine/hooks'
import { useDeferredValue, useEffect, useMemo, useRef, type KeyboardEvent } from 'react'
import { useTranslation } from '@/i18n'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useCursor, useCursorEffect, useCursorStore } from '@/records/map/cursor'
import { positionAt, type MeasuredLine } from '@/records/map/line'
import { palettes } from '@/records/map/palette'
import { format } from '@/ui/format'
import { plotArea } from './plot-area'
import classes from './ProfileChart.module.css'
import { profileSamples, slopePercent, steepestKilometre } from './samples'
import { stretchHooks, type ProfileStretch } from './stretches'

export interface ProfileChartProps {
  line: MeasuredLine
  /** The colour of the curve. */
  kind?: 'planned' | 'source'
  /** Hatched under the curve. */
  stretches?: readonly ProfileStretch[]
  /** Ticks with their letter or number. */
  marks?: readonly { atM: number; text: string }[]
  height?: number
  /** A press on the chart: the place, metres from the start. */
  onPick?: (atM: number) => void
}

/** The height of the trace along its length; moves and follows the shared cursor, by mouse, touch and keyboard. */
export default function ProfileChart({ line, kind = 'planned', stretches = [], marks = [], height = 140, onPick }: ProfileChartProps) {
  const { t } = useTranslation()
  const scheme = useComputedColorScheme('light')
  const [observe, { width }] = useResizeObserver<HTMLDivElement>()
  const ref = useRef<HTMLDivElement>(null)
  const store = useCursorStore()
  const chart = useRef<UPlot | null>(null)
  const pick = useRef(onPick)
  useEffect(() => {
    pick.current = onPick
  })
  const drawn = useDeferredValue(line)
  const samples = useMemo(() => profileSamples(drawn), [drawn])
  const steepest = useMemo(() => steepestKilometre(drawn), [drawn])

  useEffect(() => {
    const host = ref.current
    if (host === null || width === 0) return undefined
    const css = getComputedStyle(document.documentElement)
    const ink = css.getPropertyValue('--text-3')
    const colour = palettes[scheme][kind]
    const plot = new UPlot(
      {
        width,
        height,
        legend: { show: false },
        padding: [marks.length > 0 ? 18 : 8, plotArea.rightPx, 0, 0],
        cursor: { drag: { x: false, y: false }, y: false, points: { size: 9, fill: colour, stroke: '#fff', width: 2 } },
        scales: {
          x: { time: false, range: [0, Math.max(0.001, line.lengthM / 1000)] },
          y: { range: (_, low, high) => roundRange(low, high) },
        },
        axes: [
          {
            stroke: ink,
            font: '11px Inter Variable',
            size: 24,
            grid: { show: false },
            ticks: { show: false },
            values: (_, km) => format.axisKm(km),
          },
          {
            stroke: ink,
            font: '11px Inter Variable',
            size: plotArea.leftPx,
            grid: { stroke: css.getPropertyValue('--border'), width: 1 },
            ticks: { show: false },
            space: 18,
            values: (_, m) => m.map((value) => format.metres(value)),
          },
        ],
        series: [{}, { stroke: colour, width: 2, fill: `${colour}1c`, points: { show: false }, spanGaps: false }],
        hooks: {
          ...stretchHooks(stretches, marks, palettes[scheme]),
          setCursor: [
            (plotted: UPlot) => {
              const { left, event } = plotted.cursor
              // Only the user's pointer on the chart moves the shared cursor; a cursor that is set by code has no event.
              if (event && left !== undefined) store.set(left < 0 ? null : plotted.posToVal(left, 'x') * 1000, 'profile')
            },
          ],
        },
      },
      [samples.km, samples.ele],
      host,
    )
    const onClick = () => {
      const { left } = plot.cursor
      if (left !== undefined && left >= 0) pick.current?.(plot.posToVal(left, 'x') * 1000)
    }
    plot.over.addEventListener('click', onClick)
    chart.current = plot
    return () => {
      chart.current = null
      plot.destroy()
    }
  }, [ref, width, height, line, samples, scheme, kind, stretches, marks, store])

  useCursorEffect(({ atM, origin }) => {
    const plot = chart.current
    if (plot === null || origin === 'profile') return
    if (atM === null) plot.setCursor({ left: -10, top: -10 }, false)
    else plot.setCursor({ left: plot.valToPos(atM / 1000, 'x'), top: 1 }, false)
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const now = store.get().atM ?? 0
    const step = event.shiftKey ? 1000 : Math.max(10, line.lengthM / 200)
    const next = {
      ArrowRight: now + step,
      ArrowUp: now + step,
      ArrowLeft: now - step,
      ArrowDown: now - step,
      Home: 0,
      End: line.lengthM,
      PageUp: now + line.lengthM / 10,
      PageDown: now - line.lengthM / 10,
    }[event.key]
    if (event.key === 'Enter' && onPick) onPick(now)
    else if (next !== undefined) store.set(Math.min(line.lengthM, Math.max(0, next)), 'keyboard')
    else return
    event.preventDefault()
  }
  if (samples.minEle === null) return <p className={classes['none']}>{t('profile.noElevation')}</p>
  return (
    <div className={classes['frame']} style={{ minHeight: height }}>
      <ProfileSlider
        line={line}
        label={t('profile.label', { min: format.metres(samples.minEle), max: format.metres(samples.maxEle ?? 0) })}
        onKeyDown={onKeyDown}
      >
        <div
          ref={(node) => {
            ref.current = node
            return observe(node)
          }}
          aria-hidden="true"
        />
      </ProfileSlider>
      {steepest !== null && (
        <p className={classes['steepest']}>
          {t('profile.steepest', {
            percent: format.signedPercent(steepest.percent),
            from: format.number(steepest.fromM / 1000, 1),
            to: format.number(steepest.toM / 1000, 1),
          })}
        </p>
      )}
    </div>
  )
}

function roundRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 100]
  const room = Math.max(20, (high - low) * 0.12)
  return [Math.floor((low - room) / 10) * 10, Math.ceil((high + room) / 10) * 10]
}

const plot = `(100% - ${plotArea.leftPx + plotArea.rightPx}px)`

/** For keyboards and screen readers: a slider whose value is the distance and the height there. */
function ProfileSlider({
  line,
  label,
  onKeyDown,
  children,
}: {
  line: MeasuredLine
  label: string
  onKeyDown: (event: KeyboardEvent) => void
  children: React.ReactNode
}) {
  const { t } = useTranslation()
  const { atM } = useCursor()
  const there = atM === null ? null : positionAt(line, atM)
  const slope = atM === null ? null : slopePercent(line, atM)
  const parts =
    atM === null
      ? []
      : [
          t('profile.at', { km: format.number(atM / 1000, 1) }),
          ...(there?.[2] === undefined ? [] : [format.metres(there[2])]),
          ...(slope === null ? [] : [t('profile.slope', { percent: format.signedPercent(slope) })]),
        ]
  const share = atM === null || line.lengthM === 0 ? 0 : Math.min(1, atM / line.lengthM)
  return (
    <div
      className={classes['slider']}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.round(line.lengthM)}
      aria-valuenow={Math.round(atM ?? 0)}
      aria-valuetext={parts.length > 0 ? parts.join(', ') : undefined}
      onKeyDown={onKeyDown}
    >
      {children}
      {parts.length > 0 && (
        <output
          className={classes['reading']}
          style={
            share < 0.6
              ? { left: `calc(${plotArea.leftPx}px + ${plot} * ${share} + 10px)` }
              : { right: `calc(${plot} * ${1 - share} + 20px)` }
          }
        >
          {parts.join(' · ')}
        </output>
      )}
    </div>
  )
}
