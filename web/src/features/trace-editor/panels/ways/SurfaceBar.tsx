import type { Route } from '@/api/types'
import { shares } from '../../logic/ways'
import classes from './ways.module.css'

/** The surfaces as a strip; the words beside it say the same. */
export function SurfaceBar({ surfaces }: { surfaces: Route['surfaces'] }) {
  const parts = shares(surfaces.map(({ surface, length_m }) => ({ name: surface, length_m }))).filter(({ share }) => share > 0.004)
  return (
    <span className={classes['bar']} aria-hidden="true">
      {parts.map(({ name, share }) => (
        <span key={name} data-surface={name} style={{ flexGrow: share }} />
      ))}
    </span>
  )
}
