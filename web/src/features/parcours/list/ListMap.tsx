import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ParcoursMap } from '@/api/types'
import { useTranslation } from '@/i18n'
import { afterFirstPaint } from '@/ui/after-first-paint'
import { textOf } from '@/ui/format'
import type { HighlightStore } from '@/records/list/highlight'
import type { FirstLine } from '@/records/map/FirstDrawing'
import type { View } from '@/records/map/points'
import { PointsView } from '@/records/map/PointsView'
import { parcoursMapQuery } from './queries'

const Lines = lazy(() => afterFirstPaint().then(() => import('./Lines')))

const none: ParcoursMap['clusters'] = []

export interface ListMapProps {
  /** The list's filters, without the map's own. */
  filters: Record<string, string>
  /** The box the list is narrowed to, while it follows the map. */
  bbox: string | undefined
  onBbox: (bbox: string | undefined) => void
  highlight: HighlightStore
}

/** The parcours of the list on the map: clusters at low zoom, lines at high zoom, the highlighted one in full. */
export function ListMap({ filters, bbox, onBbox, highlight }: ListMapProps) {
  const { t } = useTranslation('parcours')
  // Known once the map is laid out.
  const [view, setView] = useState<View | null>(null)
  const { data } = useQuery({ ...parcoursMapQuery(filters, view?.bbox ?? '', view?.zoom ?? 0), enabled: view !== null })
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
  const first = useMemo(
    () => items.flatMap(({ line }): FirstLine[] => (line === null ? [] : [{ kind: 'planned', line, look: 'faint' }])),
    [items],
  )
  const navigate = useNavigate()
  return (
    <PointsView
      label={t('map.label')}
      points={points}
      clusters={data?.clusters ?? none}
      lines={first}
      bbox={bbox}
      onBbox={onBbox}
      onView={setView}
      onOpen={(id) => void navigate({ to: '/parcours/$id', params: { id: String(id) } })}
      openLabel={(title) => t('map.open', { title })}
      clusterLabel={(count) => t('map.cluster', { count })}
      highlight={highlight}
    >
      <Suspense fallback={null}>
        <Lines items={items} highlight={highlight} />
      </Suspense>
    </PointsView>
  )
}
