import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { startTexts } from '@/i18n'
import { renderPage } from '../../../test/form-host'
import type { SendEvents } from './import/store'
import MediaPicker from './MediaPicker'

const travels: { name: string; events: SendEvents }[] = []
vi.mock('./import/tus', () => ({
  sendByTus: ({ name }: File, events: SendEvents) => {
    travels.push({ name, events })
    return { start: () => undefined, pause: () => undefined, drop: () => undefined }
  },
}))

const saved: unknown[] = []
const picked = vi.fn<(ids: number[]) => void>()

beforeEach(async () => {
  travels.length = 0
  saved.length = 0
  picked.mockClear()
  await startTexts('fr', ['common', 'errors', 'shell'])
  vi.stubGlobal('fetch', (input: unknown, init: RequestInit = {}) => {
    const { pathname } = new URL(String(input), window.location.origin)
    if (init.method === 'PATCH') saved.push([pathname, JSON.parse(init.body as string), new Headers(init.headers).get('if-match')])
    if (pathname === '/api/v1/medias/31') return Promise.resolve(Response.json({ id: 31, version: 4 }))
    return Promise.resolve(Response.json({ items: [], total: 0 }))
  })
})

const Shown = () => <MediaPicker title="Photos" kind="image" many taken={[]} onClose={() => undefined} onPick={picked} />
const choose = async (name: string) => {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (input === null) throw new Error('there is no file field')
  await userEvent.upload(input, new File(['x'], name), { applyAccept: false })
}

it('adds a file with its caption and its credit, and picks it', async () => {
  await renderPage(Shown)
  await screen.findByRole('button', { name: 'Ajouter un fichier' })
  await choose('lac.jpg')
  expect(travels.map(({ name }) => name)).toEqual(['lac.jpg'])
  await userEvent.type(screen.getByLabelText(/^Légende/), 'Le lac à l’aube')
  await userEvent.type(screen.getByLabelText(/^Crédit/), '© Maïlys')
  const take = () => screen.getByRole('button', { name: 'Enregistrer et utiliser ce fichier' })
  await userEvent.click(take())
  expect(picked).not.toHaveBeenCalled()
  travels[0]?.events.onDone(31)
  await waitFor(() => expect(take().getAttribute('aria-disabled')).not.toBe('true'))
  await userEvent.click(take())
  await waitFor(() => expect(picked).toHaveBeenCalledExactlyOnceWith([31]))
  expect(saved).toEqual([['/api/v1/medias/31', { legend: { fr: 'Le lac à l’aube' }, copyright: '© Maïlys' }, '"4"']])
})

it('refuses a file of another kind before it is sent', async () => {
  await renderPage(Shown)
  await screen.findByRole('button', { name: 'Ajouter un fichier' })
  await choose('cloche.mp3')
  expect((await screen.findByRole('alert')).textContent).toContain('format accepté')
  expect(travels).toEqual([])
})

it('says of an empty library that it is empty, and of a search that it found nothing', async () => {
  await renderPage(Shown)
  await screen.findByText('Aucun fichier de ce type pour l’instant.')
  await userEvent.type(screen.getByRole('searchbox'), 'lac')
  await screen.findByText('Rien ne correspond.')
})
