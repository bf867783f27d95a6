import { Marker } from '@vis.gl/react-maplibre'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LngLat, WatchChange } from '@/api/types'
import { useTranslation } from '@/i18n'
import { textOf } from '@/ui/format'
import { bboxOf } from '@/records/map/geo'
import { TraceLine } from '@/records/map/layers'
import { MapCanvas } from '@/records/map/MapCanvas'
import { letterOf, useCause } from './cause'
import classes from './network-watch.module.css'
import { lineQuery } from './watch'

/** Room for the legend and the letters. */
const room = { top: 76, right: 56, bottom: 40, left: 40 }

interface ChangeMapProps {
  change: WatchChange
  stretch: number | null
  onStretch: (rank: number | null) => void
}

/** The stretches that changed, over the line of the parcours: rungs where no way fits any more, solid where one fits again, each with its letter. */
export default function ChangeMap({ change, stretch, onStretch }: ChangeMapProps) {
  const { t } = useTranslation('watch')
  const cause = useCause()
  const { data: line } = useQuery(lineQuery(change.parcours.id))
  const { stretches } = change
  const highlighted = stretch === null ? undefined : stretches[stretch]
  const all = useMemo(() => stretches.flatMap(({ geometry }) => geometry), [stretches])
  // The chosen stretch; else all that changed, with the whole parcours where no stretch is listed.
  const bounds = useMemo(
    () => bboxOf(highlighted && highlighted.geometry.length > 0 ? highlighted.geometry : all.length > 0 ? all : (line ?? [])),
    [highlighted, all, line],
  )
  // Coarse, it would run beside the stretch that is looked at.
  const whole = useMemo(() => (line && !highlighted ? [line] : []), [line, highlighted])
  const fits = useMemo(() => stretches.filter(({ cause: now }) => now === 'now_on_way').map(({ geometry }) => geometry), [stretches])
  const off = useMemo(() => stretches.filter(({ cause: now }) => now !== 'now_on_way').map(({ geometry }) => geometry), [stretches])
  const highlightedLines = useMemo(() => (highlighted ? [highlighted.geometry] : []), [highlighted])
  return (
    <div className={classes['canvas']}>
      <MapCanvas label={t('map', { title: textOf(change.parcours.title) })} bounds={bounds} follow padding={room}>
        <TraceLine id="whole" kind="planned" lines={whole} look="faint" />
        <TraceLine id="fits" kind="planned" lines={fits} />
        <TraceLine id="off" kind="off_network" lines={off} />
        <TraceLine id="lit-fits" kind="planned" lines={highlighted?.cause === 'now_on_way' ? highlightedLines : []} look="selected" />
        <TraceLine
          id="lit-off"
          kind="off_network"
          lines={highlighted && highlighted.cause !== 'now_on_way' ? highlightedLines : []}
          look="selected"
        />
        {stretches.map((one, rank) => {
          const place: LngLat | undefined = one.geometry[Math.floor(one.geometry.length / 2)]
          return (
            place && (
              <Marker
                key={`${rank} ${one.from_km}`}
                longitude={place[0]}
                latitude={place[1]}
                offset={[18, -18]}
                style={{ zIndex: stretch === rank ? 2 : 1 }}
              >
                <button
                  type="button"
                  className={classes['letter']}
                  data-fits={one.cause === 'now_on_way' || undefined}
                  aria-label={t('tag', { letter: letterOf(rank), cause: cause(one) })}
                  onClick={() => onStretch(stretch === rank ? null : rank)}
                >
                  {letterOf(rank)}
                </button>
              </Marker>
            )
          )
        })}
      </MapCanvas>
      <ul className={classes['legend']} aria-label={t('trace:legend.label')}>
        <li>
          <span className={classes['letter']} aria-hidden="true">
            A
          </span>
          {t('legend.off')}
        </li>
        <li>
          <span className={classes['letter']} data-fits aria-hidden="true">
            A
          </span>
          {t('legend.fits')}
        </li>
      </ul>
    </div>
  )
}
