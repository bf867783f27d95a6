import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts } from '@/i18n'
import { me, renderPage } from '../../../test/form-host'
import { Page } from './SettingsPage'

it('offers the bin to people who may write, not to a reader', async () => {
  await ensureTexts('common', 'errors', 'shell', 'settings', 'resource')
  const { cache } = await renderPage(Page)
  expect(screen.getByRole('link', { name: /^Corbeille/ })).toBeDefined()
  act(() => void cache.setQueryData(meKey, { ...me, capabilities: ['content.read', 'content.export'] }))
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Corbeille/ })).toBeNull())
  expect(screen.getByRole('link', { name: /^Structures/ })).toBeDefined()
})
