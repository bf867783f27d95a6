import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/form-host'
import { ensureTexts, startTexts } from '@/i18n'
import { Page } from './AccountPage'
import { sentBody } from '../../../test/server'

type Answer = { status?: number; body?: unknown }
const requests: { call: string; body: unknown }[] = []
let answer: (call: string) => Answer = () => ({})
let tokens: object[] = []

const session = (id: number, more: object) => ({
  id,
  browser: 'Firefox',
  system: 'Windows',
  created_at: '2026-11-20T08:00:00Z',
  last_seen_at: '2026-11-20T09:00:00Z',
  current: false,
  ...more,
})
const open = [
  session(1, { current: true }),
  session(2, { browser: 'Safari', system: 'iPhone' }),
  session(3, { browser: null, system: null }),
]

beforeEach(async () => {
  requests.length = 0
  tokens = []
  answer = (call) => (call === 'GET /api/v1/me/sessions' ? { body: { items: open } } : { status: 204 })
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('account', 'people', 'resource')
  vi.stubGlobal('fetch', (input: unknown, init: RequestInit = {}) => {
    const request = input instanceof Request ? input : new Request(new URL(String(input), window.location.origin), init)
    const call = `${request.method} ${new URL(request.url).pathname}`
    requests.push({ call, body: sentBody(init) })
    const { status = 200, body } = call === 'GET /api/v1/me/tokens' ? { body: { items: tokens } } : answer(call)
    return Promise.resolve(
      new Response(status === 204 ? null : JSON.stringify(body ?? {}), { status, headers: { 'content-type': 'application/json' } }),
    )
  })
})
const calls = (start: string) => requests.filter(({ call }) => call.startsWith(start))

describe('the sessions of an account', () => {
  it('names each device, marks the present one, and ends the others one by one', async () => {
    await renderPage(Page)
    expect(await screen.findByText('Firefox sur Windows')).toBeTruthy()
    expect(screen.getByText('Appareil inconnu')).toBeTruthy()
    const current = screen.getByText('Cette session').closest('li')
    expect(current?.querySelector('button')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: /^Fermer la session Safari sur iPhone/ }))
    await waitFor(() => expect(calls('DELETE').map(({ call }) => call)).toEqual(['DELETE /api/v1/me/sessions/2']))
    await waitFor(() => expect(calls('GET /api/v1/me/sessions').length).toBe(2))
  })
  it('ends all others at once, and offers it only where there are any', async () => {
    await renderPage(Page)
    const button = await screen.findByRole('button', { name: 'Fermer toutes les autres' })
    answer = (call) => (call.startsWith('GET') ? { body: { items: open.slice(0, 1) } } : { status: 204 })
    await userEvent.click(button)
    await waitFor(() => expect(calls('DELETE').map(({ call }) => call)).toEqual(['DELETE /api/v1/me/sessions']))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Fermer toutes les autres' })).toBeNull())
  })
})

describe('the password of an account', () => {
  it('is changed with the present one, and each refusal is at its field', async () => {
    await renderPage(Page)
    await userEvent.click(await screen.findByRole('button', { name: 'Changer le mot de passe' }))
    await userEvent.type(screen.getByLabelText(/^Mot de passe actuel/), 'pas le bon')
    await userEvent.type(screen.getByLabelText(/^Nouveau mot de passe/), 'le vent tourne')
    const refused = (field: string, code: string) => {
      answer = (call) =>
        call.startsWith('PUT') ? { status: 422, body: { status: 422, code, field, params: {} } } : { body: { items: open } }
    }
    refused('/current_password', 'me/wrong-password')
    await userEvent.click(screen.getByRole('button', { name: 'Enregistrer le nouveau mot de passe' }))
    await waitFor(() => expect(screen.getByLabelText(/^Mot de passe actuel/).getAttribute('aria-invalid')).toBe('true'))
    expect(calls('PUT')[0]).toEqual({
      call: 'PUT /api/v1/me/password',
      body: { current_password: 'pas le bon', new_password: 'le vent tourne' },
    })
    refused('/new_password', 'auth/weak-password')
    await userEvent.click(screen.getByRole('button', { name: 'Enregistrer le nouveau mot de passe' }))
    expect(await screen.findByText(/ni courant ni connu d’un vol de données/)).toBeTruthy()
    answer = (call) => (call.startsWith('GET') ? { body: { items: open } } : { status: 204 })
    await userEvent.click(screen.getByRole('button', { name: 'Enregistrer le nouveau mot de passe' }))
    expect(await screen.findByRole('button', { name: 'Changer le mot de passe' })).toBeTruthy()
  })
})

describe('the tokens of an account', () => {
  const token = {
    id: 7,
    name: 'Assistant',
    scopes: ['read'],
    created_at: '2026-11-20T08:00:00Z',
    expires_at: '2027-02-18T08:00:00Z',
    last_used_at: null,
  }
  const fill = async (password: string) => {
    await userEvent.clear(screen.getByLabelText(/^Votre mot de passe/))
    await userEvent.type(screen.getByLabelText(/^Votre mot de passe/), password)
    await userEvent.click(screen.getByRole('button', { name: 'Créer le jeton' }))
  }
  it('makes one with the password, shows it once, and puts a refusal at its field', async () => {
    await renderPage(Page)
    await userEvent.click(await screen.findByRole('button', { name: 'Créer un jeton' }))
    await userEvent.type(screen.getByLabelText(/^Nom du jeton/), ' Assistant ')
    await userEvent.click(screen.getByRole('checkbox', { name: /^Peut aussi proposer/ }))
    await userEvent.selectOptions(screen.getByLabelText('Durée'), '30 jours')
    answer = (call) =>
      call.startsWith('POST') ? { status: 422, body: { status: 422, code: 'me/wrong-password', field: '/password', params: {} } } : {}
    await fill('pas le bon')
    await waitFor(() => expect(screen.getByLabelText(/^Votre mot de passe/).getAttribute('aria-invalid')).toBe('true'))
    answer = (call) => (call.startsWith('POST') ? { status: 201, body: { ...token, token: 'jalon_0123' } } : {})
    tokens = [token]
    await fill('le bon')
    expect(await screen.findByText('jalon_0123')).toBeTruthy()
    expect(calls('POST').at(-1)?.body).toEqual({ name: 'Assistant', propose: true, days: 30, password: 'le bon' })
    await userEvent.click(screen.getByRole('button', { name: 'J’ai copié mon jeton' }))
    expect(screen.queryByText('jalon_0123')).toBeNull()
  })
  it('ends one once that is confirmed', async () => {
    tokens = [token]
    answer = () => ({ status: 204 })
    await renderPage(Page)
    expect(await screen.findByText(/jamais utilisé/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Révoquer le jeton Assistant' }))
    expect(calls('DELETE')).toEqual([])
    await userEvent.click(await screen.findByRole('button', { name: 'Révoquer' }))
    await waitFor(() => expect(calls('DELETE').map(({ call }) => call)).toEqual(['DELETE /api/v1/me/tokens/7']))
  })
})
