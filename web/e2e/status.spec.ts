import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { signInByApi } from './records'
import { demoUrl } from './servers'

test('a superadmin sees the server, its disk and the queue, and an administrator no server', async ({ page }) => {
  await signInByApi(page, 'superadmin')
  await page.goto(`${demoUrl}/settings`)
  await page.getByRole('link', { name: /^État de la plateforme/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('État de la plateforme')
  await expect(page.getByText('Ce serveur')).toBeVisible()
  await expect(page.getByText('En marche', { exact: true }).first()).toBeVisible()
  await expect(page.getByText(/libres sur/).first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Voir les tâches' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tâches')
})

test('on a telephone, in English, the status fits', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInByApi(page, 'admin')
  await page.goto(`${demoUrl}/en/settings/etat`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Platform status')
  await expect(page.getByText('Super-administrators also see each server and its disk.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Servers' })).toHaveCount(0)
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
