import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { makeLit, useIsLit } from './lit'

it('lights one record, and draws only those that change', () => {
  const lit = makeLit()
  let drawn = 0
  const first = renderHook(() => useIsLit(lit, 1))
  const other = renderHook(() => {
    drawn += 1
    return useIsLit(lit, 3)
  })
  act(() => lit.set(1))
  expect(first.result.current).toBe(true)
  act(() => lit.set(2))
  expect(first.result.current).toBe(false)
  expect(other.result.current).toBe(false)
  expect(drawn).toBe(1)
})
