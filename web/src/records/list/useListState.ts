import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { listQuery, readListState, turnedSort, withFilter, writeListState, type ListConfig, type ListState } from './list-state'
import { makeSelection, type SelectionStore } from './selection'

export interface ListControl extends ListState {
  /** For the query key and the API. */
  query: Record<string, string | number | undefined>
  setSearch: (text: string) => void
  setFilter: (key: string, value: string | undefined) => void
  /** Replace all filters at once: a saved view. */
  setFilters: (filters: Record<string, string>) => void
  clear: () => void
  sortBy: (by: string) => void
  setSort: (sort: string) => void
  setPage: (page: number) => void
  setPerPage: (perPage: number) => void
  filterCount: number
  selection: SelectionStore
}

/** The state of a list. It is in the address, except the ticked rows, which a change of filter clears. */
export function useListState(config: ListConfig): ListControl {
  const params = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = useMemo(() => readListState(params, config), [params, config])
  const filterKey = JSON.stringify([state.search, state.filters])
  const [ticked, setTicked] = useState(() => ({ under: filterKey, selection: makeSelection() }))
  if (ticked.under !== filterKey) setTicked({ under: filterKey, selection: makeSelection() })

  const go = useCallback(
    (next: ListState, replace = false) =>
      void navigate({ to: '.', search: (before) => ({ ...before, ...writeListState(next, config, before) }), replace, resetScroll: false }),
    [navigate, config],
  )
  return {
    ...state,
    query: useMemo(() => listQuery(state, config), [state, config]),
    // Typing replaces: Back leaves the list, it does not unspell a word.
    setSearch: (text) => go({ ...state, search: text, page: 1 }, true),
    setFilter: (key, value) => go(withFilter(state, key, value)),
    setFilters: (filters) => go({ ...state, filters, page: 1 }),
    clear: () => go({ ...state, search: '', filters: {}, page: 1 }),
    sortBy: (by) => go({ ...state, sort: turnedSort(state.sort, by), page: 1 }),
    setSort: (sort) => go({ ...state, sort, page: 1 }),
    setPage: (page) => go({ ...state, page }),
    setPerPage: (perPage) => go({ ...state, perPage, page: 1 }),
    filterCount: Object.keys(state.filters).length + (state.search === '' ? 0 : 1),
    selection: ticked.selection,
  }
}
