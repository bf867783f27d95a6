import { useEffect, useMemo, useRef, useState } from 'react'
import type { AudioWalkView } from '@/api/types'
import { useCursorStore } from '@/records/map/cursor'
import { atPlace, atStart, heardOut, later, type Sim, type SimStop } from './simulation'

export const goings = ['walking', 'cycling'] as const
export const fasters = ['1', '10', '60'] as const
export type Faster = (typeof fasters)[number]

/** Metres a second: 4 and 15 km/h. */
const speeds = { walking: 4 / 3.6, cycling: 15 / 3.6 }
/** A page that slept does not jump to the end. */
const LONGEST_STEP_S = 1

/** A simulated walk that advances with the clock of the screen, and plays the sounds of the zones it enters. */
export function useSimulation(view: AudioWalkView, going: keyof typeof speeds, faster: number) {
  const cursor = useCursorStore()
  const audio = useRef<HTMLAudioElement>(null)
  const begin = () => atStart((view.sounds.find(({ story }) => story === 'intro')?.url ?? null) !== null)
  const [sim, setSim] = useState<Sim>(() => atPlace(0))
  const [playing, setPlaying] = useState(false)
  // Nothing sounds before the simulation starts, nor while it is paused.
  const on = useRef(false)
  const hearing = sim.hearing
  const walk = useMemo(() => {
    const stops = view.walk.stops.flatMap((stop): SimStop[] => {
      const pass = view.on_trace.find(({ id }) => id === stop.id)?.pass
      const story = `stop/${stop.id}`
      const sound = view.sounds.find((one) => one.story === story)
      return pass ? [{ story, enterM: pass.enters_m, delayS: stop.delay_s, silent: (sound?.url ?? null) === null }] : []
    })
    return {
      lengthM: view.trace_m ?? 0,
      speedMps: speeds[going],
      playback: view.walk.playback,
      stops,
      outro: (view.sounds.find(({ story }) => story === 'outro')?.url ?? null) !== null,
    }
  }, [view, going])

  // The clock: a step at each picture of the screen.
  useEffect(() => {
    if (!playing || sim.over) return undefined
    let last = performance.now()
    let frame = requestAnimationFrame(function step(now: number) {
      const seconds = Math.min(LONGEST_STEP_S, (now - last) / 1000)
      last = now
      setSim((before) => later(before, seconds, walk, faster))
      frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [playing, sim.over, walk, faster])

  useEffect(() => cursor.set(playing || sim.atM > 0 ? sim.atM : null, 'list'), [cursor, sim.atM, playing])

  // Plays the sound of the stop: first its transition, then the sound.
  const urls = useMemo(() => {
    const sound = view.sounds.find(({ story }) => story === hearing)
    return [sound?.transition_url ?? null, sound?.url ?? null].filter((url) => url !== null)
  }, [view.sounds, hearing])
  useEffect(() => {
    const player = audio.current
    if (!player || hearing === null) return undefined
    let at = 0
    const next = () => {
      const url = urls[at]
      at += 1
      if (url === undefined) return setSim(heardOut)
      player.src = url
      // A browser that does not let it sound waits for its own button.
      if (on.current) void player.play().catch(() => undefined)
      return undefined
    }
    const failed = () => next()
    player.addEventListener('ended', next)
    player.addEventListener('error', failed)
    next()
    return () => {
      player.removeEventListener('ended', next)
      player.removeEventListener('error', failed)
      player.pause()
    }
  }, [hearing, urls])

  const listen = (now: boolean) => {
    on.current = now
    setPlaying(now)
    const atDeparture = sim.atM === 0 && hearing === null && sim.waiting.length === 0
    if (now && atDeparture) setSim(begin())
    if (!audio.current || hearing === null) return
    if (now) void audio.current.play().catch(() => undefined)
    else audio.current.pause()
  }
  return {
    sim,
    playing: playing && !sim.over,
    audio,
    play: () => listen(true),
    pause: () => listen(false),
    skip: () => setSim(heardOut),
    restart: () => {
      on.current = false
      setPlaying(false)
      setSim(atPlace(0))
    },
    goTo: (atM: number) => setSim(atPlace(atM)),
  }
}
