import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Parcours, Proposal } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { ensureTexts } from '@/i18n'
import { renderPage } from '../../../../test/form-host'
import { aParcours } from '../../../../test/parcours'
import { inSheet } from '../../../../test/sheet'
import { Proposals } from './Proposals'
import { parcoursQuery, proposalsQuery } from './queries'

const decided = vi.fn<(id: number, version: number, proposal: number, accepted: boolean) => Promise<Parcours>>()
vi.mock('./queries', async (original) => ({
  ...(await original<object>()),
  decideProposal: (id: number, version: number, proposal: number, accepted: boolean) => decided(id, version, proposal, accepted),
}))

const proposal = (more: Partial<Proposal> = {}): Proposal => ({
  id: 4,
  at: '2026-11-20T08:00:00Z',
  by: { id: 2, name: 'Claire Martin' },
  token: 'Assistant de Claire',
  field: 'subtitle',
  language: 'fr',
  before: 'À pied',
  text: 'À pied ou à vélo',
  step: null,
  note: 'Les vélos passent.',
  ...more,
})

async function render(items: Proposal[], more: Partial<Parcours> = {}) {
  const parcours = { ...aParcours(), subtitle: { fr: 'À pied' }, editable: true, ...more }
  const { cache } = await renderPage(inSheet(parcours, Proposals))
  cache.setQueryDefaults(proposalsQuery(parcours.id).queryKey, { staleTime: Infinity })
  act(() => void cache.setQueryData(proposalsQuery(parcours.id).queryKey, items))
  return { cache, parcours }
}

beforeEach(async () => {
  decided.mockReset()
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"items":[]}', { headers: { 'content-type': 'application/json' } })))
  await ensureTexts('common', 'errors', 'shell', 'sheet', 'trace')
})

describe('what assistants propose', () => {
  it('is shown as a difference with the present text, with who asked for it', async () => {
    await render([proposal(), proposal({ id: 5, text: 'À cheval', before: 'À pied, en famille' })])
    expect(await screen.findByRole('heading', { name: /Des assistants proposent 2 modifications/ })).toBeTruthy()
    expect(screen.getAllByText(/Assistant de Claire, pour Claire Martin/).length).toBe(2)
    expect(document.querySelector('ins')?.textContent).toContain('vélo')
    // The second one was made from another text.
    expect(screen.getByText('À pied, en famille')).toBeTruthy()
  })
  it('is accepted over the version on the screen, and shows the present state where that is another one', async () => {
    const { cache, parcours } = await render([proposal()])
    const current = { ...parcours, version: parcours.version + 1 }
    decided.mockRejectedValueOnce(new ProblemError(412, { code: 'version/stale', current }))
    await userEvent.click(await screen.findByRole('button', { name: /^Accepter la proposition/ }))
    await waitFor(() => expect(decided).toHaveBeenCalledWith(parcours.id, parcours.version, 4, true))
    await waitFor(() => expect(cache.getQueryData(parcoursQuery(parcours.id).queryKey)?.version).toBe(current.version))
  })
  it('names a step with its kind and its place', async () => {
    const step = { kind: 'favourite', title: { fr: 'La digue' }, description: {}, position: [4.06, 47.19] } as unknown as Proposal['step']
    await render([proposal({ field: 'steps', language: null, text: null, before: null, step })])
    expect(await screen.findByText('Étape à ajouter : La digue')).toBeTruthy()
    expect(screen.getByText(/Coup de cœur, à 47,19/)).toBeTruthy()
  })
})
