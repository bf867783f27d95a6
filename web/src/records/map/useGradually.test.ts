import { expect, it } from 'vitest'
import { oneStep } from './useGradually'

const keyOf = (one: { key: string }) => one.key
const some = (name: string, count: number) => Array.from({ length: count }, (_, n) => ({ key: `${name}${n}` }))

it('lets a few come and a few go in each step, until all that should be there is', () => {
  const before = some('old', 40)
  const all = [...before.slice(0, 3).map(({ key }) => ({ key })), ...some('new', 30)]
  let shown = oneStep(before, all, keyOf)
  expect(shown.length).toBe(40 - 12 + 6)
  // What stays is as it should be now.
  expect(shown[0]).toBe(all[0])
  for (let step = 0; step < 4; step++) shown = oneStep(shown, all, keyOf)
  expect(new Set(shown)).toEqual(new Set(all))
  expect(oneStep(shown, all, keyOf)).toEqual(shown)
})
