import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { linkIn, mailsTo } from './mail'
import { choose, field, createRecord, restoreFromBin, run, saveChanges, signInByApi } from './records'
import { demoUrl } from './servers'

const path = (name: string) => `${demoUrl}/settings/${name}`

/** Parcours of the day, made without the screens. */
const titles = [`Chemin du matin ${run}`, `Chemin du soir ${run}`]

/** A GPX file of one track. */
const track = (name: string): string =>
  `<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>${name}</name><trkseg>${Array.from({ length: 30 }, (_, at) => `<trkpt lat="44.9${10 + at}" lon="3.1${20 + at}"></trkpt>`).join('')}</trkseg></trk></gpx>`

test('a day of an administrator: people, a white-label, an import, many at once, a report, the journal, the bin', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  const email = `ines.${run}@essais.example`
  await signInByApi(page, 'superadmin')
  const { items }: { items: { id: number }[] } = await (
    await page.request.get(`${demoUrl}/api/v1/parcours?search=${encodeURIComponent('Gravel des trois bourgs')}`)
  ).json()
  const ids: number[] = []
  for (const title of titles) ids.push(await createRecord(page, `parcours/${items[0]?.id}/duplicate`, { title }))

  // The administrator invites a user and changes their role; the user signs in by the link of the mail.
  await page.goto(path('users/new'))
  await field(page, /^Prénom/).fill('Inès')
  await field(page, /^Nom/).fill(`Vial ${run}`)
  await field(page, /^Adresse e-mail/).fill(email)
  await choose(page, /^Structure/, /Office de tourisme/)
  await choose(page, /^Marques blanches/, 'Val d’Orsel')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Créer l’utilisateur' }).click()
  await expect(page.getByText('Utilisateur sauvegardé !')).toBeVisible()
  await expect(page).toHaveURL(/users\/\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`Inès Vial ${run}`)
  await page.getByRole('combobox', { name: /^Rôle/ }).selectOption({ label: 'Agence de voyages' })
  await saveChanges(page)
  await expect(page.getByText('Utilisateur sauvegardé !').last()).toBeVisible()
  const user = Number(/users\/(\d+)/.exec(page.url())?.[1])
  const guest = await browser.newContext({ locale: 'fr-FR' })
  const theirs = await guest.newPage()
  await expect.poll(() => mailsTo(email).length).toBeGreaterThan(0)
  await theirs.goto(demoUrl + linkIn(mailsTo(email)[0]))
  await expect(theirs.getByRole('heading', { name: 'Bienvenue, Inès' })).toBeVisible()
  await theirs.getByLabel('Mot de passe', { exact: true }).fill('le vent tourne à gauche')
  await theirs.getByRole('button', { name: 'Enregistrer et me connecter' }).click()
  await expect(theirs.getByRole('navigation', { name: 'Navigation principale' })).toBeVisible()
  await guest.close()

  // A white-label.
  await page.goto(path('marques-blanches/new'))
  await field(page, /^Nom/).fill(`Vallée d’Inès ${run}`)
  await choose(page, /^Structure/, /Office de tourisme/)
  await page.getByRole('button', { name: 'Créer la marque blanche' }).click()
  await expect(page).toHaveURL(/marques-blanches\/\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`Vallée d’Inès ${run}`)

  // A source of imports, tried and run.
  await page.goto(path('imports-parcours/new'))
  await page.getByLabel('Nom').fill(`Fichiers ${run}`)
  await page.getByRole('radio', { name: /^Fichiers/ }).check()
  await page.getByRole('button', { name: 'Continuer' }).click()
  await page
    .getByLabel('Fichier')
    .setInputFiles({ name: 'boucle.gpx', mimeType: 'application/gpx+xml', buffer: Buffer.from(track(`Boucle importée ${run}`)) })
  await page.getByRole('button', { name: 'Continuer' }).click()
  await page.getByRole('button', { name: 'Créer et essayer à blanc' }).click()
  await expect(page.getByText('À créer')).toBeVisible()
  await page.getByRole('button', { name: 'Importer', exact: true }).click()
  await expect(page.getByText('1 Créé', { exact: false }).first()).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page)

  // Two parcours are published at once.
  await page.goto(`${demoUrl}/parcours?progress=any&search=${encodeURIComponent(`Chemin ${run}`)}`)
  for (const title of titles)
    await page
      .getByRole('row', { name: new RegExp(title) })
      .getByRole('checkbox')
      .check()
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Appliquer à 2 éléments/ })
    .click()
  await expect(page.getByText('Action appliquée ! 2 éléments publiés.')).toBeVisible()

  // A walker reports something, and it is handled.
  const walker = await browser.newContext({ locale: 'fr-FR' })
  const site = await walker.newPage()
  await site.goto(`${demoUrl}/p/x-${ids[0]}`)
  await site.getByText('Signaler un problème sur le terrain').click()
  await site.getByLabel('Ce que vous avez trouvé').selectOption('fallen_tree')
  await site.getByRole('textbox', { name: 'Description' }).fill('Un frêne couché.')
  await site.getByRole('button', { name: 'Envoyer le signalement' }).click()
  await expect(site.getByText('Merci. Votre signalement est enregistré', { exact: false })).toBeVisible()
  await walker.close()
  await page.goto(`${demoUrl}/parcours/${ids[0]}?tab=reviews`)
  const report = page.getByRole('listitem').filter({ hasText: 'Un frêne couché.' })
  await report.getByRole('button', { name: 'Marquer comme résolu' }).click()
  await expect(report.getByText('Résolu', { exact: true })).toBeVisible()

  // The journal names who did it.
  await page.goto(path('journal'))
  const role = page
    .getByRole('table', { name: 'Journal' })
    .getByRole('row')
    .filter({ hasText: 'Changement de rôle' })
    .filter({ hasText: `Utilisateur n° ${user}` })
  await expect(role).toContainText('Agence de voyages')
  await expectAccessible(page)

  // One is deleted by mistake, and comes back.
  const gone = await page.request.delete(`${demoUrl}/api/v1/parcours/${ids[1]}`, { headers: { origin: demoUrl, 'if-match': '*' } })
  expect(gone.status(), await gone.text()).toBe(204)
  await restoreFromBin(page, titles[1] ?? '')
  await page.goto(`${demoUrl}/parcours/${ids[1]}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(titles[1] ?? '')
})
