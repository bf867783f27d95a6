import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { renderPage } from '../../../test/form-host'
import { aServer } from '../../../test/server'
import type { Poi } from '@/api/types'
import { ensureTexts } from '@/i18n'
import { Custom } from './fields'

const called = aServer()
const poi = { id: 42, version: 1, white_label: { id: 1, name: 'Val d’Orsel' }, custom: {}, custom_hidden: ['lits'] } as unknown as Poi

beforeEach(async () => {
  await ensureTexts('pois')
  called.mockReset().mockImplementation(() => Promise.resolve({ id: 1, version: 1, custom_fields: [] }))
})

it('names a field that was removed and whose value is kept', async () => {
  await renderPage(() => <Custom record={poi} f={(name) => ({ name, label: name })} />)
  expect(await screen.findByText(/lits.* a une valeur enregistrée qui n’est pas affichée/)).toBeTruthy()
})
