import type { MapRef } from '@vis.gl/react-maplibre'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import type { LngLat } from '@/api/types'
import { Cross } from './Cross'
import { rounded } from './nudge'
import classes from './CrossFrame.module.css'

/** The place in the middle of a map. */
export function placeAtCross(map: RefObject<MapRef | null>): LngLat | undefined {
  const centre = map.current?.getCenter()
  return centre && rounded([centre.lng, centre.lat])
}

/**
 * The frame of a map on which a place is chosen without a mouse: the map's own arrows bring the place under the cross, which is in the
 * middle while the map has the focus, and Enter takes it. Without `onPlace` the map is only looked at.
 */
export function CrossFrame({
  map,
  onPlace,
  children,
}: {
  map: RefObject<MapRef | null>
  onPlace: ((place: LngLat) => void) | undefined
  children: ReactNode
}) {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLCanvasElement) || onPlace === undefined) return
    event.preventDefault()
    const place = placeAtCross(map)
    if (place !== undefined) onPlace(place)
  }
  return (
    // The keys are the map's own: its canvas has the focus, this only listens.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes['frame']} onKeyDown={onKey}>
      {children}
      {onPlace !== undefined && <Cross />}
    </div>
  )
}
