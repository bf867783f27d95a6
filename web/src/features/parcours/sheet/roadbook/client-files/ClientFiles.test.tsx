import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Capability, ClientFileView, ClientFile, Roadbook } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts } from '@/i18n'
import { Toaster } from '@/ui/feedback/toast'
import { me, renderPage } from '../../../../../../test/form-host'
import { aParcours, aStep } from '../../../../../../test/parcours'
import { roadbookSettings } from '../../../../../../test/roadbook'
import { aServer } from '../../../../../../test/server'
import { inSheet, SheetForm } from '../../../../../../test/sheet'
import RoadbookTab from '../RoadbookTab'
import { blankStay } from '../values'
import { newClientFile } from './values'

const called = aServer()

const usual = { ...blankStay(2), name: 'Auberge du Pré', code: '2741' }
const voucher = { provider: 'Auberge du Pré', place: '', phone: '', date: null, service: '1 nuit', people: '', settlement: '' }
const settings = roadbookSettings({ stays: [usual], vouchers: [voucher] })
const roadbook: Roadbook = { id: 7, version: 2, settings, editable: true, locked_reason: null, updated_at: null, updated_by: null }
const content: ClientFile = {
  ...newClientFile,
  reference: '2027-0501',
  clients: ['Noé Petit', 'Ada Petit'],
  starts_on: '2027-07-01',
}
const file: ClientFileView = {
  id: 3,
  parcours_id: 7,
  version: 4,
  file: content,
  editable: true,
  locked_reason: null,
  same_reference: [],
  updated_at: '2026-11-20T08:00:00Z',
  updated_by: { id: 7, name: 'Maïlys Corvanne' },
}
const row = {
  id: 3,
  version: 4,
  reference: content.reference,
  clients: content.clients,
  starts_on: content.starts_on,
  updated_at: file.updated_at,
  updated_by: file.updated_by,
}

/** The server: the files of the list, the one that is opened, and the answer to a save. */
function answers({
  files = [row],
  opened = file,
  save,
}: { files?: (typeof row)[]; opened?: ClientFileView; save?: (sent: unknown) => Promise<ClientFileView> } = {}) {
  called.mockImplementation((method, path, sent) => {
    if (method === 'DELETE') return Promise.resolve(undefined) as never
    if (path.endsWith('/preview')) return Promise.resolve({ total: 2, pages: [], warnings: [] }) as never
    if (method === 'POST' || method === 'PUT')
      return (
        save?.(sent?.body) ??
        Promise.resolve({
          ...file,
          id: method === 'POST' ? 8 : 3,
          version: method === 'POST' ? 1 : 5,
          file: sent?.body as ClientFile,
        })
      )
    if (path.endsWith('/client-files')) return Promise.resolve({ items: files, total: files.length }) as never
    return Promise.resolve(path.endsWith('/roadbook') ? roadbook : opened) as never
  })
}

const Tab = () => (
  <>
    <Toaster />
    <SheetForm>
      <RoadbookTab />
    </SheetForm>
  </>
)

async function shown(at = '/here', capabilities: Capability[] = ['content.write', 'content.export', 'agency.fields']) {
  const parcours = aParcours({
    steps: [
      aStep({ id: 1, kind: 'departure' }),
      aStep({ id: 2, kind: 'night', title: { fr: 'Quarré' } }),
      aStep({ id: 3, kind: 'arrival' }),
    ],
  })
  const host = await renderPage(inSheet(parcours, Tab), at)
  act(() => void host.cache.setQueryData(meKey, { ...me, capabilities }))
  return host
}

const sent = (method: string) => called.mock.calls.find(([one, path]) => one === method && !path.endsWith('/preview'))
const plain = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, ' ')

beforeEach(async () => {
  localStorage.clear()
  called.mockReset()
  await ensureTexts('common', 'errors', 'shell', 'sheet', 'trace', 'roadbook')
})

describe('client files', { timeout: 20_000 }, () => {
  it('say in one sentence what they are for while there is none', async () => {
    answers({ files: [] })
    await shown()
    expect(plain((await screen.findByText(/^Aucun dossier/)).textContent)).toContain('sans copier le parcours')
    expect(screen.getByRole('button', { name: 'Nouveau dossier' }).getAttribute('aria-disabled')).toBeNull()
  })

  it('are listed with their names and days; one is opened, changed and saved whole', async () => {
    answers()
    const { router } = await shown()
    const item = (await screen.findByRole('button', { name: 'Ouvrir le dossier 2027-0501' })).closest('li') as HTMLElement
    expect(plain(item.textContent)).toContain('Noé Petit, Ada PetitDépart le 1er juil. 2027')
    await userEvent.click(within(item).getByRole('button', { name: 'Ouvrir le dossier 2027-0501' }))
    const heading = await screen.findByRole('heading', { name: 'Dossier 2027-0501' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    // The address holds a number, never a name.
    expect(router.state.location.searchStr).toBe('?client_file=3')
    await userEvent.type(screen.getByLabelText(/^Signature/), 'Maud')
    await userEvent.click(screen.getByRole('button', { name: /^Enregistrer 1/ }))
    expect(await screen.findByText('Dossier client sauvegardé !')).toBeDefined()
    expect(sent('PUT')?.slice(1)).toEqual(['/api/v1/parcours/7/client-files/3', { version: 4, body: { ...content, signature: 'Maud' } }])
    await userEvent.click(screen.getByRole('button', { name: 'Tous les dossiers' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Nouveau dossier' })))
    expect(router.state.location.searchStr).toBe('')
  })

  it('show what comes from the roadbook of the parcours, and send only what the client has of their own', async () => {
    answers()
    await shown('/here?client_file=new')
    expect(plain((await screen.findByText(/^Sans bon ici/)).textContent)).toContain('celui du carnet du parcours est imprimé')
    await userEvent.type(screen.getByLabelText(/^Numéro de dossier/), '2027-0502')
    await userEvent.click(screen.getByRole('button', { name: /Nuit 1\s*Auberge du Pré/ }))
    expect(screen.getByText('Auberge du Pré · 2741')).toBeDefined()
    await userEvent.type(screen.getByRole('textbox', { name: /^Chambre/ }), '7')
    await userEvent.click(screen.getByRole('button', { name: 'Créer le dossier' }))
    await waitFor(() => expect(sent('POST')).toBeDefined())
    const body = sent('POST')?.[2]?.body as ClientFile
    expect([body.reference, body.stays.map(({ name, room, code }) => [name, room, code])]).toEqual(['2027-0502', [['', '7', '']]])
    expect(await screen.findByRole('heading', { name: 'Dossier 2027-0502' })).toBeDefined()
  })

  it('put a refusal on its field', async () => {
    answers({
      save: () =>
        Promise.reject(
          new ProblemError(422, { code: 'validation/failed', errors: [{ code: 'validation/required', field: '/reference', params: {} }] }),
        ),
    })
    await shown('/here?client_file=new')
    await userEvent.click(await screen.findByRole('button', { name: 'Créer le dossier' }))
    await waitFor(() => expect(screen.getByLabelText(/^Numéro de dossier/).getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getByText(/^Rien n’est enregistré/)).toBeDefined()
    expect(screen.getByRole('heading', { name: 'Nouveau dossier client' })).toBeDefined()
  })

  it('say when another one has the number that was saved, and open it', async () => {
    const others = [{ parcours_id: 9, id: 12 }]
    answers({ save: (body) => Promise.resolve({ ...file, version: 5, file: body as ClientFile, same_reference: others }) })
    await shown('/here?client_file=3')
    await screen.findByRole('heading', { name: 'Dossier 2027-0501' })
    expect(screen.queryByText(/^Un autre dossier client porte ce numéro/)).toBeNull()
    await userEvent.type(screen.getByLabelText(/^Numéro de dossier/), '-b')
    await userEvent.click(screen.getByRole('button', { name: /^Enregistrer 1/ }))
    expect(await screen.findByText(/^Un autre dossier client porte ce numéro/)).toBeDefined()
    const address = screen.getByRole('link', { name: 'Ouvrir l’autre dossier' }).getAttribute('href')
    expect(address).toContain('/parcours/9?')
    expect(address).toContain('client_file=')
  })

  it('are erased over the version that was seen, after a question', async () => {
    answers()
    await shown()
    await userEvent.click(await screen.findByRole('button', { name: 'Supprimer le dossier 2027-0501' }))
    const dialog = await screen.findByRole('dialog')
    expect(plain(dialog.textContent)).toContain('il ne va pas dans la corbeille')
    expect(sent('DELETE')).toBeUndefined()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Supprimer le dossier' }))
    await waitFor(() => expect(sent('DELETE')?.slice(1)).toEqual(['/api/v1/parcours/7/client-files/3', { version: 4 }]))
    expect(await screen.findByText('Dossier client supprimé')).toBeDefined()
  })

  it('are read and printed, not changed, by those who are no agency', async () => {
    answers({ opened: { ...file, editable: false, locked_reason: 'role' } })
    await shown('/here', ['content.write', 'content.export'])
    expect((await screen.findByRole('button', { name: 'Nouveau dossier' })).getAttribute('aria-disabled')).toBe('true')
    expect((await screen.findByRole('button', { name: 'Supprimer le dossier 2027-0501' })).getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(screen.getByRole('button', { name: 'Ouvrir le dossier 2027-0501' }))
    expect(await screen.findByText(/^Vous pouvez lire ce dossier/)).toBeDefined()
    expect(screen.queryByLabelText(/^Signature/)?.tagName).not.toBe('INPUT')
    expect(screen.queryByRole('button', { name: /^Enregistrer/ })).toBeNull()
    expect(screen.getByRole('button', { name: 'Imprimer le carnet' }).getAttribute('aria-disabled')).toBeNull()
  })

  it('are searched without saving the form around, and printed all at once', async () => {
    const batch = {
      id: 9,
      state: 'running',
      client_files_of: 7,
      total: 2,
      done: 0,
      printed: 0,
      refused: [],
      size_bytes: null,
      created_at: file.updated_at,
      finished_at: null,
    }
    answers({ files: [row, { ...row, id: 4, reference: '2027-0502' }] })
    const usualAnswers = called.getMockImplementation()
    called.mockImplementation((method, path, body) => {
      if (path !== '/api/v1/roadbook-batches') return usualAnswers?.(method, path, body) ?? Promise.resolve()
      return Promise.resolve(method === 'POST' ? batch : [{ ...batch, id: 8, client_files_of: null }, batch]) as never
    })
    await shown()
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Numéro ou nom' }), 'petit{Enter}')
    await waitFor(() => expect(called.mock.calls.filter(([, path]) => path.endsWith('/client-files')).length).toBeGreaterThan(1))
    expect(sent('PATCH')).toBeUndefined()
    await userEvent.click(screen.getByRole('button', { name: 'Imprimer les 2 carnets' }))
    const dialog = await screen.findByRole('dialog')
    expect(plain(dialog.textContent)).toContain('les 2 dossiers client que montre la liste filtrée')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Imprimer' }))
    await waitFor(() =>
      expect(sent('POST')?.slice(1)).toEqual([
        '/api/v1/roadbook-batches',
        { body: { client_files: { parcours_id: 7, filter: { q: 'petit' } } } },
      ]),
    )
    // What was printed of parcours is in the list of parcours.
    await waitFor(() => expect(within(dialog).getAllByRole('listitem')).toHaveLength(1))
    expect(plain(dialog.textContent)).toContain('il reste disponible pendant un jour')
  })

  it('warn in the roadbook of the parcours when its word of welcome names a client', async () => {
    answers()
    await shown()
    const [welcome] = (await screen.findAllByRole('textbox', { name: /^Mot d’accueil/ })) as [HTMLElement]
    await userEvent.type(welcome, 'Bienvenue à tous')
    expect(screen.queryByText(/^Ce mot nomme/)).toBeNull()
    await userEvent.clear(welcome)
    await userEvent.type(welcome, 'Chère Ada,')
    expect(plain((await screen.findByText(/^Ce mot nomme/)).textContent)).toContain('Ce mot nomme Ada Petit.')
  })
})
