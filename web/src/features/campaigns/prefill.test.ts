import { expect, it } from 'vitest'
import { prefill, whole } from './prefill'

it('reads the parcours of the address once each', async () => {
  expect(await prefill({ parcours: '12,14,12,x,-3' })).toEqual({ stretches: [whole(12), whole(14)] })
  expect(await prefill({})).toEqual({})
})
