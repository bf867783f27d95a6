import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { signInByApi } from './records'
import { demoUrl } from './servers'

// The name of the tests' own browser says that it is a program, and programs are not counted.
test.use({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' })

const parcours = 'Gravel des trois bourgs'

async function parcoursId(page: Page): Promise<number> {
  const { items }: { items: { id: number }[] } = await (
    await page.request.get(`${demoUrl}/api/v1/parcours?search=${encodeURIComponent(parcours)}`)
  ).json()
  return items[0]?.id ?? 0
}

async function counted(page: Page, id: number): Promise<{ view: number; download: number }> {
  const { totals } = await (await page.request.get(`${demoUrl}/api/v1/statistics?parcours_id=${id}`)).json()
  return totals
}

test('what readers of the public page do is counted, without a cookie', async ({ page, browser }) => {
  await signInByApi(page, 'editeur')
  const id = await parcoursId(page)
  const before = await counted(page, id)
  const reader = await browser.newContext({
    userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15',
  })
  const publicPage = await reader.newPage()
  await publicPage.goto(`${demoUrl}/p/x-${id}`)
  await expect.poll(async () => (await counted(page, id)).view).toBe(before.view + 1)
  await reader.request.get(`${publicPage.url()}/trace.gpx`)
  expect(await reader.cookies()).toEqual([])
  await reader.close()
  // The file is given before it is counted.
  await expect.poll(async () => (await counted(page, id)).download).toBe(before.download + 1)
})

test('the figures are read by period, by kind and by parcours, on both widths', async ({ page }) => {
  await signInByApi(page, 'editeur')
  await page.goto(`${demoUrl}/analytics`)
  await expect(page.getByRole('heading', { level: 1, name: 'Statistiques' })).toBeVisible()
  await expect(page.getByText('Les données d’analyse mettent jusqu’à 10 jours à apparaître.')).toBeVisible()
  await expect(page.getByText(/Les désinstallations iOS sont estimées de 25 à 40\s%\./)).toBeVisible()
  const curve = page.getByRole('img', { name: /^Consultations, du / })
  await expect(curve).toBeVisible()
  await expectAccessible(page)

  await page.getByText('Voir les chiffres').click()
  await expect(page.getByRole('table', { name: /^Consultations, du / }).getByRole('row')).toHaveCount(31)
  await page.getByText('12 mois', { exact: true }).click()
  await expect(page.getByRole('radio', { name: '12 mois' })).toBeChecked()
  await expect(page).toHaveURL(/period=365/)
  await expect(page.getByRole('columnheader', { name: 'Semaine du' })).toBeVisible()
  await page.getByRole('button', { name: /^Téléchargements/ }).click()
  await expect(page.getByRole('img', { name: /^Téléchargements, du / })).toBeVisible()

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Télécharger le graphique en image PNG' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^statistiques-download-.*\.png$/)
  const table = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Télécharger « Pays » en CSV' }).click()
  expect((await table).suggestedFilename()).toMatch(/^statistiques-country-.*\.csv$/)

  await page.getByRole('table', { name: 'Parcours' }).getByRole('button', { name: parcours }).click()
  await expect(page).toHaveURL(/parcours=\d+/)
  await page.getByRole('button', { name: 'Revoir tous les parcours' }).click()
  await expect(page).not.toHaveURL(/parcours=/)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('img', { name: /^Téléchargements, du / })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(page)
})

test('a report of a store is refused with its line, then imported', async ({ page }) => {
  await signInByApi(page, 'editeur')
  await page.goto(`${demoUrl}/analytics`)
  await page.getByRole('button', { name: 'Importer un rapport' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Importer le rapport' }).click()
  await expect(dialog.getByText('Choisissez le fichier du rapport.')).toBeVisible()
  await expectAccessible(page)
  const report = (text: string) => ({ name: 'rapport.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByLabel(/^Fichier CSV/).setInputFiles(report('Date,App Units\n2020-03-01,12\nhier,3\n'))
  await dialog.getByRole('button', { name: 'Importer le rapport' }).click()
  await expect(dialog.getByText(/Ligne 3\s: «\shier\s» n’est pas une date\./)).toBeVisible()
  await page.getByLabel(/^Fichier CSV/).setInputFiles(report('Date,App Units\n2020-03-01,12\n2020-03-02,5\n'))
  await dialog.getByRole('button', { name: 'Importer le rapport' }).click()
  await expect(page.getByText(/Rapport importé.*Lignes\s: 2/)).toBeVisible()
  await page.goto(`${demoUrl}/analytics?from=2020-03-01&to=2020-03-31`)
  await expect(page.getByRole('row', { name: /App Store \(iOS\)/ })).toContainText('17')
})
