import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { payload, setPayload } from '@/api/payload'
import { ProblemError } from '@/api/problem'
import { ensureTexts, startTexts } from '@/i18n'
import { me, renderPage } from '../../../../test/form-host'
import { aParcours } from '../../../../test/parcours'
import { Page } from '../ParcoursNewPage'

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
let sent: { path: string; body: unknown }[] = []
const upload = vi.hoisted(() => vi.fn<(id: number, version: number, file: File, join: string | null) => Promise<object>>())
vi.mock('../sheet/queries', async (original) => ({
  ...(await original<object>()),
  inspectTrace: () => Promise.resolve(inspection),
  uploadTrace: upload,
}))

beforeEach(async () => {
  sent = []
  upload.mockReset().mockResolvedValue({})
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('parcours', 'trace')
  vi.stubGlobal('fetch', async (input: Request | string, init: RequestInit = {}) => {
    const request = input instanceof Request ? input : new Request(new URL(input, window.location.origin), init)
    const { pathname, search } = new URL(request.url)
    if (request.method === 'POST')
      sent.push({ path: pathname + search, body: pathname === '/api/v1/parcours' ? await request.json() : null })
    if (pathname === '/api/v1/session') return Response.json(me)
    if (pathname.startsWith('/api/v1/vocabularies')) return Response.json({ items: practices })
    return Response.json(aParcours({ id: 31, version: 1 }), { status: 201 })
  })
})

const open = async () => {
  await renderPage(Page, '/here?from=file')
  setPayload({ ...payload(), limits: { ...payload().limits, trace_bytes: 1000, trace_points: 1000 } })
  await screen.findByRole('option', { name: 'VTT' })
}
const title = () => screen.getByLabelText<HTMLInputElement>(/^Titre/)
const bring = async () => {
  await userEvent.upload(await screen.findByLabelText(/^Fichier du tracé/), new File(['<gpx/>'], 'lavoir.gpx'))
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
  await userEvent.upload(screen.getByLabelText(/^Fichier du tracé/), new File(['<gpx/>'], 'lavoir.gpx'))
  await screen.findByText(/1,6/)
  expect(title().value).toBe('Mon tour')
  const go = screen.getByRole('button', { name: 'Importer ce tracé' })
  await userEvent.click(go)
  await screen.findByRole('alert')
  await userEvent.click(go)
  await waitFor(() => expect(upload).toHaveBeenCalledTimes(2))
  expect(sent.filter(({ path }) => path === '/api/v1/parcours')).toHaveLength(1)
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
