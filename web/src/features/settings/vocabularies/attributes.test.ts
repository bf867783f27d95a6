import { expect, it } from 'vitest'
import drawn from '../../../../../crates/outputs/src/feed/icons.json'
import { attributesToSend, shownAttributes } from './attributes'
import { itemIcons } from './icons'

it('shows what is not set as empty', () => {
  const road = { profile: 'road', flat_kmh: 20, matches: { cirkwi: 16 } }
  expect(shownAttributes('practice_type', road)).toEqual({ profile: 'road', flat_kmh: 20, ascent_mh: null, descent_mh: null })
  expect(shownAttributes('equipment', {})).toEqual({ for: ['*'], required: false })
  expect(shownAttributes('tag', {})).toBeUndefined()
})

it('gives up what was emptied, and leaves the rest to the server', () => {
  expect(attributesToSend({ profile: null, flat_kmh: 22 }, false)).toEqual({ profile: null, flat_kmh: 22 })
  expect(attributesToSend({ colors: [], registered: '' }, false)).toEqual({ colors: null, registered: null })
  expect(attributesToSend({ for: ['velo'], required: false }, false)).toEqual({ for: ['velo'], required: null })
})

it('sends a color that is not filled in, for the server to refuse it in its place', () => {
  expect(attributesToSend({ colors: ['', '#FFFFFF'] }, false)).toEqual({ colors: ['', '#FFFFFF'] })
})

it('sends of a new item only what is filled in', () => {
  expect(attributesToSend({ agency: true, registration: null }, true)).toEqual({ agency: true })
})

it('has an icon for each pictogram of the feeds', () => {
  expect(Object.keys(itemIcons).sort()).toEqual(Object.keys(drawn).sort())
})
