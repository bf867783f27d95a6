import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { tabAndPress, tabAndType, tabTo } from './keyboard'
import { linkIn, mailsTo } from './mail'
import { choose, field, createRecord, restoreFromBin, run, saveChanges, searchField, signInByApi } from './records'
import { demoUrl } from './servers'

const users = `${demoUrl}/settings/users`

/** The body of a form for a new user of the office of Val d’Orsel. */
const somebody = (name: string) => ({
  first_name: 'Lise',
  last_name: name,
  email: `${name.toLowerCase()}@essais.example`,
  role: 'editor',
  structure_id: 1,
  white_label_ids: [1],
})

/** Found by name in the list, then opened. */
async function opened(page: Page, name: string): Promise<void> {
  await page.goto(`${users}?search=${encodeURIComponent(name)}`)
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
}

test('somebody is invited, chooses a password by the link of the mail, and signs in', async ({ page, browser }) => {
  const email = `anna.${run}@essais.example`
  await signInByApi(page, 'superadmin')
  await page.goto(users)
  await page.getByRole('link', { name: 'Nouvel utilisateur' }).click()
  await expectAccessible(page)
  await field(page, /^Prénom/).fill('Anna')
  await field(page, /^Nom/).fill(`Roux ${run}`)
  await field(page, /^Adresse e-mail/).fill('anna')
  await choose(page, /^Structure/, /Office de tourisme/)
  await page.getByRole('button', { name: 'Créer l’utilisateur' }).click()
  // A fault is shown on its field: an address that cannot be read, and an editor without a white-label.
  await expect(field(page, /^Adresse e-mail/)).toHaveAttribute('aria-invalid', 'true')
  await expect(searchField(page, /^Marques blanches/)).toHaveAttribute('aria-invalid', 'true')
  await expect(searchField(page, /^Marques blanches/)).toHaveAccessibleDescription(/Ce champ est à remplir/)
  await field(page, /^Adresse e-mail/).fill(email)
  await choose(page, /^Marques blanches/, 'Val d’Orsel')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Créer l’utilisateur' }).click()
  await expect(page.getByText('Utilisateur sauvegardé !')).toBeVisible()
  const head = page.getByRole('main').locator('header').first()
  await expect(head).toContainText('Invité')
  await expect(head).toContainText(/Invitation envoyée/)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Renvoyer l’invitation' }).click()
  await expect(page.getByText(`Invitation envoyée à ${email}.`)).toBeVisible()
  const [first, second] = mailsTo(email)
  expect(second).toContain('Solène Marchal vous a ouvert un compte')

  const theirs = await (await browser.newContext({ locale: 'fr-FR' })).newPage()
  await theirs.goto(demoUrl + linkIn(first))
  await expect(theirs.getByRole('alert')).toContainText('Ce lien a déjà servi ou n’est plus valable')
  await theirs.goto(demoUrl + linkIn(second))
  await expect(theirs.getByRole('heading', { name: 'Bienvenue, Anna' })).toBeVisible()
  await expect(theirs.getByText(/vous a ouvert un compte dans Jalon/)).toContainText(email)
  await expectAccessible(theirs)
  await theirs.getByLabel('Mot de passe', { exact: true }).fill('le vent tourne à gauche')
  await theirs.getByRole('button', { name: 'Enregistrer et me connecter' }).click()
  await expect(theirs.getByRole('navigation', { name: 'Navigation principale' })).toBeVisible()
  await theirs.context().close()

  await page.reload()
  await expect(head).toContainText('Actif')
  await expect(head).toContainText(/Dernière connexion/)
  await expect(page.getByRole('button', { name: /invitation/ })).toHaveCount(0)
})

test('an account is filled in, found by its role and structure, deleted and taken back', async ({ page }) => {
  const name = `Lise Durand-${run}`
  await signInByApi(page, 'superadmin')
  await createRecord(page, 'users', somebody(`Durand-${run}`))
  await opened(page, name)
  await field(page, /^Ville/).fill('Montpezel')
  await choose(page, /^Pays/, 'Belgique')
  await page.getByRole('combobox', { name: /^Langue de l’interface/ }).selectOption('Anglais')
  await field(page, /^Identifiant client/).fill('C-2048')
  await page.getByRole('combobox', { name: /^Rôle/ }).selectOption('Lecteur')
  await saveChanges(page)
  await expect(page.getByText('Utilisateur sauvegardé !')).toBeVisible()
  await page.reload()
  await expect(field(page, /^Identifiant client/)).toHaveValue('C-2048')
  await expect(page.getByRole('combobox', { name: /^Langue de l’interface/ })).toHaveValue('en')
  await expect(searchField(page, /^Pays/)).toHaveValue('Belgique')
  await page.getByRole('button', { name: `Actions sur ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Historique' }).click()
  await expect(page.getByRole('dialog')).toContainText('Rôle')
  await page.keyboard.press('Escape')

  await page.goto(`${users}?role=reader&structure=1&status=active`)
  await expect(page.getByRole('link', { name })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Maïlys Chabrol' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Retirer « Structure\s: Office de tourisme du Val d’Orsel/ })).toBeVisible()
  await expectAccessible(page)
  await page.goto(`${users}?status=blocked`)
  await expect(page.getByRole('link', { name: 'Régis Fontvieille' })).toBeVisible()
  await expect(page.getByRole('link', { name })).toHaveCount(0)

  await page.goto(`${users}?search=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Actions sur ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Supprimer…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Supprimer', exact: true }).click()
  await expect(page.getByText(/est dans la corbeille/)).toBeVisible()
  await restoreFromBin(page, name)
  await opened(page, name)
  await expect(field(page, /^Identifiant client/)).toHaveValue('C-2048')
})

test('a blocked account is shut out until it is unblocked, and an address serves once', async ({ page }) => {
  const name = `Lise Blanc-${run}`
  await signInByApi(page, 'admin')
  const id = await createRecord(page, 'users', { ...somebody(`Blanc-${run}`), structure_id: undefined })
  await page.goto(`${users}/${id}`)
  await page.getByRole('button', { name: 'Bloquer', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`${name} ne pourra plus se connecter`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Bloquer', exact: true }).click()
  const head = page.getByRole('main').locator('header').first()
  await expect(head).toContainText('Bloqué')
  // No invitation leaves to an account that is shut.
  await expect(page.getByRole('button', { name: /invitation/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Débloquer' }).click()
  await expect(head).toContainText('Invité')
  await field(page, /^Adresse e-mail/).fill('editeur@demo.jalon.example')
  await saveChanges(page)
  await expect(field(page, /^Adresse e-mail/)).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('Un autre utilisateur a déjà cette adresse e-mail.').first()).toBeVisible()
})

test('the last administrator stays: neither blocked, nor lowered, nor deleted', async ({ page }) => {
  await signInByApi(page, 'superadmin')
  await opened(page, 'Paul Vidalenc')
  const refusal = /C’est le dernier administrateur\s: nommez-en d’abord un autre\./
  await page.getByRole('button', { name: 'Bloquer', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Bloquer', exact: true }).click()
  await expect(page.getByText(refusal)).toBeVisible()
  await page.getByRole('button', { name: 'Actions sur Paul Vidalenc' }).click()
  await page.getByRole('menuitem', { name: 'Supprimer…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Supprimer', exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText(refusal)
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: /^Rôle/ }).selectOption('Éditeur')
  await choose(page, /^Marques blanches/, 'Pays de Sauvelle')
  await page.keyboard.press('Escape')
  await saveChanges(page)
  await expect(page.getByRole('alert').filter({ hasText: refusal }).first()).toBeVisible()
})

test('an administrator sees and invites the people of the structure, an editor sees none', async ({ page }) => {
  await signInByApi(page, 'admin')
  await page.goto(users)
  await expect(page.getByRole('link', { name: 'Théo Bastide' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Paul Vidalenc|Hannah Whitcombe/ })).toHaveCount(0)
  await page.getByRole('link', { name: 'Solène Marchal' }).click()
  await expect(page.getByText('Cette fiche est gérée par une autre structure')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Bloquer', exact: true })).toHaveCount(0)
  await page.goto(`${users}/new`)
  const role = page.getByRole('combobox', { name: /^Rôle/ })
  await expect(role.getByRole('option', { name: 'Administrateur' })).toHaveCount(1)
  await expect(role.getByRole('option', { name: 'Super-administrateur' })).toHaveCount(0)
  await expect(page.getByText('Office de tourisme du Val d’Orsel').first()).toBeVisible()

  await signInByApi(page, 'editeur')
  await page.goto(`${demoUrl}/settings`)
  await expect(page.getByRole('link', { name: /^Contacts/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Utilisateurs/ })).toHaveCount(0)
  await page.goto(users)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
  await expectAccessible(page)
})

test('somebody is invited from the palette by keyboard alone', async ({ page }) => {
  await signInByApi(page, 'admin')
  await page.goto(users)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog', { name: 'Rechercher ou agir' })).toBeVisible()
  await page.keyboard.type('>inviter')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nouvel utilisateur')
  await tabAndType(page, field(page, /^Prénom/), 'Zoé')
  await tabAndType(page, field(page, /^Nom/), `Clavier-${run}`)
  await tabAndType(page, field(page, /^Adresse e-mail/), `zoe.${run}@essais.example`)
  await tabTo(page, page.getByRole('combobox', { name: /^Rôle/ }))
  await page.keyboard.type('Lecteur')
  await tabTo(page, searchField(page, /^Marques blanches/))
  await page.keyboard.type('Val')
  await expect(page.getByRole('option', { name: 'Val d’Orsel' })).toBeVisible()
  // Entrée takes the first that was found, once the list is the one of the typed word; the word is then gone.
  await expect(async () => {
    await page.keyboard.press('Enter')
    await expect(searchField(page, /^Marques blanches/)).toHaveValue('', { timeout: 1000 })
  }).toPass()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByText('Utilisateur sauvegardé !')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Zoé Clavier-${run}`)
  await tabAndPress(page, page.getByRole('button', { name: 'Bloquer', exact: true }))
  await tabAndPress(page, page.getByRole('dialog').getByRole('button', { name: 'Bloquer', exact: true }))
  await expect(page.getByRole('main').locator('header').first()).toContainText('Bloqué')
})
