// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { makeHighlight, useIsHighlighted } from './highlight'

it('highlights one record, and renders only those that change', () => {
  const highlight = makeHighlight()
  let drawn = 0
  const first = renderHook(() => useIsHighlighted(highlight, 1))
  const other = renderHook(() => {
    drawn += 1
    return useIsHighlighted(highlight, 3)
  })
  act(() => highlight.set(1))
  expect(first.result.current).toBe(true)
  act(() => highlight.set(2))
  expect(first.result.current).toBe(false)
  expect(other.result.current).toBe(false)
  expect(drawn).toBe(1)
})
