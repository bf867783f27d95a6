import { describe, expect, it } from 'vitest'
import { atPlace, atStart, heardOut, later, type SimWalk } from './simulation'

const walk: SimWalk = {
  lengthM: 1000,
  speedMps: 1,
  playback: 'sequential',
  outro: true,
  stops: [
    { story: 'stop/1', enterM: 100, delayS: 0, silent: false },
    { story: 'stop/2', enterM: 150, delayS: 5, silent: false },
  ],
}

describe('a simulated walk', () => {
  it('goes fast between sounds and never past a stop', () => {
    const sim = later(atStart(false), 10, walk, 60)
    expect(sim).toMatchObject({ atM: 100, hearing: 'stop/1' })
  })

  it('goes at its real pace while something is heard, and lets the next one wait', () => {
    const sim = later(later(atStart(false), 10, walk, 60), 20, walk, 60)
    expect(sim).toMatchObject({ atM: 120, hearing: 'stop/1', waiting: [] })
    const both = later(sim, 40, walk, 60)
    expect(both).toMatchObject({ atM: 150, hearing: 'stop/1', waiting: ['stop/2'] })
    expect(heardOut(both)).toMatchObject({ hearing: 'stop/2', waiting: [] })
  })

  it('stops what is heard where another may be heard at once, after its delay', () => {
    const free = { ...walk, playback: 'free' as const }
    const sim = later({ ...atPlace(140), hearing: 'stop/1' }, 20, free, 1)
    expect(sim).toMatchObject({ atM: 150, hearing: null, waiting: ['stop/2'], delayS: 5 })
    expect(later(sim, 3, free, 1).hearing).toBeNull()
    expect(later(later(sim, 3, free, 1), 3, free, 1)).toMatchObject({ hearing: 'stop/2', waiting: [] })
  })

  it('begins with the introduction, ends with the closing words, and is over', () => {
    expect(atStart(true).hearing).toBe('intro')
    const end = later(atPlace(990), 100, walk, 1)
    expect(end).toMatchObject({ atM: 1000, hearing: 'outro', over: false })
    const over = later(heardOut(end), 1, walk, 1)
    expect(over.over).toBe(true)
    expect(later(over, 100, walk, 1)).toBe(over)
  })

  it('passes by a stop that has no sound, and tells it', () => {
    const mute = { ...walk, stops: walk.stops.map((stop) => ({ ...stop, silent: true })) }
    const sim = later(atStart(false), 10, mute, 60)
    expect(sim).toMatchObject({ atM: 100, hearing: null, silent: 'stop/1' })
    expect(later(sim, 10, mute, 60)).toMatchObject({ atM: 150, silent: 'stop/2' })
  })

  it('meets a stop at the very end before it is over', () => {
    const sim = later(atPlace(900), 200, { ...walk, outro: false, stops: [{ story: 'stop/9', enterM: 1000, delayS: 0, silent: false }] }, 1)
    expect(sim).toMatchObject({ hearing: 'stop/9', over: false })
    expect(later(heardOut(sim), 1, { ...walk, outro: false }, 1).over).toBe(true)
  })
})
