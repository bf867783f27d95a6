import { expect, test, type Page } from '@playwright/test'
import { signInByApi } from './records'
import { demoUrl } from './servers'

/** A parcours of the demo with steps. */
const title = 'Gravel des trois bourgs'

async function open(page: Page): Promise<number> {
  const { items }: { items: { id: number }[] } = await (
    await page.request.get(`${demoUrl}/api/v1/parcours?search=${encodeURIComponent(title)}`)
  ).json()
  const id = items[0]?.id ?? 0
  await page.goto(`${demoUrl}/parcours/${id}/edit-trace`)
  // Names around a place are those of the map once it is drawn.
  await expect(page.locator('section[data-idle]')).toHaveCount(1, { timeout: 30_000 })
  return id
}

/** Screens of 1440 × 900 and 1920 × 1080 px enlarged to 200 %, and a low telephone. */
for (const [width, height] of [
  [720, 450],
  [960, 540],
  [390, 664],
] as const) {
  test(`the tools of the editor are whole at ${width} × ${height} px`, async ({ page }) => {
    await signInByApi(page, 'admin')
    await page.setViewportSize({ width, height })
    await open(page)
    const tools = page.getByRole('toolbar', { name: 'Outils' })
    await expect(tools).toBeVisible()
    const hidden = () =>
      tools.getByRole('button').evaluateAll((buttons) =>
        buttons.flatMap((button) => {
          const { left, top, right, bottom } = button.getBoundingClientRect()
          const inside = left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight
          const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
          return inside && button.contains(hit) ? [] : [button.getAttribute('aria-label')]
        }),
      )
    await expect.poll(hidden).toEqual([])
    expect(await tools.getByRole('button').count()).toBeGreaterThan(4)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  })
}

test('a step that is put on the line is named at once, and swapped coordinates are reported at their field', async ({ page }) => {
  await signInByApi(page, 'admin')
  await open(page)
  const steps = page.getByRole('list', { name: 'Étapes dans l’ordre du parcours' }).getByRole('listitem')
  await expect(steps).toHaveCount(5)
  await page.locator('.maplibregl-canvas').focus()
  await page.keyboard.press('a')
  await page
    .getByRole('button', { name: /^Ajouter une étape/ })
    .first()
    .click()
  await page.getByLabel('À un point kilométrique').fill('0,4')
  await page.keyboard.press('Enter')
  const name = page.getByRole('textbox', { name: 'Nom en français' })
  await expect(name).toBeFocused()
  // Names that the map shows around the place; letters that are typed are a name, not keys of the editor.
  await expect(page.getByRole('group', { name: 'Sur la carte, près d’ici' }).getByRole('button').first()).toBeVisible()
  await page.keyboard.type('Vieux lavoir')
  await expect(name).toHaveValue('Vieux lavoir')
  await page.getByRole('button', { name: 'Toutes les étapes' }).click()
  await expect(steps).toHaveCount(6)

  const coordinates = page.getByLabel('À des coordonnées')
  await coordinates.fill('3,1096 44,8925')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/avec les deux nombres inversés, il y serait/)).toBeVisible()
  await expect(coordinates).toHaveAttribute('aria-invalid', 'true')
  await expect(steps).toHaveCount(6)

  // The whole trace, from however near.
  const place = async () => {
    const box = await page.getByRole('button', { name: /^Étape D, / }).boundingBox()
    return box ? [Math.round(box.x), Math.round(box.y)] : null
  }
  const press = async (key: string) => {
    await page.locator('.maplibregl-canvas').focus()
    await page.keyboard.press(key)
    await page.waitForTimeout(800)
  }
  await press('0')
  const whole = await place()
  expect(whole).not.toBeNull()
  for (const _ of [1, 2]) await press('+')
  expect(await place()).not.toEqual(whole)
  await press('0')
  await expect.poll(place).toEqual(whole)
})
