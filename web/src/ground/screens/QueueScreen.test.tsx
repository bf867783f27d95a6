import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it } from 'vitest'
import { startTexts } from '@/i18n'
import { MemoryStore } from '../../../test/memory-store'
import { GroundContext, type Ground } from '../ground'
import type { Entry } from '../queue/entry'
import type { Download } from '../downloads/types'
import { entryOf, newDraft } from './draft'
import { QueueScreen } from './QueueScreen'

beforeAll(() => startTexts('fr', ['common', 'errors', 'reviews', 'closures', 'ground']))

const download: Download = {
  id: 12,
  at: '2026-11-26T07:00:00Z',
  bytes: 0,
  complete: true,
  etag: null,
  traceRevision: null,
  parts: {
    title: { fr: 'Le tour du lac' },
    distance_m: 9000,
    line: [],
    steps: [],
    pois: [],
    reports: [],
    closures: [],
    categories: [],
    pictures: [],
  },
}
function report(madeAt: string): Entry {
  const draft = newDraft('report', download, null, null)
  return entryOf({ ...draft, reportKind: 'fallen_tree', madeAt }, null)
}

function show(entries: readonly Entry[]): void {
  const store = new MemoryStore()
  for (const entry of entries) store.entries.set(entry.id, entry)
  const listeners = new Set<() => void>()
  const remove = async (id: string) => {
    await store.remove(id)
    for (const told of listeners) told()
  }
  const database = {
    entries: { all: store.all, photo: store.photo, remove },
    downloads: { all: () => Promise.resolve([download]) },
    subscribe: (_: string, told: () => void) => {
      listeners.add(told)
      return () => void listeners.delete(told)
    },
  }
  const idle = { running: false, progress: null, end: null }
  const sender = { get: () => idle, subscribe: () => () => undefined, start: () => undefined }
  const ground: Ground = {
    person: { id: 7, name: 'Maïlys', mayRecord: true },
    link: 'connected',
    database: database as never,
    sender: sender as never,
  }
  render(
    <GroundContext value={ground}>
      <QueueScreen />
    </GroundContext>,
  )
}

it('says the kind of a report once, and names the buttons of two reports apart', async () => {
  show([report('2026-11-26T07:00:00Z'), report('2026-11-26T09:30:00Z')])
  const cards = await screen.findAllByRole('listitem')
  for (const card of cards) expect(within(card).getByText(/Arbre tombé/).textContent).toBe('Arbre tombé')
  const buttons = screen.getAllByRole('button', { name: /^Supprimer.*Signalement, Arbre tombé/ })
  expect(new Set(buttons.map((one) => one.getAttribute('aria-label'))).size).toBe(2)
})

it('gives the focus to the card beside the one that is deleted, and to the heading after the last one', async () => {
  const user = userEvent.setup()
  show([report('2026-11-26T07:00:00Z'), report('2026-11-26T09:30:00Z')])
  const remove = async () => {
    const [first] = await screen.findAllByRole('button', { name: /^Supprimer.*Signalement/ })
    first?.focus()
    await user.keyboard('{Enter}')
    await user.click(screen.getByRole('button', { name: 'Supprimer' }))
  }
  await remove()
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 3, name: 'Signalement' }))
  await remove()
  await waitFor(() => expect(screen.queryByRole('listitem')).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
})
