import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { png } from './png'
import { choose, createRecord, restoreFromBin, run, saveChanges, searchField, signInByApi } from './records'
import { demoUrl } from './servers'

interface Kind {
  name: string
  /** The path of its list in the application, and in the API. */
  path: string
  api: string
  /** Creates a record of that name; returns its id. */
  make: (page: Page, name: string) => Promise<number>
  /** The field of a parcours that points to it. */
  field: 'itinerary_ids' | 'contact_id' | 'poi_ids' | 'tag_ids' | 'media_ids'
}

const bySheet = (api: string, body: (name: string) => object) => (page: Page, name: string) => createRecord(page, api, body(name))

/** Structures are handed over in `catalogue.spec.ts`, lines below. */
const kinds: readonly Kind[] = [
  {
    name: 'Véloroute',
    path: '/settings/itineraires',
    api: 'itineraries',
    field: 'itinerary_ids',
    make: bySheet('itineraries', (fr) => ({ name: { fr }, kind: 'cycle_route' })),
  },
  {
    name: 'Contact',
    path: '/settings/contacts',
    api: 'contacts',
    field: 'contact_id',
    make: bySheet('contacts', (last_name) => ({
      first_name: 'Alma',
      last_name,
      email: `${last_name.replace(/\s/g, '.')}@x.example`,
      structure_id: 1,
    })),
  },
  {
    name: 'Fontaine',
    path: '/pois',
    api: 'pois',
    field: 'poi_ids',
    make: bySheet('pois', (fr) => ({ title: { fr }, location: [3.19, 44.85] })),
  },
  {
    name: 'Étiquette',
    path: '/settings/tags',
    api: 'vocabularies/tag',
    field: 'tag_ids',
    make: bySheet('vocabularies/tag', (fr) => ({ label: { fr } })),
  },
  {
    name: 'Photo',
    path: '/medias',
    api: 'medias',
    field: 'media_ids',
    make: async (page, name) => {
      const reply = await page.request.post(`${demoUrl}/api/v1/medias?file_name=${encodeURIComponent(`${name}.png`)}`, {
        data: png(1200, 800 + name.length),
        headers: { origin: demoUrl, 'content-type': 'application/octet-stream' },
      })
      expect(reply.status(), await reply.text()).toBe(201)
      const { id }: { id: number } = await reply.json()
      return id
    },
  },
]

/** Deletes a record from its sheet, and replaces it by another one where it is used; returns its title. */
async function handOver(page: Page, sheet: string, other: string): Promise<string> {
  await page.goto(demoUrl + sheet)
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await page.getByRole('button', { name: `Actions sur ${title}` }).click()
  await page.getByRole('menuitem', { name: 'Supprimer…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Utilisé à 1 endroit')
  const answer = searchField(page, /^Le remplacer par/)
  if ((await answer.evaluate(({ tagName }) => tagName)) === 'SELECT') await answer.selectOption({ label: other })
  else {
    await answer.fill(other)
    await page.getByRole('option', { name: other }).click()
  }
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Remplacer puis supprimer' }).click()
  await expect(page.getByText(/est dans la corbeille/)).toBeVisible()
  return title
}

for (const { name, path, api, make, field } of kinds) {
  test(`${api}: what uses one takes another in its place when it is deleted, and it can come back`, async ({ page }) => {
    await signInByApi(page, 'superadmin')
    const [gone, kept] = [await make(page, `${name} un ${run}`), await make(page, `${name} deux ${run}`)]
    const user = await createRecord(page, 'parcours', {
      title: { fr: `${name} à passer ${run}` },
      [field]: field === 'contact_id' ? gone : [gone],
    })
    const title = await handOver(page, `${path}/${gone}`, field === 'media_ids' ? `${name} deux ${run}.png` : `${name} deux ${run}`)
    const parcours: Record<string, unknown> = await (await page.request.get(`${demoUrl}/api/v1/parcours/${user}`)).json()
    expect(parcours[field]).toEqual(field === 'contact_id' ? kept : [kept])
    await restoreFromBin(page, title)
    expect((await page.request.get(`${demoUrl}/api/v1/${api}/${gone}`)).status()).toBe(200)
  })
}

test('a line is linked to a step on the sheet of a parcours, which is deleted and comes back with it', async ({ page }) => {
  await signInByApi(page, 'superadmin')
  const line = `Car des gorges ${run}`
  const id = await createRecord(page, 'transport-lines', { long_name: line, mode: 'coach' })
  const other = `Navette des gorges ${run}`
  const kept = await createRecord(page, 'transport-lines', { long_name: other, mode: 'bus' })
  const title = `Par le car ${run}`
  const parcours = await createRecord(page, 'parcours', { title: { fr: title } })
  const gpx = await (await page.request.get(`${demoUrl}/api/v1/parcours/1/trace/source`)).body()
  const imported = await page.request.post(`${demoUrl}/api/v1/parcours/${parcours}/trace/source?file_name=lac.gpx`, {
    data: gpx,
    headers: { origin: demoUrl, 'if-match': '*', 'content-type': 'application/octet-stream' },
  })
  expect(imported.ok(), await imported.text()).toBe(true)

  await page.goto(`${demoUrl}/parcours/${parcours}`)
  await page
    .getByRole('button', { name: /^Déplier/ })
    .first()
    .click()
  await choose(page, /^Lignes de transport/, line)
  await page.keyboard.press('Escape')
  await saveChanges(page)
  await expect(page.getByRole('button', { name: /^Enregistrer$/ })).toHaveAttribute('aria-disabled', 'true')
  await handOver(page, `/lignes/${id}/edit`, other)
  const linesOf = async () => {
    const { steps }: { steps: { line_ids: number[] }[] } = await (await page.request.get(`${demoUrl}/api/v1/parcours/${parcours}`)).json()
    return steps[0]?.line_ids
  }
  expect(await linesOf()).toEqual([kept])

  await page.goto(`${demoUrl}/parcours/${parcours}`)
  await page.getByRole('button', { name: 'Autres actions' }).click()
  await page.getByRole('menuitem', { name: 'Supprimer…' }).click()
  await expect(page.getByRole('dialog', { name: /^Supprimer/ })).toBeVisible()
  await expectAccessible(page)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Supprimer/ })
    .click()
  await expect(page).toHaveURL(/\/parcours$/)
  expect((await page.request.get(`${demoUrl}/api/v1/parcours/${parcours}`)).status()).toBe(404)
  await restoreFromBin(page, title)
  expect(await linesOf()).toEqual([kept])
})
