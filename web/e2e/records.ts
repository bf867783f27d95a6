import { expect, type Locator, type Page } from '@playwright/test'
import { demoUrl } from './servers'
import { PASSWORD } from './session'

/** Other runs on the same server made records too. */
export const run = Date.now().toString(36)

/** Signs in to the demo by the API; `email` is the part before the @. */
export async function signedIn(page: Page, email: string): Promise<void> {
  const reply = await page.request.post(`${demoUrl}/api/v1/session`, {
    data: { email: `${email}@demo.jalon.example`, password: PASSWORD },
    headers: { origin: demoUrl },
  })
  expect(reply.status()).toBe(200)
}

/** A record made without the screens: what another test already shows. */
export async function made(page: Page, path: string, data: object): Promise<number> {
  const reply = await page.request.post(`${demoUrl}/api/v1/${path}`, { data, headers: { origin: demoUrl } })
  expect(reply.status(), await reply.text()).toBe(201)
  const { id }: { id: number } = await reply.json()
  return id
}

/** A copy, under this title, of a parcours of the demo with a trace. */
export async function copyOfParcours(page: Page, title: string): Promise<number> {
  const list = await page.request.get(`${demoUrl}/api/v1/parcours?owner=mine&sort=-distance&per_page=1`)
  const { items }: { items: { id: number }[] } = await list.json()
  return made(page, `parcours/${items[0]?.id}/duplicate`, { title: { fr: title } })
}

/** The first field of this name. */
export const field = (page: Page, name: string | RegExp): Locator => page.getByRole('textbox', { name }).first()

/** A field whose answers are searched. */
export const searched = (page: Page, label: string | RegExp): Locator =>
  page
    .getByRole('combobox', { name: label })
    .or(page.getByRole('textbox', { name: label }))
    .first()

/** The answer chosen in a field that is searched. */
export async function choose(page: Page, label: string | RegExp, option: string | RegExp): Promise<void> {
  await searched(page, label).click()
  await page.getByRole('option', { name: option }).first().click()
}

/** « Enregistrer 2 changements », on whatever form is shown. */
export const saveChanges = (page: Page): Promise<void> => page.getByRole('button', { name: /^Enregistrer \d changement/ }).click()

/** Taken back from the bin, by its name there, without the places where it was. */
export async function restored(page: Page, title: string): Promise<void> {
  await page.goto(`${demoUrl}/settings/corbeille?search=${encodeURIComponent(title)}`)
  await page.getByRole('button', { name: `Restaurer ${title}` }).click()
  const restored = page.getByText(/est restauré/)
  // What was used somewhere says where first.
  const alone = page.getByRole('button', { name: 'Restaurer seulement' })
  await expect(restored.or(alone)).toBeVisible()
  if (await alone.isVisible()) await alone.click()
  await expect(restored).toBeVisible()
}
