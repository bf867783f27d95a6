import { expect, test, type APIResponse, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { createRecord, run, signInByApi } from './records'
import { demoUrl } from './servers'

const origin = { origin: demoUrl }

/** Published, with a link that lasts, whose page was opened and whose QR code was taken away. */
async function sharedParcours(page: Page, title: string): Promise<number> {
  const id = await createRecord(page, 'parcours', { title: { fr: title } })
  const at = `${demoUrl}/api/v1/parcours/${id}`
  const ok = async (sent: Promise<APIResponse>): Promise<{ id: number; token: string }> => {
    const reply = await sent
    expect(reply.ok(), await reply.text()).toBe(true)
    const answer: { id: number; token: string } = await reply.json()
    return answer
  }
  const gpx = await (await page.request.get(`${demoUrl}/api/v1/parcours/1/trace/source`)).body()
  await ok(
    page.request.post(`${at}/trace/source?file_name=lac.gpx`, {
      data: gpx,
      headers: { ...origin, 'if-match': '*', 'content-type': 'application/octet-stream' },
    }),
  )
  await ok(page.request.post(`${at}/publication`, { headers: { ...origin, 'if-match': '*' } }))
  const share = await ok(page.request.post(`${at}/shares`, { data: { kind: 'permanent' }, headers: origin }))
  expect((await page.request.get(`${demoUrl}/s/${share.token}`)).status()).toBe(200)
  expect((await page.request.get(`${at}/shares/${share.id}/qr.svg?taken=true`)).status()).toBe(200)
  return id
}

test('what it affects is shown before a parcours is unpublished, given another trace, deleted', async ({ page }) => {
  const title = `Tour partagé ${run}`
  await signInByApi(page, 'editeur')
  const id = await sharedParcours(page, title)
  const dialog = page.getByRole('dialog')
  const expectImpact = async () => {
    await expect(dialog.getByText('Ce que cela touche')).toBeVisible()
    await expect(dialog).toContainText('1 lien permanent a été donné.')
    await expect(dialog).toContainText('Ces liens ont été ouverts une fois.')
    await expect(dialog).toContainText('1 code QR a été téléchargé : s’il est imprimé, il ne se corrige pas.')
    await expectAccessible(page)
  }

  await page.goto(`${demoUrl}/parcours/${id}/edit-trace`)
  await page.getByRole('button', { name: 'Inverser' }).click()
  await page.getByRole('button', { name: 'Enregistrer le tracé' }).click()
  await expectImpact()
  await dialog.getByRole('button', { name: 'Annuler' }).click()
  await expect(page.getByText('Tracé enregistré.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Enregistrer le tracé' }).click()
  await dialog.getByRole('button', { name: 'Enregistrer le tracé' }).click()
  await expect(page.getByText('Tracé enregistré.')).toBeVisible({ timeout: 30_000 })

  await page.goto(`${demoUrl}/parcours/${id}`)
  const header = page.getByRole('main').locator('header').first()
  await header.getByRole('button', { name: 'Dépublier' }).click()
  await expectImpact()
  await dialog.getByRole('button', { name: 'Annuler' }).click()
  await expect(header.getByRole('button', { name: 'Dépublier' })).toBeVisible()

  await page.goto(`${demoUrl}/parcours?search=${encodeURIComponent(title)}`)
  await page.getByRole('button', { name: `Actions sur ${title}` }).click()
  await page.getByRole('menuitem', { name: 'Supprimer…' }).click()
  await expectImpact()
  await dialog.getByRole('button', { name: 'Annuler' }).click()

  await page.goto(`${demoUrl}/parcours/${id}`)
  await header.getByRole('button', { name: 'Dépublier' }).click()
  await dialog.getByRole('button', { name: 'Dépublier' }).click()
  await expect(header.getByRole('button', { name: 'Publier' })).toBeVisible()
})

test('a point of interest tells which parcours depend on it, before it is unpublished and before it is deleted', async ({ page }) => {
  const name = `Source ${run}`
  await signInByApi(page, 'editeur')
  const poi = await createRecord(page, 'pois', { title: { fr: name }, location: [5.6, 45.2] })
  await createRecord(page, 'parcours', { title: { fr: `Tour de la ${name}` }, poi_ids: [poi] })
  const published = await page.request.post(`${demoUrl}/api/v1/pois/${poi}/publication`, { headers: { ...origin, 'if-match': '*' } })
  expect(published.status(), await published.text()).toBe(200)
  await page.goto(`${demoUrl}/pois/${poi}`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Dépublier' }).click()
  await expect(dialog).toContainText(`Un parcours en dépend : « Tour de la ${name} ».`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Dépublier' }).click()
  await expect(page.getByRole('button', { name: 'Publier' })).toBeVisible()
  await page.getByRole('button', { name: `Actions sur ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Supprimer…' }).click()
  await expect(dialog).toContainText(`Un parcours en dépend : « Tour de la ${name} ».`)
  await expectAccessible(page)
})
