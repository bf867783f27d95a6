import { readFileSync } from 'node:fs'
import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { createRecord, run, signInByApi } from './records'
import { demoUrl } from './servers'

const title = (number: number) => `Puits ${run} ${number}`

/** The dialog of an import, opened from the list by keyboard. */
async function importing(page: Page) {
  await page.getByRole('button', { name: 'Tableau' }).focus()
  await page.keyboard.press('Enter')
  const item = page.getByRole('menuitem', { name: 'Importer un tableau' })
  await expect(item).toBeVisible()
  await item.focus()
  await page.keyboard.press('Enter')
  return page.getByRole('dialog', { name: 'Importer un tableau' })
}

async function noSideways(page: Page): Promise<void> {
  const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
  expect(wide).toBeLessThanOrEqual(seen ?? 0)
}

test('a list leaves as a table, comes back edited, shows each difference, is written and undone', async ({ page }) => {
  await signInByApi(page, 'editeur')
  const place = { location: [3.17, 44.87], phone: '04 75 00 00 00' }
  const ids = [
    await createRecord(page, 'pois', { title: { fr: title(1) }, ...place }),
    await createRecord(page, 'pois', { title: { fr: title(2) }, ...place }),
    await createRecord(page, 'pois', { title: { fr: title(3) }, ...place }),
  ]
  await page.goto(`${demoUrl}/pois?search=${encodeURIComponent(`Puits ${run}`)}`)
  await expect(page.getByRole('link', { name: title(1) })).toBeVisible()

  await page.getByRole('button', { name: 'Tableau' }).click()
  const leaving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Exporter en tableau (CSV)' }).click()
  const download = await leaving
  expect(download.suggestedFilename()).toBe('pois.csv')
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines).toHaveLength(4)
  const names = (lines[0] ?? '').replace('\uFEFF', '').split(';')
  const edited = (id: number | undefined, changes: Record<string, string>) => {
    const cells = lines.find((line) => line.startsWith(`${id};`))?.split(';') ?? []
    return cells.map((cell, at) => changes[names[at] ?? ''] ?? cell).join(';')
  }
  const rows = [
    names.join(';'),
    edited(ids[0], { phone: '04 75 11 11 11', title_en: 'Well' }),
    edited(ids[1], {}),
    edited(ids[2], { email: 'pas une adresse' }),
  ]

  const dialog = await importing(page)
  await dialog.locator('input[type=file]').setInputFiles({ name: 'pois.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) })
  await expect(dialog.getByRole('status')).toHaveText('1 fiche modifiée, 1 ligne sans différence et 1 ligne refusée')
  const changed = dialog.getByRole('listitem').filter({ hasText: title(1) })
  await expect(changed.locator('del')).toHaveText('04 75 00 00 00')
  await expect(changed.locator('ins')).toHaveText(['Well', '04 75 11 11 11'])
  await expect(dialog.getByRole('listitem').filter({ hasText: title(3) })).toContainText('email')
  await expectAccessible(page)
  await dialog.getByText('Refusées', { exact: true }).click()
  await expect(changed).toBeHidden()
  await dialog.getByText('Toutes', { exact: true }).click()
  await page.setViewportSize({ width: 390, height: 844 })
  await noSideways(page)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1440, height: 900 })

  await dialog.getByRole('button', { name: 'Écrire 1 fiche' }).click()
  await expect(dialog.getByText(/^Le tableau est écrit/)).toBeVisible()
  const phone = async () => {
    const poi: { phone: string } = await (await page.request.get(`${demoUrl}/api/v1/pois/${ids[0]}`)).json()
    return poi.phone
  }
  expect(await phone()).toBe('04 75 11 11 11')
  await dialog.getByRole('button', { name: 'Annuler cet import' }).click()
  await expect(dialog.getByText('1 fiche est revenue à son état d’avant.')).toBeVisible()
  expect(await phone()).toBe('04 75 00 00 00')
  await dialog.getByRole('button', { name: 'Fermer', exact: true }).last().click()
  await expect(dialog).toBeHidden()
})

test('a file that is no table says why, in English too', async ({ page }) => {
  await signInByApi(page, 'editeur')
  await page.goto(`${demoUrl}/en/lignes`)
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import a table' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import a table' })
  const file = { name: 'lines.ods', mimeType: 'application/zip', buffer: Buffer.from('PK\u0003\u0004 not a workbook') }
  await dialog.locator('input[type=file]').setInputFiles(file)
  await expect(dialog.getByRole('alert')).toContainText('neither a CSV nor a readable .xlsx workbook')
  await dialog.locator('input[type=file]').setInputFiles({ ...file, name: 'lines.csv', buffer: Buffer.from('mode;colour\nplane;red\n') })
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Row 2' })).toContainText('One of these words is expected: tram, metro')
  await expectAccessible(page)
})
