import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { saveEntry, phone, takeOffline, expectWaiting } from './ground'
import { createRecord, run, signInByApi } from './records'
import { demoUrl } from './servers'

/** Two phones without network correct the same step; at the desk, what both changed is a question, and nothing is lost. */

test.use(phone)

const name = `Tour des deux téléphones ${run}`
const step = 'Lavoir'

/** The phone of another person. */
async function phoneOf(browser: Browser, email: string): Promise<Page> {
  const context = await browser.newContext({ ...phone, locale: 'fr-FR', timezoneId: 'Europe/Paris' })
  const page = await context.newPage()
  await signInByApi(page, email)
  return page
}

/** A parcours with a line of the demo and one step. */
async function madeParcours(page: Page): Promise<number> {
  const gpx = await (await page.request.get(`${demoUrl}/api/v1/parcours/1/trace/source`)).body()
  const { line }: { line: [number, number][] } = await (await page.request.get(`${demoUrl}/api/v1/parcours/1/trace`)).json()
  const [lon, lat] = line[Math.floor(line.length / 2)] ?? [0, 0]
  const id = await createRecord(page, 'parcours', {
    title: { fr: name },
    steps: [{ kind: 'step', title: { fr: step }, description: { fr: 'Eau potable.' }, position: [lon, lat] }],
  })
  const headers = { origin: demoUrl, 'if-match': '*', 'content-type': 'application/octet-stream' }
  const reply = await page.request.post(`${demoUrl}/api/v1/parcours/${id}/trace/source?file_name=tour.gpx`, { data: gpx, headers })
  expect(reply.status()).toBe(200)
  return id
}

/** Without network, on what was taken along. */
async function correct(page: Page, id: number, title: string, text: string): Promise<void> {
  await page.context().setOffline(true)
  await page.goto(`${demoUrl}/terrain/parcours/${id}`)
  await page.locator('summary').filter({ hasText: 'Étapes' }).click()
  await page.getByRole('button', { name: `Corriger : 1. ${step}` }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Nom' }).fill(title)
  await form.getByRole('textbox', { name: /^Texte/ }).fill(text)
  await saveEntry(page)
  await expectWaiting(page, 1)
}

/** The network is back: what waited is sent. */
async function comeBack(page: Page): Promise<void> {
  await page.context().setOffline(false)
  await page.getByRole('link', { name: /^Envois/ }).click()
  await expect(page.getByRole('list', { name: 'Envoyés aujourd’hui' }).getByRole('listitem')).toHaveCount(1, { timeout: 60_000 })
}

/** A correction at the desk, opened, and one of its fields. */
async function opened(page: Page, title: string): Promise<(field: string) => Locator> {
  const item = page.locator('[data-entry]').filter({ hasText: title })
  await expect(item).toHaveCount(1)
  await item.getByRole('button', { name: 'Relire la correction' }).click()
  return (field) => item.getByRole('checkbox', { name: field })
}

test('two phones correct the same step without network, and the desk merges both', async ({ page, browser }) => {
  test.setTimeout(180_000)
  await signInByApi(page, 'editeur')
  const id = await madeParcours(page)
  const other = await phoneOf(browser, 'admin')
  await takeOffline(page, name)
  await takeOffline(other, name)

  // Both know « Lavoir » and « Eau potable. ».
  await correct(page, id, `Lavoir d’en bas ${run}`, 'Eau potable.')
  await correct(other, id, `Vieux lavoir ${run}`, 'Eau non potable.')
  // The second phone is the first to come back.
  await comeBack(other)
  await comeBack(page)

  const desk = await phoneOf(browser, 'editeur')
  await desk.goto(`${demoUrl}/releves`)
  const second = await opened(desk, `Vieux lavoir ${run}`)
  await expect(second('Nom')).toBeChecked()
  await expect(second('Texte')).toBeChecked()
  const of = (title: string) => desk.locator('[data-entry]').filter({ hasText: title })
  await of(`Vieux lavoir ${run}`).getByRole('button', { name: 'Appliquer' }).click()
  await expect(desk.getByText('Correction appliquée.')).toBeVisible()
  await expect(of(`Vieux lavoir ${run}`)).toHaveCount(0)

  // The other one wants another name for what is no longer « Lavoir »: shown, with all three, and not ticked.
  const first = await opened(desk, `Lavoir d’en bas ${run}`)
  await expect(first('Nom')).not.toBeChecked()
  await expect(first('Texte')).toHaveCount(0)
  await expect(of(`Lavoir d’en bas ${run}`)).toContainText('Modifié depuis le relevé. C’était : Lavoir')
  await expect(of(`Lavoir d’en bas ${run}`)).toContainText('Vieux lavoir')
  await expectAccessible(desk)
  await first('Nom').check()
  await of(`Lavoir d’en bas ${run}`).getByRole('button', { name: 'Appliquer' }).click()
  await expect(of(`Lavoir d’en bas ${run}`)).toHaveCount(0)

  // The name that the desk chose, and the text that only one phone changed.
  const { steps }: { steps: { title: { fr?: string }; description: { fr?: string } }[] } = await (
    await desk.request.get(`${demoUrl}/api/v1/parcours/${id}`)
  ).json()
  expect(steps.map(({ title, description }) => [title.fr, description.fr])).toEqual([[`Lavoir d’en bas ${run}`, 'Eau non potable.']])
  await other.context().close()
  await desk.context().close()
})
