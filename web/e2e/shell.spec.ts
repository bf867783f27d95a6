import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { demoUrl } from './servers'
import { signIn } from './session'

async function signedIn(page: Page, path = '/parcours', email?: string): Promise<void> {
  await page.goto(demoUrl)
  await signIn(page, path, email)
}

test('the address of a line alone leads to its form, in both languages', async ({ page }) => {
  await signedIn(page)
  for (const prefix of ['', '/en']) {
    await page.goto(`${demoUrl}${prefix}/lignes/1`)
    await expect(page).toHaveURL(`${demoUrl}${prefix}/lignes/1/edit`)
  }
})

test('a path that leads nowhere says so with its name', async ({ page }) => {
  await signedIn(page)
  await page.goto(`${demoUrl}/nulle/part`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page introuvable : /nulle/part')
  await expectAccessible(page)
  await page.goto(`${demoUrl}/en/nowhere/at-all`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found: /en/nowhere/at-all')
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await expect(page).toHaveURL(`${demoUrl}/en`)
})

test('the sign-in page stands alone, and the shell has the areas of the navigation', async ({ page }) => {
  await page.goto(`${demoUrl}/login`)
  await expect(page.getByRole('button', { name: 'Se connecter' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Navigation principale' })).toHaveCount(0)
  await signedIn(page)
  const areas = page.getByRole('navigation', { name: 'Navigation principale' })
  for (const name of ['Tableau de bord', 'Parcours', 'Widget', 'Lien prestataire', 'Statistiques', 'Réglages', 'Aide']) {
    await expect(areas.getByText(name).first()).toBeVisible()
  }
  const tools = areas.getByRole('group', { name: 'Outils' })
  for (const name of ['Widget', 'Lien prestataire', 'Statistiques']) await expect(tools.getByText(name)).toBeVisible()
})

test('a session that ended elsewhere is announced, and what was typed is still there', async ({ page, context }) => {
  await signedIn(page, '/parcours/1')
  // What the fields ask for when they are at rest is there before the session ends: it would announce the end itself.
  const late = ['texts', 'assistant'].map((what) => page.waitForResponse((reply) => reply.url().includes(`/api/v1/${what}/parcours/1`)))
  await page
    .getByRole('tab', { name: /Informations/ })
    .or(page.getByRole('link', { name: /Informations/ }))
    .first()
    .click()
  const title = page.getByRole('textbox', { name: /^Titre/ }).first()
  await title.fill('Un titre pas encore enregistré')
  await Promise.all(late)
  await context.clearCookies({ name: 'authToken' })
  await page
    .getByRole('button', { name: /^Enregistrer/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Votre session a pris fin' })
  await expect(dialog).toBeVisible()
  await dialog.getByLabel('Mot de passe', { exact: true }).fill('balise-jaune-2026')
  await dialog.getByRole('button', { name: 'Se connecter' }).click()
  await expect(dialog).toBeHidden()
  await expect(title).toHaveValue('Un titre pas encore enregistré')
})

test('pre-production says that nothing is carried over, production leads there', async ({ page }) => {
  let environment = 'preproduction'
  await page.route('**/payload.json', async (route) => {
    const payload = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...payload, environment, preproduction_url: 'https://essai.jalon.example' } })
  })
  await signedIn(page)
  await expect(page.getByText('ce que vous saisissez ici n’est pas repris en production')).toBeVisible()
  await expectAccessible(page)
  environment = 'production'
  await page.reload()
  await expect(page.getByRole('link', { name: 'aller en préproduction' })).toHaveAttribute('href', 'https://essai.jalon.example')
})

test('the language is switched on the same page and kept', async ({ page, context }) => {
  // Lower than the page, which keeps its place.
  await page.setViewportSize({ width: 1280, height: 320 })
  // The choice is the account's: one that no other journey reads French with.
  await signedIn(page, '/settings', 'lecteur@demo.jalon.example')
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  const scrolled = () => page.locator('#content').evaluate((main) => main.scrollTop)
  await page.locator('#content').evaluate((main) => main.scrollTo(0, 40))
  expect(await scrolled()).toBeGreaterThan(0)
  const place = await scrolled()
  await page.getByRole('button', { name: 'Langue' }).click()
  await page
    .getByRole('menuitemradio', { name: 'English' })
    .or(page.getByRole('menuitem', { name: 'English' }))
    .click()
  await expect(page).toHaveURL(`${demoUrl}/en/settings`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings')
  const kept = (await context.cookies()).find(({ name }) => name === 'locale')
  expect(kept?.value).toBe('en')
  const days = ((kept?.expires ?? 0) - Date.now() / 1000) / 86_400
  expect(Math.round(days)).toBe(365)
  await page.getByRole('button', { name: 'Language' }).click()
  expect(await scrolled()).toBe(place)
  await page
    .getByRole('menuitemradio', { name: 'Français' })
    .or(page.getByRole('menuitem', { name: 'Français' }))
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Réglages')
})

test('on paper the switch of the map covers no row, tabs are all there, and maps have no controls', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 800 })
  await signedIn(page)
  const mapSwitch = page.getByRole('button', { name: 'Carte', exact: true })
  await expect(mapSwitch).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(mapSwitch).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${demoUrl}/parcours/1`)
  const controls = page.locator('.maplibregl-ctrl-group:not(:empty)').first()
  await expect(controls).toBeVisible({ timeout: 30_000 })
  await page.emulateMedia({ media: 'print' })
  await expect(controls).toBeHidden()
  await page.setViewportSize({ width: 480, height: 800 })
  const tabs = page.locator('nav:has(> [data-tab])')
  await expect(tabs).toHaveCSS('flex-wrap', 'wrap')
  expect(await tabs.evaluate((strip) => strip.scrollWidth - strip.clientWidth)).toBe(0)
})

test('on a phone the bar of ticked rows leaves the button of the map free, and headings that have the focus are seen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signedIn(page)
  await page
    .getByRole('checkbox', { name: /^Sélectionner / })
    .nth(1)
    .check()
  const bar = await page.getByRole('region', { name: 'Actions sur la sélection' }).boundingBox()
  const map = await page.getByRole('button', { name: 'Carte', exact: true }).boundingBox()
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(map?.y ?? 0)
  const heading = page.locator('thead button').first()
  await heading.focus()
  expect((await heading.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await expect(page.locator('thead')).toHaveCSS('clip-path', 'none')
  await page.getByRole('button', { name: 'Exporter', exact: true }).click()
  const [link, entry] = [page.getByRole('menuitem').first(), page.getByRole('menuitem').last()]
  const color = await entry.evaluate((element) => getComputedStyle(element).color)
  await expect(link).toHaveCSS('color', color)
})

test('another white-label has its own list', async ({ page }) => {
  await signedIn(page, '/parcours', 'superadmin@demo.jalon.example')
  await expect(page.getByText(/à Val d’Orsel/).first()).toBeVisible()
  // The list scrolls, not the frame around it, which would end in an empty page.
  expect(await page.getByRole('main').evaluate((main) => main.scrollHeight - main.clientHeight)).toBe(0)
  await page.getByRole('button', { name: /^Marque blanche/ }).click()
  await page.getByRole('menuitemradio').or(page.getByRole('menuitem')).filter({ hasNotText: 'Val d’Orsel' }).first().click()
  await expect(page.getByText(/à Val d’Orsel/)).toHaveCount(0)
  await page.getByRole('button', { name: /^Marque blanche/ }).click()
  await page.getByRole('menuitemradio').or(page.getByRole('menuitem')).filter({ hasText: 'Val d’Orsel' }).first().click()
  await expect(page.getByText(/à Val d’Orsel/).first()).toBeVisible()
})
