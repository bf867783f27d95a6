import { expect, test, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { tabAndPress, tabTo, putPoint } from './keyboard'
import { choose, field, restoreFromBin, run, saveChanges, signInByApi } from './records'
import { demoUrl } from './servers'

const closures = `${demoUrl}/fermetures`
const parcours = 'Gravel des trois bourgs'
const title = `Passerelle des essais ${run}`

const day = (fromToday: number) => new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10)
const card = (page: Page, name: string): Locator =>
  page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
const idOf = (page: Page) => Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0])

async function parcoursId(page: Page): Promise<number> {
  const { items }: { items: { id: number }[] } = await (
    await page.request.get(`${demoUrl}/api/v1/parcours?search=${encodeURIComponent(parcours)}`)
  ).json()
  return items[0]?.id ?? 0
}

/** The list narrowed to the parcours, and its row there. */
async function listed(page: Page, query = ''): Promise<Locator> {
  await page.goto(`${demoUrl}/parcours?search=${encodeURIComponent(parcours)}${query}`)
  return page.getByRole('row').filter({ hasText: parcours })
}

async function publicPage(page: Page, id: number, language = ''): Promise<string> {
  const reply = await page.request.get(`${demoUrl}${language}/p/x-${id}`)
  expect(reply.status()).toBe(200)
  return reply.text()
}

test('a closure is shown wherever its parcours is, with a way round, until it is over', async ({ page }) => {
  await signInByApi(page, 'editeur')
  const id = await parcoursId(page)
  await page.goto(closures)
  await expect(page.getByRole('row').filter({ hasText: 'Passerelle de Chantemerle en travaux' })).toContainText('En cours')
  await expect(page.getByRole('row').filter({ hasText: 'Coupe de bois dans les gorges de Malaval' })).toContainText('À venir')
  await expectAccessible(page)

  // The dialog first says whom its deletion concerns.
  await page.getByRole('button', { name: 'Actions sur Passerelle de Chantemerle en travaux' }).click()
  await page.getByRole('menuitem', { name: 'Supprimer…' }).click()
  await expect(page.getByRole('dialog')).toContainText(/Un parcours en dépend\s: «\sLa boucle de Chantemerle/)
  await page.getByRole('dialog').getByRole('button', { name: 'Annuler' }).click()

  // A missing value is reported on its field.
  await page.getByRole('link', { name: 'Nouvelle fermeture' }).click()
  await field(page, /^Titre/).fill(title)
  await page.getByRole('button', { name: 'Créer la fermeture' }).click()
  await expect(card(page, 'Lieu')).toContainText('Dessinez la zone ou le tronçon fermé.')
  await expectAccessible(page)

  await page
    .getByRole('textbox', { name: /^Motif/ })
    .first()
    .fill('Le tablier est refait.')
  const dates = card(page, 'Dates')
  await dates.getByLabel(/^Du/).fill(day(-10))
  await dates.getByLabel(/^Au/).fill(day(10))
  await page.getByRole('radio', { name: 'Tronçon' }).check({ force: true })
  await choose(page, 'Parcours', parcours)
  await page.getByRole('textbox', { name: 'Du km' }).fill('5')
  await page.getByRole('textbox', { name: 'au km' }).fill('5,3')
  await page.getByRole('button', { name: 'Prendre ce tronçon' }).click()
  await expect(card(page, 'Lieu').getByText(/^\d+ points, /)).toBeVisible()
  await page.getByRole('button', { name: 'Créer la fermeture' }).click()
  await expect(page.getByText('Fermeture sauvegardée !')).toBeVisible()
  const reached = card(page, 'Parcours touchés')
  await expect(reached.getByRole('listitem').filter({ hasText: parcours })).toContainText(/de 5,0\d?\skm à 5,3\d?\skm/)
  await expectAccessible(page)
  const closure = page.url()

  // The list, its filter, and the same on a phone.
  await expect(await listed(page)).toContainText('Fermé')
  await expect(await listed(page, '&closed=true')).toHaveCount(1)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByText('Fermé', { exact: true }).first()).toBeVisible()
  await expectAccessible(page)

  // The sheet, on both widths, with the way round.
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${demoUrl}/parcours/${id}`)
    await expect(page.getByText('Fermé', { exact: true }).first()).toBeVisible()
    const shown = card(page, 'Fermetures')
    await expect(shown).toContainText(title)
    await expect(shown).toContainText('Le tablier est refait.')
    await expect(shown).toContainText(/Déviation proposée, en tirets sur la carte\s: quitter le parcours à .*km, le reprendre à .*km/)
    await expectAccessible(page)
  }

  // The way round is shown to visitors, on the page and in the file, and taken back.
  const shown = card(page, 'Fermetures')
  expect(await publicPage(page, id)).not.toContain('class="detour"')
  await shown.getByRole('button', { name: 'Publier la déviation' }).click()
  await expect(shown).toContainText(/Déviation publiée\s: quitter le parcours à .*km, le reprendre à .*km/)
  await expectAccessible(page)
  expect(await publicPage(page, id)).toContain('class="detour"')
  const gpx = await page.request.get(`${demoUrl}/p/x-${id}/trace.gpx`)
  expect(await gpx.text()).toContain('Début de la déviation')
  await shown.getByRole('button', { name: 'Retirer la déviation' }).click()
  await expect(shown).toContainText(/Déviation proposée/)
  expect(await publicPage(page, id)).not.toContain('class="detour"')

  // What a walker reads, page and file.
  expect(await publicPage(page, id)).toContain('Fermé en ce moment')
  expect(await publicPage(page, id, '/en')).toContain('Closed at the moment')
  await page.goto(`${demoUrl}/p/x-${id}`)
  await expect(page.getByRole('region', { name: 'Fermé en ce moment' })).toContainText(
    /Travaux.*Fermé du .* au .*, du km 5,\d au km 5,\d\..*Le tablier est refait\./s,
  )
  await expectAccessible(page)
  expect(await (await page.request.get(`${page.url()}/trace.gpx`)).text()).toContain(title)

  // Its last day passed: nothing has to be opened again.
  await page.goto(closure)
  await card(page, 'Dates').getByLabel(/^Au/).fill(day(-2))
  await saveChanges(page)
  await expect(page.getByText('Passée').first()).toBeVisible()
  await expect(await listed(page)).toHaveCount(1)
  await expect(await listed(page)).not.toContainText('Fermé')
  await page.goto(`${demoUrl}/parcours/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(parcours)
  await expect(page.getByText(title)).toHaveCount(0)
  expect(await publicPage(page, id)).not.toContain(title)
  await page.goto(`${closures}?state=past&search=${run}`)
  await expect(page.getByRole('row').filter({ hasText: title })).toContainText('Passée')
})

test('a closure is drawn by keyboard alone, deleted and restored', async ({ page }) => {
  const name = `Au clavier ${run}`
  await signInByApi(page, 'editeur')
  await page.goto(`${closures}/new`)
  await field(page, /^Titre/).fill(name)
  await card(page, 'Dates').getByLabel(/^Du/).fill(day(20))
  const canvas = page.locator('.maplibregl-canvas')
  await expect(canvas).toBeVisible()
  await tabTo(page, canvas)
  await putPoint(page, 1)
  for (const [before, arrow] of ['ArrowRight', 'ArrowDown'].entries()) {
    await page.keyboard.press(arrow)
    await page.waitForTimeout(400)
    await putPoint(page, before + 2)
  }
  await tabAndPress(page, page.getByRole('button', { name: 'Créer la fermeture' }))
  // The map shows a whole region: a closure as large as that is refused, and nothing is lost.
  await expect(card(page, 'Lieu').or(page.getByText('Fermeture sauvegardée !')).first()).toBeVisible()
  await expect(page.getByText('Fermeture sauvegardée !')).toBeVisible()
  await expect(page.getByText('À venir').first()).toBeVisible()
  expect(idOf(page)).toBeGreaterThan(0)

  // The same place as coordinates: a line that cannot be read is named, and nothing that was typed is lost.
  await page.getByText('Saisir les coordonnées').press('Enter')
  const typed = page.getByRole('textbox', { name: 'Coordonnées des points' })
  await tabTo(page, typed)
  await page.keyboard.press('Control+A')
  await page.keyboard.type('44,87 ; 3,17\n44,88 ; 3,17\nau pont')
  await page.keyboard.press('Tab')
  await expect(typed).toHaveAccessibleDescription(/Ligne 3\s: «\sau pont\s» n’est pas un emplacement/)
  await expectAccessible(page)
  await typed.fill('44,87 ; 3,17\n44,88 ; 3,17\n44,88 ; 3,18')
  await expect(page.getByText('3 points lus.')).toBeAttached()
  await saveChanges(page)
  await expect(page.getByText('Fermeture sauvegardée !')).toBeVisible()
  // The message of the first save may still be shown: read the record until it has the new place.
  await expect
    .poll(async () => {
      const { geometry }: { geometry: { coordinates: number[][][] } } = await (
        await page.request.get(`${demoUrl}/api/v1/closures/${idOf(page)}`)
      ).json()
      return geometry.coordinates[0]
    })
    .toEqual([
      [3.17, 44.87],
      [3.17, 44.88],
      [3.18, 44.88],
      [3.17, 44.87],
    ])
  await page.getByRole('button', { name: `Actions sur ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Supprimer…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Supprimer' }).click()
  await expect(page).toHaveURL(/\/fermetures$/)
  await restoreFromBin(page, name)
  await page.goto(`${closures}?search=${run}`)
  await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible()
})

test('another white-label reads a closure and changes nothing', async ({ page }) => {
  await signInByApi(page, 'editeur')
  await page.goto(`${closures}?search=Malaval`)
  await page
    .getByRole('link', { name: /Coupe de bois/ })
    .first()
    .click()
  await expect(page.locator('.maplibregl-canvas')).toBeVisible()
  await expect(page.getByRole('button', { name: /Enregistrer|Supprimer/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Point 1 sur 4' })).toHaveCount(0)
  await expectAccessible(page)
})
