import { expect, it } from 'vitest'
import cases from './practices.cases.json'
import { codesOf, profileIn, suits } from './practices'

const practices = cases.practices.map((one) => ({ ...one, code: `code-${one.id}` }))

it.each(cases.expected)('practice $id is planned as $profile', ({ id, profile }) => expect(profileIn(practices, id) ?? null).toBe(profile))

it('has no profile without a practice', () => expect(profileIn(practices, null)).toBeUndefined())

it('is found by its codes, also in a circle', () => {
  expect(codesOf(practices, 7)).toEqual(['code-7', 'code-6', 'code-3', 'code-1'])
  expect(codesOf(practices, 13)).toEqual(['code-13', 'code-14'])
})

it('suits every practice where none is named', () => {
  expect(suits(undefined, ['velo'])).toBe(true)
  expect(suits([], ['velo'])).toBe(true)
  expect(suits(['*'], [])).toBe(true)
  expect(suits(['vtt', 'velo'], ['vae', 'velo'])).toBe(true)
  expect(suits(['vtt'], ['velo'])).toBe(false)
})
