/** How the state of a list is stored in the address bar. */
export interface ListConfig {
  /** The search parameters that are filters, e.g. `['practice', 'published']`. */
  filterKeys: readonly string[]
  /** Parameters with this prefix are filters too: one for each custom field of a white-label. */
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

/** Reads the state of a list from search parameters; invalid values are ignored. */
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

/** The query for the API; the filters of custom fields are one parameter: `custom=ground:Sable;beds:2..4`. */
export function listQuery(
  state: ListState,
  { filterPrefix, unless }: Pick<ListConfig, 'filterPrefix' | 'unless'> = {},
): Record<string, string | number | undefined> {
  const isCustom = (key: string) => filterPrefix !== undefined && key.startsWith(filterPrefix)
  const entries = Object.entries(state.filters)
  const custom = entries.filter(([key]) => isCustom(key)).map(([key, value]) => `${key.slice(filterPrefix?.length)}:${value}`)
  const filters = Object.fromEntries(entries.filter(([key]) => !isCustom(key)))
  return {
    search: state.search || undefined,
    ...unless,
    ...filters,
    ...(custom.length === 0 ? {} : { custom: custom.join(';') }),
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

/** `title` → `-title` → `title`: pressing a heading again reverses the order. */
export const turnedSort = (sort: string, by: string): string => (sort === by ? `-${by}` : by)
