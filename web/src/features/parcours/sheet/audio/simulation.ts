import type { AudioWalk } from '@/api/types'

/** A stop as the simulated walk meets it. */
export interface SimStop {
  /** `stop/3`. */
  story: string
  /** The place at which it is played, in metres from the start. */
  enterM: number
  delayS: number
  /** There is nothing to hear yet. */
  silent: boolean
}

/** Where the simulated walk is. */
export interface Sim {
  atM: number
  /** The sound that is playing: `intro`, `stop/3`, `outro`. */
  hearing: string | null
  /** The queue of sounds. */
  waiting: readonly string[]
  /** The last stop that was reached, if it has no sound. */
  silent: string | null
  /** Seconds until the sound of the reached stop plays. */
  delayS: number
  /** The end is reached and every sound has played. */
  over: boolean
}

export interface SimWalk {
  lengthM: number
  speedMps: number
  playback: AudioWalk['playback']
  stops: readonly SimStop[]
  /** Whether there are closing words. */
  outro: boolean
}

/** At the start, with the introduction if there is one. */
export const atStart = (intro: boolean): Sim => ({
  atM: 0,
  hearing: intro ? 'intro' : null,
  waiting: [],
  silent: null,
  delayS: 0,
  over: false,
})

/** At a chosen place: silent, and on from there. */
export const atPlace = (atM: number): Sim => ({ atM, hearing: null, waiting: [], silent: null, delayS: 0, over: false })

function met(before: Sim, { story, delayS, silent }: SimStop, playback: SimWalk['playback']): Sim {
  if (silent) return { ...before, silent: story }
  const sim = { ...before, silent: null }
  const busy = sim.hearing !== null || sim.waiting.length > 0
  if (busy && playback === 'sequential') return { ...sim, waiting: [...sim.waiting, story] }
  // The sound of the zone entered last plays at once, and the one before stops.
  return delayS > 0 ? { ...sim, hearing: null, waiting: [story], delayS } : { ...sim, hearing: story, waiting: [] }
}

/**
 * The walk a number of seconds later. While a sound plays, the walk has its real speed, so that the user hears whether a sound ends before
 * the next stop; between sounds it is `faster` times as fast, and never skips a stop.
 */
export function later(sim: Sim, seconds: number, walk: SimWalk, faster: number): Sim {
  if (sim.over) return sim
  const listening = sim.hearing !== null || sim.waiting.length > 0
  const wanted = Math.min(walk.lengthM, sim.atM + walk.speedMps * seconds * (listening ? 1 : faster))
  const next = walk.stops.filter(({ enterM }) => enterM > sim.atM && enterM <= wanted).toSorted((a, b) => a.enterM - b.enterM)[0]
  let now: Sim = { ...sim, atM: next?.enterM ?? wanted }
  if (now.hearing === null && now.waiting.length > 0) {
    now = { ...now, delayS: Math.max(0, now.delayS - seconds) }
    if (now.delayS === 0) now = { ...now, hearing: now.waiting[0] ?? null, waiting: now.waiting.slice(1) }
  }
  if (next !== undefined) return met(now, next, walk.playback)
  if (now.atM < walk.lengthM || now.hearing !== null || now.waiting.length > 0) return now
  return walk.outro && sim.atM < walk.lengthM ? { ...now, hearing: 'outro' } : { ...now, over: true }
}

/** The sound ended, or was skipped: the next one in the queue plays. */
export const heardOut = (sim: Sim): Sim => ({ ...sim, hearing: sim.waiting[0] ?? null, waiting: sim.waiting.slice(1), delayS: 0 })
