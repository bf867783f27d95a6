import { createServer, type Server } from 'node:http'
import { expect, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { ownServer } from './servers'
import { signIn } from './session'

/** A model server that writes a few words at a time: to the end, without end, or with a failure in the middle. */
async function model(state: { way: 'good' | 'endless' | 'broken'; closed: boolean }): Promise<{ server: Server; url: string }> {
  const chunk = (words: string) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: words }, finish_reason: null }] })}\n\n`
  const server = createServer((request, reply) => {
    if (request.url === '/v1/models') return reply.writeHead(200).end(JSON.stringify({ object: 'list', data: [{ id: 'mistral-small' }] }))
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.write(chunk('Une boucle étonnante '))
    if (state.way === 'broken') return reply.end('data: {"error":{"message":"Rate limit reached"}}\n\n')
    if (state.way === 'endless') {
      const more = setInterval(() => reply.write(chunk('encore ')), 30)
      return reply.on('close', () => {
        clearInterval(more)
        state.closed = true
      })
    }
    reply.write(chunk('autour du lac.'))
    return reply.end('data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"total_tokens":420}}\n\ndata: [DONE]\n\n')
  })
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { server, url: `http://127.0.0.1:${address.port}/v1` }
}

test('a text is proposed without any service, then by a model, stopped, taken and marked', async ({ page }) => {
  const state: Parameters<typeof model>[0] = { way: 'good', closed: false }
  const { server, url } = await model(state)
  const own = await ownServer({ JALON_SERVICES__PRIVATE_ADDRESSES: 'true' })
  try {
    await page.goto(own.url)
    await signIn(page, '/settings/marques-blanches', 'superadmin@demo.jalon.example')
    const place = await page.locator('main table').getByRole('link', { name: 'Val d’Orsel' }).getAttribute('href')
    const headers = { origin: own.url }
    const made = (await (
      await page.request.post(`${own.url}/api/v1/parcours`, { headers, data: { title: { fr: 'Tour du lac' }, is_loop: true } })
    ).json()) as { id: number }

    // Our own sentences, of the facts alone.
    await page.goto(`${own.url}/parcours/${made.id}?tab=information`)
    await page.getByRole('button', { name: 'Assistant : Résumé (français)' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Écrire', exact: true }).press('Enter')
    await expect(dialog.getByText('Tour du lac est une boucle.')).toBeVisible()
    await expect(dialog.getByText('Écrit par Jalon avec les faits du parcours.')).toBeVisible()
    await expectAccessible(page)
    if (process.env['E2E_SHOTS']) await page.screenshot({ path: `${process.env['E2E_SHOTS']}/assistant.png` })
    await dialog.getByRole('button', { name: 'Utiliser ce texte' }).click()
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Généré', { exact: true })).toHaveCount(1)

    // A model of the white-label's own.
    await page.goto(`${own.url}${place ?? ''}`)
    await page.getByLabel('Utiliser le modèle').check()
    await page.getByLabel('Adresse', { exact: true }).fill(url)
    await page.getByLabel('Modèle', { exact: true }).fill('mistral-small')
    await page.getByRole('button', { name: 'Enregistrer l’assistant' }).click()
    await expect(page.getByText('Assistant enregistré.')).toBeVisible()
    await page.getByRole('button', { name: 'Tester l’assistant' }).click()
    await expect(page.getByText('Le service répond : 1 modèle (mistral-small).')).toBeVisible()
    await expectAccessible(page)

    await page.goto(`${own.url}/parcours/${made.id}?tab=information`)
    const open = () => page.getByRole('button', { name: 'Assistant : Résumé (français)' }).click()
    await open()
    await dialog.getByRole('button', { name: 'Écrire', exact: true }).click()
    await expect(dialog.getByText('Une boucle étonnante autour du lac.')).toBeVisible()
    await expect(dialog.getByText('Généré avec une IA (mistral-small) : à relire.')).toBeVisible()

    state.way = 'broken'
    await dialog.getByRole('button', { name: 'Écrire autrement' }).click()
    await expect(dialog.getByText(/Erreur lors de la génération de contenu par l’IA.*trop sollicité/)).toBeVisible()
    state.way = 'endless'
    await dialog.getByRole('button', { name: 'Écrire', exact: true }).click()
    await expect(dialog.getByText('encore encore')).toBeVisible()
    await dialog.getByRole('button', { name: 'Arrêter' }).click()
    await expect.poll(() => state.closed).toBe(true)
    await expect(page.getByRole('textbox', { name: /^Résumé fr/ })).toHaveValue('Tour du lac est une boucle.')

    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    if (process.env['E2E_SHOTS']) await page.screenshot({ path: `${process.env['E2E_SHOTS']}/assistant-390.png` })
  } finally {
    await own.stop()
    server.close()
  }
})
