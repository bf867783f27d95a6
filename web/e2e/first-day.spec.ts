import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { run } from './records'
import { andorraUrl, hasSharedData, sharedData } from './servers'
import { PASSWORD } from './session'
import { wordsIn } from './words'

/** One letter each 400 ms: a user who types slowly. */
const SLOW_MS = 400

/** A recording that a newcomer named by what it is; its own name inside says nothing. */
const recording = () => ({
  name: 'Rando_du_matin.gpx',
  mimeType: 'application/gpx+xml',
  buffer: Buffer.from(readFileSync(join(sharedData, 'tracks/synthetic/andorra_16_clean.gpx'), 'utf8').replace(/<name>[^<]*<\/name>/, '')),
})

/** Typed letter by letter, whole, in a field that stays the same one. */
async function typedSlowly(page: Page, field: Locator, text: string): Promise<void> {
  await field.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await field.evaluate((input) => input.setAttribute('data-same', 'yes'))
  await page.keyboard.type(text, { delay: SLOW_MS })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(text)
  await expect(field).toHaveAttribute('data-same', 'yes')
}

const fits = async (page: Page, width: number) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)

for (const [locale, width] of [
  ['fr', 1440],
  ['fr', 390],
  ['en', 1440],
  ['en', 390],
] as const) {
  test(`the first day of a newcomer, ${locale}, ${width} px: from a file to a page that is printed`, async ({ page }) => {
    test.skip(!hasSharedData, '../shared/data is missing')
    test.setTimeout(120_000)
    const t = wordsIn(locale)
    const at = (path: string) => `${andorraUrl}${locale === 'en' ? '/en' : ''}${path}`
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })

    // Signs in, in the language that is chosen there.
    await page.goto(at('/login'))
    await page.getByRole('button', { name: locale === 'fr' ? 'Français' : 'English' }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('login:title') })).toBeVisible()
    await page.getByLabel(t('login:email')).fill('editeur@demo.jalon.example')
    await page.getByLabel(t('login:password'), { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: t('login:signIn') }).click()
    await page.waitForURL((url) => !url.pathname.includes('/login'))

    // Looks whether it is there already.
    await page.goto(at('/parcours'))
    await typedSlowly(page, page.getByRole('main').getByRole('searchbox', { name: t('parcours:list.search') }), 'forêt')
    await expect(page).toHaveURL(/search=for%C3%AAt/)
    await fits(page, width)
    if (width === 390) {
      // Where there is no room for both, the title says which one is shown.
      await page.getByRole('button', { name: t('common:list.showMap') }).click()
      await expect(page).toHaveTitle(new RegExp(`^${t('parcours:map.label')}`))
      await page.getByRole('button', { name: t('common:list.showList') }).click()
      await expect(page).toHaveTitle(new RegExp(`^${t('parcours:list.title')}`))
    }

    // Brings a file: the title and the practice are guessed, and corrected.
    await page.goto(at('/parcours/new?from=file'))
    await page.getByLabel(t('parcours:new.file')).setInputFiles(recording())
    const title = page.getByRole('textbox', { name: t('parcours:new.name') })
    await expect(title).toHaveValue('Rando du matin')
    await expect(page.getByLabel(t('parcours:new.practice'))).not.toHaveValue('')
    const name = `Forêt d’été ${run.slice(-3)}`
    await typedSlowly(page, title, name)
    await expectAccessible(page)
    await fits(page, width)
    await page.getByRole('button', { name: t('parcours:new.import') }).click()
    await page.waitForURL(/\/parcours\/\d+\/edit-trace/)
    const id = Number(/parcours\/(\d+)/.exec(page.url())?.[1])
    await expect(page.locator('canvas').first()).toBeVisible()

    // Its steps: the two ends are there, the departure gets a name.
    await page.goto(at(`/parcours/${id}?tab=itinerary`))
    const departure = page.getByRole('textbox', {
      name: t('sheet:steps.nameOf', { place: 1, language: locale === 'fr' ? 'français' : 'French' }),
    })
    await departure.fill('Église du bourg')
    const save =
      width === 390
        ? page.getByRole('button', { name: t('common:save'), exact: true })
        : page.getByRole('button', { name: t('common:form.save', { count: 1 }) })
    await save.first().click()
    await expect(page.getByText(t('sheet:done.saved')).first()).toBeVisible()

    // The passport lists the missing fields, leads to the field, and asks to save the values that were filled in.
    await page.goto(at(`/parcours/${id}?tab=information`))
    const passport = page.getByRole('complementary').getByRole('list').first()
    const missing = passport.getByRole('button', { name: t('common:lack.no_summary'), exact: true })
    await missing.first().click()
    const summary = page.getByRole('textbox', { name: new RegExp(`^${t('sheet:field.summary')}`) }).first()
    await expect(summary).toBeFocused()
    await summary.fill('Une sortie facile, du bourg au belvédère et retour.')
    await expect(passport.getByText(t('sheet:passport.touched')).first()).toBeVisible()
    await expectAccessible(page)
    await fits(page, width)

    // Publishing saves the unsaved values.
    if (width === 390) await page.getByRole('button', { name: t('sheet:menu.label') }).click()
    await page.getByRole(width === 390 ? 'menuitem' : 'button', { name: t('sheet:publish'), exact: true }).click()
    const published = page.getByText(t('sheet:done.published'))
    const sure = page.getByRole('dialog').getByRole('button', { name: t('sheet:publishEmpty.anyway') })
    await expect(published.or(sure).first()).toBeVisible()
    if (await sure.isVisible()) await sure.click()
    await expect(published.first()).toBeVisible()
    await expect(missing).toHaveCount(0)

    // The code to print.
    await page.goto(at(`/parcours/${id}?tab=sharing`))
    await page.getByRole('button', { name: t('sheet:sharing.makePermanent') }).click()
    await expect(page.getByRole('textbox', { name: t('sheet:sharing.permanentLabel') })).toHaveValue(/\/s\//)
    await expect(page.locator('img[src*="/qr.svg"]')).toBeVisible()
    await expectAccessible(page)
    await fits(page, width)

    // The public page, on the screen and on paper: both have the line on the map.
    await page.goto(at(`/p/x-${id}`))
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await page.locator('#map').scrollIntoViewIfNeeded()
    await expect(page.locator('#map.live[data-idle]')).toBeVisible({ timeout: 30_000 })
    await fits(page, width)
    await page.emulateMedia({ media: 'print' })
    await expect(page.locator('#map')).toBeVisible()
    await expect(page.locator('.downloads').first()).toBeHidden()
    if (width !== 390) expect((await page.pdf()).length).toBeGreaterThan(20_000)
  })
}
