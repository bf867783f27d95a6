import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { PoiMap as Points } from '@/api/types'
import { textOf } from '@/ui/format'
import type { View } from '@/records/map/points'
import { PointsView } from '@/records/map/PointsView'
import type { HighlightStore } from './highlight'

/** The position and the title of each record. */
type RecordPoints = Omit<Points, 'items'> & { items: Omit<Points['items'][number], 'published'>[] }

const none: Points['clusters'] = []

export interface RecordsMapProps {
  query: Record<string, string | number | undefined>
  highlight: HighlightStore
  onFilter: (key: string, value: string | undefined) => void
}

/** What differs between the maps of lists: the label, the request for points, the page of a record. */
export interface RecordsMapOf {
  queryKey: string
  /** Requests the points by filters, box of the map and zoom. */
  read: (query: Record<string, string | number | undefined>) => Promise<RecordPoints>
  pageOf: (id: number) => string
  label: string
  openLabel: (title: string) => string
  clusterLabel: (count: number) => string
}

/** The map beside a list: it has the filters of the list, but not its page and order; its box is that of the map. */
export function RecordsMap({
  query,
  highlight,
  onFilter,
  queryKey,
  read,
  pageOf,
  label,
  openLabel,
  clusterLabel,
}: RecordsMapProps & RecordsMapOf) {
  const { page: _page, per_page: _size, sort: _sort, bbox, ...filters } = query
  const kept = typeof bbox === 'string' ? bbox : undefined
  // Known once the map is laid out.
  const [view, setView] = useState<View | null>(null)
  const { data } = useQuery({
    queryKey: [queryKey, 'map', filters, view],
    queryFn: () => read({ ...filters, ...view }),
    enabled: view !== null,
    placeholderData: keepPreviousData,
  })
  const points = useMemo(() => (data?.items ?? []).map(({ id, title, position }) => ({ id, title: textOf(title), at: position })), [data])
  const navigate = useNavigate()
  return (
    <PointsView
      label={label}
      points={points}
      clusters={data?.clusters ?? none}
      bbox={kept}
      onBbox={(box) => onFilter('bbox', box)}
      onView={setView}
      onOpen={(id) => void navigate({ to: pageOf(id) })}
      openLabel={openLabel}
      clusterLabel={clusterLabel}
      highlight={highlight}
    />
  )
}
