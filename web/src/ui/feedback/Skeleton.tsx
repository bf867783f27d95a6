import type { CSSProperties } from 'react'
import classes from './Skeleton.module.css'

/** A grey placeholder while something loads; shown after 150 ms, so that fast answers do not flash. */
export function Skeleton({
  height = 12,
  width = '100%',
  radius = 'var(--r-1)',
}: {
  height?: number | string
  width?: number | string
  radius?: CSSProperties['borderRadius']
}) {
  return <span className={classes['bone']} style={{ height, width, borderRadius: radius }} aria-hidden="true" />
}
