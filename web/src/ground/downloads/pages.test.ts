import { expect, it, vi } from 'vitest'
import { allPages } from './pages'

const row = (id: number) => ({ id })
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index))

/** A list with these rows. */
const aList = (all: { id: number }[]) =>
  vi.fn((page: number, perPage: number) =>
    Promise.resolve({ items: all.slice((page - 1) * perPage, page * perPage), total: all.length, total_capped: false }),
  )

it('reads one page of a short list, and all pages of a long one', async () => {
  for (const [count, pages] of [
    [0, 1],
    [200, 1],
    [201, 2],
    [2000, 10],
  ] as const) {
    const read = aList(rows(count))
    expect(await allPages(2000, read)).toEqual({ items: rows(count), total: count, total_capped: false })
    expect(read).toHaveBeenCalledTimes(pages)
  }
})

it('ends at the bound, with how many there are', async () => {
  const read = aList(rows(4321))
  const { items, total } = await allPages(2000, read)
  expect([items.length, total, read.mock.calls.length]).toEqual([2000, 4321, 10])
})

it('has a row once that moved to the next page while it was read', async () => {
  const pages = [rows(200), [row(199), row(200)]]
  const read = (page: number) => Promise.resolve({ items: pages[page - 1] ?? [], total: 202, total_capped: false })
  expect((await allPages(2000, read)).items).toEqual(rows(201))
})

it('ends where the list became shorter while it was read', async () => {
  const pages = [rows(200), []]
  const read = (page: number) => Promise.resolve({ items: pages[page - 1] ?? [], total: 900, total_capped: false })
  expect((await allPages(2000, read)).items).toEqual(rows(200))
})
