import { screen, within } from '@testing-library/react'
import { Suspense } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/form-host'
import type { Media, MediaKind } from '@/api/types'
import { ensureTexts, startTexts } from '@/i18n'
import { FormProvider } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import { ReadOnlyContext } from '@/records/form/read-only'
import { FormStore } from '@/records/form/store'
import { makeSelection } from '@/records/list/selection'
import { Cards } from './Cards'
import { Framing } from './fields'
import { media } from './media'

/** What the card and the sheet read of a media file. */
const mediaFile = (kind: MediaKind): Media =>
  ({
    id: 4,
    version: 1,
    kind,
    state: 'ready',
    mine: true,
    editable: true,
    white_label: { id: 1, name: 'OT' },
    white_labels: [],
    published: false,
    published_on_mine: null,
    legend: {},
    alt: {},
    copyright: null,
    missing: kind === 'image' ? ['legend', 'copyright', 'alt'] : ['legend'],
    licence: null,
    file_name: 'titres.woff2',
    url: '/media/4/file',
    variants: [],
    duplicates: [],
    translated: {},
    bytes: 1000,
    width: null,
    height: null,
    duration_s: null,
    pages: null,
    location: null,
    location_offered: null,
    focal: { x: 0.5, y: 0.5 },
    crop: null,
    waveform: null,
    thumb_url: null,
    poster_url: null,
    specimen_url: null,
    uses_total: 0,
  }) as unknown as Media

beforeEach(async () => {
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('resource', 'media', 'history', 'translation')
})

/** The words of the sheet of a file of this kind. */
async function sheetOf(kind: MediaKind, own: Partial<Media> = {}): Promise<string> {
  vi.stubGlobal('fetch', (input: unknown) => {
    const { pathname } = new URL(String(input), window.location.origin)
    const isRecord = /^\/api\/v1\/medias\/[^/]+$/.test(pathname)
    return Promise.resolve(Response.json(isRecord ? { ...mediaFile(kind), ...own } : { items: [], total: 0, hidden_total: 0 }))
  })
  const { Page } = await media.record()
  const { unmount, container } = await renderPage(() => (
    <Suspense>
      <Page />
    </Suspense>
  ))
  await screen.findByText('Nom du fichier')
  const words = container.textContent ?? ''
  unmount()
  return words
}

it('asks of a file what its kind has: a place and a framing of pictures alone', async () => {
  expect(await sheetOf('image')).toMatch(/Affichée sous l’image\..*Texte de remplacement.*Cadrage.*Lieu de prise de vue/s)
  for (const kind of ['pdf', 'font'] as const)
    expect(await sheetOf(kind), kind).not.toMatch(/l’image|Texte de remplacement|Cadrage|Lieu de prise de vue/)
})

it('says that a file is published on one’s own white-label alone: what shows it makes it public', async () => {
  expect(await sheetOf('image')).not.toMatch(/Non publié/)
  const theirs = { mine: false, editable: false, white_label: { id: 2, name: 'Vercors' } }
  expect(await sheetOf('image', theirs)).toMatch(/^(?!.*Non publié).*Vercors/s)
  expect(await sheetOf('image', { ...theirs, published_on_mine: true })).toMatch(/Publié chez moi.*Vercors/s)
})

it('misses no credit of a font', async () => {
  await renderPage(() => <Cards rows={[{ ...mediaFile('image'), id: 5 }, mediaFile('font')]} selection={makeSelection()} />)
  const [image, font] = screen.getAllByRole('listitem')
  if (image === undefined || font === undefined) throw new Error('two cards')
  expect(within(image).getByText('Crédit manquant')).toBeTruthy()
  expect(within(font).queryByText('Crédit manquant')).toBeNull()
})

it('shows the framing of a picture that may only be read, and offers nothing there', async () => {
  const store = new FormStore<Values>({ focal: { x: 0.5, y: 0.25 }, crop: null })
  const framing = async (readOnly: boolean) => {
    const { unmount } = await renderPage(() => (
      <FormProvider value={store}>
        <ReadOnlyContext value={readOnly}>
          <Framing record={mediaFile('image')} f={(name) => ({ name, label: name })} />
        </ReadOnlyContext>
      </FormProvider>
    ))
    const found = [screen.queryByRole('button') !== null, screen.queryByText(/^Cliquez sur/) !== null, screen.queryByText(/25/) !== null]
    unmount()
    return found
  }
  expect(await framing(false)).toEqual([true, true, true])
  expect(await framing(true)).toEqual([false, false, true])
})
