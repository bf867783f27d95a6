import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { expectFocusSeen, tabAndPress, tabAndType, tabTo } from './keyboard'
import { andorraUrl, demoUrl, hasSharedData, sharedData } from './servers'
import { PASSWORD } from './session'

test('from a file to a link without ever touching a mouse', async ({ page, request }) => {
  // The demo's own recording, with a stretch that no way follows.
  await request.post(`${demoUrl}/api/v1/session`, { data: { email: 'editeur@demo.jalon.example', password: PASSWORD } })
  const gpx = await (await request.get(`${demoUrl}/api/v1/parcours/1/trace/source`)).body()
  await byKeyboardAlone(page, { url: demoUrl, gpx, mend: true })
})

test('the same over a real extract', async ({ page }) => {
  test.skip(!hasSharedData, '../shared/data is missing')
  await byKeyboardAlone(page, {
    url: andorraUrl,
    gpx: readFileSync(join(sharedData, 'tracks/synthetic/andorra_16_clean.gpx')),
    mend: false,
  })
})

interface World {
  url: string
  gpx: Buffer
  /** The recording leaves the network at one place, and comes over the threshold once that is mended. */
  mend: boolean
}

async function byKeyboardAlone(page: Page, { url, gpx, mend }: World): Promise<void> {
  test.setTimeout(180_000)
  await page.goto(`${url}/parcours`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessible(page)
  await tabAndType(page, page.getByLabel('Adresse e-mail'), 'editeur@demo.jalon.example')
  await expectFocusSeen(page)
  await tabAndType(page, page.getByLabel('Mot de passe', { exact: true }), PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/parcours')

  await test.step('the list, and a new parcours from it', async () => {
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Aller au contenu' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expectAccessible(page)
    await tabAndPress(page, page.getByRole('main').getByRole('link', { name: 'Nouveau parcours' }).first())
    await expect(page.getByRole('heading', { level: 1, name: 'Nouveau parcours' })).toBeVisible()
    await expectAccessible(page)
    await tabAndType(page, page.getByRole('textbox', { name: /^Titre/ }), 'Le tour du lac au clavier')
    await tabTo(page, page.getByLabel('Type de pratique'))
    await page.keyboard.type('Randonn')
    await tabAndPress(page, page.getByRole('radio', { name: 'Boucle' }), 'Space')
    await tabAndPress(page, page.getByRole('button', { name: 'Créer et passer au tracé' }))
    await page.waitForURL(/\/parcours\/\d+\/edit-trace/)
  })

  await test.step('a file brought in', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Le tour du lac au clavier' })).toBeVisible()
    await expectAccessible(page)
    const chooser = page.waitForEvent('filechooser')
    await tabAndPress(page, page.getByRole('button', { name: 'Importer un fichier' }))
    await (await chooser).setFiles({ name: 'lac.gpx', mimeType: 'application/gpx+xml', buffer: gpx })
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await tabAndPress(page, page.getByRole('button', { name: 'Importer ce tracé' }))
    await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: 60_000 })
    await expect(page.getByText(mend ? /points sous le seuil/ : /points (sous le|au-dessus du) seuil/)).toBeVisible({ timeout: 60_000 })
  })

  const steps = page.getByRole('list', { name: 'Étapes dans l’ordre du parcours' }).getByRole('listitem')
  const said = page.getByRole('status').filter({ hasText: /Étape|Tronçon/ })

  await test.step('a stretch off the network mended', async () => {
    if (!mend) return
    await tabAndPress(page, page.getByRole('button', { name: 'Suivre le chemin' }))
    await expect(said).toContainText('Tronçon A corrigé')
    await expect(page.getByText(/points au-dessus du seuil/)).toBeVisible({ timeout: 30_000 })
  })

  await test.step('a step added on the profile, moved on the map, and removed', async () => {
    const before = await steps.count()
    await tabTo(page, page.getByRole('slider'))
    await page.keyboard.press('a')
    await page.keyboard.press('PageUp')
    await page.keyboard.press('PageUp')
    await page.keyboard.press('Enter')
    // Its name is asked for; Escape goes back to the list.
    await expect(page.getByRole('textbox', { name: 'Nom en français' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(steps).toHaveCount(before + 1)
    await expect(said).toContainText('ajoutée')
    const disc = page.locator('[data-step][data-chosen]')
    await tabTo(page, disc)
    await expectFocusSeen(page)
    const box = await disc.boundingBox()
    for (let press = 0; press < 3; press++) await page.keyboard.press('Shift+ArrowUp')
    await page.keyboard.press('Enter')
    await expect(said).toContainText(/déplacée|glissée/, { timeout: 30_000 })
    expect(await disc.boundingBox()).not.toEqual(box)
    await disc.press('Delete')
    await expect(steps).toHaveCount(before)
    await expect(page.locator('[data-step]:focus')).toHaveCount(1)
    await page.keyboard.press('Control+z')
    await expect(steps).toHaveCount(before + 1)
    await expectAccessible(page)
  })

  await test.step('saved, and back to the sheet', async () => {
    await expect(page.getByText('Calcul en cours')).toHaveCount(0)
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Tracé enregistré.')).toBeVisible({ timeout: 30_000 })
    await tabAndPress(page, page.getByRole('link', { name: 'Revenir à la fiche' }))
    await expect(page.getByRole('main').getByRole('heading', { level: 1, name: 'Le tour du lac au clavier' })).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('both languages, published', async () => {
    await tabAndPress(page, page.getByRole('navigation').or(page.getByRole('tablist')).getByText('Informations'))
    const titles = page.getByRole('textbox', { name: /^Titre/ })
    await expect(titles).toHaveCount(2)
    await tabAndType(page, titles.nth(1), 'Around the lake by keyboard')
    const summaries = page.getByRole('textbox', { name: /^Résumé/ })
    await tabAndType(page, summaries.first(), 'Une sortie facile autour du lac.')
    await tabAndType(page, summaries.nth(1), 'An easy outing around the lake.')
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Parcours sauvegardé !')).toBeVisible()
    await tabTo(page, page.getByRole('button', { name: 'Publier', exact: true }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Parcours publié.')).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('a link that opens', async () => {
    await tabAndPress(page, page.getByRole('navigation').or(page.getByRole('tablist')).getByText('Partage'))
    await tabAndPress(page, page.getByRole('button', { name: 'Créer le lien permanent' }))
    const link = page.getByRole('textbox', { name: 'Lien permanent' })
    await expect(link).toHaveValue(/\/s\//)
    await expectAccessible(page)
    const reply = await page.request.get(url + new URL(await link.inputValue()).pathname)
    expect(reply.status()).toBe(200)
    expect(await reply.text()).toContain('Le tour du lac au clavier')
  })
}
