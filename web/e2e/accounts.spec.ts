import { expect, test, type Browser, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { demoUrl, ownServer } from './servers'
import { PASSWORD, signIn } from './session'

let server: Awaited<ReturnType<typeof ownServer>>
test.beforeAll(async () => {
  server = await ownServer()
})
test.afterAll(() => server.stop())

const home = (page: Page) => page.getByRole('navigation', { name: 'Navigation principale' })

async function enter(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto(`${server.url}/login`)
  await page.getByLabel('Adresse e-mail').fill(`${email}@demo.jalon.example`)
  await page.getByLabel('Mot de passe', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
}

/** A page in a separate browser context, with the user agent of one of these devices. */
async function onDevice(browser: Browser, userAgent: string): Promise<Page> {
  return (await browser.newContext({ locale: 'fr-FR', userAgent })).newPage()
}
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Compte de/ }).click()
  await page.getByRole('button', { name: 'Se déconnecter', exact: true }).click()
}

test('one sees where one is signed in, ends a session, and changes the password, which ends the others', async ({ page, browser }) => {
  const [phone, office] = [await onDevice(browser, iphone), await onDevice(browser, windows)]
  for (const device of [phone, office, page]) {
    await enter(device, 'editeur')
    await expect(home(device)).toBeVisible()
  }
  await page.goto(`${server.url}/account`)
  await expect(page.getByText('Cette session')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Fermer la session Safari sur iPhone/ }).click()
  await expect(page.getByText('Session fermée.')).toBeVisible()
  await expect(page.getByText('Safari sur iPhone')).toHaveCount(0)
  await expect(page.getByText('Firefox sur Windows')).toBeVisible()
  await phone.reload()
  await expect(phone).toHaveURL(/\/login/)

  await page.getByRole('button', { name: 'Changer le mot de passe' }).click()
  const [current, wanted] = [page.getByLabel(/^Mot de passe actuel/), page.getByLabel(/^Nouveau mot de passe/)]
  const save = page.getByRole('button', { name: 'Enregistrer le nouveau mot de passe' })
  await current.fill('pas le bon du tout')
  await wanted.fill('Chaussure-2026!')
  await save.click()
  await expect(current).toHaveAccessibleDescription(/Ce n’est pas votre mot de passe/)
  await current.fill(PASSWORD)
  await save.click()
  await expect(wanted).toHaveAccessibleDescription(/ni courant ni connu d’un vol de données/)
  await expectAccessible(page)
  await wanted.fill('le vent tourne à gauche')
  await save.click()
  await expect(page.getByText('Mot de passe changé. Vos autres sessions sont fermées.')).toBeVisible()
  await expect(page.getByText('Firefox sur Windows')).toHaveCount(0)
  await office.reload()
  await expect(office).toHaveURL(/\/login/)
  await enter(office, 'editeur')
  await expect(office.getByText(/E-mail ou mot de passe incorrect/)).toBeVisible()
  await enter(office, 'editeur', 'le vent tourne à gauche')
  await expect(home(office)).toBeVisible()
  await page.goto(`${server.url}/en/account`)
  await expect(page.getByText('Firefox on Windows')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'End all others' }).click()
  await expect(page.getByText('Your other sessions are ended.')).toBeVisible()
  await office.reload()
  await expect(office).toHaveURL(/\/login/)
  for (const device of [phone, office]) await device.context().close()
})

test('an administrator ends somebody’s sessions, and the account stays open', async ({ page, browser }) => {
  const theirs = await onDevice(browser, windows)
  await enter(theirs, 'lecteur')
  await expect(home(theirs)).toBeVisible()
  await enter(page, 'admin')
  await expect(home(page)).toBeVisible()
  await page.goto(`${server.url}/settings/users?search=lecteur`)
  await page.getByRole('main').getByRole('table').getByRole('link').first().click()
  await page.getByRole('button', { name: 'Fermer ses sessions' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Fermer ses sessions' }).click()
  await expect(page.getByText('Sessions fermées.')).toBeVisible()
  await theirs.reload()
  await expect(theirs).toHaveURL(/\/login/)
  await enter(theirs, 'lecteur')
  await expect(home(theirs)).toBeVisible()
  await theirs.context().close()
})

/** What this browser keeps of drafts: keys of its small storage, and traces in its database. */
const kept = (page: Page): Promise<{ forms: string[]; traces: number }> =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('jalon-trace-drafts', 3)
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('the database cannot be opened')))
    })
    const traces = await new Promise<number>((resolve, reject) => {
      const request = database.transaction('drafts').objectStore('drafts').count()
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('the drafts cannot be counted')))
    })
    database.close()
    return { forms: Object.keys(localStorage).filter((key) => key.startsWith('jalon.draft.')), traces }
  })

const steps = (page: Page) => page.getByRole('list', { name: 'Étapes dans l’ordre du parcours' }).getByRole('listitem')

test('signing out asks before it erases drafts, erases them in every tab, and nobody else ever sees them', async ({ page, context }) => {
  await page.goto(demoUrl)
  await signIn(page)
  const made = await page.request.post(`${demoUrl}/api/v1/parcours`, {
    data: { title: { fr: 'Un brouillon à moi' }, is_loop: false },
    headers: { origin: demoUrl },
  })
  const { id }: { id: number } = await made.json()
  const editor = `${demoUrl}/parcours/${id}/edit-trace`
  await page.goto(editor)
  await expect(page.locator('section[data-idle]')).toHaveCount(1, { timeout: 30_000 })
  await page.getByRole('button', { name: 'Tracer sur la carte' }).click()
  const box = await page.locator('.maplibregl-canvas').boundingBox()
  if (box === null) throw new Error('the map is not on the screen')
  await page.mouse.click(box.x + box.width * 0.236, box.y + box.height * 0.347)
  await expect(steps(page)).toHaveCount(1)
  await expect.poll(async () => (await kept(page)).traces).toBe(1)

  // Another user in the same browser does not get the draft.
  await context.clearCookies({ name: 'authToken' })
  await page.request.post(`${demoUrl}/api/v1/session`, {
    data: { email: 'admin@demo.jalon.example', password: PASSWORD },
    headers: { origin: demoUrl },
  })
  await page.goto(editor)
  await expect(page.locator('section[data-idle]')).toHaveCount(1, { timeout: 30_000 })
  await expect(steps(page)).toHaveCount(0)
  await page.goto(`${demoUrl}/account`)
  await signOut(page)
  await expect(page).toHaveURL(/\/login/)
  expect((await kept(page)).traces, 'the other’s sign-out leaves it alone').toBe(1)

  await page.goto(demoUrl)
  await signIn(page)
  await page.goto(editor)
  await expect(steps(page)).toHaveCount(1)
  await page.goto(`${demoUrl}/pois/new`)
  await page
    .getByRole('textbox', { name: /^Titre/ })
    .first()
    .fill('Une source')
  const other = await context.newPage()
  await other.goto(`${demoUrl}/account`)
  await expect(home(other)).toBeVisible()
  await signOut(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('2 saisies ne sont pas enregistrées')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Annuler' }).click()
  expect(await kept(page)).toEqual({ forms: [expect.stringMatching(/^jalon\.draft\.\d+\.poi\.new~\w+$/)], traces: 1 })
  await signOut(page)
  await dialog.getByRole('button', { name: 'Effacer et se déconnecter' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(other, 'the other tab leaves too').toHaveURL(/\/login/)
  expect(await kept(page)).toEqual({ forms: [], traces: 0 })
  await signIn(page)
  await page.goto(editor)
  await expect(page.locator('section[data-idle]')).toHaveCount(1, { timeout: 30_000 })
  await expect(steps(page)).toHaveCount(0)
})
