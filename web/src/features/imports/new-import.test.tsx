import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { ensureTexts, startTexts } from '@/i18n'
import { draftKey, keepDraft, slotOf } from '@/records/form/draft'
import { TextField } from '@/records/form/fields'
import { ResourceForm, SaveButton } from '@/records/form/ResourceForm'
import { FileField } from '@/records/source/FileField'
import { me, renderPage } from '../../../test/form-host'
import { Page } from './NewImportPage'
import { useNewImportForm } from './source-form'
import { sentBody } from '../../../test/server'

const sent: { method: string; path: string; body: unknown }[] = []
let refusesFiles = false

beforeEach(async () => {
  localStorage.clear()
  sent.length = 0
  refusesFiles = false
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('imports', 'settings', 'resource')
  vi.stubGlobal('fetch', (input: unknown, init: RequestInit = {}) => {
    const { pathname } = new URL(String(input), window.location.origin)
    if (init.method === undefined || init.method === 'GET') return Promise.resolve(Response.json({ items: [], total: 0 }))
    sent.push({ method: init.method, path: pathname, body: sentBody(init) ?? null })
    if (refusesFiles && pathname.endsWith('/file')) return Promise.resolve(Response.json({ code: 'validation/failed' }, { status: 422 }))
    return Promise.resolve(
      init.method === 'PUT'
        ? new Response(null, { status: 204 })
        : Response.json({ id: 4, version: 1, url: 'https://jalon.voisin.example' }),
    )
  })
})

it('sends the key of another Jalon apart from its source, before the first look at it', async () => {
  await renderPage(Page)
  await userEvent.type(await screen.findByLabelText(/^Nom/), 'Voisins')
  await userEvent.click(screen.getByLabelText('Autre Jalon (API publique)'))
  await userEvent.click(screen.getByRole('button', { name: 'Continuer' }))
  // The heading takes the focus with the next frame, and would take it from the field.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Où la lire' })))
  await userEvent.type(screen.getByLabelText(/^Adresse de la source/), 'https://jalon.voisin.example')
  expect(screen.queryByText('Fichier')).toBeNull()
  await userEvent.type(screen.getByLabelText(/^Clé d’accès/), 'abc123')
  expect(JSON.stringify(Object.entries(localStorage))).not.toContain('abc123')
  await userEvent.click(screen.getByRole('button', { name: 'Continuer' }))
  await userEvent.click(screen.getByRole('button', { name: 'Créer et essayer à blanc' }))
  await waitFor(() => expect(sent).toHaveLength(3))
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/v1/import-sources',
    'PUT /api/v1/import-sources/4/credential',
    'POST /api/v1/import-sources/4/runs',
  ])
  expect(sent[0]?.body).toMatchObject({ kind: 'jalon', url: 'https://jalon.voisin.example' })
  expect(JSON.stringify(sent[0]?.body)).not.toContain('abc123')
  expect(sent[1]?.body).toEqual({ key: 'abc123' })
})

function Form() {
  const form = useNewImportForm({ key: '', reveal: () => undefined, onMade: () => undefined })
  return (
    <ResourceForm form={form} saveError="Erreur lors de la sauvegarde" fieldLabel={(path) => path}>
      <TextField name="name" label="Nom" />
      <FileField label="Fichier" accept=".gpx" />
      <SaveButton form={form} create="Créer" />
    </ResourceForm>
  )
}

it('makes another source of a draft that is taken, where the one that was made has its file refused', async () => {
  const begun = { version: null, savedAt: new Date().toISOString(), changes: { name: 'Bernard' } }
  keepDraft(slotOf(draftKey(me.id, 'import_source', 'new'), 'first'), begun)
  refusesFiles = true
  await renderPage(Form)
  await userEvent.type(await screen.findByLabelText(/^Nom/), 'Zoé')
  await userEvent.upload(screen.getByLabelText(/^Fichier/), new File(['x'], 'tour.gpx'))
  await userEvent.click(screen.getByRole('button', { name: 'Créer' }))
  await screen.findByRole('alert')
  await userEvent.click(screen.getByRole('button', { name: 'Reprendre le brouillon' }))
  await userEvent.click(screen.getByRole('button', { name: 'Créer' }))
  await waitFor(() => expect(sent).toHaveLength(4))
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/v1/import-sources',
    'PUT /api/v1/import-sources/4/file',
    'POST /api/v1/import-sources',
    'POST /api/v1/import-sources/4/runs',
  ])
  expect(sent[2]?.body).toMatchObject({ name: 'Bernard' })
})

it('asks for an address or a file where neither is given, and goes to the address', async () => {
  await renderPage(Page)
  await userEvent.type(await screen.findByLabelText(/^Nom/), 'Voisins')
  await userEvent.click(screen.getByLabelText('Autre Jalon (API publique)'))
  const go = () => userEvent.click(screen.getByRole('button', { name: 'Continuer' }))
  await go()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Où la lire' })))
  await go()
  expect(screen.getByRole('alert').textContent).toBe('Donnez l’adresse de la source.')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Adresse de la source/)))
  await userEvent.click(screen.getByRole('button', { name: 'Étape précédente' }))
  await userEvent.click(await screen.findByLabelText('Geotrek (API v2)'))
  await go()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Où la lire' })))
  await go()
  expect(screen.getByRole('alert').textContent).toBe('Donnez une adresse ou un fichier.')
  expect(screen.queryByText(/Remplissez tous les champs/)).toBeNull()
})
