import type { FieldReport } from '@/api/types'
import { allPages, type Page } from './pages'

type Open = Exclude<FieldReport['state'], 'solved'>

/** The open reports of a parcours, the last sent first, up to `most`; with how many there are. */
export async function openReports<T extends Pick<FieldReport, 'id' | 'sent_at'>>(
  most: number,
  read: (state: Open, page: number, perPage: number) => Promise<Omit<Page<T>, 'total_capped'>>,
): Promise<{ items: T[]; total: number }> {
  const listed = (state: Open) =>
    allPages<T>(most, async (page, perPage) => ({ ...(await read(state, page, perPage)), total_capped: false }))
  // One after the other: a report that is seen meanwhile is then in both lists, not in none.
  const unseen = await listed('new')
  const seen = await listed('seen')
  const found = new Map([...unseen.items, ...seen.items].map((report) => [report.id, report]))
  const twice = unseen.items.length + seen.items.length - found.size
  return {
    items: [...found.values()].toSorted((one, other) => other.sent_at.localeCompare(one.sent_at)).slice(0, most),
    total: unseen.total + seen.total - twice,
  }
}
