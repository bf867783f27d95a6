import { expect, test, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { createRecord, run, saveChanges, signInByApi } from './records'
import { demoUrl } from './servers'

/** One letter each 400 ms: a user who types slowly. */
const SLOW_MS = 400

/** The field has all of the typed text, and has kept the focus. */
async function expectKept(field: Locator, text: string): Promise<void> {
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(text)
}

/** An accent by a dead key, as a browser hears it: begun, then whole. */
async function deadKey(page: Page, begun: string, whole: string): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Input.imeSetComposition', { text: begun, selectionStart: begun.length, selectionEnd: begun.length })
  await page.waitForTimeout(SLOW_MS)
  await cdp.send('Input.insertText', { text: whole })
}

const lists = [
  { path: '/parcours', label: 'Rechercher un parcours' },
  { path: '/pois', label: /^Rechercher/ },
  { path: '/medias', label: /^Rechercher/ },
  { path: '/lignes', label: /^Rechercher/ },
  { path: '/settings/contacts', label: /^Rechercher/ },
  { path: '/settings/corbeille', label: /^Rechercher/ },
]

for (const { path, label } of lists) {
  test(`slow typing in the search of ${path} keeps its letters, its accents, what is pasted and the focus`, async ({ page }) => {
    await signInByApi(page, 'admin')
    await page.goto(`${demoUrl}${path}`)
    const field = page.getByRole('main').getByRole('searchbox', { name: label }).first()
    await field.click()
    await field.evaluate((input) => input.setAttribute('data-same', 'yes'))
    await page.keyboard.type('tour', { delay: SLOW_MS })
    await expectKept(field, 'tour')
    await page.keyboard.type(' de la for', { delay: 120 })
    await deadKey(page, '^', 'ê')
    await page.keyboard.type('t', { delay: SLOW_MS })
    await expectKept(field, 'tour de la forêt')
    await expect(page).toHaveURL(/search=tour\+de\+la\+for%C3%AAt/)
    await page.keyboard.insertText(' du Loup')
    await expectKept(field, 'tour de la forêt du Loup')
    await expect(page).toHaveURL(/Loup/)
    await expect(field).toHaveAttribute('data-same', 'yes')
    // Letter by letter back to nothing: still there.
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await expect(page).not.toHaveURL(/search=/)
    await expectKept(field, '')
  })
}

test('views and cleared filters set the search field, whatever was typed in it', async ({ page }) => {
  await signInByApi(page, 'admin')
  // Views of other runs on this server look for something else.
  const words = `lac ${run.slice(-4)}`
  await page.goto(`${demoUrl}/parcours`)
  const field = page.getByRole('main').getByRole('searchbox', { name: 'Rechercher un parcours' })
  await field.click()
  await page.keyboard.type(words, { delay: SLOW_MS })
  await expect(page).toHaveURL(/search=lac/)
  await page
    .getByRole('navigation', { name: 'Vues enregistrées' })
    .getByRole('link', { name: /^À compléter/ })
    .click()
  await expect(field).toHaveValue('')
  await page.goBack()
  await expect(field).toHaveValue(words)
  // A personal view is saved beside the shared ones, and opens with all its settings.
  const name = `Lacs ${run}`
  await page.getByRole('button', { name: 'Enregistrer cette vue' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nom').first().fill(name)
  await dialog.getByRole('button', { name: 'Enregistrer cette vue' }).click()
  const view = page.getByRole('navigation', { name: 'Vues enregistrées' }).getByRole('link', { name })
  await expect(view).toHaveAttribute('aria-current', 'page')
  await page.getByRole('navigation', { name: 'Vues enregistrées' }).getByRole('link', { name: /^Tous/ }).click()
  await expect(field).toHaveValue('')
  await view.click()
  await expect(field).toHaveValue(words)
  await expectAccessible(page)
})

test('typing in a text whose editor comes late is kept whole, Enter and accents too', async ({ page }) => {
  await signInByApi(page, 'editeur')
  const id = await createRecord(page, 'parcours', { title: { fr: `Texte ${run}` } })
  let open = () => undefined as void
  const gate = new Promise<void>((done) => {
    open = done
  })
  await page.route(/RichEditor.*\.js/, async (route) => {
    await gate
    await route.continue()
  })
  await page.goto(`${demoUrl}/parcours/${id}?tab=information`)
  const text = page.getByRole('textbox', { name: /^Description \(français\)/ })
  await text.click()
  await page.keyboard.type('Au bord du lac', { delay: 40 })
  await page.keyboard.press('Enter')
  await page.keyboard.type('la for', { delay: 40 })
  await deadKey(page, '^', 'ê')
  await page.keyboard.insertText('t à 3 €')
  open()
  await expect(page.locator('.ProseMirror')).toBeVisible()
  await page.keyboard.type(' !')
  await expect(text).toHaveText(/Au bord du lac\s*la forêt à 3 € !/)
  await saveChanges(page)
  const saved = async () => {
    const { description }: { description: { fr?: string } } = await (await page.request.get(`${demoUrl}/api/v1/parcours/${id}`)).json()
    return description.fr ?? ''
  }
  await expect.poll(saved).toContain('la forêt à 3 € !</p>')
  expect(await saved()).toContain('Au bord du lac</p>')
})

test('another language on a sheet changes the page, asks over unsaved changes and loses none of them', async ({ page }) => {
  await signInByApi(page, 'admin')
  const id = await createRecord(page, 'contacts', { last_name: `Langue ${run}`, email: `langue-${run}@x.example` })
  await page.goto(`${demoUrl}/settings/contacts/${id}`)
  const switchTo = async (label: RegExp, language: string) => {
    await page.getByRole('button', { name: label }).first().click()
    await page.getByRole('menuitem', { name: language }).click()
  }
  await switchTo(/^Langue/, 'English')
  await expect(page).toHaveURL(new RegExp(`/en/settings/contacts/${id}`))
  await expect(page.getByLabel(/^Last name/)).toBeVisible()
  await switchTo(/^Language/, 'Français')
  await expect(page).toHaveURL(new RegExp(`${demoUrl}/settings/contacts/${id}`))
  const first = page.getByLabel(/^Prénom/)
  await first.fill('Maïlys')
  await switchTo(/^Langue/, 'English')
  await expect(page.getByRole('dialog')).toContainText('1 changement n’est pas enregistré')
  await page.getByRole('button', { name: 'Garder cette langue' }).click()
  await expect(first).toHaveValue('Maïlys')
  await switchTo(/^Langue/, 'English')
  await page.getByRole('button', { name: 'Changer sans enregistrer' }).click()
  await expect(page.getByLabel(/^First name/)).toHaveValue('Maïlys')
  await expect(page.getByRole('button', { name: 'Save 1 change' })).toBeVisible()
  // The account remembers its language: other journeys read French.
  await switchTo(/^Language/, 'Français')
  await page.getByRole('button', { name: 'Save and change' }).click()
  await expect(page.getByLabel(/^Prénom/)).toHaveValue('Maïlys')
  await expect(page.getByRole('button', { name: 'Enregistrer', exact: true })).toHaveAttribute('aria-disabled', 'true')
})

test('what comes back from the bin is put back where it was; its message covers nothing', async ({ page }) => {
  await signInByApi(page, 'admin')
  const poi = await createRecord(page, 'pois', { title: { fr: `Lavoir ${run}` }, location: [4.1, 47.2] })
  const parcours = await createRecord(page, 'parcours', { title: { fr: `Tour ${run}` }, poi_ids: [poi] })
  const gone = await page.request.delete(`${demoUrl}/api/v1/pois/${poi}?force=true`, { headers: { origin: demoUrl, 'if-match': '*' } })
  expect(gone.status()).toBe(204)
  await page.goto(`${demoUrl}/settings/corbeille?search=${encodeURIComponent(`Lavoir ${run}`)}`)
  await page.getByRole('button', { name: `Restaurer Lavoir ${run}` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`Tour ${run}`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Restaurer et remettre à cet endroit' }).click()
  const message = page.getByText(/est restauré\. Remis à un endroit\./)
  await expect(message).toBeVisible()
  // The page ends above the message, one frame after the message is shown.
  await expect
    .poll(async () => {
      const bottom = await page.getByRole('main').evaluate((main) => main.getBoundingClientRect().bottom)
      const top = await message.evaluate((words) => words.parentElement?.getBoundingClientRect().top ?? 0)
      return bottom <= top
    })
    .toBe(true)
  const sheet: { poi_ids: number[] } = await (await page.request.get(`${demoUrl}/api/v1/parcours/${parcours}`)).json()
  expect(sheet.poi_ids).toEqual([poi])
})

test('importing a trace begins with its file; an empty sheet says what it lacks before it goes out', async ({ page }) => {
  await signInByApi(page, 'editeur')
  await page.goto(demoUrl)
  await page.getByRole('main').getByRole('link', { name: 'Importer un tracé' }).first().click()
  const points = Array.from(
    { length: 40 },
    (_, at) => `<trkpt lat="${47 + Math.sin(at / 6.2) / 200}" lon="${4 + Math.cos(at / 6.2) / 200}"><ele>300</ele></trkpt>`,
  ).join('')
  await page.getByLabel(/^Fichier du tracé/).setInputFiles({
    name: 'trace.gpx',
    mimeType: 'application/gpx+xml',
    buffer: Buffer.from(`<gpx version="1.1"><trk><name>Boucle VTT ${run}</name><trkseg>${points}</trkseg></trk></gpx>`),
  })
  await expect(page.getByLabel(/^Titre/)).toHaveValue(`Boucle VTT ${run}`)
  await expectAccessible(page)
  if ((await page.getByLabel(/^Type de pratique/).inputValue()) === '')
    await page.getByLabel(/^Type de pratique/).selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Importer ce tracé' }).click()
  await expect(page).toHaveURL(/\/edit-trace/)
  const id = await createRecord(page, 'parcours', { title: { fr: `Vide ${run}` } })
  await page.goto(`${demoUrl}/parcours/${id}`)
  await page.getByRole('button', { name: 'Publier', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Tracé')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Publier quand même' }).click()
  await expect(page.getByText('Parcours publié.')).toBeVisible()
  for (const name of ['Voir la page', 'Copier le lien', 'QR']) await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'QR', exact: true }).click()
  await expect(page.getByRole('img', { name: /QR/ })).toBeVisible()
})
