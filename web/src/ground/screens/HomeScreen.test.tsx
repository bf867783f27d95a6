import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { startTexts } from '@/i18n'
import type { Download } from '../downloads/types'
import { GroundContext, type Ground } from '../ground'
import { HomeScreen } from './HomeScreen'

beforeAll(() => startTexts('fr', ['common', 'errors', 'ground']))
beforeEach(() => vi.stubGlobal('caches', { delete: () => Promise.resolve(true) }))
afterEach(() => vi.unstubAllGlobals())

const download = (id: number, fr: string): Download => ({
  id,
  at: '2026-11-26T07:00:00Z',
  bytes: 0,
  complete: true,
  etag: null,
  traceRevision: null,
  parts: { title: { fr }, distance_m: 9000, line: [], steps: [], pois: [], reports: [], closures: [], categories: [], pictures: [] },
})

function show({ fails = false } = {}): void {
  let downloads = [download(1, 'Le tour du lac'), download(2, 'La crête')]
  const listeners = new Set<() => void>()
  const remove = (id: number) => {
    if (fails) return Promise.reject(new Error('disk'))
    downloads = downloads.filter((one) => one.id !== id)
    for (const told of listeners) told()
    return Promise.resolve()
  }
  const database = {
    downloads: { all: () => Promise.resolve(downloads), remove },
    subscribe: (_: string, told: () => void) => {
      listeners.add(told)
      return () => void listeners.delete(told)
    },
  }
  const ground: Ground = {
    person: { id: 7, name: 'Maïlys', mayRecord: true },
    link: 'connected',
    database: database as never,
    sender: {} as never,
  }
  render(
    <GroundContext value={ground}>
      <HomeScreen />
    </GroundContext>,
  )
}

const ask = async (name: string) => {
  ;(await screen.findByRole('button', { name: `Retirer ${name}` })).focus()
  await userEvent.keyboard('{Enter}')
  const question = await screen.findByRole('group', { name: /^Retirer «/ })
  within(question).getByRole('button', { name: 'Retirer' }).focus()
  await userEvent.keyboard('{Enter}')
}

it('says what was removed, and gives the focus to the card beside it, then to the heading', async () => {
  show()
  await ask('Le tour du lac')
  expect((await screen.findByText(/n’est plus sur l’appareil/)).getAttribute('role')).toBe('status')
  expect(screen.getByText(/n’est plus sur l’appareil/).textContent).toContain('Le tour du lac')
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'La crête' })))
  await ask('La crête')
  await waitFor(() => expect(screen.queryByRole('listitem')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })))
  expect(screen.getByText(/n’est plus sur l’appareil/).textContent).toContain('La crête')
})

it('closes the question when the removal fails, and says why', async () => {
  show({ fails: true })
  await ask('La crête')
  expect((await screen.findByRole('alert')).textContent).not.toBe('')
  expect(screen.queryByRole('group', { name: /^Retirer «/ })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Retirer La crête' }))
  expect(screen.queryByText(/n’est plus sur l’appareil/)).toBeNull()
})
