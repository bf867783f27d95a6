import { readFile } from 'node:fs/promises'
import { expect, test, type Download } from '@playwright/test'
import { expectAccessible } from './axe'
import { expectFocusSeen, tabTo } from './keyboard'
import { copyOfParcours, run, signInByApi } from './records'
import { demoUrl } from './servers'

async function firstBytes(download: Download, length: number): Promise<string> {
  return (await readFile(await download.path())).subarray(0, length).toString('latin1')
}

test('a roadbook is set page by page, seen while it is typed, saved and printed', async ({ page }) => {
  await signInByApi(page, 'admin')
  const id = await copyOfParcours(page, `Carnet ${run}`)
  await page.goto(`${demoUrl}/parcours/${id}?tab=roadbook`)
  const preview = page.getByRole('img', { name: /^Page 1/ })
  await expect(preview).toBeVisible({ timeout: 30_000 })
  await page.getByRole('checkbox', { name: 'Imprimer « Notes »' }).uncheck()
  // By keyboard alone: the page of photos goes up.
  const photos = page.getByRole('button', { name: 'Photos', exact: true })
  await tabTo(page, photos)
  await expectFocusSeen(page)
  await page.keyboard.press('Alt+ArrowUp')
  await expect(
    page
      .getByRole('status')
      .filter({ hasText: /Photos/ })
      .first(),
  ).toBeAttached()
  await page.getByRole('textbox', { name: 'Clients' }).fill('Claire Aubertin\nNoé Petit')
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Enregistrer \d changement/ }).click()
  await expect(page.getByText('Carnet de voyage sauvegardé !')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Télécharger le PDF' }).click()
  expect(await firstBytes(await download, 5)).toBe('%PDF-')
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Imprimer « Notes »' })).not.toBeChecked()
  await expect(page.getByRole('textbox', { name: 'Clients' })).toHaveValue('Claire Aubertin\nNoé Petit')
})

test('the roadbooks of a list are printed in the background and taken away in one file', async ({ page }) => {
  await signInByApi(page, 'editeur')
  const names = [`Lot de carnets un ${run}`, `Lot de carnets deux ${run}`]
  for (const title of names) await copyOfParcours(page, title)
  await page.goto(`${demoUrl}/parcours?search=${encodeURIComponent(`Lot de carnets ${run}`)}`)
  await expect(page.getByRole('row').filter({ hasText: run })).toHaveCount(2)
  await page.getByRole('button', { name: 'Exporter' }).click()
  await page.getByRole('menuitem', { name: 'Carnets de voyage (PDF)…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Carnets de voyage en PDF' })
  await expect(dialog).toContainText('tous les parcours de la liste filtrée')
  await dialog.getByRole('button', { name: 'Imprimer' }).click()
  const link = dialog.getByRole('link', { name: /^Télécharger/ }).first()
  await expect(link).toBeVisible({ timeout: 60_000 })
  await expect(dialog.getByText('2 carnets', { exact: true })).toBeVisible()
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await link.click()
  expect(await firstBytes(await download, 4)).toBe('PK\u0003\u0004')
  await dialog
    .getByRole('button', { name: /^Effacer l’impression/ })
    .first()
    .click()
  await expect(dialog.getByText('2 carnets', { exact: true })).toHaveCount(0)
})
