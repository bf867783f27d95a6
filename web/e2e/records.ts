import { expect, type Locator, type Page } from '@playwright/test'
import { demoUrl } from './servers'
import { PASSWORD } from './session'

/** The mark of this run in the names of its records: the server also has the records of other runs. */
export const run = Date.now().toString(36)

/** Signs in to the demo by the API; `email` is the part before the @. */
export async function signInByApi(page: Page, email: string): Promise<void> {
  const reply = await page.request.post(`${demoUrl}/api/v1/session`, {
    data: { email: `${email}@demo.jalon.example`, password: PASSWORD },
    headers: { origin: demoUrl },
  })
  expect(reply.status()).toBe(200)
}

/** Creates a record through the API; returns its id. */
export async function createRecord(page: Page, path: string, data: object): Promise<number> {
  const reply = await page.request.post(`${demoUrl}/api/v1/${path}`, { data, headers: { origin: demoUrl } })
  expect(reply.status(), await reply.text()).toBe(201)
  const { id }: { id: number } = await reply.json()
  return id
}

/** Copies the longest parcours of the demo under this title; returns the id of the copy. */
export async function copyOfParcours(page: Page, title: string): Promise<number> {
  const list = await page.request.get(`${demoUrl}/api/v1/parcours?owner=mine&sort=-distance&per_page=1`)
  const { items }: { items: { id: number }[] } = await list.json()
  return createRecord(page, `parcours/${items[0]?.id}/duplicate`, { title: { fr: title } })
}

/** The first field of this name. */
export const field = (page: Page, name: string | RegExp): Locator => page.getByRole('textbox', { name }).first()

/** A field whose options are searched. */
export const searchField = (page: Page, label: string | RegExp): Locator =>
  page
    .getByRole('combobox', { name: label })
    .or(page.getByRole('textbox', { name: label }))
    .first()

/** Chooses an option in such a field. */
export async function choose(page: Page, label: string | RegExp, option: string | RegExp): Promise<void> {
  await searchField(page, label).click()
  await page.getByRole('option', { name: option }).first().click()
}

/** Presses « Enregistrer 2 changements » in the form that is shown. */
export const saveChanges = (page: Page): Promise<void> => page.getByRole('button', { name: /^Enregistrer \d changement/ }).click()

/** Restores a record from the bin by its title, without putting it back where it was used. */
export async function restoreFromBin(page: Page, title: string): Promise<void> {
  await page.goto(`${demoUrl}/settings/corbeille?search=${encodeURIComponent(title)}`)
  await page.getByRole('button', { name: `Restaurer ${title}` }).click()
  const message = page.getByText(/est restauré/)
  // A record that was used asks first whether to put it back.
  const alone = page.getByRole('button', { name: 'Restaurer seulement' })
  await expect(message.or(alone)).toBeVisible()
  if (await alone.isVisible()) await alone.click()
  await expect(message).toBeVisible()
}
