import { render, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { setPayload } from '@/api/payload'
import type { TableReport } from '@/api/types'
import { ensureTexts, startTexts } from '@/i18n'
import { columnLabelOf } from '@/records/resource/define'
import { aPayload } from '../../../test/payload'
import { Report } from './Report'

beforeEach(async () => {
  setPayload(aPayload())
  await startTexts('fr', ['common', 'errors'])
  await ensureTexts('resource', 'pois', 'table')
})

it('names each column by the label of its field, with the code beside it, and the sheets that were not read', () => {
  const cells = ['title_en', 'phone', 'unheard_of'].map((column) => ({ column, before: '', after: 'x' }))
  const report = {
    changed: 1,
    created: 0,
    unchanged: 0,
    conflicts: 0,
    refused: 0,
    notes: [{ column: null, code: 'table/other-sheets', params: { read: 'POI', sheets: 'Hiver · Aide' } }],
    columns: [],
    items: [{ row: 2, id: 7, title: { fr: 'Puits' }, outcome: 'changed', cells, faults: [] }],
  } as unknown as TableReport
  render(<Report report={report} labelOf={(column) => columnLabelOf('pois', column)} />)
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent?.trim())).toEqual([
    'Titre (en) title_en',
    'Téléphone phone',
    'unheard_of',
  ])
  // One note is no list.
  const note = screen.getByText(/Feuilles laissées de côté/)
  expect(note.tagName).toBe('P')
  expect(note.textContent?.replaceAll(/\s/g, ' ')).toBe('La feuille « POI » est lue. Feuilles laissées de côté : Hiver · Aide.')
})
