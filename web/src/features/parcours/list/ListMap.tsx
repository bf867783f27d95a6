import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { ParcoursMap } from '@/api/types'
import { useTranslation } from '@/i18n'
import { textOf } from '@/ui/format'
import { useHighlighted, type HighlightStore } from '@/records/list/highlight'
import { TraceLine } from '@/records/map/layers'
import { firstView, PointsMap } from '@/records/map/PointsMap'
import { parcoursMapQuery } from './queries'

const none: ParcoursMap['clusters'] = []

export interface ListMapProps {
  /** The list's filters, without the map's own. */
  filters: Record<string, string>
  /** The box the list is narrowed to, while it follows the map. */
  bbox: string | undefined
  onBbox: (bbox: string | undefined) => void
  highlight: HighlightStore
}

/** The parcours of the list on the ground: clusters from afar, their lines from near, the one pointed at in full. */
export default function ListMap({ filters, bbox, onBbox, highlight }: ListMapProps) {
  const { t } = useTranslation('parcours')
  const [view, setView] = useState(() => firstView(bbox))
  const { data } = useQuery(parcoursMapQuery(filters, view.bbox, view.zoom))
  const items = useMemo(() => data?.items ?? [], [data])
  const points = useMemo(
    () =>
      items.map(({ id, title, start, closed }) => ({
        id,
        title: closed ? t('map.closed', { title: textOf(title) }) : textOf(title),
        at: start,
        closed,
      })),
    [items, t],
  )
  const navigate = useNavigate()
  return (
    <PointsMap
      label={t('map.label')}
      points={points}
      clusters={data?.clusters ?? none}
      bbox={bbox}
      onBbox={onBbox}
      onView={setView}
      onOpen={(id) => void navigate({ to: '/parcours/$id', params: { id: String(id) } })}
      openLabel={(title) => t('map.open', { title })}
      clusterLabel={(count) => t('map.cluster', { count })}
      highlight={highlight}
    >
      <Lines items={items} highlight={highlight} />
    </PointsMap>
  )
}

/** The lines of those in sight; the one pointed at in full. */
function Lines({ items, highlight }: { items: ParcoursMap['items']; highlight: HighlightStore }) {
  const id = useHighlighted(highlight)
  const bright = items.find((item) => item.id === id)
  const faint = useMemo(() => items.flatMap(({ id: one, line }) => (line === null || one === id ? [] : [line])), [items, id])
  return (
    <>
      <TraceLine id="others" kind="planned" lines={faint} faint />
      {bright?.line && <TraceLine id="bright" kind="planned" lines={[bright.line]} selected />}
    </>
  )
}
