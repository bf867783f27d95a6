import { expect, test, type Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { mailsTo } from './mail'
import { png } from './png'
import { createRecord, run, signInByApi } from './records'
import { demoUrl } from './servers'

/** A copy of a published parcours of the demo, so that no other test sees its warnings. */
async function published(page: Page, title: string): Promise<number> {
  await signInByApi(page, 'editeur')
  const { items }: { items: { id: number }[] } = await (
    await page.request.get(`${demoUrl}/api/v1/parcours?search=${encodeURIComponent('Gravel des trois bourgs')}`)
  ).json()
  const id = await createRecord(page, `parcours/${items[0]?.id}/duplicate`, { title })
  const headers = { origin: demoUrl, 'if-match': '*' }
  const reply = await page.request.post(`${demoUrl}/api/v1/parcours/${id}/publication`, { headers })
  expect(reply.status(), await reply.text()).toBe(200)
  return id
}

test('a review and a report go from the page to the staff and back', async ({ page, browser }) => {
  const id = await published(page, `Sentier des avis ${run}`)
  const reader = await browser.newContext()
  const site = await reader.newPage()
  await site.goto(`${demoUrl}/p/x-${id}`)

  // A review, with a fault first: it is shown on its field.
  await site.getByText('Donner votre avis').click()
  await site.getByRole('radio', { name: '4 ★' }).check()
  await site.getByLabel('Votre avis', { exact: true }).fill('Balisage net <script>alert(1)</script>et belle vue.')
  await site.getByLabel(/^Votre prénom/).fill('Léa')
  await site.getByLabel(/^Votre e-mail, jamais publié/).fill('lea')
  await site.getByRole('button', { name: 'Envoyer mon avis' }).click()
  await expect(site.getByText(/Cette adresse e-mail n’est pas valable/)).toBeVisible()
  await expect(site.getByLabel(/^Votre e-mail, jamais publié/)).toBeFocused()
  await expectAccessible(site)
  const email = `lea-${run}@exemple.fr`
  await site.getByLabel(/^Votre e-mail, jamais publié/).fill(email)
  await site.getByRole('button', { name: 'Envoyer mon avis' }).click()
  await expect(site.getByText(/Un e-mail vient de partir/)).toBeVisible()
  await expect.poll(() => mailsTo(email).length).toBe(1)
  const link = /https?:\/\/\S+\/avis\/\w+/.exec(mailsTo(email)[0] ?? '')?.[0] ?? ''
  await site.goto(`${demoUrl}${new URL(link).pathname}`)
  await expectAccessible(site)
  await site.getByRole('button', { name: 'Confirmer mon avis' }).click()
  await expect(site.getByRole('heading', { name: 'Merci, votre avis est confirmé' })).toBeVisible()

  // A report at a kilometre, with a photo.
  await site.goto(`${demoUrl}/p/x-${id}`)
  await site.getByText('Signaler un problème sur le terrain').click()
  await site.getByLabel('Ce que vous avez trouvé').selectOption('fallen_tree')
  await site.getByLabel('ou au kilomètre').fill('1,5')
  await expect(site.getByText('Ce point du parcours est joint.')).toBeVisible()
  await site.getByRole('textbox', { name: 'Description' }).fill('Un hêtre couché.')
  await site.getByLabel('Photo (facultative)').setInputFiles({ name: 'arbre.png', mimeType: 'image/png', buffer: png(640, 480) })
  await site.getByRole('button', { name: 'Envoyer le signalement' }).click()
  // The server of this test sends no mail: the page only says that the review is stored.
  await expect(site.getByText('Merci. Votre signalement est enregistré : l’équipe du parcours le lira.')).toBeVisible()

  // The staff publish, answer, and warn.
  await page.goto(`${demoUrl}/parcours/${id}?tab=reviews`)
  const review = page.getByRole('listitem').filter({ hasText: 'Balisage net et belle vue.' })
  await expect(review.getByText('À relire')).toBeVisible()
  await expectAccessible(page)
  await review.getByRole('button', { name: 'Publier l’avis' }).click()
  await expect(review.getByText('Publié', { exact: true })).toBeVisible()
  await review.getByRole('button', { name: 'Répondre' }).click()
  await page.getByLabel('Votre réponse').fill('Merci, à bientôt.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Publier la réponse' }).click()
  await expect(review.getByText('Merci, à bientôt.').first()).toBeVisible()
  const report = page.getByRole('listitem').filter({ hasText: 'Un hêtre couché.' })
  await expect(report.getByText('Au 1,5')).toBeVisible()
  await expect(report.getByRole('img', { name: /Photo du signalement/ })).toBeVisible()
  await report.getByRole('button', { name: 'Prendre en compte' }).click()
  await page.getByLabel('Votre message (FR)').fill('Un arbre barre le chemin.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Prendre en compte et prévenir' }).click()
  await expect(report.getByText('Promeneurs prévenus', { exact: true })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(page)

  // Every visitor reads it.
  await site.goto(`${demoUrl}/p/x-${id}`)
  await expect(site.getByRole('heading', { name: 'Signalé sur le terrain' })).toBeVisible()
  await expect(site.getByText('Un arbre barre le chemin.')).toBeVisible()
  await expect(site.getByText('Merci, à bientôt.')).toBeVisible()
  await expectAccessible(site)
  await site.getByText('Dénoncer cet avis').click()
  await site.getByLabel('Ce qui ne va pas').selectOption('untrue')
  await site.getByRole('button', { name: 'Envoyer', exact: true }).click()
  await expect(site.getByText('Merci, cet avis sera relu.')).toBeVisible()
  expect(await reader.cookies()).toEqual([])
  await reader.close()

  // A refusal wants its reason; solved, the warning goes.
  await page.reload()
  await expect(review.getByText('Dénoncé par 1 lecteur')).toBeVisible()
  await review.getByRole('button', { name: 'Retirer l’avis' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Refuser l’avis' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('radio', { name: 'ne décrit pas une sortie réelle' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Refuser l’avis' }).click()
  await expect(review.getByText('Refusé', { exact: true })).toBeVisible()

  // The passage is closed from the report: dates and place are there, each leads to the other.
  await report.getByRole('link', { name: 'Fermer ce passage' }).click()
  await expect(page.getByText('Cette fermeture répond à un signalement de visiteur.')).toBeVisible()
  await expect(
    page
      .getByRole('img', { name: 'Photo du signalement, en grand' })
      .or(page.getByRole('link', { name: 'Photo du signalement, en grand' }))
      .first(),
  ).toBeVisible()
  await expectAccessible(page)
  const closed = await page
    .getByRole('textbox', { name: /^Titre/ })
    .first()
    .inputValue()
  expect(closed).not.toBe('')
  await page.getByRole('button', { name: 'Créer la fermeture' }).click()
  await expect(page.getByText('Fermeture sauvegardée !')).toBeVisible()
  const closure = Number(/fermetures\/(\d+)/.exec(page.url())?.[1])
  await page.getByRole('link', { name: 'Voir le signalement' }).click()
  await expect(report.getByText('Pris en compte par la fermeture')).toBeVisible()
  await expect(report.getByRole('link', { name: closed })).toBeVisible()
  await expect(report.getByRole('link', { name: 'Fermer ce passage' })).toHaveCount(0)
  const opened = await page.request.delete(`${demoUrl}/api/v1/closures/${closure}`, { headers: { origin: demoUrl, 'if-match': '*' } })
  expect(opened.status(), await opened.text()).toBe(204)
  await report.getByRole('button', { name: 'Marquer comme résolu' }).click()
  await expect(report.getByText('Résolu', { exact: true })).toBeVisible()
  const html = await (await page.request.get(`${demoUrl}/p/x-${id}`)).text()
  expect(html).not.toContain('Signalé sur le terrain')
  expect(html).not.toContain('Balisage net')
})
