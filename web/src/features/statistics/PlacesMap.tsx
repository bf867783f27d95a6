import { Marker } from '@vis.gl/react-maplibre'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { QueryParams } from '@/api/resource'
import { useTranslation } from '@/i18n'
import { format, textOf } from '@/ui/format'
import { bboxOf } from '@/records/map/geo'
import { MapCanvas } from '@/records/map/MapCanvas'
import { placesQuery, type Kind } from './statistics'
import classes from './statistics.module.css'

/** More discs would be unreadable; the table beside the map has them all. */
const SHOWN = 150

/** The departures of the parcours: the larger the count, the larger the disc. */
export default function PlacesMap({ query, kind }: { query: QueryParams; kind: Kind }) {
  const { t } = useTranslation('statistics')
  const { data = [] } = useQuery(placesQuery(query, kind))
  const [near, setNear] = useState<number | null>(null)
  const places = data.slice(0, SHOWN)
  const most = Math.max(1, ...places.map(({ counts }) => counts[kind]))
  const bounds = places.length === 0 ? null : bboxOf(places.map(({ position }) => position))
  const words = (title: string, count: number) => t('map.point', { title, count: format.number(count) })
  const pointed = places.find(({ parcours_id }) => parcours_id === near)
  return (
    <>
      <MapCanvas label={t('map.label')} bounds={bounds} follow padding={48}>
        {places.map(({ parcours_id, title, position: [lon, lat], counts }) => {
          // The surface says how many.
          const side = Math.round(14 + 42 * Math.sqrt(counts[kind] / most))
          return (
            <Marker key={parcours_id} longitude={lon} latitude={lat} anchor="center">
              <button
                type="button"
                className={classes['disc']}
                style={{ width: side, height: side }}
                aria-label={words(textOf(title), counts[kind])}
                onMouseEnter={() => setNear(parcours_id)}
                onMouseLeave={() => setNear(null)}
                onFocus={() => setNear(parcours_id)}
                onBlur={() => setNear(null)}
                onClick={() => setNear(parcours_id)}
              />
            </Marker>
          )
        })}
      </MapCanvas>
      {pointed && (
        <p className={classes['card']} role="status">
          {words(textOf(pointed.title), pointed.counts[kind])}
        </p>
      )}
    </>
  )
}
