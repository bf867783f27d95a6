import { useSyncExternalStore } from 'react'

/** The id of the record under the pointer. Only its row and its mark on the map are rendered again when it changes. */
export interface HighlightStore {
  get: () => number | null
  set: (id: number | null) => void
  subscribe: (listener: () => void) => () => void
}

export function makeHighlight(): HighlightStore {
  let highlighted: number | null = null
  const listeners = new Set<() => void>()
  return {
    get: () => highlighted,
    set: (id) => {
      if (id === highlighted) return
      highlighted = id
      listeners.forEach((listener) => listener())
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The id of the highlighted record. */
export const useHighlighted = (store: HighlightStore): number | null => useSyncExternalStore(store.subscribe, store.get)

/** Whether this record is highlighted. */
export const useIsHighlighted = (store: HighlightStore, id: number): boolean =>
  useSyncExternalStore(store.subscribe, () => store.get() === id)
