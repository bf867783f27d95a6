import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { createRecord, run, signInByApi } from './records'
import { demoUrl } from './servers'

const rows = (page: Page) => page.getByRole('table', { name: /^(Tâches|Jobs)$/ }).getByRole('row')

test('an administrator finds the mail that the server sent, and narrows the list', async ({ page }) => {
  await signInByApi(page, 'superadmin')
  const id = await createRecord(page, 'users', {
    first_name: 'Noé',
    last_name: `Martel ${run}`,
    email: `noe.${run}@essais.example`,
    role: 'editor',
    structure_id: 1,
    white_label_ids: [1],
  })
  const invited = await page.request.post(`${demoUrl}/api/v1/users/${id}/invitation`, { headers: { origin: demoUrl } })
  expect(invited.ok()).toBe(true)
  await page.goto(`${demoUrl}/settings`)
  await page.getByRole('link', { name: /^Tâches/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tâches')
  const mail = rows(page).filter({ hasText: 'Envoi d’un e-mail' }).first()
  await expect(mail).toContainText('Terminée')
  await expect(mail, 'whom it was for is not shown').not.toContainText('essais.example')
  await expectAccessible(page)

  await page.goto(`${demoUrl}/settings/taches?state=dead`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tâches')
  await expect(rows(page).filter({ hasText: 'Terminée' })).toHaveCount(0)
})

test('on a telephone, in English, the jobs are read line by line', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInByApi(page, 'superadmin')
  await page.goto(`${demoUrl}/en/settings/taches`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Jobs')
  await expectAccessible(page)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
})
