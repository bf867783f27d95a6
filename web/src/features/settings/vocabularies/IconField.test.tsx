import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ensureTexts, startTexts } from '@/i18n'
import { FormProvider } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import { FormStore } from '@/records/form/store'
import { renderPage } from '../../../../test/form-host'
import { IconField } from './IconField'

it('offers no icon in the gender of the word, and keeps one that is not ours', async () => {
  await startTexts('fr', ['common'])
  await ensureTexts('settings')
  const store = new FormStore<Values>({ icon: 'comet' })
  await renderPage(() => (
    <FormProvider value={store}>
      <IconField name="icon" label="Icône" />
    </FormProvider>
  ))
  await screen.findByLabelText('Icône')
  const names = [...document.querySelectorAll('option')].map(({ textContent }) => textContent)
  expect(names[0]).toBe('Aucune')
  expect(names).toContain('Vélo')
  expect(names).toContain('comet')
})
