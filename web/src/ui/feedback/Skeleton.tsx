import type { CSSProperties } from 'react'
import classes from './Skeleton.module.css'

/** The grey shape of something on its way; shown after 150 ms, so that what is quick never flashes. */
export function Skeleton({ height = 12, width = '100%', radius = 'var(--r-1)' }: { height?: number | string; width?: number | string; radius?: CSSProperties['borderRadius'] }) {
  return <span className={classes['bone']} style={{ height, width, borderRadius: radius }} aria-hidden="true" />
}
