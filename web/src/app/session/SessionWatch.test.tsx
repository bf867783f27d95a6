import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { me, renderPage } from '../../../test/form-host'
import { meKey } from '@/api/signed-in-user'
import { SessionWatch } from './SessionWatch'

it('offers another account once the session has ended, as the account may be blocked', async () => {
  const { cache } = await renderPage(SessionWatch)
  window.history.replaceState(null, '', '/pois/5?tab=a')
  act(() => void cache.setQueryData(meKey, { ...me, session_expires_at: new Date(Date.now() + 60_000).toISOString() }))
  await userEvent.click(await screen.findByRole('button', { name: 'Se reconnecter' }))
  await screen.findByRole('dialog', { name: 'Se reconnecter' })
  expect(screen.queryByRole('link', { name: 'Utiliser un autre compte' })).toBeNull()
  act(() => void cache.setQueryData(meKey, { ...me, session_expires_at: '2020-01-01T00:00:00Z' }))
  await screen.findByRole('dialog', { name: 'Votre session a pris fin' })
  expect(screen.getByRole('link', { name: 'Utiliser un autre compte' }).getAttribute('href')).toBe(
    `/login?backurl=${encodeURIComponent('/pois/5?tab=a')}`,
  )
})
