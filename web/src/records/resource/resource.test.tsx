import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { me, renderPage } from '../../../test/form-host'
import { asksImpact, nobody } from '../../../test/impact'
import { stubLayout } from '../../../test/layout'
import { makeQueryClient } from '@/api/query-client'
import type { Me } from '@/api/types'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts, startTexts, translate } from '@/i18n'
import { Toaster } from '@/ui/feedback/toast'
import { TextField } from '@/records/form/fields'
import { AppTheme } from '@/ui/theme/AppTheme'
import type { ResourceDef } from './define'
import { nameColumn } from './columns'
import { pagesOf } from './pages'
import { plainValue } from '@/records/form/plain-value'
import RecordDelete from './RecordDelete'
import RecordHistory from './RecordHistory'
import { referenceWords } from './reference-words'

interface Contact {
  id: number
  version: number
  last_name: string
  email: string
}
const eve: Contact = { id: 5, version: 3, last_name: 'Martin', email: 'eve@x.example' }

const def: ResourceDef<Contact> = {
  kind: 'contact',
  queryKey: ['contact'],
  base: '/api/v1/contacts',
  path: '/here',
  placeOf: (id) => `/there?id=${id}`,
  area: 'people',
  group: 'settings',
  may: 'content.write',
  abilities: { history: true, uses: true },
  titleOf: ({ last_name: name }) => name,
  list: {
    config: { filterKeys: ['structure'], defaultSort: 'title' },
    useColumns: () => [nameColumn(def), { key: 'email', header: 'E-mail', render: ({ email }) => email }],
    hidden: ['email'],
    useBulk: () => [{ action: 'delete', label: 'Supprimer…' }],
  },
  form: {
    toValues: (record) => ({ last_name: record?.last_name ?? '', email: record?.email ?? '', country: 'FR', notes: [] }),
    sections: [
      {
        key: 'identity',
        names: ['last_name', 'email'],
        Fields: ({ f }) => (
          <>
            <TextField {...f('last_name')} required />
            <TextField {...f('email')} />
          </>
        ),
      },
    ],
  },
}
const pages = pagesOf(def)

type Answer = { status?: number; body?: unknown }
const requests: { method: string; path: string; body: unknown; version: string | null }[] = []
let answer: (method: string, path: string) => Answer = () => ({})

afterEach(() => void vi.restoreAllMocks())

beforeEach(async () => {
  stubLayout()
  localStorage.clear()
  requests.length = 0
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('resource', 'people', 'history')
  vi.stubGlobal('fetch', (input: unknown, init: RequestInit = {}) => {
    const url = new URL(String(input), window.location.origin)
    const method = init.method ?? 'GET'
    requests.push({
      method,
      path: url.pathname + url.search,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      version: new Headers(init.headers).get('if-match'),
    })
    const own = url.pathname === '/api/v1/session' ? me : asksImpact(url.pathname) ? nobody : null
    const { status = 200, body } = own === null ? answer(method, url.pathname) : { body: own }
    return Promise.resolve(
      new Response(status === 204 ? null : JSON.stringify(body ?? {}), { status, headers: { 'content-type': 'application/json' } }),
    )
  })
})

const page = { items: [eve], total: 1, total_capped: false }
const lists = (path: string): Answer => (path === '/api/v1/saved-views' ? { body: { items: [] } } : { body: page })

describe('the list of a resource', () => {
  it('says in its title that the map is shown, where there is no room for both', async () => {
    answer = (_, path) => lists(path)
    const withMap = pagesOf({ ...def, list: { ...def.list, Aside: () => <p>la carte</p> } })
    await renderPage((await withMap.list()).Page)
    await screen.findByRole('link', { name: 'Martin' })
    expect(document.title).toMatch(/^Contacts · /)
    await userEvent.click(screen.getByRole('button', { name: 'Carte' }))
    expect(document.title.replace(/[\u00a0\u202f]/g, ' ')).toMatch(/^Carte : Contacts · /)
    await userEvent.click(screen.getByRole('button', { name: 'Liste' }))
    expect(document.title).toMatch(/^Contacts · /)
  })

  it('shows its rows under their columns, and a hidden one when it is ticked', async () => {
    answer = (_, path) => lists(path)
    await renderPage((await pages.list()).Page)
    expect(await screen.findByRole('link', { name: 'Martin' })).toBeTruthy()
    expect(screen.queryByText('eve@x.example')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Colonnes' }))
    await userEvent.click(await screen.findByRole('checkbox', { name: 'E-mail' }))
    expect(await screen.findByText('eve@x.example')).toBeTruthy()
    expect(requests.some(({ path }) => path === '/api/v1/contacts?sort=title&page=1&per_page=25')).toBe(true)
  })
  it.each([
    ['', '3 à , 2 partagés par d’autres'],
    ['?owner=mine', '3 à'],
    ['?owner=shared', '2 partagés par d’autres'],
  ])('counts what the filter on owners leaves: %s', async (search, words) => {
    answer = (_, path) => (path === '/api/v1/saved-views' ? lists(path) : { body: { ...page, counts: { mine: 3, shared: 2 } } })
    const ofOwners = pagesOf({ ...def, list: { ...def.list, config: { filterKeys: ['owner'], defaultSort: 'title' } } })
    await renderPage((await ofOwners.list()).Page, `/here${search}`)
    expect(await screen.findByText(words)).toBeTruthy()
  })
  const applied = { id: 5, title: { fr: 'Martin' }, outcome: 'applied' }
  it('says what a bulk action would do before it does it', async () => {
    answer = (method, path) =>
      method === 'POST' ? { body: { applied: 1, unchanged: 0, refused: 0, items: [applied], undo_token: 't' } } : lists(path)
    await renderPage((await pages.list()).Page)
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Sélectionner Martin' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Supprimer…' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('1 sera supprimé')
    expect(dialog.textContent, 'what is zero is not named').not.toMatch(/\b0\s/)
    // What deletes is red, and does not have the focus at first.
    expect(within(dialog).getByRole('button', { name: 'Appliquer à 1 élément' }).className).toMatch(/danger/)
    await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Annuler' })))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Appliquer à 1 élément' }))
    await waitFor(() =>
      expect(requests.filter(({ path }) => path === '/api/v1/contacts/bulk').map(({ body }) => body)).toEqual([
        { ids: [5], action: 'delete', dry_run: true },
        { ids: [5], action: 'delete', dry_run: false },
      ]),
    )
  })
  it('says that a bulk action is done, or that it went wrong and why', async () => {
    render(
      <AppTheme>
        <Toaster />
      </AppTheme>,
    )
    const report = { applied: 1, unchanged: 0, refused: 0, items: [applied], undo_token: 't' }
    answer = (method, path) => (method === 'POST' ? { body: report } : lists(path))
    await renderPage((await pages.list()).Page)
    const ask = async () => {
      await userEvent.click(await screen.findByRole('checkbox', { name: 'Sélectionner Martin' }))
      await userEvent.click(await screen.findByRole('button', { name: 'Supprimer…' }))
    }
    await ask()
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Appliquer à 1 élément' }))
    expect(await screen.findByText('Action appliquée ! 1 élément supprimé.')).toBeTruthy()
    answer = (method, path) =>
      method === 'POST' ? { status: 422, body: { status: 422, code: 'record/bulk-too-many', params: { max: 2000 } } } : lists(path)
    await ask()
    expect((await screen.findByText(/^Erreur lors du traitement de l’action\./)).textContent).toContain('2')
  })
})

describe('a new record', () => {
  it('is sent whole but for what is blank, and a refusal comes to its field in the entity’s own words', async () => {
    answer = () => ({ status: 409, body: { code: 'contact/email-taken', status: 409, field: '/email', params: { email: 'a@x.example' } } })
    await renderPage((await pages.create()).Page)
    await userEvent.type(await screen.findByLabelText(/^Nom/), 'Roux')
    await userEvent.click(screen.getByRole('button', { name: 'Créer le contact' }))
    expect((await screen.findAllByRole('alert'))[0]?.textContent).toContain('Erreur lors de la sauvegarde du contact')
    expect(requests).toEqual([{ method: 'POST', path: '/api/v1/contacts', body: { last_name: 'Roux', country: 'FR' }, version: null }])
    expect(screen.getByLabelText(/^Adresse e-mail/).getAttribute('aria-invalid')).toBe('true')
  })
})

describe('the page of a new record', () => {
  it('is refused to a person who may not create one', async () => {
    const { load } = await pages.create()
    const queryClient = makeQueryClient()
    const open = (capabilities: Me['capabilities']) => {
      queryClient.setQueryData(meKey, { ...me, capabilities })
      return load({ queryClient, params: {}, search: {} })
    }
    await expect(open(['content.read'])).rejects.toMatchObject({ status: 403, code: 'auth/forbidden' })
    await expect(open(['content.write'])).resolves.toBeUndefined()
  })
})

const remove = { base: def.base, queryKey: def.queryKey, record: eve, title: 'Martin', asksUses: true, onClose: () => undefined }

describe('deleting a record', () => {
  it('lists what uses it, asks for its title before it forces, and can put another in its place', async () => {
    answer = (_, path) =>
      path.endsWith('/uses')
        ? { body: { items: [{ kind: 'structure', id: 1, title: { fr: 'Val d’Orsel' } }], total: 3, hidden_total: 2 } }
        : { body: { items: [eve, { ...eve, id: 6, last_name: 'Roux' }], total: 2 } }
    await renderPage(() => <RecordDelete {...remove} />)
    expect((await screen.findByRole('link', { name: /Val d’Orsel/ })).getAttribute('href')).toBe('/settings/structures/1')
    expect(screen.getByText('et 2 autres que vous ne voyez pas')).toBeTruthy()
    const force = screen.getByRole('button', { name: 'Supprimer quand même' })
    expect(force.getAttribute('aria-disabled')).toBe('true')
    answer = () => ({ status: 204 })
    await userEvent.type(screen.getByLabelText(/Pour confirmer/), 'Martin')
    await userEvent.click(force)
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'DELETE')).toMatchObject({ path: '/api/v1/contacts/5?force=true', version: '"3"' }),
    )
  })
  it('asks nothing more of one that nothing uses', async () => {
    answer = () => ({ body: { items: [], total: 0 } })
    await renderPage(() => <RecordDelete {...remove} />)
    await screen.findByText('Rien ne l’utilise.')
    answer = () => ({ status: 204 })
    await userEvent.click(screen.getByRole('button', { name: 'Supprimer' }))
    await waitFor(() => expect(requests.find(({ method }) => method === 'DELETE')).toMatchObject({ path: '/api/v1/contacts/5' }))
  })

  const notTheirs = 'Ce contenu appartient à une autre marque blanche.'
  const notAllowed = 'Votre rôle ne permet pas de modifier ici.'
  it.each([
    ['list', 'content.write', notTheirs],
    ['record', 'content.write', notTheirs],
    ['list', 'content.read', notAllowed],
    ['record', 'content.read', notAllowed],
  ] as const)('is refused on the %s to a role with %s, with its reason', async (page, capability, reason) => {
    const theirs = { ...eve, editable: false }
    answer = (_, path) =>
      path === '/api/v1/contacts'
        ? { body: { items: [theirs], total: 1, total_capped: false } }
        : path.startsWith('/api/v1/contacts/')
          ? { body: theirs }
          : lists(path)
    const { Page } = await pages[page]()
    const { cache } = await renderPage(() => (
      <Suspense>
        <Page />
      </Suspense>
    ))
    act(() => void cache.setQueryData(meKey, { ...me, capabilities: [capability] }))
    await userEvent.click(await screen.findByRole('button', { name: 'Actions sur Martin' }))
    const item = await screen.findByRole('menuitem', { name: 'Supprimer…' })
    expect([item.getAttribute('aria-disabled'), item.title]).toEqual(['true', reason])
  })

  const roux: Contact = { ...eve, id: 6, last_name: 'Roux' }
  /** Deletes from the menu of a row. */
  const removeFromMenu = async (name: string) => {
    await userEvent.click(await screen.findByRole('button', { name: `Actions sur ${name}` }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Supprimer…' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Supprimer' }))
    await waitFor(() => expect(screen.queryByRole('link', { name })).toBeNull())
  }
  it('from the list moves the focus to the next row, then to the heading, and asks nothing of what is gone', async () => {
    let left = [eve, roux]
    answer = (method, path) => {
      if (method === 'DELETE') left = left.slice(1)
      if (method === 'DELETE') return { status: 204 }
      if (path.endsWith('/uses')) return { body: { items: [], total: 0 } }
      return path === '/api/v1/saved-views' ? { body: { items: [] } } : { body: { items: left, total: left.length, total_capped: false } }
    }
    await renderPage((await pages.list()).Page)
    await removeFromMenu('Martin')
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Actions sur Roux'))
    expect(requests.filter(({ path }) => path.startsWith('/api/v1/impact')).map(({ path }) => path)).toEqual([
      '/api/v1/impact?kind=contact&id=5&action=delete',
    ])
    await removeFromMenu('Roux')
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'))
  })
})

describe('the history of a record', () => {
  it('compares two saves word by word, and takes one field back over the version that stands', async () => {
    const revision = (version: number, last_name: string) => ({
      version,
      at: '2026-11-20T10:00:00Z',
      user: { id: 1, name: 'Théo B.' },
      fields: ['last_name'],
      reason: null,
      record: { last_name },
    })
    answer = (method, path) => {
      if (method === 'POST') return { body: { ...eve, version: 4 } }
      if (path.endsWith('/revisions')) return { body: { items: [revision(3, 'Martin'), revision(2, 'Durand')] } }
      return { body: path.endsWith('/2') ? revision(2, 'Durand') : revision(3, 'Martin') }
    }
    const subject = {
      base: def.base,
      queryKey: def.queryKey,
      id: 5,
      version: 3,
      editable: true,
      nameOf: () => 'Nom',
      valuesOf: (past: object) => def.form.toValues({ ...eve, ...past }),
      words: (path: string, value: unknown) => referenceWords(path, value) ?? plainValue(value),
    }
    await renderPage(() => (
      <>
        <RecordHistory subject={subject} onClose={() => undefined} />
        <Toaster />
      </>
    ))
    const [, older] = await screen.findAllByRole('checkbox')
    if (older === undefined) throw new Error('no second save')
    await userEvent.click(older)
    expect((await screen.findByText('Durand')).tagName).toBe('DEL')
    await userEvent.click(screen.getByRole('button', { name: 'Restaurer ce champ' }))
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'POST')).toMatchObject({
        path: '/api/v1/contacts/5/revisions/2/restoration',
        body: { fields: ['last_name'] },
        version: '"3"',
      }),
    )
    expect((await screen.findByText(/^Champ restauré/)).textContent?.replace(/\s/g, ' ')).toContain('Champ restauré : Nom.')
    expect(document.activeElement, 'its button is gone').toBe(screen.getByRole('heading', { name: 'Historique' }))
  })
  it('is not offered of a record whose history stays with its owner', async () => {
    answer = () => ({ body: { ...eve, editable: false, locked_reason: 'not_yours' } })
    const { Page } = await pages.record()
    await renderPage(() => (
      <Suspense>
        <Page />
      </Suspense>
    ))
    await userEvent.click(await screen.findByRole('button', { name: 'Actions sur Martin' }))
    expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).not.toContain('Historique')
  })
  it('does not say how versions are compared where there is none', async () => {
    answer = (_, path) => (path.endsWith('/revisions') ? { status: 403, body: { code: 'closure/not-yours', status: 403 } } : { body: eve })
    const { Page } = await pages.record()
    await renderPage(() => (
      <Suspense>
        <Page />
      </Suspense>
    ))
    await userEvent.click(await screen.findByRole('button', { name: 'Actions sur Martin' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Historique' }))
    const drawer = await screen.findByRole('dialog')
    await waitFor(() => expect(drawer.textContent).toContain('marque blanche'))
    expect(drawer.textContent).not.toContain(translate('history:how'))
  })
  it('gives the focus back to the button of the menu from which it was opened', async () => {
    answer = (_, path) => ({ body: path.endsWith('/revisions') ? { items: [] } : eve })
    const { Page } = await pages.record()
    await renderPage(() => (
      <Suspense>
        <Page />
      </Suspense>
    ))
    const button = await screen.findByRole('button', { name: 'Actions sur Martin' })
    await userEvent.click(button)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Historique' }))
    await screen.findByRole('dialog')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(button))
  })
  it('names what a field points to, and numbers what is gone', async () => {
    const revision = (version: number, structure_id: number) => ({
      version,
      at: '2026-11-20T10:00:00Z',
      user: null,
      fields: ['structure_id'],
      reason: null,
      record: { structure_id },
    })
    answer = (_, path) => {
      if (path.includes('/structures')) return { body: { items: [{ id: 2, name: 'Pays de Sauvelle' }], total: 1 } }
      if (path.endsWith('/revisions')) return { body: { items: [revision(3, 2), revision(2, 9)] } }
      return { body: path.endsWith('/2') ? revision(2, 9) : revision(3, 2) }
    }
    const subject = {
      base: def.base,
      queryKey: def.queryKey,
      id: 5,
      version: 3,
      editable: true,
      nameOf: () => 'Structure',
      valuesOf: (past: object) => ({ ...past }),
      words: (path: string, value: unknown) => referenceWords(path, value) ?? plainValue(value),
    }
    await renderPage(() => <RecordHistory subject={subject} onClose={() => undefined} />)
    const [, older] = await screen.findAllByRole('checkbox')
    if (older === undefined) throw new Error('no second save')
    await userEvent.click(older)
    expect((await screen.findByText('Pays de Sauvelle')).tagName).toBe('INS')
    expect((await screen.findByText('#9')).tagName).toBe('DEL')
  })
})

describe('what is beside the sheet of a record', () => {
  it('is shown where its form says so', async () => {
    answer = () => ({ body: eve })
    const sheet = async (shown: boolean) => {
      const form = { ...def.form, Aside: () => <p>l’aperçu</p>, hasAside: () => shown }
      const { Page } = await pagesOf({ ...def, form }).record()
      const { unmount } = await renderPage(() => (
        <Suspense>
          <Page />
        </Suspense>
      ))
      await screen.findByLabelText(/^Nom/)
      const aside = screen.queryByRole('complementary')
      unmount()
      return aside?.textContent
    }
    expect(await sheet(true)).toBe('l’aperçu')
    expect(await sheet(false)).toBeUndefined()
  })
})
