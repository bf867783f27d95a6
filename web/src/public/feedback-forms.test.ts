// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'
import { takeForms } from './feedback-forms'

it('gives the focus to the answer once a form is sent: its button is hidden', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ notified: true })))
  document.body.innerHTML = `<form data-give="review" data-url="/api/public/v1/reviews" data-done="Merci.">
    <div class="fields"><input name="text" value="Très beau"><button type="submit">Envoyer</button></div>
    <p role="status"></p>
  </form>`
  takeForms(null)
  document.querySelector('button')?.focus()
  document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  const status = document.querySelector('[role=status]')
  await vi.waitFor(() => expect(status?.textContent).toBe('Merci.'))
  expect(document.activeElement).toBe(status)
})
