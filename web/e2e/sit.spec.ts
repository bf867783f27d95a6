import { createServer, type Server } from 'node:http'
import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { saveChanges } from './records'
import { ownServer } from './servers'
import { signIn } from './session'

const object = (id: number, name: string, phone: string) => ({
  id,
  type: id === 2 ? 'DEGUSTATION' : 'RESTAURATION',
  state: 'PUBLISHED',
  nom: { libelleFr: name, libelleEn: `${name} (en)` },
  presentation: {
    descriptifDetaille: { libelleFr: 'Une table au bord de l’eau.' },
    typologiesPromoSitra: [{ id: 1599, libelleFr: 'Accueil Vélo' }],
  },
  localisation: {
    adresse: { adresse1: '1 rue du Lac', codePostal: '58140', commune: { nom: 'Lormes', code: '58145' } },
    geolocalisation: id === 3 ? {} : { geoJson: { type: 'Point', coordinates: [3.8 + id / 100, 47.2] } },
  },
  informations: { moyensCommunication: [{ type: { id: 201 }, coordonnees: { fr: phone } }] },
  gestion: { dateModification: '2026-01-02T10:00:00.000+0000', membreProprietaire: { nom: 'Office de tourisme' } },
})

/** Apidae's API: three objects, one of them without a place. Its telephone changes at the second question. */
async function apidae(): Promise<{ server: Server; url: string }> {
  let asked = 0
  const server = createServer((request, reply) => {
    const query: { apiKey?: string } = JSON.parse(new URL(request.url ?? '/', 'http://localhost').searchParams.get('query') ?? '{}')
    if (query.apiKey !== 'la-cle') {
      reply.writeHead(401).end()
      return
    }
    asked += 1
    const objects = [
      object(1, 'Auberge du Lac', asked === 1 ? '03 86 00 00 00' : '03 86 99 99 99'),
      object(2, 'Cave des Prés', '03 86 00 00 01'),
      object(3, 'Lieu perdu', '03 86 00 00 02'),
    ]
    reply
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ numFound: objects.length, objetsTouristiques: objects }))
  })
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { server, url: `http://127.0.0.1:${address.port}` }
}

test('a SIT link', async ({ page }) => {
  const { server, url } = await apidae()
  const own = await ownServer({ JALON_IMPORTS__PRIVATE_ADDRESSES: 'true', JALON_IMPORTS__PAUSE_MS: '0' })
  try {
    await page.goto(own.url)
    await signIn(page, '/settings/pois-sit')
    await expect(page.getByText('Aucune fiche SIT')).toBeVisible()
    await expectAccessible(page)

    // A source, with its key, is made and read at once.
    await page.getByRole('link', { name: 'Sources' }).click()
    await page.getByRole('link', { name: 'Nouvelle source' }).first().click()
    await expect(page.getByText('Renseignez le nom, le type').first()).toBeVisible()
    await page.getByLabel('Nom').fill('Apidae du lac')
    await page.getByRole('radio', { name: 'Apidae (API ou export ZIP)' }).check()
    await page.getByLabel('Adresse de la source').fill(url)
    await page.getByLabel('Clé d’accès').fill('la-cle')
    await page.getByLabel('Numéro du projet').fill('12')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Créer et lire la source' }).click()

    // Its log lists what was refused, and why. A word is given its meaning.
    await expect(page.getByText('La fiche n’a pas de position, ou une position impossible.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Correspondance' }).click()
    await expect(page.getByText('1 mot à associer')).toBeVisible()
    await page.getByLabel('DEGUSTATION').selectOption({ label: 'Cave et domaine viticole' })
    await expectAccessible(page)
    await saveChanges(page)
    await expect(page.getByText('Tous les mots sont associés.')).toBeVisible()

    // The list, then a record: the values of the source beside the corrections made here.
    await page.getByRole('link', { name: 'Fiches', exact: true }).click()
    await page.getByRole('link', { name: 'Auberge du Lac' }).first().click()
    await expect(page.getByText('Accueil Vélo')).toBeVisible()
    await page.getByLabel('Nom · Ici').fill('L’Auberge au bord du lac')
    await page.getByRole('button', { name: 'Enregistrer les corrections' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'L’Auberge au bord du lac' })).toBeVisible()
    await expectAccessible(page)

    // It becomes a POI, which follows it.
    await page.getByRole('button', { name: 'Créer un POI' }).click()
    await expect(page.getByText('Cette fiche est le POI')).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1440, height: 900 })
    const sources: { items: { id: number }[] } = await (await page.request.get(`${own.url}/api/v1/sit-sources`)).json()
    await page.goto(`${own.url}/settings/pois-sit/sources/${sources.items[0]?.id}`)
    await page.getByRole('button', { name: 'Lire la source' }).click()
    await expect(page.getByText('2 Modifiées')).toBeVisible()
    const pois: { items: { id: number }[] } = await (await page.request.get(`${own.url}/api/v1/pois?search=auberge bord lac`)).json()
    const poi: unknown = await (await page.request.get(`${own.url}/api/v1/pois/${pois.items[0]?.id}`)).json()
    expect(poi).toMatchObject({
      published: false,
      phone: '03 86 99 99 99',
      title: { fr: 'L’Auberge au bord du lac', en: 'Auberge du Lac (en)' },
    })
    await page.goto(`${own.url}/pois/${pois.items[0]?.id}`)
    await expect(page.getByText('Ce POI suit la fiche SIT')).toBeVisible()
    await page.getByRole('link', { name: 'Voir la fiche SIT' }).click()
    // The correction is let go: the source speaks again.
    await page.getByRole('button', { name: 'Revenir à la source : Nom (fr)' }).click()
    // Leaving before it is saved is asked about first.
    await page.getByRole('link', { name: 'Parcours', exact: true }).first().click()
    const question = page.getByRole('dialog', { name: 'Quitter sans enregistrer ?' })
    await question.getByRole('button', { name: 'Rester sur la fiche' }).click()
    await expect(question).toBeHidden()
    await page.getByRole('button', { name: 'Enregistrer les corrections' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Auberge du Lac' })).toBeVisible()
  } finally {
    await own.stop()
    server.close()
  }
})
