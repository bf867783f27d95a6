import { Layer, Source } from '@vis.gl/react-maplibre'
import { useMemo, useState } from 'react'
import type { Itinerary, LngLat } from '@/api/model'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { bboxOf } from '@/ui/map/geo'
import { MapCanvas } from '@/ui/map/MapCanvas'
import { usePalette } from '@/ui/map/usePalette'
import classes from './line-editor.module.css'

type MultiLine = NonNullable<Itinerary['line']>

export interface LineEditorProps {
  label: string
  line: MultiLine | null
  color: string | null
  busy?: boolean
  onSave?: (line: MultiLine) => void
}

/** The line on the map; a new one is drawn press by press, and replaces the old one when it is saved. */
export default function LineEditor({ label, line, color, busy = false, onSave }: LineEditorProps) {
  const { t } = useTranslation('itineraries')
  const palette = usePalette()
  const [drawn, setDrawn] = useState<readonly LngLat[] | null>(null)
  const shown = useMemo<MultiLine>(() => (drawn === null ? (line ?? { type: 'MultiLineString', coordinates: [] }) : { type: 'MultiLineString', coordinates: [drawn.map(([lon, lat]) => [lon, lat])] }), [drawn, line])
  const [start] = useState(() => bboxOf((line?.coordinates ?? []).flat()))
  const drawing = drawn !== null
  return (
    <div className={classes['frame']}>
      <div className={classes['map']}>
        <MapCanvas label={label} bounds={start} cursor={drawing ? 'crosshair' : 'grab'} onClick={({ lngLat }) => drawing && setDrawn([...drawn, [Math.round(lngLat.lng * 1e6) / 1e6, Math.round(lngLat.lat * 1e6) / 1e6]])}>
          <Source id="itinerary" type="geojson" data={{ type: 'Feature', properties: {}, geometry: shown }}>
            <Layer id="itinerary-case" type="line" layout={{ 'line-cap': 'round', 'line-join': 'round' }} paint={{ 'line-color': palette.casing, 'line-width': 9 }} />
            <Layer id="itinerary-line" type="line" layout={{ 'line-cap': 'round', 'line-join': 'round' }} paint={{ 'line-color': color ?? palette.planned, 'line-width': 5 }} />
          </Source>
          {drawing && (
            <Source id="drawn" type="geojson" data={{ type: 'Feature', properties: {}, geometry: { type: 'MultiPoint', coordinates: drawn.map(([lon, lat]) => [lon, lat]) } }}>
              <Layer id="drawn-points" type="circle" paint={{ 'circle-radius': 5, 'circle-color': palette.casing, 'circle-stroke-color': palette.planned, 'circle-stroke-width': 2 }} />
            </Source>
          )}
        </MapCanvas>
      </div>
      {onSave && (
        <div className="row wrap">
          {drawing ? (
            <>
              <span className="small" role="status">
                {t('points', { count: drawn.length })}
              </span>
              <Button size="small" disabledReason={drawn.length === 0 ? t('noPoint') : undefined} onClick={() => setDrawn(drawn.slice(0, -1))}>
                {t('undoPoint')}
              </Button>
              <Button size="small" look="primary" busy={busy} disabledReason={drawn.length < 2 ? t('twoPoints') : undefined} onClick={() => onSave(shown)}>
                {t('saveLine')}
              </Button>
              <Button size="small" look="ghost" onClick={() => setDrawn(null)}>
                {t('common:cancel')}
              </Button>
            </>
          ) : (
            <Button size="small" onClick={() => setDrawn([])}>
              {t('draw')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
