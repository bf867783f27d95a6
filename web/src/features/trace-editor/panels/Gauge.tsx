import { useId } from 'react'
import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'
import classes from './reliability.module.css'

/** The index in relation to the threshold; hatched, the gain of the fixes. */
export function Gauge({ percent, reachable, threshold }: { percent: number; reachable: number | null; threshold: number }) {
  const { t } = useTranslation('trace')
  const hatch = useId()
  const low = Math.min(80, Math.max(0, Math.floor(percent / 10) * 10 - (percent % 10 < 2 ? 10 : 0)))
  const x = (value: number) => `${(100 * Math.max(0, value - low)) / (100 - low)}%`
  const width = (from: number, to: number) => `${(100 * Math.max(0, to - Math.max(low, from))) / (100 - low)}%`
  return (
    <div className={classes['gauge']} role="img" aria-label={t('reliability.gauge', { percent: format.percent(percent), low, threshold })}>
      <svg width="100%" height="16" aria-hidden="true">
        <defs>
          <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="5" height="5" fill="var(--ok-soft)" />
            <rect width="1.8" height="5" fill="var(--ok)" />
          </pattern>
        </defs>
        <rect y="4" width="100%" height="8" rx="4" fill="var(--sunken)" />
        {reachable !== null && <rect x={x(percent)} y="4" width={width(percent, reachable)} height="8" fill={`url(#${hatch})`} />}
        <rect y="4" width={x(percent)} height="8" rx="4" fill={percent < threshold ? 'var(--warn)' : 'var(--ok)'} />
        <line x1={x(threshold)} x2={x(threshold)} y1="0" y2="16" stroke="var(--text)" strokeWidth="2" />
      </svg>
      <span className="num" style={{ left: x(threshold) }} aria-hidden="true">
        {threshold}
      </span>
    </div>
  )
}
