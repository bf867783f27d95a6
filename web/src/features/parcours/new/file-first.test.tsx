import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { payload, setPayload } from '@/api/payload'
import { ProblemError } from '@/api/problem'
import { makeQueryClient } from '@/api/query-client'
import type { Me } from '@/api/types'
import { meKey } from '@/api/signed-in-user'
import { ensureTexts, startTexts } from '@/i18n'
import { mayChangePage } from '@/ui/page-change'
import { me, renderPage } from '../../../../test/form-host'
import { aParcours } from '../../../../test/parcours'
import { load, Page } from '../ParcoursNewPage'

const line = [
  [4, 47],
  [4.01, 47],
  [4, 47.0001],
]
const inspection = {
  format: 'gpx',
  name: 'Boucle VTT du lavoir',
  points: 3,
  distance_m: 1600,
  ascent_m: 40,
  repairs: [],
  pieces: [{ points: 3, distance_m: 1600, line }],
  gaps: [],
  waypoints: [],
  line,
}
const practices = [
  {
    id: 2,
    version: 1,
    code: 'mtb',
    parent_id: null,
    label: { fr: 'VTT' },
    description: {},
    icon: null,
    color: null,
    order: 1,
    attributes: { profile: 'mtb' },
  },
]
const gpx = () => new File(['<gpx/>'], 'lavoir.gpx')
let sent: { path: string; body: unknown }[] = []
let found: object = inspection
const upload = vi.hoisted(() => vi.fn<(id: number, version: number, file: File, join: string | null) => Promise<object>>())
vi.mock('../sheet/queries', async (original) => ({
  ...(await original<object>()),
  inspectTrace: () => Promise.resolve(found),
  uploadTrace: upload,
}))

beforeEach(async () => {
  sent = []
  found = inspection
  upload.mockReset().mockResolvedValue({})
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('parcours', 'trace')
  vi.stubGlobal('fetch', async (input: Request | string, init: RequestInit = {}) => {
    const request = input instanceof Request ? input : new Request(new URL(input, window.location.origin), init)
    const { pathname, search } = new URL(request.url)
    if (request.method === 'POST' || request.method === 'PATCH')
      sent.push({ path: pathname + search, body: pathname.startsWith('/api/v1/parcours') ? await request.json() : null })
    if (pathname === '/api/v1/session') return Response.json(me)
    if (pathname.startsWith('/api/v1/vocabularies')) return Response.json({ items: practices })
    return Response.json(aParcours({ id: 31, version: 1 }), { status: 201 })
  })
})

const open = async () => {
  const view = await renderPage(Page, '/here?from=file')
  setPayload({ ...payload(), limits: { ...payload().limits, trace_bytes: 1000, trace_points: 1000 } })
  await screen.findByRole('option', { name: 'VTT' })
  return view
}
const title = () => screen.getByLabelText<HTMLInputElement>(/^Titre/)
const bring = async () => {
  await userEvent.upload(await screen.findByLabelText(/^Fichier du tracé/), gpx())
  await waitFor(() => expect(title().value).toBe('Boucle VTT du lavoir'))
}

it('begins with the file, guesses from it, and makes the parcours with its trace', async () => {
  await open()
  await bring()
  expect(screen.getByLabelText<HTMLSelectElement>(/^Type de pratique/).value).toBe('2')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Boucle' }).checked).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Importer ce tracé' }))
  await waitFor(() => expect(upload).toHaveBeenCalledWith(31, 1, expect.any(File), null))
  expect(sent.map(({ path }) => path)).toEqual(['/api/v1/parcours'])
  expect(sent[0]?.body).toEqual({ title: { fr: 'Boucle VTT du lavoir' }, practice_type_id: 2, is_loop: true })
})

it('keeps what was written before the file, and makes one parcours only when the trace is refused', async () => {
  upload.mockRejectedValue(new ProblemError(500, { code: 'internal' }))
  await open()
  await userEvent.type(title(), 'Mon tour')
  await userEvent.upload(screen.getByLabelText(/^Fichier du tracé/), gpx())
  await screen.findByText(/1,6/)
  expect(title().value).toBe('Mon tour')
  const go = screen.getByRole('button', { name: 'Importer ce tracé' })
  await userEvent.click(go)
  await screen.findByRole('alert')
  await userEvent.click(go)
  await waitFor(() => expect(upload).toHaveBeenCalledTimes(2))
  expect(sent.filter(({ path }) => path === '/api/v1/parcours')).toHaveLength(1)
})

it('changes the parcours that was made already when its trace was refused and its title is written anew', async () => {
  upload.mockRejectedValueOnce(new ProblemError(500, { code: 'internal' }))
  await open()
  await bring()
  const go = screen.getByRole('button', { name: 'Importer ce tracé' })
  await userEvent.click(go)
  await screen.findByRole('alert')
  await userEvent.type(title(), ' 2')
  await userEvent.click(go)
  await waitFor(() => expect(upload).toHaveBeenCalledTimes(2))
  expect(sent.map(({ path }) => path)).toEqual(['/api/v1/parcours', '/api/v1/parcours/31'])
  expect(sent[1]?.body).toMatchObject({ title: { fr: 'Boucle VTT du lavoir 2' } })
})

it('brings back no one who left while it was created', async () => {
  let end: (value: object) => void = () => undefined
  upload.mockReturnValue(
    new Promise((resolve) => {
      end = resolve
    }),
  )
  const { router, cache } = await open()
  const refreshed = vi.spyOn(cache, 'invalidateQueries')
  await bring()
  await userEvent.click(screen.getByRole('button', { name: 'Importer ce tracé' }))
  await waitFor(() => expect(upload).toHaveBeenCalledOnce())
  await userEvent.click(screen.getByText('ailleurs'))
  await userEvent.click(await screen.findByRole('button', { name: 'Quitter sans enregistrer' }))
  await screen.findByRole('heading', { name: 'Ailleurs' })
  end({})
  await waitFor(() => expect(refreshed).toHaveBeenCalledWith({ queryKey: ['parcours'] }))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(router.state.location.pathname).toBe('/there')
})

it('puts the focus on the question about the pieces that was not answered', async () => {
  found = { ...inspection, pieces: [...inspection.pieces, ...inspection.pieces], gaps: [{ from: [4, 47], to: [4.1, 47], distance_m: 900 }] }
  await open()
  await bring()
  await userEvent.click(screen.getByRole('button', { name: 'Importer ce tracé' }))
  const [first] = screen.getAllByRole('radio')
  await waitFor(() => expect(document.activeElement).toBe(first))
  expect(first?.closest('fieldset')?.getAttribute('data-field')).toBe('pieces')
  expect(screen.getByLabelText(/^Fichier du tracé/).getAttribute('aria-invalid')).not.toBe('true')
  expect(upload).not.toHaveBeenCalled()
})

it('says that the file is outside the region before it is brought in', async () => {
  await open()
  setPayload({ ...payload(), map: { ...payload().map, bbox: [0, 42, 1, 43] } })
  await bring()
  expect(screen.getByText(/Hors de votre région/)).toBeTruthy()
  expect(upload).not.toHaveBeenCalled()
})

it('says that a file is missing', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Importer ce tracé' }))
  expect(await screen.findByText('Choisissez un fichier.')).toBeTruthy()
})

describe('an empty form', () => {
  const make = () => userEvent.click(screen.getByRole('button', { name: 'Créer et passer au tracé' }))
  beforeEach(async () => {
    await renderPage(Page, '/here')
    await screen.findByRole('option', { name: 'VTT' })
  })

  it('puts the focus on the first field that is missing, and each message at its field', async () => {
    await make()
    await waitFor(() => expect(document.activeElement).toBe(title()))
    await userEvent.type(title(), 'Mon tour')
    await userEvent.selectOptions(screen.getByLabelText(/^Type de pratique/), '2')
    await make()
    const shape = screen.getByRole('radio', { name: 'Boucle' })
    await waitFor(() => expect(document.activeElement).toBe(shape))
    const group = shape.closest('fieldset')
    expect(group?.getAttribute('aria-required')).toBe('true')
    const why = document.getElementById(group?.getAttribute('aria-describedby') ?? '')
    expect(why?.textContent).toBe('Indiquez si c’est une boucle.')
    expect(sent).toEqual([])
  })

  it('is left without a question, and with one once something is filled in', async () => {
    await userEvent.type(title(), 'Mon tour')
    await userEvent.click(screen.getByText('ailleurs'))
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('1 changement n’est pas enregistré. Il sera perdu.')
    expect(screen.queryByRole('button', { name: 'Enregistrer et quitter' })).toBeNull()
    expect(screen.queryByRole('heading', { name: 'Ailleurs' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Rester sur la fiche' }))
    // Another language keeps the page and what is filled in.
    expect(await mayChangePage()).toBe(true)
    await userEvent.clear(title())
    await userEvent.click(screen.getByText('ailleurs'))
    expect(await screen.findByRole('heading', { name: 'Ailleurs' })).toBeTruthy()
  })
})

it('is refused at once to a person who may not create a parcours', async () => {
  const queryClient = makeQueryClient()
  const enter = (capabilities: Me['capabilities']) => {
    queryClient.setQueryData(meKey, { ...me, capabilities })
    return load({ queryClient })
  }
  await expect(enter(['content.read'])).rejects.toMatchObject({ status: 403, code: 'auth/forbidden' })
  await expect(enter(['content.write'])).resolves.toBeUndefined()
})
