import { expect, test, type APIRequestContext } from '@playwright/test'
import { expectAccessible } from './axe'
import { ownServer } from './servers'
import { PASSWORD } from './session'

let server: Awaited<ReturnType<typeof ownServer>>
test.beforeAll(async () => {
  server = await ownServer()
})
test.afterAll(() => server.stop())

/** Calls a tool as an assistant does. */
async function tool(request: APIRequestContext, token: string, name: string, args: object) {
  const answer = await request.post(`${server.url}/mcp`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream', cookie: '' },
    data: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  })
  return {
    status: answer.status(),
    body: (await answer.json()) as { code?: string; result?: { structuredContent?: { items?: { id: number }[] } } },
  }
}

test('a person makes a token by keyboard, an assistant proposes, the person decides on the sheet, and revokes the token', async ({
  page,
  playwright,
}) => {
  await page.goto(`${server.url}/login`)
  await page.getByLabel('Adresse e-mail').fill('editeur@demo.jalon.example')
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('navigation', { name: 'Navigation principale' })).toBeVisible()
  await page.goto(`${server.url}/account`)

  const make = page.getByRole('button', { name: 'Créer un jeton' })
  await make.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel(/^Nom du jeton/)).toBeFocused()
  await page.keyboard.type('Assistant du bureau')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(page.getByRole('checkbox', { name: /Peut aussi proposer/ })).toBeChecked()
  await page.getByLabel(/^Votre mot de passe/).fill('pas le bon')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Ce n’est pas votre mot de passe.')).toBeVisible()
  await page.getByLabel(/^Votre mot de passe/).fill(PASSWORD)
  await page.keyboard.press('Enter')
  const shown = page.getByText(/^jalon_[0-9a-f]{64}$/)
  await expect(shown).toBeVisible()
  const token = await shown.innerText()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'J’ai copié mon jeton' }).click()
  await expect(shown).toBeHidden()
  await expect(page.getByText('Lire et proposer')).toBeVisible()

  const assistant = await playwright.request.newContext()
  const made = await page.request.post(`${server.url}/api/v1/parcours`, {
    headers: { origin: server.url },
    data: { title: { fr: 'Le tour du lac de Brève' } },
  })
  expect(made.status()).toBe(201)
  const list = await tool(assistant, token, 'list_parcours', { owner: 'mine', progress: 'any', search: 'lac de Brève' })
  const id = list.body.result?.structuredContent?.items?.[0]?.id ?? 0
  const texts = ['Un tour du lac, à plat.', 'Un tour à oublier.']
  for (const text of texts) {
    await tool(assistant, token, 'propose_text', { id, field: 'subtitle', language: 'fr', text, note: 'Plus court.' })
  }
  await page.goto(`${server.url}/parcours/${id}`)
  const proposals = page.getByRole('region', { name: /Des assistants proposent 2 modifications/ })
  await expect(proposals.getByRole('listitem')).toHaveCount(2)
  await expect(proposals.getByText(/Assistant du bureau, pour/).first()).toBeVisible()
  await expectAccessible(page)
  await proposals
    .getByRole('button', { name: /^Accepter la proposition/ })
    .first()
    .press('Enter')
  await expect(page.getByText('Proposition acceptée.')).toBeVisible()
  const left = page.getByRole('region', { name: /Un assistant propose une modification/ })
  await expect(left.getByText('Ce texte a changé depuis la proposition.', { exact: false })).toBeVisible()
  await left.getByRole('button', { name: /^Refuser la proposition/ }).press('Enter')
  await expect(left).toBeHidden()
  const sheet = (await (await page.request.get(`${server.url}/api/v1/parcours/${id}`)).json()) as { subtitle: { fr: string } }
  expect(sheet.subtitle.fr).toBe(texts[0])
  const history = (await (await page.request.get(`${server.url}/api/v1/parcours/${id}/revisions`)).json()) as {
    items: { reason: string }[]
  }
  expect(history.items[0]?.reason).toBe('assistant')

  await page.goto(`${server.url}/account`)
  await page.getByRole('button', { name: 'Révoquer le jeton Assistant du bureau' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Révoquer', exact: true }).click()
  await expect(page.getByText('Jeton « Assistant du bureau » révoqué.')).toBeVisible()
  const after = await tool(assistant, token, 'list_parcours', {})
  expect([after.status, after.body.code]).toEqual([401, 'mcp/token-unknown'])
  await assistant.dispose()
})
