import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { ensureTexts } from '@/i18n'
import { renderPage } from '../../../test/form-host'
import { FormProvider } from './form-context'
import { LogoField } from './LogoField'
import type { Values } from './paths'
import { FormStore } from './store'

it('sends a logo with the limits of logos and takes it into the field', async () => {
  await ensureTexts('common', 'errors')
  const requests: string[] = []
  vi.stubGlobal('fetch', (address: string | Request) => {
    const url = new URL(typeof address === 'string' ? address : address.url, 'http://localhost')
    requests.push(`${url.pathname}${url.search}`)
    const answer = url.searchParams.get('purpose') === 'logo' ? { id: 12 } : { items: [], total: 0 }
    return Promise.resolve(new Response(JSON.stringify(answer), { status: 200, headers: { 'content-type': 'application/json' } }))
  })
  const store = new FormStore<Values>({ logo_media_id: null })
  await renderPage(() => (
    <FormProvider value={store}>
      <LogoField name="logo_media_id" label="Logo" />
    </FormProvider>
  ))
  await userEvent.upload(await screen.findByLabelText('Fichier : Logo'), new File(['x'], 'logo.png', { type: 'image/png' }))
  await waitFor(() => expect(store.values['logo_media_id']).toBe(12))
  expect(requests).toContain('/api/v1/medias?file_name=logo.png&purpose=logo')
})
