import { useSyncExternalStore } from 'react'

/** The ticked rows; `everything` means all records that match the filters, beyond the page. */
export interface Selection {
  ids: ReadonlySet<number>
  everything: boolean
}

/** The ticked rows of a list. Only what depends on a row is rendered again when that row is ticked. */
export interface SelectionStore {
  get: () => Selection
  subscribe: (listener: () => void) => () => void
  toggle: (id: number) => void
  /** Ticks all rows of the page, or none when all are ticked. */
  togglePage: (ids: readonly number[]) => void
  /** Selects all records that match the filters: those of the page, by their ids, and the others. */
  selectEverything: (pageIds: readonly number[]) => void
  clear: () => void
}

const nothing: Selection = { ids: new Set(), everything: false }

export function makeSelection(): SelectionStore {
  let selection = nothing
  const listeners = new Set<() => void>()
  const set = (ids: ReadonlySet<number>, everything = false) => {
    selection = { ids, everything }
    listeners.forEach((listener) => listener())
  }
  return {
    get: () => selection,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    toggle: (id) => {
      const ids = new Set(selection.ids)
      // Of everything, one that is unticked leaves the others of the page.
      if (!ids.delete(id) && !selection.everything) ids.add(id)
      set(ids)
    },
    togglePage: (pageIds) => {
      const all = selection.everything || pageIds.every((id) => selection.ids.has(id))
      const ids = new Set(selection.ids)
      pageIds.forEach((id) => (all ? ids.delete(id) : ids.add(id)))
      set(ids)
    },
    selectEverything: (pageIds) => set(new Set([...selection.ids, ...pageIds]), true),
    clear: () => set(nothing.ids),
  }
}

export const useSelection = (store: SelectionStore): Selection => useSyncExternalStore(store.subscribe, store.get)

/** Whether this row is ticked. */
export const useIsTicked = (store: SelectionStore, id: number): boolean =>
  useSyncExternalStore(store.subscribe, () => store.get().everything || store.get().ids.has(id))

/** Whether any row is ticked. */
export const useHasTicks = (store: SelectionStore): boolean => useSyncExternalStore(store.subscribe, () => store.get().ids.size > 0)

/** Whether all records that match the filters are selected. */
export const useIsEverything = (store: SelectionStore): boolean => useSyncExternalStore(store.subscribe, () => store.get().everything)

/** How many rows of the page are ticked. */
export const useTickedOf = (store: SelectionStore, ids: readonly number[]): 'none' | 'some' | 'all' =>
  useSyncExternalStore(store.subscribe, () => {
    const { ids: ticked, everything } = store.get()
    if (everything) return 'all'
    const count = ids.filter((id) => ticked.has(id)).length
    return count === 0 ? 'none' : count === ids.length ? 'all' : 'some'
  })
