import type { PointerEvent } from 'react'
import { useTranslation } from '@/i18n'
import type { RibbonPart } from '@/api/types'
import { format } from '@/ui/format'
import { useCursor, useCursorStore } from '@/records/map/cursor'
import classes from './Ribbon.module.css'

export interface RibbonProps {
  /** In order along the trace; what none covers is drawn as planned. */
  stretches: readonly RibbonPart[]
  /** The whole line is the source's (no planner). */
  source?: boolean
  /** `cell` in a list, `sheet` above a sheet or under the profile. */
  size?: 'cell' | 'sheet'
  /** The length of the trace: the ribbon then moves and follows the shared cursor. */
  lengthM?: number
}

/** The ruban: the trace unrolled as a straight strip, coloured by stretch. */
export function Ribbon({ stretches, source = false, size = 'cell', lengthM }: RibbonProps) {
  const { t } = useTranslation()
  const special = stretches.filter(({ kind }) => kind !== 'planned')
  const share = (kind: RibbonPart['kind']) =>
    special.filter((stretch) => stretch.kind === kind).reduce((sum, { from, to }) => sum + to - from, 0)
  const parts = (['off_network', 'unjudged', 'closed'] as const)
    .filter((kind) => share(kind) > 0)
    .map((kind) => t(`ribbon.${kind}`, { share: format.percent(100 * share(kind)) }))
  const label = parts.length === 0 ? t(source ? 'ribbon.source' : 'ribbon.whole') : format.list(parts)
  return (
    <span className={classes['ribbon']} data-size={size} role="img" aria-label={label} title={label}>
      <span className={classes['line']} data-source={source || undefined} />
      {special.map(({ from, to, kind }) => (
        <span
          key={`${kind}${from}`}
          className={classes['stretch']}
          data-kind={kind}
          style={{ left: `${from * 100}%`, width: `${Math.max(0, to - from) * 100}%` }}
        />
      ))}
      {lengthM !== undefined && lengthM > 0 && <RibbonCursor lengthM={lengthM} />}
    </span>
  )
}

function RibbonCursor({ lengthM }: { lengthM: number }) {
  const store = useCursorStore()
  const { atM } = useCursor()
  const follow = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    store.set(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * lengthM, 'ribbon')
  }
  return (
    <span className={classes['reach']} onPointerMove={follow} onPointerLeave={() => store.set(null, 'ribbon')}>
      {atM !== null && <span className={classes['cursor']} style={{ left: `${(atM / lengthM) * 100}%` }} />}
    </span>
  )
}

/** The glyphe: the shape of the trace as a picture of 40 px; `path` is an SVG path in a box of 40 by 40. */
export function Glyph({ path, source = false, size = 40 }: { path: string | null; source?: boolean; size?: number }) {
  const start = path?.match(/^M\s*(-?[\d.]+)[ ,]\s*(-?[\d.]+)/)
  return (
    <svg className={classes['glyph']} data-source={source || undefined} viewBox="0 0 40 40" width={size} height={size} aria-hidden="true">
      {path === null ? <path d="M10 27c5-12 7 2 11-6s5-7 9-8" className={classes['absent']} /> : <path d={path} />}
      {start && <circle cx={start[1]} cy={start[2]} r="2.6" />}
    </svg>
  )
}
