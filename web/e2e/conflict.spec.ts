import { expect, test, type Browser, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { demoUrl } from './servers'
import { signIn } from './session'

async function personOn(browser: Browser, path: string, email: string): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'fr-FR', timezoneId: 'Europe/Paris' })).newPage()
  await page.goto(demoUrl)
  await signIn(page, '/parcours', email)
  await page.goto(demoUrl + path)
  return page
}

async function createParcours(page: Page, title: string): Promise<number> {
  await page.goto(demoUrl)
  await signIn(page)
  const reply = await page.request.post(`${demoUrl}/api/v1/parcours`, {
    data: { title: { fr: title, en: title }, summary: { fr: 'Une balade autour du lac.' } },
    headers: { origin: demoUrl },
  })
  const { id }: { id: number } = await reply.json()
  return id
}

const title = (page: Page) => page.getByRole('textbox', { name: /^Titre/ })
const summary = (page: Page) => page.getByRole('textbox', { name: /^Résumé/ })
const save = (page: Page) => page.getByRole('button', { name: /^Enregistrer \d changement/ }).click()

test('two people on one sheet: what goes together is merged, what clashes is chosen field by field', async ({ page, browser }) => {
  const sheet = `/parcours/${await createParcours(page, 'Deux mains sur une fiche')}?tab=information`
  await page.goto(demoUrl + sheet)
  const other = await personOn(browser, sheet, 'admin@demo.jalon.example')

  await title(page).first().fill('Le lac à deux mains')
  await summary(page).nth(1).fill('A walk around the lake.')
  await title(other).first().fill('Le lac vu par Béatrice')
  await summary(other).first().fill('Une belle balade autour du lac.')
  await save(other)
  await expect(other.getByText('Parcours sauvegardé !')).toBeVisible()

  await save(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: /a enregistré cette fiche pendant que vous la modifiiez/ })).toBeVisible()
  // The summaries are in two languages: only the title is a question.
  await expect(dialog.getByRole('radio')).toHaveCount(2)
  await expect(dialog).toContainText('Deux mains sur une fiche')
  await expect(dialog).toContainText('Le lac vu par Béatrice')
  await expect(dialog).toContainText('Le lac à deux mains')
  const resolve = dialog.getByRole('button', { name: 'Enregistrer ma sélection' })
  await expect(resolve).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: 'Vous' }).check()
  await resolve.click()
  await expect(page.getByText(/Parcours sauvegardé/)).toBeVisible()

  await page.reload()
  await expect(title(page).first()).toHaveValue('Le lac à deux mains')
  await expect(summary(page).first()).toHaveValue('Une belle balade autour du lac.')
  await expect(summary(page).nth(1)).toHaveValue('A walk around the lake.')
  await other.context().close()
})

test('changes that do not touch each other go together without a question', async ({ page, browser }) => {
  const sheet = `/parcours/${await createParcours(page, 'Chacun son champ')}?tab=information`
  await page.goto(demoUrl + sheet)
  const other = await personOn(browser, sheet, 'admin@demo.jalon.example')
  await summary(page).nth(1).fill('Mine, in English.')
  await title(other).nth(1).fill('Each their own field')
  await save(other)
  await expect(other.getByText('Parcours sauvegardé !')).toBeVisible()
  await save(page)
  await expect(page.getByText('Parcours sauvegardé ! Les changements faits ailleurs y sont aussi.')).toBeVisible()
  await expect(title(page).nth(1)).toHaveValue('Each their own field')
  await other.context().close()
})

test('two people on one trace: the second sees both, and chooses', async ({ page, browser }) => {
  const id = await createParcours(page, 'Deux mains sur un tracé')
  const headers = { origin: demoUrl, 'if-match': '*', 'content-type': 'application/octet-stream' }
  const gpx = await (await page.request.get(`${demoUrl}/api/v1/parcours/1/trace/source`)).body()
  expect(
    (await page.request.post(`${demoUrl}/api/v1/parcours/${id}/trace/source?file_name=lac.gpx`, { data: gpx, headers })).status(),
  ).toBe(200)
  await page.goto(`${demoUrl}/parcours/${id}/edit-trace`)
  const other = await personOn(browser, `/parcours/${id}/edit-trace`, 'admin@demo.jalon.example')

  await other.getByRole('button', { name: 'Inverser' }).click()
  await other.getByRole('button', { name: 'Enregistrer le tracé' }).click()
  await expect(other.getByText('Tracé enregistré.')).toBeVisible({ timeout: 30_000 })

  await page.getByRole('button', { name: 'Suivre le chemin' }).click()
  await expect(page.getByText(/points au-dessus du seuil/)).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Enregistrer le tracé' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(/\d,\d\skm/)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Enregistrer ma version' }).click()
  await expect(page.getByText('Tracé enregistré')).toBeVisible({ timeout: 30_000 })
  await page.reload()
  await expect(page.getByText(/points au-dessus du seuil/)).toBeVisible({ timeout: 30_000 })
  await other.context().close()
})
