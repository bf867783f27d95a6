import { act, fireEvent, screen } from '@testing-library/react'
import { useEffect, useState, type ReactNode } from 'react'
import type { LngLat } from '@/api/types'
import { expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/form-host'
import PointMap from './PointMap'

// A map needs WebGL: this one has its canvas and its middle.
vi.mock('@vis.gl/react-maplibre', () => ({ Marker: ({ children }: { children: ReactNode }) => children }))
vi.mock('@/records/map/MapCanvas', () => ({
  MapCanvas: ({
    label,
    onReady,
    onClick,
    children,
  }: {
    label: string
    onReady: (map: unknown) => void
    onClick: (at: unknown) => void
    children: ReactNode
  }) => {
    useEffect(
      () => onReady({ getCenter: () => ({ lng: 5.36841239, lat: 44.9127 }), getBounds: () => ({ contains: () => true }) }),
      [onReady],
    )
    return (
      <div>
        <canvas aria-label={label} onClick={() => onClick({ lngLat: { lng: 5, lat: 45 } })} />
        {children}
      </div>
    )
  },
}))

it('puts a place under the cross with Entrée alone, and none where it may only be looked at', async () => {
  const onChange = vi.fn()
  const { unmount } = await renderPage(() => <PointMap label="Emplacement" value={null} onChange={onChange} />)
  const canvas = screen.getByLabelText('Emplacement')
  act(() => void fireEvent.keyDown(canvas, { key: 'ArrowUp' }))
  expect(onChange).not.toHaveBeenCalled()
  act(() => void fireEvent.keyDown(canvas, { key: 'Enter' }))
  expect(onChange.mock.calls).toEqual([[[5.368412, 44.9127]]])
  expect(document.querySelector('svg[aria-hidden]'), 'the cross').not.toBeNull()
  unmount()
  await renderPage(() => <PointMap label="Emplacement" value={null} />)
  expect(document.querySelector('svg')).toBeNull()
  expect(fireEvent.keyDown(screen.getByLabelText('Emplacement'), { key: 'Enter' }), 'the key is left to the page').toBe(true)
})

it('says the place that is put by keyboard, and no other', async () => {
  function Page() {
    const [value, setValue] = useState<LngLat | null>(null)
    return <PointMap label="Emplacement" value={value} onChange={setValue} />
  }
  await renderPage(Page)
  const announced = () => screen.getByRole('status').textContent
  const canvas = screen.getByLabelText('Emplacement')
  expect(announced()).toBe('')
  act(() => void fireEvent.keyDown(canvas, { key: 'Enter' }))
  expect(announced()).toMatch(/^Point posé.: 44,9127.; 5,36841\.$/)
  act(() => void fireEvent.click(canvas))
  expect(announced()).toBe('')
})
