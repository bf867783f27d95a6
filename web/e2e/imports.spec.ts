import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { startGeotrek, trek } from './geotrek'
import { saveChanges } from './records'
import { ownServer } from './servers'
import { signIn } from './session'

test('a Geotrek server comes in after a dry run and a mapping', async ({ page }) => {
  // Three treks, one of them without a line.
  const { server, url } = await startGeotrek({
    trek: [trek(1, 'Boucle du lavoir'), trek(2, 'Boucle du moulin'), { ...trek(3, 'Boucle perdue'), geometry: null }],
  })
  const own = await ownServer({ JALON_IMPORTS__PRIVATE_ADDRESSES: 'true', JALON_IMPORTS__PAUSE_MS: '0' })
  const found = async (words: string): Promise<{ total: number; items: { id: number }[] }> =>
    (await page.request.get(`${own.url}/api/v1/parcours?search=${words}`)).json()
  try {
    await page.goto(own.url)
    await signIn(page, '/settings/imports-parcours')
    await expect(page.getByRole('heading', { name: 'Aucune source d’import' })).toBeVisible()
    await expectAccessible(page)

    // Three steps; each must be filled.
    await page.getByRole('link', { name: 'Nouvel import' }).first().click()
    await page.getByRole('button', { name: 'Continuer' }).click()
    await expect(page.getByRole('alert')).toContainText('Remplissez tous les champs pour continuer')
    await page.getByLabel('Nom').fill('Le parc')
    await page.getByRole('radio', { name: 'Geotrek (API v2)' }).check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Continuer' }).click()
    await page.getByLabel('Adresse de la source').fill(url)
    await page.getByLabel('Les adresses commencent par').fill('https://geotrek.parc.example')
    await page.getByRole('button', { name: 'Continuer' }).click()
    // This step makes the same check as the last one, and shows the error under the field.
    await expect(page.getByText('doit commencer par https://geotrek.parc.example', { exact: false })).toBeVisible()
    await expect(page.getByLabel('Adresse de la source')).toBeFocused()
    await page.getByLabel('Les adresses commencent par').fill('')
    await page.getByRole('button', { name: 'Continuer' }).click()
    await page.getByLabel('Statut de publication').selectOption({ label: 'Forcer : publié' })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Créer et essayer à blanc' }).click()

    // The dry run listed what would change; nothing is written.
    await expect(page.getByText('1 mot à associer')).toBeVisible()
    await expect(page.getByText('À créer')).toBeVisible()
    await page.getByLabel('Contrebande (Thématique)').selectOption({ index: 2 })
    await page.getByLabel('Sous-titre').selectOption('departure')
    await expectAccessible(page)
    await saveChanges(page)
    await expect(page.getByText('Tous les mots sont associés.')).toBeVisible()
    expect((await found('Boucle')).total).toBe(0)
    await page.getByRole('link', { name: 'Voir les différences' }).click()
    await page.getByText('Différences (', { exact: false }).first().click()
    await expect(page.getByRole('cell', { name: 'fr : Boucle du lavoir' })).toBeVisible()
    await expectAccessible(page)

    // For real, then the log with what was refused, then taken back.
    await page.getByRole('link', { name: 'Imports de parcours' }).first().click()
    await page.getByRole('button', { name: 'Importer', exact: true }).click()
    const source = page.getByRole('list', { name: 'Sources d’import' })
    await expect(source).toContainText('2 Créés')
    await source.getByRole('link', { name: 'Voir le journal' }).click()
    await expect(page.getByText('L’élément n’a pas de tracé.')).toBeVisible()
    await expect(page.getByText('1 erreur', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1440, height: 900 })
    const made = await found('lavoir')
    const sheet: unknown = await (await page.request.get(`${own.url}/api/v1/parcours/${made.items[0]?.id}`)).json()
    expect(sheet).toMatchObject({ published: true, subtitle: { fr: 'La gare' }, theme_ids: [expect.any(Number)] })
    await page.getByRole('button', { name: 'Annuler cet import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Annuler cet import' }).click()
    await expect(page.getByRole('navigation', { name: 'Imports' })).toContainText('Annulation · Terminé')
    expect((await found('Boucle')).total).toBe(0)
  } finally {
    await own.stop()
    server.close()
  }
})

/** A tour as DATAtourisme describes it: a departure and no line. */
const tour = {
  '@id': 'https://data.datatourisme.fr/49/6bd922a5-b69f-327d-9d56-fc092eed8ae7',
  '@type': ['CyclingTour', 'PointOfInterest', 'Tour'],
  'rdfs:label': { fr: ['Boucle de la Dême'] },
  hasTourType: [{ '@id': 'kb:Loop', 'rdfs:label': { fr: ['En boucle'] } }],
  isLocatedAt: [
    {
      'schema:geo': { 'schema:latitude': '47.72', 'schema:longitude': '0.57' },
      'schema:address': [{ 'schema:addressLocality': 'La Chartre' }],
    },
  ],
}

test('a tour of DATAtourisme comes in to be drawn here', async ({ page }) => {
  const own = await ownServer()
  try {
    await page.goto(own.url)
    await signIn(page, '/settings/imports-parcours')
    await page.getByRole('link', { name: 'Nouvel import' }).first().click()
    await page.getByLabel('Nom').fill('Les circuits de la Sarthe')
    await page.getByRole('radio', { name: 'Circuits DATAtourisme (flux ou API)' }).check()
    await expectAccessible(page)
    if (process.env['E2E_SHOTS']) await page.screenshot({ path: `${process.env['E2E_SHOTS']}/tours.png` })
    await page.getByRole('button', { name: 'Continuer' }).click()
    await page.getByLabel('Fichier').setInputFiles({
      name: 'circuits.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ objects: [tour, { '@id': 'x/1', '@type': ['Restaurant'] }] })),
    })
    await page.getByRole('button', { name: 'Continuer' }).click()
    await page.getByRole('button', { name: 'Créer et essayer à blanc' }).click()
    await expect(page.getByText('À créer')).toBeVisible()
    await page.getByRole('link', { name: 'Imports de parcours' }).first().click()
    await page.getByRole('button', { name: 'Importer', exact: true }).click()
    const source = page.getByRole('list', { name: 'Sources d’import' })
    await expect(source).toContainText('1 Créé')
    await source.getByRole('link', { name: 'Voir le journal' }).click()
    await expect(page.getByText('La source n’a pas de tracé : dessinez-le ici.')).toBeVisible()
    await expectAccessible(page)
    if (process.env['E2E_SHOTS']) await page.screenshot({ path: `${process.env['E2E_SHOTS']}/tours-log.png` })
    const found = (await (await page.request.get(`${own.url}/api/v1/parcours?search=Boucle`)).json()) as { items: { id: number }[] }
    await page.goto(`${own.url}/parcours/${found.items[0]?.id}`)
    await expect(page.getByRole('heading', { name: 'Boucle de la Dême' })).toBeVisible()
    await expectAccessible(page)
  } finally {
    await own.stop()
  }
})

/** As a spreadsheet saves it: a line as text, points in two columns, decimal commas. */
const table = `Nom;Nature;Tél.;latitude;longitude;geom
Sentier des étangs;;;;;"LINESTRING (${Array.from({ length: 30 }, (_, at) => `${4 + at * 0.001} 47.2`).join(', ')})"
Saut de Gouloux;Cascade d’été;03 86 00 00 01;47,21;4,01;
`

test('a table brings a line and a place: its columns are dragged onto our fields', async ({ page }) => {
  const own = await ownServer()
  try {
    await page.goto(own.url)
    await signIn(page, '/settings/demenagement')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Ajouter une source d’import' }).click()
    // The page that is left has a name to fill in too.
    await expect(page.getByRole('heading', { level: 1, name: 'Nouvel import' })).toBeVisible()
    await page.getByLabel('Nom').fill('Le tableau du parc')
    await page.getByRole('radio', { name: /^Fichiers/ }).check()
    await page.getByRole('button', { name: 'Continuer' }).click()
    await page.getByLabel('Fichier').setInputFiles({ name: 'parc.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
    await page.getByRole('button', { name: 'Continuer' }).click()
    await page.getByLabel('Points d’intérêt aussi').check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Créer et essayer à blanc' }).click()

    // Without a title nothing is taken, and the columns are there to be placed.
    await expect(page.getByText('2 erreurs')).toBeVisible()
    const theirs = page.getByRole('region', { name: 'Champs de la source' })
    const drag = (column: string, field: string): Promise<void> =>
      theirs.getByText(column, { exact: true }).dragTo(page.getByLabel(field, { exact: true }))
    await drag('nom', 'Titre')
    await drag('nature', 'Catégorie de POI')
    await drag('tél.', 'Téléphone')
    await expect(page.getByLabel('Titre', { exact: true })).toHaveValue('nom')
    // The same by keyboard.
    await page.getByLabel('Commune', { exact: true }).selectOption('nature')
    await expectAccessible(page)
    await saveChanges(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    if (process.env['E2E_SHOTS']) await page.screenshot({ path: `${process.env['E2E_SHOTS']}/mapping-390.png`, fullPage: true })
    await page.setViewportSize({ width: 1440, height: 900 })
    if (process.env['E2E_SHOTS']) await page.screenshot({ path: `${process.env['E2E_SHOTS']}/mapping-1440.png` })

    await page.getByRole('link', { name: 'Imports de parcours' }).first().click()
    await page.getByRole('button', { name: 'Importer', exact: true }).click()
    const source = page.getByRole('list', { name: 'Sources d’import' })
    await expect(source).toContainText('1 Créé')
    await expect(source).toContainText('1 Point d’intérêt')
    const pois = (await (await page.request.get(`${own.url}/api/v1/pois?search=Gouloux`)).json()) as { items: { id: number }[] }
    const poi: unknown = await (await page.request.get(`${own.url}/api/v1/pois/${pois.items[0]?.id}`)).json()
    expect(poi).toMatchObject({ title: { fr: 'Saut de Gouloux' }, phone: '03 86 00 00 01', published: false })
  } finally {
    await own.stop()
  }
})
