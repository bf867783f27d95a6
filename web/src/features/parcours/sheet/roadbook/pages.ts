import { roadbookPageKinds, type RoadbookPage, type RoadbookPageKind } from '@/api/types'

/** Kinds that may occur several times: each page has a different text. */
const repeated: readonly RoadbookPageKind[] = ['description', 'notes']

/** The pages whose place is the printer's: the front cover comes first, the back cover last. */
const isFixed = ({ kind }: RoadbookPage) => kind === 'front_cover' || kind === 'back_cover'

export const newPage = (kind: RoadbookPageKind): RoadbookPage => ({
  kind,
  on: true,
  title: {},
  text: {},
  media_id: null,
  count: null,
  table: true,
  profile: true,
})

/** The kinds that may be added to a list of pages. */
export const addable = (pages: readonly RoadbookPage[]): RoadbookPageKind[] =>
  roadbookPageKinds.filter((kind) => repeated.includes(kind) || !pages.some((page) => page.kind === kind))

/** A page may be removed when another one of its kind remains. */
export const removable = (pages: readonly RoadbookPage[], index: number): boolean => {
  const page = pages[index]
  return page !== undefined && pages.filter(({ kind }) => kind === page.kind).length > 1
}

export function mayMove(pages: readonly RoadbookPage[], from: number, to: number): boolean {
  const [moving, there] = [pages[from], pages[to]]
  return moving !== undefined && there !== undefined && from !== to && !isFixed(moving) && !isFixed(there)
}

/** The list with a new page before the back cover. */
export function added(pages: readonly RoadbookPage[], kind: RoadbookPageKind): { pages: RoadbookPage[]; index: number } {
  const back = pages.findIndex((page) => page.kind === 'back_cover')
  const index = kind === 'front_cover' ? 0 : back === -1 || kind === 'back_cover' ? pages.length : back
  return { pages: pages.toSpliced(index, 0, newPage(kind)), index }
}
