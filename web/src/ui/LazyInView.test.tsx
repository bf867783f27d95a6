import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { LazyInView } from './LazyInView'

afterEach(() => vi.unstubAllGlobals())

it('shows its content when the page is printed, wherever it is', () => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = () => undefined
      disconnect = () => undefined
    },
  )
  render(<LazyInView standIn="en attente">la carte</LazyInView>)
  expect(screen.queryByText('la carte')).toBeNull()
  act(() => void window.dispatchEvent(new Event('beforeprint')))
  expect(screen.getByText('la carte')).toBeTruthy()
  expect(screen.queryByText('en attente')).toBeNull()
})
