import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useMemo, useState } from 'react'
import { api, unwrap } from '@/api/client'
import type { LngLat } from '@/api/types'
import { useTranslation } from '@/i18n'
import { TraceLine } from '@/records/map/layers'
import { bboxOf } from '@/records/map/geo'
import { usePalette } from '@/records/map/usePalette'
import { ShapeEditor } from '@/records/shape/ShapeEditor'
import type { ShapeKind } from '@/records/shape/shape'

/** The place on the map, over the parcours that pass there. */
export default function ClosureMap({
  kind,
  points,
  onChange,
}: {
  kind: ShapeKind
  points: readonly LngLat[]
  onChange?: (points: LngLat[]) => void
}) {
  const { t } = useTranslation('closures')
  const [start] = useState(() => bboxOf(points))
  const palette = usePalette()
  return (
    <ShapeEditor label={t('map')} kind={kind} points={points} bounds={start} color={palette.closed} {...(onChange ? { onChange } : {})}>
      <Around />
    </ShapeEditor>
  )
}

/** The parcours within the view of the map, as a background for the drawing. */
function Around() {
  const { current: map } = useMap()
  const [view, setView] = useState<{ bbox: string; zoom: number } | null>(null)
  useEffect(() => {
    if (!map) return undefined
    const look = () =>
      setView({
        bbox: map
          .getBounds()
          .toArray()
          .flat()
          .map((degrees) => degrees.toFixed(4))
          .join(','),
        zoom: Math.round(map.getZoom()),
      })
    look()
    map.on('moveend', look)
    return () => void map.off('moveend', look)
  }, [map])
  const found = useQuery({
    queryKey: ['parcours', 'map', 'closures', view],
    queryFn: () => unwrap(api.GET('/api/v1/parcours/map', { params: { query: { ...view } } })),
    enabled: view !== null,
    placeholderData: keepPreviousData,
  })
  const lines = useMemo(() => (found.data?.items ?? []).flatMap(({ line }) => (line === null ? [] : [line])), [found.data])
  return <TraceLine id="around" kind="planned" lines={lines} look="faint" />
}
