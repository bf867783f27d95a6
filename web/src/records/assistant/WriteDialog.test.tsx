import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { ensureTexts } from '@/i18n'
import { FormProvider } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import { FormStore } from '@/records/form/store'
import { me, renderPage } from '../../../test/form-host'
import { stubLayout } from '../../../test/layout'
import { aServer } from '../../../test/server'
import WriteDialog from './WriteDialog'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('asks for no text whose length is no whole number', async () => {
  stubLayout()
  await ensureTexts('assistant')
  const server = aServer()
  server.mockImplementation((_, path) =>
    Promise.resolve(path === '/api/v1/session' ? me : { model: 'm', templates: [], template_languages: ['fr'], tokens_left: null }),
  )
  const store = new FormStore<Values>({ summary: { fr: 'Un tour du lac.' } })
  await renderPage(() => (
    <FormProvider value={store}>
      <WriteDialog
        kind="parcours"
        id={4}
        text={{ path: 'summary', field: 'summary', rich: false }}
        language="fr"
        label="Résumé"
        onClose={() => undefined}
      />
    </FormProvider>
  ))
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: /^Ce qu’il faut écrire/ }), 'Raccourcir le texte')
  const length = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Nombre maximal de caractères/ })
  await userEvent.type(length, '80,5')
  expect(screen.getByRole('alert').textContent).toMatch(/80,5.*n’est pas un nombre entier/)
  const write = screen.getByRole('button', { name: 'Écrire' })
  expect(write.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(write)
  expect(server.mock.calls.filter(([method]) => method === 'POST')).toEqual([])
  await userEvent.clear(length)
  expect(write.getAttribute('aria-disabled')).toBeNull()
})
