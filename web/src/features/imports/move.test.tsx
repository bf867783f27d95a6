import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { setPayload } from '@/api/payload'
import type { ImportRun, ImportSource } from '@/api/types'
import { ensureTexts, startTexts } from '@/i18n'
import { renderPage } from '../../../test/form-host'
import { aPayload } from '../../../test/payload'
import { leftTable, noteText } from './imports'
import { listAddress, Page } from './MovePage'
import { Page as Moves } from './MovesPage'

const source = { id: 4, version: 1, name: 'Le parc', kind: 'geotrek', url: 'https://geotrek.parc.example/?portals=2', schedule: 'never' }
const counts = {
  created: 2,
  updated: 0,
  unchanged: 0,
  refused: 0,
  to_merge: 0,
  gone: 0,
  kept: 0,
  undone: 0,
  pois: 0,
  contacts: 0,
  unreliable: 0,
}
const dry = {
  id: 9,
  source_id: 4,
  mode: 'dry',
  state: 'done',
  phase: 'media',
  counts,
  failure: null,
  done: 2,
  total: 2,
  error_count: 0,
  asked_by: null,
  undoable: false,
  undone_at: null,
  started_at: '2026-11-20T08:00:00Z',
  inventory: [
    { list: 'trek', place: 'parcours', count: 2 },
    { list: 'signage', place: 'nowhere', count: 42 },
    { list: 'infrastructure', place: 'nowhere', count: null },
    { list: 'touristicevent', place: 'sit', count: 0 },
  ],
} as unknown as ImportRun

let runs: ImportRun[] = []
let waiting = 0
let shown: unknown = source

beforeEach(async () => {
  runs = [dry]
  waiting = 0
  shown = source
  setPayload(aPayload({ profiles: [] }))
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('imports', 'settings', 'resource')
  vi.stubGlobal('fetch', (input: unknown) => {
    const { pathname } = new URL(String(input), window.location.origin)
    const answer = pathname.endsWith('/mapping')
      ? { targets: [], rules: [], fields: [], words: [], waiting }
      : pathname.endsWith('/import-runs')
        ? { items: runs, total: runs.length }
        : (shown as ImportSource)
    return Promise.resolve(Response.json(answer))
  })
})

it('shows what a Geotrek has and what becomes of it, and says when nothing is to be decided', async () => {
  await renderPage(Page)
  expect(await screen.findByRole('row', { name: /Itinéraires 2 Parcours/ })).toBeTruthy()
  expect(screen.getByRole('row', { name: /Signalétique 42 Pas d’équivalent ici/ })).toBeTruthy()
  expect(screen.queryByRole('row', { name: /Aménagements/ })).toBeNull()
  expect(screen.getByText('1 liste que ce serveur ne donne pas')).toBeTruthy()
  expect(screen.queryByRole('row', { name: /Événements/ })).toBeNull()
  expect(screen.getByText('1 liste vide')).toBeTruthy()
  expect(screen.getByText('Rien à décider : vous pouvez importer.')).toBeTruthy()
})

it('shows a Geotrek that is read from an archive of its database: no address to open, no daily update', async () => {
  shown = { ...source, url: null, host: null, file: { name: 'geotrek.dump', bytes: 9, sha256: 'a' } }
  await renderPage(Page)
  expect(await screen.findByRole('row', { name: /Signalétique 42 Pas d’équivalent ici$/ })).toBeTruthy()
  expect(screen.getByText('Base de données : geotrek.dump')).toBeTruthy()
  expect(screen.getByText(/une archive plus récente, déposée dans les réglages/)).toBeTruthy()
  expect(screen.queryByRole('switch', { name: /Reprendre chaque jour/ })).toBeNull()
  expect(screen.queryByRole('link', { name: /API de Geotrek/ })).toBeNull()
})

it('asks for an address or an archive before a move is made', async () => {
  const sent = vi.fn()
  vi.stubGlobal('fetch', (input: unknown, init?: RequestInit) => {
    if ((input instanceof Request ? input.method : init?.method) === 'POST') sent()
    return Promise.resolve(Response.json({ items: [] }))
  })
  await renderPage(Moves)
  await userEvent.click(await screen.findByRole('button', { name: 'Faire le bilan' }))
  const address = screen.getByRole('textbox', { name: 'Adresse de la source' })
  expect(address.getAttribute('aria-invalid')).toBe('true')
  expect(sent).not.toHaveBeenCalled()
  await userEvent.type(address, 'https://geotrek.parc.example')
  expect(screen.queryByLabelText('Ou une archive de sa base de données')).toBeNull()
})

it('leads to what is to be decided', async () => {
  waiting = 3
  runs = [{ ...dry, counts: { ...counts, unreliable: 5, refused: 1 } }]
  await renderPage(Page)
  expect(await screen.findByRole('link', { name: '3 mots à associer' })).toBeTruthy()
  expect(screen.getByRole('link', { name: /5 tracés sous 95/ }).getAttribute('href')).toContain('only=unreliable')
  expect(screen.getByRole('link', { name: '1 élément refusé' })).toBeTruthy()
})

it('makes a table of what has no place here', async () => {
  const url = 'https://g.example/api/v2/signage/1/'
  const line = { item: 'signage 1', title: '=Panneau; "du lac"', notes: [{ code: 'import/no-place', params: { list: 'signage', url } }] }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ items: [line], total: 1 })))
  const table = await (await leftTable(9, ['Élément', 'Nom', 'Liste', 'Adresse'])).text()
  expect(table.replace('\uFEFF', '')).toBe(`Élément;Nom;Liste;Adresse\r\nsignage 1;"'=Panneau; ""du lac""";Signalétique;${url}\r\n`)
})

it('offers the table where something has no place here', async () => {
  await renderPage(Page)
  expect(await screen.findByRole('button', { name: 'Télécharger ce qui n’a pas d’équivalent ici (CSV)' })).toBeTruthy()
})

it('keeps the report in sight while the import runs', async () => {
  runs = [{ ...dry, id: 10, mode: 'real', state: 'running', inventory: [] }, dry]
  await renderPage(Page)
  expect(await screen.findByRole('row', { name: /Itinéraires 2 Parcours/ })).toBeTruthy()
})

it('finds a list of the API from any address of a Geotrek', () => {
  for (const url of ['https://g.example', 'https://g.example/', 'https://g.example/api/v2/', 'https://g.example/api/v2/trek/?portals=2'])
    expect(listAddress(url, 'signage')).toBe('https://g.example/api/v2/signage/')
})

it('says why a line is not reliable', () => {
  const note = { code: 'import/unreliable', params: { percent: '87', cause: 'forbidden' }, field: 'trace' }
  // French puts narrow spaces before its signs.
  expect(noteText(note).replaceAll(/\s/g, ' ')).toContain('Fiabilité de 87 % : passage interdit à cette pratique.')
})
