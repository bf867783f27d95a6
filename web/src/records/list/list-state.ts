/** What a list needs to know of itself to live in the address bar. */
export interface ListConfig {
  /** The search parameters that are filters, e.g. `['practice', 'published']`. */
  filterKeys: readonly string[]
  /** Every parameter that begins so is a filter too: one for each field of a white-label's own. */
  filterPrefix?: string
  defaultSort: string
  perPage?: number
  /** The parameters for the API when the user sets no filter: « Tous » requests all, whatever the default of the API is. */
  unless?: Record<string, string>
}

export interface ListState {
  search: string
  filters: Record<string, string>
  sort: string
  page: number
  perPage: number
}

const sizes = [25, 50, 100]

/** The filters in an address: those of the list, and those whose names begin with `filterPrefix`. */
const filterKeysOf = (params: Record<string, unknown>, { filterKeys, filterPrefix }: ListConfig): string[] => [
  ...filterKeys,
  ...Object.keys(params).filter((key) => filterPrefix !== undefined && key.startsWith(filterPrefix)),
]

/** Read the state of a list out of search parameters; what makes no sense is as if it weren't there. */
export function readListState(params: Record<string, unknown>, config: ListConfig): ListState {
  const text = (key: string) => (typeof params[key] === 'string' || typeof params[key] === 'number' ? String(params[key]) : '')
  const page = Number.parseInt(text('page'), 10)
  const perPage = Number.parseInt(text('per_page'), 10)
  const filters = Object.fromEntries(
    filterKeysOf(params, config)
      .map((key) => [key, text(key)] as const)
      .filter(([, value]) => value !== ''),
  )
  return {
    search: text('search'),
    filters,
    sort: text('sort') || config.defaultSort,
    page: page >= 1 ? page : 1,
    perPage: sizes.includes(perPage) ? perPage : (config.perPage ?? 25),
  }
}

/** The search parameters of a state; default values are left out, so that addresses stay short. */
export function writeListState(
  state: ListState,
  config: ListConfig,
  before: Record<string, unknown> = {},
): Record<string, string | undefined> {
  return {
    search: state.search || undefined,
    ...Object.fromEntries(filterKeysOf({ ...before, ...state.filters }, config).map((key) => [key, state.filters[key] || undefined])),
    sort: state.sort === config.defaultSort ? undefined : state.sort,
    page: state.page === 1 ? undefined : String(state.page),
    per_page: state.perPage === (config.perPage ?? 25) ? undefined : String(state.perPage),
  }
}

/** What the API is asked; the filters of a white-label's own fields go together: `custom=ground:Sable;beds:2..4`. */
export function listQuery(
  state: ListState,
  { filterPrefix, unless }: Pick<ListConfig, 'filterPrefix' | 'unless'> = {},
): Record<string, string | number | undefined> {
  const isOwn = (key: string) => filterPrefix !== undefined && key.startsWith(filterPrefix)
  const entries = Object.entries(state.filters)
  const own = entries.filter(([key]) => isOwn(key)).map(([key, value]) => `${key.slice(filterPrefix?.length)}:${value}`)
  const filters = Object.fromEntries(entries.filter(([key]) => !isOwn(key)))
  return {
    search: state.search || undefined,
    ...unless,
    ...filters,
    ...(own.length === 0 ? {} : { custom: own.join(';') }),
    sort: state.sort,
    page: state.page,
    per_page: state.perPage,
  }
}

/** The same filters without one of them, or with another value for it; the page goes back to the first. */
export function withFilter(state: ListState, key: string, value: string | undefined): ListState {
  const { [key]: _, ...others } = state.filters
  return { ...state, page: 1, filters: value === undefined || value === '' ? others : { ...others, [key]: value } }
}

/** `title` → `-title` → `title`: press a heading again to turn the order. */
export const turnedSort = (sort: string, by: string): string => (sort === by ? `-${by}` : by)
