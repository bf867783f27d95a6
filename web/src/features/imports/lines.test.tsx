import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ImportLine, ImportRun } from '@/api/types'
import { ensureTexts, startTexts, translate } from '@/i18n'
import { renderPage } from '../../../test/form-host'
import { Lines } from './Lines'
import { Mapping } from './Mapping'
import { sentBody } from '../../../test/server'

const run = (change: Partial<ImportRun> = {}): ImportRun =>
  ({
    id: 5,
    source_id: 2,
    mode: 'real',
    state: 'done',
    counts: { created: 1, updated: 0, unchanged: 0, refused: 0, to_merge: 2, gone: 0, kept: 0, undone: 0 },
    ...change,
  }) as ImportRun
const line = (id: number, title: string): ImportLine => ({
  id,
  item: `i-${id}`,
  outcome: 'to_merge',
  title,
  parcours_id: 7,
  record_id: null,
  notes: [],
  changes: [],
  waits: true,
})

let waiting: ImportLine[] = []
/** What the server holds back until it is let go. */
let hold: Promise<void> = Promise.resolve()
let letGo: () => void = () => undefined
const requests: string[] = []

beforeEach(async () => {
  waiting = [line(1, 'Boucle du lavoir'), line(2, 'Boucle du moulin')]
  hold = Promise.resolve()
  requests.length = 0
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('imports', 'resource')
  vi.stubGlobal('fetch', async (input: unknown, init: RequestInit = {}) => {
    const url = new URL(String(input), window.location.origin)
    if (init.method === 'POST') {
      const { item } = sentBody(init) as { item: string }
      waiting = waiting.filter((one) => one.item !== item)
      hold = new Promise((go) => {
        letGo = go
      })
      return new Response(null, { status: 204 })
    }
    requests.push(url.search)
    if (url.searchParams.get('page') !== null) await hold
    return Response.json({ items: waiting, total: waiting.length })
  })
})

it('takes an answered line out of the queue at once, and says when nothing is left', async () => {
  await renderPage(() => <Lines run={run()} />)
  await userEvent.click(await screen.findByRole('radio', { name: 'À rapprocher' }))
  await waitFor(() => expect(requests.some((search) => search.includes('outcome=to_merge') && search.includes('waits=true'))).toBe(true))
  await userEvent.click((await screen.findAllByRole('button', { name: 'C’est le même' }))[0] ?? document.body)
  // The list that is asked for anew has not come yet.
  await waitFor(() => expect(screen.queryByText('Boucle du lavoir')).toBeNull())
  expect(screen.getByText('Boucle du moulin')).toBeTruthy()
  letGo()
  await userEvent.click(await screen.findByRole('button', { name: 'C’en est un autre' }))
  await waitFor(() => expect(screen.queryByText('Boucle du moulin')).toBeNull())
  letGo()
  expect(await screen.findByText('Il n’y a plus rien à rapprocher.')).toBeTruthy()
})

it('says of a mapping without fields whether a run was made, is under way, or found nothing', async () => {
  const mapping = { targets: [], rules: [], fields: [], words: [], waiting: 0 }
  const words = { never: /Lancez un essai à blanc/, running: /en cours de lecture/, done: /Le dernier essai n’a trouvé ni champ/ }
  for (const tried of ['never', 'running', 'done'] as const) {
    const shown = await renderPage(() => <Mapping mapping={mapping} tried={tried} />)
    expect(await screen.findByText(words[tried])).toBeTruthy()
    shown.unmount()
  }
})

it('writes one and many of each outcome in both languages', async () => {
  const tallies = () => [0, 1, 2].map((count) => `${count} ${translate('imports:tally.created', { count })}`)
  expect(tallies()).toEqual(['0 Créé', '1 Créé', '2 Créés'])
  expect([0, 1, 2].map((count) => translate('imports:run.progressOpen', { count }))).toEqual([
    '0 élément lu',
    '1 élément lu',
    '2 éléments lus',
  ])
  await startTexts('en', ['common', 'errors', 'shell'])
  await ensureTexts('imports')
  expect(tallies()).toEqual(['0 Created', '1 Created', '2 Created'])
  expect([0, 1, 2].map((count) => translate('imports:run.progressOpen', { count }))).toEqual([
    '0 items read',
    '1 item read',
    '2 items read',
  ])
})
