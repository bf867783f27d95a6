import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { andorraUrl, demoUrl, hasSharedData, sharedData } from './servers'
import { signIn } from './session'

interface Journey {
  title: string
  english: string
  practice: string
  file: { name: string; mimeType: string; buffer: Buffer }
}

/** From a file to a link that opens: what the product is for. */
async function fromFileToLink(page: Page, journey: Journey): Promise<void> {
  await signIn(page)
  await page.getByRole('link', { name: 'Nouveau parcours' }).first().click()
  await page.getByRole('textbox', { name: /^Titre/ }).fill(journey.title)
  await page.getByLabel('Type de pratique').selectOption({ label: journey.practice })
  await page.getByLabel('Boucle').check()
  await page.getByRole('button', { name: 'Créer et passer au tracé' }).click()
  await page.waitForURL(/\/parcours\/\d+\/edit-trace/)
  await page.locator('input[type=file]').waitFor({ state: 'attached' })
  await expectAccessible(page)

  await page.locator('input[type=file]').setInputFiles(journey.file)
  await page.getByRole('button', { name: 'Importer ce tracé' }).click()
  const reliability = page.getByText(/^\d{1,3},\d\s%$/).first()
  await expect(reliability).toBeVisible({ timeout: 60_000 })
  const save = page.getByRole('button', { name: 'Enregistrer le tracé' })
  if ((await save.getAttribute('aria-disabled')) !== 'true') {
    await save.click()
    await expect(page.getByText('Tracé enregistré', { exact: false }).first()).toBeVisible()
  }

  const sheet = page.url().replace('/edit-trace', '')
  await page.goto(`${sheet}?tab=information`)
  const texts = page.getByRole('textbox', { name: /^Titre/ })
  await texts.nth(1).fill(journey.english)
  await page
    .getByRole('textbox', { name: /^Résumé/ })
    .first()
    .fill('Une sortie facile, du bourg au belvédère et retour.')
  await page
    .getByRole('textbox', { name: /^Résumé/ })
    .nth(1)
    .fill('An easy outing, from the village to the viewpoint and back.')
  await page.getByRole('button', { name: /^Enregistrer 3 changements/ }).click()
  await expect(page.getByText('Parcours sauvegardé !')).toBeVisible()
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  await expect(page.getByText('Parcours publié.')).toBeVisible()
  await expectAccessible(page)

  await page.goto(`${sheet}?tab=sharing`)
  await page.getByRole('button', { name: 'Créer le lien permanent' }).click()
  const link = page.getByRole('textbox', { name: 'Lien permanent' })
  await expect(link).toHaveValue(/\/s\//)
  await expectAccessible(page)
  const address = new URL(await link.inputValue())

  const walker = await page.context().browser()?.newContext({ locale: 'en-US' })
  const visitor = await walker?.newPage()
  if (!visitor) throw new Error('no second browser context')
  await visitor.goto(new URL(page.url()).origin + address.pathname)
  await expect(visitor.getByRole('heading', { level: 1, name: journey.title })).toBeVisible()
  await expect(visitor.getByText('Distance')).toBeVisible()
  await expectAccessible(visitor)
  const download = visitor.waitForEvent('download')
  await visitor.getByRole('link', { name: /GPX/ }).click()
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('<trkpt')
  await walker?.close()
}

test('a recording of the demo becomes a published parcours with a link', async ({ page, request }) => {
  // The demo's own recording, as a device would have given it.
  await request.post(`${demoUrl}/api/v1/session`, { data: { email: 'editeur@demo.jalon.example', password: 'balise-jaune-2026' } })
  const gpx = await (await request.get(`${demoUrl}/api/v1/parcours/1/trace/source`)).body()
  await page.goto(demoUrl)
  await fromFileToLink(page, {
    title: 'Le lac vu par un promeneur',
    english: 'The lake as a walker sees it',
    practice: 'Randonnée pédestre',
    file: { name: 'lac.gpx', mimeType: 'application/gpx+xml', buffer: gpx },
  })
})

test('a file of a real device over a real extract becomes a published parcours with a link', async ({ page }) => {
  test.skip(!hasSharedData, '../shared/data is missing')
  const name = 'andorra_16_clean.gpx'
  await page.goto(andorraUrl)
  await fromFileToLink(page, {
    title: 'Une matinée en Andorre',
    english: 'A morning in Andorra',
    practice: 'Randonnée pédestre',
    file: { name, mimeType: 'application/gpx+xml', buffer: readFileSync(join(sharedData, 'tracks/synthetic', name)) },
  })
})
