import { expect, it } from 'vitest'
import { typesetPage } from './typeset-page'

it('puts the French spaces of a page of the guide, and leaves code and tags as they are', () => {
  expect(typesetPage('<p title="a ; b">Ouvrez « <strong>Parcours</strong> » : que voyez-vous ?</p>')).toBe(
    '<p title="a ; b">Ouvrez «\u00a0<strong>Parcours</strong>\u00a0»\u202f: que voyez-vous\u202f?</p>',
  )
  const code = '<p><code>a : b</code></p><pre><code class="x">si ?\n« oui »</code></pre>'
  expect(typesetPage(code)).toBe(code)
})
