import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { ensureTexts, startTexts } from '@/i18n'
import { renderPage } from '../../../../test/form-host'
import { Page } from './AttachPage'

interface Poi {
  id: number
  version: number
  title: { fr: string }
  location: [number, number]
  media_ids: number[]
}

const media = (id: number, file_name: string, more: object = {}) => ({
  id,
  version: 1,
  kind: 'image',
  file_name,
  legend: {},
  alt: {},
  thumb_url: null,
  uses_total: 0,
  location: null,
  ...more,
})

let pois: Poi[]
let requests: string[]
let saved: [string, unknown, string | null][]
/** Answers in place of those of the server, by method and path. */
let refusals: Record<string, () => Response | Promise<Response>>
let total: number | null

const poi = (id: number, fr: string, location: [number, number] = [3, 45]): Poi => ({
  id,
  version: 1,
  title: { fr },
  location,
  media_ids: [],
})
const problem = (status: number, code: string, more: object = {}) => Response.json({ code, ...more }, { status })

beforeEach(async () => {
  pois = [poi(12, 'Lac des Vaches', [3, 45]), poi(13, 'Lavoir', [3.1, 45]), poi(14, 'Lavoir', [3.2, 45])]
  requests = []
  saved = []
  refusals = {}
  total = null
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('attach', 'resource')
  const mediaFiles = [
    media(1, 'lac-des-vaches.jpg'),
    media(2, 'Lac_des_vaches_2.jpg'),
    media(3, 'lavoir.jpg'),
    media(4, 'IMG_0042.jpg', { location_offered: [3.1, 45.0003] }),
  ]
  vi.stubGlobal('CSS', { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&') })
  vi.stubGlobal('fetch', (input: unknown, init: RequestInit = {}) => {
    const { pathname, search, searchParams } = new URL(String(input), window.location.origin)
    const method = init.method ?? 'GET'
    requests.push(`${method} ${pathname}${search}`)
    const refusal = refusals[`${method} ${pathname}`]
    if (refusal !== undefined) return Promise.resolve(refusal())
    if (pathname === '/api/v1/medias') {
      const ids = (searchParams.get('ids') ?? '').split(',').map(Number)
      return Promise.resolve(Response.json({ items: mediaFiles.filter(({ id }) => ids.includes(id)), total: ids.length }))
    }
    if (pathname === '/api/v1/pois') return Promise.resolve(Response.json({ items: pois, total: total ?? pois.length }))
    const one = pois.find(({ id }) => pathname === `/api/v1/pois/${id}`)
    if (one === undefined) return Promise.resolve(Response.json({ items: [], total: 0 }))
    if (method === 'PATCH') {
      const body = JSON.parse(init.body as string) as Partial<Poi>
      saved.push([pathname, body, new Headers(init.headers).get('if-match')])
      Object.assign(one, body, { version: one.version + 1 })
    }
    return Promise.resolve(Response.json(one))
  })
})

const shown = async (ids = '1,2,3,4') => {
  const page = await renderPage(Page, `/here?ids=${ids}`)
  await screen.findByRole('table')
  return page
}
const rowOf = (name: string) => screen.getByRole('row', { name: new RegExp(name) })
const summary = () => screen.getAllByRole('status').find(({ textContent: text }) => text?.includes('à rattacher'))?.textContent
const write = (name: string) => userEvent.click(screen.getByRole('button', { name }))

it('finds records by the names of the files, and writes each record once', async () => {
  await shown()
  expect(summary()).toBe('2 photos à rattacher, 1 avec plusieurs fiches possibles et 1 sans fiche')
  expect(rowOf('lac-des-vaches').textContent).toContain('Même nom')
  expect(rowOf('IMG_0042').textContent).toContain('Aucune fiche de ce nom')
  await userEvent.selectOptions(within(rowOf('lavoir')).getByLabelText('Fiche de lavoir.jpg'), '14')
  expect(summary()).toBe('3 photos à rattacher et 1 sans fiche')
  await write('Rattacher 3 photos')
  await screen.findByText(/^3 photos rattachées à 2 fiches\./)
  expect(saved).toEqual([
    ['/api/v1/pois/12', { media_ids: [1, 2] }, '"1"'],
    ['/api/v1/pois/14', { media_ids: [3] }, '"1"'],
  ])
})

it('writes only what is ticked, and takes it back', async () => {
  await shown()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Rattacher Lac_des_vaches_2.jpg' }))
  expect(summary()).toContain('1 non cochée')
  await write('Rattacher 1 photo')
  await userEvent.click(await screen.findByRole('button', { name: 'Annuler ce rattachement' }))
  await screen.findByText('1 fiche est remise comme avant.')
  expect(saved.map(([, body]) => body)).toEqual([{ media_ids: [1] }, { media_ids: [] }])
})

it('says that a photo is attached already, and does not attach it again', async () => {
  pois[0]?.media_ids.push(1)
  const mediaFiles = [media(1, 'lac-des-vaches.jpg', { uses_total: 1 })]
  refusals['GET /api/v1/medias'] = () => Response.json({ items: mediaFiles, total: 1 })
  await shown('1')
  await waitFor(() => expect(rowOf('lac-des-vaches').textContent).toContain('Déjà rattachée'))
  expect(summary()).toBe('0 photo à rattacher et 1 déjà rattachée')
  expect(screen.getByRole('button', { name: 'Rattacher 0 photo' }).getAttribute('aria-disabled')).toBe('true')
})

it('says for each record that refuses why, and goes on with the others', async () => {
  refusals['PATCH /api/v1/pois/12'] = () =>
    problem(422, 'validation/failed', { errors: [{ code: 'validation/too-many', params: { max: 500 }, field: '/media_ids' }] })
  await shown()
  await userEvent.selectOptions(within(rowOf('lavoir')).getByLabelText('Fiche de lavoir.jpg'), '13')
  await write('Rattacher 3 photos')
  await screen.findByText(/^1 photo rattachée à 1 fiche\./)
  const alert = screen.getByRole('alert')
  expect(alert.textContent).toContain('1 fiche a refusé')
  expect(alert.textContent).toContain('Lac des Vaches')
  expect(alert.textContent).toContain('500')
  // They stay ticked, for another attempt.
  expect(screen.getByRole('button', { name: 'Rattacher 2 photos' })).toBeTruthy()
})

it('stops between two records', async () => {
  let answer: (response: Response) => void = () => undefined
  refusals['PATCH /api/v1/pois/12'] = () => new Promise<Response>((resolve) => (answer = resolve))
  await shown()
  await userEvent.selectOptions(within(rowOf('lavoir')).getByLabelText('Fiche de lavoir.jpg'), '13')
  await write('Rattacher 3 photos')
  expect((await screen.findByText('Fiches écrites : 0 sur 2')).getAttribute('role')).toBe('status')
  await userEvent.click(screen.getByRole('button', { name: 'Arrêter' }))
  answer(Response.json(pois[0]))
  await screen.findByText(/^Arrêté : 1 fiche n’a pas été écrite\./)
  expect(requests.some((one) => one.startsWith('PATCH /api/v1/pois/13'))).toBe(false)
})

it('finds the nearest record to the place of a photo, within the distance', async () => {
  await shown()
  await userEvent.click(screen.getByRole('radio', { name: 'Lieu' }))
  await waitFor(() => expect(summary()).toBe('1 photo à rattacher et 3 sans fiche'))
  expect(rowOf('IMG_0042').textContent).toMatch(/À 33\sm$/)
  expect(rowOf('lavoir').textContent).toContain('Pas de lieu de prise de vue')
  expect(requests.filter((one) => one.includes('bbox='))).toHaveLength(1)
  const distance = screen.getByLabelText('Distance maximale')
  await userEvent.clear(distance)
  await userEvent.type(distance, '20')
  await waitFor(() => expect(summary()).toBe('0 photo à rattacher et 4 sans fiche'))
  await userEvent.clear(distance)
  expect((await screen.findByRole('alert')).textContent).toMatch(/de 1 à 2.000.m/)
})

it('reads a table, whose columns can be changed', async () => {
  await shown()
  await userEvent.click(screen.getByRole('radio', { name: 'Tableau' }))
  const text = 'Photo;Ancienne fiche;Nouvelle\nlavoir.jpg;13;12\nperdue.jpg;13;12\n'
  await userEvent.upload(screen.getByLabelText('Fichier CSV'), new File([text], 'photos.csv', { type: 'text/csv' }))
  await screen.findByText(/^1 ligne nomme un fichier qui n’est pas parmi les fichiers choisis.: perdue\.jpg\.$/)
  await userEvent.selectOptions(screen.getByLabelText('Colonne des fiches'), 'Nouvelle')
  expect(rowOf('lavoir').textContent).toContain('Lac des Vaches')
  expect(rowOf('lavoir').textContent).toContain('Ligne 2 du tableau')
})

it('begins without a table each time that its field is shown', async () => {
  await shown()
  const choose = (how: string) => userEvent.click(screen.getByRole('radio', { name: how }))
  await choose('Tableau')
  const file = new File(['Photo;Fiche\nlavoir.jpg;12\n'], 'photos.csv', { type: 'text/csv' })
  await userEvent.upload(screen.getByLabelText('Fichier CSV'), file)
  await screen.findByLabelText('Colonne des fiches')
  await choose('Nom du fichier')
  await choose('Tableau')
  expect(screen.getByText('Aucun fichier choisi')).toBeTruthy()
  expect(screen.queryByLabelText('Colonne des fiches')).toBeNull()
})

it('says when not all records were compared', async () => {
  total = 8200
  await shown()
  expect(screen.getByText(/^3 fiches sur 8.200 ont été comparées/)).toBeTruthy()
})
