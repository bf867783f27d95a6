import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { tabAndPress, tabTo } from './keyboard'
import { measures, settledMeasures } from './measures'
import { demoUrl } from './servers'
import { signIn } from './session'

/** The editor of a new parcours of the demo, its map drawn. */
async function newParcours(page: Page, title: string): Promise<void> {
  await page.goto(demoUrl)
  await signIn(page)
  const made = await page.request.post(`${demoUrl}/api/v1/parcours`, {
    data: { title: { fr: title }, is_loop: false },
    headers: { origin: demoUrl },
  })
  expect(made.status()).toBe(201)
  const { id }: { id: number } = await made.json()
  await page.goto(`${demoUrl}/parcours/${id}/edit-trace`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.locator('section[data-idle]')).toHaveCount(1, { timeout: 30_000 })
}

const steps = (page: Page) => page.getByRole('list', { name: 'Étapes dans l’ordre du parcours' }).getByRole('listitem')

async function save(page: Page): Promise<void> {
  await expect(page.getByText('Calcul en cours')).toHaveCount(0, { timeout: 30_000 })
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Tracé enregistré.')).toBeVisible({ timeout: 30_000 })
}

test('a parcours drawn with the mouse: the line follows the network, is bent, undone and saved', async ({ page }) => {
  await newParcours(page, 'Dessiné à la souris')
  await page.getByRole('button', { name: 'Tracer sur la carte' }).click()
  const canvas = page.locator('.maplibregl-canvas')
  const at = async (x: number, y: number) => {
    const box = await canvas.boundingBox()
    if (!box) throw new Error('the map is not on the screen')
    return { x: box.x + box.width * x, y: box.y + box.height * y }
  }
  const press = async (x: number, y: number) => {
    const there = await at(x, y)
    await page.mouse.click(there.x, there.y)
  }
  // Montpezel, then a slope without a way, then Lornay: the map opens on the bounds of the white-label.
  await press(...place.montpezel)
  await expect(steps(page)).toHaveCount(1)
  await press(...place.slope)
  await expect(page.getByRole('alert').filter({ hasText: /Aucun chemin à moins de 150.m/ })).toBeVisible({ timeout: 30_000 })
  await expect(steps(page)).toHaveCount(1)
  await press(...place.lornay)
  await expect(steps(page)).toHaveCount(2)
  const length = measures(page)
  const drawn = await settledMeasures(page)

  await page.keyboard.press('v')
  const disc = page.locator('[data-step]').last()
  const box = await disc.boundingBox()
  if (!box) throw new Error('the arrival is not on the map')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  const there = await at(...place.road)
  await page.mouse.move(there.x, there.y, { steps: 12 })
  await page.mouse.up()
  await expect(length).not.toHaveText(drawn, { timeout: 30_000 })
  await expect(page.getByText('Calcul en cours')).toHaveCount(0, { timeout: 30_000 })
  await page.getByRole('button', { name: /^Annuler : déplacer une étape/ }).click()
  await expect(length).toHaveText(drawn, { timeout: 30_000 })
  await expectAccessible(page)
  await save(page)

  await page.reload()
  await expect(steps(page)).toHaveCount(2)
  await expect(length).toHaveText(drawn)
})

test('a parcours drawn with the keyboard alone: by the cross-hair, and by coordinates', async ({ page }) => {
  await newParcours(page, 'Dessiné au clavier')
  await tabAndPress(page, page.getByRole('button', { name: 'Tracer sur la carte' }))
  await expect(page.locator('.maplibregl-canvas')).toBeFocused()
  // Southwards, so that a way is within 150 m of the cross-hair.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const refused = page.getByText(/Aucun chemin à moins de 150.m/)
  await expect(steps(page).first().or(refused)).toBeVisible()
  await tabAndPress(page, page.getByRole('button', { name: 'Ajouter une étape A' }))
  for (const written of ['44,8925 3,1096', '44,9236 3,1527']) {
    await tabTo(page, page.getByLabel('À des coordonnées'))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(written)
    await page.keyboard.press('Enter')
  }
  await expect(steps(page)).toHaveCount(3, { timeout: 30_000 })
  await save(page)
  await expectAccessible(page)
})

/** Places of the demo on its map as it opens, in shares of the canvas. */
const place = { montpezel: [0.307, 0.548], slope: [0.415, 0.634], lornay: [0.229, 0.911], road: [0.424, 0.832] } as const
