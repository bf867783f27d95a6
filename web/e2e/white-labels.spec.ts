import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { tabAndPress, tabTo } from './keyboard'
import { demoUrl } from './servers'
import { signIn } from './session'

const run = Date.now().toString(36)
const superadmin = 'superadmin@demo.jalon.example'

/** A white-label of one's own, made without the screens. */
async function createWhiteLabel(page: Page): Promise<string> {
  const reply = await page.request.post(`${demoUrl}/api/v1/white-labels`, {
    data: { name: `Marque ${run} ${Math.random().toString(36).slice(2, 6)}`, structure_id: 1 },
    headers: { origin: demoUrl },
  })
  expect(reply.status(), await reply.text()).toBe(201)
  const { id }: { id: number } = await reply.json()
  return `${demoUrl}/settings/marques-blanches/${id}`
}

test('the preview follows what is typed, and a fault is shown on its field', async ({ page }) => {
  await page.goto(demoUrl)
  await signIn(page, '/settings/marques-blanches', superadmin)
  await page.goto(await createWhiteLabel(page))
  const preview = page.frameLocator('iframe[title^="La page publique"]')
  await page.getByRole('textbox', { name: /^Nom \*/ }).fill('Le Val d’en Haut')
  await expect(preview.locator('header.top')).toContainText('Le Val d’en Haut')
  await page.getByLabel('Domaine de production').fill('http://ailleurs.example')
  await page.getByLabel('Adresse de la fiche SIT').fill('https://sit.example/fiche')
  await page.getByLabel('Mesure Android').fill('G-ABCDEF1234')
  await page.getByRole('button', { name: /^Enregistrer \d changements/ }).click()
  for (const name of ['Domaine de production', 'Adresse de la fiche SIT', 'Mesure Android'])
    await expect(page.getByLabel(name)).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
})

test('the key of the API is shown once, known afterwards by its first letters, and revoked', async ({ page }) => {
  await page.goto(demoUrl)
  await signIn(page, '/settings/marques-blanches', superadmin)
  await page.goto(await createWhiteLabel(page))
  await page.getByRole('button', { name: 'Créer une clé' }).click()
  const dialog = page.getByRole('dialog', { name: 'Clé d’API' })
  const key = await dialog.getByRole('textbox').inputValue()
  expect(key.length).toBeGreaterThan(20)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'J’ai copié la clé' }).click()
  await expect(page.getByText(`${key.slice(0, 8)}…`)).toBeVisible()
  await page.reload()
  await expect(page.getByText(`${key.slice(0, 8)}…`)).toBeVisible()
  expect(await page.content()).not.toContain(key)
  await page.getByRole('button', { name: 'Révoquer la clé' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Révoquer la clé' }).click()
  await expect(page.getByText('Aucune clé : l’API publique de ce site est fermée.')).toBeVisible()
})

test('the key of the translation service goes in, and is never shown again', async ({ page }) => {
  const key = `clef-${run}:fx`
  await page.goto(demoUrl)
  await signIn(page, '/settings/marques-blanches', superadmin)
  await page.goto(await createWhiteLabel(page))
  await page.getByRole('button', { name: 'Enregistrer une clé' }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByLabel(/^Clé du service de traduction/)
  await field.fill('deux mots')
  await dialog.getByRole('button', { name: 'Enregistrer la clé' }).click()
  await expect(field).toHaveAccessibleDescription(/sans espace/)
  await expectAccessible(page)
  await field.fill(key)
  await field.press('Enter')
  await expect(page.getByText('Une clé propre à cette marque blanche est enregistrée, chiffrée')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Une clé propre à cette marque blanche est enregistrée, chiffrée')).toBeVisible()
  expect(await page.content()).not.toContain(key)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Oublier la clé de traduction' }).click()
  await dialog.getByRole('button', { name: 'Oublier la clé de traduction' }).click()
  await expect(page.getByText('Aucune clé propre : celle du traducteur est utilisée.')).toBeVisible()
})

test('what comes from the ground without a review is chosen field by field', async ({ page }) => {
  await page.goto(demoUrl)
  await signIn(page, '/settings/marques-blanches', superadmin)
  await page.goto(await createWhiteLabel(page))
  const names = page.getByRole('checkbox', { name: 'Appliquer les noms corrigés' })
  await expect(names).not.toBeChecked()
  await names.check()
  await page.getByRole('button', { name: /^Enregistrer \d changement/ }).click()
  await expect(page.getByRole('button', { name: /^Enregistrer \d changement/ })).toBeHidden()
  await page.reload()
  await expect(names).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Appliquer les textes corrigés' })).not.toBeChecked()
  await expectAccessible(page)
})

test('its bounds are set and moved by keyboard alone', async ({ page }) => {
  await page.goto(demoUrl)
  await signIn(page, '/settings/marques-blanches', superadmin)
  await page.goto(await createWhiteLabel(page))
  await tabAndPress(page, page.getByRole('button', { name: 'Carte et emprise' }))
  await tabAndPress(page, page.getByRole('button', { name: 'Définir une emprise' }))
  const north = page.getByLabel('Nord')
  await tabTo(page, north)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('45,12345')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByText('Marque blanche sauvegardée !')).toBeVisible()
  await page.reload()
  await expect(north).toHaveValue('45,12345')
})
