import { expect, test, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { expectFocusSeen, tabAndPress, tabTo } from './keyboard'
import { choose, createRecord, run, saveChanges, signInByApi } from './records'
import { demoUrl } from './servers'

const passport = (page: Page): Locator =>
  page
    .getByRole('complementary')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Passeport de publication' }) })
const channel = (page: Page, name: RegExp): Locator =>
  passport(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(name) })
    .first()

test('the passport of a parcours leads to each field that mends it, and follows what is saved', async ({ page }) => {
  await signInByApi(page, 'editeur')
  const id = await createRecord(page, 'parcours', { title: { fr: `À compléter ${run}` } })
  await page.goto(`${demoUrl}/parcours/${id}`)
  await expect(passport(page)).toContainText('0/5')
  await expect(channel(page, /^Application Jalon$/)).toContainText(/\d+ éléments manquants/)
  await expectAccessible(page)
  await channel(page, /^Application Jalon$/)
    .getByRole('button', { name: 'Résumé' })
    .click()
  const summary = page.getByRole('textbox', { name: /^Résumé/ }).first()
  await expect(summary).toBeFocused()
  await summary.fill('Un lac, deux cols.')
  await expect(channel(page, /^Application Jalon$/)).toContainText('enregistrez pour vérifier')
  await saveChanges(page)
  await expect(passport(page).getByRole('button', { name: 'Résumé' })).toHaveCount(0)
  // A text is lacking in one language only: its field in that language.
  await channel(page, /^Widget$/)
    .getByRole('button', { name: 'Textes en anglais' })
    .click()
  await expect(page.getByRole('textbox', { name: /^Titre/ }).nth(1)).toBeFocused()
  await expectAccessible(page)
})

test('by keyboard, a lack is reached, and Entrée goes to its field', async ({ page }) => {
  await signInByApi(page, 'editeur')
  const id = await createRecord(page, 'parcours', { title: { fr: `Au clavier ${run}` } })
  await page.goto(`${demoUrl}/parcours/${id}`)
  await tabTo(page, channel(page, /^Application Jalon$/).getByRole('button', { name: 'Description' }))
  await expectFocusSeen(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: /^Description/ }).first()).toBeFocused()
})

test('the list is narrowed by what is lacking and by channel, and one value mends many', async ({ page }) => {
  await signInByApi(page, 'admin')
  await createRecord(page, 'contacts', { first_name: 'Iris', last_name: `Lot-${run}`, email: `iris.lot.${run}@x.example`, structure_id: 1 })
  const names = [`Lot un ${run}`, `Lot deux ${run}`]
  for (const fr of names) await createRecord(page, 'parcours', { title: { fr }, summary: { fr: 'Court.' } })
  const rows = page.getByRole('row').filter({ hasText: run })
  await page.goto(`${demoUrl}/parcours?search=${encodeURIComponent(`Lot ${run}`)}`)
  await expect(rows).toHaveCount(2)
  await expect(rows.first().getByRole('img', { name: /Application Jalon\s: incomplet/ })).toBeVisible()
  await page.getByRole('button', { name: 'Filtrer' }).click()
  await page
    .locator('summary')
    .filter({ hasText: /^Élément manquant$/ })
    .click()
  await page.getByRole('checkbox', { name: 'Droits d’auteur des textes' }).click()
  await expect(page).toHaveURL(/lack=no_copyright/)
  await page.keyboard.press('Escape')
  await expect(rows).toHaveCount(2)
  await expectAccessible(page)

  await page.getByRole('columnheader').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Compléter' }).click()
  await page.getByRole('menuitem', { name: 'Définir les droits d’auteur…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Office de tourisme du Val d’Orsel')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Voir ce qui changera' }).click()
  await dialog.getByRole('button', { name: 'Appliquer à 2 éléments' }).click()
  await expect(rows).toHaveCount(0)
  await page.getByRole('button', { name: 'Annuler' }).click()
  await expect(rows).toHaveCount(2)

  await page.goto(`${demoUrl}/parcours?search=${encodeURIComponent(`Lot ${run}`)}&lack=no_contact`)
  await page.getByRole('columnheader').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Compléter' }).click()
  await page.getByRole('menuitem', { name: 'Définir le contact…' }).click()
  await choose(page, /^Contact/, `Iris Lot-${run}`)
  await dialog.getByRole('button', { name: 'Voir ce qui changera' }).click()
  await dialog.getByRole('button', { name: 'Appliquer à 2 éléments' }).click()
  await expect(rows).toHaveCount(0)

  await page.goto(`${demoUrl}/parcours?search=${encodeURIComponent(`Lot ${run}`)}&channel=app:missing`)
  await expect(rows).toHaveCount(2)
  await expect(page.getByRole('button', { name: /^Retirer « Passeport/ })).toBeVisible()
  await page.goto(`${demoUrl}/parcours?search=${encodeURIComponent(`Lot ${run}`)}&channel=app:ready`)
  await expect(rows).toHaveCount(0)
})

test('a value that serves many is chosen by keyboard alone', async ({ page }) => {
  await signInByApi(page, 'editeur')
  await createRecord(page, 'parcours', { title: { fr: `Niveau ${run}` } })
  await page.goto(`${demoUrl}/parcours?search=${encodeURIComponent(`Niveau ${run}`)}&lack=no_level`)
  await tabAndPress(page, page.getByRole('columnheader').getByRole('checkbox'), 'Space')
  await tabAndPress(page, page.getByRole('button', { name: 'Compléter' }))
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  const level = page.getByRole('menuitem', { name: 'Définir le niveau…' })
  // The menu takes the focus a moment after it opens; from its last entry one comes back to the first.
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    await expect(level).toBeFocused({ timeout: 300 })
  }).toPass({ timeout: 15_000 })
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('combobox'))
  await page.keyboard.press('ArrowDown')
  await tabAndPress(page, page.getByRole('dialog').getByRole('button', { name: 'Voir ce qui changera' }))
  await tabAndPress(page, page.getByRole('dialog').getByRole('button', { name: 'Appliquer à 1 élément' }))
  await expect(page.getByRole('row').filter({ hasText: run })).toHaveCount(0)
})
