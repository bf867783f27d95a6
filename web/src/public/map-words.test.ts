import { expect, it } from 'vitest'
import { wordsOf } from './map-words'

it('a map of a public page tells its keys after its name', () => {
  expect(wordsOf('Carte du parcours', true)['Map.Title']).toBe('Carte du parcours (flèches pour déplacer, plus et moins pour zoomer)')
  expect(wordsOf('Map of the route', false)).toEqual({ 'Map.Title': 'Map of the route (arrows to move, plus and minus to zoom)' })
})
