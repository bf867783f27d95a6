import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { ensureTexts, startTexts } from '@/i18n'
import { me, renderPage } from '../../../test/form-host'
import { keepEmail, keptEmail } from './back'
import { Page as ForgotPage } from './ForgotPage'
import { SignInNavigationContext } from './navigation'
import { Page as LoginPage } from './LoginPage'

const host = { go: () => Promise.resolve(), moveUrl: () => Promise.resolve() }
const hosted = (Page: () => React.ReactNode) =>
  function Hosted() {
    return (
      <SignInNavigationContext value={host}>
        <Page />
      </SignInNavigationContext>
    )
  }

beforeEach(async () => {
  sessionStorage.clear()
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('login')
})

it('goes by Tab from the address to the password, and to the forgotten password after it', async () => {
  window.history.replaceState(null, '', '/login')
  await renderPage(hosted(LoginPage))
  await userEvent.type(screen.getByLabelText('Adresse e-mail'), 'anna@roux.example')
  await userEvent.tab()
  const password = screen.getByLabelText('Mot de passe')
  expect(document.activeElement).toBe(password)
  const link = screen.getByRole('link', { name: /oublié/ })
  expect(password.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
})

it('takes the typed address and the place to go to along to the forgotten password, and the place back', async () => {
  window.history.replaceState(null, '', '/login?backurl=%2Fparcours%3Fpage%3D2')
  const { unmount } = await renderPage(hosted(LoginPage))
  await userEvent.type(screen.getByLabelText('Adresse e-mail'), 'anna@roux.example')
  const link = screen.getByRole('link', { name: /oublié/ })
  expect(link.getAttribute('href')).toBe('/login/forgot?backurl=%2Fparcours%3Fpage%3D2')
  link.addEventListener('click', (event) => event.preventDefault())
  await userEvent.click(link)
  unmount()
  window.history.replaceState(null, '', '/login/forgot?backurl=%2Fparcours%3Fpage%3D2')
  await renderPage(hosted(ForgotPage))
  expect(screen.getByLabelText('Adresse e-mail')).toHaveProperty('value', 'anna@roux.example')
  expect(screen.getAllByRole('link').map((one) => one.getAttribute('href'))).toContain('/login?backurl=%2Fparcours%3Fpage%3D2')
  expect(sessionStorage.length).toBe(0)
})

it('keeps no address past the sign-in, nor for a link that opens another tab', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(me)))
  window.history.replaceState(null, '', '/login')
  keepEmail('hier@roux.example')
  await renderPage(hosted(LoginPage))
  expect(keptEmail(), 'of an earlier visit').toBe('')
  await userEvent.type(screen.getByLabelText('Adresse e-mail'), 'anna@roux.example')
  const link = screen.getByRole('link', { name: /oublié/ })
  link.addEventListener('click', (event) => event.preventDefault())
  for (const key of ['ctrlKey', 'metaKey', 'shiftKey']) fireEvent.click(link, { [key]: true })
  expect(keptEmail(), 'another tab').toBe('')
  fireEvent.click(link)
  expect(keptEmail()).toBe('anna@roux.example')
  await userEvent.type(screen.getByLabelText('Mot de passe'), 'le vent tourne{Enter}')
  await waitFor(() => expect(keptEmail(), 'signed in').toBe(''))
})

it('gives the focus to what is said once the link is sent', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status: 204 })))
  window.history.replaceState(null, '', '/login/forgot')
  await renderPage(hosted(ForgotPage))
  await userEvent.type(screen.getByLabelText('Adresse e-mail'), 'anna@roux.example{Enter}')
  const message = await screen.findByText(/un lien vient de lui être envoyé/)
  expect(document.activeElement?.contains(message)).toBe(true)
  expect(document.activeElement).not.toBe(document.body)
})

it('takes the refusal away once empty fields are sent', async () => {
  vi.stubGlobal('fetch', () =>
    Promise.resolve(
      Response.json(
        { code: 'auth/bad-credentials', status: 401 },
        { status: 401, headers: { 'content-type': 'application/problem+json' } },
      ),
    ),
  )
  window.history.replaceState(null, '', '/login')
  await renderPage(hosted(LoginPage))
  const [email, password] = [screen.getByLabelText('Adresse e-mail'), screen.getByLabelText('Mot de passe')]
  await userEvent.type(email, 'anna@roux.example')
  await userEvent.type(password, 'faux{Enter}')
  await waitFor(() => expect(password.getAttribute('aria-invalid')).toBe('true'))
  await userEvent.clear(email)
  await userEvent.clear(password)
  fireEvent.invalid(email)
  expect(password.getAttribute('aria-invalid')).toBeNull()
})
