import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { saveChanges } from './records'
import { ownServer } from './servers'
import { signIn } from './session'

test('the key of a source is entered apart from its address, and forgotten when the address moves to another server', async ({ page }) => {
  const own = await ownServer()
  try {
    await page.goto(own.url)
    await signIn(page, '/settings/imports-parcours')
    const made = await page.request.post(`${own.url}/api/v1/import-sources`, {
      data: { name: 'Le parc', kind: 'features', url: 'https://un.example/items?f=json' },
      headers: { origin: own.url },
    })
    const { id }: { id: number } = await made.json()
    await page.goto(`${own.url}/settings/imports-parcours/${id}?tab=options`)
    const address = page.getByLabel('Adresse de la source')

    // A key in clear in the address is refused in words.
    await address.fill('https://un.example/items?f=json&apikey=abc123')
    await saveChanges(page)
    await expect(page.getByText('Cette adresse contient une clé en clair (apikey).', { exact: false }).first()).toBeVisible()
    await address.fill('https://un.example/items?f=json&apikey=[CLE]')
    await saveChanges(page)

    await page.getByRole('button', { name: 'Enregistrer une clé' }).click()
    await page.getByRole('dialog').getByLabel('Clé d’accès').fill('abc123')
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Enregistrer la clé' }).click()
    await expect(page.getByText('Elle ne vaut que pour le serveur de l’adresse.', { exact: false })).toBeVisible()
    await expectAccessible(page)

    await address.fill('https://deux.example/items?f=json&apikey=[CLE]')
    await saveChanges(page)
    await expect(page.getByText('L’adresse a changé de serveur : la clé enregistrée a été oubliée.', { exact: false })).toBeVisible()
    await expect(page.getByText('Aucune clé n’est enregistrée.')).toBeVisible()
    await expectAccessible(page)
  } finally {
    await own.stop()
  }
})
