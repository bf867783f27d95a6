import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { field, run, saveChanges, signInByApi } from './records'
import { demoUrl } from './servers'

const name = `Hôtel du Pont ${run}`

test('a hotel gets its link in three steps, its page shows what starts near its door, and the link can be withdrawn', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000)
  await signInByApi(page, 'editeur')
  const { items } = await (await page.request.get(`${demoUrl}/api/v1/parcours?published=true&owner=mine&per_page=1`)).json()
  const start: [number, number] = items[0].start
  await page.goto(demoUrl)
  await page.getByRole('navigation', { name: 'Navigation principale' }).getByRole('link', { name: 'Lien prestataire' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Liens prestataires' })).toBeVisible()
  await expectAccessible(page)

  await page.goto(`${demoUrl}/marque-blanche-prestataire/new`)
  await page.getByRole('button', { name: 'Continuer' }).click()
  await expect(page.getByText('Remplissez tous les champs pour continuer.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: /^Nom du prestataire/ })).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await page.getByRole('textbox', { name: /^Nom du prestataire/ }).fill(name)
  // A wrong address is refused by its own step.
  await page.getByPlaceholder('https://').fill('hotel du pont')
  await page.getByRole('button', { name: 'Continuer' }).click()
  await expect(page.getByPlaceholder('https://')).toBeFocused()
  await expect(page.getByPlaceholder('https://')).toHaveAttribute('aria-invalid', 'true')
  await page.getByPlaceholder('https://').fill('')
  await page.getByRole('button', { name: 'Continuer' }).click()
  await page.getByRole('textbox', { name: /^Position/ }).fill(`${start[1]} ; ${start[0]}`)
  await field(page, /^Adresse/).fill('1 place du Pont')
  await page.getByRole('button', { name: 'Continuer' }).click()
  await page.getByRole('button', { name: 'Créer le lien' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const url = await page.getByRole('textbox', { name: `Lien de ${name}` }).inputValue()
  expect(url).toMatch(/\/chez\/hotel-du-pont-.*-\d+$/)
  await expect(page.getByRole('img', { name: 'Code QR du lien' })).toHaveJSProperty('complete', true)
  await expectAccessible(page)

  const reader = await (
    await browser.newContext({ locale: 'fr-FR', userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' })
  ).newPage()
  await reader.goto(url)
  await expect(reader.getByRole('heading', { level: 1, name: `${name}\u202f: les parcours à proximité` })).toBeVisible()
  await expect(reader.locator('#near-map')).toHaveAttribute('data-idle', '')
  const distances = await reader.locator('.nearby .from').allTextContents()
  const metres = distances.map((words) => Number(/[\d,]+/.exec(words)?.[0].replace(',', '.')) * (words.includes('km') ? 1000 : 1))
  expect(metres.length).toBeGreaterThan(1)
  expect(metres).toEqual(metres.toSorted((a, b) => a - b))
  await expectAccessible(reader)
  await reader.setViewportSize({ width: 390, height: 844 })
  expect(await reader.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await reader.locator('.nearby a').first().click()
  await expect(reader.getByText(`Depuis ${name}`)).toBeVisible()
  await expect(reader.locator('#map')).toHaveAttribute('data-from', /,/)
  await expectAccessible(reader)

  await page.reload()
  await expect(page.getByText('Ouvert 1 fois.')).toBeVisible()
  await field(page, /^Adresse/).fill('2 place du Pont')
  await saveChanges(page)
  await expect(page.getByText('Lien prestataire sauvegardé !')).toBeVisible()
  await page.getByRole('button', { name: 'Retirer le lien' }).click()
  await expect(page.getByText('Lien retiré.')).toBeVisible()
  const gone = await reader.goto(url)
  expect(gone?.status()).toBe(410)
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Ce lien n’est plus valable')
  await page.getByRole('button', { name: 'Rouvrir le lien' }).click()
  await expect(page.getByText('Lien rouvert')).toBeVisible()
  expect((await reader.goto(url))?.status()).toBe(200)
  await reader.context().close()
})
