import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Capability, Parcours, Roadbook, RoadbookPreview, RoadbookSettings } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts } from '@/i18n'
import { Toaster } from '@/ui/feedback/toast'
import { TextField } from '@/records/form/fields'
import { me, renderPage } from '../../../../../test/form-host'
import { aParcours, aStep } from '../../../../../test/parcours'
import { roadbookSettings } from '../../../../../test/roadbook'
import { aServer } from '../../../../../test/server'
import { inSheet, SheetForm } from '../../../../../test/sheet'
import RoadbookTab from './RoadbookTab'

const inn = {
  id: 31,
  title: { fr: 'Auberge du Pré' },
  address: { street: null, postcode: '48000', city: 'Mende', country: null },
  phone: '+33353014210',
  website: 'https://pre.example',
}
const called = aServer()

const settings = roadbookSettings()
const roadbook: Roadbook = {
  id: 7,
  version: 2,
  settings,
  editable: true,
  locked_reason: null,
  updated_at: '2026-11-20T08:00:00Z',
  updated_by: { id: 7, name: 'Maïlys Corvanne' },
}
const preview: RoadbookPreview = {
  total: 20,
  pages: [{ number: 1, png: '' }],
  warnings: [
    { code: 'title_cut', day: null, step: null, subject: '', texts: null },
    { code: 'step_text_long', day: 2, step: '5', subject: 'Depuis le parvis', texts: null },
  ],
}
const noFiles = { items: [], total: 0 }

/** The server of the roadbook: what it reads, what it shows, what it is sent. */
function answers({
  read = () => Promise.resolve(roadbook),
  show = () => Promise.resolve(preview),
}: { read?: () => Promise<Roadbook>; show?: () => Promise<RoadbookPreview> } = {}) {
  called.mockImplementation((method, path, sent) => {
    if (method === 'PUT') return Promise.resolve({ ...roadbook, version: 3, settings: sent?.body }) as never
    if (path === '/api/v1/pois') return Promise.resolve({ items: [inn], total: 1 })
    if (path === '/api/v1/pois/31') return Promise.resolve(inn) as never
    if (path.endsWith('/client-files')) return Promise.resolve(noFiles) as never
    return path.endsWith('/preview') ? show() : read()
  })
}

const Tab = () => (
  <>
    <Toaster />
    <SheetForm>
      <TextField name="file_number" label="Numéro de dossier" />
      <RoadbookTab />
    </SheetForm>
  </>
)

async function shown(parcours: Parcours, capabilities: Capability[] = ['content.write', 'content.export', 'agency.fields']) {
  const { cache } = await renderPage(inSheet(parcours, Tab))
  act(() => void cache.setQueryData(meKey, { ...me, capabilities }))
}

beforeEach(async () => {
  localStorage.clear()
  called.mockReset()
  await ensureTexts('common', 'errors', 'shell', 'sheet', 'trace', 'roadbook')
})

describe('the roadbook', { timeout: 20_000 }, () => {
  /** The bodies of the saves. */
  const saved = async (): Promise<{ version: number | undefined; body: RoadbookSettings }> => {
    await userEvent.keyboard('{Control>}s{/Control}')
    await waitFor(() => expect(called.mock.calls.some(([method]) => method === 'PUT')).toBe(true))
    const [, , sent] = called.mock.calls.find(([method]) => method === 'PUT') ?? []
    return { version: sent?.version, body: sent?.body as RoadbookSettings }
  }
  const row = (name: string) => screen.findByText(name, { selector: 'button' })

  it('moves a page by keyboard, switches it off, and is saved whole', async () => {
    answers()
    await shown(aParcours())
    await userEvent.click(await row('Description'))
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(screen.getByText('Description, place 4 sur 13')).toBeDefined()
    await userEvent.click(screen.getByLabelText(/Imprimer.*Photos/))
    const { version, body } = await saved()
    expect(version).toBe(2)
    expect(body.pages.map(({ kind }) => kind).slice(1, 4)).toEqual(['welcome', 'overview', 'description'])
    expect(body.pages.filter(({ on }) => !on).map(({ kind }) => kind)).toEqual(['photos'])
  })

  it('sets the options of the chosen page', async () => {
    answers()
    await shown(aParcours())
    await userEvent.click(await row('Notes'))
    await userEvent.type(screen.getByLabelText(/^Pages de notes/), '4')
    const { body } = await saved()
    expect(body.pages.find(({ kind }) => kind === 'notes')?.count).toBe(4)
  })

  it('is looked at beside its settings, and tells in words what is to be looked at', async () => {
    answers()
    await shown(aParcours())
    expect(await screen.findByRole('img', { name: 'Page 1 du carnet de voyage' })).toBeDefined()
    expect(screen.getByText('1 sur 20')).toBeDefined()
    expect(
      screen.getByText('le titre est trop long pour la couverture : il est coupé.', { normalizer: (text) => text.replaceAll(/\s+/g, ' ') }),
    ).toBeDefined()
    expect(screen.getByText(/^Jour 2, étape 5/)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Pages suivantes' }))
    await waitFor(() => expect(called.mock.lastCall?.[2]?.body).toMatchObject({ pages: [2, 3] }))
  })

  it('says why there is no roadbook', async () => {
    answers({ show: () => Promise.reject(new ProblemError(422, { code: 'roadbook/no-pages' })) })
    await shown(aParcours())
    expect((await screen.findByRole('alert')).textContent.replaceAll(/\s+/g, ' ')).toContain(
      'Erreur lors de la récupération du carnet de voyage : Toutes les pages sont décochées',
    )
  })

  it('has a stay for each night', async () => {
    answers()
    await shown(
      aParcours({
        steps: [
          aStep({ id: 1, kind: 'departure' }),
          aStep({ id: 2, kind: 'night', title: { fr: 'Quarré' } }),
          aStep({ id: 3, kind: 'arrival' }),
        ],
      }),
    )
    await userEvent.click(await screen.findByRole('button', { name: /Nuit 1\s*Quarré/ }))
    expect(screen.getByRole('textbox', { name: /^Code d’entrée/ })).toBeDefined()
  })

  it('adds no voucher while the parcours is not saved', async () => {
    answers()
    await shown(aParcours())
    const add = await screen.findByRole('button', { name: 'Ajouter un bon' })
    await userEvent.type(screen.getByLabelText('Numéro de dossier'), 'MVN')
    expect(add.getAttribute('aria-disabled')).toBe('true')
    expect(screen.getAllByText('Enregistrez d’abord le parcours pour créer des bons.').length).toBeGreaterThan(0)
    await userEvent.click(add)
    expect(screen.queryByRole('textbox', { name: /^Prestataire/ })).toBeNull()
  })

  it('leaves clients and vouchers of agencies to be read by others', async () => {
    answers()
    await shown(aParcours(), ['content.write'])
    await screen.findByRole('heading', { name: 'Bons d’échange' })
    expect(screen.queryByRole('button', { name: 'Ajouter un bon' })).toBeNull()
    expect(screen.queryByRole('textbox', { name: /^Clients/ })).toBeNull()
  })

  const twoNights = aParcours({
    steps: [
      aStep({ id: 1, kind: 'departure' }),
      aStep({ id: 2, kind: 'night', title: { fr: 'Quarré' } }),
      aStep({ id: 3, kind: 'step_night', title: { fr: 'Les Settons' } }),
      aStep({ id: 4, kind: 'arrival' }),
    ],
  })
  const plain = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ')

  it('says that it is saved after the last save was accepted, and only then', async () => {
    answers()
    let refused = false
    called.mockImplementation((method, path, sent) => {
      if (method === 'PUT' && refused)
        return Promise.reject(
          new ProblemError(422, {
            code: 'validation/failed',
            errors: [{ code: 'validation/too-long', field: '/stays/0/phone', params: { max: 120 } }],
          }),
        )
      if (method === 'PUT') return Promise.resolve({ ...roadbook, version: 3, settings: sent?.body }) as never
      return Promise.resolve(path.endsWith('/client-files') ? noFiles : path.endsWith('/preview') ? preview : roadbook)
    })
    await shown(twoNights)
    const signature = await screen.findByLabelText(/^Signature/)
    expect(screen.getByText(/^Enregistré le/)).toBeDefined()
    await userEvent.type(signature, 'Maud')
    expect(screen.queryByText(/^Enregistré le/)).toBeNull()
    expect(screen.getByText('Des changements ne sont pas enregistrés.')).toBeDefined()
    await userEvent.keyboard('{Control>}s{/Control}')
    expect(await screen.findByText('Carnet de voyage sauvegardé !')).toBeDefined()
    expect(screen.getByText(/^Enregistré le/)).toBeDefined()

    refused = true
    await userEvent.click(screen.getByRole('button', { name: /Nuit 2\s*Les Settons/ }))
    await userEvent.type(screen.getByRole('textbox', { name: /^Téléphone/ }), '0102')
    await userEvent.keyboard('{Control>}s{/Control}')
    expect(await screen.findByText(/^Rien n’est enregistré/)).toBeDefined()
    expect(screen.queryByText(/^Enregistré le/)).toBeNull()
    expect(screen.queryByText('Carnet de voyage sauvegardé !')).toBeNull()
    // The night before it has nothing typed and is not sent: the message is on the night it is about.
    const phone: HTMLInputElement = screen.getByRole('textbox', { name: /^Téléphone/ })
    expect([phone.value, phone.getAttribute('aria-invalid')]).toEqual(['0102', 'true'])
    expect(screen.getByRole('button', { name: /Nuit 1\s*Quarré/ }).getAttribute('aria-expanded')).toBe('false')
  })

  it('is read by another white-label without its people, its preview and its PDF', async () => {
    answers({ read: () => Promise.resolve({ ...roadbook, editable: false, locked_reason: 'not_yours', updated_by: null }) })
    await shown(aParcours({ editable: false, locked_reason: 'not_yours', mine: false }))
    expect(await screen.findByText(/^Ce parcours est celui d’une autre marque blanche/)).toBeDefined()
    expect(screen.getByRole('heading', { name: 'Pages' })).toBeDefined()
    for (const heading of ['Dossiers client', 'Bons d’échange', 'Voyage', 'Hébergements', 'Aperçu'])
      expect(screen.queryByRole('heading', { name: heading })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Télécharger le PDF' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Enregistrer/ })).toBeNull()
    expect(called.mock.calls.some(([, path]) => path.endsWith('/preview') || path.endsWith('/client-files'))).toBe(false)
  })

  it('tells which texts of which record are not in its language', async () => {
    const texts = { kind: 'step', id: 4, fields: ['title', 'description'], language: 'en', printed_in: 'fr' }
    answers({
      show: () => Promise.resolve({ ...preview, warnings: [{ code: 'text_missing', day: null, step: '3', subject: 'Quarré', texts }] }),
    })
    await shown(aParcours())
    const line = await screen.findByText(/pas de texte en anglais/)
    expect(plain(line.textContent)).toBe(
      'Étape 3, Quarré : pas de texte en anglais (Titre et Description) ; le texte en français est imprimé.',
    )
  })

  it('fills a night from a record, and makes its voucher', async () => {
    answers({
      read: () => Promise.resolve({ ...roadbook, settings: { ...settings, starts_on: '2027-05-14', clients: ['Claire', 'Yann'] } }),
    })
    await shown(twoNights)
    await userEvent.click(await screen.findByRole('button', { name: /Nuit 2\s*Les Settons/ }))
    await userEvent.type(screen.getByRole('combobox', { name: /^Remplir depuis un point d’intérêt/ }), 'Auberge')
    await userEvent.click((await screen.findAllByRole('option', { name: 'Auberge du Pré', hidden: true }))[0] as HTMLElement)
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Téléphone/ }).value).toBe('+33353014210'))
    await userEvent.click(screen.getByRole('button', { name: 'Créer le bon de cette nuit' }))
    const { body } = await saved()
    expect(body.stays.map(({ step_id, name, address, web }) => ({ step_id, name, address, web }))).toEqual([
      { step_id: 3, name: 'Auberge du Pré', address: ['48000 Mende'], web: 'https://pre.example' },
    ])
    expect(body.vouchers).toEqual([
      {
        provider: 'Auberge du Pré',
        place: '48000 Mende',
        phone: '+33353014210',
        date: '2027-05-15',
        service: '1 nuit',
        people: '2',
        settlement: '',
      },
    ])
  })
})
