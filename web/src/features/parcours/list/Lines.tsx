import { useMemo } from 'react'
import type { ParcoursMap } from '@/api/types'
import { useHighlighted, type HighlightStore } from '@/records/list/highlight'
import { TraceLine } from '@/records/map/layers'

/** The lines of the visible parcours; the highlighted one in full. */
export default function Lines({ items, highlight }: { items: ParcoursMap['items']; highlight: HighlightStore }) {
  const id = useHighlighted(highlight)
  const bright = items.find((item) => item.id === id)
  // The same array while no line is bright: the map is not drawn again for a row without a line.
  const faint = useMemo(() => items.flatMap((item) => (item.line === null || item === bright ? [] : [item.line])), [items, bright])
  return (
    <>
      <TraceLine id="others" kind="planned" lines={faint} look="faint" />
      {bright?.line && <TraceLine id="bright" kind="planned" lines={[bright.line]} look="selected" />}
    </>
  )
}
