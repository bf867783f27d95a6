import { createServer, type Server } from 'node:http'
import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { saveChanges } from './records'
import { ownServer } from './servers'
import { signIn } from './session'

const trek = (number: number, name: string) => ({
  id: number,
  uuid: `trek-${number}`,
  name: { fr: name, en: '' },
  description_teaser: { fr: 'Une boucle.' },
  description: { fr: '<p>Pas à pas.</p>' },
  practice: 4,
  difficulty: 2,
  themes: [1],
  labels: [],
  networks: [],
  route: 1,
  duration: 2,
  departure: { fr: 'La gare' },
  arrival: { fr: 'Le lac' },
  attachments: [],
  geometry:
    number === 3
      ? null
      : { type: 'LineString', coordinates: Array.from({ length: 20 }, (_, at) => [4 + at / 1000, 47 + number / 250, 500]) },
})

/** A Geotrek server of three treks, one of them without a line. */
async function geotrek(): Promise<{ server: Server; url: string }> {
  const list = (results: object[]) => JSON.stringify({ count: results.length, next: null, previous: null, results })
  const lists: Record<string, object[]> = {
    trek: [trek(1, 'Boucle du lavoir'), trek(2, 'Boucle du moulin'), trek(3, 'Boucle perdue')],
    trek_practice: [{ id: 4, name: { fr: 'Pédestre' } }],
    trek_difficulty: [{ id: 2, label: { fr: 'Facile' } }],
    theme: [{ id: 1, label: { fr: 'Contrebande' } }],
    trek_route: [{ id: 1, route: { fr: 'Boucle' } }],
  }
  const server = createServer((request, reply) => {
    const found = lists[/\/api\/v2\/(\w+)\//.exec(request.url ?? '')?.[1] ?? '']
    reply.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(list(found ?? []))
  })
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { server, url: `http://127.0.0.1:${address.port}` }
}

test('a Geotrek server comes in after a dry run and a mapping', async ({ page }) => {
  const { server, url } = await geotrek()
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
    own.stop()
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
    own.stop()
  }
})
