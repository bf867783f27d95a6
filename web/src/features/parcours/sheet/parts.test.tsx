import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ProblemError } from '@/api/problem'
import type { Capability, Parcours } from '@/api/types'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts } from '@/i18n'
import { TranslatedField } from '@/records/form/fields'
import { ReadOnlyContext } from '@/records/form/read-only'
import { me, renderPage } from '../../../../test/form-host'
import { Publication } from './header/Publication'
import { StepsCard } from './itinerary/StepsCard'
import { SalesTab } from './sales/SalesTab'
import { aParcours, aStep } from '../../../../test/parcours'
import { inSheet, SheetForm } from '../../../../test/sheet'
import type { SheetValues } from './values'

/** The rows of steps that were rendered, by their place: each row renders one of these. */
const rendered = vi.hoisted(() => [] as string[])
vi.mock('./itinerary/ToNext', async (original) => {
  const { ToNext } = await original<typeof import('./itinerary/ToNext')>()
  return {
    ToNext: (props: Parameters<typeof ToNext>[0]) => {
      rendered.push(props.at)
      return ToNext(props)
    },
  }
})

const sent = vi.fn<(patch: Partial<SheetValues>) => Promise<Parcours>>()

/** A part of the sheet of one parcours, with its form and nothing else around. */
function pageOf(Part: () => React.ReactNode, parcours: Parcours, advanced = true) {
  const InForm = () => (
    <ReadOnlyContext value={!parcours.editable}>
      <SheetForm>
        <Part />
      </SheetForm>
    </ReadOnlyContext>
  )
  return inSheet(parcours, InForm, { save: sent, advanced })
}

/** The same page for a person with these capabilities. */
async function renderFor(capabilities: Capability[], Page: () => React.ReactNode) {
  const { cache } = await renderPage(Page)
  act(() => void cache.setQueryData(meKey, { ...me, capabilities }))
}

beforeEach(async () => {
  localStorage.clear()
  sent.mockReset()
  await ensureTexts('common', 'errors', 'shell', 'sheet', 'trace')
})

describe('the steps', () => {
  const steps = [
    aStep({ id: 1, kind: 'departure', title: { fr: 'Halle' } }),
    aStep({ id: 2, title: { fr: 'Pont' } }),
    aStep({ id: 3, kind: 'favourite', title: { fr: 'Ponton' } }),
    aStep({ id: 4, kind: 'arrival', title: { fr: 'Gare' } }),
  ]
  const names = () =>
    screen.getAllByLabelText(/^Nom de l’étape \d en français$/).map((input) => (input instanceof HTMLTextAreaElement ? input.value : ''))

  it('change places with Alt and the arrows, the focus going along; the ends stay', async () => {
    await renderPage(pageOf(StepsCard, aParcours({ steps })))
    await userEvent.click(screen.getByLabelText('Nom de l’étape 2 en français'))
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(names()).toEqual(['Halle', 'Ponton', 'Pont', 'Gare'])
    expect(document.activeElement).toBe(screen.getByLabelText('Nom de l’étape 3 en français'))
    expect(screen.getByText('Pont, place 3 sur 4')).toBeDefined()
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(names()).toEqual(['Halle', 'Ponton', 'Pont', 'Gare'])
    const announced = () => screen.getByText(/premier|dernière|départ/i, { selector: '[role="status"]' }).textContent
    const before = announced()
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(announced(), 'the same words are announced again').not.toBe(before)
    expect(announced()?.trim()).toBe(before?.trim())
  })

  it('show in each language what an end without a name is called', async () => {
    await renderPage(pageOf(StepsCard, aParcours({ steps })))
    const shown = (label: string) => screen.getByLabelText<HTMLTextAreaElement>(label).placeholder
    expect([shown('Nom de l’étape 1 en français'), shown('Nom de l’étape 1 en anglais')]).toEqual(['Départ', 'Start'])
    expect([shown('Nom de l’étape 4 en français'), shown('Nom de l’étape 4 en anglais')]).toEqual(['Arrivée', 'Finish'])
    expect(shown('Nom de l’étape 2 en anglais')).toBe('')
  })

  it('say nothing at the end of the list, where there is nothing to change places with', async () => {
    await renderPage(pageOf(StepsCard, aParcours({ steps: [aStep({ id: 2, title: { fr: 'Pont' } })] })))
    await userEvent.click(screen.getByLabelText('Nom de l’étape 1 en français'))
    await userEvent.keyboard('{Alt>}{ArrowDown}{ArrowUp}{/Alt}')
    expect(document.querySelector('p[role="status"]')?.textContent.trim()).toBe('')
  })

  it('stay in the order of the trace, and their arrows say why', async () => {
    const along = steps.map((step, index) => ({ ...step, at_m: index * 500 }))
    await renderPage(pageOf(StepsCard, aParcours({ steps: along, trace: {} as never })))
    expect(screen.getByText(/^L’ordre des étapes suit le tracé/)).toBeDefined()
    const down = screen.getByRole('button', { name: /^Descendre.*Pont\s»/ })
    expect(down.getAttribute('aria-disabled')).toBe('true')
    expect(down.title).toMatch(/^L’ordre suit le tracé/)
    await userEvent.click(screen.getByLabelText('Nom de l’étape 2 en français'))
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(names()).toEqual(['Halle', 'Pont', 'Ponton', 'Gare'])
    expect(screen.getByText(/^L’ordre suit le tracé/, { selector: '[role="status"]' })).toBeDefined()
  })

  it('are sent whole when one name changes', async () => {
    sent.mockImplementation(() => Promise.resolve(aParcours({ steps, version: 4 })))
    await renderPage(pageOf(StepsCard, aParcours({ steps })))
    await userEvent.type(screen.getByLabelText('Nom de l’étape 2 en anglais'), 'Bridge{Enter}')
    await userEvent.keyboard('{Control>}s{/Control}')
    await waitFor(() => expect(sent).toHaveBeenCalledOnce())
    expect(sent.mock.calls[0]?.[0].steps?.map(({ title }) => title)).toEqual([
      { fr: 'Halle' },
      { fr: 'Pont', en: 'Bridge' },
      { fr: 'Ponton' },
      { fr: 'Gare' },
    ])
  })

  it('render no other row when a name is typed', async () => {
    const many = Array.from({ length: 30 }, (_, at) => aStep({ id: at + 1, title: { fr: `Étape ${at + 1}` } }))
    await renderPage(pageOf(StepsCard, aParcours({ steps: many })))
    const field = screen.getByLabelText('Nom de l’étape 12 en français')
    await userEvent.click(field)
    rendered.length = 0
    await userEvent.keyboard('x')
    expect(field).toHaveProperty('value', 'Étape 12x')
    expect([...new Set(rendered)]).toEqual(['steps.11'])
  })

  it('of others are text, without a field', async () => {
    await renderPage(pageOf(StepsCard, aParcours({ steps, editable: false, locked_reason: 'not_yours' })))
    expect(screen.getByText('Ponton')).toBeDefined()
    expect(screen.queryByRole('textbox')).toBeNull()
  })
})

describe('the title of a published parcours', () => {
  it('is asked for at its field when a save would take it away', async () => {
    const Title = () => <TranslatedField name="title" label="Titre" required />
    const errors = [{ code: 'parcours/title-required-to-publish', field: '/title/fr' }]
    sent.mockRejectedValue(new ProblemError(422, { code: 'validation/failed', errors }))
    await renderPage(pageOf(Title, aParcours({ published: true, title: { fr: 'Lac' } })))
    const field = screen.getByLabelText(/^Titre fr/)
    await userEvent.clear(field)
    await userEvent.keyboard('{Control>}s{/Control}')
    expect(await screen.findByText('Un parcours publié a besoin d’un titre.')).toBeDefined()
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(field))
  })
})

describe('the publication', () => {
  const theirs = (published: boolean) =>
    aParcours({ mine: false, editable: false, published: true, white_labels: [{ id: me.active_white_label_id, name: 'OT', published }] })

  it('of another white-label’s parcours is that on one’s own', async () => {
    await renderPage(pageOf(Publication, theirs(true)))
    expect(screen.getByText('Publié chez moi')).toBeDefined()
  })

  it('is elsewhere where one’s own only added it', async () => {
    await renderPage(pageOf(Publication, theirs(false)))
    expect(screen.getByText('Publié ailleurs')).toBeDefined()
  })
})

describe('the sales', () => {
  const sold = aParcours({ price_cents: 4500, booking_url: 'https://a.example' })

  it('show what is reserved to agencies as text to everybody else', async () => {
    await renderFor(['content.write'], pageOf(SalesTab, sold))
    expect(await screen.findAllByText('Réservé aux agences de voyages')).toHaveLength(2)
    expect(screen.queryByLabelText(/^Prix$/)).toBeNull()
    expect(screen.getByLabelText(/^Adresse de réservation/)).toBeDefined()
  })

  it('let an agency type a price with a comma, kept in cents', async () => {
    sent.mockImplementation(() => Promise.resolve({ ...sold, version: 4 }))
    await renderFor(['content.write', 'agency.fields'], pageOf(SalesTab, sold))
    const price = await screen.findByLabelText(/^Prix$/)
    await userEvent.clear(price)
    await userEvent.type(price, '49,90')
    await userEvent.keyboard('{Control>}s{/Control}')
    await waitFor(() => expect(sent.mock.calls[0]?.[0]).toEqual({ price_cents: 4990 }))
  })

  it('in the simplified view lead to the advanced one when nothing is filled', async () => {
    await renderPage(pageOf(SalesTab, aParcours(), false))
    expect(screen.getByText('Rien à vendre pour l’instant')).toBeDefined()
  })
})
