import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { renderPage } from '../../../../../test/form-host'
import { aParcours } from '../../../../../test/parcours'
import { aServer } from '../../../../../test/server'
import { inSheet, SheetForm } from '../../../../../test/sheet'
import { ensureTexts } from '@/i18n'
import { CustomCard } from './CustomCard'

const called = aServer()
const ground = { key: 'sol', on: 'parcours', type: 'number', label: { fr: 'Revêtement' }, required: false }
let fields: unknown[] = []

const Part = () => (
  <SheetForm>
    <CustomCard />
  </SheetForm>
)

beforeEach(async () => {
  await ensureTexts('sheet')
  called.mockReset().mockImplementation(() => Promise.resolve({ id: 1, version: 1, custom_fields: fields }))
})

it('names the fields whose values are kept and not shown, though the white-label has no field any more', async () => {
  fields = []
  await renderPage(inSheet(aParcours({ custom_hidden: ['lits', 'sol'] }), Part))
  expect(await screen.findByText(/^lits et sol ont des valeurs enregistrées qui ne sont pas affichées/)).toBeTruthy()
})

it('names a field by its label where it no longer takes the value', async () => {
  fields = [ground]
  await renderPage(inSheet(aParcours({ custom_hidden: ['sol'] }), Part))
  expect(await screen.findByText(/Revêtement.* a une valeur enregistrée qui n’est pas affichée/)).toBeTruthy()
})
