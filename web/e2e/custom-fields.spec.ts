import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { tabAndPress, tabAndType, tabTo } from './keyboard'
import { createRecord, run, saveChanges, signInByApi } from './records'
import { demoUrl } from './servers'

test('a field of the white-label’s own is made, filled in on a parcours, looked for, exported and returned by the API', async ({
  page,
}) => {
  const [key, label, title] = [`sol_${run}`, `Sol ${run}`, `Sur le gravier ${run}`]
  await signInByApi(page, 'admin')
  await page.goto(`${demoUrl}/settings/marques-blanches/1`)
  await page.getByRole('button', { name: 'Ajouter un champ' }).click()
  const own = page
    .getByRole('group')
    .filter({ has: page.getByLabel('Clé', { exact: true }) })
    .last()
  await own.getByRole('textbox', { name: /^Libellé fr/ }).fill(label)
  await own.getByLabel('Clé', { exact: true }).fill(key)
  await own.getByLabel('Type').selectOption('Choix dans une liste')
  await own.getByLabel('Choix possibles').fill('Sable\nGravier')
  await expectAccessible(page)
  await saveChanges(page)
  await expect(page.getByText('Marque blanche sauvegardée !')).toBeVisible()

  const id = await createRecord(page, 'parcours', { title: { fr: title } })
  await createRecord(page, 'parcours', { title: { fr: `Sur le sable ${run}` }, custom: { [key]: 'Sable' } })
  await page.goto(`${demoUrl}/parcours/${id}?tab=information`)
  await page.getByLabel(label).selectOption('Gravier')
  await expectAccessible(page)
  await saveChanges(page)
  await expect(page.getByRole('button', { name: /^Enregistrer$/ })).toHaveAttribute('aria-disabled', 'true')
  await page.reload()
  await expect(page.getByLabel(label)).toHaveValue('Gravier')

  await page.goto(`${demoUrl}/parcours?search=${run}`)
  // Other journeys leave parcours with the same mark.
  const rows = page.getByRole('row').filter({ hasText: new RegExp(`Sur le (gravier|sable) ${run}`) })
  await expect(rows).toHaveCount(2)
  await page.getByRole('button', { name: 'Filtrer' }).click()
  await page.getByRole('combobox', { name: label }).selectOption('Gravier')
  await expect(page).toHaveURL(new RegExp(`custom\\.${key}=Gravier`))
  await page.keyboard.press('Escape')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(title)
  await expect(page.getByRole('button', { name: new RegExp(`^Retirer « ${label}`) })).toBeVisible()
  await page.getByRole('button', { name: 'Exporter' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'En tableau (CSV)' }).click()
  const [head = '', ...lines] = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split(/\r?\n/)
  expect(head).toContain(key)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('Gravier')
  const answer: { custom: Record<string, unknown> } = await (await page.request.get(`${demoUrl}/api/v1/parcours/${id}`)).json()
  expect(answer.custom[key]).toBe('Gravier')
})

test('one for points of interest is made and filled in by keyboard alone', async ({ page }) => {
  const [key, label] = [`banc_${run}`, `Banc ${run}`]
  await signInByApi(page, 'admin')
  await page.goto(`${demoUrl}/settings/marques-blanches/1`)
  await tabAndPress(page, page.getByRole('button', { name: 'Ajouter un champ' }))
  const own = page
    .getByRole('group')
    .filter({ has: page.getByLabel('Clé', { exact: true }) })
    .last()
  // The focus goes to the new field once it is there: a Tab before that would leave from the button.
  await expect(own.getByRole('textbox', { name: /^Libellé fr/ })).toBeFocused()
  await tabAndType(page, own.getByRole('textbox', { name: /^Libellé fr/ }), label)
  await tabAndType(page, own.getByLabel('Clé', { exact: true }), key)
  await tabTo(page, own.getByLabel('Type'))
  await page.keyboard.type('Nombre')
  await tabTo(page, own.getByLabel('Sur'))
  await page.keyboard.type('les po')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByText('Marque blanche sauvegardée !')).toBeVisible()

  const poi = await createRecord(page, 'pois', { title: { fr: `Belvédère ${run}` }, location: [3.17, 44.87] })
  await page.goto(`${demoUrl}/pois/${poi}`)
  await tabAndType(page, page.getByLabel(label), '3')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByText('POI sauvegardé !')).toBeVisible()
  await page.goto(`${demoUrl}/pois?custom.${key}=2..4`)
  const row = page.getByRole('row').filter({ hasText: run })
  await expect(row).toHaveCount(1)
  await page.getByRole('button', { name: 'Colonnes' }).click()
  await page.getByRole('checkbox', { name: label }).check()
  await page.keyboard.press('Escape')
  await expect(row.getByRole('cell', { name: '3', exact: true })).toBeVisible()
  await expectAccessible(page)
})
