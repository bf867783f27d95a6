import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import type { WhiteLabel } from '@/api/types'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts } from '@/i18n'
import { FormProvider } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import { ReadOnlyContext } from '@/records/form/read-only'
import { FormStore } from '@/records/form/store'
import { labelOf } from '@/records/resource/define'
import { Toaster } from '@/ui/feedback/toast'
import { me, renderPage } from '../../../test/form-host'
import { ApiKey } from './ApiKey'
import { AssistantSettings } from './AssistantSettings'
import { Contents, Look } from './fields'
import { form } from './form'

beforeEach(async () => {
  await ensureTexts('common', 'errors', 'shell', 'resource', 'whiteLabels')
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ items: [], total: 0 })))
})

it('shows the filter on loops as it is, and each of its three states can be chosen', async () => {
  const store = new FormStore<Values>({
    flags: {},
    pauses_percent: null,
    poi_filter: { category_ids: [], theme_ids: [] },
    parcours_filter: { practice_type_ids: [], is_loop: false },
    rating_min: null,
    rating_max: null,
  })
  await renderPage(() => (
    <FormProvider value={store}>
      <Contents record={null} f={(name) => ({ name, label: labelOf('whiteLabels', name) })} />
    </FormProvider>
  ))
  const field = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Boucles et allers simples' })
  const shown = () => field.selectedOptions[0]?.textContent
  expect(shown()).toBe('Allers simples seulement')
  for (const [words, value] of [
    ['Toutes les balades', null],
    ['Boucles seulement', true],
    ['Allers simples seulement', false],
  ] as const) {
    await userEvent.selectOptions(field, words)
    expect(store.values['parcours_filter']).toEqual({ practice_type_ids: [], is_loop: value })
    expect(shown()).toBe(words)
  }
})

it('says that the contrast is measured where a colour can be typed', async () => {
  const store = new FormStore<Values>({
    colors: { primary: '#14507A', secondary: null, tertiary: null },
    fonts: { title_media_id: null, text_media_id: null },
    logo_media_id: null,
    pdf_logo_media_id: null,
    pdf_background_media_id: null,
  })
  const shown = async (readOnly: boolean) => {
    const { unmount } = await renderPage(() => (
      <FormProvider value={store}>
        <ReadOnlyContext value={readOnly}>
          <Look record={null} f={(name) => ({ name, label: name })} />
        </ReadOnlyContext>
      </FormProvider>
    ))
    const hint = screen.queryByText('Le contraste est mesuré pendant la saisie.')
    unmount()
    return hint !== null
  }
  expect(await shown(false)).toBe(true)
  expect(await shown(true)).toBe(false)
})

it('names the filter on loops, and says each of its three states, in a comparison of two versions', () => {
  const path = 'parcours_filter.is_loop'
  expect(labelOf('whiteLabels', path)).toBe('Boucles et allers simples')
  expect([null, true, false].map((value) => form.valueWords?.(path, value))).toEqual([
    'Toutes les balades',
    'Boucles seulement',
    'Allers simples seulement',
  ])
})

it.each([
  [{ mine: true, editable: true }, true],
  [{ mine: true, editable: false }, true],
  [{ mine: false, editable: true }, true],
  [{ mine: false, editable: false }, false],
])('previews the pages of a white-label for those who work in it or may change it: %o', (rights, shown) => {
  expect(form.hasAside?.(rights as WhiteLabel)).toBe(shown)
})

it('asks for the settings of the assistant of a white-label that may be edited, and of no other', async () => {
  const requests: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    requests.push(new URL(url, 'http://jalon.test').pathname)
    return new Promise(() => undefined)
  })
  const { cache } = await renderPage(() => (
    <>
      <AssistantSettings record={{ id: 2, editable: false } as WhiteLabel} />
      <AssistantSettings record={{ id: 1, editable: true } as WhiteLabel} />
    </>
  ))
  act(() => void cache.setQueryData(meKey, { ...me, capabilities: ['settings.manage'] }))
  await waitFor(() => expect(requests).toContain('/api/v1/white-labels/1/assistant'))
  expect(requests).not.toContain('/api/v1/white-labels/2/assistant')
})

it('reads the white-label anew once the settings of its assistant are saved: the server of the key is part of its version', async () => {
  await ensureTexts('assistant')
  const model = { enabled: true, base_url: 'https://model.example/v1', model: 'm', monthly_tokens: null }
  vi.stubGlobal('fetch', (url: string) =>
    new URL(url, 'http://jalon.test').pathname.endsWith('/assistant')
      ? Promise.resolve(Response.json({ ...model, key_hint: null, used_tokens: 0 }))
      : new Promise(() => undefined),
  )
  const { cache } = await renderPage(() => <AssistantSettings record={{ id: 1, editable: true, version: 7 } as WhiteLabel} />)
  act(() => void cache.setQueryData(meKey, { ...me, capabilities: ['settings.manage'] }))
  act(() => void cache.setQueryData(['white_label', 1], { id: 1, version: 7 }))
  await userEvent.click(await screen.findByRole('button', { name: 'Enregistrer l’assistant' }))
  await waitFor(() => expect(cache.getQueryState(['white_label', 1])?.isInvalidated).toBe(true))
})

it('sets and forgets the key of the assistant over the version of the white-label that is shown', async () => {
  await ensureTexts('assistant')
  const model = { enabled: true, base_url: 'https://model.example/v1', model: 'm', monthly_tokens: null }
  const sent: unknown[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { pathname } = new URL(url, 'http://jalon.test')
    if (pathname.endsWith('/assistant')) return Promise.resolve(Response.json({ ...model, key_hint: '0123', used_tokens: 0 }))
    if (!pathname.endsWith('/key')) return new Promise(() => undefined)
    sent.push([init.method, pathname, new Headers(init.headers).get('if-match')])
    return Promise.resolve(new Response(null, { status: 204 }))
  })
  const { cache } = await renderPage(() => <AssistantSettings record={{ id: 1, editable: true, version: 7 } as WhiteLabel} />)
  act(() => void cache.setQueryData(meKey, { ...me, capabilities: ['settings.manage'] }))
  await userEvent.click(await screen.findByRole('button', { name: 'Remplacer la clé de l’assistant' }))
  await userEvent.type(await screen.findByLabelText(/^Clé de l’assistant/), 'sk-0123')
  await userEvent.click(screen.getByRole('button', { name: 'Enregistrer la clé' }))
  const path = '/api/v1/white-labels/1/assistant/key'
  await waitFor(() => expect(sent).toEqual([['PUT', path, '"7"']]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Oublier la clé de l’assistant' }))
  const confirm = within(await screen.findByRole('dialog'))
  await userEvent.click(confirm.getByRole('button', { name: 'Oublier la clé de l’assistant' }))
  await waitFor(() => expect(sent[1]).toEqual(['DELETE', path, '"7"']))
})

it('saves the settings of the assistant over the version that is shown, and keeps what is typed when another person saved meanwhile', async () => {
  await ensureTexts('assistant')
  const model = { enabled: true, base_url: 'https://model.example/v1', model: 'm', monthly_tokens: null, key_hint: null, used_tokens: 0 }
  const theirs = 'https://theirs.example/v1'
  const sent: unknown[] = []
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    if (!new URL(url, 'http://jalon.test').pathname.endsWith('/assistant')) return new Promise(() => undefined)
    if (init?.method !== 'PUT') return Promise.resolve(Response.json(sent.length === 0 ? model : { ...model, base_url: theirs }))
    sent.push(new Headers(init.headers).get('if-match'))
    return Promise.resolve(Response.json({ code: 'version/stale', status: 412 }, { status: 412 }))
  })
  const { cache } = await renderPage(() => <AssistantSettings record={{ id: 1, editable: true, version: 7 } as WhiteLabel} />)
  act(() => void cache.setQueryData(meKey, { ...me, capabilities: ['settings.manage'] }))
  act(() => void cache.setQueryData(['white_label', 1], { id: 1, version: 7 }))
  await userEvent.type(await screen.findByRole('textbox', { name: /^Modèle/ }), 'ine')
  await userEvent.click(screen.getByRole('button', { name: 'Enregistrer l’assistant' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Les réglages ont changé entre-temps/)
  expect(sent).toEqual(['"7"'])
  expect(await screen.findByDisplayValue(theirs)).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Modèle/ }).value).toBe('mine')
  expect(cache.getQueryState(['white_label', 1])?.isInvalidated).toBe(true)
})

const staleAnswer = () => Promise.resolve(Response.json({ code: 'version/stale', status: 412 }, { status: 412 }))

it('fetches the last version where the key of the assistant was refused over an older one, and says so', async () => {
  await ensureTexts('assistant')
  const model = { enabled: true, base_url: 'https://model.example/v1', model: 'm', monthly_tokens: null }
  vi.stubGlobal('fetch', (url: string) => {
    const { pathname } = new URL(url, 'http://jalon.test')
    if (pathname.endsWith('/assistant')) return Promise.resolve(Response.json({ ...model, key_hint: null, used_tokens: 0 }))
    return pathname.endsWith('/key') ? staleAnswer() : new Promise(() => undefined)
  })
  const { cache } = await renderPage(() => <AssistantSettings record={{ id: 1, editable: true, version: 7 } as WhiteLabel} />)
  act(() => void cache.setQueryData(meKey, { ...me, capabilities: ['settings.manage'] }))
  act(() => void cache.setQueryData(['white_label', 1], { id: 1, version: 7 }))
  await userEvent.click(await screen.findByRole('button', { name: 'Enregistrer la clé de l’assistant' }))
  await userEvent.type(await screen.findByLabelText(/^Clé de l’assistant/), 'sk-0123')
  await userEvent.click(screen.getByRole('button', { name: 'Enregistrer la clé' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/sa dernière version est affichée/)
  expect(cache.getQueryState(['white_label', 1])?.isInvalidated).toBe(true)
})

it('fetches the last version where a new API key was refused over an older one, and says so', async () => {
  vi.stubGlobal('fetch', staleAnswer)
  const { cache } = await renderPage(() => (
    <>
      <ApiKey record={{ id: 1, version: 7, api_key: null } as WhiteLabel} />
      <Toaster />
    </>
  ))
  act(() => void cache.setQueryData(meKey, { ...me, capabilities: ['settings.manage'] }))
  act(() => void cache.setQueryData(['white_label', 1], { id: 1, version: 7 }))
  await userEvent.click(await screen.findByRole('button', { name: 'Créer une clé' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/sa dernière version est affichée/)
  await waitFor(() => expect(cache.getQueryState(['white_label', 1])?.isInvalidated).toBe(true))
})

it('refuses a limit of the assistant that is no whole number, in place of rounding it', async () => {
  await ensureTexts('assistant')
  const model = { enabled: true, base_url: 'https://model.example/v1', model: 'm', monthly_tokens: null }
  const methods: (string | undefined)[] = []
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    if (!new URL(url, 'http://jalon.test').pathname.endsWith('/assistant')) return new Promise(() => undefined)
    methods.push(init?.method)
    return Promise.resolve(Response.json({ ...model, key_hint: null, used_tokens: 0 }))
  })
  const { cache } = await renderPage(() => <AssistantSettings record={{ id: 1, editable: true, version: 7 } as WhiteLabel} />)
  act(() => void cache.setQueryData(meKey, { ...me, capabilities: ['settings.manage'] }))
  const limit = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Nombre maximal de jetons/ })
  await userEvent.type(limit, '2,5')
  expect(screen.getByRole('alert').textContent).toMatch(/n’est pas un nombre entier/)
  await userEvent.click(screen.getByRole('button', { name: 'Enregistrer l’assistant' }))
  expect(methods).not.toContain('PUT')
  expect(limit.value).toBe('2,5')
})
