import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { tabTo } from './keyboard'
import { measures, settledMeasures } from './measures'
import { demoUrl } from './servers'
import { signIn } from './session'

const steps = (page: Page) => page.getByRole('list', { name: 'Étapes dans l’ordre du parcours' }).getByRole('listitem')

async function settled(page: Page): Promise<void> {
  await expect(page.getByText('Calcul en cours')).toHaveCount(0, { timeout: 30_000 })
}

/** The editor of a new parcours from Montpezel to Lornay, planned on foot. */
async function drawn(page: Page, title: string, places: readonly string[]): Promise<void> {
  await page.goto(demoUrl)
  await signIn(page)
  const made = await page.request.post(`${demoUrl}/api/v1/parcours`, { data: { title: { fr: title } }, headers: { origin: demoUrl } })
  expect(made.status()).toBe(201)
  const { id }: { id: number } = await made.json()
  await page.goto(`${demoUrl}/parcours/${id}/edit-trace`)
  await expect(page.locator('section[data-idle]')).toHaveCount(1, { timeout: 30_000 })
  if (places.length === 0) return
  await page.getByRole('button', { name: 'Tracer sur la carte' }).click()
  await page.getByRole('button', { name: 'Ajouter une étape A', exact: true }).click()
  for (const [index, place] of places.entries()) {
    await page.getByLabel('À des coordonnées').fill(place)
    await page.keyboard.press('Enter')
    await expect(steps(page)).toHaveCount(index + 1, { timeout: 30_000 })
  }
  await settled(page)
  await page.keyboard.press('Escape')
}

const montpezel = '44,8925 3,1096'
const lornay = '44,83449 3,08006'

test('the way is described turn by turn, another one is taken with the keyboard, and one undo brings the first back', async ({ page }) => {
  await drawn(page, 'Autres chemins', [montpezel, lornay])
  await page.getByRole('tab', { name: 'Guidage' }).click()
  const turns = page.getByRole('list', { name: 'Instructions dans l’ordre du parcours' }).getByRole('listitem')
  await expect(turns.first()).toContainText('Partez')
  await expect(turns.last()).toContainText('Vous êtes arrivé')
  await turns.first().getByRole('button').focus()
  await page.keyboard.press('ArrowDown')
  await expect(turns.nth(1).getByRole('button').first()).toHaveAttribute('aria-current', 'true')
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Étapes' }).click()
  const before = await settledMeasures(page)
  await page.locator('.maplibregl-canvas').focus()
  await page.keyboard.press('p')
  const ways = page.getByRole('region', { name: 'Autres chemins' })
  await expect(ways.getByRole('listitem')).not.toHaveCount(0, { timeout: 30_000 })
  const count = await ways.getByRole('listitem').count()
  expect(count).toBeGreaterThan(1)
  // As many numbers on the map as in the list.
  await expect(page.getByRole('button', { name: /^Proposition \d/ })).toHaveCount(count)
  await expectAccessible(page)
  const second = ways.getByRole('listitem').nth(1).getByRole('button')
  await tabTo(page, second)
  await page.keyboard.press('Enter')
  await expect(ways).toHaveCount(0)
  await settled(page)
  await expect(measures(page)).not.toHaveText(before, { timeout: 30_000 })
  await page.keyboard.press('Control+z')
  await expect(measures(page)).toHaveText(before, { timeout: 30_000 })
})

test('a way is avoided by its kilometres, and the trace runs around it', async ({ page }) => {
  await drawn(page, 'Éviter un chemin', [montpezel, lornay])
  const before = await settledMeasures(page)
  await page.locator('.maplibregl-canvas').focus()
  await page.keyboard.press('e')
  const panel = page.getByRole('region', { name: 'Éviter ce chemin' })
  await panel.getByLabel('Du km').fill('1,5')
  await panel.getByLabel('Au km').fill('2,5')
  await panel.getByRole('button', { name: /^Éviter ces 1,0/ }).click()
  await expect(panel.getByRole('listitem')).toHaveCount(1, { timeout: 30_000 })
  await expectAccessible(page)
  await panel.getByRole('listitem').getByRole('button').click()
  await settled(page)
  await expect(measures(page)).not.toHaveText(before, { timeout: 30_000 })
})

test('a loop of the wanted length becomes the trace of an empty parcours, and is saved', async ({ page }) => {
  await drawn(page, 'Une boucle', [])
  await page.getByRole('button', { name: 'Proposer une boucle' }).click()
  const panel = page.getByRole('region', { name: 'Boucle depuis ici' })
  await panel.getByLabel('Latitude, longitude').fill(montpezel)
  await panel.getByLabel('Longueur').fill('12')
  await panel.getByRole('button', { name: 'Chercher des boucles' }).click()
  await expect(panel.getByRole('listitem')).not.toHaveCount(0, { timeout: 30_000 })
  await expectAccessible(page)
  await panel.getByRole('listitem').first().getByRole('button').click()
  await expect(steps(page).first()).toContainText('Départ')
  await settled(page)
  await expect(measures(page)).toContainText(/1[0-4],\d\skm/, { timeout: 30_000 })
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Tracé enregistré.')).toBeVisible({ timeout: 30_000 })
})
