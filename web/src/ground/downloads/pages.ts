/** A page of a list. */
export interface Page<T> {
  items: T[]
  total: number
  /** Whether there are more than `total`. */
  total_capped: boolean
}

/** The most rows that the server gives at once. */
const PER_PAGE = 200

/** All rows of a list, page by page, up to `most`; with how many there are. A row that moved to another page meanwhile is there once. */
export async function allPages<T extends { id: number }>(
  most: number,
  read: (page: number, perPage: number) => Promise<Page<T>>,
): Promise<Page<T>> {
  const found = new Map<number, T>()
  for (let page = 1; ; page++) {
    const { items, ...counts } = await read(page, PER_PAGE)
    items.forEach((item) => found.set(item.id, item))
    if (items.length === 0 || page * PER_PAGE >= Math.min(counts.total, most))
      return { items: [...found.values()].slice(0, most), total: counts.total, total_capped: counts.total_capped }
  }
}
