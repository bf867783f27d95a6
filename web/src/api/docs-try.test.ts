// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'

/** The script of the page `/api/docs`, as the server sends it. */
const script = readFileSync(resolve(__dirname, '../../../crates/api/src/api_docs/try.js'), 'utf8')
const requests: { url: string; headers: Headers; credentials: string | undefined }[] = []

beforeEach(() => {
  requests.length = 0
  document.documentElement.lang = 'fr'
  document.body.innerHTML = `<input id="key">
    <form data-path="/api/public/v1/parcours/{id}" data-key="yes">
      <input name="id" data-in="path" value="12"><input name="fields" data-in="query" value="id,title"><input name="omit" data-in="query" value="">
      <p role="status" data-status></p><pre hidden></pre><button type="submit">Envoyer</button>
    </form>`
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    requests.push({ url, headers: new Headers(init.headers), credentials: init.credentials })
    return Promise.resolve(Response.json({ id: 12 }))
  })
  // oxlint-disable-next-line typescript/no-implied-eval -- the script is a separate file, run here as the page runs it
  new Function(script)()
})

const submit = () => document.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }))
const status = () => document.querySelector('[data-status]')?.textContent

it('asks for a key before it asks the server', () => {
  submit()
  expect(requests).toEqual([])
  expect(status()).toBe('Saisissez d’abord une clé d’API.')
  expect(document.activeElement?.id).toBe('key')
})

it('sends the question with the key beside the address, and shows the answer', async () => {
  document.querySelector<HTMLInputElement>('#key')!.value = 'abc'
  submit()
  await waitFor(() => expect(status()).toBe('GET /api/public/v1/parcours/12?fields=id%2Ctitle : 200'))
  expect(requests[0]?.headers.get('x-api-key')).toBe('abc')
  expect(requests[0]?.credentials).toBe('omit')
  expect(requests[0]?.url).not.toContain('abc')
  expect(document.querySelector('pre')?.hidden).toBe(false)
  expect(document.querySelector('pre')?.textContent).toContain('"id": 12')
})
