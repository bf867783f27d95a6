import { Layer, Marker, Source } from '@vis.gl/react-maplibre'
import { useMemo, useState } from 'react'
import type { Bounds } from '@/api/types'
import { useTranslation } from '@/i18n'
import type { Bbox } from '@/records/map/geo'
import { MapCanvas } from '@/records/map/MapCanvas'
import { usePalette } from '@/records/map/usePalette'
import classes from './PointField.module.css'

const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5
const boxOf = ({ sw, ne }: Bounds): Bbox => [Math.min(sw[0], ne[0]), Math.min(sw[1], ne[1]), Math.max(sw[0], ne[0]), Math.max(sw[1], ne[1])]

/** The four corners: which side each of them moves. */
const corners = [
  { x: 'sw', y: 'ne' },
  { x: 'ne', y: 'ne' },
  { x: 'ne', y: 'sw' },
  { x: 'sw', y: 'sw' },
] as const

/** The box on the map, by its corners. The fields beside it do the same without a mouse. */
export default function BoundsMap({ label, value, onChange }: { label: string; value: Bounds | null; onChange: (bounds: Bounds) => void }) {
  const { t } = useTranslation()
  const palette = usePalette()
  const [start] = useState(() => (value === null ? null : boxOf(value)))
  const ring = useMemo(() => {
    if (value === null) return []
    const { sw, ne } = value
    return [sw, [ne[0], sw[1]], ne, [sw[0], ne[1]], sw]
  }, [value])
  return (
    <MapCanvas label={label} bounds={start}>
      <Source id="bounds" type="geojson" data={{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: ring } }}>
        <Layer id="bounds-line" type="line" paint={{ 'line-color': palette.primary, 'line-width': 2, 'line-dasharray': [3, 2] }} />
      </Source>
      {value !== null &&
        corners.map(({ x, y }) => (
          <Marker
            key={`${x} ${y}`}
            longitude={value[x][0]}
            latitude={value[y][1]}
            anchor="center"
            draggable
            onDrag={({ lngLat }) => {
              const sw: [number, number] = [...value.sw]
              const ne: [number, number] = [...value.ne]
              ;(x === 'sw' ? sw : ne)[0] = round(lngLat.lng)
              ;(y === 'sw' ? sw : ne)[1] = round(lngLat.lat)
              onChange({ sw, ne })
            }}
          >
            <span className={classes['corner']} style={{ display: 'block' }} title={t('form.boundsCorner')} aria-hidden="true" />
          </Marker>
        ))}
    </MapCanvas>
  )
}
