import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/form-host'
import fr from '@/i18n/fr/jobs.json'
import { ensureTexts, startTexts } from '@/i18n'
import type { Job, Jobs } from '@/api/types'
import { kinds, states } from './jobs'
import { Page } from './JobsPage'

const job = (change: Partial<Job>): Job => ({
  id: 1,
  kind: 'mail',
  is_known: true,
  state: 'done',
  is_cancelling: false,
  white_label: null,
  asked_by: null,
  attempts: 1,
  max_attempts: 8,
  run_after: '2026-11-20T08:00:00Z',
  server: 'alpha:12',
  done: null,
  total: null,
  reason: null,
  created_at: '2026-11-20T08:00:00Z',
  started_at: '2026-11-20T08:00:01Z',
  finished_at: '2026-11-20T08:00:02Z',
  ...change,
})
const none = { waiting: 0, running: 0, dead: 0 }

const requests: string[] = []
let pages: Jobs[] = []

beforeEach(async () => {
  requests.length = 0
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('settings', 'resource', 'jobs')
  vi.stubGlobal('fetch', (input: unknown, init?: RequestInit) => {
    const url = new URL(String(input), window.location.origin)
    requests.push(`${init?.method ?? 'GET'} ${url.pathname}${url.search}`)
    const list = pages[url.searchParams.has('before') ? 1 : 0] ?? { items: [], next_before: null, counts: none, others: none }
    const body = url.pathname === '/api/v1/jobs' ? list : job({ id: 7, state: 'waiting', finished_at: null })
    return Promise.resolve(new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } }))
  })
})

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) })
const page = (items: Job[], more: Partial<Jobs> = {}): Jobs => ({ items, next_before: null, counts: none, others: none, ...more })

describe('the jobs', () => {
  it('says what runs and how far it is, what failed and why, and for whom', async () => {
    pages = [
      page(
        [
          job({
            id: 3,
            kind: 'roadbook_batch',
            state: 'running',
            done: 3,
            total: 12,
            finished_at: null,
            white_label: { id: 1, name: 'Vallée' },
            asked_by: { id: 7, name: 'Anna Roux' },
          }),
          job({ id: 2, kind: 'mail', state: 'dead', reason: { code: 'mail/address', params: {} } }),
          job({
            id: 4,
            kind: 'media_sizes',
            state: 'waiting',
            attempts: 0,
            finished_at: null,
            reason: { code: 'job/disk-full', params: { since: 1 } },
          }),
          job({
            id: 1,
            kind: 'of_tomorrow',
            is_known: false,
            state: 'waiting',
            finished_at: null,
            reason: { code: 'job/unknown-kind', params: {} },
          }),
        ],
        { counts: { waiting: 1, running: 1, dead: 1 }, others: { waiting: 2, running: 0, dead: 4 } },
      ),
    ]
    await renderPage(Page)
    const batch = await row('Carnets de voyage en lot')
    expect(within(batch).getByText('Vallée · demandée par Anna Roux')).toBeTruthy()
    expect(within(batch).getByRole('progressbar').getAttribute('value')).toBe('3')
    expect(within(batch).getByText('3 sur 12')).toBeTruthy()
    expect(within(await row('Envoi d’un e-mail')).getByText('L’adresse du destinataire n’est pas valable.')).toBeTruthy()
    const waits = await row('Redimensionnement d’une image')
    expect(within(waits).getByText(/disque du serveur est plein.* toutes les 30 secondes/)).toBeTruthy()
    expect(within(await row('of_tomorrow')).getByText(/serveur plus récent/)).toBeTruthy()
    expect(screen.getByText(/2 tâches de la plateforme/)).toBeTruthy()
  })

  it('tries a failed job again', async () => {
    pages = [page([job({ id: 7, state: 'dead', reason: { code: 'job/panicked', params: {} } }), job({ id: 6 })])]
    await renderPage(Page)
    await userEvent.click(await screen.findByRole('button', { name: /Relancer\s: Envoi d’un e-mail, tâche n°\s7/ }))
    expect(requests).toContain('POST /api/v1/jobs/7/retry')
    expect(screen.getAllByRole('button', { name: /^Relancer/ }), 'what is done is not tried again').toHaveLength(1)
  })

  it('asks before a job is cancelled', async () => {
    pages = [page([job({ id: 7, state: 'running', finished_at: null })])]
    await renderPage(Page)
    await userEvent.click(await screen.findByRole('button', { name: /^Annuler\s: / }))
    const dialog = await screen.findByRole('dialog', { name: /Annuler la tâche/ })
    expect(requests.some((one) => one.startsWith('POST'))).toBe(false)
    expect(within(dialog).queryByRole('button', { name: 'Annuler' }), 'two kinds of « Annuler »').toBeNull()
    expect(within(dialog).getByRole('button', { name: 'Garder la tâche' })).toBeDefined()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Annuler la tâche' }))
    expect(requests).toContain('POST /api/v1/jobs/7/cancel')
  })

  it('reads on from the last job that is shown', async () => {
    pages = [page([job({ id: 51 })], { next_before: 51 }), page([job({ id: 50, kind: 'media_sizes' })])]
    await renderPage(Page)
    await userEvent.click(await screen.findByRole('button', { name: 'Afficher la suite' }))
    await row('Redimensionnement d’une image')
    expect(requests.at(-1)).toContain('before=51')
  })

  it('says what will stand there while there is nothing', async () => {
    pages = [page([])]
    await renderPage(Page)
    expect(await screen.findByText('Aucune tâche')).toBeTruthy()
  })

  it('has words for every state and kind', () => {
    expect(Object.keys(fr.state).sort()).toEqual([...states].sort())
    expect(Object.keys(fr.kind).sort()).toEqual([...kinds].sort())
  })
})
