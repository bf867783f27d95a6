import { useMemo, useSyncExternalStore } from 'react'
import type { FormStore } from '@/records/form/store'
import { tabOf, tabKeys, type TabKey } from './tabs'
import type { SheetValues } from './values'

type Counts = Record<TabKey, { dirty: number; faults: number }>

/** Unsaved and refused fields, tab by tab. */
export function useTabCounts(store: FormStore<SheetValues>): Counts {
  // One text as the snapshot: the same counts are the same text, and nothing renders again.
  const counted = useSyncExternalStore(store.subscribe, () =>
    JSON.stringify([store.dirtyPaths().map(tabOf), store.faultPaths().map(tabOf)]),
  )
  return useMemo(() => {
    const [dirty = [], faults = []] = JSON.parse(counted) as TabKey[][]
    const of = (key: TabKey) => ({ dirty: dirty.filter((tab) => tab === key).length, faults: faults.filter((tab) => tab === key).length })
    const [itinerary, information, sales, roadbook, audio, sharing, reviews] = tabKeys.map(of)
    const none = { dirty: 0, faults: 0 }
    return {
      itinerary: itinerary ?? none,
      information: information ?? none,
      sales: sales ?? none,
      roadbook: roadbook ?? none,
      audio: audio ?? none,
      sharing: sharing ?? none,
      reviews: reviews ?? none,
    }
  }, [counted])
}
