import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { ownServer } from './servers'
import { signIn } from './session'
import { zipOf } from './zip'

/** A feed: line 12 stops at both ends of the test route, line 112 elsewhere, a boat declared as a bus. */
const feed = {
  'agency.txt': 'agency_id,agency_name\nC,Cars du Vallon\n',
  'routes.txt':
    'route_id,agency_id,route_short_name,route_long_name,route_type,route_color\nR12,C,12,La Halle – Le Lac,3,0B6E4F\nR112,C,112,Ailleurs,3,\nBAC,X,,Traversée du lac,715,\n',
  'stops.txt': 'stop_id,stop_name,stop_lat,stop_lon\nA,La Halle,47.0,4.0\nB,Le Lac,47.0,4.012\nZ,Loin,43.0,1.0\n',
  'calendar.txt':
    'service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,0,1,20200101,20991231\n',
  'trips.txt':
    'route_id,service_id,trip_id,trip_headsign,bikes_allowed\nR12,W,T1,Le Lac,1\nR12,W,T2,La Halle,2\nR112,W,T3,Loin,0\nBAC,W,T4,Rive,0\n',
  'stop_times.txt':
    'trip_id,departure_time,stop_id,stop_sequence\nT1,08:00:00,A,1\nT1,08:40:00,B,2\nT2,17:30:00,B,1\nT2,18:10:00,A,2\nT3,09:00:00,Z,1\nT3,09:30:00,A,2\nT4,10:00:00,Z,1\nT4,10:10:00,A,2\n',
}

const line = Array.from(
  { length: 11 },
  (_, at) => `<trkpt lat="47.0" lon="${4 + at / 1000}"><time>2026-05-01T08:${String(at * 5).padStart(2, '0')}:00Z</time></trkpt>`,
).join('')
const gpx = `<?xml version="1.0"?><gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${line}</trkseg></trk></gpx>`

test('lines of a feed are found and added, and a parcours tells the last way home', async ({ page }) => {
  const own = await ownServer()
  try {
    await page.goto(own.url)
    await signIn(page, '/lignes')
    await page.getByRole('link', { name: 'Flux de transport' }).click()
    await expect(page.getByRole('heading', { name: 'Aucun flux de transport' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Nouveau flux' }).first().click()
    await page.getByLabel('Nom').fill('Cars de la vallée')
    await page
      .getByLabel('Ou un fichier déposé ici')
      .setInputFiles({ name: 'gtfs.zip', mimeType: 'application/zip', buffer: Buffer.from(zipOf(feed)) })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Créer et lire' }).click()

    // It was read; its faults are listed.
    await expect(page.getByText('3 lignes', { exact: false })).toBeVisible()
    await page.getByText('1 remarque sur le flux').click()
    await expect(page.getByText('Lignes dont l’exploitant n’est pas dans le flux : 1')).toBeVisible()
    await expectAccessible(page)

    // By code: the line itself first; added, it is shown as such.
    await page.getByRole('link', { name: 'Chercher des lignes' }).click()
    await page.getByLabel('Nom, code, exploitant ou arrêt').fill('12')
    const found = page.getByRole('list', { name: 'Lignes trouvées' })
    await expect(found.getByRole('listitem').first()).toContainText('La Halle – Le Lac')
    await expect(found).toContainText('Vélos sous conditions')
    await found.getByText('Arrêts et horaires').first().click()
    await expect(found).toContainText('17 h 30')
    await page.getByRole('checkbox', { name: 'Choisir la ligne 12 La Halle – Le Lac' }).check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Ajouter 1 ligne' }).click()
    await expect(found.getByRole('link', { name: 'Déjà dans vos lignes' })).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1440, height: 900 })
    await found.getByRole('link', { name: 'Déjà dans vos lignes' }).click()
    await expect(page.getByLabel('Nom complet')).toHaveValue('La Halle – Le Lac')

    // A parcours between the two stops, made through the contract.
    const created = await page.request.post(`${own.url}/api/v1/parcours`, {
      data: { title: { fr: 'Tour du lac' } },
      headers: { origin: own.url },
    })
    const parcours: { id: number; version: number } = await created.json()
    const sent = await page.request.post(`${own.url}/api/v1/parcours/${parcours.id}/trace/source?file_name=lac.gpx`, {
      data: Buffer.from(gpx),
      headers: { 'content-type': 'application/octet-stream', 'if-match': `"${parcours.version}"`, origin: own.url },
    })
    expect(sent.status()).toBe(200)
    await page.goto(`${own.url}/parcours/${parcours.id}`)
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Venir sans voiture' }) })
    // The map is drawn when it comes into view; a wheel over it would zoom it instead of scrolling.
    await page.getByRole('table', { name: 'Étapes dans l’ordre du parcours' }).scrollIntoViewIfNeeded()
    await card.scrollIntoViewIfNeeded()
    await expect(card).toContainText('Le Lac')
    await expect(card).toContainText('Commencer avant')
    await expectAccessible(page)
    await card.getByRole('link', { name: 'Chercher des lignes près du parcours' }).click()
    await expect(found).toContainText('au départ')
  } finally {
    await own.stop()
  }
})
