import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts } from '@/i18n'
import { me, renderPage } from '../../../../../test/form-host'
import { aParcours } from '../../../../../test/parcours'
import { aServer } from '../../../../../test/server'
import { inSheet } from '../../../../../test/sheet'
import { SharingTab } from './SharingTab'

beforeEach(() => ensureTexts('common', 'errors', 'shell', 'sheet'))

it('gives the focus to the permanent link in the place of the button that made it', async () => {
  let permanent: object | null = null
  aServer().mockImplementation((method) => {
    if (method === 'POST') permanent = { id: 4, url: '/s/abc', state: 'active' }
    return Promise.resolve(method === 'POST' ? permanent : { permanent, public_url: null, temporary: [] })
  })
  const { cache } = await renderPage(inSheet(aParcours({ title: { fr: 'Lac' }, published: true }), SharingTab))
  act(() => void cache.setQueryData(meKey, { ...me, capabilities: ['content.write', 'content.share'] }))
  const button = await screen.findByRole('button', { name: 'Créer le lien permanent' })
  button.focus()
  await userEvent.keyboard('{Enter}')
  const link = await screen.findByRole('textbox', { name: 'Lien permanent' })
  await waitFor(() => expect(document.activeElement).toBe(link))
  expect(button.isConnected).toBe(false)
})
