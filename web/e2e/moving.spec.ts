import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { poi, startGeotrek, trek } from './geotrek'
import { ownServer } from './servers'
import { signIn } from './session'

test('a park moves in from its Geotrek: a report first, then all of it, taken back and repeated', async ({ page }) => {
  const { server, url } = await startGeotrek({
    trek: [trek(1, 'Boucle des estives'), trek(2, 'Boucle des bergers'), { ...trek(3, 'Boucle sans tracé'), geometry: null }],
    poi: [poi(11, 'La cabane', 'Petit patrimoine'), poi(12, 'Le vieux frêne', 'Dendrologie')],
    signage: [{ id: 21, uuid: 'sign-21', name: 'Panneau du lac', code: 'P4', geometry: { type: 'Point', coordinates: [4.006, 47.004] } }],
    sensitivearea: Array.from({ length: 12 }, (_, id) => ({ id })),
    touristiccontent: [{ id: 1 }],
    touristicevent: [],
  })
  const own = await ownServer({ JALON_IMPORTS__PRIVATE_ADDRESSES: 'true', JALON_IMPORTS__PAUSE_MS: '0' })
  const shots = process.env['E2E_SHOTS']
  const shot = async (name: string) => {
    if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
  }
  const count = async (list: string): Promise<number> =>
    ((await (await page.request.get(`${own.url}/api/v1/${list}`)).json()) as { total: number }).total
  try {
    await page.goto(own.url)
    await signIn(page, '/settings')
    await page.getByRole('link', { name: /^Déménager/ }).click()
    await expect(page.getByRole('heading', { name: 'Déménager de Geotrek' })).toBeVisible()
    await expectAccessible(page)
    await shot('move-new')

    // An address is needed; the error is under its field.
    await page.getByRole('button', { name: 'Faire le bilan' }).click()
    await expect(page.getByLabel('Adresse de la source')).toBeFocused()
    await page.getByLabel('Adresse de la source').fill(url)
    await page.getByRole('button', { name: 'Faire le bilan' }).click()

    // The report: what there is, what becomes of it, what is to be decided. Nothing is written.
    const inventory = page.getByRole('table')
    await expect(inventory.getByRole('row', { name: /Itinéraires/ })).toContainText('3')
    await expect(inventory.getByRole('row', { name: /Points d’intérêt/ }).first()).toContainText('2')
    await expect(inventory.getByRole('row', { name: /Signalétique/ })).toContainText('Points d’intérêt')
    await expect(inventory.getByRole('row', { name: /Zones sensibles/ })).toContainText('Pas d’équivalent ici')
    await expect(inventory.getByRole('link', { name: 'Voir la liste : Zones sensibles (API de Geotrek, nouvel onglet)' })).toHaveAttribute(
      'href',
      `${url}/api/v2/sensitivearea/`,
    )
    await expect(page.getByRole('link', { name: '1 élément refusé' })).toBeVisible()
    await expect(page.getByRole('link', { name: '1 mot à associer' })).toBeVisible()
    expect([await count('parcours'), await count('pois?owner=mine')]).toEqual([0, 0])
    await expectAccessible(page)
    await shot('move-report')
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await shot('move-report-390')
    await page.setViewportSize({ width: 1440, height: 900 })

    // All of it, then a word gets its meaning and the daily update is switched on.
    await page.getByRole('button', { name: 'Tout importer' }).click()
    await expect(page.getByText('3 Points d’intérêt', { exact: true })).toBeVisible()
    expect([await count('parcours'), await count('pois?owner=mine')]).toEqual([2, 3])
    await page.getByLabel('Reprendre chaque jour ce qui a changé').check()
    await expect(page.getByText('Reprise quotidienne activée.')).toBeVisible()
    await page.getByRole('link', { name: 'Réglages et correspondance' }).click()
    await page.getByLabel('Dendrologie (Catégorie de POI)').selectOption({ index: 2 })
    await page.getByRole('button', { name: /^Enregistrer/ }).click()
    await expect(page.getByText('Correspondance enregistrée.', { exact: false })).toBeVisible()
    await page.goBack()
    await shot('move-after')

    await page.getByRole('button', { name: 'Annuler cet import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Annuler cet import' }).click()
    await expect(page.getByText('Annulation', { exact: true })).toBeVisible()
    await expect.poll(() => count('parcours')).toBe(0)
    await expect.poll(() => count('pois?owner=mine')).toBe(0)
    await page.goto(`${own.url}/en/settings/demenagement`)
    await expect(page.getByRole('heading', { name: 'Moving in from Geotrek' })).toBeVisible()
    await page.getByRole('link', { name: 'Geotrek', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'The report' })).toBeVisible()
    await expectAccessible(page)
    await shot('move-report-en')
  } finally {
    await own.stop()
    server.close()
  }
})
