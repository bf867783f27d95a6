import { useMemo } from 'react'
import type { ParcoursMap } from '@/api/types'
import { useHighlighted, type HighlightStore } from '@/records/list/highlight'
import { TraceLine } from '@/records/map/layers'

/** The lines of those in sight; the one pointed at in full. */
export default function Lines({ items, highlight }: { items: ParcoursMap['items']; highlight: HighlightStore }) {
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
