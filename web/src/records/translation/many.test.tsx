import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { ensureTexts, startTexts } from '@/i18n'
import { renderPage } from '../../../test/form-host'
import TranslateMany from './TranslateMany'
import { sentBody } from '../../../test/server'

let translates = true
const someTexts = { sheets: 2, texts: 5, sent: 12, known: 3, characters: 1840 }
let cost = someTexts
const started: unknown[] = []

beforeEach(async () => {
  translates = true
  cost = someTexts
  started.length = 0
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('translation', 'resource')
  vi.stubGlobal('fetch', (input: unknown, init: RequestInit = {}) => {
    const { pathname } = new URL(String(input), window.location.origin)
    if (pathname.endsWith('/estimate')) return Promise.resolve(Response.json(cost))
    if (init.method === 'POST') {
      started.push(sentBody(init))
      return Promise.resolve(Response.json({ id: 1 }))
    }
    return Promise.resolve(Response.json({ items: [], total: 0, translates }))
  })
})

const Shown = () => <TranslateMany kind="parcours" target={() => ({ ids: [1, 2] })} />
const seen = (text: string | null | undefined) => (text ?? '').replace(/[\u00a0\u202f]/g, ' ')

it('says why nothing can be translated before anything opens', async () => {
  translates = false
  await renderPage(Shown)
  const button = await screen.findByRole('button', { name: /^Traduire/ })
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
  expect(button.title).not.toBe('')
  await userEvent.click(button)
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('tells the cost before it is started', async () => {
  await renderPage(Shown)
  await userEvent.click(await screen.findByRole('button', { name: /^Traduire/ }))
  const dialog = await screen.findByRole('dialog')
  await waitFor(() => expect(seen(dialog.textContent)).toContain('5 textes à traduire. Le service compte 1 840 caractères.'))
  await userEvent.click(screen.getByRole('button', { name: 'Lancer la traduction' }))
  await waitFor(() => expect(started).toEqual([{ kind: 'parcours', source: 'fr', target: 'en', ids: [1, 2] }]))
})

it('starts nothing where all is up to date', async () => {
  cost = { sheets: 2, texts: 0, sent: 0, known: 0, characters: 0 }
  await renderPage(Shown)
  await userEvent.click(await screen.findByRole('button', { name: /^Traduire/ }))
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('tout est à jour'))
  await userEvent.click(screen.getByRole('button', { name: 'Lancer la traduction' }))
  expect(started).toEqual([])
})
