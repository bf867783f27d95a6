import { expect, it } from 'vitest'
import { openReports } from './reports'

interface Report {
  id: number
  sent_at: string
  state: 'new' | 'seen'
}
/** A report of each minute, the last sent first. */
const reports = (count: number, state: Report['state'], from = 0): Report[] =>
  Array.from({ length: count }, (_, index) => {
    const id = from + count - index
    return { id, state, sent_at: new Date(id * 60_000).toISOString() }
  })

/** A server with these reports. */
const aServer = (all: readonly Report[]) => (state: Report['state'], page: number, perPage: number) => {
  const rows = all.filter((report) => report.state === state)
  return Promise.resolve({ items: rows.slice((page - 1) * perPage, page * perPage), total: rows.length })
}

it('takes the open reports of all pages, the last sent first', async () => {
  const all = [...reports(450, 'new', 1000), ...reports(730, 'seen')]
  expect(await openReports(2000, aServer(all))).toEqual({ items: all, total: 1180 })
})

it('ends at the bound with the last sent, and with how many there are', async () => {
  const all = [...reports(1900, 'seen', 5000), ...reports(1500, 'new')]
  const { items, total } = await openReports(2000, aServer(all))
  expect([items.length, total]).toEqual([2000, 3400])
  expect(items).toEqual(all.slice(0, 2000))
})

it('has a report once that was seen while the lists were read', async () => {
  const [report] = reports(1, 'new')
  const read = (state: Report['state']) => Promise.resolve({ items: report === undefined ? [] : [{ ...report, state }], total: 1 })
  expect(await openReports(2000, read)).toEqual({ items: [{ ...report, state: 'seen' }], total: 1 })
})
