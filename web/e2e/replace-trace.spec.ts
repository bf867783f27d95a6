import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { demoUrl } from './servers'
import { signIn } from './session'

/** A published parcours of the demo with steps. */
const title = 'Gravel des trois bourgs'

const points = Array.from(
  { length: 120 },
  (_, at) => `<trkpt lat="${44.8 + at * 0.0006}" lon="${3.05 + at * 0.0004}"><ele>${500 + (at % 40)}</ele></trkpt>`,
).join('')
const file = {
  name: 'autre.gpx',
  mimeType: 'application/gpx+xml',
  buffer: Buffer.from(
    `<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${points}</trkseg></trk></gpx>`,
  ),
}

test('a file is compared with the trace it would replace, and is a draft that Ctrl Z takes back whole', async ({ page }) => {
  await page.goto(demoUrl)
  await signIn(page)
  const { items }: { items: { id: number }[] } = await (
    await page.request.get(`${demoUrl}/api/v1/parcours?search=${encodeURIComponent(title)}`)
  ).json()
  const id = items[0]?.id ?? 0
  const kept = async () => {
    const parcours: { version: number; steps: unknown; trace: unknown } = await (
      await page.request.get(`${demoUrl}/api/v1/parcours/${id}`)
    ).json()
    return parcours
  }
  const before = await kept()
  await page.goto(`${demoUrl}/parcours/${id}/edit-trace`)
  const steps = page.getByRole('list', { name: 'Étapes dans l’ordre du parcours' }).getByRole('listitem')
  await expect(steps).toHaveCount(5)
  const length = page.getByRole('group', { name: 'Mesures' })
  await expect(length).toContainText('39,7')

  await page.locator('input[type=file]').setInputFiles(file)
  const dialog = page.getByRole('dialog')
  const row = (name: string) => dialog.getByRole('row', { name: new RegExp(name) })
  await expect(row('Longueur')).toContainText('39,7')
  await expect(row('Longueur')).toContainText('8,8')
  await expect(row('Fiabilité')).toContainText(/100,0.*\d+,\d/, { timeout: 30_000 })
  await expectAccessible(page)
  await dialog.getByRole('combobox', { name: /Les Échines/ }).selectOption({ label: 'Retirer' })
  await dialog.getByRole('button', { name: 'Importer ce tracé' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(length).toContainText('8,8')
  await expect(steps).toHaveCount(4)
  await expect(steps.nth(1)).toContainText('du tracé')
  expect(await kept(), 'nothing was saved').toEqual(before)

  await page.keyboard.press('Control+z')
  await expect(length).toContainText('39,7')
  await expect(steps).toHaveCount(5)
  await expect(page.getByRole('button', { name: 'Enregistrer le tracé' })).toHaveAttribute('aria-disabled', 'true')
  expect(await kept(), 'a file that was taken back leaves nothing behind').toEqual(before)
})

test('the way back climbs what the way there descends', async ({ page }) => {
  await page.goto(demoUrl)
  await signIn(page)
  const { items }: { items: { id: number; ascent_m: number }[] } = await (
    await page.request.get(`${demoUrl}/api/v1/parcours?search=${encodeURIComponent(title)}`)
  ).json()
  await page.goto(`${demoUrl}/parcours/${items[0]?.id ?? 0}/edit-trace`)
  const measures = page.getByRole('group', { name: 'Mesures' })
  const climbs = async () => [...(await measures.innerText()).matchAll(/D[+−]\s*(\d+)\s*m/gu)].map(([, metres]) => Number(metres))
  await expect(measures).toContainText('D+')
  const [up, down] = await climbs()
  await page.getByRole('button', { name: 'Inverser', exact: true }).click()
  await expect(page.getByText('Calcul en cours')).toHaveCount(0, { timeout: 30_000 })
  await expect.poll(climbs, { timeout: 30_000 }).not.toEqual([up, down])
  const [upBack, downBack] = await climbs()
  expect(Math.abs((upBack ?? 0) - (down ?? 0))).toBeLessThan(10)
  expect(Math.abs((downBack ?? 0) - (up ?? 0))).toBeLessThan(10)
})
