import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/form-host'
import fr from '@/i18n/fr/journal.json'
import { ensureTexts, startTexts } from '@/i18n'
import type { AuditEvent, AuditEvents } from '@/api/types'
import { actions, queryOf, csvAddress, outcomes } from './journal'
import { Page } from './JournalPage'

const lost = vi.hoisted(() => ({ texts: false }))
vi.mock('@/i18n', async (original) => {
  const real = await original<typeof import('@/i18n')>()
  return {
    ...real,
    ensureTexts: (...areas: Parameters<typeof real.ensureTexts>) =>
      lost.texts ? Promise.reject(new Error('no network')) : real.ensureTexts(...areas),
  }
})

const event = (change: Partial<AuditEvent>): AuditEvent => ({
  id: 1,
  at: '2026-11-20T08:00:00Z',
  actor: { id: 7, name: 'Anna Roux', gone: false },
  action: 'sign_in',
  outcome: 'done',
  record: null,
  detail: { type: 'none' },
  network: '203.0.113.0/24',
  structure: { id: 1, name: 'Office' },
  white_label: null,
  request_id: 'abc',
  ...change,
})

const requests: string[] = []
let pages: AuditEvents[] = []

beforeEach(async () => {
  requests.length = 0
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('settings', 'resource', 'people', 'journal', 'jobs')
  vi.stubGlobal('fetch', (input: unknown) => {
    const url = new URL(String(input), window.location.origin)
    if (url.pathname === '/api/v1/audit-events') requests.push(url.search)
    const body =
      url.pathname === '/api/v1/audit-events'
        ? (pages[url.searchParams.has('before') ? 1 : 0] ?? { items: [], next_before: null })
        : { items: [], total: 0 }
    return Promise.resolve(new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } }))
  })
})

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) })

describe('the journal', () => {
  it('says who did what, from where, and leads to the record where it may be opened', async () => {
    pages = [
      {
        items: [
          event({
            id: 3,
            action: 'user_role_changed',
            record: { kind: 'user', id: 9, visible: true },
            detail: { type: 'roles', before: 'editor', after: 'admin' },
          }),
          event({
            id: 2,
            action: 'access',
            outcome: 'refused',
            record: { kind: 'poi', id: 4, visible: false },
            detail: { type: 'operation', operation: 'DELETE /api/v1/pois/{id}', code: 'auth/forbidden' },
          }),
          event({ id: 1, action: 'sign_in', outcome: 'failed', actor: null }),
          event({ id: 12, action: 'job_retried', detail: { type: 'job', id: 31, kind: 'mail' } }),
          event({ id: 11, action: 'job_cancelled', detail: { type: 'job', id: 32, kind: 'of_a_newer_version' } }),
        ],
        next_before: null,
      },
    ]
    await renderPage(Page)
    expect(within(await row('Tâche relancée')).getByText('Envoi d’un e-mail, tâche n° 31')).toBeTruthy()
    expect(within(await row('Tâche annulée')).getByText('of_a_newer_version, tâche n° 32'), 'a kind without a name').toBeTruthy()
    const role = await row('Changement de rôle')
    expect(within(role).getByText('Éditeur → Administrateur')).toBeTruthy()
    expect(within(role).getByText('203.0.113.0/24')).toBeTruthy()
    expect(within(role).getByRole('link', { name: /Utilisateur n°\s9/ })).toBeTruthy()
    const refused = await row('Accès')
    expect(within(refused).getByText('Refusé')).toBeTruthy()
    expect(within(refused).queryByRole('link', { name: /POI n°\s4/ }), 'what cannot be opened is no link').toBeNull()
    expect(within(await row('Connexion')).getByText('Aucune personne connectée')).toBeTruthy()
  })

  it('names the fields of an event as the sheet of its record does', async () => {
    const fields = (id: number, action: AuditEvent['action'], kind: NonNullable<AuditEvent['record']>['kind'], names: string[]) =>
      event({ id, action, record: { kind, id: 3, visible: true }, detail: { type: 'fields', names } })
    pages = [
      {
        items: [
          fields(4, 'white_label_changed', 'white_label', ['colors', 'zoom']),
          fields(3, 'service_changed', 'sit_source', ['url', 'columns']),
          fields(2, 'revision_restored', 'parcours', ['subtitle', 'title']),
          fields(1, 'user_changed', 'user', ['locale']),
        ],
        next_before: null,
      },
    ]
    await renderPage(Page)
    expect(within(await row('Réglage d’une marque blanche')).getByText('Champs : Couleurs et Zoom par défaut')).toBeTruthy()
    expect(within(await row('Réglage d’un service')).getByText('Champs : Adresse de la source et Colonnes associées')).toBeTruthy()
    expect(within(await row('Retour à une version')).getByText('Champs : Sous-titre et Titre')).toBeTruthy()
    expect(within(await row('Modification d’un utilisateur')).getByText('Champs : Langue de l’interface')).toBeTruthy()
  })

  it('is shown though the words of a kind of record do not come', async () => {
    pages = [{ items: [event({ id: 1, action: 'sign_out', detail: { type: 'fields', names: ['title'] } })], next_before: null }]
    lost.texts = true
    await renderPage(Page)
    expect(await row('Déconnexion')).toBeTruthy()
    lost.texts = false
  })

  it('names people who are gone, and says so', async () => {
    pages = [
      {
        items: [
          event({ id: 2, action: 'sign_out', actor: { id: 7, name: 'Anna Roux', gone: true } }),
          event({
            id: 1,
            action: 'list_exported',
            actor: { id: 8, name: null, gone: true },
            detail: { type: 'exported', list: 'parcours_csv', count: 12 },
          }),
        ],
        next_before: null,
      },
    ]
    await renderPage(Page)
    const out = await row('Déconnexion')
    expect(within(out).getByText('Compte supprimé')).toBeTruthy()
    expect(within(out).queryByRole('link', { name: 'Anna Roux' })).toBeNull()
    const exportRow = await row('Export d’une liste')
    expect(within(exportRow).getByText('Compte effacé n° 8')).toBeTruthy()
    expect(within(exportRow).getByText('Parcours (CSV), 12 lignes')).toBeTruthy()
  })

  it('reads on from the last event that is shown', async () => {
    pages = [
      { items: [event({ id: 51 })], next_before: 51 },
      { items: [event({ id: 50, action: 'sign_out' })], next_before: null },
    ]
    await renderPage(Page)
    await userEvent.click(await screen.findByRole('button', { name: 'Afficher la suite' }))
    await row('Déconnexion')
    expect(requests.at(-1)).toContain('before=51')
    expect(screen.getByText('Fin du journal')).toBeTruthy()
  })

  it('says what will stand there while it is empty', async () => {
    pages = [{ items: [], next_before: null }]
    await renderPage(Page)
    expect(await screen.findByText('Le journal est vide')).toBeTruthy()
  })

  it('asks for a period as two days, and exports what is filtered', () => {
    expect(queryOf({ period: '2026-11-01..2026-11-20', action: 'sign_in' })).toEqual({
      from: '2026-11-01',
      to: '2026-11-20',
      action: 'sign_in',
    })
    expect(csvAddress({ outcome: 'failed,refused' })).toBe('/api/v1/audit-events/export.csv?outcome=failed%2Crefused')
  })

  it('has words for every action and outcome', () => {
    expect(Object.keys(fr.action).sort()).toEqual([...actions].sort())
    expect(Object.keys(fr.outcome).sort()).toEqual([...outcomes].sort())
  })
})
