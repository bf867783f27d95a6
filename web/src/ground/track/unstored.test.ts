import { describe, expect, it } from 'vitest'
import type { LngLat } from '@/api/types'
import { Unstored } from './unstored'

const at = (index: number): LngLat => [4 + index / 10_000, 47]

/** A device that has room or not, and what was written to it. */
function aDevice() {
  const device = { written: [] as LngLat[], attempts: 0, refusal: null as Error | null }
  const unstored = new Unstored(
    async (points) => {
      device.attempts += 1
      await Promise.resolve()
      if (device.refusal !== null) throw device.refusal
      device.written.push(...points)
    },
    (error) => error instanceof Error && error.name === 'QuotaExceededError',
  )
  return { device, unstored }
}
const quota = () => Object.assign(new Error('full'), { name: 'QuotaExceededError' })

describe('points of a recording', () => {
  it('are written as they come', async () => {
    const { device, unstored } = aDevice()
    await unstored.add(at(1))
    await unstored.add(at(2))
    expect([device.written, unstored.points, unstored.problem]).toEqual([[at(1), at(2)], [], null])
  })

  it('stay in memory on a full device, and are written in their order once there is room', async () => {
    const { device, unstored } = aDevice()
    await unstored.add(at(1))
    device.refusal = quota()
    await unstored.add(at(2))
    await unstored.add(at(3))
    expect([device.written, unstored.points, unstored.problem]).toEqual([[at(1)], [at(2), at(3)], 'full'])
    device.refusal = null
    await unstored.add(at(4))
    expect([device.written, unstored.points, unstored.problem]).toEqual([[at(1), at(2), at(3), at(4)], [], null])
  })

  it('are written without another point when it is tried again', async () => {
    const { device, unstored } = aDevice()
    device.refusal = quota()
    await unstored.add(at(1))
    device.refusal = null
    await unstored.flush()
    expect([device.written, unstored.problem]).toEqual([[at(1)], null])
  })

  it('that come while others are written are written once each', async () => {
    const { device, unstored } = aDevice()
    await Promise.all([unstored.add(at(1)), unstored.add(at(2)), unstored.add(at(3))])
    expect(device.written).toEqual([at(1), at(2), at(3)])
    expect(device.attempts).toBe(2)
  })

  it('says where the browser refuses to write for another reason', async () => {
    const { device, unstored } = aDevice()
    device.refusal = new Error('closed')
    await unstored.add(at(1))
    expect([unstored.points, unstored.problem]).toEqual([[at(1)], 'notStored'])
  })

  it('are forgotten with their recording, also while they are written', async () => {
    const { device, unstored } = aDevice()
    device.refusal = quota()
    const adding = unstored.add(at(1))
    unstored.clear()
    await adding
    expect([unstored.points, unstored.problem]).toEqual([[], null])
    // Points of the next recording are not taken for written.
    device.refusal = null
    const first = unstored.add(at(2))
    unstored.clear()
    await Promise.all([first, unstored.add(at(3))])
    expect([device.written.at(-1), unstored.points]).toEqual([at(3), []])
  })
})
