import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ensureTexts } from '@/i18n'
import { Toaster } from '@/ui/feedback/toast'
import { AppTheme } from '@/ui/theme/AppTheme'
import { renderPage } from '../../../../test/form-host'
import { asksImpact, nobody } from '../../../../test/impact'
import { aParcours } from '../../../../test/parcours'
import { inSheet } from '../../../../test/sheet'
import { RecalculateDialog } from '../sheet/dialogs/RecalculateDialog'
import DeleteDialog from './DeleteDialog'
import DuplicateDialog from './DuplicateDialog'

const nothing = () => undefined
const parcours = aParcours({ id: 12, title: { fr: 'Le lac' } })

/** The uses of the parcours. */
let uses: unknown = { items: [], hidden_total: 0, shown_under: null }
/** The server's answer to the action; all else is empty. */
let answer: { status: number; body: unknown } = { status: 200, body: {} }

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

beforeEach(async () => {
  await ensureTexts('common', 'errors', 'shell', 'sheet', 'trace')
  vi.stubGlobal('fetch', (input: unknown, init: RequestInit = {}) =>
    Promise.resolve(
      init.method === 'POST'
        ? json(answer.status, answer.body)
        : json(200, asksImpact(String(input)) ? nobody : String(input).includes('/uses') ? uses : { items: [] }),
    ),
  )
})

/** A page beside the toasts, which outlive it. */
async function open(Page: () => React.ReactNode) {
  await renderPage(Page)
  render(
    <AppTheme>
      <Toaster />
    </AppTheme>,
  )
}

const failed = { status: 409, body: { type: 'about:blank', title: 'Conflict', status: 409, code: 'parcours/no-trace' } }

describe('deleting', () => {
  const Page = () => <DeleteDialog parcours={parcours} onClose={nothing} />

  it('says that the bin keeps it, and that nothing uses it', async () => {
    uses = { items: [], hidden_total: 0, shown_under: null }
    await open(Page)
    expect(await screen.findByText(/Rien n’utilise ce parcours/)).toBeDefined()
    expect(screen.getByText(/Il reste 30 jours dans la corbeille/)).toBeDefined()
    expect(screen.queryByText(/définitive/)).toBeNull()
  })

  it('says under which parent it is shown', async () => {
    uses = { items: [], hidden_total: 0, shown_under: { id: 4, title: { fr: 'Le grand tour' } } }
    await open(Page)
    expect(await screen.findByRole('link', { name: 'Le grand tour' })).toBeDefined()
    expect(screen.queryByText(/Rien n’utilise/)).toBeNull()
  })
})

describe('duplicating', () => {
  const Page = () => <DuplicateDialog parcours={parcours} onClose={nothing} />

  it('says « Parcours dupliqué ! »', async () => {
    answer = { status: 201, body: aParcours({ id: 13 }) }
    await open(Page)
    await userEvent.click(await screen.findByRole('button', { name: 'Dupliquer le parcours' }))
    expect(await screen.findByText('Parcours dupliqué !')).toBeDefined()
  })

  it('puts the focus on an empty title', async () => {
    await open(Page)
    const title = await screen.findByLabelText(/^Titre/)
    await userEvent.clear(title)
    await userEvent.click(screen.getByRole('button', { name: 'Dupliquer le parcours' }))
    await waitFor(() => expect(document.activeElement).toBe(title))
    expect(title.getAttribute('aria-invalid')).toBe('true')
  })

  it('says « Erreur lors de la duplication du parcours » and why', async () => {
    answer = failed
    await open(Page)
    await userEvent.click(await screen.findByRole('button', { name: 'Dupliquer le parcours' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Erreur lors de la duplication du parcours\s: ./)
  })
})

describe('recalculating', () => {
  const Page = inSheet(parcours, () => <RecalculateDialog opened onClose={nothing} />)

  it('says « Parcours recalculé ! »', async () => {
    answer = { status: 200, body: parcours }
    await open(Page)
    await userEvent.click(await screen.findByRole('button', { name: 'Recalculer le parcours' }))
    expect(await screen.findByText(/^Parcours recalculé !/)).toBeDefined()
  })

  it('says « Erreur lors du recalcul du parcours » and why', async () => {
    answer = failed
    await open(Page)
    await userEvent.click(await screen.findByRole('button', { name: 'Recalculer le parcours' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Erreur lors du recalcul du parcours\s: ./)
  })
})
