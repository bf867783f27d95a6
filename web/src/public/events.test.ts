import { expect, it } from 'vitest'
import { subjectOf } from './events'

it('the address says what was looked at', () => {
  expect(subjectOf('/p/tour-du-lac-12')).toEqual({ parcours_id: 12 })
  expect(subjectOf('/en/p/tour-du-lac-12/')).toEqual({ parcours_id: 12 })
  expect(subjectOf('/s/a%2Fb-3')).toEqual({ share: 'a/b-3' })
  expect(subjectOf('/p/tour-du-lac')).toBeNull()
  expect(subjectOf('/p/tour-du-lac-12/trace.gpx')).toBeNull()
  expect(subjectOf('/parcours/12')).toBeNull()
})
