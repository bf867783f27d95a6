import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { ensureTexts, startTexts } from '@/i18n'
import { Toaster } from '@/ui/feedback/toast'
import { me, renderPage } from '../../../test/form-host'
import { SignInNavigationContext } from './navigation'
import { Page } from './ResetPage'

const anna = { first_name: 'Anna', email: 'anna@roux.example', structure: 'Parc du Morvan', invitation: true }
let whose: Response = Response.json(anna)
let session: Response = Response.json(me)
const sent: [string, string, unknown][] = []

beforeEach(async () => {
  whose = Response.json(anna)
  session = Response.json(me)
  sent.length = 0
  went.length = 0
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('login', 'resource')
  vi.stubGlobal('fetch', async (input: unknown, init: RequestInit = {}) => {
    const request = input instanceof Request ? input : new Request(new URL(String(input), window.location.origin), init)
    const { pathname } = new URL(request.url)
    if (request.method !== 'GET') sent.push([request.method, pathname, await request.json()])
    if (pathname === '/api/v1/session') return session
    return request.method === 'GET' ? whose : new Response(null, { status: 204 })
  })
})

const went: string[] = []
const host = {
  go: (address: string) => {
    went.push(address)
    return Promise.resolve()
  },
  moveUrl: () => Promise.resolve(),
}
const Shown = () => (
  <SignInNavigationContext value={host}>
    <Page />
    <Toaster />
  </SignInNavigationContext>
)
const shown = () => {
  window.history.replaceState(null, '', '/login/reset?token=abc')
  return renderPage(Shown)
}

it('welcomes who is invited by the name of the structure, and signs in once the password is set', async () => {
  await shown()
  expect(await screen.findByRole('heading', { name: 'Bienvenue, Anna' })).toBeTruthy()
  expect(screen.getByText(/Parc du Morvan vous a ouvert un compte dans Jalon, avec l’adresse anna@roux\.example/)).toBeTruthy()
  await userEvent.type(screen.getByLabelText(/^Mot de passe/), 'le vent tourne à gauche')
  await userEvent.click(screen.getByRole('button', { name: 'Enregistrer et me connecter' }))
  await waitFor(() => expect(went).toEqual(['/']))
  expect(sent).toEqual([
    ['PUT', '/api/v1/password-resets/abc', { password: 'le vent tourne à gauche' }],
    ['POST', '/api/v1/session', { email: 'anna@roux.example', password: 'le vent tourne à gauche' }],
  ])
})

it('leads to the sign-in page where a code is needed too', async () => {
  whose = Response.json({ ...anna, invitation: false })
  session = Response.json(
    { code: 'auth/totp-required', status: 401 },
    { status: 401, headers: { 'content-type': 'application/problem+json' } },
  )
  await shown()
  await userEvent.type(await screen.findByLabelText(/^Nouveau mot de passe/), 'le vent tourne à gauche')
  await userEvent.click(screen.getByRole('button', { name: 'Enregistrer le mot de passe' }))
  await waitFor(() => expect(went).toEqual(['/login']))
})

it('says at once that a link does not work any more', async () => {
  whose = Response.json(
    { code: 'auth/reset-expired', status: 404 },
    { status: 404, headers: { 'content-type': 'application/problem+json' } },
  )
  await shown()
  expect(await screen.findByRole('alert')).toBeTruthy()
})
