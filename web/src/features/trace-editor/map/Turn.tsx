import { Marker, useMap } from '@vis.gl/react-maplibre'
import { useEffect } from 'react'
import { useEditorState } from '../editor/context'
import { turnIcons } from '../panels/guidance/turn-icons'
import classes from './map.module.css'

/** Marks the place of the chosen sentence. */
export function Turn() {
  const { current: map } = useMap()
  const turn = useEditorState((state) => state.turn)
  const [lon, lat] = turn?.position ?? []
  useEffect(() => {
    if (!map || lon === undefined || lat === undefined) return
    if (!map.getBounds()?.contains([lon, lat])) map.easeTo({ center: [lon, lat], zoom: Math.max(map.getZoom(), 14), duration: 200 })
  }, [map, lon, lat])
  if (!turn || lon === undefined || lat === undefined) return null
  const Mark = turnIcons[turn.kind]
  return (
    <Marker longitude={lon} latitude={lat} anchor="bottom" offset={[0, -6]} style={{ zIndex: 6, pointerEvents: 'none' }}>
      <span className={classes['turn']} aria-hidden="true">
        <Mark size={20} stroke={2} />
      </span>
    </Marker>
  )
}
