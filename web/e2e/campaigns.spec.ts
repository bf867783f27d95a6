import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { choose, createRecord, run, saveChanges, signInByApi } from './records'
import { demoUrl } from './servers'

const name = `Récolement ${run}`
const parcours = 'Le tour du lac de Brève par les belvédères'

test('a campaign says what is to be checked, a warden checks it without network, and the desk sees it done', async ({ browser }) => {
  test.setTimeout(180_000)
  const desk = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await signInByApi(desk, 'admin')
  await desk.goto(`${demoUrl}/campagnes`)
  await expectAccessible(desk)

  // From the list of parcours, with one that is ticked.
  await desk.goto(`${demoUrl}/parcours?search=${encodeURIComponent(parcours)}`)
  await desk.getByRole('row').filter({ hasText: parcours }).getByRole('checkbox').check()
  await desk.getByRole('button', { name: 'Campagne de vérification…' }).click()
  await expect(desk).toHaveURL(/\/campagnes\/new/)
  await expect(desk.getByRole('group', { name: `1. ${parcours}` })).toBeVisible()
  await desk.getByRole('textbox', { name: 'Nom' }).fill(name)
  await desk.getByRole('textbox', { name: 'Consignes' }).fill('Balisage et passerelles.')
  await choose(desk, 'Personnes', /Bastide/)
  await desk.keyboard.press('Escape')
  const stretch = desk.getByRole('group', { name: `1. ${parcours}` })
  await stretch.getByRole('textbox', { name: 'Du km' }).fill('1,5')
  await stretch.getByRole('textbox', { name: 'Au km' }).fill('1')
  await desk.getByRole('button', { name: 'Créer la campagne' }).click()
  await expect(desk.getByText('Un tronçon va d’un point du parcours à un autre').first()).toBeVisible()
  await stretch.getByRole('textbox', { name: 'Au km' }).fill('2,5')
  await expectAccessible(desk)
  await desk.getByRole('button', { name: 'Créer la campagne' }).click()
  await expect(desk.getByText('Campagne sauvegardée !')).toBeVisible()
  await expect(desk.getByRole('cell', { name: /sur 1,0 km/ })).toBeVisible()
  await expect(desk.locator('[data-idle]').first()).toBeVisible({ timeout: 30_000 })
  await expectAccessible(desk)

  // On the ground: one touch takes what is asked of the person.
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, permissions: ['geolocation'], hasTouch: true })
  const phone = await context.newPage()
  await signInByApi(phone, 'editeur')
  await phone.goto(`${demoUrl}/terrain/emporter`)
  const mine = phone.getByRole('listitem').filter({ has: phone.getByRole('heading', { name }) })
  await mine.getByRole('button', { name: 'Cocher son parcours' }).click()
  await expectAccessible(phone)
  await phone.getByRole('button', { name: 'Emporter 1 parcours' }).click()
  await expect(phone.getByText('1 parcours est sur l’appareil.')).toBeVisible({ timeout: 60_000 })
  await phone.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await expect.poll(() => phone.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await phone.getByRole('link', { name: 'Emporté sur cet appareil' }).click()
  await context.setOffline(true)
  await phone.reload()
  await phone.getByRole('link', { name: parcours }).click()
  const asked = phone.getByRole('list', { name: 'À vérifier pour moi' })
  await expect(asked.getByRole('listitem').filter({ hasText: name })).toContainText('À vérifier de 1,5 km à 2,5 km')
  await expect(asked).toContainText('Balisage et passerelles.')
  await expectAccessible(phone, { quiet: false })
  await phone.getByRole('group', { name: 'Relever' }).getByRole('button', { name: 'C’est juste' }).click()
  await phone.getByRole('dialog').getByRole('button', { name: 'Enregistrer' }).click()
  await expect(phone.getByText(/^Enregistré sur l’appareil à/)).toBeVisible()
  await context.setOffline(false)
  await phone.getByRole('link', { name: /^Envois/ }).click()
  await expect(phone.getByRole('list', { name: 'Envoyés aujourd’hui' }).getByRole('listitem')).toHaveCount(1, { timeout: 60_000 })

  // At the desk all of it is checked, and leaves as a file.
  await desk.reload()
  await expect(desk.getByText('Tout est vérifié').first()).toBeVisible()
  await expect(desk.getByRole('cell', { name: '1,0 km sur 1,0 km (100 %)' })).toBeVisible()
  const waiting = desk.waitForEvent('download')
  await desk.getByRole('link', { name: 'Exporter en CSV' }).click()
  expect((await waiting).suggestedFilename()).toMatch(/^recolement-.*\.csv$/)
  await desk.getByRole('switch', { name: 'Terminée' }).click()
  await saveChanges(desk)
  await expect(desk.getByText('Campagne sauvegardée !').last()).toBeVisible()
  await phone.goto(`${demoUrl}/terrain/emporter`)
  await expect(phone.getByRole('checkbox').first()).toBeVisible()
  await expect(phone.getByRole('heading', { name })).toHaveCount(0)
  await context.close()
  await desk.close()
})

test('on a phone the list of campaigns says until when, and what is overdue', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const page = await context.newPage()
  await signInByApi(page, 'admin')
  const late = `Balisage ${run}`
  const found = await page.request.get(`${demoUrl}/api/v1/parcours?owner=mine&search=${encodeURIComponent(parcours)}`)
  const { items }: { items: { id: number }[] } = await found.json()
  const stretches = items.map(({ id }) => ({ parcours_id: id }))
  await createRecord(page, 'survey-campaigns', { name: late, starts_on: '2026-03-01', due_on: '2026-05-31', user_ids: [], stretches })
  await page.goto(`${demoUrl}/campagnes?search=${encodeURIComponent(late)}`)
  const row = page.getByRole('row').filter({ hasText: late })
  await expect(row.getByText('jusqu’au 31 mai 2026')).toBeVisible()
  await expect(row.getByText('En retard')).toBeVisible()
  await expectAccessible(page)
  await context.close()
})
