import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { callApi } from '@/api/resource'
import type { PointsMap as Points } from '@/api/model'
import { useTranslation } from '@/i18n'
import { textOf } from '@/ui/format'
import type { Lit } from '@/ui/list/lit'
import { firstView, PointsMap } from '@/ui/map/PointsMap'
import { records } from './data'

const none: Points['clusters'] = []

export interface RecordMapProps {
  query: Record<string, string | number | undefined>
  lit: Lit
  onFilter: (key: string, value: string | undefined) => void
}

/** The records of the list on the ground. */
export default function RecordMap({ query, lit, onFilter }: RecordMapProps) {
  const { t } = useTranslation('sit')
  const { page: _page, per_page: _size, sort: _sort, bbox, ...filters } = query
  const kept = typeof bbox === 'string' ? bbox : undefined
  const [view, setView] = useState(() => firstView(kept))
  const { data } = useQuery({
    queryKey: ['sit', 'map', filters, view],
    queryFn: () => callApi<Points>('GET', `${records}/map`, { query: { ...filters, bbox: view.bbox, zoom: view.zoom } }),
    placeholderData: keepPreviousData,
  })
  const points = useMemo(() => (data?.items ?? []).map(({ id, title, position }) => ({ id, title: textOf(title), at: position })), [data])
  const navigate = useNavigate()
  return (
    <PointsMap
      label={t('map.label')}
      points={points}
      clusters={data?.clusters ?? none}
      bbox={kept}
      onBbox={(box) => onFilter('bbox', box)}
      onView={setView}
      onOpen={(id) => void navigate({ to: `/settings/pois-sit/fr/${id}` as never })}
      openLabel={(title) => t('map.open', { title })}
      clusterLabel={(count) => t('map.cluster', { count })}
      lit={lit}
    />
  )
}
