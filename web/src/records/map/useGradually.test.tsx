import { renderHook, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useGradually } from './useGradually'

const keyOf = (one: { key: string }) => one.key

it('renders nothing more once all are shown, two with the same key among them', async () => {
  const all = ['a', 'a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => ({ key }))
  let renders = 0
  const { result } = renderHook(() => {
    renders += 1
    return useGradually(all, keyOf)
  })
  await waitFor(() => expect(result.current.length).toBe(8))
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  await frame()
  await frame()
  const before = renders
  for (let n = 0; n < 5; n++) await frame()
  expect(renders).toBe(before)
})
