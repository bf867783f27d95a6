import { Layer, Source } from '@vis.gl/react-maplibre'
import { useState } from 'react'
import type { Itinerary, LngLat } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { bboxOf } from '@/records/map/geo'
import { usePalette } from '@/records/map/usePalette'
import { ShapeEditor } from '@/records/shape/ShapeEditor'

type MultiLine = NonNullable<Itinerary['line']>

export interface LineEditorProps {
  label: string
  line: MultiLine | null
  color: string | null
  busy?: boolean
  onSave?: (line: MultiLine) => void
}

/** A line with more points is too long to be edited point by point. */
const mostPoints = 200

/** The points of a line that is in one piece and short enough to be changed point by point. */
function pointsOf(line: MultiLine | null): LngLat[] | null {
  const [only, ...others] = line?.coordinates ?? []
  return only === undefined || others.length > 0 || only.length > mostPoints ? null : only.map(([lon, lat]) => [lon, lat])
}

/** The line on the map; a short one is changed point by point, a new one is drawn and replaces it when it is saved. */
export default function LineEditor({ label, line, color, busy = false, onSave }: LineEditorProps) {
  const { t } = useTranslation('itineraries')
  const palette = usePalette()
  const [drawn, setDrawn] = useState<LngLat[] | null>(null)
  const [start] = useState(() => bboxOf((line?.coordinates ?? []).flat()))
  const stroke = color ?? palette.planned
  const old = pointsOf(line)
  return (
    <>
      <ShapeEditor
        label={label}
        kind="line"
        points={drawn ?? []}
        bounds={start}
        color={color}
        {...(drawn === null ? {} : { onChange: setDrawn })}
      >
        {line !== null && (
          <Source id="itinerary" type="geojson" data={{ type: 'Feature', properties: {}, geometry: line }}>
            <Layer
              id="itinerary-case"
              type="line"
              layout={{ 'line-cap': 'round', 'line-join': 'round' }}
              paint={{ 'line-color': palette.casing, 'line-width': 9, 'line-opacity': drawn === null ? 1 : 0.5 }}
            />
            <Layer
              id="itinerary-line"
              type="line"
              layout={{ 'line-cap': 'round', 'line-join': 'round' }}
              paint={{ 'line-color': stroke, 'line-width': 5, 'line-opacity': drawn === null ? 1 : 0.35 }}
            />
          </Source>
        )}
      </ShapeEditor>
      {onSave && (
        <div className="row wrap">
          {drawn === null ? (
            <>
              {old !== null && (
                <Button size="small" onClick={() => setDrawn(old)}>
                  {t('editPoints')}
                </Button>
              )}
              <Button size="small" onClick={() => setDrawn([])}>
                {t(line === null ? 'draw' : 'drawNew')}
              </Button>
            </>
          ) : (
            <>
              <Button
                size="small"
                look="primary"
                busy={busy}
                disabledReason={drawn.length < 2 ? t('twoPoints') : undefined}
                onClick={() => onSave({ type: 'MultiLineString', coordinates: [drawn] })}
              >
                {t('saveLine')}
              </Button>
              <Button size="small" look="ghost" onClick={() => setDrawn(null)}>
                {t('common:cancel')}
              </Button>
            </>
          )}
        </div>
      )}
    </>
  )
}
