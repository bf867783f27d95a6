import { expect, test } from 'vitest'
import { chosenLists, geotrekLists, withList } from './geotrek-lists'

test('all lists are read until some are left out, and one is always read', () => {
  expect(chosenLists(null)).toEqual(geotrekLists)
  const withoutPois = withList(withList(null, 'poi', false), 'informationdesk', false)
  expect(withoutPois).toBe('touristiccontent,touristicevent,service')
  expect(chosenLists('service, touristiccontent')).toEqual(['touristiccontent', 'service'])
  expect(withList('service', 'service', false)).toBe('service')
  expect(withList(withList(withoutPois, 'poi', true), 'informationdesk', true)).toBeNull()
})
