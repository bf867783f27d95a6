import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ImportMapping, ImportSource } from '@/api/types'
import { ensureTexts, startTexts } from '@/i18n'
import { ResourceForm, SaveButton } from '@/records/form/ResourceForm'
import { renderPage } from '../../../test/form-host'
import { Mapping } from './Mapping'
import { What } from './Options'
import { useImportForm, useImportWords } from './source-form'
import { sentBody } from '../../../test/server'

const saved: ImportSource = {
  id: 4,
  version: 2,
  updated_at: '2026-11-22T08:00:00Z',
  updated_by: { id: 9, name: 'Théo B.' },
  created_at: '2026-11-22T08:00:00Z',
  editable: true,
  locked_reason: null,
  mine: true,
  published: false,
  published_on_mine: null,
  white_label: { id: 1, name: 'Orsel' },
  white_labels: [],
  credential_set: false,
  fields: [],
  values: [],
  file: null,
  name: 'Le parc',
  kind: 'geotrek',
  url: 'https://un.example',
  host: null,
  distribute_own: false,
  force_published: 'keep',
  force_source_geometry: false,
  takes_pois: false,
  takes_equipment: false,
  schedule: 'never',
  notify_email: null,
}
const word = (key: string) => ({ list: 'tag' as const, key, label: { fr: key }, term_id: null, state: 'waiting' as const })
const first: ImportMapping = {
  targets: [
    { target: 'title', several: false },
    { target: 'subtitle', several: true },
  ],
  rules: [{ to: 'title', from: ['name'] }],
  fields: [
    { name: 'name', sample: 'Boucle' },
    { name: 'departure', sample: 'La gare' },
  ],
  words: [word('rando.pédestre')],
  waiting: 1,
}

const host: { show?: (next: [ImportSource, ImportMapping]) => void } = {}
const shown = vi.fn<(path: string) => void>()

function Page() {
  const [[source, mapping], set] = useState<[ImportSource, ImportMapping]>([saved, first])
  useEffect(() => {
    host.show = set
  }, [])
  const form = useImportForm(source, mapping, shown)
  return (
    <ResourceForm form={form} saveError="Erreur" {...useImportWords(mapping.words)}>
      <What fixed />
      <Mapping tried="done" mapping={mapping} />
      <SaveButton form={form} />
    </ResourceForm>
  )
}

const sent: { method: string; path: string; body: unknown; version: string | null }[] = []
let answers: { status: number; body: unknown }[] = []

beforeEach(async () => {
  localStorage.clear()
  sent.length = 0
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('imports', 'resource')
  vi.stubGlobal('fetch', (input: unknown, init: RequestInit = {}) => {
    const { pathname } = new URL(String(input), window.location.origin)
    const tags = { items: [{ id: 7, code: 'pied', label: { fr: 'À pied' }, parent_id: null, order: 0, attributes: {} }] }
    if (pathname.startsWith('/api/v1/vocabularies')) return Promise.resolve(Response.json(tags))
    if (init.method === undefined || init.method === 'GET') return Promise.resolve(Response.json({ version: 2, record: saved, items: [] }))
    sent.push({ method: init.method, path: pathname, body: sentBody(init) ?? null, version: new Headers(init.headers).get('if-match') })
    const { status, body } = answers.shift() ?? { status: 200, body: saved }
    return Promise.resolve(
      Response.json(body, { status, headers: { 'content-type': status === 200 ? 'application/json' : 'application/problem+json' } }),
    )
  })
})

const subtitle = () => screen.getByLabelText<HTMLSelectElement>('Sous-titre')
const walk = () => screen.getByLabelText<HTMLSelectElement>(/^rando\.pédestre/)

it('keeps unsaved rules, words and the focus while a run brings more and the source is saved elsewhere', async () => {
  await renderPage(Page)
  await screen.findByRole('option', { name: 'À pied' })
  await userEvent.selectOptions(subtitle(), 'departure')
  await userEvent.selectOptions(walk(), 'À pied')
  const name = screen.getByLabelText<HTMLInputElement>(/^Nom/)
  await userEvent.type(name, ' naturel')
  const grown = { ...first, fields: [...first.fields, { name: 'arrival', sample: '' }], words: [...first.words, word('vtt')], waiting: 2 }
  act(() => host.show?.([{ ...saved, version: 3, schedule: 'daily' }, grown]))
  expect([subtitle().value, walk().value, name.value]).toEqual(['departure', '7', 'Le parc naturel'])
  expect(name.isConnected && document.activeElement === name).toBe(true)
  await screen.findByLabelText(/^vtt/)
  answers = [{ status: 200, body: { ...saved, version: 4 } }]
  await userEvent.click(screen.getByRole('button', { name: 'Enregistrer 3 changements' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toEqual({
    method: 'PATCH',
    path: '/api/v1/import-sources/4',
    version: '"3"',
    body: {
      name: 'Le parc naturel',
      fields: [
        { to: 'title', from: ['name'] },
        { to: 'subtitle', from: ['departure'] },
      ],
      values: [{ list: 'tag', key: 'rando.pédestre', term_id: 7 }],
    },
  })
})

it('asks which meaning of a word stands when two people said it, by the word and the names of ours', async () => {
  await renderPage(Page)
  await screen.findByRole('option', { name: 'À pied' })
  await userEvent.selectOptions(walk(), 'À pied')
  const current = { ...saved, version: 3, values: [{ list: 'tag', key: 'rando.pédestre', term_id: null }] }
  answers = [
    { status: 412, body: { code: 'version/stale', status: 412, current } },
    { status: 200, body: { ...saved, version: 4 } },
  ]
  await userEvent.click(screen.getByRole('button', { name: 'Enregistrer 1 changement' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('Théo B.')
  const group = screen.getByRole('group', { name: /rando\.pédestre/ })
  expect(group.textContent).toContain('À pied')
  expect(group.textContent).toContain('Ne pas importer ce mot')
  await userEvent.click(screen.getByRole('radio', { name: 'Vous' }))
  await userEvent.click(screen.getByRole('button', { name: 'Enregistrer ma sélection' }))
  await waitFor(() => expect(sent[1]?.body).toEqual({ values: [{ list: 'tag', key: 'rando.pédestre', term_id: 7 }] }))
})
