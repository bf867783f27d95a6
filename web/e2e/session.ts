import { expect, type Page } from '@playwright/test'

/** The password of every demo account. */
export const PASSWORD = 'balise-jaune-2026'

/** Opens a page, is redirected to the sign-in page, signs in, and returns to the page. */
export async function signIn(page: Page, path = '/parcours', email = 'editeur@demo.jalon.example'): Promise<void> {
  await page.goto(new URL(path, page.url() === 'about:blank' ? 'http://localhost' : page.url()).href)
  await expect(page).toHaveURL(new RegExp(`/login\\?backurl=${encodeURIComponent(path).replaceAll('%2F', '(%2F|/)')}`))
  await page.getByLabel('Adresse e-mail').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.waitForURL((url) => url.pathname === path)
}
