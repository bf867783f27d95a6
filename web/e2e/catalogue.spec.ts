import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { png } from './png'
import { choose, field, createRecord, restoreFromBin, run, saveChanges, signInByApi, searchField } from './records'
import { demoUrl } from './servers'

const idOf = (page: Page) => Number(/\/(\d+)(\/edit)?$/.exec(new URL(page.url()).pathname)?.[1])

const usedByAParcours = (link: (id: number) => object) => async (page: Page, id: number) => {
  await createRecord(page, 'parcours', { title: { fr: `Parcours qui l’utilise ${run}` }, ...link(id) })
  return 'Parcours qui l’utilise'
}

interface Journey {
  name: string
  who: string
  path: string
  /** The button that begins one. */
  begin: string
  create: string
  saved: string
  title: string
  /** What makes one that can be saved. */
  fill: (page: Page, title: string) => Promise<void>
  /** One more thing, said afterwards. */
  edit: (page: Page) => Promise<void>
  edited: (page: Page) => Promise<void>
  /** Something begins to use it; what that is called. */
  use?: (page: Page, id: number) => Promise<string>
  /** Something cannot do without it: another takes its place. */
  replacedBy?: RegExp
}

/** One entry for each resource; users and closures have separate tests. */
const journeys: readonly Journey[] = [
  {
    name: 'a point of interest',
    who: 'editeur',
    path: '/pois',
    begin: 'Nouveau point d’intérêt',
    create: 'Créer le point d’intérêt',
    saved: 'POI sauvegardé !',
    title: `Lavoir des essais ${run}`,
    fill: async (page, title) => {
      await field(page, /^Titre/).fill(title)
      await field(page, /^Emplacement/).fill('44,87 ; 3,17')
      await choose(page, /^Catégories/, 'Château')
      await page.keyboard.press('Escape')
    },
    edit: (page) => field(page, /^Téléphone/).fill('04 00 00 00 00'),
    edited: (page) => expect(field(page, /^Téléphone/)).toHaveValue('04 00 00 00 00'),
    use: usedByAParcours((id) => ({ poi_ids: [id] })),
  },
  {
    name: 'a transport line',
    who: 'editeur',
    path: '/lignes',
    begin: 'Nouvelle ligne de transport',
    create: 'Créer la ligne de transport',
    saved: 'Ligne de transport sauvegardée !',
    title: `Ligne des essais ${run}`,
    fill: async (page, title) => {
      await field(page, /^Nom complet/).fill(title)
      await page.getByRole('combobox', { name: /^Mode/ }).selectOption('Tramway')
    },
    edit: async (page) => {
      await page.getByRole('combobox', { name: /^Emport des vélos/ }).selectOption('Sous conditions')
    },
    edited: (page) => expect(page.getByRole('combobox', { name: /^Emport des vélos/ })).toHaveValue('conditions'),
  },
  {
    name: 'a structure',
    who: 'superadmin',
    path: '/settings/structures',
    begin: 'Nouvelle structure',
    create: 'Créer la structure',
    saved: 'Structure sauvegardée !',
    title: `Structure des essais ${run}`,
    fill: async (page, title) => {
      await field(page, /^Nom/).fill(title)
      await page.getByRole('combobox', { name: /^Type/ }).selectOption({ index: 1 })
    },
    edit: (page) => field(page, /^Ville/).fill('Montpezel'),
    edited: (page) => expect(field(page, /^Ville/)).toHaveValue('Montpezel'),
    use: async (page, id) => {
      await createRecord(page, 'contacts', {
        first_name: 'Iris',
        last_name: `Essai ${run}`,
        email: `iris.${run}@x.example`,
        structure_id: id,
      })
      return 'Iris Essai'
    },
    // A contact cannot be without a structure.
    replacedBy: /Office de tourisme/,
  },
  {
    name: 'a contact',
    who: 'admin',
    path: '/settings/contacts',
    begin: 'Nouveau contact',
    create: 'Créer le contact',
    saved: 'Contact sauvegardé !',
    title: `Jeanne Essai-${run}`,
    fill: async (page, title) => {
      const [first = '', last = ''] = title.split(' ')
      await field(page, /^Prénom/).fill(first)
      await field(page, /^Nom/).fill(last)
      await field(page, /^Adresse e-mail/).fill(`jeanne.${run}@x.example`)
      // A new contact is of one's own structure.
      await expect(searchField(page, /^Structure/)).toHaveValue(/Office de tourisme/)
    },
    edit: (page) => field(page, /^Fonction/).fill('Accueil'),
    edited: (page) => expect(field(page, /^Fonction/)).toHaveValue('Accueil'),
    use: async (page, id) => {
      expect(id).toBeGreaterThan(0)
      await page.goto(`${demoUrl}/settings/structures/1`)
      const contact = page
        .getByRole('combobox', { name: /^Contact/ })
        .or(page.getByRole('textbox', { name: /^Contact/ }))
        .first()
      await contact.fill('Jeanne')
      await page.getByRole('option', { name: new RegExp(`Essai-${run}`) }).click()
      await saveChanges(page)
      await expect(page.getByText('Structure sauvegardée !')).toBeVisible()
      return 'Office de tourisme'
    },
  },
  {
    name: 'an item of a reference list',
    who: 'superadmin',
    path: '/settings/tags',
    begin: 'Nouveau tag',
    create: 'Créer le tag',
    saved: 'Tag sauvegardé !',
    title: `Tag des essais ${run}`,
    fill: (page, title) => field(page, /^Libellé/).fill(title),
    edit: (page) => field(page, /^Description/).fill('Pour les essais.'),
    edited: (page) => expect(field(page, /^Description/)).toHaveValue('Pour les essais.'),
    use: usedByAParcours((id) => ({ tag_ids: [id] })),
  },
  {
    name: 'a white-label',
    who: 'superadmin',
    path: '/settings/marques-blanches',
    begin: 'Nouvelle marque blanche',
    create: 'Créer la marque blanche',
    saved: 'Marque blanche sauvegardée !',
    title: `Marque des essais ${run}`,
    fill: async (page, title) => {
      await field(page, /^Nom \*/).fill(title)
      await choose(page, /^Structure/, /Office de tourisme/)
    },
    edit: async (page) => {
      await field(page, /^Primaire/).fill('#8A1C4A')
      await page.getByRole('button', { name: 'Définir une emprise' }).click()
    },
    edited: async (page) => {
      await expect(field(page, /^Primaire/)).toHaveValue('#8A1C4A')
      await expect(page.getByLabel('Nord')).not.toHaveValue('')
    },
  },
  {
    name: 'an itinerary',
    who: 'superadmin',
    path: '/settings/itineraires',
    begin: 'Nouvel itinéraire',
    create: 'Créer l’itinéraire',
    saved: 'Itinéraire sauvegardé !',
    title: `Véloroute des essais ${run}`,
    fill: (page, title) => field(page, /^Nom/).fill(title),
    edit: async (page) => {
      await field(page, /^Numéro ou code/).fill('V99')
      // The text becomes an editor when the user presses or types in it.
      await page.getByRole('button', { name: 'Gras' }).first().click()
      await page.keyboard.type('Un essai')
      await expect(field(page, /^Description/)).toHaveClass(/ProseMirror/)
      await page.keyboard.type(' en gras')
    },
    edited: async (page) => {
      await expect(field(page, /^Numéro ou code/)).toHaveValue('V99')
      await expect(field(page, /^Description/).locator('strong')).toHaveText('Un essai en gras')
    },
    use: usedByAParcours((id) => ({ itinerary_ids: [id] })),
  },
]

for (const journey of journeys) {
  test(`${journey.name} is made, changed, used, deleted when that is meant, and comes back from the bin`, async ({ page }) => {
    await signInByApi(page, journey.who)
    await page.goto(demoUrl + journey.path)
    await page.getByRole('link', { name: journey.begin }).click()
    await journey.fill(page, journey.title)
    await page.getByRole('button', { name: journey.create }).click()
    await expect(page.getByText(journey.saved)).toBeVisible()
    await expect(page).toHaveURL(/\/\d+(\/edit)?$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(journey.title)
    const address = page.url()
    const id = idOf(page)

    await journey.edit(page)
    await saveChanges(page)
    await expect(page.getByRole('button', { name: /^Enregistrer$/ })).toHaveAttribute('aria-disabled', 'true')
    await page.reload()
    await journey.edited(page)

    await deleted(page, journey, await journey.use?.(page, id))
    await restoreFromBin(page, journey.title)
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(journey.title)
    await journey.edited(page)
  })
}

/** Deleted from its list: what uses it is shown, and nothing happens before its title is typed or another takes its place. */
async function deleted(page: Page, { path, title, replacedBy }: Journey, user: string | undefined): Promise<void> {
  await page.goto(`${demoUrl}${path}?search=${encodeURIComponent(title)}`)
  await page.getByRole('button', { name: `Actions sur ${title}` }).click()
  await page.getByRole('menuitem', { name: 'Supprimer…' }).click()
  const dialog = page.getByRole('dialog')
  if (user === undefined) {
    await expect(dialog).toContainText('Rien ne l’utilise.')
    await dialog.getByRole('button', { name: 'Supprimer' }).click()
  } else {
    await expect(dialog).toContainText('Utilisé à 1 endroit')
    await expect(dialog).toContainText(user)
    const anyway = dialog.getByRole('button', { name: 'Supprimer quand même' })
    await expect(anyway).toHaveAttribute('aria-disabled', 'true')
    await dialog.getByLabel(/Pour confirmer/).fill(title)
    await anyway.click()
  }
  if (replacedBy !== undefined) {
    await expect(dialog.getByRole('alert')).toBeVisible()
    await choose(page, /^Le remplacer par/, replacedBy)
    await dialog.getByRole('button', { name: 'Remplacer puis supprimer' }).click()
  }
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/est dans la corbeille/)).toBeVisible()
  await expect(page.getByRole('button', { name: `Actions sur ${title}` })).toHaveCount(0)
}

test('a picture comes in, is captioned and credited, has an English file, is used, deleted and restored', async ({ page }) => {
  await signInByApi(page, 'editeur')
  await page.goto(`${demoUrl}/medias`)
  await page.getByRole('button', { name: 'Importer des fichiers' }).click()
  const imports = page.getByRole('region', { name: 'Import de fichiers' })
  await expect(imports).toContainText(
    'Images JPEG, PNG, WebP, AVIF : au moins 1 200 × 800 px, 25 Mo au plus. Vidéos : 500 Mo. Sons : 100 Mo. PDF : 50 Mo.',
  )
  await expect(imports).toContainText('Conseillé : 200 ko par seconde de vidéo, 1 Mo par minute de son.')
  await expectAccessible(page)

  const files = imports.locator('input[type=file][multiple]')
  await files.setInputFiles([
    { name: `petite-${run}.png`, mimeType: 'image/png', buffer: png(900, 600) },
    { name: `lavoir-${run}.png`, mimeType: 'image/png', buffer: png(1200, 800) },
  ])
  await expect(page.getByText('Média(s) importé(s) !')).toBeVisible()
  await expect(imports.getByRole('alert')).toContainText(/900 × 600|1\s200 × 800/)
  await imports.getByRole('link', { name: `lavoir-${run}.png` }).click()

  const legend = `Le lavoir des essais ${run}`
  await field(page, /^Légende/).fill(legend)
  await field(page, /^Crédit/).fill('OT des essais')
  await saveChanges(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(legend)
  const address = page.url()
  const id = idOf(page)
  await page
    .locator('li')
    .filter({ hasText: 'Version en' })
    .locator('input[type=file]')
    .setInputFiles({ name: `washhouse-${run}.png`, mimeType: 'image/png', buffer: png(1300, 900) })
  await expect(page.getByRole('link', { name: new RegExp(`washhouse-${run}\\.png`) })).toBeVisible()
  await page.reload()
  await expect(field(page, /^Crédit/)).toHaveValue('OT des essais')
  await expect(page.getByText(`lavoir-${run}.png`).first()).toBeVisible()

  await createRecord(page, 'pois', { title: { fr: `POI qui le montre ${run}` }, location: [3.17, 44.87], media_ids: [id] })
  await page.goto(address)
  await expect(page.getByRole('link', { name: `POI qui le montre ${run}` })).toBeVisible()
  await page.getByRole('button', { name: `Actions sur ${legend}` }).click()
  await page.getByRole('menuitem', { name: 'Supprimer…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`POI qui le montre ${run}`)
  await expectAccessible(page)
  await dialog.getByLabel(/Pour confirmer/).fill(legend)
  await dialog.getByRole('button', { name: 'Supprimer quand même' }).click()
  await expect(page).toHaveURL(/\/medias$/)
  // The bin names a media as the other pages do.
  await restoreFromBin(page, legend)
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(legend)
})

test('two points of one name in one place are merged, and the parcours follows', async ({ page }) => {
  await signInByApi(page, 'editeur')
  const title = { fr: `Source double ${run}` }
  const kept = await createRecord(page, 'pois', { title, location: [3.18, 44.86] })
  const double = await createRecord(page, 'pois', { title, location: [3.1801, 44.86] })
  const parcours = await createRecord(page, 'parcours', { title: { fr: `Vers la source ${run}` }, poi_ids: [double] })
  await page.goto(`${demoUrl}/pois/${double}`)
  await page.getByRole('button', { name: 'Fusionner…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Fusionner' }).click()
  await expect(page).toHaveURL(new RegExp(`/pois/${kept}$`))
  await expect(page.getByText(/est fusionné dans/)).toBeVisible()
  const follows: { poi_ids: number[] } = await (await page.request.get(`${demoUrl}/api/v1/parcours/${parcours}`)).json()
  expect(follows.poi_ids).toEqual([kept])
})

test('a reference list is a tree that is put in order by keyboard, and two of its items become one', async ({ page }) => {
  await signInByApi(page, 'superadmin')
  const list = 'vocabularies/parcours_theme'
  const parent = await createRecord(page, list, { label: { fr: `Branche ${run}` } })
  for (const name of ['Premier', 'Second']) await createRecord(page, list, { label: { fr: `${name} ${run}` }, parent_id: parent })
  await page.goto(`${demoUrl}/settings/thematiques-parcours/new`)
  await field(page, /^Libellé/).fill(`Troisième ${run}`)
  await page.getByRole('combobox', { name: /^Parent/ }).selectOption({ label: `Branche ${run}` })
  await page.getByRole('button', { name: 'Créer la thématique de parcours' }).click()
  await expect(page.getByText('Thématique de parcours sauvegardée !')).toBeVisible()

  await page.goto(`${demoUrl}/settings/thematiques-parcours`)
  const branch = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: `Branche ${run}`, exact: true }) })
    .last()
  const names = branch.getByRole('list').getByRole('link')
  await expect(names).toHaveText([`Premier ${run}`, `Second ${run}`, `Troisième ${run}`])
  await page.getByRole('button', { name: new RegExp(`^Déplacer Troisième ${run}`) }).focus()
  const sent = page.waitForResponse((reply) => reply.url().endsWith('/parcours_theme/order'))
  await page.keyboard.press('ArrowUp')
  expect((await sent).status()).toBe(200)
  await expect(names).toHaveText([`Premier ${run}`, `Troisième ${run}`, `Second ${run}`])
  await page.reload()
  await expect(names).toHaveText([`Premier ${run}`, `Troisième ${run}`, `Second ${run}`])

  await page.getByRole('button', { name: `Actions sur Second ${run}` }).click()
  await page.getByRole('menuitem', { name: 'Fusionner…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: /^Garder/ }).selectOption({ label: `Premier ${run}` })
  await dialog.getByRole('button', { name: 'Fusionner' }).click()
  await expect(page.getByText(/est fusionné dans/)).toBeVisible()
  await expect(names).toHaveText([`Premier ${run}`, `Troisième ${run}`])
})

test('a view keeps filters and columns, and brings both back', async ({ page }) => {
  await signInByApi(page, 'editeur')
  const { items }: { items: { id: number }[] } = await (await page.request.get(`${demoUrl}/api/v1/saved-views?resource=pois`)).json()
  for (const { id } of items) await page.request.delete(`${demoUrl}/api/v1/saved-views/${id}`, { headers: { origin: demoUrl } })
  await page.goto(`${demoUrl}/pois?published=true`)
  await page.getByRole('button', { name: 'Colonnes' }).click()
  await page.getByRole('checkbox', { name: 'Diffusé' }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Enregistrer cette vue' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(`Vue ${run}`)
  await dialog.getByRole('button', { name: 'Enregistrer cette vue' }).click()
  await expect(page.getByText(new RegExp(`Vue ${run}`)).first()).toBeVisible()
  // On another device, without a choice of columns.
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${demoUrl}/pois`)
  await expect(page.getByRole('columnheader', { name: 'Publié' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Diffusé' })).toHaveCount(0)
  // The list scrolls, not the frame around it, which would end in an empty page.
  await expect(page.getByRole('row').nth(15)).toBeAttached()
  expect(await page.locator('#content').evaluate((main) => main.scrollHeight - main.clientHeight)).toBe(0)
  await page.getByRole('link', { name: `Vue ${run}` }).click()
  await expect(page.getByRole('columnheader', { name: 'Diffusé' })).toBeVisible()
  await expect(page).toHaveURL(/published=true/)
})

test('a press on a list opens what it is for, whatever comes between its beginning and its end', async ({ page }) => {
  await signInByApi(page, 'editeur')
  let release = () => {}
  const held = new Promise<void>((go) => (release = go))
  await page.route(/\/assets\/TableMenu/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${demoUrl}/pois?published=true`)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  const place = await page.getByRole('button', { name: 'Colonnes' }).boundingBox()
  if (place === null) throw new Error('no button')
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2)
  await page.mouse.down()
  const came = page.waitForResponse(/\/assets\/TableMenu/)
  release()
  await came
  await expect(page.getByRole('button', { name: 'Tableau' })).toBeVisible()
  await page.mouse.up()
  await expect(page.getByRole('checkbox', { name: 'Diffusé' })).toBeVisible()
})

test('the fonts move no button when they come', async ({ page }) => {
  await signInByApi(page, 'superadmin')
  let release = () => {}
  const held = new Promise<void>((go) => (release = go))
  await page.route(/\.woff2$/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${demoUrl}/pois?search=a`)
  const button = page.getByRole('button', { name: 'Colonnes' })
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  const before = await button.boundingBox()
  release()
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  const after = await button.boundingBox()
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? NaN))).toBeLessThan(3)
  expect(Math.abs((after?.x ?? 0) - (before?.x ?? NaN))).toBeLessThan(6)
})

test('who comes with no language of ours reads English', async ({ browser }) => {
  const page = await (await browser.newContext({ locale: 'de-DE' })).newPage()
  await page.goto(`${demoUrl}/login`)
  await expect(page).toHaveURL(`${demoUrl}/en/login`)
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  await page.context().close()
})

test('what only one reference list has is entered and emptied: speeds of a practice, colors of a waymark, essential equipment', async ({
  page,
}) => {
  await signInByApi(page, 'superadmin')
  await page.goto(`${demoUrl}/settings/types-pratiques/new`)
  await field(page, /^Libellé/).fill(`Tandem ${run}`)
  await page.getByRole('combobox', { name: /^Parent/ }).selectOption({ label: 'À vélo' })
  const profile = page.getByRole('combobox', { name: /^Profil du calculateur/ })
  await profile.selectOption('road')
  const flat = field(page, /^Vitesse à plat/)
  await flat.fill('0,5')
  await page.getByRole('button', { name: 'Créer le type de pratique' }).click()
  await expect(page.getByText(/entre 1 et 100/).first()).toBeVisible()
  await flat.fill('18,5')
  await page.getByRole('button', { name: 'Créer le type de pratique' }).click()
  await expect(page.getByText('Type de pratique sauvegardé !')).toBeVisible()
  const practice = idOf(page)
  await page.reload()
  await expect(profile).toHaveValue('road')
  await expect(flat).toHaveValue('18,5')
  await profile.selectOption({ label: 'Comme la pratique parente, fille ou sœur' })
  await flat.fill('')
  await saveChanges(page)
  await expect(page.getByRole('button', { name: /^Enregistrer$/ })).toHaveAttribute('aria-disabled', 'true')
  await page.reload()
  await expect(profile).toHaveValue('')
  await expect(flat).toHaveValue('')
  await expectAccessible(page)

  await page.goto(`${demoUrl}/settings/balisages/new`)
  await field(page, /^Libellé/).fill(`Marque ${run}`)
  const add = page.getByRole('button', { name: 'Ajouter une couleur' })
  const color = (place: number) => page.getByRole('textbox', { name: `Couleur ${place}`, exact: true })
  await add.click()
  await expect(color(1)).toBeFocused()
  await page.keyboard.type('#FFFFFF')
  await add.click()
  await expect(color(2)).toBeFocused()
  await page.keyboard.type('#D32F2F')
  await page.getByRole('button', { name: 'Enlever : Couleur 1' }).click()
  await expect(add).toBeFocused()
  await page.getByRole('button', { name: 'Créer le balisage' }).click()
  await expect(page.getByText('Balisage sauvegardé !')).toBeVisible()
  await page.reload()
  await expect(color(1)).toHaveValue('#D32F2F')
  await expect(color(2)).toHaveCount(0)
  await expectAccessible(page)

  const parcours = await createRecord(page, 'parcours', { title: { fr: `À deux ${run}` }, practice_type_id: practice })
  await page.goto(`${demoUrl}/parcours/${parcours}?tab=information`)
  await page.getByText('Avancée').click()
  const offered = page.getByRole('button', { name: /^Ajouter l’indispensable : .*Casque/ })
  await offered.click()
  await expect(offered).toHaveCount(0)
  await expect(page.getByRole('status').filter({ hasText: /^Ajouté\s: .*Casque/ })).toBeAttached()
  await saveChanges(page)
  await page.reload()
  await expect(page.getByText('Casque').first()).toBeVisible()
  await expect(offered).toHaveCount(0)
})
