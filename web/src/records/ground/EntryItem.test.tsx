import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { GroundEntry } from '@/api/types'
import { ensureTexts, startTexts } from '@/i18n'
import { renderPage } from '../../../test/form-host'
import { EntryItem } from './EntryItem'

const report: GroundEntry = {
  id: 'e1',
  kind: 'report',
  title: '',
  text: 'Arbre tombé',
  language: 'fr',
  report_kind: 'fallen_tree',
  closure_kind: null,
  condition: null,
  category_id: null,
  before: null,
  distance_m: null,
  from_m: null,
  to_m: null,
  poi_id: null,
  step_id: null,
  until: null,
  accuracy_m: null,
  position: null,
  by: { id: 7, name: 'Maïlys C.' },
  made_at: '2026-11-26T07:00:00Z',
  received_at: '2026-11-26T07:01:00Z',
  media: [],
  parcours: null,
  result: null,
  reviewed_at: null,
  reviewed_by: null,
}

it('says the kind of a report once, and a text of its own beside it', async () => {
  await startTexts('fr', ['common', 'errors', 'shell'])
  await ensureTexts('groundEntries', 'reviews', 'closures')
  const { unmount } = await renderPage(() => <EntryItem entry={report} ofOne />)
  expect(screen.getByText(/Arbre tombé/).textContent).toBe('Signalement · Arbre tombé')
  unmount()
  await renderPage(() => <EntryItem entry={{ ...report, text: 'Il barre le gué.' }} ofOne />)
  expect(screen.getByText('Il barre le gué.')).not.toBeNull()
})
