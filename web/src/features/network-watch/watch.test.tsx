import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { FaultyTrace, WatchChange, WatchRun, WatchState } from '@/api/types'
import { ensureTexts, startTexts } from '@/i18n'
import { renderPage } from '../../../test/form-host'
import type { Changes } from './watch'
import { Page } from './WatchPage'

// The map needs WebGL: what it is given is looked at by the journey.
vi.mock('./ChangeMap', () => ({
  default: ({ change, stretch }: { change: WatchChange; stretch: number | null }) => <p>{`carte ${change.id} ${stretch ?? '-'}`}</p>,
}))

const run: WatchRun = {
  id: 3,
  state: 'done',
  forced: false,
  asked_by: null,
  before: { engine: 'jalon', data_date: '2021-02-01', checksum: null },
  after: { engine: 'jalon', data_date: '2025-11-19', checksum: null },
  total: 120,
  scored: 120,
  failed: 1,
  counts: { lost: 1, gained: 1, better: 0, worse: 0 },
  started_at: '2026-11-21T17:00:00Z',
  finished_at: '2026-11-21T17:02:00Z',
}
const change = (id: number, over: Partial<WatchChange>): WatchChange => ({
  id,
  run_id: 3,
  parcours: { id: id + 100, title: { fr: `Parcours ${id}` }, white_label: { id: 1, name: 'Morvan' } },
  mine: true,
  editable: true,
  guidance: 'lost',
  before: { percent: 97.1, state: 'ok', data_date: null },
  after: { percent: 92.4, state: 'low', data_date: null },
  stretches: [],
  at: '2026-11-21T17:01:12Z',
  seen: null,
  ...over,
})
const lost = change(17, {
  stretches: [
    {
      from_km: 3.12,
      to_km: 3.58,
      length_m: 460,
      cause: 'no_way',
      was: null,
      max_offset_m: 71.3,
      geometry: [
        [1.5, 42.5],
        [1.51, 42.5],
      ],
      ways_left: [25_684_561],
      ways_used: [],
      way_id: null,
      edit_url: 'https://www.openstreetmap.org/edit#map=18/42.5/1.5',
    },
    {
      from_km: 6,
      to_km: 6.21,
      length_m: 210,
      cause: 'now_on_way',
      was: 'no_way',
      max_offset_m: 44,
      geometry: [
        [1.52, 42.5],
        [1.53, 42.5],
      ],
      ways_left: [],
      ways_used: [998_877],
      way_id: null,
      edit_url: null,
    },
  ],
})
const gained = change(18, {
  mine: false,
  editable: false,
  guidance: 'gained',
  before: { percent: null, state: 'not_calculable', data_date: null },
  after: { percent: 98, state: 'ok', data_date: null },
})

let state: WatchState
let items: WatchChange[]
let faulty: { items: FaultyTrace[]; total: number }
const requests: string[] = []

beforeEach(async () => {
  requests.length = 0
  state = { run, waiting: run.counts, may_run: false }
  items = [lost, gained]
  faulty = { items: [], total: 0 }
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('settings', 'resource', 'trace', 'watch')
  vi.stubGlobal('fetch', (input: unknown, init: RequestInit = {}) => {
    const url = new URL(String(input), window.location.origin)
    requests.push(`${init.method ?? 'GET'} ${url.pathname}${url.search}`)
    if (init.method === 'POST' && url.pathname.endsWith('/seen')) {
      items = items.filter(({ id }) => url.pathname !== `/api/v1/planner/watch/changes/${id}/seen`)
      return Promise.resolve(new Response(null, { status: 204 }))
    }
    if (init.method === 'POST')
      state = { ...state, run: { ...run, state: 'running', forced: true, scored: 0, asked_by: { id: 1, name: 'Solène M.' } } }
    const changes: Changes = { items, total: items.length, total_capped: false, counts: { lost: 1, gained: 1, better: 0, worse: 0 } }
    const body = url.pathname.endsWith('/trace-faults') ? faulty : url.pathname.endsWith('/changes') ? changes : state
    return Promise.resolve(new Response(JSON.stringify(body), { status: 200, headers: { 'content-type': 'application/json' } }))
  })
})

const plain = (element: HTMLElement): string => (element.textContent ?? '').replace(/\s+/gu, ' ').trim()
const cards = async () =>
  within(await screen.findByRole('list', { name: 'Parcours dont la fiabilité a changé' }))
    .getAllByRole('button', { expanded: undefined })
    .filter((one) => one.hasAttribute('aria-expanded'))

describe('the watch of the network', () => {
  it('says which data took the place of which, and how many parcours were gone through', async () => {
    await renderPage(Page)
    expect(plain(await screen.findByRole('region', { name: 'Dernier changement de réseau' }))).toMatch(
      /Ancien réseau.*du 1er févr. 2021.*Nouveau réseau.*du 19 nov. 2025.*120 parcours recalculés.*1 n’a pas pu l’être/,
    )
    expect(screen.queryByRole('button', { name: 'Tout recalculer' })).toBeNull()
  })

  it('tells each parcours before and after, opens the first with its stretches, and leads to its trace', async () => {
    await renderPage(Page)
    const [first, second] = await cards()
    expect(plain(first ?? document.body)).toContain('Parcours 17Guidage perduFiabilité 97,1 % avant, 92,4 % maintenant')
    expect(plain(second ?? document.body)).toContain('Guidage retrouvéFiabilité non calculable avant, 98,0 % maintenant')
    expect(first?.getAttribute('aria-expanded')).toBe('true')
    const stretches = within(screen.getByRole('list', { name: /Tronçons qui ont changé/ }))
      .getAllByRole('listitem')
      .map(plain)
    expect(stretches[0]).toMatch(
      /^AVoir le tronçon A sur la carte : Aucun chemin ici dans le réseaukm 3,12 → 3,58 · 460 m · avant, un chemin passait ici/,
    )
    expect(stretches[1]).toMatch(
      /^BVoir le tronçon B sur la carte : Suit maintenant un cheminkm 6,00 → 6,21 · 210 m · avant : Aucun chemin ici/,
    )
    const history = screen.getByRole('link', { name: /Historique du chemin 25684561/ })
    expect([history.getAttribute('href'), history.getAttribute('rel'), history.getAttribute('target')]).toEqual([
      'https://www.openstreetmap.org/way/25684561/history',
      'noopener noreferrer',
      '_blank',
    ])
    expect(screen.getByRole('link', { name: 'Ouvrir le tracé' }).getAttribute('href')).toBe('/parcours/117/edit-trace')
  })

  it('shows a stretch on the map by its letter', async () => {
    await renderPage(Page)
    expect(await screen.findByText('carte 17 -')).not.toBeNull()
    await userEvent.click(screen.getByRole('button', { name: /^Voir le tronçon B sur la carte/ }))
    expect(screen.getByText('carte 17 1')).not.toBeNull()
  })

  it('ticks a change off, unless the parcours is somebody else’s', async () => {
    const user = userEvent.setup()
    await renderPage(Page)
    await user.click(await screen.findByRole('button', { name: /Marquer .*Parcours 17.* comme vu/ }))
    await waitFor(async () => expect(await cards()).toHaveLength(1))
    expect(requests).toContain('POST /api/v1/planner/watch/changes/17/seen')
    const other = await screen.findByRole('button', { name: /Marquer .*Parcours 18.* comme vu/ })
    expect(other.getAttribute('aria-disabled')).toBe('true')
    expect(other.getAttribute('title')).toBe('Ce parcours appartient à Morvan.')
  })

  it('filters in the address: what was lost, mine, seen ones too', async () => {
    const user = userEvent.setup()
    const { router } = await renderPage(Page, '/here?guidance=lost')
    await cards()
    expect(requests).toContain('GET /api/v1/planner/watch/changes?guidance=lost&page=1&per_page=25')
    await user.click(screen.getByRole('radio', { name: 'Les miens' }))
    await user.click(screen.getByRole('switch', { name: 'Montrer aussi ceux déjà vus' }))
    await waitFor(() =>
      expect(requests.at(-1)).toBe('GET /api/v1/planner/watch/changes?guidance=lost&owner=mine&seen=true&page=1&per_page=25'),
    )
    expect(router.state.location.search).toMatchObject({ guidance: 'lost', owner: 'mine', seen: 'true' })
  })

  it('says before the first change that nothing is to be seen', async () => {
    state = { ...state, run: null }
    await renderPage(Page)
    expect(await screen.findByText('Le réseau n’a pas encore changé')).not.toBeNull()
    expect(screen.queryByRole('switch')).toBeNull()
  })

  it('shows how far a run is, which a superadmin can start', async () => {
    state = { ...state, may_run: true }
    items = []
    await renderPage(Page)
    await userEvent.click(await screen.findByRole('button', { name: 'Tout recalculer' }))
    const bar = await screen.findByRole('progressbar')
    expect(bar.getAttribute('max')).toBe('120')
    expect(plain(screen.getByRole('region', { name: 'Dernier changement de réseau' }))).toMatch(
      /0 parcours recalculés sur 120 Demandé par Solène M\./,
    )
    expect(screen.getByText('Rien pour l’instant')).not.toBeNull()
    expect(screen.queryByRole('button', { name: 'Tout recalculer' })).toBeNull()
  })

  it('lists the traces that are stored otherwise than a save would, and leads to them', async () => {
    const title = { fr: 'Le port' }
    const parcours = { id: 31, title: { fr: 'Tour du lac' }, white_label: { id: 1, name: 'Morvan' } }
    faulty = {
      items: [
        {
          parcours,
          editable: true,
          faults: [
            { kind: 'step_off_line', step_id: 4, title, metres: 1112 },
            { kind: 'other_length', sheet_m: 16_400, line_m: 15_800 },
          ],
        },
        {
          parcours: { ...parcours, id: 32, title: { fr: 'Crêtes' } },
          editable: false,
          faults: [{ kind: 'step_not_at_end', step_id: 1, title: {} }],
        },
      ],
      total: 2,
    }
    await renderPage(Page)
    const found = await screen.findByRole('region', { name: '2 tracés à enregistrer de nouveau' })
    expect(plain(found)).toMatch(
      /Tour du lac« Le port » est à 1,1 km de sa place sur le tracé.La fiche indique 16,4 km, le tracé mesure 15,8 km./,
    )
    expect(plain(found)).toMatch(/CrêtesCe parcours appartient à Morvan.« Sans titre » n’est pas au bout du tracé./)
    expect(
      within(found)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual(['/parcours/31/edit-trace', '/parcours/32'])
  })
})
