import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { signInByApi } from './records'
import { demoUrl } from './servers'

test('without WebGL pages say that the map cannot be drawn, and the rest of them works', async ({ page }) => {
  await signInByApi(page, 'editeur')
  const notice = page.getByText('La carte ne peut pas être dessinée')
  await page.goto(`${demoUrl}/parcours`)
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  await page.goto(`${demoUrl}/parcours/2`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(notice.first()).toBeVisible()
  await expectAccessible(page)
})

test('without WebGL the ground says so on a telephone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInByApi(page, 'editeur')
  await page.goto(`${demoUrl}/terrain/emporter/zone`)
  await expect(page.getByText('La carte ne peut pas être dessinée')).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
