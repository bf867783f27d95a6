import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { createRecord, run, signInByApi } from './records'
import { demoUrl } from './servers'

const email = `lou.${run}@essais.example`

const rows = (page: Page) => page.getByRole('table', { name: 'Journal' }).getByRole('row')

/** Creates a user, changes their role, and tries a wrong password on the account. */
async function happenings(page: Page): Promise<number> {
  const id = await createRecord(page, 'users', {
    first_name: 'Lou',
    last_name: `Ferrand ${run}`,
    email,
    role: 'editor',
    structure_id: 1,
    white_label_ids: [1],
  })
  const headers = { origin: demoUrl, 'if-match': '*' }
  expect((await page.request.patch(`${demoUrl}/api/v1/users/${id}`, { data: { role: 'agency' }, headers })).status()).toBe(200)
  const tried = await page.request.post(`${demoUrl}/api/v1/session`, {
    data: { email, password: 'pas le bon mot de passe' },
    headers: { origin: demoUrl },
  })
  expect(tried.status()).toBe(401)
  return id
}

test('an administrator finds who changed a role, narrows the journal, opens the record and takes a table away', async ({ page }) => {
  await signInByApi(page, 'superadmin')
  const user = await happenings(page)
  await page.goto(`${demoUrl}/settings`)
  await page.getByRole('link', { name: /^Journal/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Journal')
  const failed = rows(page)
    .filter({ hasText: 'Connexion' })
    .filter({ hasText: `Utilisateur n° ${user}` })
  await expect(failed).toContainText('Échec')
  await expect(failed).toContainText('Aucune personne connectée')
  const role = rows(page)
    .filter({ hasText: 'Changement de rôle' })
    .filter({ hasText: `Utilisateur n° ${user}` })
  await expect(role).toContainText('Éditeur → Agence de voyages')
  await expect(role).toContainText('Fait')
  await expect(page.getByRole('main'), 'what was typed is not shown').not.toContainText(email)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Filtrer' }).click()
  await page.getByRole('checkbox', { name: 'Échec' }).click()
  await expect(page.getByRole('checkbox', { name: 'Échec' })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/outcome=failed/)
  await expect(role).toHaveCount(0)
  await expect(failed).toBeVisible()
  await page.getByRole('button', { name: /Résultat.*Échec/ }).click()

  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Exporter en CSV' }).click()])
  expect(file.suggestedFilename()).toMatch(/^journal-\d{4}-\d\d-\d\d\.csv$/)

  await role.getByRole('link', { name: `Utilisateur n° ${user}` }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Lou Ferrand ${run}`)
})

test('on a telephone, in English, the journal is read line by line', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInByApi(page, 'superadmin')
  await page.goto(`${demoUrl}/en/settings/journal?action=sign_in`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Journal')
  await expect(page.getByText('Sign-in', { exact: true }).first()).toBeVisible()
  await expectAccessible(page)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
})

test('an editor has no journal', async ({ page }) => {
  await signInByApi(page, 'editeur')
  await page.goto(`${demoUrl}/settings`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Réglages')
  await expect(page.getByRole('link', { name: /^Journal/ })).toHaveCount(0)
  expect((await page.request.get(`${demoUrl}/api/v1/audit-events`)).status()).toBe(403)
})
