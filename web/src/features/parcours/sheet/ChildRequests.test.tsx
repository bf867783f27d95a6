import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Capability, ChildRequest, Parcours } from '@/api/types'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts } from '@/i18n'
import { me, renderPage } from '../../../../test/form-host'
import { aParcours } from '../../../../test/parcours'
import { inSheet } from '../../../../test/sheet'
import { ChildRequests, ParentDecision, WaitingChildren } from './ChildRequests'

const decided = vi.fn<(id: number, child: number, accepted: boolean) => Promise<Parcours>>()
vi.mock('./queries', async (original) => ({
  ...(await original<object>()),
  decideChild: (id: number, child: number, accepted: boolean) => decided(id, child, accepted),
}))

const child = (more: Partial<ChildRequest> = {}): ChildRequest => ({
  id: 9,
  title: { fr: 'Variante' },
  white_label: { id: 3, name: 'Vercors' },
  decision: 'waiting',
  decided_at: null,
  decided_by: null,
  ...more,
})

const Parts = () => (
  <>
    <WaitingChildren />
    <ChildRequests />
    <ParentDecision />
  </>
)

async function render(capabilities: Capability[], more: Partial<Parcours>) {
  const { cache } = await renderPage(inSheet(aParcours(more), Parts))
  act(() => void cache.setQueryData(meKey, { ...me, capabilities }))
}

beforeEach(async () => {
  decided.mockReset()
  await ensureTexts('common', 'errors', 'shell', 'sheet')
})

describe('a child of another white-label', () => {
  it('is named to the owner of the parent, who accepts or refuses it', async () => {
    decided.mockResolvedValue(aParcours())
    await render(['content.publish'], { child_requests: [child()] })
    expect(screen.getByText(/Vercors demande à placer sous ce parcours/)).toBeDefined()
    const [accept] = screen.getAllByRole('button', { name: /^Accepter.*Variante$/ })
    await userEvent.click(accept as HTMLElement)
    await waitFor(() => expect(decided).toHaveBeenCalledWith(aParcours().id, 9, true))
    const [refuse] = screen.getAllByRole('button', { name: /^Refuser.*Variante$/ })
    await userEvent.click(refuse as HTMLElement)
    await waitFor(() => expect(decided).toHaveBeenLastCalledWith(aParcours().id, 9, false))
  })

  it('that is accepted no longer waits above the tabs and can be taken off', async () => {
    decided.mockResolvedValue(aParcours())
    await render(['content.publish'], {
      child_requests: [child({ decision: 'accepted', decided_at: '2026-11-20T08:00:00Z', decided_by: { id: 1, name: 'Camille Martin' } })],
    })
    expect(screen.queryByText(/demande à placer/)).toBeNull()
    expect(screen.getByText('Accepté')).toBeDefined()
    expect(screen.getByText(/Camille Martin/)).toBeDefined()
    expect(screen.queryByRole('button', { name: /Accepter/ })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: /^Retirer.*Variante$/ }))
    await waitFor(() => expect(decided).toHaveBeenCalledWith(aParcours().id, 9, false))
  })

  it('is not decided by somebody who may not publish', async () => {
    await render(['content.read'], { child_requests: [child()] })
    const [accept] = screen.getAllByRole('button', { name: /^Accepter.*Variante$/ })
    expect(accept?.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(accept as HTMLElement)
    expect(decided).not.toHaveBeenCalled()
  })

  it('tells its own people what the owner of the parent decided', async () => {
    await render(['content.publish'], { parent_decision: 'refused' })
    expect(screen.getByText('Refusé')).toBeDefined()
    expect(screen.getByText(/le propriétaire du parcours parent a refusé/i)).toBeDefined()
  })
})
