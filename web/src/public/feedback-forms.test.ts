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

it('adds no point for a kilometre beyond the ends of the route, and says its length', () => {
  document.documentElement.lang = 'fr'
  document.body.innerHTML = `<form data-give="report"><input data-km><p class="place-told" role="status"></p></form>`
  takeForms({ line: [[4, 47], [4, 47.1]], along: [0, 14_860], steps: [], pois: [], closed: [], detours: [] })
  const km = document.querySelector('input')
  const answerTo = (typed: string) => {
    if (km) km.value = typed
    km?.dispatchEvent(new Event('input'))
    return document.querySelector('.place-told')?.textContent
  }
  for (const typed of ['99', '15', '-1']) expect(answerTo(typed), typed).toMatch(/km 14[,.]9/)
  // The length as the page shows it is a little more than the line.
  for (const typed of ['0', '7,5', '14,9']) expect(answerTo(typed), typed).not.toMatch(/km 14[,.]9/)
  expect(answerTo('7,5')).toMatch(/joint|added/)
  expect(answerTo('')).toBe('')
})
