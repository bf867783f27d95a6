import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { exifOfPlace, png } from './png'
import { choose, createRecord, run, signInByApi } from './records'
import { demoUrl } from './servers'

/** A media file made without the screens, with the place where it was taken, where that is given. */
async function photo(page: Page, name: string, grey: number, place?: [number, number]): Promise<number> {
  const reply = await page.request.post(`${demoUrl}/api/v1/medias?file_name=${encodeURIComponent(name)}`, {
    data: png(1200, 800 + grey, grey, place && exifOfPlace(place)),
    headers: { origin: demoUrl, 'content-type': 'application/octet-stream' },
  })
  expect(reply.status(), await reply.text()).toBe(201)
  const { id }: { id: number } = await reply.json()
  return id
}

async function mediaOf(page: Page, path: string): Promise<number[]> {
  const record: { media_ids: number[] } = await (await page.request.get(`${demoUrl}/api/v1/${path}`)).json()
  return record.media_ids
}

async function noSideways(page: Page): Promise<void> {
  const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
  expect(wide).toBeLessThanOrEqual(seen ?? 0)
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('photos ticked in the library are attached by their names, by hand and by their places, and taken back', async ({ page }) => {
  await signInByApi(page, 'editeur')
  const [lake, spring] = [`Lac d’Été ${run}`, `Source ${run}`]
  // Far from the places of the demo, and from each other.
  const at: [number, number] = [3.4 + Math.random() / 10, 45.2 + Math.random() / 10]
  const lakeId = await createRecord(page, 'pois', { title: { fr: lake }, location: at })
  const springId = await createRecord(page, 'pois', { title: { fr: spring }, location: [at[0] + 0.05, at[1]] })
  const before = await photo(page, `avant-${run}.png`, 10)
  await createRecord(page, 'pois', { title: { fr: `Avec photo ${run}` }, location: [at[0] - 0.05, at[1]], media_ids: [before] })
  const first = await photo(page, `lac-d-ete-${run}-1.png`, 11)
  const second = await photo(page, `LAC-D-ÉTÉ-${run}-2.png`, 12)
  const numbered = await photo(page, `POI-${springId}_1 ${run}.png`, 13)
  const other = await photo(page, `IMG_0042 ${run}.png`, 14)
  // 0.0003° of latitude are 33 m.
  const placed = await photo(page, `DSC_7 ${run}.png`, 15, [at[0] + 0.05, at[1] + 0.0003])

  await page.goto(`${demoUrl}/medias?search=${run}`)
  await expect(
    page
      .getByRole('checkbox', { name: /^Cocher/ })
      .or(page.getByRole('checkbox'))
      .first(),
  ).toBeAttached()
  for (const name of [first, second, numbered, other, placed].map((id) => `a[href="/medias/${id}"]`)) {
    await page
      .locator('li')
      .filter({ has: page.locator(name) })
      .getByRole('checkbox')
      .check()
  }
  await page.getByRole('button', { name: 'Rattacher à des fiches…' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rattacher à des fiches')
  const summary = page.getByRole('status').filter({ hasText: 'à rattacher' })
  await expect(summary).toHaveText('3 photos à rattacher et 2 sans fiche')
  await expect(row(page, `POI-${springId}_1`)).toContainText(spring)
  await expect(row(page, `POI-${springId}_1`)).toContainText('Numéro dans le nom')
  await expect(row(page, `lac-d-ete-${run}-1`)).toContainText('Même nom')
  await expectAccessible(page)

  // One is chosen by hand.
  await choose(page, `Fiche de IMG_0042 ${run}.png`, lake)
  await expect(row(page, 'IMG_0042')).toContainText('Choisie à la main')
  await expect(summary).toHaveText('4 photos à rattacher et 1 sans fiche')
  await page.getByRole('button', { name: 'Rattacher 4 photos' }).click()
  await expect(page.getByText('4 photos rattachées à 2 fiches.')).toBeVisible()
  expect(await mediaOf(page, `pois/${lakeId}`)).toEqual([other, first, second])
  expect(await mediaOf(page, `pois/${springId}`)).toEqual([numbered])
  await expect(summary).toHaveText('0 photo à rattacher, 4 déjà rattachées et 1 sans fiche')
  await expect(row(page, `POI-${springId}_1`)).toContainText('Déjà rattachée')

  // Taken back: the records are as they were.
  await page.getByRole('button', { name: 'Annuler ce rattachement' }).click()
  await expect(page.getByText('2 fiches sont remises comme avant.')).toBeVisible()
  expect(await mediaOf(page, `pois/${lakeId}`)).toEqual([])

  // By place, on a phone and by keyboard.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('radio', { name: 'Nom du fichier' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(summary).toHaveText('1 photo à rattacher et 4 sans fiche')
  await expect(row(page, `DSC_7 ${run}`)).toContainText('À 33 m')
  await page.getByLabel('Distance maximale').fill('20')
  await expect(summary).toHaveText('0 photo à rattacher et 5 sans fiche')
  await page.getByLabel('Distance maximale').fill('50')
  await expect(summary).toHaveText('1 photo à rattacher et 4 sans fiche')
  await noSideways(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Rattacher 1 photo' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 photo rattachée à 1 fiche.')).toBeVisible()
  expect(await mediaOf(page, `pois/${springId}`)).toEqual([placed])
})

test('a table in English attaches photos to parcours, and a record that refuses says why', async ({ page }) => {
  await signInByApi(page, 'editeur')
  const tour = `Tour du lac ${run}`
  const parcours = await createRecord(page, 'parcours', { title: { fr: tour } })
  const gone = await createRecord(page, 'parcours', { title: { fr: `Supprimé ${run}` } })
  const one = await photo(page, `a ${run}.png`, 21)
  const two = await photo(page, `b ${run}.png`, 22)
  await page.goto(`${demoUrl}/en/medias/rattacher?ids=${one},${two}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Attach to records')
  await page.getByRole('radio', { name: 'Parcours' }).check()
  await page.getByRole('radio', { name: 'Table' }).check()
  const table = `Author,Photo,Parcours\nMC,a ${run}.png,"${tour}"\nMC,b ${run}.png,${gone}\nMC,lost.png,${tour}\n`
  await page.getByLabel('CSV file').setInputFiles({ name: 'photos.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
  await expect(page.getByLabel('Column of the files')).toHaveValue('1')
  await expect(page.getByLabel('Column of the records')).toHaveValue('2')
  await expect(page.getByText('1 line names a file that is not among the chosen files: lost.png.')).toBeVisible()
  await expect(row(page, `a ${run}.png`)).toContainText('Line 2 of the table')
  await expectAccessible(page)
  const removed = await page.request.delete(`${demoUrl}/api/v1/parcours/${gone}`, { headers: { origin: demoUrl, 'if-match': '*' } })
  expect(removed.status(), await removed.text()).toBe(204)
  await page.getByRole('button', { name: 'Attach 2 photos' }).click()
  await expect(page.getByText('1 photo attached to 1 record.')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText(`no. ${gone}`)
  expect(await mediaOf(page, `parcours/${parcours}`)).toEqual([one])
  // What was attached is said so, and not done again.
  await page.reload()
  await page.getByRole('radio', { name: 'Parcours' }).check()
  await page.getByRole('radio', { name: 'Table' }).check()
  await page.getByLabel('CSV file').setInputFiles({ name: 'photos.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
  await expect(row(page, `a ${run}.png`)).toContainText('Already attached')
})

test('several files that were just imported are offered to be attached', async ({ page }) => {
  await signInByApi(page, 'editeur')
  const title = `Moulin ${run}`
  const id = await createRecord(page, 'pois', { title: { fr: title }, location: [3.17, 44.87] })
  await page.goto(`${demoUrl}/medias`)
  await page.getByRole('button', { name: 'Importer des fichiers' }).click()
  const imports = page.getByRole('region', { name: 'Import de fichiers' })
  const file = (at: number) => ({ name: `moulin-${run}-${at}.png`, mimeType: 'image/png', buffer: png(1200, 900 + at, 30 + at) })
  await imports.locator('input[type=file][multiple]').setInputFiles([file(1), file(2)])
  await imports.getByRole('link', { name: 'Rattacher à des fiches…' }).click()
  await expect(row(page, `moulin-${run}-2.png`)).toContainText(title)
  await page.getByRole('button', { name: 'Rattacher 2 photos' }).click()
  await page.getByText('Fiches écrites', { exact: true }).click()
  await page.getByRole('link', { name: title }).click()
  await expect(page).toHaveURL(new RegExp(`/pois/${id}$`))
  expect(await mediaOf(page, `pois/${id}`)).toHaveLength(2)
})
