import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Words } from './Words'

const shown = (before: string, after: string) => renderToStaticMarkup(<Words before={before} after={after} />)

it('a word that takes the place of the last one stands apart from it', () => {
  expect(shown('Vieux lavoir', 'Vieux moulin')).toBe('<span>Vieux </span><del>lavoir</del> <ins>moulin</ins>')
})

it('words that are apart already get no second space', () => {
  expect(shown('Vieux lavoir fermé', 'Vieux moulin fermé')).toBe(
    '<span>Vieux </span><del>lavoir </del><ins>moulin </ins><span>fermé</span>',
  )
})
