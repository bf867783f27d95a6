import { expect, it } from 'vitest'
import type { LngLat } from '@/api/types'
import { frameOf } from './frame'

const france = [-5.2, 41.3, 9.6, 51.1] as const
const pin = (lon: number, lat: number) => ({ at: [lon, lat] as LngLat })

it('opens on its records where they take little of the view, and stays where they fill it', () => {
  expect(frameOf([...france], [pin(1.5, 42.5), pin(1.6, 42.6)], [{ bbox: [1.4, 42.4, 1.55, 42.5] }])).toEqual([1.4, 42.4, 1.6, 42.6])
  expect(frameOf([...france], [pin(1.5, 42.5), pin(-1.6, 48.1)], [])).toBeNull()
  expect(frameOf([...france], [pin(1.5, 42.5)], [{ bbox: [-4, 42, 8, 50] }])).toBeNull()
  expect(frameOf([...france], [], [])).toBeNull()
})
