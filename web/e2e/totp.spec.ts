import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { ownServer } from './servers'
import { PASSWORD } from './session'
import { codeOf } from './totp-code'

let server: Awaited<ReturnType<typeof ownServer>>
test.beforeAll(async () => {
  // Administrators must have it there unless the operator says otherwise.
  server = await ownServer({ JALON_ENVIRONMENT: 'production' })
})
test.afterAll(() => server.stop())

const code = (page: Page) => page.getByRole('textbox', { name: /^Code de vérification/ })
const title = (page: Page) => page.getByRole('heading', { level: 1 })

/** The first step: who one is, and one's password. */
async function typePassword(page: Page, email: string): Promise<void> {
  await page.goto(`${server.url}/login`)
  await page.getByLabel('Adresse e-mail').fill(`${email}@demo.jalon.example`)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Compte de/ }).click()
  await page.getByRole('button', { name: 'Se déconnecter', exact: true }).click()
  await expect(page).toHaveURL(/\/login/)
}

/** Turned on with a telephone that reads the key; the key and the recovery codes come back. */
async function turnOn(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole('button', { name: 'Activer la double authentification' }).click()
  await expect(page.getByRole('img', { name: 'Code QR de la double authentification' }).locator('svg')).toBeVisible()
  await expectAccessible(page)
  const secret = ((await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '').replaceAll(' ', '')
  const shown = page.getByRole('textbox', { name: /^Code affiché/ })
  const right = codeOf(secret)
  await shown.fill(right === '000000' ? '111111' : '000000')
  const password = page.getByLabel(/^Votre mot de passe/)
  await password.fill('pas le bon')
  await page.getByRole('button', { name: 'Vérifier et activer' }).click()
  await expect(password).toHaveAccessibleDescription(/Ce n’est pas votre mot de passe/)
  await expectAccessible(page)
  await password.fill(PASSWORD)
  await page.getByRole('button', { name: 'Vérifier et activer' }).click()
  await expect(shown).toHaveAccessibleDescription(/Ce code n’est pas le bon/)
  await expectAccessible(page)
  await shown.fill(codeOf(secret))
  await page.getByRole('button', { name: 'Vérifier et activer' }).click()
  await expect(page.getByRole('heading', { name: 'Codes de secours de Jalon' })).toBeVisible()
  await expectAccessible(page)
  const codes = await page
    .getByRole('listitem')
    .filter({ hasText: /^[0-9a-z]{4}(-[0-9a-z]{4}){2}$/ })
    .allTextContents()
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'J’ai gardé mes codes' }).click()
  await expect(page.getByText('Activée', { exact: true })).toBeVisible()
  return { secret, codes }
}

test('an editor turns the second step on, signs in with the telephone, with a recovery code, and turns it off', async ({ page }) => {
  await typePassword(page, 'editeur')
  await expect(page.getByRole('navigation', { name: 'Navigation principale' })).toBeVisible()
  await page.goto(`${server.url}/account`)
  await expect(page.getByText('Non activée')).toBeVisible()
  await expectAccessible(page)
  const { secret, codes } = await turnOn(page)
  await expectAccessible(page)
  await signOut(page)

  await typePassword(page, 'editeur')
  await expect(code(page)).toBeFocused()
  await expectAccessible(page)
  await code(page).fill('12')
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(code(page)).toHaveAccessibleDescription(/Ce code n’est pas le bon/)
  await expectAccessible(page)
  // The code that turned it on is used up: the one after it opens.
  await code(page).fill(codeOf(secret, 1))
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('navigation', { name: 'Navigation principale' })).toBeVisible()
  await signOut(page)

  await typePassword(page, 'editeur')
  await code(page).fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('navigation', { name: 'Navigation principale' })).toBeVisible()

  await page.goto(`${server.url}/en/account`)
  await expect(title(page)).toHaveText('My account')
  await expectAccessible(page)
  await page.goto(`${server.url}/account`)
  await page.getByRole('button', { name: 'Désactiver la double authentification' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByLabel(/^Mot de passe/)
    .first()
    .fill('pas le bon')
  await dialog.getByRole('button', { name: 'Désactiver la double authentification' }).click()
  await expect(dialog.getByText('Ce n’est pas votre mot de passe.')).toBeVisible()
  await expectAccessible(page)
  await dialog
    .getByLabel(/^Mot de passe/)
    .first()
    .fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Désactiver la double authentification' }).click()
  await expect(page.getByText('Non activée')).toBeVisible()
  await signOut(page)
  await typePassword(page, 'editeur')
  await expect(page.getByRole('navigation', { name: 'Navigation principale' })).toBeVisible()
})

test('an admin who must have it is led to it before all else, then takes off that of somebody who lost a telephone', async ({
  page,
  browser,
}) => {
  await typePassword(page, 'admin')
  await expect(page).toHaveURL(`${server.url}/account`)
  await expect(page.getByText('Votre rôle demande la double authentification.')).toBeVisible()
  await page.goto(`${server.url}/settings/users`)
  await expect(page, 'nothing else opens').toHaveURL(`${server.url}/account`)
  await turnOn(page)
  await page.goto(`${server.url}/settings/users`)
  await expect(title(page)).toContainText('Utilisateurs')

  const theirs = await (await browser.newContext({ locale: 'fr-FR' })).newPage()
  await typePassword(theirs, 'lecteur')
  await expect(theirs.getByRole('navigation', { name: 'Navigation principale' })).toBeVisible()
  await theirs.goto(`${server.url}/account`)
  await turnOn(theirs)
  await page.goto(`${server.url}/settings/users?search=lecteur`)
  await page.getByRole('main').getByRole('table').getByRole('link').first().click()
  await expect(page.getByText('Double authentification activée')).toBeVisible()
  await page.getByRole('button', { name: 'Retirer la double authentification' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Retirer la double authentification' }).click()
  await expect(page.getByText('Double authentification retirée.')).toBeVisible()
  await expect(page.getByText('Double authentification non activée')).toBeVisible()
  await typePassword(theirs, 'lecteur')
  await expect(theirs.getByRole('navigation', { name: 'Navigation principale' })).toBeVisible()
  await theirs.context().close()
})
