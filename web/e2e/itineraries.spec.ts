import { expect, test, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { tabAndPress, tabTo, putPoint } from './keyboard'
import { field, createRecord, run, signInByApi } from './records'
import { demoUrl } from './servers'

type Place = [lon: number, lat: number]

const itineraries = `${demoUrl}/settings/itineraires`
const kml = (points: Place[]) =>
  `<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><LineString><coordinates>${points.map((point) => point.join(',')).join(' ')}</coordinates></LineString></Placemark></kml>`
const geojson = (pieces: Place[][]) =>
  JSON.stringify({ type: 'Feature', properties: {}, geometry: { type: 'MultiLineString', coordinates: pieces } })

/** The recording of the demo's first parcours: what runs along it is known. */
async function recording(page: Page): Promise<{ gpx: string; points: Place[] }> {
  const gpx = await (await page.request.get(`${demoUrl}/api/v1/parcours/1/trace/source`)).text()
  const points = [...gpx.matchAll(/<trkpt[^>]*>/g)].map(([point]): Place => {
    const degrees = (name: string) => Number(new RegExp(`${name}="([-\\d.]+)"`).exec(point)?.[1])
    return [degrees('lon'), degrees('lat')]
  })
  expect(points.length).toBeGreaterThan(1000)
  return { gpx, points }
}

const card = (page: Page, name: string): Locator =>
  page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })

async function bring(page: Page, name: string, text: string): Promise<void> {
  await card(page, 'Tracé')
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })
}

test('an itinerary takes its line from GPX, KML and GeoJSON, and says which parcours follow it', async ({ page }) => {
  await signInByApi(page, 'superadmin')
  const { gpx, points } = await recording(page)
  await page.goto(itineraries)
  await page.getByRole('link', { name: 'Nouvel itinéraire' }).click()
  await field(page, /^Nom/).fill(`Boucle du lac ${run}`)
  await page.getByRole('combobox', { name: /^Type/ }).selectOption('Voie fluviale')
  await page.getByRole('button', { name: 'Créer l’itinéraire' }).click()
  await expect(page.getByText('Itinéraire sauvegardé !')).toBeVisible()
  const line = card(page, 'Tracé')
  await expect(line).toContainText('Aucun tracé')
  await expect(card(page, 'Parcours qui le suivent')).toContainText('Aucun parcours ne le suit.')

  await bring(page, 'lac.gpx', gpx)
  await expect(line).toContainText(/Tracé de 1\d,\d\skm, d’un seul tenant\./)
  const followers = card(page, 'Parcours qui le suivent')
  await expect(followers.getByRole('listitem').first()).toContainText(
    /Le tour du lac de Brève par les belvédères.*sur 1\d,\d\skm des 1\d,\d\skm/,
  )
  await expect(page.locator('.maplibregl-canvas')).toBeVisible()
  await expectAccessible(page)

  await bring(page, 'lac.kml', kml(points.slice(0, 400)))
  await expect(line).toContainText(/Tracé de \d,\d\skm, d’un seul tenant\./)
  await bring(page, 'lac.geojson', geojson([points.slice(0, 200), points.slice(400, 600)]))
  await expect(line).toContainText(/en 2 tronçons/)
  // A file without a line changes nothing, and the page gives the reason.
  await bring(page, 'notes.gpx', 'Trois notes prises en chemin.')
  await expect(line.getByRole('alert')).toContainText(/Erreur lors de l['’]import du fichier/)
  await expect(line).toContainText(/en 2 tronçons/)

  // A parcours that names it is listed, however far away.
  await createRecord(page, 'parcours', { title: { fr: `Qui le nomme ${run}` }, itinerary_ids: [Number(/\d+$/.exec(page.url())?.[0])] })
  await page.reload()
  await expect(followers.getByRole('listitem').filter({ hasText: `Qui le nomme ${run}` })).toContainText('nommé sur sa fiche')

  await page.goto(`${itineraries}?kind=river&search=${run}`)
  await expect(page.getByRole('row').filter({ hasText: `Boucle du lac ${run}` })).toContainText('Voie fluviale')
  await expectAccessible(page)
  await page.goto(`${itineraries}?kind=cycle_route&search=${run}`)
  await expect(page.getByRole('link', { name: `Boucle du lac ${run}` })).toHaveCount(0)
})

test('a line is drawn with the mouse, its points are changed, and it is drawn anew', async ({ page }) => {
  await signInByApi(page, 'superadmin')
  const id = await createRecord(page, 'itineraries', { name: { fr: `Dessiné ${run}` } })
  await page.goto(`${itineraries}/${id}`)
  const line = card(page, 'Tracé')
  await line.getByRole('button', { name: 'Dessiner sur la carte' }).click()
  const canvas = page.locator('.maplibregl-canvas')
  await canvas.scrollIntoViewIfNeeded()
  const press = async (x: number, y: number) => {
    const box = await canvas.boundingBox()
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * x, (box?.y ?? 0) + (box?.height ?? 0) * y)
  }
  await press(0.3, 0.5)
  const save = line.getByRole('button', { name: 'Enregistrer le tracé' })
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await press(0.5, 0.4)
  await press(0.6, 0.6)
  await expect(line.getByText(/^3 points, /)).toBeVisible()
  await save.click()
  await expect(line).toContainText(/Tracé de .*d’un seul tenant\./)
  await page.reload()
  await line.getByRole('button', { name: 'Modifier les points' }).click()
  await expect(line.getByText(/^3 points, /)).toBeVisible()
  await line.getByRole('button', { name: 'Retirer le dernier point' }).click()
  await save.click()
  await expect(save).toHaveCount(0)
  await line.getByRole('button', { name: 'Modifier les points' }).click()
  await expect(line.getByText(/^2 points, /)).toBeVisible()
  await line.getByRole('button', { name: 'Annuler' }).click()

  // The line of before is taken back from the history.
  await page.getByRole('button', { name: `Actions sur Dessiné ${run}` }).click()
  await page.getByRole('menuitem', { name: 'Historique' }).click()
  const history = page.getByRole('dialog')
  await history.getByRole('checkbox').nth(1).check()
  await expect(history).toContainText(/Tracé de .*\sm, d’un seul tenant/)
  await expectAccessible(page)
  await history.getByRole('button', { name: 'Restaurer ce champ' }).click()
  await expect(page.getByText(/^Champ restauré\s: Tracé/)).toBeVisible()
  await page.reload()
  await line.getByRole('button', { name: 'Modifier les points' }).click()
  await expect(line.getByText(/^3 points, /)).toBeVisible()
})

test('a line is drawn by keyboard alone', async ({ page }) => {
  await signInByApi(page, 'superadmin')
  const id = await createRecord(page, 'itineraries', { name: { fr: `Au clavier ${run}` } })
  await page.goto(`${itineraries}/${id}`)
  await tabAndPress(page, page.getByRole('button', { name: 'Dessiner sur la carte' }))
  const canvas = page.locator('.maplibregl-canvas')
  await tabTo(page, canvas, 'Shift+Tab')
  await putPoint(page, 1)
  for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowRight')
  await page.waitForTimeout(400)
  await putPoint(page, 2)
  await tabTo(page, page.getByRole('button', { name: 'Point 1 sur 2' }))
  await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('+')
  await expect(page.getByRole('button', { name: 'Point 2 sur 3' })).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(page.getByText(/^2 points, /)).toBeVisible()
  await tabAndPress(page, page.getByRole('button', { name: 'Enregistrer le tracé' }))
  await expect(card(page, 'Tracé')).toContainText(/Tracé de .*d’un seul tenant\./)
  await expectAccessible(page)
})

test('who does not keep the reference data looks at an itinerary and changes nothing', async ({ page }) => {
  await signInByApi(page, 'editeur')
  await page.goto(itineraries)
  await expect(page.getByRole('button', { name: 'Nouvel itinéraire' })).toHaveAttribute('aria-disabled', 'true')
  await page.goto(`${itineraries}/1`)
  await expect(page.getByText('Votre rôle permet de consulter cette fiche, pas de la modifier.')).toBeVisible()
  await expect(page.locator('.maplibregl-canvas')).toBeVisible()
  await expect(page.getByRole('button', { name: /Dessiner|Remplacer|Importer|Enregistrer/ })).toHaveCount(0)
  await expectAccessible(page)
})
