import { expect, it } from 'vitest'
import { mapWords } from './words'

it('a map tells its keys in both languages', () => {
  expect(mapWords('fr')['Map.Title']).toContain('flèches pour déplacer, plus et moins pour zoomer')
  expect(mapWords('en')['Map.Title']).toBe('Map: arrows to move, plus and minus to zoom')
})
