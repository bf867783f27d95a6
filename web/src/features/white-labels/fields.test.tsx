import { act, screen, waitFor } from '@testing-library/react'
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
import { me, renderPage } from '../../../test/form-host'
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
  const asked: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(new URL(url, 'http://jalon.test').pathname)
    return new Promise(() => undefined)
  })
  const { cache } = await renderPage(() => (
    <>
      <AssistantSettings record={{ id: 2, editable: false } as WhiteLabel} />
      <AssistantSettings record={{ id: 1, editable: true } as WhiteLabel} />
    </>
  ))
  act(() => void cache.setQueryData(meKey, { ...me, capabilities: ['settings.manage'] }))
  await waitFor(() => expect(asked).toContain('/api/v1/white-labels/1/assistant'))
  expect(asked).not.toContain('/api/v1/white-labels/2/assistant')
})
