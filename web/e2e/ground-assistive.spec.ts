import { expect, test, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { lineOf, northOf, parcours, parcoursId, phone, takeOffline, expectWaiting } from './ground'
import { run, signInByApi } from './records'
import { demoUrl } from './servers'

/** `/terrain` by keyboard, with a screen reader, and on a phone whose clock is wrong. */

test.use({ ...phone, permissions: ['geolocation'] })

/** A person who is signed in stands where the parcours begins. Returns its number. */
async function atTheStart(page: Page, context: BrowserContext): Promise<number> {
  await signInByApi(page, 'editeur')
  const id = await parcoursId(page)
  const [start] = await lineOf(page, id)
  if (start === undefined) throw new Error('the parcours has no line')
  await context.setGeolocation(northOf(start, 3))
  return id
}

/** Presses Tab until an element has the focus. */
async function reach(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible()
  for (let tries = 0; tries < 80; tries++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the keyboard does not reach ${String(wanted)}`)
}

async function press(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await reach(page, wanted)
  await page.keyboard.press(key)
}

test('with the keyboard alone, a parcours is taken along, a place is recorded without network, and it is sent', async ({
  page,
  context,
}) => {
  test.setTimeout(180_000)
  await atTheStart(page, context)

  await page.goto(`${demoUrl}/terrain/`)
  await press(page, page.getByRole('link', { name: 'Emporter un parcours ou une zone' }))
  await reach(page, page.getByRole('searchbox', { name: 'Rechercher un parcours' }))
  await page.keyboard.type(parcours)
  await expect(page.getByRole('checkbox')).toHaveCount(1)
  await press(page, page.getByRole('checkbox', { name: parcours }), 'Space')
  await press(page, page.getByRole('button', { name: 'Emporter 1 parcours' }))
  await expect(page.getByText('1 parcours est sur l’appareil.')).toBeVisible({ timeout: 60_000 })
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)

  await context.setOffline(true)
  await page.goto(`${demoUrl}/terrain/`)
  await press(page, page.getByRole('link', { name: parcours }))
  await expect(page.getByText('à 6 m près')).toBeVisible()
  await expect(page.locator('.map[data-idle]')).toBeVisible({ timeout: 30_000 })
  await press(page, page.getByRole('group', { name: 'Relever' }).getByRole('button', { name: 'Lieu' }))
  const form = page.getByRole('dialog')
  // Without a name it is refused, and the focus is where the name is missing.
  await press(page, form.getByRole('button', { name: 'Enregistrer' }))
  const name = form.getByRole('textbox', { name: /^Nom du lieu/ })
  await expect(name).toBeFocused()
  await page.keyboard.type(`Abri ${run}`)
  await press(page, form.getByRole('button', { name: 'Enregistrer' }))
  await expect(form).toBeHidden()
  await expect(page.getByRole('group', { name: 'Relever' }).getByRole('button', { name: 'Lieu' })).toBeFocused()
  await expectWaiting(page, 1)

  await context.setOffline(false)
  await press(page, page.getByRole('link', { name: /^Envois/ }))
  const sent = page.getByRole('list', { name: 'Envoyés aujourd’hui' }).getByRole('listitem')
  await expect(sent.filter({ hasText: `Abri ${run}` })).toHaveCount(1, { timeout: 30_000 })
})

test('the tree of a screen reader names what is there, what waits, and what is wrong', async ({ page, context }) => {
  test.setTimeout(120_000)
  const id = await atTheStart(page, context)
  await takeOffline(page)
  await context.setOffline(true)
  await page.goto(`${demoUrl}/terrain/`)
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - banner:
      - navigation "Écrans":
        - link "Sur l’appareil"
        - link "Envois (0)"
      - status: "Pas de réseau : tout reste sur l’appareil."
    - main:
      - heading "Sur le terrain" [level=1]
      - link "Emporter un parcours ou une zone"
      - heading "Emporté sur cet appareil" [level=2]
      - list:
        - listitem:
          - heading "${parcours}" [level=3]:
            - link "${parcours}"
          - button "Retirer ${parcours}"
    - contentinfo:
      - link "Aller au bureau"
      - button "English"
  `)
  await page.goto(`${demoUrl}/terrain/parcours/${id}`)
  await expect(page.getByText('à 6 m près')).toBeVisible()
  await expect(page.locator('main')).toMatchAriaSnapshot(`
    - main:
      - heading "${parcours}" [level=1]
      - group "Relever":
        - button "Lieu"
        - button "Signaler"
        - button "C’est juste"
  `)
  await page.getByRole('button', { name: 'Lieu' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Enregistrer' }).click()
  await expect(page.getByRole('dialog')).toMatchAriaSnapshot(`
    - dialog "Point d’intérêt":
      - heading "Point d’intérêt" [level=2]
      - textbox "Nom du lieu *" [invalid]
      - alert: Donnez un nom à ce lieu.
      - combobox "Catégorie"
      - button "Enregistrer"
  `)
})

test('a phone whose clock is two hours ahead records the hour of the server', async ({ page, context }) => {
  test.setTimeout(120_000)
  await page.addInitScript(() => {
    const now = Date.now.bind(Date)
    const ahead = 7_200_000
    const Plain = Date
    // `new Date()` too.
    window.Date = new Proxy(Plain, {
      construct: (made, given: unknown[]) => Reflect.construct(made, given.length === 0 ? [now() + ahead] : given) as object,
    })
    window.Date.now = () => now() + ahead
  })
  const id = await atTheStart(page, context)
  await takeOffline(page)
  await context.setOffline(true)
  await page.goto(`${demoUrl}/terrain/parcours/${id}`)
  await expect(page.getByText('à 6 m près')).toBeVisible()
  expect((await page.evaluate(() => Date.now())) - Date.now()).toBeGreaterThan(7_100_000)
  const before = Date.now()
  await page.getByRole('group', { name: 'Relever' }).getByRole('button', { name: 'Remarque' }).click()
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: /^Remarque/ })
    .fill(`Horloge ${run}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Enregistrer' }).click()
  await expectWaiting(page, 1)
  await context.setOffline(false)
  await expectWaiting(page, 0)
  const reply = await page.request.get(`${demoUrl}/api/v1/ground/entries?parcours_id=${id}&per_page=200`)
  const { items }: { items: { text?: string; made_at: string }[] } = await reply.json()
  const kept = items.find(({ text }) => text === `Horloge ${run}`)
  expect(Math.abs(Date.parse(kept?.made_at ?? '') - before)).toBeLessThan(120_000)
})
