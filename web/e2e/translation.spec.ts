import { createServer, type Server } from 'node:http'
import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { ownServer } from './servers'
import { signIn } from './session'

/** DeepL's shape: words in capitals; English where a text says « the »; a quota that can be used up. */
async function deepl(state: { empty: boolean }): Promise<{ server: Server; url: string }> {
  const capitals = (text: string) =>
    text.replace(/<span[^>]*>.*?<\/span>|<[^>]+>|[^<]+/g, (part) => (part.startsWith('<') ? part : part.toUpperCase()))
  const server = createServer((request, reply) => {
    let body = ''
    request.on('data', (part: Buffer) => {
      body += part.toString()
    })
    request.on('end', () => {
      if (request.url?.startsWith('/v2/usage') === true)
        return reply.writeHead(200).end(JSON.stringify({ character_count: 180118, character_limit: 1250000 }))
      if (state.empty) return reply.writeHead(456).end()
      const { text } = JSON.parse(body) as { text: string[] }
      return reply.writeHead(200).end(
        JSON.stringify({
          translations: text.map((one) => ({ detected_source_language: one.includes('the ') ? 'EN' : 'FR', text: capitals(one) })),
        }),
      )
    })
  })
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { server, url: `http://127.0.0.1:${address.port}` }
}

const superadmin = 'superadmin@demo.jalon.example'
const settings = { JALON_SERVICES__PRIVATE_ADDRESSES: 'true' }

test('a translator is made from a white-label, its key tested, by keyboard and on a phone', async ({ page }) => {
  const { server, url } = await deepl({ empty: false })
  const own = await ownServer(settings)
  try {
    await page.goto(own.url)
    await signIn(page, '/settings/marques-blanches', superadmin)
    await page.locator('main table a').first().click()
    await page.getByRole('link', { name: 'Nouveau traducteur' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Nouveau traducteur' })).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Nom', { exact: false }).first().fill('DeepL de la région')
    await page.getByLabel('Adresse du service').fill(url)
    await page.getByLabel('Traducteur par défaut').press('Space')
    await page.getByLabel('Noms à ne pas traduire').fill('Lac Bleu')
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Traducteur sauvegardé !')).toBeVisible()
    await expect(page).toHaveURL(/\/settings\/traducteurs\/\d+/)

    await page.getByRole('button', { name: 'Enregistrer une clé' }).press('Enter')
    await page.getByLabel('Clé du service').fill('279a2e9d-83b3-c416-7e2d-f721593e42a0')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Elle se termine par 42a0')).toBeVisible()
    await page.getByRole('button', { name: 'Tester la clé' }).click()
    await expect(page.getByText(/Caractères utilisés\s: 180.118 sur 1.250.000/)).toBeVisible()
    await expectAccessible(page)

    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  } finally {
    await own.stop()
    server.close()
  }
})

test('a translation whose language is not the expected one is warned about, taken and marked', async ({ page }) => {
  const state = { empty: false }
  const { server, url } = await deepl(state)
  const own = await ownServer(settings)
  try {
    await page.goto(own.url)
    await signIn(page, '/settings', superadmin)
    const call = async (method: string, path: string, data: object, version?: number) => {
      const reply = await page.request.fetch(`${own.url}${path}`, {
        method,
        data,
        headers: { origin: own.url, ...(version === undefined ? {} : { 'if-match': `"${version}"` }) },
      })
      expect(reply.ok(), `${method} ${path} ${reply.status()}`).toBe(true)
      return reply.status() === 204 ? {} : ((await reply.json()) as Record<string, unknown>)
    }
    const translator = await call('POST', '/api/v1/translators', {
      name: 'DeepL',
      base_url: url,
      is_default: true,
      protected: ['Lac Bleu'],
    })
    await call('PUT', `/api/v1/translators/${String(translator['id'])}/key`, { key: '279a2e9d-83b3-c416-7e2d-f721593e42a0' }, 1)
    const made = await call('POST', '/api/v1/parcours', {
      title: { fr: 'Tour du Lac Bleu par les crêtes' },
      summary: { fr: 'Around the lake and back to the village of the valley.' },
    })

    // The whole sheet: the summary is in the wrong language.
    await page.goto(`${own.url}/parcours/${String(made['id'])}?tab=information`)
    await page.getByRole('button', { name: 'Traduire la fiche' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Langue détectée : anglais')).toBeVisible()
    await expect(dialog.getByText('TOUR DU Lac Bleu PAR LES CRÊTES', { exact: true })).toBeVisible()
    await expect(dialog.getByRole('checkbox', { name: 'Utiliser : Titre (anglais)' })).toBeChecked()
    await expect(dialog.getByRole('checkbox', { name: 'Utiliser : Résumé (anglais)' })).not.toBeChecked()
    await expectAccessible(page)
    if (process.env['E2E_SHOTS']) await page.screenshot({ path: `${process.env['E2E_SHOTS']}/traduire.png` })
    await dialog.getByRole('button', { name: 'Traduire depuis : français' }).click()
    await expect(dialog.getByText('Traduit depuis : français')).toBeVisible()
    await dialog.getByRole('checkbox', { name: 'Utiliser : Résumé (anglais)' }).press('Space')
    await dialog.getByRole('button', { name: 'Utiliser 1 texte' }).click()
    await expect(page.getByText('Traduction terminée : 1 texte inséré. Relisez, puis enregistrez.')).toBeVisible()
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Traduit', { exact: true })).toHaveCount(1)

    // One field, then edited: it is a person's.
    await page.getByRole('textbox', { name: /^Titre en/ }).fill('Around Lac Bleu')
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Traduit', { exact: true })).toHaveCount(0)

    // A service that stops: the job waits, and goes on where it was.
    await call('POST', '/api/v1/parcours', { title: { fr: 'Boucle des sources et des fontaines' } })
    state.empty = true
    await page.goto(`${own.url}/settings/traductions`)
    await expect(page.getByRole('heading', { name: 'Aucune traduction en lot' })).toBeVisible()
    await page.getByRole('button', { name: 'Traduire tout ce qui manque' }).first().click()
    await page.getByRole('button', { name: 'Continuer' }).click()
    await page.getByRole('button', { name: 'Lancer la traduction' }).click()
    await expect(page.getByText(/le quota de la clé est épuisé/)).toBeVisible()
    await expectAccessible(page)
    state.empty = false
    await page.getByRole('button', { name: 'Reprendre' }).click()
    await expect(page.getByText('Terminée')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Boucle des sources et des fontaines' })).toBeVisible()
    await expectAccessible(page)
    if (process.env['E2E_SHOTS']) await page.screenshot({ path: `${process.env['E2E_SHOTS']}/traductions.png` })
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    if (process.env['E2E_SHOTS']) await page.screenshot({ path: `${process.env['E2E_SHOTS']}/traductions-390.png` })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  } finally {
    await own.stop()
    server.close()
  }
})
