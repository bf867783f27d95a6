import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { me, renderPage } from '../../../test/form-host'
import { draftKey, keepDraft, keepsOnDemand } from '@/records/form/draft'
import { AccountMenu } from '../layout/AccountMenu'

const requests: string[] = []
const draft = { version: 1, savedAt: new Date().toISOString(), changes: { title: 'Lac' } }
const others = draftKey(8, 'poi', 5)

beforeEach(() => {
  localStorage.clear()
  requests.length = 0
  vi.stubGlobal('fetch', (input: unknown, init: RequestInit = {}) => {
    requests.push(
      `${input instanceof Request ? input.method : (init.method ?? 'GET')} ${new URL(input instanceof Request ? input.url : String(input), window.location.origin).pathname}`,
    )
    return Promise.resolve(new Response(null, { status: 204 }))
  })
})
afterEach(() => vi.unstubAllGlobals())

async function pressSignOut(): Promise<void> {
  await renderPage(AccountMenu)
  await userEvent.click(screen.getByRole('button', { name: /Compte de/ }))
  await userEvent.click(await screen.findByRole('button', { name: 'Se déconnecter' }))
}

// The first good sign-out shuts the keeping of drafts for good: the page is gone then. So it is the last test.
describe('signing out', { shuffle: false }, () => {
  it('asks before it erases what is not saved, the form typed in a moment ago included', async () => {
    const stop = keepsOnDemand(() => void keepDraft(draftKey(me.id, 'poi', 3), draft))
    keepDraft(draftKey(me.id, 'parcours', 'new'), draft)
    await pressSignOut()
    expect((await screen.findByRole('dialog')).textContent).toContain('2 saisies ne sont pas enregistrées')
    await userEvent.click(screen.getByRole('button', { name: 'Annuler' }))
    expect([requests, localStorage.length]).toEqual([[], 2])
    stop()
  })
  it('erases what is kept of the person and nothing of others, then keeps nothing more', async () => {
    keepDraft(draftKey(me.id, 'poi', 3), draft)
    keepDraft(others, draft)
    localStorage.setItem(`jalon.recent.${me.id}`, '[]')
    localStorage.setItem('jalon.theme', 'dark')
    await pressSignOut()
    await userEvent.click(await screen.findByRole('button', { name: 'Effacer et se déconnecter' }))
    await waitFor(() => expect(Object.keys(localStorage).toSorted()).toEqual([others, 'jalon.theme']))
    expect(requests).toEqual(['DELETE /api/v1/session'])
    // The page that goes keeps its forms once more.
    expect(keepDraft(draftKey(me.id, 'poi', 3), draft)).toBe(false)
  })
})
