import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { connectionProblem, ProblemError } from '@/api/problem'
import { showLocale, startTexts } from '@/i18n'
import { ErrorView, type ErrorViewProps } from './ErrorView'

const props: ErrorViewProps = {
  error: undefined,
  path: '/parcours/9',
  previousUrl: 'https://jalon.example/',
  currentUrl: 'https://jalon.example/parcours/9',
  userId: 7,
  trackerUrl: 'https://issues.example/',
  homeHref: '/',
  loginHref: '/login?backurl=%2Fparcours%2F9',
  goBack: () => undefined,
  retry: () => undefined,
}
const show = (over: Partial<ErrorViewProps>) => render(<ErrorView {...props} {...over} />)
const name = (text: string) => new RegExp(`^${text.replaceAll(' ', '\\s')}`)

beforeEach(() => startTexts('fr'))

describe('the error page', () => {
  it.each([
    [401, 'Vous n’êtes plus connecté'],
    ['401', 'Vous n’êtes plus connecté'],
    [403, 'Vous n’avez pas accès à cette page'],
    [404, 'Page introuvable : /parcours/9'],
    [500, 'Une erreur inconnue est survenue'],
    [undefined, 'Une erreur inconnue est survenue'],
  ])('status %j: heading, message, a way back, a question, and the tracker', async (status, heading) => {
    const goBack = vi.fn()
    show({ error: { status, message: 'x' }, goBack })
    expect(screen.getByRole('heading', { level: 1 }).textContent?.replace(/\s/g, ' ')).toBe(heading)
    await userEvent.click(screen.getByRole('button', { name: name('Revenir en arrière') }))
    expect(goBack).toHaveBeenCalledOnce()
    expect(screen.getByText(/\?$/, { selector: 'strong' })).toBeTruthy()
    expect(screen.getByRole('link', { name: name('suivi des anomalies') }).getAttribute('href')).toBe('https://issues.example/')
    expect(document.title).toContain('Jalon')
  })

  it('offers to sign in again on 401 alone, and the dashboard on 404 alone', () => {
    const links = (error: unknown) => {
      cleanup()
      show({ error })
      return screen
        .getAllByRole('link')
        .map((link) => link.getAttribute('href'))
        .filter((href) => href !== 'https://issues.example/')
    }
    expect(links(new ProblemError(401, { code: 'session/expired' }))).toEqual(['/login?backurl=%2Fparcours%2F9'])
    expect(links({ statusCode: '403' })).toEqual([])
    expect(links({ status: 404 })).toEqual(['/'])
    expect(links(new Error('broken'))).toEqual([])
  })

  it('names a filter of the address that makes no sense, and offers the page without filters', () => {
    const error = new ProblemError(400, { code: 'request/bad-query', params: { name: 'level' } })
    show({ error, currentUrl: 'https://jalon.example/en/parcours?level=foo' })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('level')
    expect(screen.getByRole('link', { name: name('Ouvrir sans les filtres') }).getAttribute('href')).toBe('/en/parcours')
  })

  it.each([
    ['a request without answer', { error: connectionProblem() }],
    ['a part of the app that could not be fetched', { error: new TypeError('Failed to fetch'), unreachable: true }],
  ])('says of %s that the server does not answer, offers to try again, and asks for no report', async (_, over) => {
    const retry = vi.fn()
    show({ ...over, retry })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Le serveur ne répond pas')
    await userEvent.click(screen.getByRole('button', { name: 'Réessayer' }))
    expect(retry).toHaveBeenCalledOnce()
    expect(screen.queryByText(/\?$/, { selector: 'strong' })).toBeNull()
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('reads « Page not found: {path} » in English', async () => {
    await startTexts('en')
    show({ error: { status: 404 } })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Page not found: /parcours/9')
    showLocale('fr')
  })

  it('hides the logs, shows them by a button that then goes away, and copies the same lines', async () => {
    const copied: string[] = []
    const error = Object.assign(new Error('boom'), { status: 500, stack: 'Error: boom\n  at x' })
    show({ error, copy: (text) => (copied.push(text), Promise.resolve()) })
    expect(screen.queryByText(/at x/)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: name('Copier les journaux') }))
    await userEvent.click(screen.getByRole('button', { name: name('Voir les journaux') }))
    expect(screen.queryByRole('button', { name: name('Voir les journaux') })).toBeNull()
    expect(document.activeElement).toBe(screen.getByText(/at x/).closest('dl'))
    expect(copied[0]?.split('\n')).toEqual([
      'Code: 500',
      'Message: boom',
      'Trace d’appels: Error: boom',
      '  at x',
      'Utilisateur: 7',
      'Adresse précédente: https://jalon.example/',
      'Adresse actuelle: https://jalon.example/parcours/9',
    ])
  })

  it('leaves out of the logs what is not there', async () => {
    const copied: string[] = []
    show({ error: 'a word', userId: undefined, previousUrl: undefined, copy: (text) => (copied.push(text), Promise.resolve()) })
    await userEvent.click(screen.getByRole('button', { name: name('Copier les journaux') }))
    expect(copied).toEqual(['Message: a word\nAdresse actuelle: https://jalon.example/parcours/9'])
  })

  it('says so when the browser refuses to copy', async () => {
    show({ error: 'x', copy: () => Promise.reject(new Error('denied')) })
    await userEvent.click(screen.getByRole('button', { name: name('Copier les journaux') }))
    expect((await screen.findByRole('status')).textContent).toContain('refusée')
  })
})
