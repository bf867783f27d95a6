import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { copyOfParcours, run, signInByApi } from './records'
import { demoUrl } from './servers'
import { unzip } from './zip'

const readsPdf = spawnSync('pdftotext', ['-v']).error === undefined

/** The words of the PDF that a button hands over. */
async function wordsOf(page: Page, button: Locator): Promise<string> {
  const download = page.waitForEvent('download')
  await button.click()
  const path = await (await download).path()
  return execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8', maxBuffer: 50_000_000 })
}

async function created(page: Page, { reference, client, day }: { reference: string; client: string; day: string }): Promise<void> {
  await page.getByRole('button', { name: 'Nouveau dossier' }).click()
  await expect(page.getByRole('heading', { name: 'Nouveau dossier client' })).toBeFocused()
  await page.getByLabel('Numéro de dossier').fill(reference)
  await page.getByRole('textbox', { name: 'Clients' }).fill(client)
  await page.getByLabel('Premier jour').fill(day)
  await page.getByRole('button', { name: 'Créer le dossier' }).click()
  await expect(page.getByText('Dossier client sauvegardé !')).toBeVisible()
  await expect(page.getByRole('heading', { name: `Dossier ${reference}` })).toBeVisible()
}

test('one trip is sold to two clients, and each roadbook has its own names and days', async ({ page }) => {
  test.skip(!readsPdf, 'pdftotext is not installed (package poppler-utils)')
  await signInByApi(page, 'admin')
  const id = await copyOfParcours(page, `Voyage vendu deux fois ${run}`)
  await page.goto(`${demoUrl}/parcours/${id}?tab=roadbook`)
  await expect(page.getByText(/^Aucun dossier/)).toBeVisible()
  const [one, two] = [`A-${run}`, `B-${run}`]
  await created(page, { reference: one, client: 'Noé Grandval', day: '2027-07-01' })
  await expect(page.getByRole('img', { name: /^Page 1/ })).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page)
  // A file is opened by its address, which contains no name.
  expect(page.url()).toMatch(/client_file=\d+$/)
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Clients' })).toHaveValue('Noé Grandval')
  await page.getByRole('button', { name: 'Tous les dossiers' }).click()
  await expect(page.getByRole('button', { name: 'Nouveau dossier' })).toBeFocused()
  await created(page, { reference: two, client: 'Inès Maurage', day: '2027-08-15' })
  await page.getByRole('button', { name: 'Tous les dossiers' }).click()
  await expect(page.getByRole('list', { name: 'Dossiers client' }).getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)
  // On a phone.
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await page.getByRole('button', { name: `Ouvrir le dossier ${one}` }).click()
  await expect(page.getByRole('heading', { name: `Dossier ${one}` })).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Tous les dossiers' }).click()
  await page.setViewportSize({ width: 1440, height: 900 })

  const first = await wordsOf(page, page.getByRole('button', { name: `Imprimer le carnet du dossier ${one}` }))
  expect(first).toContain('Noé Grandval')
  expect(first).toContain('juillet 2027')
  expect(first).not.toMatch(/Maurage|août 2027/)
  const second = await wordsOf(page, page.getByRole('button', { name: `Imprimer le carnet du dossier ${two}` }))
  expect(second).toContain('Inès Maurage')
  expect(second).toContain('août 2027')
  expect(second).not.toMatch(/Grandval|juillet 2027/)

  // The client files of a departure are found by its day; both are printed at once, on the server, into one file.
  const files = page.getByRole('list', { name: 'Dossiers client' }).getByRole('listitem')
  await page.getByLabel('Départ jusqu’au').fill('2027-07-31')
  await expect(files).toHaveCount(1)
  await page.getByLabel('Départ jusqu’au').fill('')
  await page.getByRole('searchbox', { name: 'Numéro ou nom' }).fill('maurage')
  await expect(files).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Numéro ou nom' }).fill('')
  await expect(files).toHaveCount(2)
  await page.getByRole('button', { name: 'Imprimer les 2 carnets' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Imprimer', exact: true }).click()
  const link = dialog.getByRole('link', { name: /^Télécharger/ })
  await expect(link).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page)
  const zip = `${demoUrl}${await link.getAttribute('href')}`
  const names = [...unzip(await (await page.request.get(zip)).body()).keys()]
  expect(names.map((name) => name.replace(/-\d+\.pdf$/, ''))).toEqual(
    [two, one].map((reference) => expect.stringMatching(new RegExp(`-${reference}$`, 'i'))),
  )
  await dialog.getByRole('button', { name: 'Fermer' }).last().click()
  await expect(dialog).toHaveCount(0)

  // Search finds no client.
  const search = await page.request.get(`${demoUrl}/api/v1/search?q=Grandval`)
  expect(await search.text()).not.toContain('Grandval')
  await page.getByRole('button', { name: `Supprimer le dossier ${one}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Supprimer le dossier' }).click()
  await expect(page.getByText('Dossier client supprimé')).toBeVisible()
  expect((await page.request.get(zip)).status(), 'nor is its roadbook taken away any more').toBe(404)
  await expect(page.getByRole('button', { name: `Ouvrir le dossier ${one}` })).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Ouvrir le dossier ${two}` })).toBeVisible()
})
